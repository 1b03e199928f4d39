//! The outputs of a model: checks that each is finite, and hashes them for comparison between
//! passes.

pub(crate) struct Outputs {
    hash: u64,
    /// The number of outputs per step.
    values: u64,
}

impl Outputs {
    pub(crate) fn new() -> Self {
        // FNV-1a, 64 bits.
        Self { hash: 0xcbf2_9ce4_8422_2325, values: 0 }
    }

    /// Adds the outputs of a step. Returns how many of them are not finite.
    pub(crate) fn add(&mut self, values: &[f64]) -> u64 {
        self.values = values.len() as u64;
        for byte in values.iter().flat_map(|value| value.to_bits().to_le_bytes()) {
            self.hash = (self.hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        let is_finite = |bits: u64| bits & 0x7ff0_0000_0000_0000 != 0x7ff0_0000_0000_0000;
        values.iter().filter(|value| !is_finite(value.to_bits())).count() as u64
    }

    pub(crate) fn count(&self) -> u64 {
        self.values
    }

    /// Returns `None` without outputs.
    pub(crate) fn hash(&self) -> Option<String> {
        (self.values > 0).then(|| format!("{:016x}", self.hash))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_are_not_finite_are_counted_and_every_bit_is_hashed() {
        let (mut one, mut other) = (Outputs::new(), Outputs::new());
        assert_eq!(one.hash(), None);
        assert_eq!(one.add(&[1.0, f64::NAN, f64::INFINITY, 5e-324]), 2);
        assert_eq!(other.add(&[1.0, f64::NAN, f64::INFINITY, 1e-323]), 2);
        assert_ne!(one.hash(), other.hash());
    }
}
