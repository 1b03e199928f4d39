//! The types of numbers that variables have.

use std::ffi::{c_int, c_void};

use super::functions::Slot;
use super::three::Three;
use super::two::Two;

/// A number type of a model's variables: `f64` and `i32` in both versions, the others in FMI 3.0.
pub trait Number: Access {}

impl<T: Access> Number for T {}

type GetTwo<T> = unsafe extern "C" fn(*mut c_void, *const u32, usize, *mut T) -> c_int;
type SetTwo<T> = unsafe extern "C" fn(*mut c_void, *const u32, usize, *const T) -> c_int;
type GetThree<T> = unsafe extern "C" fn(*mut c_void, *const u32, usize, *mut T, usize) -> c_int;
type SetThree<T> = unsafe extern "C" fn(*mut c_void, *const u32, usize, *const T, usize) -> c_int;

/// The functions with which FMI 2.0 reads and sets a type of number.
pub type AccessTwo<'a, T> = (&'a Slot<GetTwo<T>>, &'a Slot<SetTwo<T>>);
/// The functions with which FMI 3.0 reads and sets a type of number.
pub type AccessThree<'a, T> = (&'a Slot<GetThree<T>>, &'a Slot<SetThree<T>>);

/// The functions for a type of number; code outside this crate cannot name this trait.
pub trait Access: Copy {
    /// FMI 3.0's name of the type.
    const NAME: &'static str;

    /// Returns the functions of FMI 2.0, which has only two of the types.
    fn two(_: &Two) -> Option<AccessTwo<'_, Self>> {
        None
    }

    /// Returns the functions of FMI 3.0.
    fn three(table: &Three) -> AccessThree<'_, Self>;
}

macro_rules! numbers {
    ($($number:ty, $name:literal, $get:ident, $set:ident $(, two $get_two:ident, $set_two:ident)?;)*) => {$(
        impl Access for $number {
            const NAME: &'static str = $name;

            $(fn two(table: &Two) -> Option<AccessTwo<'_, Self>> {
                Some((&table.$get_two, &table.$set_two))
            })?

            fn three(table: &Three) -> AccessThree<'_, Self> {
                (&table.$get, &table.$set)
            }
        }
    )*};
}

numbers! {
    f64, "Float64", get_f64, set_f64, two get_real, set_real;
    f32, "Float32", get_f32, set_f32;
    i8, "Int8", get_i8, set_i8;
    u8, "UInt8", get_u8, set_u8;
    i16, "Int16", get_i16, set_i16;
    u16, "UInt16", get_u16, set_u16;
    i32, "Int32", get_i32, set_i32, two get_integer, set_integer;
    u32, "UInt32", get_u32, set_u32;
    i64, "Int64", get_i64, set_i64;
    u64, "UInt64", get_u64, set_u64;
}
