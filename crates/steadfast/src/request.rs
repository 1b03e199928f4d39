//! From what was typed to what it means: run specifications.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, bail};
use plan::{
    Asked, BETWEEN_SETTINGS, FileAsked, Kind, LatencyHold, LoadSpec, NOWHERE, Parameter,
    Parameters, RunSpec, Value,
};
use probe::{CpuUse, Length, MEASUREMENTS, MIX, Measurement};
use rt::topology;
use units::{CpuSet, Nanos, Policy};

use crate::args::{BlameArgs, Cpus, IdleArg, MOST_RUNS, MemoryArg};
use crate::command::run::args::RunArgs;
use crate::parameters::ParameterArgs;
use crate::place::Ground;
use crate::plans::mix;

/// The runs that were asked for, each one checked.
pub(crate) fn specs(args: &RunArgs) -> Result<Vec<RunSpec>> {
    let specs = specs_on(&args.place.target.ground()?, args)?;
    args.place.target.check(&specs)?;
    Ok(specs)
}

/// All runs so many times, in rounds.
pub(crate) fn repeated(specs: Vec<RunSpec>, times: usize) -> Result<Vec<RunSpec>> {
    expect_few(specs.len().saturating_mul(times)).context("--repeat")?;
    Ok(vec![specs; times].concat())
}

/// Refuses more runs than a plan may have.
pub(crate) fn expect_few(runs: usize) -> Result<()> {
    if runs > MOST_RUNS {
        bail!("{runs} runs are asked for, and at most {MOST_RUNS} can be at once; ask for fewer");
    }
    Ok(())
}

/// The same where the ground is known, and the runs are checked later.
pub(crate) fn specs_on(ground: &Ground, args: &RunArgs) -> Result<Vec<RunSpec>> {
    let args = &with_plan(args);
    let chosen = args
        .measurements
        .iter()
        .map(|name| measurement(name))
        .collect::<Result<Vec<_>>>()?;
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
            if let Some(path) = plan_of(&spec) {
                mix::fill(&mut spec, &path, args, ground)?;
            }
            measurement.examine(&mut spec).map_err(anyhow::Error::msg)?;
            if known.insert(serde_json::to_string(&spec)?) {
                specs.push(spec);
            }
        }
    }
    Ok(specs)
}

/// What was typed with the plan of a mix, which may follow its name, as the parameter that it is.
fn with_plan(args: &RunArgs) -> RunArgs {
    let mut args = args.clone();
    if let [name, path] = &args.measurements[..]
        && name == MIX
        && probe::find(path).is_none()
    {
        args.parameters.0.insert("plan", vec![path.clone()]);
        args.measurements.truncate(1);
    }
    args
}

/// The plan of a mix.
fn plan_of(spec: &RunSpec) -> Option<String> {
    let is_mix = spec.measurement == MIX;
    let path = is_mix.then(|| spec.parameters.word("plan"))?;
    (path != NOWHERE).then(|| path.to_owned())
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
            Ok(FileAsked {
                path: path.to_owned(),
                sha256,
            })
        })
        .collect()
}

