//! The values of variables: FMI 2.0.4, section 2.1.7; FMI 3.0.2, section 2.2.6.

use super::failed::Failed;
use super::instance::{Functions, Instance};
use super::number::Number;

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
        let model = self.0.model()?;
        let (from, count) = (variables.as_ptr(), variables.len());
        let (to, length) = (values.as_mut_ptr(), values.len());
        match &self.0.functions {
            Functions::Two(table) => {
                equal(count, length)?;
                let (get, _) = T::two(table).ok_or(Failed::Unknown(T::NAME))?;
                // SAFETY: there are as many values as variables.
                self.0.done(get.name(), unsafe { get.get()?(model, from, count, to) })
            }
            Functions::Three(table) => {
                let (get, _) = T::three(table);
                // SAFETY: both lengths are passed to the model.
                let status = unsafe { get.get()?(model, from, count, to, length) };
                self.0.done(get.name(), status)
            }
        }
    }

    /// Sets numbers of variables; arrays are set as [`Variables::get`] reads them.
    ///
    /// # Errors
    /// Fails if the model refuses them, or FMI 2.0 does not have this type of number.
    #[inline]
    pub fn set<T: Number>(self, variables: &[u32], values: &[T]) -> Result<(), Failed> {
        let model = self.0.model()?;
        let (to, count) = (variables.as_ptr(), variables.len());
        let (from, length) = (values.as_ptr(), values.len());
        match &self.0.functions {
            Functions::Two(table) => {
                equal(count, length)?;
                let (_, set) = T::two(table).ok_or(Failed::Unknown(T::NAME))?;
                // SAFETY: there are as many values as variables.
                self.0.done(set.name(), unsafe { set.get()?(model, to, count, from) })
            }
            Functions::Three(table) => {
                let (_, set) = T::three(table);
                // SAFETY: both lengths are passed to the model.
                let status = unsafe { set.get()?(model, to, count, from, length) };
                self.0.done(set.name(), status)
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
                let get = &table.get_boolean;
                for (variable, value) in variables.iter().zip(values) {
                    let mut number = 0;
                    // SAFETY: there is one value for one variable.
                    let status = unsafe { get.get()?(model, variable, 1, &raw mut number) };
                    self.0.done(get.name(), status)?;
                    *value = number != 0;
                }
                Ok(())
            }
            Functions::Three(table) => {
                let get = &table.get_boolean;
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
                self.0.done(get.name(), status)
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
                let set = &table.set_boolean;
                for (variable, value) in variables.iter().zip(values) {
                    let number = i32::from(*value);
                    // SAFETY: there is one value for one variable.
                    let status = unsafe { set.get()?(model, variable, 1, &raw const number) };
                    self.0.done(set.name(), status)?;
                }
                Ok(())
            }
            Functions::Three(table) => {
                let set = &table.set_boolean;
                let (to, count, length) = (variables.as_ptr(), variables.len(), values.len());
                let bytes: *const u8 = values.as_ptr().cast();
                // SAFETY: both lengths are passed to the model; a truth value is a byte of 0 or 1.
                let status = unsafe { set.get()?(model, to, count, bytes, length) };
                self.0.done(set.name(), status)
            }
        }
    }
}

/// Checks that there are as many values as variables: FMI 2.0 has only scalars.
#[inline]
pub(super) fn equal(variables: usize, values: usize) -> Result<(), Failed> {
    if variables == values { Ok(()) } else { Err(Failed::Lengths { variables, values }) }
}
