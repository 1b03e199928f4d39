//! The values of variables: FMI 2.0.4, section 2.1.7; FMI 3.0.2, section 2.2.6.

use super::functions::{AccessThree, AccessTwo};
use super::instance::{Functions, Instance};
use super::three::Three;
use super::two::Two;
use super::words::Failed;

/// The variables of an instance, to be read and set. Not `Sync`, as an instance is not.
#[derive(Debug, Clone, Copy)]
pub struct Variables<'a>(pub(super) &'a Instance);

impl Instance {
    /// Returns its variables.
    #[inline]
    #[must_use]
    pub fn variables(&self) -> Variables<'_> {
        Variables(self)
    }
}

impl Variables<'_> {
    /// Reads numbers of variables. In FMI 3.0 a variable may be an array, whose values follow one
    /// another.
    ///
    /// # Errors
    /// Fails if the model does not have such variables, or FMI 2.0 does not have this type of
    /// number.
    #[inline]
    pub fn get<T: Number>(self, variables: &[u32], values: &mut [T]) -> Result<(), Failed> {
        let (from, count) = (variables.as_ptr(), variables.len());
        let (to, length) = (values.as_mut_ptr(), values.len());
        match &self.0.functions {
            Functions::Two(table) => {
                equal(count, length)?;
                let get = &T::two(table).ok_or(Failed::Unknown(T::NAME))?.get;
                // SAFETY: there are as many values as variables.
                self.0.call(get, |get, model| unsafe { get(model, from, count, to) })
            }
            Functions::Three(table) => {
                let get = &T::three(table).get;
                // SAFETY: both lengths are passed to the model.
                self.0.call(get, |get, model| unsafe { get(model, from, count, to, length) })
            }
        }
    }

    /// Sets numbers of variables; arrays are set as [`Variables::get`] reads them.
    ///
    /// # Errors
    /// Fails if the model refuses them, or FMI 2.0 does not have this type of number.
    #[inline]
    pub fn set<T: Number>(self, variables: &[u32], values: &[T]) -> Result<(), Failed> {
        let (to, count) = (variables.as_ptr(), variables.len());
        let (from, length) = (values.as_ptr(), values.len());
        match &self.0.functions {
            Functions::Two(table) => {
                equal(count, length)?;
                let set = &T::two(table).ok_or(Failed::Unknown(T::NAME))?.set;
                // SAFETY: there are as many values as variables.
                self.0.call(set, |set, model| unsafe { set(model, to, count, from) })
            }
            Functions::Three(table) => {
                let set = &T::three(table).set;
                // SAFETY: both lengths are passed to the model.
                self.0.call(set, |set, model| unsafe { set(model, to, count, from, length) })
            }
        }
    }

    /// Reads truth values; arrays are read as in [`Variables::get`].
    ///
    /// # Errors
    /// Fails if the model does not have such variables.
    pub fn get_booleans(self, variables: &[u32], values: &mut [bool]) -> Result<(), Failed> {
        let model = self.0.model()?;
        match &self.0.functions {
            Functions::Two(table) => {
                equal(variables.len(), values.len())?;
                let get = &table.boolean.get;
                for (variable, value) in variables.iter().zip(values) {
                    let mut number = 0;
                    // SAFETY: there is one value for one variable.
                    let status = unsafe { get.get()?(model, variable, 1, &raw mut number) };
                    self.0.done(get.name, status)?;
                    *value = number != 0;
                }
                Ok(())
            }
            Functions::Three(table) => {
                let get = &table.boolean.get;
                let (from, count, length) = (variables.as_ptr(), variables.len(), values.len());
                let bytes: *mut u8 = values.as_mut_ptr().cast();
                // SAFETY: both lengths are passed to the model, and both types are bytes.
                let status = unsafe { get.get()?(model, from, count, bytes, length) };
                for at in 0..length {
                    // SAFETY: the byte is within the slice. A model may have written values other
                    // than 0 and 1; they become truth values before they are read as such.
                    unsafe {
                        let byte = bytes.add(at);
                        byte.write(u8::from(byte.read() != 0));
                    }
                }
                self.0.done(get.name, status)
            }
        }
    }

    /// Sets truth values; arrays are set as [`Variables::get`] reads them.
    ///
    /// # Errors
    /// Fails if the model refuses them.
    pub fn set_booleans(self, variables: &[u32], values: &[bool]) -> Result<(), Failed> {
        let model = self.0.model()?;
        match &self.0.functions {
            Functions::Two(table) => {
                equal(variables.len(), values.len())?;
                let set = &table.boolean.set;
                for (variable, value) in variables.iter().zip(values) {
                    let number = i32::from(*value);
                    // SAFETY: there is one value for one variable.
                    let status = unsafe { set.get()?(model, variable, 1, &raw const number) };
                    self.0.done(set.name, status)?;
                }
                Ok(())
            }
            Functions::Three(table) => {
                let (to, count, length) = (variables.as_ptr(), variables.len(), values.len());
                let from: *const u8 = values.as_ptr().cast();
                // SAFETY: both lengths are passed to the model; a truth value is a byte of 0 or 1.
                self.0.call(&table.boolean.set, |set, model| unsafe {
                    set(model, to, count, from, length)
                })
            }
        }
    }
}

/// Checks that there are as many values as variables: FMI 2.0 has only scalars.
#[inline]
pub(super) fn equal(variables: usize, values: usize) -> Result<(), Failed> {
    if variables == values { Ok(()) } else { Err(Failed::Lengths { variables, values }) }
}

/// A number type of a model's variables: `f64` and `i32` in both versions, the others in FMI 3.0.
pub trait Number: Copy {
    /// FMI 3.0's name of the type.
    const NAME: &'static str;

    /// Returns the functions of FMI 2.0, which has only two of the types.
    fn two(_: &Two) -> Option<&AccessTwo<Self>> {
        None
    }

    /// Returns the functions of FMI 3.0.
    fn three(table: &Three) -> &AccessThree<Self>;
}

macro_rules! numbers {
    ($($number:ident, $name:literal $(, $two:ident)?;)*) => {$(
        impl Number for $number {
            const NAME: &'static str = $name;

            $(fn two(table: &Two) -> Option<&AccessTwo<Self>> {
                Some(&table.$two)
            })?

            fn three(table: &Three) -> &AccessThree<Self> {
                &table.$number
            }
        }
    )*};
}

numbers! {
    f64, "Float64", real;
    f32, "Float32";
    i8, "Int8";
    u8, "UInt8";
    i16, "Int16";
    u16, "UInt16";
    i32, "Int32", integer;
    u32, "UInt32";
    i64, "Int64";
    u64, "UInt64";
}
