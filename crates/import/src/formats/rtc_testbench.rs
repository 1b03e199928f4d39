//! RTC-Testbench: the statistics in its file log.

use record::{Row, fact};

use crate::Flaw;
use crate::format::Format;
use crate::histogram::Histogram;
use crate::number::{count, scaled};
use crate::rows::Figures;
use crate::runs::{Progress, cut_off};
use crate::stated::Stated;

pub(super) const FORMAT: Format = Format {
    tool: NAME,
    files: "the statistics in its file log",
    once: &[],
    recognises: |content| {
        content.lines().is_some_and(|lines| lines.iter().any(|line| is_statistics(line)))
    },
    read: |content, _| read(content.lines().unwrap_or_default()),
};

const NAME: &str = "RTC-Testbench";
const EXPONENT: i32 = 3;
/// The smallest time of a class without a frame; for one-way times since version 5.5, the second.
const NO_MINIMUM: [&str; 2] = ["18446744073709551615", "9223372036854775807"];

/// Times of each received frame, in labels.
const OF_FRAMES: [(&str, &str); 5] = [
    ("Rtt", "round trip"),
    ("Oneway", "one way"),
    ("Rx", "receive"),
    ("RxHw2Xdp", "receive, hardware to XDP"),
    ("RxXdp2App", "receive, XDP to application"),
];

fn is_statistics(line: &str) -> bool {
    line.contains("Sent=") && line.contains("RttMin=")
}

/// Reads the newest line of statistics, which counts from the start of the run:
/// `[...]: [INFO]: TsnHighSent=1000 | TsnHighReceived=998 | TsnHighRttMin=510 [us] | ...`.
fn read(lines: &[&str]) -> Result<Stated, Flaw> {
    let (mut progress, mut fields) = (Progress::default(), Vec::new());
    for line in lines.iter().filter(|line| is_statistics(line)) {
        let statistics = line.rsplit("]: ").next().unwrap_or(line);
        if !statistics.ends_with('|') {
            return Err(cut_off("the last bar of a line of statistics"));
        }
        fields = statistics.split('|').filter_map(field).collect();
        follow(&mut progress, &fields)?;
    }
    let mut stated =
        Stated { tool: NAME.to_owned(), measurement: "rtc_testbench", ..Stated::default() };
    let mut class = "";
    for (name, _) in &fields {
        // The fields of a class follow its first one.
        class = name.strip_suffix("Sent").unwrap_or(class);
        let time = name.strip_prefix(class).and_then(|name| name.strip_suffix("Min"));
        if let Some(time) = time {
            stated.rows.extend(row(&fields, class, time)?);
        }
    }
    stated.warn(
        "the times of RTC-Testbench are whole microseconds, cut off, and a round trip has the wait for the other side's \
         next cycle in it",
        "compare with runs of the same cycle time only",
    );
    if fields.iter().any(|(name, value)| name.ends_with("Min") && NO_MINIMUM.contains(value)) {
        stated.warn(
            "a minimum of 18446744073709551615 or 9223372036854775807 says that nothing was timed: such times are left out",
            "check that the reference received frames",
        );
    }
    Ok(stated)
}

/// Refuses a line whose figures went back.
fn follow(progress: &mut Progress, fields: &[(&str, &str)]) -> Result<(), Flaw> {
    for (name, value) in fields {
        let figure = format!("`{name}`");
        if name.ends_with("Min") {
            progress.falls(figure, Some(value))?;
        } else if !name.ends_with("Avg") {
            progress.rises(figure, Some(value))?;
        }
    }
    Ok(())
}

/// Reads `TsnHighRttMin=510 [us]`.
fn field(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.trim().split_once('=')?;
    Some((name, value.split_whitespace().next()?))
}

/// Returns the row of a class and a time; `None` if the class has no such time, or no frame had it.
fn row(fields: &[(&str, &str)], class: &str, time: &str) -> Result<Option<Row>, Flaw> {
    let of_frames = OF_FRAMES.iter().find(|(known, _)| *known == time);
    // How often another time, such as that of a workload, was measured is not stated.
    let (words, samples) = of_frames.map_or((time, None), |(_, words)| (*words, Some("Received")));
    let find = |end: &str| {
        let name = format!("{class}{end}");
        fields.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    };
    let (min, mean, max) =
        (find(&format!("{time}Min")), find(&format!("{time}Avg")), find(&format!("{time}Max")));
    let Some(min) = min.filter(|min| !NO_MINIMUM.contains(min)) else { return Ok(None) };
    let ns = |what: &str, text: Option<&str>| {
        text.map(|text| scaled(&format!("`{class}{time}{what}`"), text, EXPONENT)).transpose()
    };
    let counted =
        |end: &str| find(end).map(|text| count(&format!("`{class}{end}`"), text)).transpose();
    let histogram = Histogram {
        min_ns: ns("Min", Some(min))?,
        mean_ns: ns("Avg", mean)?,
        max_ns: ns("Max", max)?,
        ..Histogram::default()
    };
    let samples = samples.map(counted).transpose()?.flatten();
    let mut row =
        Figures { label: format!("{class}, {words}"), samples, histogram, ..Figures::default() }
            .row()?;
    for (fact, end) in
        [(fact::FILE_SENT, "Sent".to_owned()), (fact::FILE_OUTLIERS, format!("{time}Outliers"))]
    {
        if let Some(count) = counted(&end)? {
            row.tell(&fact, count);
        }
    }
    Ok(Some(row))
}
