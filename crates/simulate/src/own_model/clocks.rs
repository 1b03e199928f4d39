//! The clocks of an FMU for Scheduled Execution: read from its file, kept in the specification.

use base::{Nanos, Policy, Rate, expected};
use bench::pace::{Overrun, Pace};
use model_file::{Causality, Clock, Description, Interval, Variable};
use record::{NOWHERE, RunSpec, Value, named_settings};

/// Maximum number of clocks, each of which has a thread.
const MOST_CLOCKS: usize = 32;
/// The parameter with their periods.
const CLOCKS: &str = "clocks";

/// A clock that ticks at a period, or for which each period checks whether it is to tick.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ticking {
    pub(super) name: String,
    /// Position among the variables.
    pub(super) place: usize,
    pub(super) reference: u32,
    pub(super) period: Nanos,
    /// Time of its first tick after the start, in seconds.
    pub(super) shift: f64,
    pub(super) interval: Interval,
}

impl Ticking {
    /// Whether the model decides when it ticks: when it starts a countdown, or after each tick of a
    /// changing clock.
    pub(super) fn is_of_model(&self) -> bool {
        matches!(self.interval, Interval::Countdown | Interval::Changing)
    }
}

/// Returns the periods given by the user for clocks without a fixed period.
pub(super) fn typed(
    description: &Description,
    ticks: &str,
) -> Result<Vec<(String, Nanos)>, String> {
    let takes = |variable: &&Variable| {
        let interval = clock_of(variable).map(|clock| clock.interval);
        matches!(interval, Some(Interval::Triggered | Interval::Countdown | Interval::Changing))
    };
    let all = || description.variables.iter().filter(takes);
    let is_known = |name: &str| all().any(|variable| variable.name == name);
    let period = |(name, period): (String, String)| {
        if !is_known(&name) {
            let expected = expected(&name, all().map(|variable| variable.name.as_str()));
            let model = &description.name;
            return Err(format!(
                "`{name}` is not a triggered, countdown or changing clock of {model}; {expected}"
            ));
        }
        let period = period.parse().map_err(|error| format!("`{name}`: {error}"))?;
        Ok((name, period))
    };
    named_settings(ticks, is_known)
        .and_then(|all| all.into_iter().map(period).collect())
        .map_err(|why| format!("--tick: {why}"))
}

/// Returns the clock of a variable, if its ticks come from outside the model.
fn clock_of(variable: &Variable) -> Option<&Clock> {
    variable.clock.as_ref().filter(|_| variable.causality == Causality::Input)
}

/// Returns the clocks at whose ticks parts run, shortest period first. All must have a period.
pub(super) fn read(
    description: &Description,
    typed: &[(String, Nanos)],
) -> Result<Vec<Ticking>, String> {
    let (mut clocks, mut others) = (Vec::new(), Vec::new());
    for (place, variable) in description.variables.iter().enumerate() {
        let Some(clock) = clock_of(variable) else {
            continue;
        };
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
                interval: clock.interval,
            }),
            _ => others.push(format!("`{}` ({})", variable.name, clock.interval.name())),
        }
    }
    clocks.sort_by_key(|clock| clock.period);
    match (clocks.len(), &others[..]) {
        (_, [_, ..]) => Err(format!(
            "clocks of {} have no usable period in its description: {}; set with --tick \
             NAME=PERIOD how often a triggered clock ticks, and how often a countdown or changing \
             clock is checked",
            description.name,
            others.join(", ")
        )),
        (1..=MOST_CLOCKS, []) => Ok(clocks),
        (count, []) => Err(format!(
            "{} has {count} clocks, but Scheduled Execution supports 1 to {MOST_CLOCKS}",
            description.name
        )),
    }
}

/// Writes the clocks' periods into the specification: results are read without the file.
pub(super) fn complete(spec: &mut RunSpec, clocks: &[Ticking]) -> Result<(), String> {
    let periods: Vec<String> = clocks.iter().map(|clock| clock.period.to_string()).collect();
    let words = if periods.is_empty() { NOWHERE.to_owned() } else { periods.join("+") };
    spec.parameters.set(CLOCKS, Value::Word(words));
    if let Some(fastest) = clocks.first() {
        spec.parameters.set_rate(Rate::of_period(fastest.period));
    }
    check(spec)
}

/// Refuses a time too short for the slowest clock, too few priorities, or a damaged spec.
pub(super) fn check(spec: &RunSpec) -> Result<(), String> {
    let Some(paces) = paces(spec)? else {
        return Ok(());
    };
    let slowest = paces.iter().map(Pace::period_ns).max();
    if let Some(period) = slowest.filter(|period| *period > spec.asked.duration.0) {
        return Err(format!(
            "--seconds: a clock ticks every {} and would not tick in this time; use a longer time",
            Nanos(period)
        ));
    }
    let last = paces.len() as u8 - 1;
    match spec.asked.policy {
        Policy::Other { .. } | Policy::Idle => Ok(()),
        policy if policy.lowered(last).is_some() => Ok(()),
        policy => Err(format!(
            "--policy: {} clocks need as many priorities, but {policy} has too few below it",
            paces.len()
        )),
    }
}

/// Returns how often each clock ticks, or `None` if the model has no clocks.
pub(super) fn paces(spec: &RunSpec) -> Result<Option<Vec<Pace>>, String> {
    let typed = spec.parameters.word(CLOCKS);
    if typed == NOWHERE {
        return Ok(None);
    }
    let pace = |word: &str| {
        let Nanos(period) = word.parse().ok()?;
        (period > 0).then(|| Pace {
            period: Nanos(period).into(),
            periods: (spec.asked.duration.0 / period).max(1),
            overrun: Overrun::of(&spec.parameters),
        })
    };
    let paces: Option<Vec<Pace>> = typed.split('+').map(pace).collect();
    let paces = paces.filter(|paces| paces.len() <= MOST_CLOCKS).ok_or_else(|| {
        format!("--clocks: `{typed}` is not a list of periods; omit it to read them from the FMU")
    })?;
    Ok(Some(paces))
}
