//! The description of a model's file for programs.

use std::collections::BTreeMap;

use base::SchemaVersion;
use model_file::{
    Archive, Causality, Clock, Connected, Content, Description, Dimension, Experiment, Functions,
    Interface, Library, Link, Part, Platform, Refused, Source, Ssp, State, Type, Variability,
    Variable,
};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use crate::options::FunctionArgs;

/// Output of `steadfast model FILE --json`. Variables refer to each other by name.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct DescribedFile<'a> {
    pub(super) schema_version: SchemaVersion<1>,
    /// Path of the file, as typed.
    pub(super) file: String,
    /// Size of the file, in bytes.
    pub(super) bytes: u64,
    /// SHA-256 of the file, in hexadecimal digits.
    pub(super) sha256: &'a str,
    /// Content of the FMU; null for other files.
    pub(super) fmu: Option<DescribedFmu<'a>>,
    /// Content of the shared library; null for other files.
    pub(super) library: Option<DescribedLibrary<'a>>,
    /// Content of an SSP, for which `fmu` and `library` are null; absent for other files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ssp: Option<DescribedSystem<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct DescribedFmu<'a> {
    /// Version of FMI.
    #[cfg_attr(test, schemars(extend("enum" = ["2.0", "3.0"])))]
    version: &'static str,
    /// Name of the model.
    name: &'a str,
    /// The author's description of the model; empty if there is none.
    description: &'a str,
    /// Program that generated the FMU; empty if not stated.
    tool: &'a str,
    /// Token of the model: `guid` in FMI 2, `instantiationToken` in FMI 3.
    token: &'a str,
    /// Platforms for which the archive has binaries.
    platforms: Vec<Platform>,
    /// Whether the archive has sources of the model.
    has_sources: bool,
    /// FMI interfaces by which the model can be run.
    #[cfg_attr(test, schemars(length(min = 1)))]
    interfaces: Vec<DescribedInterface<'a>>,
    /// Default experiment that the author proposes.
    experiment: Experiment,
    /// All variables, in the order of the file.
    variables: Vec<DescribedVariable<'a>>,
    /// Names of the outputs, in the order of the model structure.
    outputs: Vec<&'a str>,
    /// Continuous states, in the order of the model structure.
    states: Vec<DescribedState<'a>>,
    /// Number of event indicators.
    event_indicators: u64,
    /// Log categories that can be requested.
    log_categories: &'a [String],
}

#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct DescribedInterface<'a> {
    #[serde(flatten)]
    interface: &'a Interface,
    /// Path within the archive of the binary for this machine; null if there is none.
    binary: Option<String>,
    /// Why there is no usable binary for this machine; null if there is one.
    why_not: Option<String>,
    /// Libraries that this binary needs.
    needed: Vec<String>,
    /// Commands that compile a binary from the sources; null if there are no sources to compile.
    compiler_line: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct DescribedState<'a> {
    /// Name of the state; null if not stated.
    state: Option<&'a str>,
    /// Name of its time derivative.
    derivative: &'a str,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct DescribedVariable<'a> {
    /// Name of the variable, which is unique.
    name: &'a str,
    /// Other names of the variable.
    aliases: &'a [String],
    /// Value reference of the variable.
    reference: u32,
    /// Type of its values, by its name in FMI 3; `Real` of FMI 2 is `Float64`, `Integer` is
    /// `Int32`.
    #[serde(rename = "type")]
    kind: Type,
    /// Purpose of the variable.
    causality: Causality,
    /// When its value may change.
    variability: Variability,
    /// Start values, as written in the file; empty if the model computes them.
    start: &'a [String],
    /// Length of each dimension, or name of the structural parameter that sets it; empty if the
    /// variable is a scalar.
    dimensions: Vec<Length<'a>>,
    /// Unit of its values; null if not stated.
    unit: Option<&'a str>,
    /// The author's description of the variable; empty if there is none.
    description: &'a str,
    /// Name of the variable of which this one is the time derivative; null if it is not a
    /// derivative.
    derivative_of: Option<&'a str>,
    /// Names of the clocks at whose ticks it changes.
    clocks: Vec<&'a str>,
    /// How the clock ticks; null if the variable is not a clock.
    clock: Option<&'a Clock>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged)]
enum Length<'a> {
    Fixed(u64),
    Of(&'a str),
}

#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct DescribedLibrary<'a> {
    /// Machine for which the library was built, as `uname -m` names it, or `machine N` with its ELF
    /// number if unknown.
    machine: &'a str,
    /// ELF class of the library, in bits: 32 or 64.
    bits: u32,
    /// Whether this machine can load the library.
    fits: bool,
    /// Libraries that the library needs.
    needed: &'a [String],
    /// Names of all functions that the library exports, in alphabetical order.
    functions: Vec<&'a str>,
    /// Functions of the model, found by their names; null if there are none or those of several
    /// models.
    found: Option<Functions>,
    /// Why the functions of the model were not found; null if they were.
    why_not: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct DescribedSystem<'a> {
    /// Version of SSP.
    version: &'a str,
    /// Name of the system.
    name: &'a str,
    /// Number of nested systems.
    systems: usize,
    /// The FMUs, in the order in which they step.
    parts: Vec<DescribedPart<'a>>,
    /// Parameters that no part has.
    ignored: &'a [String],
}

