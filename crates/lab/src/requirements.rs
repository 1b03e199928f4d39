//! What the lab requires of QEMU and of kernels.

pub(crate) const PROGRAM: &str = "qemu-system-x86_64";
/// The oldest version with which the lab was tested successfully.
pub(crate) const OLDEST: (u32, u32) = (7, 2);
/// Most bytes of kernel parameters in addition to those of the lab.
pub(crate) const MOST_PARAMETERS: usize = 1800;
