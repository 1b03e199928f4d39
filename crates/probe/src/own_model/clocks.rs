//! The clocks of an FMU for Scheduled Execution: read from its description, and told by the
//! specification of a run.

use model::{Causality, Description, Interval};
use plan::{NOWHERE, RunSpec, Value};
use units::{Nanos, Policy};

use crate::pace::{Overrun, Pace};

/// Most clocks, each of which has a thread.
const MOST_CLOCKS: usize = 32;
/// The parameter that tells their periods.
const CLOCKS: &str = "clocks";

/// A clock that ticks at a period.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ticking {
    pub(super) name: String,
    pub(super) reference: u32,
    pub(super) period: Nanos,
    /// The time of its first tick after the start, in seconds.
    pub(super) shift: f64,
}

/// The clocks at whose ticks parts of a model run, that of the shortest period first.
///
/// # Errors
/// Where there are none, too many, or some that do not tick at a period of their own.
pub(super) fn read(description: &Description) -> Result<Vec<Ticking>, String> {
    let all = description.variables.iter();
    let inputs = all.filter(|one| one.causality == Causality::Input);
    let (mut clocks, mut others) = (Vec::new(), Vec::new());
    for (variable, clock) in inputs.filter_map(|one| Some((one, one.clock.as_ref()?))) {
        let keeps = matches!(
            clock.interval,
            Interval::Constant | Interval::Fixed | Interval::Tunable
        );
        let period = clock.period.filter(|_| keeps).map(|period| period * 1e9);
        match period.filter(|period| (1.0..=3.6e12).contains(period)) {
            Some(period) if (0.0..=3600.0).contains(&clock.shift) => clocks.push(Ticking {
                name: variable.name.clone(),
                reference: variable.reference,
                period: Nanos(period.round() as u64),
                shift: clock.shift,
            }),
            _ => others.push(format!("`{}` ({})", variable.name, clock.interval.name())),
        }
    }
    clocks.sort_by_key(|clock| clock.period);
    match (clocks.len(), &others[..]) {
        (_, [_, ..]) => Err(format!(
            "clocks of {} tick at no period that its description tells: {}; only periodic clocks \
             are run",
            description.name,
            others.join(", ")
        )),
        (1..=MOST_CLOCKS, []) => Ok(clocks),
        (count, []) => Err(format!(
            "{} has {count} periodic clocks, and Scheduled Execution takes 1 to {MOST_CLOCKS}",
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

/// Refuses what cannot be run: too few priorities, or a specification that is damaged.
pub(super) fn check(spec: &RunSpec) -> Result<(), String> {
    let Some(paces) = paces(spec)? else {
        return Ok(());
    };
    let last = paces.len() as u8 - 1;
    match spec.asked.policy {
        Policy::Other { .. } => Ok(()),
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
