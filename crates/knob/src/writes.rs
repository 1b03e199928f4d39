//! What must be written to set a knob in a run.

use std::path::{Path, PathBuf};

use base::CpuSet;
use rt::{read, tasks};

use crate::knob::{At, Knob, Way};
use crate::pattern::files;
use crate::place::Place;
use crate::values::{AWAY, Values};
use crate::write::{Around, Write};
use crate::{cache, service};

impl Knob {
    /// Returns what must be written for `value`, in this order; empty if nothing in it concerns the
    /// measured CPUs, and for knobs without places. `typed` is the name that the user typed.
    ///
    /// # Errors
    /// Why the knob cannot be set here.
    pub fn writes(
        &self,
        typed: &str,
        root: &Path,
        value: &str,
        around: &Around,
    ) -> Result<Vec<Write>, String> {
        let writes = match &self.way {
            Way::Files(_, Values::Away) if value == AWAY => return self.writes_away(root, around),
            Way::Files(all, values) => in_files(root, all, values, value)?,
            Way::Tasks(name, _) => {
                let places = kernel_threads(root, name).into_iter();
                places.map(|place| Write::new(place, value)).collect()
            }
            Way::Cache => cache::writes(root, around)?,
            Way::Unit => vec![Write::new(service::place(typed)?, value)],
            Way::Held | Way::Hog | Way::Flag(_) | Way::Boot => return Ok(Vec::new()),
        };
        if writes.is_empty() { Err("this machine does not have it".to_owned()) } else { Ok(writes) }
    }

    /// Returns CPU sets without the measured CPUs. A place gets a CPU that it did not have only if
    /// none is left.
    fn writes_away(&self, root: &Path, around: &Around) -> Result<Vec<Write>, String> {
        let Around { measured, others } = around;
        let interrupts = root.join("proc/irq");
        if others.is_empty() {
            return Err("every CPU is measured, so there is no CPU to move it to".to_owned());
        }
        let away = |place: Place| {
            let now: CpuSet = place.read().ok()?.parse().ok()?;
            let is_off = now.without(measured) == now;
            let own: CpuSet = now.iter().filter(|cpu| others.contains(*cpu)).collect();
            let given = if own.is_empty() { others } else { &own };
            let folder = place.file().and_then(|file| file.ancestors().nth(2));
            let may_be_kept = folder == Some(&*interrupts);
            (!is_off).then(|| Write { may_be_kept, ..Write::new(place, given.to_string()) })
        };
        Ok(self.places(root).into_iter().filter_map(away).collect())
    }

    /// Returns the places that the kernel changes when this knob is written.
    pub fn moved(&self, root: &Path) -> Vec<Place> {
        self.moves.iter().flat_map(|at| in_pattern(root, at)).collect()
    }

    /// Returns the places of the knob, as far as they do not depend on the run.
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
        if let Values::Unless(never, ..) = values
            && place.read().is_ok_and(|now| now == *never)
        {
            return Err(format!("its value is {never}, so another setting is active instead"));
        }
        // The present value may differ between where runs are planned and where they are made.
        let given = match values {
            Values::Same => place.read().ok(),
            _ => place.file().and_then(|path| values.given(value, path)),
        };
        let given = given.ok_or_else(|| format!("the meaning of `{value}` there is unknown"))?;
        Ok(Write::new(place, given))
    };
    let places = all.iter().flat_map(|at| in_pattern(root, at));
    places.map(write).collect()
}

/// Finds kernel threads whose name begins with this text.
fn kernel_threads(root: &Path, begins: &str) -> Vec<Place> {
    let names = files(root, "proc/*/comm").into_iter();
    let place = |path: PathBuf| {
        let task: i32 = path.parent()?.file_name()?.to_str()?.parse().ok()?;
        read::text(&path)?.starts_with(begins).then_some(())?;
        let started = tasks::start_of(tasks::pid(task)?)?;
        Some(Place::Task { task, started })
    };
    names.filter_map(place).collect()
}
