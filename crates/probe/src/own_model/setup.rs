//! A person's own model as a run asks for it: what is in its files, held against what was typed.

use std::fmt::Display;
use std::path::PathBuf;

use model::{
    Archive, Causality, Description, Functions, Kind, Library, Type, Unpacked, Variability,
    Variable,
};
use plan::{NOWHERE, RunSpec, settings_in};
use rt::owned::{self, MODELS};
use rt::process::this;
use rt::{read, role};
use tempfile::TempDir;
use units::Policy;

use super::inputs::Inputs;
use super::parameters::INTERFACES;
use super::record::Recorder;

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

/// A variable of the model, or an element of one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Value {
    /// Its name, with the number of its element where there are several.
    pub(super) name: String,
    pub(super) reference: u32,
    pub(super) kind: Type,
}

/// What an FMU is instantiated from.
#[derive(Debug)]
pub(super) struct Fmu {
    pub(super) archive: Archive,
    pub(super) kind: Kind,
    /// Start values that were typed.
    pub(super) starts: Vec<(Variable, String)>,
    pub(super) logs: bool,
    pub(super) integrator: String,
}

/// Where the model of a setup comes from, read and held against what was typed.
#[derive(Debug)]
pub(super) enum Origin {
    Fmu(Box<Fmu>),
    Library(PathBuf, Functions),
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
    /// The time of step 0, and the length of a step, in seconds.
    pub(super) start: f64,
    pub(super) step: f64,
    pub(super) substeps: u64,
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
            start: 0.0,
            step: parameters.time("rate").0 as f64 / 1e9,
            substeps: parameters.count("substeps"),
            threads: threads as usize,
            policy: spec.asked.policy,
            instances: instances as usize,
            inputs: Inputs::default(),
            set: Vec::new(),
            outputs: Vec::new(),
            recorded_rows: Recorder::rows(spec),
            unpacked: None,
        };
        let named = |error: &dyn Display| format!("--{}: {error}", what.flag());
        match what {
            What::Fmu => setup.take_fmu(spec)?,
            What::Library => setup.take_library(spec).map_err(|error| named(&error))?,
            What::Program if instances > MOST_PROCESSES => {
                return Err(format!(
                    "--instances: each instance of a program is a process, and {MOST_PROCESSES} \
                     is the most"
                ));
            }
            What::Program => setup.take_inputs(spec)?,
        }
        if what != What::Fmu {
            refuse_of_fmus(spec, what)?;
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
        self.start = description.experiment.start.unwrap_or(0.0);
        self.outputs = outputs(description);
        self.take_inputs(spec)?;
        self.name_inputs(description)?;
        let starts = starts(description, parameters.word("set"))?;
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
        let inputs = Inputs::read(&text, self.start, self.step).map_err(|error| named(&error))?;
        self.inputs = inputs;
        Ok(())
    }

    /// Holds the inputs against the variables of an FMU.
    fn name_inputs(&mut self, description: &Description) -> Result<(), String> {
        let variable = |name: &String| -> Result<&Variable, String> {
            let place = description.place(name);
            let variable = place.map(|place| &description.variables[place]);
            variable
                .filter(|one| one.causality == Causality::Input && is_number(one.kind))
                .filter(|one| one.dimensions.is_empty())
                .ok_or_else(|| {
                    let all = numbers(description).filter(|one| one.causality == Causality::Input);
                    let all = all.map(|one| one.name.as_str());
                    format!(
                        "--input: `{name}` is no input of {} that takes a number; {}",
                        description.name,
                        units::expected(name, all)
                    )
                })
        };
        let names = self.inputs.names().iter();
        let variables: Vec<&Variable> = names.map(variable).collect::<Result<_, _>>()?;
        let holds = variables
            .iter()
            .map(|one| one.variability != Variability::Continuous);
        let holds = holds.collect();
        self.set = variables.iter().map(|one| value(one, None)).collect();
        self.inputs.hold(holds);
        Ok(())
    }

    fn take_library(&mut self, spec: &RunSpec) -> Result<(), String> {
        let path = file(spec, "library")?;
        let library = Library::read(&path).map_err(|error| error.to_string())?;
        let typed = ["init", "step", "end"].map(|flag| {
            let name = spec.parameters.word(flag);
            (name != NOWHERE).then_some(name)
        });
        let [init, step, end] = typed;
        let functions = library.functions(init, step, end);
        let functions = functions.map_err(|error| error.to_string())?;
        if self.instances > 1 {
            return Err(
                "a library has one state for all who call it: leave --instances at 1".to_owned(),
            );
        }
        self.name = name_of(spec.parameters.word("library"));
        self.origin = Origin::Library(path, functions);
        Ok(())
    }
}

/// Refuses what was typed and this source does not have.
fn refuse_of_fmus(spec: &RunSpec, what: What) -> Result<(), String> {
    let usual = [
        ("set", NOWHERE),
        ("interface", INTERFACES[0]),
        ("log", "off"),
    ];
    let input = (what == What::Library).then_some(("input", NOWHERE));
    let mut all = usual.into_iter().chain(input);
    match all.find(|(flag, usual)| spec.parameters.word(flag) != *usual) {
        Some((flag, _)) => Err(format!(
            "--{flag}: only an FMU says what its variables are; leave it out"
        )),
        None => Ok(()),
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
    let kinds = [Kind::CoSimulation, Kind::ModelExchange];
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

fn is_number(kind: Type) -> bool {
    !matches!(kind, Type::String | Type::Binary | Type::Clock)
}

fn numbers(description: &Description) -> impl Iterator<Item = &Variable> {
    let all = description.variables.iter();
    all.filter(|one| is_number(one.kind))
}

fn value(variable: &Variable, element: Option<u64>) -> Value {
    Value {
        name: match element {
            Some(number) => format!("{}[{}]", variable.name, number + 1),
            None => variable.name.clone(),
        },
        reference: variable.reference,
        kind: variable.kind,
    }
}

/// The outputs that are numbers, in the model's order, arrays element by element.
fn outputs(description: &Description) -> Vec<Value> {
    let places = description.structure.outputs.iter();
    let variables = places.map(|place| &description.variables[*place]);
    variables
        .filter(|one| is_number(one.kind))
        .flat_map(|one| match one.dimensions.is_empty() {
            true => vec![value(one, None)],
            false => (0..description.elements(one))
                .map(|element| value(one, Some(element)))
                .collect(),
        })
        .collect()
}

/// The start values that were typed, each with its variable.
fn starts(description: &Description, typed: &str) -> Result<Vec<(Variable, String)>, String> {
    let start = |(name, text): (&str, &str)| {
        let place = description.place(name).ok_or_else(|| {
            let all = description.variables.iter().map(|one| one.name.as_str());
            format!(
                "--set: {} has no variable `{name}`; {}",
                description.name,
                units::expected(name, all)
            )
        })?;
        let variable = description.variables[place].clone();
        let may_be_set = matches!(
            variable.causality,
            Causality::Parameter | Causality::Input | Causality::Local | Causality::Output
        );
        match may_be_set && variable.variability != Variability::Constant {
            true => Ok((variable, text.to_owned())),
            false => Err(format!(
                "--set: `{name}` of {} cannot be set at the start",
                description.name
            )),
        }
    };
    settings_in(typed)
        .map_err(|why| format!("--set: {why}"))?
        .into_iter()
        .map(start)
        .collect()
}

/// The name of a file, without its folder.
fn name_of(path: &str) -> String {
    path.rsplit('/').next().unwrap_or(path).to_owned()
}
