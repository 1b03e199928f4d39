//! The physical parameters, and the range in which explicit Euler is stable.

use crate::{Error, Model};

/// A tire and how it is dropped. All quantities are in SI units.
///
/// Mass, stiffness and damping are those of a single point mass and a single spring-damper,
/// whatever their number. So the same values are stable for every size, and a larger model is a
/// finer and heavier tire.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameters {
    /// Radius of the undeformed ring, in metres.
    pub radius: f64,
    /// Mass of one point mass, in kilograms.
    pub mass: f64,
    /// Stiffness of one spring-damper, in newtons per metre.
    pub stiffness: f64,
    /// Damping of one spring-damper, in newton seconds per metre; at least stiffness times step.
    pub damping: f64,
    /// Gravity, downwards, in metres per second squared.
    pub gravity: f64,
    /// Height of the lowest point above the floor at the start, in metres.
    pub drop: f64,
    /// Share of its speed with which a mass rebounds from the floor, 0 to 1.
    pub restitution: f64,
    /// Length of a step, in seconds.
    pub step: f64,
}

/// The smallest allowed value other than 0, in the quantity's unit.
const LEAST: f64 = 1e-6;
/// The largest allowed value, in the quantity's unit.
const MOST: f64 = 1e6;

impl Default for Parameters {
    /// 5900 of these masses make a tire of 5.9 kg. Stiffness over mass is 1000 / s², a third of the
    /// largest that is stable with a step of 10 ms at this damping.
    fn default() -> Self {
        Self {
            radius: 0.3,
            mass: 0.001,
            stiffness: 1.0,
            damping: 0.015,
            gravity: 9.81,
            drop: 1.0,
            restitution: 0.5,
            step: 0.01,
        }
    }
}

impl Parameters {
    /// Checks that every value is in range and that explicit Euler is stable with this many
    /// sub-steps per step.
    ///
    /// # The bound
    /// With h the sub-step, k, c and m of one spring and mass, and μ an eigenvalue of
    /// the springs' Laplacian, each mode of the springs at zero rest length follows
    /// z² + (hcμ/m - 2) z + 1 - hcμ/m + h²kμ/m = 0. Both roots lie inside the unit
    /// circle (Jury's criterion) where hk < c and hμ (c - hk/2) < 2m, for the largest
    /// μ. A rest length l adds a force of constant size kl, so a system that is stable
    /// without it stays bounded with it, however the ring folds.
    ///
    /// # Errors
    /// Names the value that is out of range and the range, or the largest stable value.
    pub fn check(&self, model: Model, substeps: u32) -> Result<(), Error> {
        // The error for a value that is too stiff names the largest stable value, which says more
        // than a range.
        self.check_ranges(f64::MAX)?;
        self.check_stability(model, substeps)?;
        self.check_ranges(MOST)
    }

    fn check_stability(&self, model: Model, substeps: u32) -> Result<(), Error> {
        let step = self.step / f64::from(substeps);
        let unstable = |name, value: f64, unit: &str, largest| {
            let value = format!("{value} {unit}");
            Err(Error::Unstable { name, value, step, largest })
        };
        let stiffest = 2.0 * self.mass / (step * model.largest_eigenvalue());
        let stiffness = f64::min(self.damping, 2.0 * stiffest) / step;
        if self.stiffness > stiffness {
            return unstable("stiffness", self.stiffness, "N/m", stiffness);
        }
        let most = stiffest + self.stiffness * step / 2.0;
        if self.damping > most {
            return unstable("damping", self.damping, "N s/m", most);
        }
        Ok(())
    }

    /// Checks all ranges. Stiffness and damping may be at most `most`.
    fn check_ranges(&self, most: f64) -> Result<(), Error> {
        const POSITIVE: &str = "a number from 1e-6 to 1e6";
        const NOT_NEGATIVE: &str = "0, or a number from 1e-6 to 1e6";
        const SHARE: &str = "a share from 0 to 1";
        let within = |value: f64, most: f64| (LEAST..=most).contains(&value);
        let positive = |name, value, unit| (name, value, unit, within(value, MOST), POSITIVE);
        let spring = |name, value, unit| (name, value, unit, within(value, most), POSITIVE);
        let not_negative = |name, value, unit| {
            let in_range = value == 0.0 || within(value, MOST);
            (name, value, unit, in_range, NOT_NEGATIVE)
        };
        let is_share = (0.0..=1.0).contains(&self.restitution);
        let ranges = [
            positive("radius", self.radius, "m"),
            positive("mass", self.mass, "kg"),
            spring("stiffness", self.stiffness, "N/m"),
            spring("damping", self.damping, "N s/m"),
            not_negative("gravity", self.gravity, "m/s2"),
            not_negative("drop", self.drop, "m"),
            ("restitution", self.restitution, "", is_share, SHARE),
            positive("step", self.step, "s"),
        ];
        match ranges.into_iter().find(|(.., in_range, _)| !in_range) {
            None => Ok(()),
            Some((name, value, unit, _, expected)) => {
                let value = format!("{value} {unit}").trim_end().to_owned();
                Err(Error::Range { name, value, expected })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_stable() {
        for model in [Model::Balanced, Model::Central] {
            assert_eq!(Parameters::default().check(model, 1), Ok(()));
        }
    }

    #[test]
    fn an_unstable_value_is_refused_with_the_largest_stable_one() {
        let largest = |parameters: Parameters| match parameters.check(Model::Balanced, 1) {
            Err(Error::Unstable { name, largest, .. }) => (name, largest),
            other => panic!("{other:?}"),
        };
        let default = Parameters::default();
        assert_eq!(largest(Parameters { stiffness: 2.0, ..default }), ("stiffness", 1.5));
        let rigid = Parameters { stiffness: 100.0, damping: 1.0, ..default };
        let (name, stiffness) = largest(rigid);
        assert!(name == "stiffness" && (stiffness - 20.0 / 3.0).abs() < 1e-9);
        let (name, damping) = largest(Parameters { damping: 0.05, ..default });
        assert!(name == "damping" && (damping - 0.11 / 3.0).abs() > 1e-9);
        assert_eq!(Parameters { damping, ..default }.check(Model::Balanced, 1), Ok(()));
    }

    #[test]
    fn far_too_stiff_names_the_stable_value_and_too_heavy_the_range() {
        let error = |parameters: Parameters| parameters.check(Model::Balanced, 1).unwrap_err();
        let default = Parameters::default();
        let stiff = error(Parameters { stiffness: 1e9, ..default });
        assert!(matches!(stiff, Error::Unstable { largest: 1.5, .. }), "{stiff:?}");
        let heavy = Parameters { mass: MOST, step: LEAST, damping: 2.0 * MOST, ..default };
        let heavy = error(heavy);
        assert!(matches!(heavy, Error::Range { name: "damping", .. }), "{heavy:?}");
        let infinite = error(Parameters { stiffness: f64::INFINITY, ..default });
        assert!(matches!(infinite, Error::Range { .. }), "{infinite:?}");
    }

    #[test]
    fn sub_steps_allow_more() {
        let stiff = Parameters { stiffness: 100.0, damping: 0.2, ..Parameters::default() };
        assert!(stiff.check(Model::Central, 1).is_err());
        assert_eq!(stiff.check(Model::Central, 10), Ok(()));
    }

    #[test]
    fn values_that_are_not_quantities_are_refused() {
        for radius in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let parameters = Parameters { radius, ..Parameters::default() };
            let error = parameters.check(Model::Balanced, 1).unwrap_err();
            assert!(error.to_string().starts_with("radius"), "{error}");
        }
    }
}
