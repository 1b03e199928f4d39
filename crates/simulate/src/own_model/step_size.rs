//! Whether the description of an FMU allows steps of the requested size.

use base::{Nanos, Rate};
use model_file::{Description, Kind};
use record::Warning;

/// The step that an FMU for Co-Simulation states for itself, if the requested one does not fit it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Unfit {
    model: String,
    asked: Rate,
    own: Rate,
    /// Whether multiples of its own step fit; otherwise only that step is known to fit.
    takes_multiples: bool,
}

impl Unfit {
    /// Compares the requested rate with `fixedInternalStepSize`, which divides every step (FMI
    /// 3.0.2, section 4.4), or with the proposed step size of a model whose steps must be equal
    /// (`canHandleVariableCommunicationStepSize`).
    pub(super) fn of(description: &Description, kind: Kind, asked: Rate) -> Option<Self> {
        let interface = description.interface(kind).filter(|_| kind == Kind::CoSimulation)?;
        let fixed = interface.fixed_internal_step;
        let equal = description.experiment.step.filter(|_| !interface.variable_steps);
        let own = Rate::of_step(fixed.or(equal)?)?;
        let (times, is_exact) = asked.in_periods_of(own);
        let fits = match fixed {
            Some(_) => times > 0 && is_exact,
            None => own == asked,
        };
        let model = description.name.clone();
        (!fits).then_some(Self { model, asked, own, takes_multiples: fixed.is_some() })
    }

    /// Returns the length of the model's own step, if it steps in multiples of it.
    pub(super) fn divides(&self) -> Option<Nanos> {
        self.takes_multiples.then(|| self.own.period())
    }

    pub(super) fn warning(&self) -> Warning {
        let (times, _) = self.asked.in_periods_of(self.own);
        let near = [times, times + 1].into_iter().filter(|times| *times > 0);
        let fitting: Vec<Rate> = match self.takes_multiples {
            true => near.filter_map(|times| self.own.every(times)).collect(),
            false => vec![self.own],
        };
        let rates: Vec<String> = fitting.iter().map(ToString::to_string).collect();
        Warning::StepSizeUnfit {
            model: self.model.clone(),
            asked: self.asked.to_string(),
            own: self.own.period().to_string(),
            takes_multiples: self.takes_multiples,
            fitting: rates.join(" or "),
        }
    }
}

#[cfg(test)]
mod tests {
    use testing::models::{self, Version};

    use super::*;
    use crate::own_model::setup::tests::spec;
    use crate::own_model::setup::{Origin, Setup};

    /// Returns what is said of a rate for an FMU with an attribute of its Co-Simulation.
    fn said(attribute: &str, rate: &str) -> Option<String> {
        let file = models::fmu(Version::Three, models::Kind::CoSimulation, &[]);
        let setup = Setup::of(&spec(&[("fmu", file.to_str().unwrap())])).unwrap();
        let Origin::Fmu(fmu) = setup.origin else { panic!("it is an FMU") };
        let mut description = fmu.archive.description;
        let interface = &mut description.interfaces[0];
        match attribute.split_once('=') {
            Some(("fixed", step)) => interface.fixed_internal_step = Some(step.parse().unwrap()),
            Some((_, step)) => description.experiment.step = Some(step.parse().unwrap()),
            None => interface.variable_steps = true,
        }
        let unfit = Unfit::of(&description, Kind::CoSimulation, rate.parse().unwrap());
        unfit.map(|unfit| format!("{}; {}", unfit.warning().cause(), unfit.warning().remedy()))
    }

    #[test]
    fn steps_that_do_not_fit_are_reported_with_the_rates_that_do() {
        for (attribute, rate, fitting) in [
            ("fixed=0.001", "1kHz", None),
            ("fixed=0.001", "250Hz", None),
            ("fixed=0.001", "300Hz", Some("3ms or 250Hz")),
            ("fixed=0.001", "3kHz", Some("1kHz")),
            ("fixed=0.016666666666666666", "60Hz", None),
            ("fixed=0.016666666666666666", "20Hz", None),
            ("equal=0.01", "100Hz", None),
            ("equal=0.01", "1kHz", Some("100Hz")),
            ("equal=0.016666666666666666", "60Hz", None),
            ("any", "77Hz", None),
        ] {
            let found = said(attribute, rate);
            assert_eq!(found.is_some(), fitting.is_some(), "{attribute} {rate}: {found:?}");
            let fits = |fitting: &str| found.is_some_and(|said| said.contains(fitting));
            assert!(fitting.is_none_or(fits), "{attribute} {rate}");
        }
        let said = said("fixed=0.001", "300Hz").unwrap();
        assert!(said.contains("in multiples of 1ms") && said.contains("300Hz"), "{said}");
    }
}
