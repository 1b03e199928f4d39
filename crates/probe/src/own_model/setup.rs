//! A person's own model as a run asks for it: what is in its files, held against what was typed.

use std::fmt::Display;
use std::path::PathBuf;

use model::{Archive, Description, Functions, Kind, Library, Unpacked};
use plan::{NOWHERE, RunSpec};
use rt::owned::{self, MODELS};
use rt::process::this;
use rt::{read, role};
use tempfile::TempDir;
use units::Policy;

use super::inputs::Inputs;
use super::parameters::{INTEGRATORS, INTERFACES};
use super::record::Recorder;
use super::scheduled::{self, Ticking};
use super::times::Times;
use super::variables::{self, Start, Value};
use crate::model::REAL_TIME;

/// The largest file of inputs, in bytes.
const LARGEST_INPUT: u64 = 64 << 20;
/// Most instances of a program, each of which is a process.
const MOST_PROCESSES: u64 = 64;

/// Where a model comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// An archive of FMI's.
    Fmu,
    /// Functions of a shared library.
    Library,
    /// A process that attaches.
    Program,
}

impl What {
    const ALL: [(&str, Self); 3] = [
        ("fmu", Self::Fmu),
        ("library", Self::Library),
        ("program", Self::Program),
    ];

    /// The one that a run names.
    pub(super) fn of(spec: &RunSpec) -> Result<Self, String> {
        let is_named = |(flag, _): &&(&str, Self)| spec.parameters.word(flag) != NOWHERE;
        let named: Vec<_> = Self::ALL.iter().filter(is_named).collect();
        match named[..] {
            [(_, what)] => Ok(*what),
            [] => Err(
                "model: which one? Name it with --fmu FILE.fmu, --library FILE.so or \
                       --program COMMAND"
                    .to_owned(),
            ),
            [(one, _), (other, _), ..] => Err(format!(
                "--{one} and --{other} are two models; name one of them"
            )),
        }
    }

    fn flag(self) -> &'static str {
        let all = Self::ALL.iter();
        all.clone()
            .find(|(_, what)| *what == self)
            .map_or("", |(flag, _)| flag)
    }
}

/// What an FMU is instantiated from.
#[derive(Debug)]
pub(super) struct Fmu {
    pub(super) archive: Archive,
    pub(super) kind: Kind,
    /// Start values that were typed.
    pub(super) starts: Vec<Start>,
    pub(super) logs: bool,
    pub(super) integrator: String,
}

/// Where the model of a setup comes from, read and held against what was typed.
#[derive(Debug)]
pub(super) enum Origin {
    Fmu(Box<Fmu>),
    Library(PathBuf, Functions),
    /// A line of the shell.
    Program(String),
}

/// A model as a run asks for it.
#[derive(Debug)]
pub(super) struct Setup {
    pub(super) origin: Origin,
    /// The model's own name.
    pub(super) name: String,
    /// How it is stepped, in the field's word.
    pub(super) interface: &'static str,
    pub(super) times: Times,
    pub(super) substeps: u64,
    /// Each how many steps a function of a library is called, in the order of its functions.
    pub(super) every: Vec<u64>,
    /// The clocks of a scheduled execution, that of the shortest period first.
    pub(super) clocks: Vec<Ticking>,
    pub(super) threads: usize,
    pub(super) policy: Policy,
    instances: usize,
    pub(super) inputs: Inputs,
    /// The variables of the inputs, in their order.
    pub(super) set: Vec<Value>,
    /// What is read after each step.
    pub(super) outputs: Vec<Value>,
    /// How many rows of outputs are recorded, where they are.
    pub(super) recorded_rows: Option<u64>,
    /// Where the files of an FMU are, once they are unpacked.
    pub(super) unpacked: Option<Unpacked>,
}

impl Setup {
    /// The model that a run asks for.
    ///
    /// # Errors
    /// One line that names the flag or the file, and what is wrong.
    pub(super) fn of(spec: &RunSpec) -> Result<Self, String> {
        let what = What::of(spec)?;
        let parameters = &spec.parameters;
        let [instances, threads] = ["instances", "threads"].map(|name| parameters.count(name));
        if threads > instances {
            return Err(format!(
                "--threads: {threads} threads cannot share {instances} instances; ask for as many \
                 --instances at least"
            ));
        }
        let mut setup = Self {
            origin: Origin::Program(parameters.word("program").to_owned()),
            name: parameters.word(what.flag()).to_owned(),
            interface: what.flag(),
            times: Times {
                start: 0.0,
                step: parameters.time("rate").0 as f64 / 1e9,
            },
            substeps: parameters.count("substeps"),
            every: Vec::new(),
            clocks: Vec::new(),
            threads: threads as usize,
            policy: spec.asked.policy,
            instances: instances as usize,
            inputs: Inputs::default(),
            set: Vec::new(),
            outputs: Vec::new(),
            recorded_rows: Recorder::rows(spec),
            unpacked: None,
        };
        refuse_of_others(spec, what)?;
        match what {
            What::Fmu => setup.take_fmu(spec)?,
            What::Library => setup.take_library(spec)?,
            What::Program if instances > MOST_PROCESSES => {
                return Err(format!(
                    "--instances: each instance of a program is a process, and {MOST_PROCESSES} \
                     is the most"
                ));
            }
            What::Program => setup.take_inputs(spec)?,
        }
        Ok(setup)
    }

