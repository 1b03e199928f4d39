//! Variables that are texts or binary data: FMI 2.0.4, section 2.1.7; FMI 3.0.2, section 2.2.6.
//! Their size is unbounded, so only the requested number of bytes of each is read.

use std::ffi::{CString, c_char};
use std::ptr;

use super::instance::Functions;
use super::values::{Variables, equal};
use super::words::Failed;

/// Room for pointers to the values of variables, and for their lengths: with it, reading does not
/// allocate.
#[derive(Debug)]
pub struct Room {
    places: Vec<usize>,
    sizes: Vec<usize>,
}

impl Room {
    /// Allocates room for `count` values.
    #[must_use]
    pub fn for_values(count: usize) -> Self {
        Self { places: vec![0; count], sizes: vec![0; count] }
    }
}

impl Variables<'_> {
    /// Reads texts of variables: `each` is called with the text's number among them and its first
    /// bytes, at most `most`. Arrays are read as in [`Variables::get`].
    ///
    /// # Errors
    /// Fails if the model does not have such variables.
    pub fn get_texts(
        self,
        variables: &[u32],
        room: &mut Room,
        most: usize,
        mut each: impl FnMut(usize, &[u8]),
    ) -> Result<(), Failed> {
        let (from, count, length) = (variables.as_ptr(), variables.len(), room.places.len());
        let to: *mut *const c_char = room.places.as_mut_ptr().cast();
        match &self.0.functions {
            Functions::Two(table) => {
                equal(count, length)?;
                let get = &table.string.get;
                // SAFETY: there are as many places as variables.
                self.0.call(get, |get, model| unsafe { get(model, from, count, to) })?;
            }
            // SAFETY: both lengths are passed to the model.
            Functions::Three(table) => self.0.call(&table.string.get, |get, model| unsafe {
                get(model, from, count, to, length)
            })?,
        }
        for (number, place) in room.places.iter().enumerate() {
            let text = ptr::with_exposed_provenance::<c_char>(*place);
            // SAFETY: the text is the model's; it ends with a zero byte and exists until the
            // model's next call.
            let length = if text.is_null() { 0 } else { unsafe { libc::strnlen(text, most) } };
            // SAFETY: the text has at least `length` bytes.
            each(number, unsafe { bytes(text.cast(), length) });
        }
        Ok(())
    }

    /// Reads binary data of variables, in the same way as [`Variables::get_texts`] reads texts.
    ///
    /// # Errors
    /// Fails if the model does not have such variables, or is of FMI 2.0.
    pub fn get_binaries(
        self,
        variables: &[u32],
        room: &mut Room,
        most: usize,
        mut each: impl FnMut(usize, &[u8]),
    ) -> Result<(), Failed> {
        let Functions::Three(table) = &self.0.functions else {
            return Err(Failed::Unknown("Binary"));
        };
        let (from, count, length) = (variables.as_ptr(), variables.len(), room.places.len());
        let (to, sizes) = (room.places.as_mut_ptr().cast(), room.sizes.as_mut_ptr());
        // SAFETY: both lengths are passed to the model, and there are as many sizes as places.
        self.0.call(&table.get_binary, |get, model| unsafe {
            get(model, from, count, sizes, to, length)
        })?;
        for (number, (place, size)) in room.places.iter().zip(&room.sizes).enumerate() {
            let data = ptr::with_exposed_provenance(*place);
            // SAFETY: the data are the model's, have the size that it reported, and exist until its
            // next call.
            each(number, unsafe { bytes(data, (*size).min(most)) });
        }
        Ok(())
    }

    /// Sets the text of a variable. Allocates.
    ///
    /// # Errors
    /// Fails if the model refuses it, or it contains a zero byte.
    pub fn set_text(self, variable: u32, text: &str) -> Result<(), Failed> {
        let text = CString::new(text).map_err(|_| Failed::ZeroByte)?;
        let text = text.as_ptr();
        let (to, from) = (&raw const variable, &raw const text);
        match &self.0.functions {
            Functions::Two(table) => {
                // SAFETY: there is one value for one variable; the model copies it.
                self.0.call(&table.string.set, |set, model| unsafe { set(model, to, 1, from) })
            }
            Functions::Three(table) => {
                // SAFETY: as above.
                self.0.call(&table.string.set, |set, model| unsafe { set(model, to, 1, from, 1) })
            }
        }
    }

    /// Sets the binary data of a variable.
    ///
    /// # Errors
    /// Fails if the model refuses it, or is of FMI 2.0.
    pub fn set_binary(self, variable: u32, data: &[u8]) -> Result<(), Failed> {
        let Functions::Three(table) = &self.0.functions else {
            return Err(Failed::Unknown("Binary"));
        };
        let (size, data) = (data.len(), data.as_ptr());
        // SAFETY: there is one value of that size for one variable; the model copies it.
        self.0.call(&table.set_binary, |set, model| unsafe {
            set(model, &raw const variable, 1, &raw const size, &raw const data, 1)
        })
    }
}

/// Returns `length` bytes at a place; none for a null pointer.
///
/// # Safety
/// Unless the pointer is null, the bytes must be valid and exist as long as the returned slice.
unsafe fn bytes<'a>(place: *const u8, length: usize) -> &'a [u8] {
    if place.is_null() {
        return &[];
    }
    // SAFETY: the caller guarantees it.
    unsafe { std::slice::from_raw_parts(place, length) }
}