#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct DescribedPart<'a> {
    /// Path in the system, with dots between the names.
    path: &'a str,
    /// Name of the member in the plan of a mix.
    name: &'a str,
    /// Start values, as written.
    settings: &'a BTreeMap<String, String>,
    /// Inputs that outputs of other parts set.
    links: Vec<DescribedLink<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct DescribedLink<'a> {
    /// Name of the input.
    input: &'a str,
    /// Path of the other part.
    from: &'a str,
    /// Name of its output.
    output: &'a str,
    /// Whether its value is converted or transformed.
    changed: bool,
    /// Whether the value is that of the previous step.
    delay: bool,
}

pub(super) fn described<'a>(source: &'a Source, functions: &FunctionArgs) -> DescribedFile<'a> {
    let (fmu, library) = match &source.content {
        Content::Fmu(archive) => (Some(of_archive(archive)), None),
        Content::Library(library) => (None, Some(of_library(library, functions))),
    };
    DescribedFile {
        schema_version: SchemaVersion,
        file: source.path.to_string_lossy().into_owned(),
        bytes: source.size,
        sha256: &source.sha256,
        fmu,
        library,
        ssp: None,
    }
}

fn of_library<'a>(library: &'a Library, functions: &FunctionArgs) -> DescribedLibrary<'a> {
    let elf = &library.elf;
    let (found, why_not) = either(functions.of(library));
    DescribedLibrary {
        machine: &elf.machine,
        bits: elf.bits,
        fits: elf.fits(),
        needed: &elf.needed,
        functions: elf.functions.iter().map(|one| one.name.as_str()).collect(),
        found,
        why_not,
    }
}

fn of_archive(archive: &Archive) -> DescribedFmu<'_> {
    let about = &archive.description;
    let structure = &about.structure;
    DescribedFmu {
        version: about.version.name().trim_start_matches("FMI "),
        name: &about.name,
        description: &about.description,
        tool: &about.tool,
        token: &about.token,
        platforms: archive.platforms(),
        has_sources: archive.has_sources(),
        interfaces: about.interfaces.iter().map(|one| of_interface(archive, one)).collect(),
        experiment: about.experiment,
        variables: about.variables.iter().map(|one| of_variable(about, one)).collect(),
        outputs: structure.outputs.iter().map(|place| name(about, *place)).collect(),
        states: structure.states.iter().map(|state| of_state(about, state)).collect(),
        event_indicators: structure.event_indicators,
        log_categories: &about.log_categories,
    }
}

fn of_interface<'a>(archive: &Archive, interface: &'a Interface) -> DescribedInterface<'a> {
    let (elf, why_not) = either(archive.elf(interface.kind));
    DescribedInterface {
        interface,
        binary: archive.library(interface.kind).ok(),
        why_not,
        needed: elf.map(|elf| elf.needed).unwrap_or_default(),
        compiler_line: archive.compiler_line(interface),
    }
}

/// Returns what was found, or why it was not.
fn either<T>(found: Result<T, Refused>) -> (Option<T>, Option<String>) {
    match found {
        Ok(found) => (Some(found), None),
        Err(refused) => (None, Some(refused.why().to_owned())),
    }
}

fn name(about: &Description, place: usize) -> &str {
    &about.variables[place].name
}

fn of_state<'a>(about: &'a Description, state: &State) -> DescribedState<'a> {
    DescribedState {
        state: state.state.map(|place| name(about, place)),
        derivative: name(about, state.derivative),
    }
}

fn of_variable<'a>(about: &'a Description, variable: &'a Variable) -> DescribedVariable<'a> {
    let length = |dimension: &Dimension| match dimension {
        Dimension::Fixed(length) => Length::Fixed(*length),
        Dimension::Of(place) => Length::Of(name(about, *place)),
    };
    DescribedVariable {
        name: &variable.name,
        aliases: &variable.aliases,
        reference: variable.reference,
        kind: variable.kind,
        causality: variable.causality,
        variability: variable.variability,
        start: &variable.start,
        dimensions: variable.dimensions.iter().map(length).collect(),
        unit: variable.unit.as_deref(),
        description: &variable.description,
        derivative_of: variable.derivative_of.map(|place| name(about, place)),
        clocks: variable.clocks.iter().map(|place| name(about, *place)).collect(),
        clock: variable.clock.as_ref(),
    }
}

pub(super) fn described_system<'a>(
    system: &'a Ssp,
    connected: &'a Connected,
) -> DescribedSystem<'a> {
    let link = |link: &'a Link| DescribedLink {
        input: &link.input,
        from: &connected.parts[link.from].path,
        output: &link.output,
        changed: !link.transform.is_same(),
        delay: link.delay,
    };
    let part = |part: &'a Part| DescribedPart {
        path: &part.path,
        name: &part.name,
        settings: &part.settings,
        links: part.links.iter().map(link).collect(),
    };
    DescribedSystem {
        version: &system.version,
        name: &system.name,
        systems: system.systems(),
        parts: connected.parts.iter().map(part).collect(),
        ignored: &connected.ignored,
    }
}
