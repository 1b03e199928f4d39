//! Wide load: the widest vectors, for which processors lower their frequency or draw most power.

use std::hint::black_box;

use rt::simd::{Generic, InstructionSet, Vector};

use crate::Load;

/// Multiplications and additions of each chain per unit of work.
const OPERATIONS: u32 = 100_000;
/// Number of chains, which do not wait for each other.
const CHAINS: usize = 8;

pub(crate) const LOAD: Load = Load {
    name: "wide",
    summary: "floating-point arithmetic in the CPU's widest vectors",
    unit: |_| "blocks of 800 000 vector multiply-adds",
    is_aggressor: true,
    prepare: |_, _| {
        let widest = InstructionSet::best();
        Ok(Box::new(move || {
            let done = widest.with(Chains);
            black_box(done).ok_or_else(|| format!("the processor has lost its {widest}"))?;
            Ok(1)
        }))
    },
    ..Load::PLAIN
};

/// Several independent chains of multiply-adds.
struct Chains;

impl Generic<f64> for Chains {
    type Output = f64;
    fn with<V: Vector<Element = f64>>(self, isa: V::Isa) -> f64 {
        let [factor, addend] = [0.999_999_9, 1e-7].map(|value| V::splat(isa, black_box(value)));
        let mut chains = [V::splat(isa, black_box(1.000_000_1)); CHAINS];
        for _ in 0..OPERATIONS {
            chains = chains.map(|value| value.mul_add(factor, addend));
        }
        let lanes = chains.map(|value| V::Lanes::from(value).as_ref()[0]);
        lanes.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The chains converge to their fixed point, which is 1.
    #[test]
    fn every_instruction_set_computes_the_same() {
        for set in InstructionSet::available() {
            let sum = set.with(Chains).unwrap();
            assert!((sum / CHAINS as f64 - 1.0).abs() < 1e-6, "{set}: {sum}");
        }
    }
}
