//! What stands in the place of a counted function: it hands the call's arguments and stack to
//! the counter, then goes on to the function as if nothing had been between.

use std::arch::naked_asm;
use std::sync::atomic::AtomicUsize;

use super::count;
use super::function::{Arguments, COUNT};

/// A function that is entered with the registers of somebody else's call.
pub(super) type Trampoline = unsafe extern "C" fn();

/// The counted functions themselves.
pub(super) static ORIGINALS: [AtomicUsize; COUNT] = [const { AtomicUsize::new(0) }; COUNT];

/// One for each counted function.
pub(super) static ALL: [Trampoline; COUNT] = [
    of::<0>, of::<1>, of::<2>, of::<3>, of::<4>, of::<5>, of::<6>, of::<7>, of::<8>, of::<9>,
    of::<10>, of::<11>, of::<12>, of::<13>, of::<14>, of::<15>,
];

/// What a trampoline has saved.
#[derive(Debug, Clone, Copy)]
pub(super) struct Saved(*const usize);

#[cfg(target_arch = "x86_64")]
mod layout {
    /// Where the first to the fourth argument lie among the saved words.
    pub(super) const ARGUMENTS: [usize; 4] = [6, 5, 4, 3];
    pub(super) const RETURN: usize = 7;
    pub(super) const STACK: usize = 8;
}

#[cfg(target_arch = "aarch64")]
mod layout {
    /// Where the first to the fourth argument lie among the saved words.
    pub(super) const ARGUMENTS: [usize; 4] = [0, 1, 2, 3];
    pub(super) const RETURN: usize = 9;
    pub(super) const STACK: usize = 10;
}

impl Saved {
    /// The first arguments.
    pub(super) fn arguments(self) -> Arguments {
        // SAFETY: the trampoline has saved them there.
        layout::ARGUMENTS.map(|at| unsafe { *self.0.add(at) })
    }

    /// Where the call returns to.
    pub(super) fn caller(self) -> usize {
        // SAFETY: the trampoline has saved it there, or the call has.
        unsafe { *self.0.add(layout::RETURN) }
    }

    /// The caller's stack from its top, at most so many words, and not up to `end`.
    pub(super) fn stack(self, most: usize, end: usize) -> impl Iterator<Item = usize> {
        let start = self.0.wrapping_add(layout::STACK);
        let words = (0..most).map(move |at| start.wrapping_add(at));
        let words = words.take_while(move |word| (*word as usize) < end);
        // SAFETY: the stack reaches to `end` at least, as `count` sees to.
        words.map(|word| unsafe { word.read_volatile() })
    }
}

/// Counts call number `I`. Keeps every register that hands over an argument, `rax` with the
/// number of vector registers among them; none of the functions takes one of these.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
unsafe extern "C" fn of<const I: usize>() {
    naked_asm!(
        "push rdi", "push rsi", "push rdx", "push rcx", "push r8", "push r9", "push rax",
        "mov edi, {function}",
        "mov rsi, rsp",
        "call {counted}",
        "pop rax", "pop r9", "pop r8", "pop rcx", "pop rdx", "pop rsi", "pop rdi",
        "lea r11, [rip + {originals}]",
        "jmp qword ptr [r11 + 8 * {function}]",
        function = const I,
        counted = sym counted,
        originals = sym ORIGINALS,
    );
}

/// Counts call number `I`.
#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
unsafe extern "C" fn of<const I: usize>() {
    naked_asm!(
        "stp x0, x1, [sp, #-80]!",
        "stp x2, x3, [sp, #16]",
        "stp x4, x5, [sp, #32]",
        "stp x6, x7, [sp, #48]",
        "stp x8, x30, [sp, #64]",
        "mov x0, #{function}",
        "mov x1, sp",
        "bl {counted}",
        "ldp x8, x30, [sp, #64]",
        "ldp x6, x7, [sp, #48]",
        "ldp x4, x5, [sp, #32]",
        "ldp x2, x3, [sp, #16]",
        "ldp x0, x1, [sp], #80",
        "adrp x16, {originals}",
        "add x16, x16, :lo12:{originals}",
        "ldr x16, [x16, #8 * {function}]",
        "br x16",
        function = const I,
        counted = sym counted,
        originals = sym ORIGINALS,
    );
}

extern "C" fn counted(function: usize, saved: *const usize) {
    count(function, Saved(saved));
}
