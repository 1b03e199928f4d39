//! Huge pages for large state.

use rustix::mm::{Advice, madvise};

/// The size of a huge page; a different size in the kernel does no harm.
const HUGE_PAGE: usize = 2 << 20;

/// Requests that the kernel backs memory by huge pages when it is first touched: madvise(2) with
/// `MADV_HUGEPAGE`. A refusal is ignored, since the memory still works, only slower.
pub fn advise_huge_pages<T>(memory: &mut [T]) {
    let bytes = memory.as_mut_ptr_range();
    let start = bytes.start.addr().next_multiple_of(HUGE_PAGE);
    let end = bytes.end.addr() / HUGE_PAGE * HUGE_PAGE;
    if start < end {
        let first = bytes.start.cast::<libc::c_void>().with_addr(start);
        // SAFETY: the range is within memory that is borrowed for writing, and the advice does not
        // change its contents.
        let _ = unsafe { madvise(first, end - start, Advice::LinuxHugepage) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_do_not_change() {
        for length in [0, 1000, 1 << 20] {
            let mut memory: Vec<u64> = (0..length).collect();
            advise_huge_pages(&mut memory);
            assert!(memory.iter().copied().eq(0..length));
        }
    }
}
