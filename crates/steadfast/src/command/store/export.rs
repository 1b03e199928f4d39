//! `steadfast store export`: writes kept samples to files that other programs can read.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use analysis::words::counted;
use anyhow::{Result, bail};
use clap::Args;
use record::{Outcome, Track};
use serde_json::{Value, json};
use store::Store;

use crate::startup::files::{make_directory, put_with};
use crate::startup::output::print;

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// Results file
    #[arg(value_name = "STORE")]
    pub(crate) store: PathBuf,
    /// Export the samples kept by `run --keep-samples`
    #[arg(long, required = true)]
    pub(crate) samples: bool,
    /// Directory for the files; created if it does not exist
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
}

/// A file name has at most 255 bytes, so each part of it is limited.
const LONGEST_PART: usize = 60;

pub(super) fn export(args: &ExportArgs) -> Result<()> {
    let store = Store::open_existing(&args.store)?;
    let (mut names, mut runs, mut without) = (BTreeSet::new(), 0, 0);
    for run_id in store.all_run_ids()? {
        let (run, tracks) = store.run(&run_id)?;
        if tracks.is_empty() {
            without += 1;
            continue;
        }
        make_directory(&args.out)?;
        runs += 1;
        for (place, track) in tracks.iter().enumerate() {
            let name = name(&run, place, track);
            write(&args.out, &name, &run, track)?;
            if !names.insert(name) {
                bail!("{}: two runs have the same file name, {run_id}", args.store.display());
            }
        }
    }
    let [from, to] = [&args.store, &args.out].map(|path| path.display());
    if runs == 0 {
        bail!("{from} has no samples to export; keep samples with `steadfast run --keep-samples`");
    }
    let [tracks, runs] = [(names.len(), "track"), (runs, "run")].map(|(n, of)| counted(n, of));
    let without = match without {
        0 => String::new(),
        1 => "; 1 run has no samples".to_owned(),
        several => format!("; {several} runs have no samples"),
    };
    print(&format!("{to}: {tracks} of {runs}{without}.\n"))
}

/// Returns the file name, of characters that every file system allows.
fn name(run: &Outcome, place: usize, track: &Track) -> String {
    let parts = [&run.header.run_id, &run.header.spec.measurement, &track.name];
    let [run_id, measurement, track] = parts.map(|text| plain(text));
    format!("{run_id}.{measurement}.{place}.{track}")
}

/// Returns a part of a file name: letters, digits, `_` and `-`.
fn plain(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    text.chars().take(LONGEST_PART).map(|c| if is_plain(c) { c } else { '_' }).collect()
}

/// Returns what the samples are about, as one object.
fn about(run: &Outcome, track: &Track) -> Value {
    let mut about = json!({
        "run_id": run.header.run_id,
        "run": run.header.spec.title(),
        "started_unix_ns": run.header.started_unix_ns,
        "valid": run.is_valid(),
        "track": track.name,
        "attributes": track.attributes,
    });
    if track.number("skipped") > 0 && !track.values("period_index").is_empty() {
        about["left_out"] = json!(SKIPPED);
    }
    about
}

/// What the lines of a track with skipped periods do not contain.
const SKIPPED: &str = "skipped periods: each k between two values of period_index, counted with \
                       woke_ns of the line before - t0_ns - k * period_ns";

/// Writes what the samples are about to one file; to another, the columns' names with their units,
/// and a line for each index, which other programs read without options. Columns that are shorter
/// end with empty values.
fn write(directory: &Path, name: &str, run: &Outcome, track: &Track) -> Result<()> {
    let file = |extension: &str| directory.join(format!("{name}.{extension}"));
    put_with(&file("json"), "--out", &|out| writeln!(out, "{:#}", about(run, track)))?;
    put_with(&file("csv"), "--out", &|out| {
        let names = track.columns.iter().map(|column| &*column.name);
        writeln!(out, "{}", names.collect::<Vec<&str>>().join(","))?;
        let lengths = track.columns.iter().map(|column| column.values.len());
        (0..lengths.max().unwrap_or(0)).try_for_each(|place| line(out, track, place))
    })
}

fn line(out: &mut dyn Write, track: &Track, place: usize) -> io::Result<()> {
    for (number, column) in track.columns.iter().enumerate() {
        if number > 0 {
            out.write_all(b",")?;
        }
        if let Some(value) = column.values.get(place) {
            write!(out, "{value}")?;
        }
    }
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_lines_of_a_track_leave_out_is_said() {
        let run = testing::outcomes::outcome("wakeup", base::Policy::OTHER, &[]);
        let of = |skipped: u64| {
            let track = Track::new("CPU 0").with("skipped", skipped);
            about(&run, &track.column("period_index", vec![0, 3]))
        };
        assert_eq!((&of(2)["left_out"], &of(0)["left_out"]), (&json!(SKIPPED), &Value::Null));
    }
}
