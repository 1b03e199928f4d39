//! Reads a model's file: an FMU's archive and description, a library's functions and platform.
//! Nothing in the file is run or trusted: a broken or malicious file is refused in one line.

mod archive;
mod debug_info;
mod description;
mod elf;
mod library;
mod platform;
mod refused;
mod scalar;
mod source;
mod ssp;

pub use archive::{Archive, Unpacked};
pub use description::{
    Causality, Clock, Description, Dimension, Experiment, Interface, Interval, State, Structure,
    Type, Variability, Variable,
};
pub use elf::{Elf, Symbol};
pub use library::{Functions, Library, StartValue};
pub use platform::Platform;
pub use refused::Refused;
pub use rt::fmi::{Kind, Version};
pub use scalar::Scalar;
pub use source::{Content, Source, sha256};
pub use ssp::{Connected, Link, Part, Ssp, Transform};
