//! What the lab asks of QEMU and of kernels.

pub(crate) const PROGRAM: &str = "qemu-system-x86_64";
/// The oldest version that the lab was seen to work with.
pub(crate) const OLDEST: (u32, u32) = (7, 2);
/// Bytes of kernel parameters besides those of the lab.
pub(crate) const MOST_PARAMETERS: usize = 1800;
