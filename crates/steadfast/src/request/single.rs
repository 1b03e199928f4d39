//! Run specifications from command-line arguments, without the members of a mix.

use std::collections::BTreeSet;
use std::path::Path;

use analysis::own_model;
use anyhow::{Context, Result, bail};
use plan::{
    Asked, BETWEEN_SETTINGS, FileAsked, Kind, LatencyHold, LoadSpec, NOWHERE, Parameter,
    Parameters, RunSpec, Value,
};
use probe::{CpuUse, Length, MEASUREMENTS, Measurement};
use rt::topology;
use units::{CpuSet, Nanos, Policy};

use crate::args::{BlameArgs, Cpus, IdleArg, MOST_RUNS, MemoryArg};
use crate::command::run::args::RunArgs;
use crate::parameters::ParameterArgs;
use crate::place::Ground;

/// Refuses more runs than a plan may have.
pub(crate) fn expect_few(runs: usize) -> Result<()> {
    if runs > MOST_RUNS {
        bail!("{runs} runs requested, but at most {MOST_RUNS} are possible at once; request fewer");
    }
    Ok(())
}

/// Returns the requested runs on that target; `complete` adds what the command line does not
/// contain to each of them, before it is examined.
pub(crate) fn specs_on(
    ground: &Ground,
    args: &RunArgs,
    complete: impl Fn(&mut RunSpec, &Ground) -> Result<()>,
) -> Result<Vec<RunSpec>> {
    let chosen =
        args.measurements.iter().map(|name| measurement(name)).collect::<Result<Vec<_>>>()?;
    refuse_strange_parameters(&chosen, &args.parameters)?;
    refuse_recording(&chosen, args)?;
    let loads = loads(&args.conditions.load);
    let ground = &match args.conditions.cpus {
        Some(Cpus::Most) => ground.clone().but_for_a_core(),
        _ => ground.clone(),
    };
    let (mut specs, mut known) = (Vec::new(), BTreeSet::new());
    for measurement in chosen {
        for parameters in crossed(measurement, args, ground)? {
            let asked = asked(measurement, &parameters, args, ground, &loads)?;
            let blame_beyond = blame_beyond(measurement, &parameters, &args.blame)?;
            let mut spec = RunSpec {
                blame_beyond,
                record: args.record.is_some(),
                files: files_of(measurement, &parameters)?,
                ..RunSpec::new(measurement.name(), parameters, asked)
            };
            complete(&mut spec, ground)?;
            measurement.examine(&mut spec).map_err(anyhow::Error::msg)?;
            if known.insert(serde_json::to_string(&spec)?) {
                specs.push(spec);
            }
        }
    }
    Ok(specs)
}

/// Returns the files that parameters name, each with the hash of its content.
fn files_of(measurement: &dyn Measurement, parameters: &Parameters) -> Result<Vec<FileAsked>> {
    let declared = measurement.parameters().iter();
    let named = declared.filter(|parameter| matches!(parameter.kind, Kind::File(_)));
    named
        .map(|parameter| (parameter, parameters.word(parameter.name)))
        .filter(|(_, path)| *path != NOWHERE)
        .map(|(parameter, path)| {
            let sha256 = model::sha256(Path::new(path));
            let (sha256, _) = sha256.with_context(|| format!("--{}", parameter.name))?;
            Ok(FileAsked { path: path.to_owned(), sha256 })
        })
        .collect()
}

/// Refuses `--record` for measurements without steps.
fn refuse_recording(chosen: &[&dyn Measurement], args: &RunArgs) -> Result<()> {
    let without = chosen.iter().find(|measurement| !measurement.records_steps());
    match (&args.record, without) {
        (Some(_), Some(measurement)) => bail!(
            "--record: {} has no steps to record; use it with {}",
            measurement.name(),
            recorders().collect::<Vec<_>>().join(" or ")
        ),
        _ => Ok(()),
    }
}

/// Returns the measurements whose steps can be recorded.
pub(crate) fn recorders() -> impl Iterator<Item = &'static str> {
    let recorders = MEASUREMENTS.iter().filter(|measurement| measurement.records_steps());
    recorders.map(|measurement| measurement.name())
}

