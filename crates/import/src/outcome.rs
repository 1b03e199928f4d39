//! From a file to a run of the store.

use base::{CpuSet, Nanos, Policy};
use record::{Asked, Found, Header, Imported, Machine, Outcome, RunSpec, Warning, run_id};
use sha2::{Digest, Sha256};

use crate::content::Content;
use crate::runs::{cut_off, several};
use crate::text::refuse_repeated;
use crate::{FORMATS, Flaw, Format, Stated, Unit, contradiction, json};

/// What is known about a file in addition to its content.
#[derive(Debug, Clone)]
pub struct Origin {
    /// Its name, without its folder.
    pub file: String,
    /// Name of the machine, if the user gives it to several files: then files of one tool that state
    /// the same conditions are repeated runs.
    pub machine: Option<String>,
    /// The unit of figures whose unit the file does not state.
    pub unit: Unit,
    /// Now, in nanoseconds since 1970 (UTC).
    pub now_unix_ns: u64,
    /// Version of this program.
    pub program_version: String,
}

/// Reads a file of any known tool.
///
/// # Errors
/// Says in one line what was found instead, or what is wrong with the file.
pub fn read(bytes: &[u8], unit: Unit) -> Result<Stated, Flaw> {
    let content = Content::of(bytes)?;
    let format = format_of(&content)?;
    if let Some(lines) = content.lines() {
        refuse_repeated(lines, format.once)?;
        if lines.contains(&"{") {
            return Err(several("lines of text before JSON"));
        }
        if !bytes.ends_with(b"\n") {
            return Err(cut_off("the end of its last line"));
        }
    }
    let mut stated = (format.read)(&content, unit).map_err(|flaw| {
        Flaw::new(format!("it looks like a file of {}, but {flaw}", format.tool))
    })?;
    if stated.rows.is_empty() {
        return Err(Flaw::new(format!(
            "it looks like a file of {}, but has no figures",
            format.tool
        )));
    }
    contradiction::warn(&mut stated);
    Ok(stated)
}

fn format_of(content: &Content) -> Result<&'static Format, Flaw> {
    let mut known = FORMATS.iter().filter(|format| (format.recognises)(content));
    match (known.next(), known.next()) {
        (Some(format), None) => Ok(format),
        (Some(first), Some(second)) => {
            Err(several(&format!("figures of {} and of {}", first.tool, second.tool)))
        }
        (None, _) => Err(unknown(content)),
    }
}

fn unknown(content: &Content) -> Flaw {
    let found = match content {
        Content::Json(value) => json::in_words(value),
        Content::Lines(lines) => {
            let first = lines.iter().find(|line| !line.trim().is_empty());
            format!(
                "text that begins with `{}`",
                crate::flaw::shortened(first.unwrap_or(&"").trim())
            )
        }
    };
    let tools: Vec<&str> = FORMATS.iter().map(|format| format.tool).collect();
    Flaw::new(format!("it is {found}, of none of the known tools: {}", tools.join(", ")))
}

/// Returns a file as a run whose conditions are unknown. Its samples are the file's counts.
///
/// # Errors
/// As [`read`].
pub fn outcome(bytes: &[u8], origin: &Origin) -> Result<Outcome, Flaw> {
    let stated = read(bytes, origin.unit)?;
    let name = origin.machine.clone().unwrap_or_else(|| origin.file.clone());
    let machine = Machine { imported_as: Some(name), ..stated.machine.clone() };
    let imported = Imported {
        not_stated: stated.not_stated(),
        tool: stated.tool,
        tool_version: stated.version,
        file: origin.file.clone(),
        sha256: Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect(),
    };
    // Placeholders, which nothing reads of an imported run.
    let asked = Asked::plain(CpuSet::default(), Policy::OTHER, Nanos(0));
    let spec = RunSpec {
        imported: Some(imported),
        ..RunSpec::new(stated.measurement, stated.parameters, asked)
    };
    let header = Header {
        run_id: run_id(origin.now_unix_ns),
        tool_version: origin.program_version.clone(),
        spec,
        machine: machine.into(),
        started_unix_ns: stated.started_unix_ns.unwrap_or(0),
    };
    let trap = |trap: crate::Trap| Warning::ImportedAsIs { what: trap.what, advice: trap.advice };
    let warnings = stated.traps.into_iter().map(trap).collect();
    Ok(Outcome { header, found: Found::default(), warnings, rows: stated.rows })
}
