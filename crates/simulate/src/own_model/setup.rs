//! The user's own model as a run requests it: its files, checked against the options.

use std::fmt::Display;
use std::path::PathBuf;

use base::{Policy, counted};
use model_file::{Archive, Description, Functions, Kind, Library, StartValue, Type, Unpacked};
use record::{NOWHERE, RunSpec, Warning, named_settings};
use rt::owned::{self, MODELS};
use rt::{read, role};
use tempfile::TempDir;

use super::clocks::{self, Ticking};
use super::inputs::Inputs;
use super::own_threads::Cpus;
use super::parameters::{self as options, INTERFACES, What};
use super::step_size::Unfit;
use super::times::Times;
use super::variables::{self, Start, Value};
use crate::model::steps;

/// Maximum size of a file of inputs, in bytes.
pub(super) const LARGEST_INPUT: u64 = 64 << 20;
/// Maximum number of values of a program that can be connected to other members.
const MOST_LINKED: usize = 1000;
/// Maximum number of instances of a program, each of which is a process.
const MOST_PROCESSES: u64 = 64;

#[derive(Debug)]
pub(super) struct Fmu {
    pub(super) archive: Archive,
    pub(super) kind: Kind,
    pub(super) starts: Vec<Start>,
    pub(super) logs: bool,
    pub(super) integrator: String,
    pub(super) substeps: u64,
    /// The unpacked files, in a folder that is deleted with this value.
    pub(super) files: Option<(Unpacked, TempDir)>,
}

#[derive(Debug)]
pub(super) struct OwnLibrary {
    pub(super) path: PathBuf,
    pub(super) functions: Functions,
    /// The number of steps from one call to the next for each step function, in their order.
    pub(super) every: Vec<u64>,
    pub(super) starts: Vec<StartValue>,
    /// The name of the start function, if it returns whether it succeeded.
    pub(super) start_with_status: Option<String>,
}

#[derive(Debug)]
pub(super) enum Origin {
    Fmu(Box<Fmu>),
    Library(OwnLibrary),
    /// A shell command line.
    Program(String),
}

#[derive(Debug)]
pub(super) struct Setup {
    pub(super) origin: Origin,
    pub(super) name: String,
    /// The name of the first instance of an FMU.
    pub(super) instance_name: String,
    /// How the model is stepped, by the standard term.
    pub(super) interface: &'static str,
    pub(super) times: Times,
    /// The clocks of a Scheduled Execution, the one with the shortest period first.
    pub(super) clocks: Vec<Ticking>,
    pub(super) threads: usize,
    pub(super) policy: Policy,
    pub(super) cpus: Cpus,
    instances: usize,
    pub(super) inputs: Inputs,
    /// The positions of the inputs of a program that come from other members.
    linked: Vec<usize>,
    /// The variables of the inputs, in their order.
    pub(super) set: Vec<Value>,
    /// The outputs that are numbers, which are read after each step.
    pub(super) outputs: Vec<Value>,
    /// Outputs that are texts, followed by those that are binary data, if they are recorded.
    pub(super) texts: Vec<Value>,
    pub(super) recorded_rows: Option<u64>,
    /// The number of measured steps.
    pub(super) steps: u64,
    pub(super) unfit: Option<Unfit>,
    /// Whether it says that it needs the tool that exported it.
    ignores_tool: bool,
    /// The names of outputs that may be infinite, without the numbers of elements.
    infinite: Vec<String>,
}

/// Whether an output has a name, or is an element of the array of that name.
fn is_named(output: &str, name: &str) -> bool {
    output.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
}

