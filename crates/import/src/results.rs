//! Lines of results, which Xenomai's `latency` prints, and latmus of EVL, which descends from it.

use base::Nanos;
use record::{Fact, Row, Value as Parameter, fact};
use serde_json::Value;

use crate::Flaw;
use crate::histogram::Histogram;
use crate::number::{count, scaled};
use crate::rows::Figures;
use crate::runs::{Progress, several};
use crate::stated::Stated;

/// Their times are microseconds.
pub(crate) const EXPONENT: i32 = 3;
/// How lines begin with the conditions, with the figures of a second, and with those of the run.
const HEAD: &str = "RTT|";
pub(crate) const SECOND: &str = "RTD|";
pub(crate) const FINAL: &str = "RTS|";
/// What latmus measures the latency of, as its heads name it.
const OF_LATMUS: [&str; 6] = ["user,", "kernel,", "irq,", "sirq,", "oob-gpio,", "inband-gpio,"];

/// Returns the heads of lines of results: `RTT|  00:00:01  (periodic user-mode task, 1000 us period, priority 99)`.
pub(crate) fn heads<'l>(lines: &[&'l str]) -> impl Iterator<Item = &'l str> {
    lines.iter().filter_map(|line| line.strip_prefix(HEAD))
}

/// Whether a head is one of latmus: `RTT|  00:00:01  (user, 1000 us period, priority 98, CPU1)`.
pub(crate) fn is_of_latmus(head: &str) -> bool {
    let mode = head.split_once('(').map_or("", |(_, mode)| mode);
    OF_LATMUS.iter().any(|known| mode.starts_with(known))
}

pub(crate) fn has_results(lines: &[&str]) -> bool {
    lines.iter().any(|line| line.starts_with(SECOND) || line.starts_with(FINAL))
}

pub(crate) fn cells(line: &str) -> Vec<&str> {
    line.split('|').map(str::trim).collect()
}

/// Reads the cells of the last line of results: `RTS| min| avg| max| overruns| mode switches| ...`. A run that was not
/// ended properly has only lines of each second (`RTD|`), the last of which has the extremes of the whole run.
pub(crate) fn read_results(lines: &[&str]) -> Result<(Histogram, Vec<(Fact, Value)>), Flaw> {
    refuse_several_runs(lines)?;
    let newest = |begin: &str| lines.iter().rev().find_map(|line| line.strip_prefix(begin));
    let (cells, places, is_whole) = match (newest(FINAL), newest(SECOND)) {
        (Some(line), _) => (cells(line), [0, 1, 2], true),
        (None, Some(line)) => (cells(line), [5, 1, 6], false),
        (None, None) => return Err(Flaw::missing("line `RTS|` or `RTD|`")),
    };
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

/// Refuses lines of results that are not of one run: after its final line, with another head, or whose figures go back.
fn refuse_several_runs(lines: &[&str]) -> Result<(), Flaw> {
    let (mut progress, mut is_over) = (Progress::default(), false);
    // The time and conditions of the last head, and how many seconds came after it.
    let (mut last, mut seconds) = (None, 0);
    for line in lines {
        let (second, end) = (line.strip_prefix(SECOND), line.strip_prefix(FINAL));
        let head = line.strip_prefix(HEAD).and_then(|head| head.split_once('('));
        if is_over && (head.is_some() || second.is_some()) {
            return Err(several("results after the line `RTS|`"));
        }
        if let Some((time, conditions)) = head {
            let is_next = |(before, known): (&str, &str)| {
                known == conditions && (before < time || seconds < 2)
            };
            if !last.is_none_or(is_next) {
                return Err(several("heads `RTT|` of which one begins anew"));
            }
            (last, seconds) = (Some((time, conditions)), 0);
        }
        if let Some(cells) = second.map(cells) {
            let cell = |place: usize| cells.get(place).copied();
            progress.rises("overruns".to_owned(), cell(3))?;
            progress.rises("mode switches".to_owned(), cell(4))?;
            extremes(&mut progress, cell(5), cell(6))?;
            seconds += 1;
        }
        if let Some(cells) = end.map(cells) {
            extremes(&mut progress, cells.first().copied(), cells.get(2).copied())?;
            is_over = true;
        }
    }
    Ok(())
}

fn extremes(progress: &mut Progress, best: Option<&str>, worst: Option<&str>) -> Result<(), Flaw> {
    progress.falls("`lat best`".to_owned(), best)?;
    progress.rises("`lat worst`".to_owned(), worst)
}

/// Adds what a head states: `(user, 1000 us period, priority 98, CPU1)`. Returns the CPU.
pub(crate) fn add_head(stated: &mut Stated, head: &str) -> Option<u64> {
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
        } else if let Some(found) = part.strip_prefix("CPU") {
            cpu = number(found.trim_end_matches("-noisol"));
        }
    }
    cpu
}

pub(crate) fn row(
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

pub(crate) fn has_end(lines: &[&str]) -> bool {
    lines.iter().any(|line| line.starts_with(FINAL))
}

/// Returns what a text states, with what is to be known of its run.
pub(crate) fn finished(mut stated: Stated, lines: &[&str]) -> Stated {
    if !has_end(lines) {
        stated.warn(
            "the run has no final line (`RTS|`): its extremes are those up to the last second",
            "let the tool end by itself (`-T`) or with Ctrl-C",
        );
    }
    warn_of_modes(&mut stated);
    stated
}

pub(crate) fn warn_of_modes(stated: &mut Stated) {
    let is_relaxed =
        |row: &Row| row.fact(&fact::FILE_MODE_SWITCHES).is_some_and(|count| *count != 0);
    if stated.rows.iter().any(is_relaxed) {
        stated.warn(
            "the thread left the real-time core for Linux, so its figures are not those of the core alone",
            "find the service that it used (docs/dual-kernels.md)",
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: [&str; 2] = [
        "RTT|  00:00:01  (periodic user-mode task, 100 us period, priority 99)",
        "RTD|     -1.080|      0.464|      1.780|       2|     0|     -1.080|      1.780",
    ];

    #[test]
    fn negative_latencies_and_modes_are_read() {
        let (histogram, others) = read_results(&LINES).unwrap();
        assert_eq!((histogram.min_ns, histogram.mean_ns), (Some(-1080.0), None));
        assert_eq!(others[0], (fact::FILE_OVERRUNS, Value::from(2)));
        assert!(heads(&LINES).all(|head| !is_of_latmus(head)));
    }

    #[test]
    fn lines_of_a_second_run_are_refused() {
        let [head, second] = LINES;
        let later = head.replace(":01", ":22");
        let end = "RTS|     -1.080|      0.464|      1.780|       2|     0|    00:00:02/00:00:02";
        let more =
            "RTD|      0.100|      0.464|      2.780|       2|     0|     -1.080|      2.780";
        for (lines, is_one) in [
            (vec![head, second, second, &later, more], true),
            (vec![head, second, more, end], false),
            (vec![head, second, second, head, more], false),
            (vec![head, second, end, second], false),
            (vec![head, more, second], false),
            (
                vec![
                    head,
                    second,
                    "RTT|  00:00:22  (periodic user-mode task, 200 us period, priority 99)",
                ],
                false,
            ),
        ] {
            assert_eq!(read_results(&lines).is_ok(), is_one, "{lines:?}");
        }
    }
}