/// Returns the measurements in which something can be late, each with the value of the parameter on
/// which that depends, such as `tire with --mode real-time`.
pub(crate) fn with_due_times() -> Vec<String> {
    let of_one = |measurement: &&dyn Measurement| {
        let name = measurement.name();
        let usual = Parameters::defaults(measurement.parameters());
        let can_be_late = |parameters: &Parameters| measurement.usual_limit(parameters).is_some();
        for parameter in measurement.parameters() {
            let Kind::Choice(words) = parameter.kind else {
                continue;
            };
            let with = |word: &&&str| {
                let mut parameters = usual.clone();
                parameters.set(parameter.name, Value::Word((**word).to_owned()));
                can_be_late(&parameters)
            };
            let late: Vec<_> = words.iter().filter(with).collect();
            if !late.is_empty() && late.len() < words.len() {
                let one = |word: &&&str| format!("{name} with --{} {word}", parameter.name);
                return late.iter().map(one).collect();
            }
        }
        Vec::from_iter(can_be_late(&usual).then(|| name.to_owned()))
    };
    MEASUREMENTS.iter().flat_map(of_one).collect()
}

/// Returns how long after its due time something is late, if causes are requested.
fn blame_beyond(
    measurement: &dyn Measurement,
    parameters: &Parameters,
    args: &BlameArgs,
) -> Result<Option<Nanos>> {
    let beyond = args.beyond(measurement, parameters);
    if args.blame && beyond.is_none() {
        bail!(
            "--blame: {} has nothing with a due time, so nothing can be late; use it with {}",
            measurement.name(),
            with_due_times().join(", ")
        );
    }
    Ok(beyond)
}

/// Returns the measurement with that name.
///
/// # Errors
/// What the name is instead, or which names there are.
pub(crate) fn measurement(name: &str) -> Result<&'static dyn Measurement> {
    if load::find(name).is_some() {
        bail!("`{name}` is a load, not a measurement; write --load {name} after a measurement");
    }
    if let Some(view) = analysis::views::view(name) {
        bail!(
            "`{name}` is a view, not a measurement: the report computes it from {}; run these, \
             and their report contains it",
            (view.measurements)().join(", ")
        );
    }
    probe::find(name).with_context(|| {
        let known = MEASUREMENTS.iter().map(|m| m.name());
        format!("there is no measurement `{name}`; {}", units::expected(name, known))
    })
}

/// Returns the loads of all flags, each once.
fn loads(typed: &[Vec<LoadSpec>]) -> Vec<LoadSpec> {
    let mut loads = Vec::new();
    for load in typed.iter().flatten() {
        if !loads.contains(load) {
            loads.push(load.clone());
        }
    }
    loads
}

/// Refuses a parameter that none of the chosen measurements takes, because it would be ignored.
fn refuse_strange_parameters(chosen: &[&dyn Measurement], typed: &ParameterArgs) -> Result<()> {
    for name in typed.0.keys() {
        let taken = |m: &&dyn Measurement| {
            m.parameters().iter().any(|p| p.name == *name) || (*name == STEPS && counts_steps(*m))
        };
        if !chosen.iter().any(taken) {
            let takers: Vec<_> =
                MEASUREMENTS.iter().copied().filter(taken).map(Measurement::name).collect();
            bail!(
                "--{name} is a parameter of {}, which is not among the measurements to run",
                takers.join(" and ")
            );
        }
    }
    Ok(())
}

/// The parameter that says how many steps a run has, in place of its time.
const STEPS: &str = "steps";

/// Returns whether the length of a run is a time in which it makes one step per period.
fn counts_steps(measurement: &dyn Measurement) -> bool {
    measurement.name() == own_model::MEASUREMENT
}

/// Returns every combination of the typed values.
fn crossed(
    measurement: &dyn Measurement,
    args: &RunArgs,
    ground: &Ground,
) -> Result<Vec<Parameters>> {
    let mut all = vec![Parameters::defaults(measurement.parameters())];
    for parameter in measurement.parameters() {
        let Some(texts) = args.parameters.0.get(parameter.name) else {
            continue;
        };
        let together = [texts.join(&BETWEEN_SETTINGS.to_string())];
        let texts = match parameter.kind {
            Kind::Settings => &together,
            _ => texts.as_slice(),
        };
        let mut values = Vec::new();
        for text in texts {
            values.push(parameter.parse(text).map_err(anyhow::Error::msg)?);
        }
        let runs = all.len().saturating_mul(values.len());
        expect_few(runs).with_context(|| format!("--{}", parameter.name))?;
        all = all
            .iter()
            .flat_map(|before| values.iter().map(|value| (before.clone(), value.clone())))
            .map(|(mut parameters, value)| {
                parameters.set(parameter.name, value);
                parameters
            })
            .collect();
    }
    for parameters in &mut all {
        count_threads(measurement, parameters, ground);
    }
    Ok(all)
}

