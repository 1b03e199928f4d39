//! FMI 2.0's logger, which is variadic like printf(3): FMI 2.0.4, section 2.1.5. Stable Rust cannot
//! define such a function, so its entry is written in assembly: it puts the registers of arguments
//! where a `va_list` finds them (System V ABI for x86-64, 3.5.7; procedure call standard for 64-bit
//! Arm, appendix B).

use std::arch::naked_asm;
use std::ffi::{CStr, c_char, c_int, c_void};

use super::callbacks::{BYTES, log_text};

unsafe extern "C" {
    /// A `va_list` is passed as a pointer in both ABIs.
    fn vsnprintf(
        to: *mut c_char,
        size: usize,
        format: *const c_char,
        arguments: *mut c_void,
    ) -> c_int;
}

/// The logger: instance environment, instance name, status, category, message, and the arguments of
/// the message.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
pub(super) unsafe extern "C" fn log_two() {
    naked_asm!(
        "sub rsp, 216",
        "mov [rsp], rdi", "mov [rsp + 8], rsi", "mov [rsp + 16], rdx",
        "mov [rsp + 24], rcx", "mov [rsp + 32], r8", "mov [rsp + 40], r9",
        "movaps [rsp + 48], xmm0", "movaps [rsp + 64], xmm1",
        "movaps [rsp + 80], xmm2", "movaps [rsp + 96], xmm3",
        "movaps [rsp + 112], xmm4", "movaps [rsp + 128], xmm5",
        "movaps [rsp + 144], xmm6", "movaps [rsp + 160], xmm7",
        // Five arguments have a name; those on the stack follow the return address.
        "mov dword ptr [rsp + 176], 40",
        "mov dword ptr [rsp + 180], 48",
        "lea rax, [rsp + 224]",
        "mov [rsp + 184], rax",
        "mov [rsp + 192], rsp",
        "lea r9, [rsp + 176]",
        "call {log}",
        "add rsp, 216",
        "ret",
        log = sym log_formatted,
    );
}

/// The same logger.
#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
pub(super) unsafe extern "C" fn log_two() {
    naked_asm!(
        "stp x29, x30, [sp, #-240]!",
        "mov x29, sp",
        "stp x0, x1, [sp, #16]", "stp x2, x3, [sp, #32]",
        "stp x4, x5, [sp, #48]", "stp x6, x7, [sp, #64]",
        "stp q0, q1, [sp, #80]", "stp q2, q3, [sp, #112]",
        "stp q4, q5, [sp, #144]", "stp q6, q7, [sp, #176]",
        "add x9, sp, #240", "str x9, [sp, #208]",
        "add x9, sp, #80", "str x9, [sp, #216]",
        "add x9, sp, #208", "str x9, [sp, #224]",
        // Five of eight arguments in general registers have a name.
        "mov w9, #-24", "str w9, [sp, #232]",
        "mov w9, #-128", "str w9, [sp, #236]",
        "add x5, sp, #208",
        "bl {log}",
        "ldp x29, x30, [sp], #240",
        "ret",
        log = sym log_formatted,
    );
}

unsafe extern "C" fn log_formatted(
    to: *mut c_void,
    _name: *const c_char,
    status: c_int,
    _category: *const c_char,
    message: *const c_char,
    arguments: *mut c_void,
) {
    let mut line = [0; BYTES + 1];
    let to_line = line.as_mut_ptr().cast::<c_char>();
    if !message.is_null() {
        // SAFETY: the model passes a format, and arguments that fit it; the line ends with a zero.
        unsafe { vsnprintf(to_line, line.len(), message, arguments) };
    }
    let text = CStr::from_bytes_until_nul(&line).map_or(&[][..], CStr::to_bytes);
    // SAFETY: the model passes back the environment.
    unsafe { log_text(to, status, text) };
}

#[cfg(test)]
mod tests {
    use std::mem::transmute;

    use super::super::callbacks::Environment;
    use super::*;

    type Logger =
        unsafe extern "C" fn(*mut c_void, *const c_char, c_int, *const c_char, *const c_char, ...);

    #[test]
    fn arguments_in_registers_and_on_the_stack_are_printed() {
        let environment = Environment::leaked("a model");
        let to = std::ptr::from_ref(environment).cast_mut().cast::<c_void>();
        // SAFETY: it has the arguments of a logger.
        let log: Logger = unsafe { transmute(log_two as unsafe extern "C" fn()) };
        let (name, word) = (c"a".as_ptr(), c"pump1".as_ptr());
        let long = c"%s: %d %g %g %g %g %g %g %g %g %g %lu %d %s %%";
        // SAFETY: the arguments fit the formats.
        unsafe {
            log(to, name, 3, name, c"%s".as_ptr(), c"license server unreachable".as_ptr());
            log(
                to,
                name,
                1,
                name,
                long.as_ptr(),
                word,
                -7,
                0.5,
                1.5,
                2.5,
                3.5,
                4.5,
                5.5,
                6.5,
                7.5,
                8.5,
                9_u64,
                10,
                word,
            );
            log(to, name, 0, name, c"%400d".as_ptr(), 5);
        }
        let texts: Vec<String> = environment.kept().into_iter().map(|line| line.text).collect();
        assert_eq!(texts[0], "license server unreachable");
        assert_eq!(texts[1], "pump1: -7 0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5 8.5 9 10 pump1 %");
        assert_eq!(texts[2], " ".repeat(BYTES));
    }
}
