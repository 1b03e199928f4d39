//! The clocks of an FMU for Scheduled Execution: read from its description, and told by the
//! specification of a run.

use model::{Causality, Clock, Description, Interval, Variable};
use plan::{NOWHERE, RunSpec, Value, settings_in};
use units::{Nanos, Policy, expected};

use crate::pace::{Overrun, Pace};

/// Most clocks, each of which has a thread.
const MOST_CLOCKS: usize = 32;
/// The parameter that tells their periods.
const CLOCKS: &str = "clocks";

/// A clock that ticks at a period.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ticking {
    pub(super) name: String,
    /// Its place among the variables.
    pub(super) place: usize,
    pub(super) reference: u32,
    pub(super) period: Nanos,
    /// The time of its first tick after the start, in seconds.
    pub(super) shift: f64,
    pub(super) ticks: Ticks,
}

/// Who says when a clock ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ticks {
    /// It ticks at each period.
    AtPeriods,
    /// The model, once each time it starts the clock; at each period it is looked whether that
    /// time has come.
    Countdown,
    /// The model, after each tick for the next one; looked after in the same way.
    Changing,
}

/// The periods that were typed for clocks which have none of their own.
///
/// # Errors
/// One line where there is no such clock or no such time.
pub(super) fn typed<'t>(
    description: &Description,
    ticks: &'t str,
) -> Result<Vec<(&'t str, Nanos)>, String> {
    let takes = |one: &&Variable| {
        let interval = clock_of(one).map(|clock| clock.interval);
        matches!(interval, Some(Interval::Triggered | Interval::Countdown | Interval::Changing))
    };
    let period = |(name, period): (&'t str, &str)| {
        let all = || description.variables.iter().filter(takes);
        if !all().any(|one| one.name == name) {
            let expected = expected(name, all().map(|one| one.name.as_str()));
            let model = &description.name;
            return Err(format!(
                "`{name}` is no triggered, countdown or changing clock of {model}; {expected}"
            ));
        }
        let period = period.parse();
        let period = period.map_err(|error| format!("`{name}`: {error}"))?;
        Ok((name, period))
    };
    settings_in(ticks)
        .and_then(|all| all.into_iter().map(period).collect())
        .map_err(|why| format!("--tick: {why}"))
}

/// The clock of a variable whose ticks come from outside of the model.
fn clock_of(variable: &Variable) -> Option<&Clock> {
    let clock = variable.clock.as_ref();
    clock.filter(|_| variable.causality == Causality::Input)
}

/// The clocks at whose ticks parts of a model run, that of the shortest period first.
///
/// # Errors
/// Where there are none, too many, or some of which nobody says how often they tick.
pub(super) fn read(
    description: &Description,
    typed: &[(&str, Nanos)],
) -> Result<Vec<Ticking>, String> {
    let all = description.variables.iter().enumerate();
    let (mut clocks, mut others) = (Vec::new(), Vec::new());
    for (place, variable, clock) in all.filter_map(|(at, one)| Some((at, one, clock_of(one)?))) {
        let period = match clock.interval {
            Interval::Constant | Interval::Fixed | Interval::Tunable => {
                clock.period.map(|period| period * 1e9)
            }
            Interval::Triggered | Interval::Countdown | Interval::Changing => {
                let typed = typed.iter().find(|(name, _)| *name == variable.name);
                typed.map(|(_, period)| period.0 as f64)
            }
        };
        match period.filter(|period| (1.0..=3.6e12).contains(period)) {
            Some(period) if (0.0..=3600.0).contains(&clock.shift) => clocks.push(Ticking {
                name: variable.name.clone(),
                place,
                reference: variable.reference,
                period: Nanos(period.round() as u64),
                shift: clock.shift,
                ticks: match clock.interval {
                    Interval::Countdown => Ticks::Countdown,
                    Interval::Changing => Ticks::Changing,
                    _ => Ticks::AtPeriods,
                },
            }),
            _ => others.push(format!("`{}` ({})", variable.name, clock.interval.name())),
        }
    }
    clocks.sort_by_key(|clock| clock.period);
    match (clocks.len(), &others[..]) {
        (_, [_, ..]) => Err(format!(
            "clocks of {} tick at no period that its description tells: {}; say how often a \
             triggered one ticks, and how often a countdown or a changing one is looked after, with \
             --tick NAME=PERIOD",
            description.name,
            others.join(", ")
        )),
        (1..=MOST_CLOCKS, []) => Ok(clocks),
        (count, []) => Err(format!(
            "{} has {count} clocks, and Scheduled Execution takes 1 to {MOST_CLOCKS}",
            description.name
        )),
    }
}

/// Writes the periods of the clocks into the specification: what comes of a run is read by it,
/// and without the file.
pub(super) fn complete(spec: &mut RunSpec, clocks: &[Ticking]) -> Result<(), String> {
    let periods = clocks.iter().map(|clock| clock.period.to_string());
    let periods: Vec<String> = periods.collect();
    let words = match periods.is_empty() {
        true => NOWHERE.to_owned(),
        false => periods.join("+"),
    };
    spec.parameters.set(CLOCKS, Value::Word(words));
    if let Some(fastest) = clocks.first() {
        let rate = format!("{}Hz", 1e9 / fastest.period.0 as f64).parse();
        let rate = rate.map_err(|error| format!("--fmu: the clock `{}`: {error}", fastest.name))?;
        spec.parameters.set("rate", Value::Rate(rate));
    }
    check(spec)
}

/// Refuses what cannot be run: too short a time for the slowest clock, too few priorities, or a
/// specification that is damaged.
pub(super) fn check(spec: &RunSpec) -> Result<(), String> {
    let Some(paces) = paces(spec)? else {
        return Ok(());
    };
    let slowest = paces.iter().map(|pace| pace.period).max();
    if let Some(period) = slowest.filter(|period| *period > spec.asked.duration.0) {
        return Err(format!(
            "--seconds: a clock ticks every {} and would not within this time; measure for longer",
            Nanos(period)
        ));
    }
    let last = paces.len() as u8 - 1;
    match spec.asked.policy {
        Policy::Other { .. } | Policy::Idle => Ok(()),
        policy if policy.lowered(last).is_some() => Ok(()),
        policy => Err(format!(
            "--policy: {} clocks need as many priorities, and {policy} has not so many below it",
            paces.len()
        )),
    }
}

/// How often each clock ticks; `None` where the model has none.
pub(super) fn paces(spec: &RunSpec) -> Result<Option<Vec<Pace>>, String> {
    let typed = spec.parameters.word(CLOCKS);
    if typed == NOWHERE {
        return Ok(None);
    }
    let pace = |word: &str| {
        let Nanos(period) = word.parse().ok()?;
        (period > 0).then(|| Pace {
            period,
            periods: (spec.asked.duration.0 / period).max(1),
            overrun: Overrun::named(spec.parameters.word("overrun")),
        })
    };
    let paces: Option<Vec<Pace>> = typed.split('+').map(pace).collect();
    match paces.filter(|paces| paces.len() <= MOST_CLOCKS) {
        Some(paces) => Ok(Some(paces)),
        None => Err(format!(
            "--clocks: `{typed}` is not what a description tells; leave it out, and it is read"
        )),
    }
}
