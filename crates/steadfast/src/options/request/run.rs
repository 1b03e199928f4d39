//! A request for runs of one measurement, and the specifications that it means on a target, without
//! the members of a mix.

use std::collections::BTreeMap;
use std::path::Path;

use analysis::lists::each_once;
use analysis::{own_model, words};
use anyhow::{Context, Result, bail};
use base::{CpuSet, Nanos, Policy};
use measure::{CpuUse, Length, MEASUREMENTS, Measurement};
use record::{
    Asked, FileAsked, Kind, LatencyHold, LoadSpec, NOWHERE, Parameter, Parameters, Refused,
    RunSpec, Value, typed_settings,
};
use rt::topology;

use crate::options::parameters::ParameterArgs;
use crate::options::place::{Ground, Place};
use crate::options::{
    BlameArgs, Condition, ConditionArgs, Cpus, FollowArgs, IdleArg, MOST_RUNS, MemoryArg, Set,
};
use crate::startup::output::tell_once;

/// A request for runs of one measurement: one run for each combination of its parameters' values.
#[derive(Clone)]
pub(crate) struct RunRequest {
    pub(crate) measurement: &'static dyn Measurement,
    /// The values of the parameters that do not have their defaults.
    parameters: BTreeMap<&'static str, Vec<Value>>,
    /// The number of steps, in place of a time, of a measurement that makes one step per period.
    steps: Option<u64>,
    pub(crate) conditions: ConditionArgs,
    pub(crate) place: Place,
    pub(crate) blame: BlameArgs,
    pub(crate) follow: FollowArgs,
    pub(crate) record: bool,
}

impl RunRequest {
    pub(crate) fn of(measurement: &'static dyn Measurement) -> Self {
        Self {
            measurement,
            parameters: BTreeMap::new(),
            steps: None,
            conditions: ConditionArgs::default(),
            place: Place::Local,
            blame: BlameArgs::default(),
            follow: FollowArgs::default(),
            record: false,
        }
    }

    pub(crate) fn named(name: &str) -> Result<Self> {
        measurement(name).map(Self::of)
    }

    fn declared(&self, name: &str) -> Result<&'static Parameter, Refused> {
        let declared = self.measurement.parameters().iter().find(|own| own.name == name);
        declared.ok_or_else(|| {
            Refused::option(name, format!("{} has no such parameter", self.measurement.name()))
        })
    }

    pub(crate) fn set_all(&mut self, name: &str, values: Vec<Value>) -> Result<(), Refused> {
        let parameter = self.declared(name)?;
        values.iter().try_for_each(|value| parameter.check(value))?;
        self.parameters.insert(parameter.name, values);
        Ok(())
    }

    pub(crate) fn set(&mut self, name: &str, value: Value) -> Result<(), Refused> {
        self.set_all(name, vec![value])
    }

    pub(crate) fn set_word(&mut self, name: &str, word: &str) -> Result<(), Refused> {
        self.set(name, Value::Word(word.to_owned()))
    }

    pub(crate) fn parse(&mut self, name: &str, text: &str) -> Result<(), Refused> {
        let value = self.declared(name)?.parse(text)?;
        self.set(name, value)
    }

    /// Sets a condition from the text that follows its flag.
    pub(crate) fn put(&mut self, condition: &Condition, text: &str) -> Result<(), String> {
        match condition.set {
            Set::Place(set) => set(&mut self.place, text),
            Set::Blame(set) => set(&mut self.blame, text),
            Set::Follow(set) => set(&mut self.follow, text),
            Set::Own(set) => set(&mut self.conditions, text),
        }
    }

    pub(crate) fn word(&self, name: &str) -> Option<&str> {
        match self.parameters.get(name)?.as_slice() {
            [Value::Word(word)] => Some(word),
            _ => None,
        }
    }

    pub(crate) fn read(&mut self, typed: &ParameterArgs) -> Result<()> {
        refuse_strange_parameters(&[self.measurement], typed)?;
        self.read_own(typed)
    }

    /// Sets the typed parameters that the measurement takes; several values are several runs.
    pub(crate) fn read_own(&mut self, typed: &ParameterArgs) -> Result<()> {
        for parameter in self.measurement.parameters() {
            let Some(texts) = typed.0.get(parameter.name) else {
                continue;
            };
            let texts = match parameter.kind {
                Kind::Settings => &[typed_settings(texts)],
                Kind::Names => &[texts.join(",")],
                _ => texts.as_slice(),
            };
            let values = texts.iter().map(|text| parameter.parse(text));
            self.parameters.insert(parameter.name, values.collect::<Result<_, _>>()?);
        }
        if counts_steps(self.measurement)
            && let Some(texts) = typed.0.get(STEPS)
        {
            self.steps = Some(read_steps(texts)?);
        }
        Ok(())
    }
}

