//! Exceptions of foreign code, such as those of C++, that nothing catches.

use std::arch::naked_asm;
use std::cell::Cell;
use std::ffi::c_void;
use std::panic;
use std::sync::Once;

/// The status of a program that panicked, as the standard library sets it.
const PANICKED: i32 = 101;

thread_local! {
    static IS_CONTAINED: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work`, which calls foreign code. An exception that leaves that code ends the process where it
/// is thrown, with the words of its language's runtime on standard error. Without this, it would
/// pass through the functions of this program, and the standard library would abort without naming
/// it. A panic in `work` ends the process with status 101.
pub fn contained<T>(work: impl FnOnce() -> T) -> T {
    exit_on_panic();
    // The function sets the result.
    start(Call { work: Some(work), result: None }).unwrap_or_else(|| std::process::abort())
}

fn start<W: FnOnce() -> T, T>(mut call: Call<W, T>) -> Option<T> {
    // SAFETY: the function gets a value of its type, which lives until it returns.
    unsafe { outermost(run::<W, T>, (&raw mut call).cast()) };
    call.result
}

type Function = unsafe extern "C-unwind" fn(*mut c_void);

struct Call<W, T> {
    work: Option<W>,
    result: Option<T>,
}

/// # Safety
/// The pointer must be to a `Call` of these types that no other code uses at the same time.
unsafe extern "C-unwind" fn run<W: FnOnce() -> T, T>(call: *mut c_void) {
    // SAFETY: the caller guarantees it.
    let call = unsafe { &mut *call.cast::<Call<W, T>>() };
    let before = IS_CONTAINED.replace(true);
    call.result = call.work.take().map(|work| work());
    IS_CONTAINED.set(before);
}

/// Nothing above can catch a panic, either.
fn exit_on_panic() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            before(panic);
            if IS_CONTAINED.get() {
                std::process::exit(PANICKED);
            }
        }));
    });
}

/// Calls a function with its argument. A search of the stack for a handler of an exception ends
/// here without one, because this seems to be the first function of the thread.
///
/// # Safety
/// The function must accept the argument.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
unsafe extern "C" fn outermost(function: Function, argument: *mut c_void) {
    naked_asm!(
        ".cfi_startproc",
        ".cfi_undefined rip",
        "sub rsp, 8",
        ".cfi_adjust_cfa_offset 8",
        "mov rax, rdi",
        "mov rdi, rsi",
        "call rax",
        "add rsp, 8",
        ".cfi_adjust_cfa_offset -8",
        "ret",
        ".cfi_endproc",
    );
}

/// Does the same.
///
/// # Safety
/// The function must accept the argument.
#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
unsafe extern "C" fn outermost(function: Function, argument: *mut c_void) {
    naked_asm!(
        ".cfi_startproc",
        ".cfi_undefined x30",
        "stp x29, x30, [sp, #-16]!",
        ".cfi_adjust_cfa_offset 16",
        "mov x29, sp",
        "mov x2, x0",
        "mov x0, x1",
        "blr x2",
        "ldp x29, x30, [sp], #16",
        ".cfi_adjust_cfa_offset -16",
        "ret",
        ".cfi_endproc",
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_and_borrowed_values_pass_through() {
        let text = "plant".to_owned();
        assert_eq!(contained(|| contained(|| text.len()) + 1), 6);
        assert!(!IS_CONTAINED.get());
    }
}
