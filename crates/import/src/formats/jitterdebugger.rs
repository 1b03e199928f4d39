//! jitterdebugger: `results.json`, and its text.

use record::Row;

use super::cyclictest::summary;
use crate::content::Content;
use crate::format::Format;
use crate::histogram::Histogram;
use crate::json::{Object, bins, expect_form, numbered, object, time, whole};
use crate::rows::Figures;
use crate::rt_tests::{machine, unit};
use crate::runs::Progress;
use crate::stated::Stated;
use crate::text::{is_thread, plain, thread_lines, value};
use crate::{Flaw, Unit};

pub(super) const FORMAT: Format = Format {
    tool: NAME,
    files: "`results.json`; text",
    once: &[],
    recognises: |content| of_cpus(content).is_some() || content.lines().is_some_and(is_text),
    read: |content, unit| match content {
        Content::Json(_) => of_json(content),
        Content::Lines(lines) => of_text(lines, unit),
    },
};

const NAME: &str = "jitterdebugger";
/// The value of `version` in files of the known form.
const FORM: u64 = 3;

/// Returns a file with a histogram for each of its CPUs.
fn of_cpus<'c>(content: &'c Content<'_>) -> Option<&'c Object> {
    let file = content.json()?.as_object()?;
    let cpus = file.get("cpu")?.as_object()?;
    cpus.values().all(|cpu| cpu.get("histogram").is_some()).then_some(file)
}

fn is_text(lines: &[&str]) -> bool {
    lines.iter().any(|line| is_thread(line) && value(plain(line), "A").is_some())
}

fn of_json(content: &Content) -> Result<Stated, Flaw> {
    let file = of_cpus(content).ok_or_else(|| Flaw::missing("`cpu`"))?;
    expect_form(file, "version", FORM)?;
    let sysinfo = object(file, "sysinfo").ok();
    let exponent = sysinfo.map(unit).unwrap_or_default().exponent();
    let mut stated =
        Stated { machine: sysinfo.map(machine).unwrap_or_default(), ..Stated::default() };
    for (number, thread) in numbered(object(file, "cpu")?, "cpu")? {
        stated.rows.push(row(number, thread, exponent)?);
    }
    stated.warn(
        "jitterdebugger numbers its threads from 0 and calls them CPUs: with `-a 1`, the thread on CPU 1 is `cpu` 0",
        "take the CPUs from the command that ran it",
    );
    Ok(finished(stated))
}

/// Reads a thread. The histogram has an end: samples above it are those that no bin counts.
fn row(number: u64, thread: &Object, exponent: i32) -> Result<Row, Flaw> {
    let bins = bins(object(thread, "histogram")?, exponent)?;
    let samples = whole(thread, "count")?;
    let counted = bins.iter().fold(0u64, |all, (_, count)| all.saturating_add(*count));
    let figures = Figures {
        label: format!("thread {number}"),
        samples: Some(samples),
        bin_width_ns: Some(10f64.powi(exponent)),
        knows_beyond: true,
        histogram: Histogram {
            bins,
            min_ns: Some(time(thread, "min", exponent)?),
            mean_ns: Some(time(thread, "avg", exponent)?),
            max_ns: Some(time(thread, "max", exponent)?),
            beyond: samples.saturating_sub(counted),
            is_open: false,
        },
        ..Figures::default()
    };
    figures.row()
}

fn of_text(lines: &[&str], unit: Unit) -> Result<Stated, Flaw> {
    let mut stated = Stated::default();
    for (number, line) in thread_lines(lines, &mut Progress::default())? {
        let cpu = value(line, "A").and_then(|cpu| cpu.parse().ok());
        let figures = summary(number, line, unit.exponent())?;
        stated.rows.push(Figures { cpu, ..figures }.row()?);
    }
    stated.warn(
        "the text of jitterdebugger does not state its unit",
        "import it with `--nsecs` if jitterdebugger was run with `-N`",
    );
    Ok(finished(stated))
}

fn finished(stated: Stated) -> Stated {
    Stated { tool: NAME.to_owned(), measurement: NAME, ..stated }
}