fn read_steps(texts: &[String]) -> Result<u64, Refused> {
    let [text] = texts else {
        return Err(Refused::option(STEPS, "give one number"));
    };
    let steps = text.parse().ok().filter(|steps| *steps > 0);
    steps.ok_or_else(|| Refused::option(STEPS, format!("`{text}` is not a whole number above 0")))
}

pub(crate) fn expect_few(runs: usize) -> Result<()> {
    if runs > MOST_RUNS {
        bail!("{runs} runs requested, but at most {MOST_RUNS} are possible at once; request fewer");
    }
    Ok(())
}

/// Returns the runs on that target; `complete` adds what the request does not contain.
pub(crate) fn specs_on(
    ground: &Ground,
    request: &RunRequest,
    complete: impl Fn(&mut RunSpec, &Ground) -> Result<()>,
) -> Result<Vec<RunSpec>> {
    let ground = &match request.conditions.cpus {
        Some(Cpus::Most) => ground.clone().but_for_a_core(),
        _ => ground.clone(),
    };
    let (mut specs, mut expected) = (Vec::new(), Vec::new());
    for mut parameters in request.crossed(ground)? {
        let duration = request.duration(&mut parameters)?;
        let measurement = request.measurement;
        let blame_beyond = request.blame_beyond(&parameters)?;
        let files = files_of(measurement, &parameters)?;
        let asked = request.asked(&parameters, duration, ground)?;
        let spec = RunSpec::new(measurement.name(), parameters, asked);
        let FollowArgs { live, stop_at } = request.follow;
        let record = request.record;
        let mut spec = RunSpec { blame_beyond, live, stop_at, record, files, ..spec };
        request.expect_followable(&spec)?;
        complete(&mut spec, ground)?;
        expected.extend(measurement.examine(&mut spec).map_err(anyhow::Error::msg)?);
        specs.push(spec);
    }
    // Several runs, or members of a mix, may have the same note.
    for warning in expected {
        tell_once(&format!("note: {}; {}", warning.cause(), warning.remedy()));
    }
    Ok(specs)
}

fn files_of(measurement: &dyn Measurement, parameters: &Parameters) -> Result<Vec<FileAsked>> {
    let mut files = Vec::new();
    for parameter in measurement.parameters() {
        let path = parameters.word(parameter.name);
        if matches!(parameter.kind, Kind::File(_)) && path != NOWHERE {
            let sha256 = model_file::sha256(Path::new(path));
            let (sha256, _) = sha256.with_context(|| match measurement.name() {
                // Its plan is typed without an option.
                measure::MIX => measure::MIX.to_owned(),
                _ => format!("--{}", parameter.name),
            })?;
            files.push(FileAsked { path: path.to_owned(), sha256 });
        }
    }
    Ok(files)
}

pub(crate) fn refuse_recording(chosen: &[&dyn Measurement]) -> Result<(), Refused> {
    let Some(without) = chosen.iter().find(|measurement| !measurement.records_steps()) else {
        return Ok(());
    };
    let recorders = recorders().collect::<Vec<_>>().join(" or ");
    let what = format!("{} has no steps to record", without.name());
    Err(Refused::option("record", what).remedy(format!("use it with {recorders}")))
}

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
            let mut late = Vec::new();
            for word in words {
                let mut parameters = usual.clone();
                parameters.set(parameter.name, Value::Word((*word).to_owned()));
                if can_be_late(&parameters) {
                    late.push(format!("{name} with --{} {word}", parameter.name));
                }
            }
            if !late.is_empty() && late.len() < words.len() {
                return late;
            }
        }
        Vec::from_iter(can_be_late(&usual).then(|| name.to_owned()))
    };
    MEASUREMENTS.iter().flat_map(of_one).collect()
}

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
    measure::find(name).with_context(|| {
        let known = MEASUREMENTS.iter().map(|m| m.name());
        let expected = base::expected_of(name, known, "steadfast list");
        format!("there is no measurement `{name}`; {expected}")
    })
}

