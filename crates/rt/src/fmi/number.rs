//! The numbers that variables hold.

use std::ffi::{c_int, c_void};

use super::functions::Slot;
use super::three::Three;
use super::two::Two;

/// A number of a model's variables: `f64` and `i32` in both versions, the others in FMI 3.0.
pub trait Number: Access {}

impl<T: Access> Number for T {}

pub type GetTwo<T> = unsafe extern "C" fn(*mut c_void, *const u32, usize, *mut T) -> c_int;
pub type SetTwo<T> = unsafe extern "C" fn(*mut c_void, *const u32, usize, *const T) -> c_int;
pub type GetThree<T> = unsafe extern "C" fn(*mut c_void, *const u32, usize, *mut T, usize) -> c_int;
pub type SetThree<T> =
    unsafe extern "C" fn(*mut c_void, *const u32, usize, *const T, usize) -> c_int;

/// The functions for a kind of number; nobody else can name this trait.
pub trait Access: Copy {
    /// What FMI 3.0 calls it.
    const NAME: &'static str;

    /// Those of FMI 2.0, which has two kinds.
    fn two(_: &Two) -> Option<(&Slot<GetTwo<Self>>, &Slot<SetTwo<Self>>)> {
        None
    }

    /// Those of FMI 3.0.
    fn three(table: &Three) -> (&Slot<GetThree<Self>>, &Slot<SetThree<Self>>);
}

macro_rules! numbers {
    ($($number:ty, $name:literal, $get:ident, $set:ident $(, two $get_two:ident, $set_two:ident)?;)*) => {$(
        impl Access for $number {
            const NAME: &'static str = $name;

            $(fn two(table: &Two) -> Option<(&Slot<GetTwo<Self>>, &Slot<SetTwo<Self>>)> {
                Some((&table.$get_two, &table.$set_two))
            })?

            fn three(table: &Three) -> (&Slot<GetThree<Self>>, &Slot<SetThree<Self>>) {
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
