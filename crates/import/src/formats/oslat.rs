//! oslat of rt-tests: `--json`, and its table.

use record::{Value as Parameter, fact};
use serde_json::Value;

use crate::Flaw;
use crate::content::Content;
use crate::format::Format;
use crate::histogram::Histogram;
use crate::json::{bins, numbered, object, time, whole};
use crate::number::{count, scaled};
use crate::rows::Figures;
use crate::rt_tests;
use crate::runs::cut_off;
use crate::stated::Stated;
use crate::text::after;

pub(super) const FORMAT: Format = Format {
    tool: NAME,
    files: "`--json`; text",
    once: &[
        "oslat V ",
        "Test completed.",
        "Core:",
        "Counter Freq:",
        "Minimum:",
        "Average:",
        "Maximum:",
    ],
    recognises: |content| rt_tests::is_of(content, NAME) || content.lines().is_some_and(is_text),
    read: |content, _| match content {
        Content::Json(_) => of_json(content),
        Content::Lines(lines) => of_text(lines),
    },
};

const NAME: &str = "oslat";
const EXPONENT: i32 = 3;

fn is_text(lines: &[&str]) -> bool {
    lines.iter().any(|line| line.trim_start().starts_with("Counter Freq:"))
}

fn of_json(content: &Content) -> Result<Stated, Flaw> {
    let (file, mut stated) = rt_tests::opened(content)?;
    for (_, thread) in numbered(object(file, "thread")?, "thread")? {
        let histogram = Histogram {
            bins: bins(object(thread, "histogram")?, EXPONENT)?,
            min_ns: Some(time(thread, "min", EXPONENT)?),
            mean_ns: Some(time(thread, "avg", EXPONENT)?),
            max_ns: Some(time(thread, "max", EXPONENT)?),
            ..Histogram::default()
        };
        stated.rows.push(row(whole(thread, "cpu")?, histogram)?);
    }
    let command = rt_tests::command(content);
    if let Some(time) =
        command.and_then(|command| command.value("hqvz", 'D', "duration").map(str::to_owned))
    {
        stated.parameters.set("duration", Parameter::Word(time));
    }
    Ok(finished(stated))
}

/// Returns the row of a CPU. Its last bin also has everything above it.
fn row(cpu: u64, histogram: Histogram) -> Result<record::Row, Flaw> {
    let samples = histogram.bins.iter().try_fold(0u64, |all, (_, count)| all.checked_add(*count));
    let samples =
        samples.ok_or_else(|| Flaw::new("its histogram has more samples than can be counted"))?;
    let figures = Figures {
        label: format!("CPU {cpu}"),
        cpu: Some(cpu),
        samples: Some(samples),
        histogram: Histogram { is_open: true, ..histogram },
        bin_width_ns: Some(1e3),
        ..Figures::default()
    };
    figures.row()
}

fn of_text(lines: &[&str]) -> Result<Stated, Flaw> {
    let line = |begin: &str| after(lines, begin).ok_or_else(|| cut_off(&format!("line `{begin}`")));
    let cpus = line("Core:")?;
    let [min, mean, max] = ["Minimum:", "Average:", "Maximum:"].map(line);
    let (min, mean, max) = (min?, mean?, max?);
    let mut stated = Stated::default();
    for (place, cpu) in cpus.iter().enumerate() {
        let time = |what: &str, all: &[&str]| {
            let name = format!("the {what} of core {cpu}");
            scaled(&name, all.get(place).ok_or_else(|| cut_off(&name))?, EXPONENT).map(Some)
        };
        let histogram = Histogram {
            bins: column(lines, place)?,
            min_ns: time("minimum", &min)?,
            mean_ns: time("average", &mean)?,
            max_ns: time("maximum", &max)?,
            ..Histogram::default()
        };
        stated.rows.push(row(count("a core", cpu)?, histogram)?);
    }
    let version = lines.iter().find_map(|line| line.strip_prefix("oslat V "));
    stated.version = version.map(|version| version.trim().to_owned());
    stated.warn_if_untried();
    Ok(finished(stated))
}

/// Returns the bins of a core: lines such as `    008 (us): 995 676 (including overflows)`.
fn column(lines: &[&str], place: usize) -> Result<Vec<(i64, u64)>, Flaw> {
    let mut bins = Vec::new();
    for line in lines {
        let Some((value, counts)) = line.split_once("(us):") else { continue };
        let value = value.trim();
        if !value.starts_with(|sign: char| sign.is_ascii_digit()) {
            continue;
        }
        let ns = scaled("a bin of its histogram", value, EXPONENT)?;
        let counted = counts.split_whitespace().nth(place);
        let missing = || {
            Flaw::new(format!("bin `{}` has no count of each core", crate::flaw::shortened(value)))
        };
        bins.push((
            ns.round() as i64,
            count("a count of its histogram", counted.ok_or_else(missing)?)?,
        ));
    }
    bins.sort_unstable();
    Ok(bins)
}

fn finished(mut stated: Stated) -> Stated {
    stated.tool = NAME.to_owned();
    stated.measurement = NAME;
    let max = |row: &record::Row| row.fact(&fact::FILE_MAX_NS).and_then(Value::as_f64);
    let last = |row: &record::Row| row.file_bins()?.last().map(|(ns, _)| *ns as f64);
    if stated.rows.iter().any(|row| max(row) > last(row)) {
        stated.warn(
            "the last bin of oslat also has every longer time: these read as the largest, so higher quantiles are upper \
             bounds",
            "measure with more bins (`-b`)",
        );
    }
    stated.warn(
        "a bin of oslat is named by its end: bin 1 has times up to 1 us",
        "take its values as upper bounds of up to 1 us more, where other tools round down",
    );
    stated
}