/// Refuses a parameter that none of the chosen measurements takes, because it would be ignored.
pub(crate) fn refuse_strange_parameters(
    chosen: &[&dyn Measurement],
    typed: &ParameterArgs,
) -> Result<()> {
    for name in typed.0.keys() {
        let taken = |m: &&dyn Measurement| {
            m.parameters().iter().any(|p| p.name == *name) || (*name == STEPS && counts_steps(*m))
        };
        if !chosen.iter().any(taken) {
            let takers = MEASUREMENTS.iter().copied().filter(taken);
            let takers: Vec<String> = takers.map(|taker| taker.name().to_owned()).collect();
            let (first, listed) = (&takers[0], words::listed(&takers));
            let (is_not, it) = match takers.len() {
                1 => ("which is not", "it"),
                _ => ("none of which is", "one"),
            };
            bail!(
                "--{name} is a parameter of {listed}, {is_not} among the measurements to run; \
                 name {it} after the command: `{first} --{name} ...`"
            );
        }
    }
    Ok(())
}

/// The parameter that says how many steps a run has, in place of its time.
pub(crate) const STEPS: &str = "steps";

/// Returns whether the length of a run is a time in which it makes one step per period.
fn counts_steps(measurement: &dyn Measurement) -> bool {
    measurement.name() == own_model::MEASUREMENT
}

fn thread_counts(measurement: &dyn Measurement) -> impl Iterator<Item = &'static Parameter> {
    measurement.parameters().iter().filter(|p| matches!(p.kind, Kind::Threads(_)))
}

/// Replaces thread counts given by a word, such as `cores`, by their number on the target.
fn count_threads(measurement: &dyn Measurement, parameters: &mut Parameters, ground: &Ground) {
    for parameter in thread_counts(measurement) {
        let count = match parameters.word(parameter.name) {
            "cores" => topology::cores_of(&ground.cores, &ground.usable),
            "cpus-1" => (ground.usable.len() - 1).max(1),
            "cpus" => ground.usable.len(),
            "2xcpus" => 2 * ground.usable.len(),
            _ => continue,
        };
        parameters.set(parameter.name, Value::Count(count as u64));
    }
}

impl RunRequest {
    fn crossed(&self, ground: &Ground) -> Result<Vec<Parameters>> {
        let declared = self.measurement.parameters();
        let mut all = vec![Parameters::defaults(declared)];
        for parameter in declared {
            let Some(values) = self.parameters.get(parameter.name) else {
                continue;
            };
            let runs = all.len().saturating_mul(values.len());
            expect_few(runs).with_context(|| format!("--{}", parameter.name))?;
            let with = |before: &Parameters, value: &Value| {
                let mut parameters = before.clone();
                parameters.set(parameter.name, value.clone());
                parameters
            };
            all = all.iter().flat_map(|one| values.iter().map(|value| with(one, value))).collect();
        }
        all.iter_mut().for_each(|one| count_threads(self.measurement, one, ground));
        Ok(all)
    }

    /// Refuses to follow a run that cannot be followed, or where that is not possible.
    fn expect_followable(&self, spec: &RunSpec) -> Result<()> {
        if !spec.hands_over() {
            return Ok(());
        }
        if !self.measurement.can_be_followed() {
            bail!(measure::cannot_be_followed(spec));
        }
        if let Place::Vm(_) = self.place {
            let options = spec.options_to_follow();
            bail!(
                "{options}: a machine of the lab sends nothing while it measures; use this machine or \
                 `--target ssh:HOST`"
            );
        }
        Ok(())
    }