impl Setup {
    /// Returns the model that a run requests. An error names the option or the file.
    pub(super) fn of(spec: &RunSpec) -> Result<Self, String> {
        let what = What::of(spec)?;
        let parameters = &spec.parameters;
        let (instances, threads) = (parameters.instances(), parameters.threads());
        if threads > instances {
            return Err(format!(
                "--threads: {threads} threads cannot share {}; use at least as many --instances, or \
                 more --cpus if the model starts threads itself",
                counted(instances as usize, "instance")
            ));
        }
        let mut setup = Self {
            origin: Origin::Program(parameters.program().to_owned()),
            name: parameters.word(what.name()).to_owned(),
            instance_name: String::new(),
            interface: what.name(),
            times: times(spec, 0.0),
            clocks: Vec::new(),
            threads: threads as usize,
            policy: spec.asked.policy,
            cpus: Cpus::of(&spec.asked, threads as usize),
            instances: instances as usize,
            inputs: Inputs::default(),
            linked: Vec::new(),
            set: Vec::new(),
            outputs: Vec::new(),
            texts: Vec::new(),
            // The state after initialisation, the one after the first step, and those after the
            // measured steps.
            recorded_rows: spec.record.then(|| steps(spec).saturating_add(2)),
            steps: steps(spec),
            unfit: None,
            ignores_tool: false,
            infinite: Vec::new(),
        };
        options::refuse_of_other_sources(spec, what)?;
        match what {
            What::Fmu => setup.take_fmu(spec)?,
            What::Library => setup.take_library(spec)?,
            What::Program if instances > MOST_PROCESSES => {
                return Err(format!(
                    "--instances: each instance of a program is a process; at most \
                     {MOST_PROCESSES} are allowed"
                ));
            }
            What::Program => {
                setup.infinite = variables::names_in(parameters.allow_inf(), |_| true);
                setup.take_inputs(spec)?;
            }
        }
        Ok(setup)
    }

    pub(super) fn fmu(&self) -> Result<&Fmu, String> {
        match &self.origin {
            Origin::Fmu(fmu) => Ok(fmu),
            _ => Err("it is not an FMU".to_owned()),
        }
    }

    /// Unpacks the files of an FMU, before its first instance is created. They last as long as this
    /// setup, and are replaced by the next call.
    pub(super) fn unpack(&mut self) -> Result<(), String> {
        let Origin::Fmu(fmu) = &mut self.origin else {
            return Ok(());
        };
        let folder = TempDir::with_prefix(owned::folders_of_this(MODELS))
            .map_err(|error| format!("cannot create a temporary folder: {error}"))?;
        let unpacked = fmu.archive.unpack(folder.path(), fmu.kind);
        fmu.files = Some((unpacked.map_err(|error| format!("--fmu: {error}"))?, folder));
        Ok(())
    }

    /// Connects these inputs to other members, and returns their positions among the values.
    pub(super) fn take_links(&mut self, names: &[String]) -> Result<Vec<usize>, String> {
        let Some(first) = names.first() else {
            return Ok(Vec::new());
        };
        if !self.inputs.names.is_empty() {
            return Err(format!(
                "input: `{first}` comes from another member; do not use a file of inputs as well"
            ));
        }
        match &self.origin {
            Origin::Fmu(fmu) => {
                let found = variables::over_time(&fmu.archive.description, names)?;
                (self.set, self.inputs.holds) = (found.values, found.holds);
                let mut places = vec![0; names.len()];
                for (place, column) in found.columns.into_iter().enumerate() {
                    places[column] = place;
                }
                Ok(places)
            }
            Origin::Program(_) => {
                let places = names.iter().map(|name| place_in("inputs", name));
                self.linked = places.collect::<Result<_, _>>()?;
                Ok(self.linked.clone())
            }
            Origin::Library(_) => Err(format!("a library has no input `{first}`")),
        }
    }

    /// Returns the position of the output of that name among all outputs.
    pub(super) fn place_of_output(&self, name: &str) -> Result<usize, String> {
        match &self.origin {
            Origin::Program(_) => place_in("outputs", name),
            _ => {
                let place = self.outputs.iter().position(|output| output.name == name);
                place.ok_or_else(|| format!("{} has no output `{name}`", self.name))
            }
        }
    }

    /// Refuses values for inputs that a program with this number of inputs does not have.
    pub(super) fn check_inputs(&self, there: usize) -> Result<(), String> {
        let columns = (0..self.inputs.names.len()).map(|column| (column, "--input"));
        let links = self.linked.iter().map(|place| (*place, "another member"));
        match columns.chain(links).find(|(place, _)| *place >= there) {
            None => Ok(()),
            Some((place, from)) => Err(format!(
                "it has {there} inputs, but {from} has a value for its input {place}, counted from 0"
            )),
        }
    }

    /// Returns what a user must know before the run.
    pub(super) fn notes(&self) -> Vec<Warning> {
        let tool = self.ignores_tool.then(|| Warning::ToolIgnored { model: self.name.clone() });
        self.unfit.iter().map(Unfit::warning).chain(tool).collect()
    }

    /// Whether an output may be infinite.
    pub(super) fn may_be_infinite(&self, output: &str) -> bool {
        self.infinite.iter().any(|name| is_named(output, name))
    }

