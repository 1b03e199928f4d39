//! What the lab requires of QEMU and of kernels.

/// The oldest version with which the lab was tested successfully.
pub(crate) const OLDEST: (u32, u32) = (7, 2);
/// Most bytes of kernel parameters in addition to those of the lab.
pub(crate) const MOST_PARAMETERS: usize = 1800;
/// The largest file that is read, in bytes. Images have 10 to 50 MB, or about 100 MB with an initrd
/// built in.
pub(crate) const LARGEST: u64 = 1 << 30;
