//! The functions of a model's library by name, each looked up once.

use std::ffi::{c_int, c_void};

use crate::library::Library;

use super::words::{Failed, Kind};

/// A function that a library may have.
#[derive(Debug, Clone, Copy)]
pub struct Slot<F> {
    pub(super) name: &'static str,
    function: Option<F>,
}

impl<F: Copy> Slot<F> {
    /// # Errors
    /// Fails if the library does not have the function.
    #[inline]
    pub(super) fn get(&self) -> Result<F, Failed> {
        self.function.ok_or(Failed::Absent(self.name))
    }
}

/// A library, and a prefix that `_` may separate from the names of its functions: the model
/// identifier, as in sources that are compiled into one program (FMI 2.0.4, section 2.1.1).
pub(super) struct Names<'a> {
    pub(super) library: &'a Library,
    pub(super) prefix: &'a str,
}

impl Names<'_> {
    /// Looks up the function of that name.
    ///
    /// # Safety
    /// `F` must be the function's type in the specification.
    pub(super) unsafe fn slot<F: Copy>(&self, name: &'static str) -> Slot<F> {
        let with_prefix = || format!("{}_{name}", self.prefix);
        // SAFETY: the caller guarantees it.
        let function = unsafe {
            let plain = self.library.symbol(name);
            plain.or_else(|| self.library.symbol(&with_prefix()))
        };
        Slot { name, function }
    }

    /// Checks that the library has all functions that a model of this kind must have.
    ///
    /// # Errors
    /// Returns the names of those that are missing.
    pub(super) fn have(&self, needs: &[(&'static str, &[Kind])], kind: Kind) -> Result<(), Failed> {
        let needed = needs.iter().filter(|(_, kinds)| kinds.contains(&kind)).map(|(name, _)| *name);
        // SAFETY: the function is not called.
        let is_missing =
            |name: &&'static str| unsafe { self.slot::<extern "C" fn()>(name).function.is_none() };
        let missing: Vec<_> = needed.filter(is_missing).collect();
        if missing.is_empty() { Ok(()) } else { Err(Failed::Missing(missing)) }
    }
}

// The kinds of models that must have a function.
pub(super) const EVERY: &[Kind] = &Kind::ALL;
pub(super) const CO_SIMULATION: &[Kind] = &[Kind::CoSimulation];
pub(super) const MODEL_EXCHANGE: &[Kind] = &[Kind::ModelExchange];
pub(super) const SCHEDULED_EXECUTION: &[Kind] = &[Kind::ScheduledExecution];

type GetTwo<T> = unsafe extern "C" fn(*mut c_void, *const u32, usize, *mut T) -> c_int;
type SetTwo<T> = unsafe extern "C" fn(*mut c_void, *const u32, usize, *const T) -> c_int;
type GetThree<T> = unsafe extern "C" fn(*mut c_void, *const u32, usize, *mut T, usize) -> c_int;
type SetThree<T> = unsafe extern "C" fn(*mut c_void, *const u32, usize, *const T, usize) -> c_int;

/// The functions that read and set values of a type.
#[derive(Debug)]
pub struct Access<G, S> {
    pub(super) get: Slot<G>,
    pub(super) set: Slot<S>,
}

pub type AccessTwo<T> = Access<GetTwo<T>, SetTwo<T>>;
pub type AccessThree<T> = Access<GetThree<T>, SetThree<T>>;

/// Declares a table of functions by their names, with its lookup. A function that a model must have
/// follows the kinds of these models in brackets. Values of each type have a function that reads and
/// one that sets.
macro_rules! functions {
    (
        $(#[$about:meta])*
        $table:ident {
            $(
                $([$needed_by:ident])?
                $field:ident: $name:literal fn($($argument:ty),*) $(-> $returned:ty)?;
            )*
        }
        values by $Access:ident { $($values:ident: $type:ty = $get:literal, $set:literal;)* }
    ) => {
        $(#[$about])*
        #[derive(Debug)]
        pub struct $table {
            $(pub(super) $field: Slot<unsafe extern "C" fn($($argument),*) $(-> $returned)?>,)*
            $(pub(super) $values: $Access<$type>,)*
        }

        impl $table {
            /// Looks up every function of the table.
            ///
            /// # Errors
            /// Fails if the library lacks functions that a model of this kind must have.
            pub(super) fn of(names: &Names, kind: Kind) -> Result<Self, Failed> {
                names.have(&[$($(($name, $needed_by),)?)*], kind)?;
                // SAFETY: the types are those of the specification.
                Ok(unsafe {
                    Self {
                        $($field: names.slot($name),)*
                        $($values: Access { get: names.slot($get), set: names.slot($set) },)*
                    }
                })
            }
        }
    };
}

/// Selects the function of that name from the table of the instance's version.
macro_rules! slot {
    ($instance:expr, $name:ident) => {
        match &$instance.functions {
            Functions::Two(table) => &table.$name,
            Functions::Three(table) => &table.$name,
        }
    };
}

pub(super) use {functions, slot};
