//! The hash of a model's outputs, for comparison between passes.

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

    /// Adds the outputs of a step.
    pub(crate) fn add(&mut self, values: &[f64]) {
        self.values = values.len() as u64;
        for byte in values.iter().flat_map(|value| value.to_bits().to_le_bytes()) {
            self.hash = (self.hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
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
    fn every_bit_is_hashed() {
        let (mut one, mut other) = (Outputs::new(), Outputs::new());
        assert_eq!(one.hash(), None);
        one.add(&[1.0, f64::NAN, f64::INFINITY, 5e-324]);
        other.add(&[1.0, f64::NAN, f64::INFINITY, 1e-323]);
        assert_ne!(one.hash(), other.hash());
    }
}
