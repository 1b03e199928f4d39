//! hwlatdetect of rt-tests: its text.

use base::Nanos;
use record::{Value as Parameter, fact};

use crate::content::Content;
use crate::format::Format;
use crate::histogram::Histogram;
use crate::number::{count, scaled};
use crate::rows::Figures;
use crate::runs::cut_off;
use crate::stated::Stated;
use crate::text::{after, plain};
use crate::{Flaw, Unit};

pub(super) const FORMAT: Format = Format {
    tool: NAME,
    files: "text",
    once: &["hwlatdetect:", "Max Latency:", SAMPLES],
    recognises: |content| {
        content.lines().is_some_and(|lines| after(lines, "hwlatdetect:").is_some())
    },
    read: |content, _| read(content),
};

const NAME: &str = "hwlatdetect";
const SAMPLES: &str = "Samples recorded:";

/// Reads the summary and, if they are listed, the samples: `ts: 1716.123456789, inner:12, outer:0, cpu:1`. Each sample
/// is a gap of the larger of the two times.
fn read(content: &Content) -> Result<Stated, Flaw> {
    let lines = content.lines().unwrap_or_default();
    let exponent = Unit::Microseconds.exponent();
    let line = |begin: &str| after(lines, begin).map(|words| words.join(" "));
    let us =
        |name: &str, text: &str| scaled(name, text.strip_suffix("us").unwrap_or(text), exponent);
    let needed = |begin: &str| line(begin).ok_or_else(|| cut_off(&format!("line `{begin}`")));
    let (samples, largest) = (needed(SAMPLES)?, needed("Max Latency:")?);
    let max_ns = match largest.as_str() {
        "Below threshold" => None,
        text => Some(us("the largest latency", text)?),
    };
    let mut bins = Vec::new();
    for line in lines.iter().map(|line| plain(line)).filter(|line| line.starts_with("ts:")) {
        bins.push((gap(line)?, 1));
    }
    bins.sort_unstable();
    let samples = count("the number of samples", &samples)?;
    // The kernel module's samples have another form, which is not read.
    let is_of_tracer = line("detector:").is_some_and(|detector| detector == "tracer");
    if is_of_tracer && bins.len() as u64 != samples {
        let listed = bins.len();
        return Err(Flaw::new(format!(
            "{SAMPLES} {samples}, but {listed} are listed: it may be cut off"
        )));
    }
    let figures = Figures {
        label: "gaps".to_owned(),
        samples: Some(samples),
        bin_width_ns: (!bins.is_empty()).then_some(1e3),
        knows_beyond: true,
        histogram: Histogram { bins: combined(&bins), max_ns, ..Histogram::default() },
        ..Figures::default()
    };
    let mut row = figures.row()?;
    if let Some(exceeding) = line("Samples exceeding threshold:") {
        row.tell(
            &fact::FILE_EXCEEDING,
            count("the number of samples above the threshold", &exceeding)?,
        );
    }
    let mut stated =
        Stated { tool: NAME.to_owned(), measurement: NAME, rows: vec![row], ..Stated::default() };
    for (name, begin) in [
        ("threshold", "Latency threshold:"),
        ("window", "Sample window:"),
        ("width", "Sample width:"),
    ] {
        if let Some(text) = line(begin) {
            stated.parameters.set(name, Parameter::Time(Nanos(us(begin, &text)?.max(0.0) as u64)));
        }
    }
    if let Some(duration) = line("hwlatdetect:") {
        let seconds = duration.trim_start_matches("test duration ").to_owned();
        stated.parameters.set("duration", Parameter::Word(seconds));
    }
    stated.warn(
        "hwlatdetect looks at one CPU at a time, and only for its width of each window: gaps in between are not seen, and \
         none below the threshold",
        "to look at all the time of a CPU, run `steadfast run platform_gap --cpus all`",
    );
    Ok(stated)
}

fn gap(line: &str) -> Result<i64, Flaw> {
    let part = |name: &str| {
        let found = line.split(',').find_map(|part| part.trim().strip_prefix(name));
        scaled(
            name,
            found.ok_or_else(|| Flaw::missing(&format!("`{name}` of a sample")))?.trim(),
            3,
        )
    };
    Ok(part("inner:")?.max(part("outer:")?).round() as i64)
}

/// Counts equal values, which are in order.
fn combined(values: &[(i64, u64)]) -> Vec<(i64, u64)> {
    let alike = values.chunk_by(|(one, _), (other, _)| one == other);
    alike.map(|values| (values[0].0, values.len() as u64)).collect()
}