    /// Unpacks the files of an FMU, into a folder that goes with what is returned.
    pub(super) fn unpack(&mut self) -> Result<Option<TempDir>, String> {
        let Origin::Fmu(fmu) = &self.origin else {
            return Ok(None);
        };
        let name = owned::name_of(MODELS, this()).unwrap_or_else(|| MODELS.to_owned());
        let folder = TempDir::with_prefix(format!("{name}-"));
        let folder = folder.map_err(|error| format!("no temporary folder: {error}"))?;
        let unpacked = fmu.archive.unpack(folder.path(), fmu.kind);
        self.unpacked = Some(unpacked.map_err(|error| format!("--fmu: {error}"))?);
        Ok(Some(folder))
    }

    /// How many instances a thread steps.
    pub(super) fn instances_of(&self, thread: usize) -> usize {
        let (each, more) = (self.instances / self.threads, self.instances % self.threads);
        each + usize::from(thread < more)
    }

    fn take_fmu(&mut self, spec: &RunSpec) -> Result<(), String> {
        let parameters = &spec.parameters;
        let named = |error: &dyn Display| format!("--fmu: {error}");
        let archive = Archive::open(&file(spec, "fmu")?).map_err(|error| named(&error))?;
        let description = archive.description();
        let kind = kind_of(description, parameters.word("interface"))?;
        if kind == Kind::ScheduledExecution {
            refuse_of_steps(spec)?;
            self.clocks = scheduled::clocks(description).map_err(|error| named(&error))?;
        }
        let interface = description
            .interface(kind)
            .ok_or_else(|| named(&"it has no interface"))?;
        if interface.needs_execution_tool {
            return Err(named(&format!(
                "{} needs the tool that exported it to run beside it; export it standalone",
                description.name
            )));
        }
        if interface.single_instance && self.instances > 1 {
            return Err(format!(
                "--instances: {} can be instantiated only once in a process",
                description.name
            ));
        }
        archive.library(kind).map_err(|error| named(&error))?;
        self.name = description.name.clone();
        self.interface = kind.name();
        self.times.start = description.experiment.start.unwrap_or(0.0);
        self.outputs = variables::outputs(description).map_err(|error| named(&error))?;
        self.take_inputs(spec)?;
        self.name_inputs(description)?;
        let starts = variables::starts(description, parameters.word("set"))?;
        self.origin = Origin::Fmu(Box::new(Fmu {
            kind,
            starts,
            logs: parameters.word("log") == "on",
            integrator: parameters.word("integrator").to_owned(),
            archive,
        }));
        Ok(())
    }

    /// The file of inputs, by the names of the variables.
    fn take_inputs(&mut self, spec: &RunSpec) -> Result<(), String> {
        if spec.parameters.word("input") == NOWHERE {
            return Ok(());
        }
        let path = file(spec, "input")?;
        let named = |error: &dyn Display| format!("--input: {}: {error}", path.display());
        let text = read::bounded(&path, LARGEST_INPUT).map_err(|error| named(&error))?;
        let text = String::from_utf8(text).map_err(|_| named(&"it is not text (UTF-8)"))?;
        let inputs = Inputs::read(&text, self.times).map_err(|error| named(&error))?;
        self.inputs = inputs;
        Ok(())
    }

    /// Holds the inputs against the variables of an FMU.
    fn name_inputs(&mut self, description: &Description) -> Result<(), String> {
        let (set, holds) = variables::inputs(description, self.inputs.names())?;
        self.set = set;
        self.inputs.hold(holds);
        Ok(())
    }

    fn take_library(&mut self, spec: &RunSpec) -> Result<(), String> {
        let named = |error: &dyn Display| format!("--library: {error}");
        let path = file(spec, "library")?;
        let library = Library::read(&path).map_err(|error| named(&error))?;
        let [init, step, end] = ["init", "step", "end"].map(|flag| {
            let name = spec.parameters.word(flag);
            (name != NOWHERE).then_some(name)
        });
        let functions = library.functions(init, step, end);
        let functions = functions.map_err(|error| named(&error))?;
        if self.instances > 1 {
            return Err(
                "--instances: a library has one state for all who call it: leave it at 1"
                    .to_owned(),
            );
        }
        self.name = name_of(spec.parameters.word("library"));
        self.every = every(spec.parameters.word("every"), &functions.steps)?;
        self.origin = Origin::Library(path, functions);
        Ok(())
    }
}

