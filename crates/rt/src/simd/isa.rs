//! The instruction sets that vectors need; a value of each type is proof that this processor has
//! it.

use std::fmt::Debug;

/// Proof that this processor has an instruction set; only its detection creates such a value.
pub trait Isa: Copy + Debug + Send + Sync + 'static {
    /// Runs work compiled for this instruction set.
    ///
    /// Mark the closure, and all functions that it calls, `#[inline(always)]`: only inlined code
    /// uses the set's instructions.
    fn run<R>(self, work: impl FnOnce() -> R) -> R;
}

/// The instruction set that every processor of the architecture has, and the fused multiply-add if
/// the processor has it: otherwise the compiler turns it into a slow call.
#[derive(Debug, Clone, Copy)]
pub struct Baseline {
    fused_multiply_add: bool,
}

impl Baseline {
    /// Detects the instructions of this processor.
    #[must_use]
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        let fused_multiply_add = is_x86_feature_detected!("fma");
        #[cfg(not(target_arch = "x86_64"))]
        let fused_multiply_add = false;
        Self { fused_multiply_add }
    }
}

impl Isa for Baseline {
    #[inline]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        #[cfg(target_arch = "x86_64")]
        if self.fused_multiply_add {
            // SAFETY: the processor has the instructions, as `detect` found.
            return unsafe { run_with_fma(work) };
        }
        let _ = self.fused_multiply_add;
        work()
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "fma")]
fn run_with_fma<R>(work: impl FnOnce() -> R) -> R {
    work()
}

#[cfg(target_arch = "x86_64")]
/// A local variable of this type makes the compiler align the whole stack frame, so that no vector
/// which it spills there spans two cache lines.
#[repr(align(64))]
struct CacheLine(#[expect(dead_code, reason = "only its alignment counts")] [u8; 64]);

#[cfg(target_arch = "x86_64")]
macro_rules! isa {
    ($name:ident, $($feature:tt),+; $enabled:literal) => {
        #[doc = concat!("Proof of ", $enabled, ".")]
        #[derive(Debug, Clone, Copy)]
        pub struct $name(());

        impl $name {
            /// Detects whether this processor has it.
            #[must_use]
            pub fn detect() -> Option<Self> {
                ($(is_x86_feature_detected!($feature))&&+).then_some(Self(()))
            }
        }

        impl Isa for $name {
            #[inline]
            fn run<R>(self, work: impl FnOnce() -> R) -> R {
                #[target_feature(enable = $enabled)]
                fn enabled<R>(work: impl FnOnce() -> R) -> R {
                    std::hint::black_box(&mut CacheLine([0; 64]));
                    work()
                }
                // SAFETY: a value of this type exists only if `detect` found the instructions.
                unsafe { enabled(work) }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
isa!(Avx2, "avx2", "fma"; "avx2,fma");
#[cfg(target_arch = "x86_64")]
isa!(Avx512, "avx512f", "avx512dq", "fma"; "avx512f,avx512dq,fma");

/// Proof of NEON.
#[cfg(target_arch = "aarch64")]
#[derive(Debug, Clone, Copy)]
pub struct Neon(());

#[cfg(target_arch = "aarch64")]
impl Neon {
    /// Detects whether this processor has it.
    #[must_use]
    pub fn detect() -> Option<Self> {
        std::arch::is_aarch64_feature_detected!("neon").then_some(Self(()))
    }
}

#[cfg(target_arch = "aarch64")]
impl Isa for Neon {
    /// Runs work directly, since all code of the architecture may use NEON.
    #[inline]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        work()
    }
}
