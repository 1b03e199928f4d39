//! The virtual lab: real kernels in a virtual machine whose time counts instructions. `docs/lab.md`
//! describes what its clock means.
//!
//! Kernels come from Debian's packages or are added by hand. They are stored in one of the user's
//! folders; the system is not changed.

mod architecture;
mod boot_image;
mod change;
mod deb;
mod debian;
mod emulator;
mod error;
pub mod freertos;
mod hash;
mod initrd;
mod kernel;
mod kernels;
mod libraries;
mod machine;
mod module;
mod monitor;
mod overlay;
mod package;
mod packing;
mod patience;
mod qemu;
mod requirements;
mod save;
mod series;
mod setup;
mod shared_file;
mod state;
mod states;
mod unpacked;
mod version;

pub use architecture::{ARCHITECTURES, Architecture};
pub use debian::{Archive, Offer, SUITES, Suite, newest};
pub use error::LabError;
pub use hash::sha256;
pub use initrd::{Initrd, is_this_machine};
pub use kernel::Kernel;
pub use kernels::{Kernels, NewKernel};
pub use libraries::needed_by;
pub use machine::{Ended, Machine};
pub use package::Package;
pub use patience::Patience;
pub use qemu::{Qemu, REQUEST};
pub use series::{ATLAS, Series, Wanted};
pub use setup::Setup;
pub use state::NoState;
pub use states::States;
