//! The kinds in which a model can be run.

use roxmltree::Node;
use rt::fmi::{Kind, Version};
use serde::{Serialize, Serializer};

use super::xml::{broken, child, children, flag, needed, seconds, text};
use crate::Refused;

/// How a model can be run in one kind.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Interface {
    /// Kind of FMI interface.
    #[serde(serialize_with = "in_snake_case")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "kinds"))]
    pub kind: Kind,
    /// Base name of its binaries.
    pub model_identifier: String,
    /// Whether the model runs in another program, which must be installed too.
    pub needs_execution_tool: bool,
    /// Whether a process can have only one instance of the model.
    pub single_instance: bool,
    /// Whether the model allocates memory itself instead of through the callbacks of FMI 2; always
    /// true in FMI 3.
    pub allocates_itself: bool,
    /// Step size that the model uses internally, in seconds; null if not stated.
    pub fixed_internal_step: Option<f64>,
    /// Whether the step size may vary.
    pub variable_steps: bool,
    /// Whether the model can end a step early on request.
    pub returns_early: bool,
    /// Whether the model may end a step early by itself.
    pub might_return_early: bool,
    /// Whether the model has an event mode between steps.
    pub has_event_mode: bool,
    /// Whether a step may be pending (FMI 2).
    pub asynchronous: bool,
    /// Whether a solver must report each accepted step to the model.
    pub needs_completed_step: bool,
    /// Whether the state of the model can be saved and restored.
    pub saves_state: bool,
    /// Sources that the description names (FMI 2).
    pub sources: Vec<String>,
}

fn in_snake_case<S: Serializer>(kind: &Kind, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&snake_case(*kind))
}

fn snake_case(kind: Kind) -> String {
    kind.name().to_lowercase().replace(['-', ' '], "_")
}

#[cfg(feature = "schema")]
fn kinds(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({ "type": "string", "enum": Kind::ALL.map(snake_case) })
}

pub(super) fn interfaces(root: Node, version: Version) -> Result<Vec<Interface>, Refused> {
    let element = |kind: Kind| kind.name().replace(['-', ' '], "");
    let nodes = Kind::ALL.iter().filter_map(|kind| Some((*kind, child(root, &element(*kind))?)));
    nodes.map(|(kind, node)| interface(kind, node, version)).collect()
}

fn interface(kind: Kind, node: Node, version: Version) -> Result<Interface, Refused> {
    let completed = match version {
        Version::Two => !flag(node, "completedIntegratorStepNotNeeded"),
        Version::Three => flag(node, "needsCompletedIntegratorStep"),
    };
    let allocates = flag(node, "canNotUseMemoryManagementFunctions");
    Ok(Interface {
        kind,
        model_identifier: identifier(node)?,
        needs_execution_tool: flag(node, "needsExecutionTool"),
        single_instance: flag(node, "canBeInstantiatedOnlyOncePerProcess"),
        allocates_itself: version == Version::Three || allocates,
        fixed_internal_step: seconds(node, "fixedInternalStepSize")?,
        variable_steps: flag(node, "canHandleVariableCommunicationStepSize"),
        returns_early: flag(node, "canReturnEarlyAfterIntermediateUpdate"),
        might_return_early: flag(node, "mightReturnEarlyFromDoStep"),
        has_event_mode: flag(node, "hasEventMode"),
        asynchronous: flag(node, "canRunAsynchronuously"),
        needs_completed_step: kind == Kind::ModelExchange && completed,
        saves_state: flag(node, "canGetAndSetFMUstate") || flag(node, "canGetAndSetFMUState"),
        sources: sources(node),
    })
}

/// Reads the model identifier. It is part of a file name, so it must not be a path.
fn identifier(node: Node) -> Result<String, Refused> {
    let name = needed(node, "modelIdentifier")?;
    if name.contains(['/', '\\', '\0']) || name.starts_with('.') {
        let line = format!("the model identifier `{name}` is not a valid file name");
        return Err(broken(node, &line));
    }
    Ok(name)
}

fn sources(node: Node) -> Vec<String> {
    let files = child(node, "SourceFiles").into_iter().flat_map(children);
    files.map(|file| text(file, "name")).collect()
}
