//! The two models of the papers: where the masses are and what connects them.

use std::f64::consts::TAU;

base::named! {
    /// How the ring is braced.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum Model {
        /// Masses at equal arcs, each connected to both neighbours and to the mass half the ring away:
        /// 1.5 springs per mass, equal work for every mass (Garre et al., Math. Probl. Eng. 2014). It
        /// is a mechanism with 2 n degrees of freedom and 1.5 n springs: only its symmetry keeps it
        /// upright.
        #[default]
        Balanced = "balanced",
        /// Masses of each quadrant at equal distances along the horizontal axis, each connected to both
        /// neighbours and to a hub in the middle: 2 springs per mass (Garre et al., SAE 2014-01-0200).
        /// A coarse ring stays up and bounces; a fine one, whose ring is slack, falls down around its
        /// hub.
        Central = "central",
    }
}

/// Mass of the hub as a share of the ring: as small as possible without making the hub stiffer than
/// the rest.
pub const HUB_SHARE: f64 = 0.25;

impl Model {
    /// Returns the total number of masses: those of the ring, and the hub if there is one.
    pub fn masses_with_hub(self, ring: usize) -> usize {
        match self {
            Self::Balanced => ring,
            Self::Central => ring + 1,
        }
    }

    /// Returns the number of spring-dampers of a ring of this many masses.
    pub fn springs(self, ring: usize) -> usize {
        match self {
            Self::Balanced => ring + ring / 2,
            Self::Central => 2 * ring,
        }
    }

    /// Returns the largest eigenvalue of the springs' Laplacian over the masses, over all sizes: 4
    /// for the ring, and 2 for a spoke that connects two masses or 1 for one that connects a mass
    /// to the hub. The hub is at rest in every mode except that of ring against hub, whose
    /// eigenvalue is 1 plus the reciprocal of its share.
    pub(crate) fn largest_eigenvalue(self) -> f64 {
        match self {
            Self::Balanced => 4.0 + 2.0,
            Self::Central => f64::max(4.0 + 1.0, 1.0 + 1.0 / HUB_SHARE),
        }
    }

    /// Returns the position of mass `i` of a ring of `n` around the middle, for radius 1.
    ///
    /// Masses are counted from the right, counter-clockwise. Opposite masses and the left and right
    /// halves mirror each other exactly.
    pub(crate) fn place(self, i: usize, n: usize) -> [f64; 2] {
        let quarter = n / 4;
        let [x, y] = match (self, i / quarter % 2) {
            (_, 0) => self.place_in_quadrant(i % quarter, n),
            (_, _) => {
                let [x, y] = self.place_in_quadrant(quarter - i % quarter, n);
                [-x, y]
            }
        };
        if i < n / 2 { [x, y] } else { [-x, -y] }
    }

    /// Returns the same for the first quadrant, both ends included.
    fn place_in_quadrant(self, j: usize, n: usize) -> [f64; 2] {
        let quarter = n / 4;
        match self {
            Self::Balanced if 2 * j <= quarter => {
                let angle = TAU * j as f64 / n as f64;
                [libm::cos(angle), libm::sin(angle)]
            }
            Self::Balanced => {
                let [y, x] = self.place_in_quadrant(quarter - j, n);
                [x, y]
            }
            Self::Central => {
                let x = 1.0 - j as f64 / quarter as f64;
                [x, (1.0 - x * x).sqrt()]
            }
        }
    }

    /// Rest length of the spring from mass `i` to the next, for radius 1.
    pub(crate) fn rail(self, i: usize, n: usize) -> f64 {
        let (a, b) = match self {
            Self::Balanced => (0, 1),
            Self::Central => (i % n, (i + 1) % n),
        };
        let ([ax, ay], [bx, by]) = (self.place(a, n), self.place(b, n));
        let (dx, dy) = (bx - ax, by - ay);
        (dx * dx + dy * dy).sqrt()
    }

    /// Rest length of a spoke, for radius 1.
    pub(crate) fn spoke(self) -> f64 {
        match self {
            Self::Balanced => 2.0,
            Self::Central => 1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_are_round_and_mirror_themselves() {
        for model in [Model::Balanced, Model::Central] {
            for n in [4, 8, 12, 400] {
                for i in 0..n {
                    let [x, y] = model.place(i, n);
                    assert!((x.hypot(y) - 1.0).abs() < 1e-15, "{model:?} {i} of {n}");
                    assert_eq!(model.place((i + n / 2) % n, n), [-x, -y]);
                    assert_eq!(model.place((n + n / 2 - i) % n, n), [-x, y]);
                }
            }
        }
    }

    #[test]
    fn masses_are_at_equal_arcs_or_at_equal_distances() {
        let n = 1200;
        for i in 0..n {
            let side = Model::Balanced.rail(i, n);
            let [a, b] = [i, i + 1].map(|i| Model::Balanced.place(i % n, n));
            assert!(((b[0] - a[0]).hypot(b[1] - a[1]) - side).abs() < 1e-15);
            let [a, b] = [i, i + 1].map(|i| Model::Central.place(i % n, n));
            assert!(((b[0] - a[0]).abs() - 4.0 / n as f64).abs() < 1e-15);
        }
    }

    #[test]
    fn the_papers_counts_of_springs() {
        assert_eq!(Model::Balanced.springs(5900), 8850);
        assert_eq!(Model::Central.springs(1200), 2400);
        assert_eq!(Model::Central.masses_with_hub(1200), 1201);
    }
}
