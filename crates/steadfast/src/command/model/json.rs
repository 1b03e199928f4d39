//! The description of a model's file as JSON: `docs/schema/model-1.json`.

use model::{
    Archive, Content, Description, Dimension, Interface, Library, Source, State, Variable,
};
use serde_json::{Value, json};

use crate::args::FunctionArgs;

pub(super) const SCHEMA_VERSION: u64 = 1;

pub(super) fn json(source: &Source, functions: &FunctionArgs) -> Value {
    let (fmu, library) = match &source.content {
        Content::Fmu(archive) => (Some(of_archive(archive)), None),
        Content::Library(library) => (None, Some(of_library(library, functions))),
    };
    json!({
        "schema_version": SCHEMA_VERSION,
        "file": source.path.to_string_lossy(),
        "bytes": source.size,
        "sha256": source.sha256,
        "fmu": fmu,
        "library": library,
    })
}

fn of_library(library: &Library, functions: &FunctionArgs) -> Value {
    let elf = &library.elf;
    let found = functions.of(library);
    json!({
        "machine": elf.machine,
        "bits": elf.bits,
        "fits": elf.fits(),
        "needed": elf.needed,
        "functions": all(&elf.functions, |one| one.name.clone().into()),
        "found": found.as_ref().ok(),
        "why_not": found.as_ref().err().map(model::Refused::why),
    })
}

fn of_archive(archive: &Archive) -> Value {
    let about = &archive.description;
    let outputs = about.structure.outputs.iter().map(|place| name(about, *place));
    json!({
        "version": about.version.name().trim_start_matches("FMI "),
        "name": about.name,
        "description": about.description,
        "tool": about.tool,
        "token": about.token,
        "platforms": archive.platforms(),
        "has_sources": archive.has_sources(),
        "interfaces": all(&about.interfaces, |one| of_interface(archive, one)),
        "experiment": about.experiment,
        "variables": all(&about.variables, |one| of_variable(about, one)),
        "outputs": outputs.collect::<Vec<_>>(),
        "states": all(&about.structure.states, |state| of_state(about, state)),
        "event_indicators": about.structure.event_indicators,
        "log_categories": about.log_categories,
    })
}

fn all<T>(items: &[T], json: impl Fn(&T) -> Value) -> Vec<Value> {
    items.iter().map(json).collect()
}

fn of_interface(archive: &Archive, interface: &Interface) -> Value {
    let elf = archive.elf(interface.kind);
    let mut value = json!(interface);
    let binary = json!({
        "binary": archive.library(interface.kind).ok(),
        "why_not": elf.as_ref().err().map(model::Refused::why),
        "needed": elf.as_ref().map_or(&[][..], |elf| &elf.needed),
        "compiler_line": archive.compiler_line(interface),
    });
    if let (Value::Object(all), Value::Object(more)) = (&mut value, binary) {
        all.extend(more);
    }
    value
}

fn name(about: &Description, place: usize) -> &str {
    &about.variables[place].name
}

fn of_state(about: &Description, state: &State) -> Value {
    json!({
        "state": state.state.map(|place| name(about, place)),
        "derivative": name(about, state.derivative),
    })
}

fn of_variable(about: &Description, variable: &Variable) -> Value {
    let dimensions = variable.dimensions.iter().map(|dimension| match dimension {
        Dimension::Fixed(length) => json!(length),
        Dimension::Of(place) => json!(name(about, *place)),
    });
    let clocks = variable.clocks.iter().map(|place| name(about, *place));
    json!({
        "name": variable.name,
        "aliases": variable.aliases,
        "reference": variable.reference,
        "type": variable.kind,
        "causality": variable.causality,
        "variability": variable.variability,
        "start": variable.start,
        "dimensions": dimensions.collect::<Vec<_>>(),
        "unit": variable.unit,
        "description": variable.description,
        "derivative_of": variable.derivative_of.map(|place| name(about, place)),
        "clocks": clocks.collect::<Vec<_>>(),
        "clock": variable.clock,
    })
}