    /// Returns how long after its due time something is late, if causes are requested.
    fn blame_beyond(&self, parameters: &Parameters) -> Result<Option<Nanos>, Refused> {
        let beyond = self.blame.beyond(self.measurement, parameters, self.follow.stop_at);
        if self.blame.blame && beyond.is_none() {
            let name = self.measurement.name();
            let what = format!("{name} has nothing with a due time, so nothing can be late");
            let remedy = format!("use it with {}", with_due_times().join(", "));
            return Err(Refused::option("blame", what).remedy(remedy));
        }
        Ok(beyond)
    }

    fn asked(&self, parameters: &Parameters, duration: Nanos, ground: &Ground) -> Result<Asked> {
        let typed = &self.conditions;
        let real_time = self.measurement.is_real_time(parameters);
        let policy = typed.policy.unwrap_or(self.measurement.usual_policy(parameters));
        let is_held = typed.idle_states.map_or(real_time, |state| state == IdleArg::Hold);
        Ok(Asked {
            cpus: self.cpus(parameters, policy, ground),
            policy,
            duration,
            memory_lock: typed.memory.map_or(real_time, |state| matches!(state, MemoryArg::Locked)),
            cpu_dma_latency: if is_held { LatencyHold::Hold } else { LatencyHold::Leave },
            loads: self.loads()?,
            beside: typed.beside,
            tried: Vec::new(),
        })
    }

    fn loads(&self) -> Result<Vec<LoadSpec>, Refused> {
        let typed = &self.conditions.load;
        // `none` is an empty list.
        if typed.iter().any(Vec::is_empty) && !typed.iter().all(Vec::is_empty) {
            return Err(Refused::option("load", load::NONE_AMONG_OTHERS));
        }
        Ok(each_once(typed.iter().flatten().cloned()))
    }

    /// Returns how long a run is; a time that is requested of one with a number of steps sets that.
    fn duration(&self, parameters: &mut Parameters) -> Result<Nanos, Refused> {
        let typed = self.conditions.seconds;
        if typed.is_some() && (self.steps.is_some() || self.parameters.contains_key(STEPS)) {
            let what = "--seconds says how long the run is";
            return Err(Refused::option(STEPS, what).remedy("leave one of them out"));
        }
        let rate = parameters.rate();
        match (self.measurement.length(parameters), typed, self.steps) {
            (Length::Time(_), _, Some(_)) if !self.measurement.is_real_time(parameters) => {
                let what = "a real-fast run makes as many steps as it can";
                Err(Refused::option(STEPS, what).remedy("use --seconds"))
            }
            (Length::Time(_), _, Some(steps)) => {
                Ok(rate.map_or(Nanos(0), |rate| rate.time_of(steps)))
            }
            (Length::Time(_), Some(time), None) => Ok(time),
            (Length::Steps(_), Some(time), _) => {
                let steps = rate.map_or(1, |rate| rate.periods_in(time).max(1));
                parameters.set(STEPS, Value::Count(steps));
                Ok(self.measurement.length(parameters).time())
            }
            (Length::Fixed(_), Some(_), _) => {
                let name = self.measurement.name();
                let what = format!("the length of {name} is set by its own parameters");
                Err(Refused::option("seconds", what).remedy(format!("see `steadfast help {name}`")))
            }
            (length, None, _) => Ok(length.time()),
        }
    }

    fn cpus(&self, parameters: &Parameters, policy: Policy, ground: &Ground) -> CpuSet {
        let threads = || {
            let counts = thread_counts(self.measurement);
            counts.map(|count| parameters.count(count.name) as usize).max().unwrap_or(1)
        };
        let count = match (&self.conditions.cpus, self.measurement.cpu_use(parameters)) {
            (Some(Cpus::These(cpus)), _) => return cpus.clone(),
            (Some(Cpus::Most), CpuUse::Threads) => threads(),
            (Some(Cpus::All | Cpus::Most), _) | (None, CpuUse::All) => {
                return ground.usable.clone();
            }
            (None, _) if matches!(policy, Policy::Deadline { .. }) => return ground.usable.clone(),
            (None, CpuUse::One) => 1,
            (None, CpuUse::Two) => 2,
            (None, CpuUse::Threads) => threads(),
        };
        ground.spread(count)
    }
}
