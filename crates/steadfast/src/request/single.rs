//! The runs of what was typed, but for what stands in a plan of a mix.

use std::collections::BTreeSet;
use std::path::Path;

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
        bail!("{runs} runs are asked for, and at most {MOST_RUNS} can be at once; ask for fewer");
    }
    Ok(())
}

/// The runs that were asked for on that ground; `complete` adds to each what no word of the line
/// says, before it is examined.
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

/// The files that parameters name, each with the hash of what is in it.
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

/// Refuses to record what has no steps.
fn refuse_recording(chosen: &[&dyn Measurement], args: &RunArgs) -> Result<()> {
    let without = chosen.iter().find(|measurement| !measurement.records_steps());
    match (&args.record, without) {
        (Some(_), Some(measurement)) => {
            bail!("--record: {} has no steps that could be recorded; tire has", measurement.name())
        }
        _ => Ok(()),
    }
}

/// What takes longer from its due time on is late, where causes are asked for.
fn blame_beyond(
    measurement: &dyn Measurement,
    parameters: &Parameters,
    args: &BlameArgs,
) -> Result<Option<Nanos>> {
    let beyond = args.beyond(measurement, parameters);
    if args.blame && beyond.is_none() {
        bail!(
            "--blame: {} has nothing that is due at a time and could be late; wakeup, frame and \
             a real-time tire have",
            measurement.name()
        );
    }
    Ok(beyond)
}

/// The measurement of that name.
///
/// # Errors
/// What the name is instead, or what names there are.
pub(crate) fn measurement(name: &str) -> Result<&'static dyn Measurement> {
    if load::find(name).is_some() {
        bail!("`{name}` is a load, not a measurement; write --load {name} after a measurement");
    }
    if let Some(view) = analysis::views::view(name) {
        bail!(
            "`{name}` is a view, not a measurement: the report computes it from {}; run these, \
             and it stands in their report",
            (view.measurements)().join(", ")
        );
    }
    probe::find(name).with_context(|| {
        let known = MEASUREMENTS.iter().map(|m| m.name());
        format!("there is no measurement `{name}`; {}", units::expected(name, known))
    })
}

/// The loads of all flags, each once.
fn loads(typed: &[Vec<LoadSpec>]) -> Vec<LoadSpec> {
    let mut loads = Vec::new();
    for load in typed.iter().flatten() {
        if !loads.contains(load) {
            loads.push(load.clone());
        }
    }
    loads
}

/// A parameter that none of the chosen measurements takes would be ignored.
fn refuse_strange_parameters(chosen: &[&dyn Measurement], typed: &ParameterArgs) -> Result<()> {
    for name in typed.0.keys() {
        let taken = |m: &&dyn Measurement| m.parameters().iter().any(|p| p.name == *name);
        if !chosen.iter().any(taken) {
            let takers: Vec<_> =
                MEASUREMENTS.iter().copied().filter(taken).map(Measurement::name).collect();
            bail!("--{name} is a parameter of {}, which is not asked for", takers.join(" and "));
        }
    }
    Ok(())
}

/// Every combination of the values typed.
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

/// The parameters that are numbers of threads or processes.
fn thread_counts(measurement: &dyn Measurement) -> impl Iterator<Item = &'static Parameter> {
    let parameters = measurement.parameters().iter();
    parameters.filter(|p| matches!(p.kind, Kind::Threads(_)))
}

/// Thread counts by class become numbers on a machine.
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
        duration: duration(measurement, parameters, typed.seconds)?,
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

fn duration(
    measurement: &dyn Measurement,
    parameters: &Parameters,
    typed: Option<Nanos>,
) -> Result<Nanos> {
    match (measurement.length(parameters), typed) {
        (Length::Seconds(_), Some(time)) => Ok(time),
        (Length::Fixed(_), Some(_)) => bail!(
            "--seconds: the length of {} follows from its own parameters; see `steadfast list`",
            measurement.name()
        ),
        (length, None) => Ok(length.time()),
    }
}

/// How many threads or processes a run has.
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
