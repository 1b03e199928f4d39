//! Xenomai's `latency`, and `latmus` of EVL, which descends from it: their text, and the histogram of latmus.

use base::Nanos;
use record::{Fact, Row, Value as Parameter, fact};
use serde_json::Value;

use crate::Flaw;
use crate::format::Format;
use crate::histogram::Histogram;
use crate::number::{count, scaled};
use crate::rows::Figures;
use crate::stated::Stated;
use crate::text::plain;

pub(super) const LATENCY: Format = Format {
    tool: "Xenomai's latency",
    files: "text, with `-h` too",
    recognises: |content| {
        content.lines().is_some_and(|lines| has_results(lines) && !is_of_latmus(lines))
    },
    read: |content, _| latency(content.lines().unwrap_or_default()),
};

pub(super) const LATMUS: Format = Format {
    tool: "latmus",
    files: "text; the file of `-g`",
    recognises: |content| {
        content.lines().is_some_and(|lines| {
            (has_results(lines) && is_of_latmus(lines)) || plot_head(lines).is_some()
        })
    },
    read: |content, _| latmus(content.lines().unwrap_or_default()),
};

const EXPONENT: i32 = 3;

fn has_results(lines: &[&str]) -> bool {
    lines.iter().any(|line| line.starts_with("RTD|") || line.starts_with("RTS|"))
}

/// Whether the mode in a line such as `RTT|  00:00:01  (user, 1000 us period, priority 98, CPU1)` is one of latmus.
fn is_of_latmus(lines: &[&str]) -> bool {
    let mut heads = lines.iter().filter(|line| line.starts_with("RTT|"));
    let mode = heads.next_back().and_then(|line| line.split_once('('));
    mode.is_some_and(|(_, mode)| {
        ["user,", "kernel,", "irq,"].iter().any(|known| mode.starts_with(known))
    })
}

/// Reads the cells of the last line of results: `RTS| min| avg| max| overruns| mode switches| ...`. A run that was not
/// ended properly has only lines of each second (`RTD|`), the last of which has the extremes of the whole run.
fn results(lines: &[&str]) -> Result<(Histogram, Vec<(Fact, Value)>), Flaw> {
    let newest = |begin: &str| lines.iter().rev().find_map(|line| line.strip_prefix(begin));
    let cells =
        |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<String>>();
    let (cells, places, is_whole) = match (newest("RTS|"), newest("RTD|")) {
        (Some(line), _) => (cells(line), [0, 1, 2], true),
        (None, Some(line)) => (cells(line), [5, 1, 6], false),
        (None, None) => return Err(Flaw::missing("line `RTS|` or `RTD|`")),
    };
    of_cells(&cells, places, is_whole)
}

fn of_cells(
    cells: &[String],
    places: [usize; 3],
    is_whole: bool,
) -> Result<(Histogram, Vec<(Fact, Value)>), Flaw> {
    let cell = |place: usize| {
        cells.get(place).ok_or_else(|| Flaw::new("its line of results has too few columns"))
    };
    let time =
        |place: usize| scaled("a figure of its line of results", cell(place)?, EXPONENT).map(Some);
    let [min, mean, max] = places;
    let histogram = Histogram {
        min_ns: time(min)?,
        // The mean of the last second is not that of the run.
        mean_ns: if is_whole { time(mean)? } else { None },
        max_ns: time(max)?,
        ..Histogram::default()
    };
    let others = [(fact::FILE_OVERRUNS, 3), (fact::FILE_MODE_SWITCHES, 4)];
    let others =
        others.map(|(fact, place)| Ok((fact, Value::from(count(fact.name, cell(place)?)?))));
    Ok((histogram, others.into_iter().collect::<Result<_, Flaw>>()?))
}

/// Adds what a head states: `(user, 1000 us period, priority 98, CPU1)`. Returns the CPU.
fn add_head(stated: &mut Stated, head: &str) -> Option<u64> {
    let words = head.split_once('(')?.1.split(')').next()?;
    let mut cpu = None;
    for (place, part) in words.split(',').map(str::trim).enumerate() {
        let number = |text: &str| text.trim().parse::<u64>().ok();
        if place == 0 {
            stated.parameters.set("mode", Parameter::Word(part.to_owned()));
        } else if let Some(us) = part.strip_suffix("us period").and_then(number) {
            stated.parameters.set("interval", Parameter::Time(Nanos(us.saturating_mul(1000))));
        } else if let Some(priority) = part.strip_prefix("priority").and_then(number) {
            stated.parameters.set("priority", Parameter::Count(priority));
        } else if let Some(found) = part.strip_prefix("CPU").and_then(number) {
            cpu = Some(found);
        }
    }
    cpu
}

fn latency(lines: &[&str]) -> Result<Stated, Flaw> {
    let mut stated = Stated {
        tool: "Xenomai's latency".to_owned(),
        measurement: "xenomai_latency",
        ..Stated::default()
    };
    let head = lines.iter().find(|line| line.starts_with("RTT|"));
    let cpu = head.and_then(|head| add_head(&mut stated, head));
    let (histogram, others) = results(lines)?;
    let bins = avg_bins(lines)?;
    let samples = bins.iter().try_fold(0u64, |all, (_, count)| all.checked_add(*count));
    let has_bins = !bins.is_empty();
    if has_bins {
        stated.warn(
            "the histogram counts negative latencies as positive ones, and its last bin has everything above it; the size \
             of its bins (`-B`, 1 us by default) is not stated, and was taken as 1 us",
            "use it for positive latencies and the default size only",
        );
    }
    stated.warn(
        "the average is the mean of the means of each second, cut to whole nanoseconds",
        "do not compare averages that differ by a nanosecond",
    );
    stated.rows.push(row(
        cpu,
        samples.filter(|_| has_bins),
        Histogram { bins, is_open: true, ..histogram },
        others,
    )?);
    Ok(finished(stated, lines))
}

