//! The runs of one `[[run]]` of a plan file: every combination of its values.

use plan::{Parameter, RunSpec};
use probe::{MEASUREMENTS, Measurement};
use toml::de::DeTable;

use super::conditions::CONDITIONS;
use super::mistake::Mistake;
use super::values::{self, Typed};
use crate::args::{RunArgs, parse_run_line};
use crate::place::Place;
use crate::request;

/// The key that names what is measured.
const MEASUREMENT: &str = "measurement";

/// A run of a plan file.
#[derive(Debug, Clone)]
pub(crate) struct Written {
    /// As one would type it after `steadfast run`.
    pub(crate) line: String,
    /// Where it is made.
    pub(crate) place: Place,
    /// What it means on this machine.
    pub(crate) spec: RunSpec,
}

/// A line that is not complete yet.
#[derive(Clone)]
struct Draft {
    line: String,
    args: RunArgs,
}

/// Every combination, each one checked; the last key varies first. Equal places are one,
/// among those already known too, so that a connection is made once.
pub(super) fn crossed(
    at: usize,
    table: &DeTable,
    places: &mut Vec<Place>,
) -> Result<Vec<Written>, Mistake> {
    let Some(names) = table.get(MEASUREMENT) else {
        return Err(Mistake::at(at, "expected `measurement` in this [[run]]"));
    };
    let mut chosen = Vec::new();
    for name in values::all(names)? {
        let found = request::measurement(&name.text);
        chosen.push(found.map_err(|why| Mistake::at(name.at, format!("{why:#}")))?);
    }
    refuse_strange_keys(table, &chosen)?;
    let mut runs = Vec::new();
    for measurement in chosen {
        for draft in drafts(table, measurement)? {
            runs.push(draft.finish(at, table, places)?);
        }
    }
    Ok(runs)
}

fn drafts(table: &DeTable, measurement: &dyn Measurement) -> Result<Vec<Draft>, Mistake> {
    let name = measurement.name();
    let args = parse_run_line(name).expect("the name of a measurement is a line");
    let mut drafts = vec![Draft {
        line: name.to_owned(),
        args,
    }];
    for condition in CONDITIONS {
        drafts = times(drafts, table, condition.name, &condition.set)?;
    }
    for parameter in measurement.parameters() {
        let set = |args: &mut RunArgs, text: &str| set_parameter(args, parameter, text);
        drafts = times(drafts, table, parameter.name, &set)?;
    }
    Ok(drafts)
}

fn set_parameter(
    args: &mut RunArgs,
    parameter: &'static Parameter,
    text: &str,
) -> Result<(), String> {
    parameter.parse(text)?;
    args.parameters
        .0
        .insert(parameter.name, vec![text.to_owned()]);
    Ok(())
}

/// Every draft with every value of a key, where the table has it.
fn times(
    drafts: Vec<Draft>,
    table: &DeTable,
    key: &str,
    set: &dyn Fn(&mut RunArgs, &str) -> Result<(), String>,
) -> Result<Vec<Draft>, Mistake> {
    let Some(value) = table.get(key) else {
        return Ok(drafts);
    };
    let typed = values::all(value)?;
    let mut all = Vec::with_capacity(drafts.len() * typed.len());
    for draft in drafts {
        for value in &typed {
            all.push(draft.with(key, value, set)?);
        }
    }
    Ok(all)
}

impl Draft {
    fn with(
        &self,
        key: &str,
        value: &Typed,
        set: &dyn Fn(&mut RunArgs, &str) -> Result<(), String>,
    ) -> Result<Self, Mistake> {
        let mut draft = self.clone();
        draft.line += &format!(" --{key} {}", value.text);
        set(&mut draft.args, &value.text).map_err(|why| {
            let flag = format!("--{key}: ");
            let why = why.strip_prefix(&flag).unwrap_or(&why);
            Mistake::at(value.at, format!("{key}: {why}"))
        })?;
        Ok(draft)
    }

    fn finish(
        mut self,
        at: usize,
        table: &DeTable,
        places: &mut Vec<Place>,
    ) -> Result<Written, Mistake> {
        match places.iter().find(|known| **known == self.args.target) {
            Some(known) => self.args.target = known.clone(),
            None => places.push(self.args.target.clone()),
        }
        let specs = request::specs(&self.args).map_err(|why| {
            let why = format!("{why:#}");
            Mistake::at(named_by(&why, table).unwrap_or(at), why)
        })?;
        let [spec] = <[RunSpec; 1]>::try_from(specs).expect("one value of each key is one run");
        Ok(Written {
            line: self.line,
            place: self.args.target,
            spec,
        })
    }
}

/// Where the key stands whose flag begins an explanation.
fn named_by(why: &str, table: &DeTable) -> Option<usize> {
    let flag = why.strip_prefix("--")?.split([':', ' ']).next()?;
    Some(table.get(flag)?.span().start)
}

/// A key that no chosen measurement takes would be ignored.
fn refuse_strange_keys(table: &DeTable, chosen: &[&dyn Measurement]) -> Result<(), Mistake> {
    let is_condition = |key: &str| CONDITIONS.iter().any(|condition| condition.name == key);
    for key in table.keys() {
        let name = key.get_ref().as_ref();
        let takes = |m: &&dyn Measurement| m.parameters().iter().any(|p| p.name == name);
        if name == MEASUREMENT || is_condition(name) || chosen.iter().any(takes) {
            continue;
        }
        let takers = MEASUREMENTS.iter().filter(|m| takes(m)).map(|m| m.name());
        let what = match takers.collect::<Vec<_>>().as_slice() {
            [] => format!("`{name}` is no key of a run; expected {}", keys(chosen)),
            takers => format!(
                "`{name}` is a parameter of {}, which this [[run]] does not measure; expected {}",
                takers.join(" and "),
                keys(chosen)
            ),
        };
        return Err(Mistake::at(key.span().start, what));
    }
    Ok(())
}

/// What keys a run with these measurements may have.
fn keys(chosen: &[&dyn Measurement]) -> String {
    let conditions = CONDITIONS.iter().map(|condition| condition.name);
    let parameters = chosen
        .iter()
        .flat_map(|m| m.parameters().iter().map(|p| p.name));
    let mut keys: Vec<&str> = [MEASUREMENT].into_iter().chain(conditions).collect();
    for parameter in parameters {
        if !keys.contains(&parameter) {
            keys.push(parameter);
        }
    }
    keys.join(", ")
}
