//! The registers and the stack of an intercepted call, as a trampoline has saved them.

use std::ops::Range;

use super::function::Arguments;

/// The words that a trampoline has saved.
#[derive(Debug, Clone, Copy)]
pub(super) struct Saved(pub *const usize);

#[cfg(target_arch = "x86_64")]
mod layout {
    /// The positions of the first to the fourth argument among the saved words.
    pub(super) const ARGUMENTS: [usize; 4] = [6, 5, 4, 3];
    pub(super) const RETURN: usize = 7;
    pub(super) const STACK: usize = 8;
}

#[cfg(target_arch = "aarch64")]
mod layout {
    /// The positions of the first to the fourth argument among the saved words.
    pub(super) const ARGUMENTS: [usize; 4] = [0, 1, 2, 3];
    pub(super) const RETURN: usize = 9;
    pub(super) const STACK: usize = 10;
}

impl Saved {
    /// Returns the first four arguments.
    pub(super) fn arguments(self) -> Arguments {
        // SAFETY: the trampoline has saved them there.
        layout::ARGUMENTS.map(|at| unsafe { *self.0.add(at) })
    }

    /// Returns the call's return address.
    pub(super) fn caller(self) -> usize {
        // SAFETY: the trampoline, or the call itself, has saved it there.
        unsafe { *self.0.add(layout::RETURN) }
    }

    /// Whether the call was made on this stack.
    pub(super) fn is_within(self, stack: Range<usize>) -> bool {
        stack.contains(&(self.0 as usize))
    }

    /// Iterates over the caller's stack from its top: at most `most` words, all below `end`.
    pub(super) fn stack(self, most: usize, end: usize) -> impl Iterator<Item = usize> {
        let start = self.0.wrapping_add(layout::STACK);
        let words = (0..most).map(move |at| start.wrapping_add(at));
        let words = words.take_while(move |word| (*word as usize) < end);
        // SAFETY: the stack reaches at least to `end`, as `count` ensures.
        words.map(|word| unsafe { word.read_volatile() })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// What every saved register contains.
    pub(in super::super) const WORD: usize = 100;

    /// Returns a call's words on a stack that is not a thread's and ends above them.
    pub(in super::super) fn at_the_end_of_a_stack() -> Saved {
        const SIZE: usize = 1 << 16;
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: maps new memory, the upper half of which is then made inaccessible; the words are
        // in the lower half.
        unsafe {
            let memory = libc::mmap(std::ptr::null_mut(), 2 * SIZE, protection, kind, -1, 0);
            assert_ne!(memory, libc::MAP_FAILED);
            let end = memory.byte_add(SIZE);
            assert_eq!(libc::mprotect(end, SIZE, libc::PROT_NONE), 0);
            let words = end.cast::<usize>().sub(layout::STACK);
            (0..layout::STACK).for_each(|at| words.add(at).write(WORD));
            Saved(words)
        }
    }
}