fn row(
    cpu: Option<u64>,
    samples: Option<u64>,
    histogram: Histogram,
    others: Vec<(Fact, Value)>,
) -> Result<Row, Flaw> {
    let bin_width_ns = (!histogram.bins.is_empty()).then_some(1e3);
    Figures {
        label: "latency".to_owned(),
        cpu,
        samples,
        bin_width_ns,
        histogram,
        others,
        ..Figures::default()
    }
    .row()
}

/// Returns the bins of all samples: lines such as `HSD|    avg|   3 -  4 |      997`.
fn avg_bins(lines: &[&str]) -> Result<Vec<(i64, u64)>, Flaw> {
    let mut bins = Vec::new();
    for line in lines {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let ["HSD", "avg", range, counted] = cells.as_slice() else { continue };
        let from = range.split('-').next().unwrap_or_default().trim();
        let value = scaled("a bin of its histogram", from, EXPONENT)?;
        bins.push((value.round() as i64, count("a count of its histogram", counted)?));
    }
    bins.sort_unstable();
    Ok(bins)
}

fn latmus(lines: &[&str]) -> Result<Stated, Flaw> {
    let mut stated =
        Stated { tool: "latmus".to_owned(), measurement: "latmus", ..Stated::default() };
    let head =
        plot_head(lines).or_else(|| lines.iter().copied().find(|line| line.starts_with("RTT|")));
    let cpu = head.and_then(|head| add_head(&mut stated, head));
    let bins = plot_bins(lines)?;
    let (histogram, others) = match plot_results(lines) {
        Some(cells) => of_cells(&cells, [0, 1, 2], true)?,
        None => results(lines)?,
    };
    let samples = bins.iter().try_fold(0u64, |all, (_, count)| all.checked_add(*count));
    if !bins.is_empty() {
        stated.warn(
            "the file of `latmus -g` has one sample too many in each bin, and a line without samples at each end: both were \
             taken back; its last bin has everything above it",
            "plot the imported histogram instead",
        );
    }
    let samples = samples.filter(|_| !bins.is_empty());
    stated.rows.push(row(cpu, samples, Histogram { bins, is_open: true, ..histogram }, others)?);
    Ok(finished(stated, lines))
}

/// Returns the head of a histogram's file: `# 00:00:10 (user, 1000 us period, priority 98)`.
fn plot_head<'l>(lines: &[&'l str]) -> Option<&'l str> {
    let is_head = |line: &&&str| line.starts_with("# ") && line.contains("us period, priority");
    lines.iter().find(is_head).copied()
}

/// Returns the cells of the figures in that file: `#       1.211|      1.325|      2.476|       0|     0|`.
fn plot_results(lines: &[&str]) -> Option<Vec<String>> {
    plot_head(lines)?;
    let cells =
        |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<String>>();
    let lines = lines.iter().filter_map(|line| line.strip_prefix('#')).map(cells);
    lines.filter(|cells| cells.len() > 4).find(|cells| cells[0].parse::<f64>().is_ok())
}

/// Returns the bins of a histogram's file: lines such as `3.5 998`, with the middle of a bin and its count plus 1.
fn plot_bins(lines: &[&str]) -> Result<Vec<(i64, u64)>, Flaw> {
    let mut bins = Vec::new();
    for line in lines.iter().map(|line| plain(line)) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [middle, counted] = words.as_slice() else { continue };
        let Some(begin) = middle.strip_suffix(".5") else { continue };
        let value = scaled("a bin of its histogram", begin, EXPONENT)?;
        let counted = count("a count of its histogram", counted)?.saturating_sub(1);
        bins.push((value.round() as i64, counted));
    }
    bins.sort_unstable();
    Ok(bins)
}

fn finished(mut stated: Stated, lines: &[&str]) -> Stated {
    if !lines.iter().any(|line| line.starts_with("RTS|")) && plot_head(lines).is_none() {
        stated.warn(
            "the run has no final line (`RTS|`): its extremes are those up to the last second",
            "let the tool end by itself (`-T`) or with Ctrl-C",
        );
    }
    let is_relaxed =
        |row: &Row| row.fact(&fact::FILE_MODE_SWITCHES).is_some_and(|count| *count != 0);
    if stated.rows.iter().any(is_relaxed) {
        stated.warn(
            "the thread left the real-time core for Linux, so its figures are not those of the core alone",
            "find the service that it used (docs/dual-kernels.md)",
        );
    }
    stated
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negative_latencies_and_modes_are_read() {
        let lines = [
            "RTT|  00:00:01  (periodic user-mode task, 100 us period, priority 99)",
            "RTD|     -1.080|      0.464|      1.780|       2|     0|     -1.080|      1.780",
        ];
        let stated = latency(&lines).unwrap();
        assert_eq!(stated.rows[0].fact(&fact::FILE_MIN_NS).unwrap(), -1080.0);
        assert_eq!(stated.rows[0].fact(&fact::FILE_MEAN_NS), None);
        assert_eq!(stated.rows[0].fact(&fact::FILE_OVERRUNS).unwrap(), 2);
        assert!(!is_of_latmus(&lines));
    }
}
