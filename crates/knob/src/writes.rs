//! What is to be written to set a knob in a run.

use std::path::{Path, PathBuf};

use rt::process::Pid;
use rt::{read, tasks};
use units::CpuSet;

use crate::cache;
use crate::knob::{At, Knob, Way};
use crate::pattern::files;
use crate::place::Place;
use crate::service;
use crate::values::{AWAY, Values};
use crate::write::{Around, Write};

impl Knob {
    /// What is to be written for the value `value`, in this order; nothing where nothing of it
    /// concerns the measured CPUs, and for what is no place. `typed` is the name as it was typed.
    ///
    /// # Errors
    /// Why it cannot be set here.
    pub fn writes(
        &self,
        typed: &str,
        root: &Path,
        value: &str,
        around: &Around,
    ) -> Result<Vec<Write>, String> {
        let writes = match &self.way {
            Way::Files(_, Values::Away) if value == AWAY => {
                return self.writes_away(root, around);
            }
            Way::Files(all, values) => in_files(root, all, values, value)?,
            Way::Tasks(name, _) => {
                let places = kernel_threads(root, name).into_iter();
                places.map(|place| Write::new(place, value)).collect()
            }
            Way::Cache => cache::writes(root, around)?,
            Way::Unit => vec![Write::new(service::place(typed)?, value)],
            Way::Held | Way::Hog | Way::Flag(_) | Way::Boot => return Ok(Vec::new()),
        };
        match writes.is_empty() {
            true => Err("there is none of it here".to_owned()),
            false => Ok(writes),
        }
    }

    /// CPUs without the measured ones; nothing gets a CPU that it did not have unless it has none
    /// left.
    fn writes_away(&self, root: &Path, around: &Around) -> Result<Vec<Write>, String> {
        let Around { measured, others } = around;
        if others.is_empty() {
            return Err("every CPU is measured, and there is none to move it to".to_owned());
        }
        let away = |place: Place| {
            let now: CpuSet = place.read().ok()?.parse().ok()?;
            let is_off = now.without(measured) == now;
            let own: CpuSet = now.iter().filter(|cpu| others.contains(*cpu)).collect();
            let given = if own.is_empty() { others } else { &own };
            (!is_off).then(|| Write { may_be_kept: true, ..Write::new(place, given.to_string()) })
        };
        Ok(self.places(root).into_iter().filter_map(away).collect())
    }

    /// The places that the kernel changes when this knob is written.
    #[must_use]
    pub fn moved(&self, root: &Path) -> Vec<Place> {
        self.moves.iter().flat_map(|at| in_pattern(root, at)).collect()
    }

    /// The places that it stands in, as far as these do not depend on the run.
    pub(crate) fn places(&self, root: &Path) -> Vec<Place> {
        match &self.way {
            Way::Files(all, _) => all.iter().flat_map(|at| in_pattern(root, at)).collect(),
            Way::Tasks(name, _) => kernel_threads(root, name),
            Way::Cache => cache::places(root),
            Way::Unit | Way::Held | Way::Hog | Way::Flag(_) | Way::Boot => Vec::new(),
        }
    }
}

fn in_pattern(root: &Path, at: &At) -> Vec<Place> {
    let form = at.form;
    let paths = files(root, at.pattern).into_iter();
    paths.map(|path| Place::File { path, form }).collect()
}

fn in_files(root: &Path, all: &[At], values: &Values, value: &str) -> Result<Vec<Write>, String> {
    let write = |place: Place| {
        let Place::File { path, .. } = &place else {
            return Ok(Write::new(place, value));
        };
        let is_off = |never: &str| place.read().is_ok_and(|now| now == never);
        if let Values::Unless(never, ..) = values
            && is_off(never)
        {
            return Err(format!("{never} stands there: another setting is in force instead"));
        }
        // What stands may be another value where the runs are made than where they are planned.
        let given = match values {
            Values::Same => place.read().ok(),
            _ => values.given(value, path),
        };
        let given = given.ok_or_else(|| format!("what `{value}` is there is not told"))?;
        Ok(Write::new(place, given))
    };
    let places = all.iter().flat_map(|at| in_pattern(root, at));
    places.map(write).collect()
}

/// Threads of the kernel whose name begins so.
fn kernel_threads(root: &Path, begins: &str) -> Vec<Place> {
    let names = files(root, "proc/*/comm").into_iter();
    let place = |path: PathBuf| {
        let task: i32 = path.parent()?.file_name()?.to_str()?.parse().ok()?;
        read::text(&path)?.starts_with(begins).then_some(())?;
        let started = tasks::start_of(Pid::from_raw(task)?)?;
        Some(Place::Task { task, started })
    };
    names.filter_map(place).collect()
}
