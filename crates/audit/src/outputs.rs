//! The hash of a model's outputs, for comparison between passes.

pub(crate) struct Outputs {
    hash: u64,
    /// The number of outputs per step.
    per_step: u64,
}

impl Outputs {
    pub(crate) fn new() -> Self {
        // FNV-1a, 64 bits.
        Self { hash: 0xcbf2_9ce4_8422_2325, per_step: 0 }
    }

    /// Adds the outputs of a step.
    pub(crate) fn add(&mut self, values: &[f64]) {
        self.per_step = values.len() as u64;
        for byte in values.iter().flat_map(|value| value.to_bits().to_le_bytes()) {
            self.hash = (self.hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    pub(crate) fn count(&self) -> u64 {
        self.per_step
    }

    /// Returns `None` without outputs.
    pub(crate) fn hash(&self) -> Option<String> {
        (self.per_step > 0).then(|| format!("{:016x}", self.hash))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_is_hashed() {
        let (mut least, mut next) = (Outputs::new(), Outputs::new());
        assert_eq!(least.hash(), None);
        least.add(&[1.0, f64::NAN, f64::INFINITY, 5e-324]);
        next.add(&[1.0, f64::NAN, f64::INFINITY, 1e-323]);
        assert_ne!(least.hash(), next.hash());
    }
}
