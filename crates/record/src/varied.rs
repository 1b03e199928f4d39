//! How a place of an axis is put into a run, and read from one.

use base::Rate;

use crate::{Axis, Periods, RunSpec, Value, joined_settings, settings_in};

impl Axis {
    /// Returns what a run varies; by default the size of its model.
    pub fn of(spec: &RunSpec) -> Option<Self> {
        spec.over.clone().or_else(|| Self::of_measurement(&spec.measurement))
    }

    pub fn put(&self, spec: &mut RunSpec, place: u64) {
        let before = spec.parameters.rate_period();
        let value = match self {
            Self::Masses | Self::Instances => Value::Count(place),
            Self::Rate => Value::Rate(Rate::of_hertz(place)),
            Self::Setting(setting) => {
                let mut all = setting.others_in(spec.parameters.settings());
                all.push(format!("{}={}", setting.name, setting.value(place)));
                Value::Word(joined_settings(all))
            }
        };
        spec.parameters.set(self.parameter(), value);
        if spec.blame_beyond == Some(before) {
            spec.blame_beyond = Some(spec.parameters.rate_period());
        }
    }

    pub fn place(&self, spec: &RunSpec) -> u64 {
        match self {
            Self::Masses | Self::Instances => spec.parameters.count(self.parameter()),
            Self::Rate => spec.parameters.rate().map_or(0, |rate| rate.hertz().round() as u64),
            Self::Setting(setting) => settings_in(spec.parameters.settings())
                .unwrap_or_default()
                .iter()
                .find_map(|one| setting.value_in(one))
                .map_or(0, |value| setting.place(value.get())),
        }
    }

    /// Returns how often deadlines are due at each place, for runs that differ from this one only
    /// in their place.
    pub fn periods(&self, spec: &RunSpec) -> Periods {
        Periods { usual: spec.parameters.rate_period(), is_rate: *self == Self::Rate }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Asked, NOWHERE, Parameters};
    use base::Nanos;
    use std::collections::BTreeMap;

    fn axis(text: &str) -> Axis {
        text.parse().unwrap()
    }

    fn run(set: &str) -> RunSpec {
        let asked = Asked::plain("0".parse().unwrap(), "fifo:80".parse().unwrap(), Nanos(1));
        let values = [
            ("rate", Value::Rate(Rate::of_hertz(1000))),
            ("instances", Value::Count(1)),
            ("set", Value::Word(set.to_owned())),
        ];
        let values = values.map(|(name, value)| (name.to_owned(), value));
        let parameters = Parameters::from(BTreeMap::from(values));
        RunSpec::new("model", parameters, asked)
    }

    #[test]
    fn a_place_that_is_put_into_a_run_is_read_back() {
        for text in ["instances", "rate", "k=1..20", "k=0.5..0.1", "k=-3..4", "k=0..1e9"] {
            let axis = axis(text);
            for place in [1, 2, 7, 8].into_iter().chain(90..101) {
                let place = place.min(axis.largest(&[]));
                let mut spec = run("other=3;k=0");
                axis.put(&mut spec, place);
                assert_eq!(axis.place(&spec), place, "{text}: {place}");
            }
        }
    }

    #[test]
    fn a_run_has_exactly_the_rate_of_its_place() {
        for hertz in [1, 60, 999, 31_000, 40_001, 44_100, 99_999, 100_000] {
            let mut spec = run(NOWHERE);
            Axis::Rate.put(&mut spec, hertz);
            assert_eq!(Axis::Rate.place(&spec), hertz);
        }
    }

    #[test]
    fn the_limit_for_late_follows_the_rate_unless_it_was_set() {
        let mut spec = run(NOWHERE);
        spec.blame_beyond = Some(Nanos(1_000_000));
        Axis::Rate.put(&mut spec, 2000);
        assert_eq!(spec.blame_beyond, Some(Nanos(500_000)));
        spec.blame_beyond = Some(Nanos(7));
        Axis::Rate.put(&mut spec, 1000);
        assert_eq!(spec.blame_beyond, Some(Nanos(7)));
    }

    #[test]
    fn steps_of_a_setting_are_equal_and_reach_both_ends() {
        let values = |text: &str, places: &[u64]| -> Vec<String> {
            let Axis::Setting(setting) = axis(text) else {
                panic!("{text}");
            };
            places.iter().map(|place| setting.value(*place).to_string()).collect()
        };
        assert_eq!(values("k=1..3", &[1, 2, 3]), ["1", "2", "3"]);
        assert_eq!(axis("k=1..3").largest(&[]), 3);
        assert_eq!(values("k=0.1..0.5", &[1, 2, 4, 101]), ["0.1", "0.104", "0.112", "0.5"]);
        assert_eq!(values("k=5..0", &[1, 6]), ["5", "0"]);
        assert_eq!(values("k=5.0..0", &[1, 2, 101]), ["5", "4.95", "0"]);
    }

    #[test]
    fn other_settings_are_the_same_on_the_whole_axis() {
        let mut spec = run("b=1;k=9;a=2");
        let axis = axis("k=1..20");
        axis.put(&mut spec, 3);
        assert_eq!(spec.parameters.settings(), "b=1;a=2;k=3");
        assert_eq!(axis.rest("b=1;a=2;k=3"), Some("b=1;a=2".to_owned()));
        assert_eq!(axis.rest("k=3"), None);
    }

    #[test]
    fn a_text_that_is_not_an_axis_is_refused() {
        for text in
            ["", "size", "k", "k=", "=1..2", "k=1", "k=1..1", "k=1..x", "k=1..nan", "none=1..2"]
        {
            let why = text.parse::<Axis>().unwrap_err().to_string();
            assert!(why.starts_with(&format!("cannot vary `{text}`")), "{why}");
        }
        assert_eq!(axis("rate"), Axis::Rate);
        assert_eq!(axis("x[1,2]=1..2").unit(1), "x[1,2]");
    }
}