/// Refuses what was typed and this source does not have.
fn refuse_of_others(spec: &RunSpec, what: What) -> Result<(), String> {
    let of_library = [
        ("init", NOWHERE),
        ("step", NOWHERE),
        ("end", NOWHERE),
        ("every", NOWHERE),
    ];
    let of_fmus = [
        ("set", NOWHERE),
        ("interface", INTERFACES[0]),
        ("integrator", INTEGRATORS[0]),
        ("log", "off"),
    ];
    let is_typed = |(flag, usual): &&(&str, &str)| spec.parameters.word(flag) != *usual;
    let typed = |flags: &[(&'static str, &str)]| flags.iter().find(is_typed).map(|(flag, _)| *flag);
    let has_input = typed(&[("input", NOWHERE)]).is_some();
    match (typed(&of_library), typed(&of_fmus)) {
        (Some(flag), _) if what != What::Library => Err(format!(
            "--{flag}: only a library has functions to name; leave it out"
        )),
        (_, Some(flag)) if what != What::Fmu => Err(format!(
            "--{flag}: only an FMU says what its variables are; leave it out"
        )),
        _ if has_input && what == What::Library => Err(
            "--input: the functions of a library take nothing, so that it has no inputs; leave it \
             out"
            .to_owned(),
        ),
        _ => Ok(()),
    }
}

/// Refuses what the clocks of a scheduled execution do not have.
fn refuse_of_steps(spec: &RunSpec) -> Result<(), String> {
    let parameters = &spec.parameters;
    let is_once = |flag: &&&str| parameters.count(flag) > 1;
    let several = ["instances", "threads"].iter().find(is_once);
    let flag = match several {
        Some(flag) => flag,
        None if parameters.word("mode") != REAL_TIME => "mode",
        None if parameters.word("input") != NOWHERE => "input",
        None if spec.record => "record",
        None => return Ok(()),
    };
    Err(format!(
        "--{flag}: a scheduled execution has one instance whose clocks tick in real time, and no \
         steps with inputs and outputs; leave it out"
    ))
}

/// Each how many steps the functions of a library are called: all at each one, unless something
/// else was typed.
fn every(typed: &str, steps: &[String]) -> Result<Vec<u64>, String> {
    if typed == NOWHERE {
        return Ok(vec![1; steps.len()]);
    }
    let number = |word: &str| word.trim().parse().ok().filter(|count| *count > 0);
    let counts: Option<Vec<u64>> = typed.split('+').map(number).collect();
    let counts = counts
        .ok_or_else(|| format!("--every: `{typed}` is no list of counts of steps such as 1+10"))?;
    match counts.len() == steps.len() {
        true => Ok(counts),
        false => Err(format!(
            "--every: {typed} names {} rates, and the library has the steps {}; give one count for \
             each",
            counts.len(),
            steps.join(", ")
        )),
    }
}

/// Where the file of a parameter lies.
fn file(spec: &RunSpec, parameter: &str) -> Result<PathBuf, String> {
    let path = spec.parameters.word(parameter);
    let Some(asked) = spec.files.iter().find(|file| file.path == path) else {
        return Ok(path.into());
    };
    let place = role::file(path, &asked.sha256);
    let (found, _) = model::sha256(&place).map_err(|error| format!("--{parameter}: {error}"))?;
    match found == asked.sha256 {
        true => Ok(place),
        false => Err(format!(
            "--{parameter}: {path} has changed since the run was asked for; ask again"
        )),
    }
}

/// In which kind an FMU is stepped.
fn kind_of(description: &Description, word: &str) -> Result<Kind, String> {
    let kinds = [
        Kind::CoSimulation,
        Kind::ModelExchange,
        Kind::ScheduledExecution,
    ];
    let wanted = match INTERFACES.iter().position(|known| *known == word) {
        Some(place @ 1..) => &kinds[place - 1..place],
        _ => &kinds[..],
    };
    let offered = |kind: &&Kind| description.interface(**kind).is_some();
    wanted.iter().find(offered).copied().ok_or_else(|| {
        let offered: Vec<&str> = description
            .interfaces
            .iter()
            .map(|one| one.kind.name())
            .collect();
        format!(
            "--interface: {} offers {}",
            description.name,
            offered.join(" and ")
        )
    })
}

/// The name of a file, without its folder.
fn name_of(path: &str) -> String {
    path.rsplit('/').next().unwrap_or(path).to_owned()
}

#[cfg(test)]
pub(super) mod tests;
