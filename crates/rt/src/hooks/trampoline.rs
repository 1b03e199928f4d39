//! The code that runs in place of a counted function: it passes the call's arguments and stack to
//! the counter, then jumps to the function as if it had been called directly.

use std::arch::naked_asm;
use std::sync::atomic::AtomicUsize;

use super::count::count;
use super::function::COUNT;
use super::saved::Saved;

/// The addresses of the counted functions themselves.
pub(super) static ORIGINALS: [AtomicUsize; COUNT] = [const { AtomicUsize::new(0) }; COUNT];

/// The trampoline of each counted function, which is entered with the registers of its call.
pub(super) static ALL: [unsafe extern "C" fn(); COUNT] = [
    of::<0>, of::<1>, of::<2>, of::<3>, of::<4>, of::<5>, of::<6>, of::<7>, of::<8>, of::<9>,
    of::<10>, of::<11>, of::<12>, of::<13>, of::<14>, of::<15>,
];

/// Counts call number `I`. Keeps every register that passes an argument, including `rax` with the
/// number of vector registers; none of the functions takes an argument in a vector register.
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

/// Counts call number `I`. Keeps the registers that pass arguments.
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
