//! The functions of a model's library by name, each looked up once.

use crate::library::Library;

use super::failed::Failed;

/// A function that a library may have.
#[derive(Debug, Clone, Copy)]
pub struct Slot<F> {
    name: &'static str,
    function: Option<F>,
}

impl<F: Copy> Slot<F> {
    /// Its name, for messages.
    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    /// The function.
    ///
    /// # Errors
    /// Where the library has none.
    #[inline]
    pub(super) fn get(&self) -> Result<F, Failed> {
        self.function.ok_or(Failed::Absent(self.name))
    }
}

/// Where functions are looked up.
pub(super) struct Names<'a> {
    library: &'a Library,
    prefix: &'a str,
}

impl<'a> Names<'a> {
    /// A library whose functions may also have a prefix before their names: the model identifier
    /// and `_`, as in sources that are compiled into one program (FMI 2.0.4, section 2.1.1).
    pub(super) fn new(library: &'a Library, prefix: &'a str) -> Self {
        Self { library, prefix }
    }

    /// The function of that name.
    ///
    /// # Safety
    /// `F` must be the function's type in the specification.
    pub(super) unsafe fn slot<F: Copy>(&self, name: &'static str) -> Slot<F> {
        let with_prefix = || format!("{}_{name}", self.prefix);
        // SAFETY: the caller's.
        let function = unsafe {
            let plain = self.library.symbol(name);
            plain.or_else(|| self.library.symbol(&with_prefix()))
        };
        Slot { name, function }
    }

    /// Whether all of these are there.
    ///
    /// # Errors
    /// The names of those that are not.
    pub(super) fn have(&self, mandatory: &[&'static str]) -> Result<(), Failed> {
        // SAFETY: it is not called.
        let is_missing =
            |name: &&'static str| unsafe { self.slot::<extern "C" fn()>(name).function.is_none() };
        let missing: Vec<_> = mandatory.iter().copied().filter(is_missing).collect();
        match missing.is_empty() {
            true => Ok(()),
            false => Err(Failed::Missing(missing)),
        }
    }
}

/// Declares a table of functions by their names, and how it is looked up.
macro_rules! functions {
    ($(#[$about:meta])* $table:ident { $($field:ident: $name:literal fn($($argument:ty),*) $(-> $returned:ty)?;)* }) => {
        $(#[$about])*
        #[derive(Debug)]
        pub struct $table {
            $(pub(super) $field: Slot<unsafe extern "C" fn($($argument),*) $(-> $returned)?>,)*
        }

        impl $table {
            /// Looks every function up.
            pub(super) fn of(names: &Names) -> Self {
                // SAFETY: the types are those of the specification.
                unsafe { Self { $($field: names.slot($name),)* } }
            }
        }
    };
}

pub(super) use functions;
