//! The values of variables: FMI 2.0.4, section 2.1.7; FMI 3.0.2, section 2.2.6.

use super::failed::Failed;
use super::instance::{Functions, Instance};
use super::number::Number;

impl Instance {
    /// Reads numbers of variables. In FMI 3.0 a variable may be an array, whose values stand one
    /// behind the other.
    ///
    /// # Errors
    /// Where the model has no such variables, or FMI 2.0 no such numbers.
    #[inline]
    pub fn get<T: Number>(&self, variables: &[u32], values: &mut [T]) -> Result<(), Failed> {
        let model = self.model()?;
        let (from, count) = (variables.as_ptr(), variables.len());
        let (to, length) = (values.as_mut_ptr(), values.len());
        match &self.functions {
            Functions::Two(table) => {
                equal(count, length)?;
                let (get, _) = T::two(table).ok_or(Failed::Unknown(T::NAME))?;
                // SAFETY: as many values as variables.
                self.done(get.name(), unsafe { get.get()?(model, from, count, to) })
            }
            Functions::Three(table) => {
                let (get, _) = T::three(table);
                // SAFETY: the model is told both lengths.
                let status = unsafe { get.get()?(model, from, count, to, length) };
                self.done(get.name(), status)
            }
        }
    }

    /// Sets numbers of variables; arrays as in [`Instance::get`].
    ///
    /// # Errors
    /// Where the model refuses them, or FMI 2.0 has no such numbers.
    #[inline]
    pub fn set<T: Number>(&self, variables: &[u32], values: &[T]) -> Result<(), Failed> {
        let model = self.model()?;
        let (to, count) = (variables.as_ptr(), variables.len());
        let (from, length) = (values.as_ptr(), values.len());
        match &self.functions {
            Functions::Two(table) => {
                equal(count, length)?;
                let (_, set) = T::two(table).ok_or(Failed::Unknown(T::NAME))?;
                // SAFETY: as many values as variables.
                self.done(set.name(), unsafe { set.get()?(model, to, count, from) })
            }
            Functions::Three(table) => {
                let (_, set) = T::three(table);
                // SAFETY: the model is told both lengths.
                let status = unsafe { set.get()?(model, to, count, from, length) };
                self.done(set.name(), status)
            }
        }
    }

    /// Reads truth values; arrays as in [`Instance::get`].
    ///
    /// # Errors
    /// Where the model has no such variables.
    pub fn get_booleans(&self, variables: &[u32], values: &mut [bool]) -> Result<(), Failed> {
        let model = self.model()?;
        match &self.functions {
            Functions::Two(table) => {
                equal(variables.len(), values.len())?;
                let get = &table.get_boolean;
                for (variable, value) in variables.iter().zip(values) {
                    let mut number = 0;
                    // SAFETY: one value for one variable.
                    let status = unsafe { get.get()?(model, variable, 1, &raw mut number) };
                    self.done(get.name(), status)?;
                    *value = number != 0;
                }
                Ok(())
            }
            Functions::Three(table) => {
                let get = &table.get_boolean;
                let (from, count, length) = (variables.as_ptr(), variables.len(), values.len());
                let bytes: *mut u8 = values.as_mut_ptr().cast();
                // SAFETY: the model is told both lengths, and both are bytes.
                let status = unsafe { get.get()?(model, from, count, bytes, length) };
                for at in 0..length {
                    // SAFETY: within the slice. A model may have written others than 0 and 1,
                    // which are made truth values before anybody reads them as such.
                    unsafe {
                        let byte = bytes.add(at);
                        byte.write(u8::from(byte.read() != 0));
                    }
                }
                self.done(get.name(), status)
            }
        }
    }

    /// Sets truth values; arrays as in [`Instance::get`].
    ///
    /// # Errors
    /// Where the model refuses them.
    pub fn set_booleans(&self, variables: &[u32], values: &[bool]) -> Result<(), Failed> {
        let model = self.model()?;
        match &self.functions {
            Functions::Two(table) => {
                equal(variables.len(), values.len())?;
                let set = &table.set_boolean;
                for (variable, value) in variables.iter().zip(values) {
                    let number = i32::from(*value);
                    // SAFETY: one value for one variable.
                    let status = unsafe { set.get()?(model, variable, 1, &raw const number) };
                    self.done(set.name(), status)?;
                }
                Ok(())
            }
            Functions::Three(table) => {
                let set = &table.set_boolean;
                let (to, count, length) = (variables.as_ptr(), variables.len(), values.len());
                let bytes: *const u8 = values.as_ptr().cast();
                // SAFETY: the model is told both lengths; a truth value is a byte of 0 or 1.
                let status = unsafe { set.get()?(model, to, count, bytes, length) };
                self.done(set.name(), status)
            }
        }
    }
}

/// FMI 2.0 knows scalars alone.
#[inline]
pub(super) fn equal(variables: usize, values: usize) -> Result<(), Failed> {
    match variables == values {
        true => Ok(()),
        false => Err(Failed::Lengths { variables, values }),
    }
}