    fn names_of_infinite(&self, typed: &str) -> Result<Vec<String>, String> {
        let is_output = |name: &str| self.outputs.iter().any(|output| is_named(&output.name, name));
        let names = variables::names_in(typed, is_output);
        match names.iter().find(|name| !is_output(name)) {
            None => Ok(names),
            Some(name) => {
                let all = self.outputs.iter().map(|output| output.name.as_str());
                let expected = base::expected(name, all);
                Err(format!("--allow-inf: {} has no output `{name}`; {expected}", self.name))
            }
        }
    }

    pub(super) fn instances_of(&self, thread: usize) -> usize {
        let (each, more) = (self.instances / self.threads, self.instances % self.threads);
        each + usize::from(thread < more)
    }

    fn take_fmu(&mut self, spec: &RunSpec) -> Result<(), String> {
        let parameters = &spec.parameters;
        let named = |error: &dyn Display| format!("--fmu: {error}");
        let mut archive = Archive::open(&file(spec, "fmu")?).map_err(|error| named(&error))?;
        let starts = variables::starts(&mut archive.description, parameters.settings())?;
        let description = &archive.description;
        let kind = kind_of(description, parameters.interface())?;
        options::refuse_of_other_interfaces(spec, kind)?;
        if kind == Kind::ScheduledExecution {
            options::refuse_of_stepped_models(spec)?;
            let ticks = clocks::typed(description, parameters.tick())?;
            self.clocks = clocks::read(description, &ticks).map_err(|error| named(&error))?;
        }
        let interface = description.interface(kind).ok_or_else(|| named(&"it has no interface"))?;
        self.ignores_tool = interface.needs_execution_tool;
        if self.ignores_tool && parameters.execution_tool() == "required" {
            return Err(named(&format!(
                "{} needs the tool that exported it to run as well; export it as a standalone FMU, \
                 or try it without (--execution-tool ignored)",
                description.name
            )));
        }
        if interface.single_instance && self.instances > 1 {
            return Err(format!(
                "--instances: {} can be instantiated only once in a process",
                description.name
            ));
        }
        let rate = parameters.rate();
        self.unfit = rate.and_then(|rate| Unfit::of(description, kind, rate));
        self.name = description.name.clone();
        self.instance_name = description.name.clone();
        self.interface = kind.name();
        self.times = times(spec, description.experiment.start.unwrap_or(0.0));
        let places = variables::read_after_steps(description, parameters.output())?;
        let outputs = |is_asked_for| variables::outputs(description, &places, is_asked_for);
        self.outputs = outputs(variables::is_number).map_err(|error| named(&error))?;
        if spec.record {
            self.texts = outputs(variables::is_text).map_err(|error| named(&error))?;
            // The order in which they are read.
            self.texts.sort_by_key(|text| text.kind == Type::Binary);
        }
        self.infinite = self.names_of_infinite(parameters.allow_inf())?;
        self.take_inputs(spec)?;
        let found = variables::over_time(description, &self.inputs.names)?;
        self.inputs.reorder(&found.columns);
        variables::check_over_time(description, &found.values, &self.inputs)?;
        (self.set, self.inputs.holds) = (found.values, found.holds);
        self.origin = Origin::Fmu(Box::new(Fmu {
            kind,
            starts,
            logs: parameters.log() == "on",
            integrator: parameters.integrator().to_owned(),
            substeps: parameters.substeps(),
            archive,
            files: None,
        }));
        Ok(())
    }

    /// Reads the file of inputs, which names the variables.
    fn take_inputs(&mut self, spec: &RunSpec) -> Result<(), String> {
        if spec.parameters.input() == NOWHERE {
            return Ok(());
        }
        let path = file(spec, "input")?;
        let named = |error: &dyn Display| format!("--input: {}: {error}", path.display());
        let text = read::bounded(&path, LARGEST_INPUT).map_err(|error| named(&error))?;
        let text = String::from_utf8(text).map_err(|_| named(&"it is not text (UTF-8)"))?;
        self.inputs = Inputs::read(&text, self.times).map_err(|error| named(&error))?;
        Ok(())
    }

