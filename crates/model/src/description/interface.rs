//! The kinds in which a model can be run.

use roxmltree::Node;
use rt::fmi::{Kind, Version};
use serde::{Serialize, Serializer};

use super::xml::{broken, child, children, flag, needed, seconds, text};
use crate::Refused;

/// How a model can be run in one kind.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Interface {
    #[serde(serialize_with = "snake_case")]
    pub kind: Kind,
    /// Base name of its binaries, and prefix of its functions if sources are compiled.
    pub model_identifier: String,
    /// Whether it needs another program that must be installed.
    pub needs_execution_tool: bool,
    /// `canBeInstantiatedOnlyOncePerProcess`.
    pub single_instance: bool,
    /// Whether it allocates memory itself instead of through the callbacks of FMI 2
    /// (`canNotUseMemoryManagementFunctions`); always true in FMI 3, which has no such callbacks.
    pub allocates_itself: bool,
    /// The step size that the model uses internally whatever is requested, in seconds
    /// (`fixedInternalStepSize`, FMI 3).
    pub fixed_internal_step: Option<f64>,
    /// `canHandleVariableCommunicationStepSize`.
    pub variable_steps: bool,
    /// `canReturnEarlyAfterIntermediateUpdate` (FMI 3).
    pub returns_early: bool,
    /// `mightReturnEarlyFromDoStep` (FMI 3): the model may end steps early by itself.
    pub might_return_early: bool,
    /// `hasEventMode` (FMI 3, Co-Simulation).
    pub has_event_mode: bool,
    /// `canRunAsynchronuously` (FMI 2): steps may be pending.
    pub asynchronous: bool,
    /// Whether the solver must report each accepted step to the model (Model Exchange).
    pub needs_completed_step: bool,
    /// `canGetAndSetFMUState`.
    pub saves_state: bool,
    /// Names of its C sources in the archive (FMI 2; FMI 3 lists them in another file).
    pub sources: Vec<String>,
}

fn snake_case<S: Serializer>(kind: &Kind, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&kind.name().to_lowercase().replace(['-', ' '], "_"))
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