/// Returns the parameters that are numbers of threads or processes.
fn thread_counts(measurement: &dyn Measurement) -> impl Iterator<Item = &'static Parameter> {
    let parameters = measurement.parameters().iter();
    parameters.filter(|p| matches!(p.kind, Kind::Threads(_)))
}

/// Replaces thread counts given by a word, such as `cores`, by their number on the target.
fn count_threads(measurement: &dyn Measurement, parameters: &mut Parameters, ground: &Ground) {
    for parameter in thread_counts(measurement) {
        let count = match parameters.word(parameter.name) {
            "cores" => topology::cores_of(&ground.cores, &ground.usable),
            "cpus" => ground.usable.len(),
            "2xcpus" => 2 * ground.usable.len(),
            _ => continue,
        };
        parameters.set(parameter.name, Value::Count(count as u64));
    }
}

fn asked(
    measurement: &dyn Measurement,
    parameters: &Parameters,
    args: &RunArgs,
    ground: &Ground,
    loads: &[LoadSpec],
) -> Result<Asked> {
    let typed = &args.conditions;
    let real_time = measurement.is_real_time(parameters);
    let usual = measurement.usual_policy(parameters);
    let policy = typed.policy.unwrap_or(usual);
    Ok(Asked {
        cpus: cpus(measurement, parameters, policy, &typed.cpus, ground),
        policy,
        duration: match args.parameters.0.get(STEPS) {
            Some(steps) if counts_steps(measurement) => time_of(steps, parameters, typed.seconds)?,
            _ => duration(measurement, parameters, typed.seconds)?,
        },
        memory_lock: match typed.memory {
            Some(state) => matches!(state, MemoryArg::Locked),
            None => real_time,
        },
        cpu_dma_latency: match typed.idle_states {
            Some(IdleArg::Hold) => LatencyHold::Hold,
            Some(IdleArg::Leave) => LatencyHold::Leave,
            None if real_time => LatencyHold::Hold,
            None => LatencyHold::Leave,
        },
        loads: loads.to_vec(),
        beside: typed.beside,
        tried: Vec::new(),
    })
}

/// Returns the time in which a run makes that many steps.
fn time_of(steps: &[String], parameters: &Parameters, typed: Option<Nanos>) -> Result<Nanos> {
    if parameters.word("mode") != "real-time" {
        bail!("--steps: a real-fast run makes as many steps as it can; use --seconds");
    }
    match (steps, typed) {
        (_, Some(_)) => bail!("--steps: --seconds says how long the run is; leave one of them out"),
        ([steps], None) => {
            let steps: u64 = steps
                .parse()
                .ok()
                .filter(|steps| *steps > 0)
                .with_context(|| format!("--steps: `{steps}` is not a whole number above 0"))?;
            Ok(Nanos(steps.saturating_mul(parameters.time("rate").0)))
        }
        _ => bail!("--steps: give one number"),
    }
}

fn duration(
    measurement: &dyn Measurement,
    parameters: &Parameters,
    typed: Option<Nanos>,
) -> Result<Nanos> {
    match (measurement.length(parameters), typed) {
        (Length::Seconds(_), Some(time)) => Ok(time),
        (Length::Fixed(_), Some(_)) => bail!(
            "--seconds: the length of {} is set by its own parameters; see `steadfast list`",
            measurement.name()
        ),
        (length, None) => Ok(length.time()),
    }
}

/// Returns the number of threads or processes of a run.
fn threads(measurement: &dyn Measurement, parameters: &Parameters) -> usize {
    let counts = thread_counts(measurement).map(|p| parameters.count(p.name) as usize);
    counts.max().unwrap_or(1)
}

fn cpus(
    measurement: &dyn Measurement,
    parameters: &Parameters,
    policy: Policy,
    typed: &Option<Cpus>,
    ground: &Ground,
) -> CpuSet {
    let usable = &ground.usable;
    let spread = |count| topology::spread(&ground.cores, usable, count);
    match (typed, measurement.cpu_use(parameters)) {
        (Some(Cpus::These(cpus)), _) => cpus.clone(),
        (Some(Cpus::Most), CpuUse::Threads) => spread(threads(measurement, parameters)),
        (Some(Cpus::All | Cpus::Most), _) | (None, CpuUse::All) => usable.clone(),
        (None, _) if matches!(policy, Policy::Deadline { .. }) => usable.clone(),
        (None, CpuUse::One) => spread(1),
        (None, CpuUse::Two) => spread(2),
        (None, CpuUse::Threads) => spread(threads(measurement, parameters)),
    }
}