    fn take_library(&mut self, spec: &RunSpec) -> Result<(), String> {
        let word = |flag| spec.parameters.word(flag);
        let named = |error: &dyn Display| format!("--library: {error}");
        let path = file(spec, "library")?;
        let library = Library::read(&path).map_err(|error| named(&error))?;
        let [init, step, end] =
            ["init", "step", "end"].map(|flag| Some(word(flag)).filter(|name| *name != NOWHERE));
        let functions = library.functions(init, step, end).map_err(|error| named(&error))?;
        if self.instances > 1 {
            return Err("--instances: all callers of a library share one state; use 1".to_owned());
        }
        let starts = named_settings(word("set"), |_| true);
        let starts = starts.and_then(|starts| library.start_values(&starts));
        let starts = starts.map_err(|why| format!("--set: {why}"))?;
        // Its name without the folder.
        let name = word("library").rsplit('/').next();
        self.name = name.unwrap_or_default().to_owned();
        let every = every(word("every"), &functions.steps)?;
        let start_with_status = functions.initialize.clone();
        let start_with_status =
            start_with_status.filter(|_| library.start_returns_status(&functions));
        let own = OwnLibrary { path, functions, every, starts, start_with_status };
        self.origin = Origin::Library(own);
        Ok(())
    }
}

fn times(spec: &RunSpec, start: f64) -> Times {
    spec.parameters.rate().map_or_else(Times::default, |rate| Times::of(start, rate))
}

/// Checks that this machine can load the binary of an FMU, if its file is here.
pub(super) fn check_binary(spec: &RunSpec) -> Result<(), String> {
    if !matches!(What::of(spec)?, What::Fmu) {
        return Ok(());
    }
    let Ok(path) = file(spec, "fmu") else { return Ok(()) };
    let archive = Archive::open(&path).map_err(|error| format!("--fmu: {error}"))?;
    let kind = kind_of(&archive.description, spec.parameters.interface())?;
    archive.library(kind).map_err(|error| format!("--fmu: {error}"))?;
    Ok(())
}

/// Returns where the file of a parameter is.
pub(super) fn file(spec: &RunSpec, parameter: &str) -> Result<PathBuf, String> {
    let path = spec.parameters.word(parameter);
    let Some(asked) = spec.files.iter().find(|file| file.path == path) else {
        return Ok(path.into());
    };
    let place = role::file(path, &asked.sha256);
    let (found, _) =
        model_file::sha256(&place).map_err(|error| format!("--{parameter}: {error}"))?;
    if found == asked.sha256 {
        return Ok(place);
    }
    Err(format!(
        "--{parameter}: {path} has changed since the run was requested; start the run again"
    ))
}

fn kind_of(description: &Description, word: &str) -> Result<Kind, String> {
    let wanted = match INTERFACES.iter().position(|known| *known == word) {
        Some(place @ 1..) => &Kind::ALL[place - 1..place],
        _ => &Kind::ALL[..],
    };
    let offered = |kind: &&Kind| description.interface(**kind).is_some();
    wanted.iter().find(offered).copied().ok_or_else(|| {
        let offered = description.interfaces.iter().map(|interface| interface.kind.name());
        let offered: Vec<&str> = offered.collect();
        format!("--interface: {} offers {}", description.name, offered.join(" and "))
    })
}

/// Returns the position of a name such as `outputs[3]` among a program's numbers.
fn place_in(which: &str, name: &str) -> Result<usize, String> {
    let number = || name.strip_prefix(which)?.strip_prefix('[')?.strip_suffix(']')?.parse().ok();
    number()
        .filter(|place| *place < MOST_LINKED)
        .ok_or_else(|| format!("a program has no `{name}`; expected {which}[0], {which}[1], ..."))
}

/// Returns the steps from one call to the next per function of a library: one, unless given.
fn every(typed: &str, steps: &[String]) -> Result<Vec<u64>, String> {
    if typed == NOWHERE {
        return Ok(vec![1; steps.len()]);
    }
    let number = |word: &str| word.trim().parse().ok().filter(|count| *count > 0);
    let counts: Option<Vec<u64>> = typed.split('+').map(number).collect();
    let counts = counts
        .ok_or_else(|| format!("--every: `{typed}` is not a list of step counts such as 1+10"))?;
    match counts.len() == steps.len() {
        true => Ok(counts),
        false => Err(format!(
            "--every: {typed} has {} counts, but the library has the step functions {}; give one \
             count for each",
            counts.len(),
            steps.join(", ")
        )),
    }
}

#[cfg(test)]
pub(super) mod tests;