/// Refuses to record what has no steps.
fn refuse_recording(chosen: &[&dyn Measurement], args: &RunArgs) -> Result<()> {
    let without = chosen
        .iter()
        .find(|measurement| !measurement.records_steps());
    match (&args.record, without) {
        (Some(_), Some(measurement)) => bail!(
            "--record: {} has no steps that could be recorded; tire has",
            measurement.name()
        ),
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
        format!(
            "there is no measurement `{name}`; {}",
            units::expected(name, known)
        )
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
            let takers: Vec<_> = MEASUREMENTS
                .iter()
                .copied()
                .filter(taken)
                .map(Measurement::name)
                .collect();
            bail!(
                "--{name} is a parameter of {}, which is not asked for",
                takers.join(" and ")
            );
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::run::args::parse_run_line;

    fn read(line: &str) -> Result<Vec<RunSpec>> {
        specs(&parse_run_line(line)?)
    }

    #[test]
    fn several_values_are_several_runs() {
        let specs = read("wakeup --period 1ms,10ms --policy fifo:70,").unwrap_err();
        assert!(specs.to_string().contains("--policy"));
        let specs = read("wakeup --period 1ms,10ms --policy fifo:70 --cpus 0").unwrap();
        let periods: Vec<Nanos> = specs.iter().map(|s| s.parameters.time("period")).collect();
        assert_eq!(periods, [Nanos(1_000_000), Nanos(10_000_000)]);
        assert!(specs.iter().all(|s| s.asked.policy == Policy::Fifo(70)));
    }

    #[test]
    fn locked_processes_get_a_cpu_each_and_free_ones_all() {
        let usable = topology::usable();
        let cpus = |line| read(line).unwrap()[0].asked.cpus.clone();
        assert_eq!(cpus("frame").len(), 1);
        assert_eq!(cpus("frame --processes cpus"), usable);
        assert_eq!(cpus("frame --affinity free"), usable);
    }

    #[test]
    fn a_core_is_left_to_the_program_where_two_cpus_are_left() {
        let set = |text: &str| -> CpuSet { text.parse().unwrap() };
        let cpus = |cores: &[&str], line: &str| {
            let cores: Vec<CpuSet> = cores.iter().map(|core| set(core)).collect();
            let usable = cores.iter().flat_map(CpuSet::iter).collect();
            let typed = parse_run_line(line).unwrap();
            let mut specs = specs_on(&Ground { usable, cores }, &typed).unwrap();
            specs.remove(0).asked.cpus
        };
        let [single, twice] = [["0", "1", "2"], ["0,4", "1,5", "2,6"]];
        assert_eq!(cpus(&single, "wakeup --cpus most"), set("1-2"));
        assert_eq!(cpus(&twice, "wakeup --cpus most"), set("1-2,5-6"));
        assert_eq!(cpus(&single[..2], "wakeup --cpus most"), set("0-1"));
        assert_eq!(cpus(&["0,1"], "wakeup --cpus most"), set("0-1"));
        let tire = |threads| cpus(&single, &format!("tire --cpus most --threads {threads}"));
        assert_eq!((tire("1"), tire("cpus")), (set("2"), set("1-2")));
    }

    #[test]
    fn late_is_what_misses_its_deadline_unless_a_person_says_otherwise() {
        let limit = |line| read(line).unwrap()[0].blame_beyond;
        assert_eq!(limit("wakeup"), None);
        assert_eq!(limit("wakeup --blame"), Some(Nanos(100_000)));
        assert_eq!(limit("frame --blame --rate 1kHz"), Some(Nanos(1_000_000)));
        let typed = "tire --mode real-time --blame --threshold 200us";
        assert_eq!(limit(typed), Some(Nanos(200_000)));
    }

    #[test]
    fn more_runs_than_a_plan_may_have_are_refused_before_they_fill_the_memory() {
        let list = |count: usize| (1..=count).map(|n| format!("{n}ms,")).collect::<String>();
        let many = list(400);
        let why = read(&format!("frame --seconds 1 --rate {many} --overrun skip"));
        assert!(why.is_err(), "a time is no rate");
        let line = format!(
            "interrupt --period {}1ms --source {}timer",
            list(400),
            "timer,".repeat(400)
        );
        let why = format!("{:#}", read(&line).unwrap_err());
        assert!(why.contains("160801 runs are asked for"), "{why}");
        let runs = read("wakeup --period 1ms,2ms").unwrap();
        assert_eq!(repeated(runs.clone(), 50_000).unwrap().len(), MOST_RUNS);
        let why = format!("{:#}", repeated(runs, 50_001).unwrap_err());
        assert!(why.starts_with("--repeat: 100002 runs"), "{why}");
    }

    #[test]
    fn equal_runs_are_made_once() {
        assert_eq!(read("wakeup wakeup --period 1ms,1ms").unwrap().len(), 1);
    }

    #[test]
    fn real_time_is_asked_for_where_deadlines_matter() {
        let wakeup = &read("wakeup").unwrap()[0].asked;
        assert!(wakeup.policy.is_real_time() && wakeup.memory_lock);
        let spin = &read("frame --start spin").unwrap()[0].asked;
        assert!(!spin.policy.is_real_time() && spin.memory_lock);
        let fast = &read("tire --mode real-fast").unwrap()[0].asked;
        assert!(!fast.policy.is_real_time() && !fast.memory_lock);
    }

    #[test]
    fn what_cannot_be_meant_is_refused_with_its_name() {
        for (line, reason) in [
            ("nonsense", "no measurement `nonsense`"),
            ("cpu", "is a load"),
            (
                "rhealstone",
                "from task_switch, preemption, interrupt, semaphore_shuffle",
            ),
            ("wakeup --load nonsense", "no load `nonsense`"),
            ("wakeup --masses 4", "--masses is a parameter of tire"),
            ("wakeup --period 0", "--period"),
            ("wakeup --period 1parsec", "--period: `parsec`"),
            ("wakeup --cpus 99", "--cpus: there is no CPU 99"),
            ("tire --seconds 3", "--seconds"),
            ("priority_inversion --policy other", "--policy"),
            ("task_switch --blame", "--blame: task_switch has nothing"),
            ("tire --blame --mode real-fast", "--blame: tire has nothing"),
            ("wakeup --threshold 1ms", "--blame"),
            ("wakeup --record x.csv", "--record: wakeup has no steps"),
            ("tire --record x.csv --threads 1", "500000 is the most"),
            ("tire --record x.csv --masses 40 --threads 2", "--threads 1"),
            (
                "tire --record x.csv --masses 40 --threads 1 --substeps 2",
                "--substeps",
            ),
            ("wakeup --blame --threshold soon", "--threshold"),
        ] {
            let error = format!("{:#}", read(line).unwrap_err());
            assert!(error.contains(reason), "{line}: {error}");
        }
    }
}
