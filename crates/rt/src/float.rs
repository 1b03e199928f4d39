//! The floating-point unit of the calling thread: the flags that its calculations have raised, and
//! the mode in which they are done.

/// The flags that calculations have raised since they were cleared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Raised {
    /// A result that is not a number, such as 0/0.
    pub invalid: bool,
    /// An operand or a result below the normal range; only results if the unit does not report
    /// operands (aarch64).
    pub denormal: bool,
    /// A division of a number by zero.
    pub division_by_zero: bool,
    /// A result above the range.
    pub overflow: bool,
}

/// The mode of calculations: rounding, what is flushed to zero, what traps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mode(u64);

impl Mode {
    /// Names the parts that differ from another mode; empty if the modes are equal.
    #[must_use]
    pub fn differs_from(self, other: Self) -> Vec<&'static str> {
        let changed = self.0 ^ other.0;
        let named = unit::PARTS.iter().filter(|(bits, _)| changed & bits != 0);
        let mut names: Vec<&str> = named.map(|(_, name)| *name).collect();
        names.dedup();
        names
    }
}

/// Returns the mode of the calling thread.
#[must_use]
pub fn mode() -> Mode {
    Mode(unit::control())
}

/// Restores a mode that the calling thread had before.
pub fn set_mode(mode: Mode) {
    unit::set_control(mode.0);
}

/// Clears the flags. Nothing may be calculated between this call and the watched code.
#[inline]
pub fn clear() {
    unit::clear();
}

/// Returns the flags raised since they were last cleared.
#[must_use]
#[inline]
pub fn raised() -> Raised {
    let flags = unit::flags();
    let [invalid, denormal, division_by_zero, overflow] =
        unit::RAISED.map(|bits| flags & bits != 0);
    Raised { invalid, denormal, division_by_zero, overflow }
}

/// SSE's control and status word, with the control word of the x87 in the upper half: Intel's
/// manual, volume 1, sections 8.1 and 10.2.3. The flags of the x87 have the same positions.
#[cfg(target_arch = "x86_64")]
mod unit {
    use std::arch::asm;

    const FLAGS: u32 = 0x3f;
    /// The flags in the order of [`super::Raised`].
    pub(super) const RAISED: [u32; 4] = [1, 1 << 1 | 1 << 4, 1 << 2, 1 << 3];
    const OF_X87: u32 = 16;
    pub(super) const PARTS: &[(u64, &str)] = &[
        (0x6000 | 0xc00 << OF_X87, "rounding"),
        (0x8000, "flush to zero"),
        (0x0040, "denormals are zero"),
        (0x1f80 | 0x3f << OF_X87, "traps"),
        (0x300 << OF_X87, "precision of the x87"),
    ];

    fn sse() -> u32 {
        let mut word = 0u32;
        // SAFETY: stores the word in a variable of its size.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut word, options(nostack)) };
        word
    }

    fn set_sse(word: u32) {
        // SAFETY: the word came from this register, except for its flags.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const word, options(nostack)) };
    }

    pub(super) fn control() -> u64 {
        let mut x87 = 0u16;
        // SAFETY: stores the word in a variable of its size.
        unsafe { asm!("fnstcw [{}]", in(reg) &raw mut x87, options(nostack)) };
        u64::from(sse() & !FLAGS) | u64::from(x87 & 0xf3f) << OF_X87
    }

    pub(super) fn set_control(control: u64) {
        set_sse(control as u32 & 0xffc0 | sse() & FLAGS);
        let x87 = (control >> OF_X87) as u16;
        // SAFETY: the word came from this register.
        unsafe { asm!("fldcw [{}]", in(reg) &raw const x87, options(nostack)) };
    }

    #[inline]
    pub(super) fn clear() {
        set_sse(sse() & !FLAGS);
        // SAFETY: clears only flags of the x87.
        unsafe { asm!("fnclex", options(nostack, nomem)) };
    }

    #[inline]
    pub(super) fn flags() -> u32 {
        let x87: u16;
        // SAFETY: reads the x87's flags.
        unsafe { asm!("fnstsw ax", out("ax") x87, options(nostack, nomem)) };
        sse() | u32::from(x87)
    }
}

/// FPCR and FPSR: the Arm Architecture Reference Manual, C5.2.
#[cfg(target_arch = "aarch64")]
mod unit {
    use std::arch::asm;

    const FLAGS: u64 = 0x9f;
    /// The flags in the order of [`super::Raised`].
    pub(super) const RAISED: [u64; 4] = [1, 1 << 3 | 1 << 7, 1 << 1, 1 << 2];
    pub(super) const PARTS: &[(u64, &str)] =
        &[(0x00c0_0000, "rounding"), (0x0108_0000, "flush to zero"), (0x9f00, "traps")];

    pub(super) fn control() -> u64 {
        let control: u64;
        // SAFETY: reads a register that every program may read.
        unsafe { asm!("mrs {}, fpcr", out(reg) control, options(nostack, nomem)) };
        control & PARTS.iter().fold(0, |all, (bits, _)| all | bits)
    }

    pub(super) fn set_control(control: u64) {
        // SAFETY: the bits came from this register.
        unsafe { asm!("msr fpcr, {}", in(reg) control, options(nostack, nomem)) };
    }

    #[inline]
    pub(super) fn flags() -> u64 {
        let status: u64;
        // SAFETY: reads a register that every program may read.
        unsafe { asm!("mrs {}, fpsr", out(reg) status, options(nostack, nomem)) };
        status
    }

    #[inline]
    pub(super) fn clear() {
        let status = flags() & !FLAGS;
        // SAFETY: clears only flags.
        unsafe { asm!("msr fpsr, {}", in(reg) status, options(nostack, nomem)) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    fn of(left: f64, right: f64, calculate: fn(f64, f64) -> f64) -> Raised {
        let (left, right) = (black_box(left), black_box(right));
        clear();
        black_box(black_box(calculate)(left, right));
        raised()
    }

    #[test]
    fn each_kind_of_calculation_raises_its_own_flag() {
        let nothing = Raised::default();
        assert_eq!(of(1.5, 2.0, |a, b| a * b), nothing);
        assert!(of(0.0, 0.0, |a, b| a / b).invalid);
        assert!(of(1.0, 0.0, |a, b| a / b).division_by_zero);
        assert!(of(1e308, 10.0, |a, b| a * b).overflow);
        assert!(of(1e-308, 0.33, |a, b| a * b).denormal);
        assert_eq!(of(1.5, 2.0, |a, b| a * b), nothing, "the flags were cleared");
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn an_operand_below_the_normal_range_is_seen() {
        assert!(of(4e-310, 1.0, |a, b| a * b).denormal);
    }

    #[test]
    fn a_mode_is_read_compared_and_restored() {
        let before = mode();
        let rounding = Mode(before.0 ^ unit::PARTS[0].0 & !before.0 & 0x00c0_6000);
        set_mode(rounding);
        let found = mode();
        set_mode(before);
        assert_eq!(found.differs_from(before), ["rounding"]);
        assert!(mode().differs_from(before).is_empty());
    }
}
