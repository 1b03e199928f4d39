//! cyclictest of rt-tests: `--json`, and its text with or without a histogram.

use base::Nanos;
use record::{Fact, Parameters, Row, Value as Parameter, fact};
use serde_json::{Value, json};

use crate::command::Command;
use crate::content::Content;
use crate::format::Format;
use crate::histogram::Histogram;
use crate::json::{Object, bins, numbered, object, time, whole};
use crate::number::{count, scaled};
use crate::rows::Figures;
use crate::rt_tests;
use crate::runs::{Progress, cut_off, several};
use crate::stated::Stated;
use crate::text::{Threads, add, after, is_of_deadline, is_thread, plain, thread_lines, value};
use crate::{Flaw, Unit};

pub(super) const FORMAT: Format = Format {
    tool: "cyclictest",
    files: "`--json`; text, with `-h` or `--histfile` too",
    once: ONCE,
    recognises: |content| rt_tests::is_of(content, NAME) || is_text(content),
    read: |content, unit| match content {
        Content::Json(_) => of_json(content),
        Content::Lines(lines) => of_text(lines, unit),
    },
};

const NAME: &str = "cyclictest";
pub(super) const ONCE: &[&str] = &[
    "# /dev/cpu_dma_latency set",
    "# Histogram\n",
    "# Total:",
    MIN,
    AVG,
    MAX,
    OVERFLOWS,
    OVERFLOW_CYCLES,
];
const MIN: &str = "# Min Latencies:";
const AVG: &str = "# Avg Latencies:";
const MAX: &str = "# Max Latencies:";
const OVERFLOWS: &str = "# Histogram Overflows:";
const OVERFLOW_CYCLES: &str = "# Histogram Overflow at cycle number:";
/// Options without a value.
const FLAGS: &str = "mMnNqrRsSuvxX";
const DISTANCE: &str = "threads have different intervals: that of each is longer than that of the one before by --distance, 500 us by default";

fn is_text(content: &Content) -> bool {
    let Some(lines) = content.lines() else { return false };
    let mut threads = lines.iter().filter(|line| is_thread(line));
    let has_priority = |line: &&str| value(plain(line), "P").is_some();
    let is_histogram =
        || histogram_at(lines).is_some() && !lines.iter().any(|line| is_of_deadline(line));
    threads.any(has_priority) || is_histogram()
}

/// Returns the place of the line above the first bin.
fn histogram_at(lines: &[&str]) -> Option<usize> {
    lines.iter().position(|line| plain(line).trim() == "# Histogram")
}

fn of_json(content: &Content) -> Result<Stated, Flaw> {
    let (file, mut stated) = rt_tests::opened(content)?;
    stated.tool = NAME.to_owned();
    stated.measurement = NAME;
    let exponent = rt_tests::unit(file).exponent();
    for (number, thread) in numbered(object(file, "thread")?, "thread")? {
        stated.rows.push(json_thread(number, thread, exponent)?.row()?);
    }
    let command = rt_tests::command(content).unwrap_or_else(|| Command::of(NAME));
    stated.parameters = parameters(&command);
    warn(&mut stated, &command);
    Ok(stated)
}

/// Reads a thread. The file does not state how many samples are above the histogram: they are the cycles that no bin
/// counts.
pub(super) fn json_thread(number: u64, thread: &Object, exponent: i32) -> Result<Figures, Flaw> {
    let samples = Some(whole(thread, "cycles")?);
    let bins = match thread.get("histogram") {
        Some(_) => bins(object(thread, "histogram")?, exponent)?,
        None => Vec::new(),
    };
    let counted = bins.iter().fold(0u64, |all, (_, count)| all.saturating_add(*count));
    let has_bins = !bins.is_empty();
    Ok(Figures {
        label: format!("thread {number}"),
        cpu: thread.get("cpu").and_then(Value::as_u64),
        samples,
        bin_width_ns: has_bins.then(|| 10f64.powi(exponent)),
        knows_beyond: samples.is_some(),
        histogram: Histogram {
            bins,
            min_ns: Some(time(thread, "min", exponent)?),
            mean_ns: Some(time(thread, "avg", exponent)?),
            max_ns: Some(time(thread, "max", exponent)?),
            beyond: samples
                .filter(|_| has_bins)
                .map_or(0, |samples| samples.saturating_sub(counted)),
            is_open: false,
        },
        others: Vec::new(),
    })
}

fn parameters(command: &Command) -> Parameters {
    let mut parameters = Parameters::default();
    let given = |letter, name| command.value(FLAGS, letter, name);
    for (name, letter) in [("interval", 'i'), ("distance", 'd')] {
        // cyclictest ignores a distance if it has a histogram.
        if name == "distance" && has_histogram(command) {
            continue;
        }
        if let Some(us) = given(letter, name).and_then(|text| text.parse::<u64>().ok()) {
            parameters.set(name, Parameter::Time(Nanos(us.saturating_mul(1000))));
        }
    }
    let priority = given('p', "priority").or_else(|| command.value(FLAGS, '\0', "prio"));
    for (name, given) in [("priority", priority), ("loops", given('l', "loops"))] {
        if let Some(count) = given.and_then(|text| text.parse().ok()) {
            parameters.set(name, Parameter::Count(count));
        }
    }
    // `--policy` has no letter.
    for (name, letter) in [("policy", '\0'), ("duration", 'D')] {
        if let Some(word) = given(letter, name) {
            parameters.set(name, Parameter::Word(word.to_owned()));
        }
    }
    parameters
}

fn has_histogram(command: &Command) -> bool {
    let given = [('h', "histogram"), ('H', "histofall"), ('\0', "histfile")];
    given.iter().any(|(letter, name)| command.value(FLAGS, *letter, name).is_some())
}

/// Adds the known traps that apply to this file.
fn warn(stated: &mut Stated, command: &Command) {
    if stated.parameters.get("loops").is_some() && stated.rows.len() > 1 {
        stated.warn(
            "with `-l`, a run of cyclictest ends when its fastest thread has done its loops: other threads have fewer samples",
            "measure for a time with `-D`",
        );
    }
    let policy = stated.parameters.get("policy").map(ToString::to_string);
    if policy.is_some_and(|policy| policy.contains("deadline")) {
        stated.warn(
            "a run with `--policy=deadline` measures no deadline thread: cyclictest then uses SCHED_OTHER, or SCHED_FIFO if a \
             priority is given",
            "measure a deadline thread with cyclicdeadline",
        );
    }
    let is_smp = command.has(FLAGS, 'S', "smp");
    let has_histogram = has_histogram(command);
    let is_equal = stated.parameters.get("distance").is_some_and(|own| own.to_string() == "0ns");
    if stated.rows.len() > 1 && !is_smp && !has_histogram && !is_equal {
        stated.warn(DISTANCE, "give all threads one interval with `-S`, `-h` or `-d 0`");
    }
    if has_histogram {
        stated.warn(
            "the JSON of cyclictest does not count samples above the histogram: they are the cycles that no bin counts, and \
             read as the largest value",
            "measure with a longer histogram (`-h`)",
        );
    }
}

/// Returns the newest line of each thread, and the rows: those of the histogram, if there is one.
pub(super) fn text_rows<'l>(
    lines: &[&'l str],
    exponent: i32,
) -> Result<(Threads<'l>, Vec<Row>), Flaw> {
    let mut progress = Progress::default();
    let threads = thread_lines(lines, &mut progress)?;
    let figures = match histogram_at(lines) {
        Some(at) => {
            if lines[at..].iter().any(|line| is_thread(line)) {
                return Err(several("a line of a thread after the histogram"));
            }
            // A run with a histogram has these lines only on a screen, which repeats them.
            let shown = lines.iter().filter(|line| is_thread(line)).count();
            if shown > 0 && shown == threads.len() {
                return Err(several("the last line of a thread, and a histogram"));
            }
            of_histogram(&lines[at..], &threads, exponent, &mut progress)?
        }
        None => threads
            .iter()
            .map(|(number, line)| summary(*number, line, exponent))
            .collect::<Result<Vec<Figures>, Flaw>>()?,
    };
    let rows = figures.into_iter().map(Figures::row).collect::<Result<_, Flaw>>()?;
    Ok((threads, rows))
}

fn of_text(lines: &[&str], unit: Unit) -> Result<Stated, Flaw> {
    let (threads, rows) = text_rows(lines, unit.exponent())?;
    let mut stated = Stated { tool: NAME.to_owned(), measurement: NAME, rows, ..Stated::default() };
    let of_first =
        |name| threads.first().and_then(|(_, line)| value(line, name)?.parse::<u64>().ok());
    if let Some(us) = of_first("I") {
        stated.parameters.set("interval", Parameter::Time(Nanos(us.saturating_mul(1000))));
    }
    if let Some(priority) = of_first("P") {
        stated.parameters.set("priority", Parameter::Count(priority));
    }
    let read_as = match unit {
        Unit::Microseconds => {
            ("microseconds", "if cyclictest was run with `--nsecs`, import the file with `--nsecs`")
        }
        Unit::Nanoseconds => {
            ("nanoseconds", "import the file without `--nsecs` if cyclictest was run without it")
        }
    };
    stated.warn(
        format!("the text does not state its unit, and was read as {}", read_as.0),
        read_as.1,
    );
    if histogram_at(lines).is_some() && threads.is_empty() {
        stated.warn(
            "a histogram of cyclicdeadline (2.10 or later) is the same text",
            "check which of the two wrote the file",
        );
    }
    let mut intervals: Vec<_> = threads.iter().filter_map(|(_, line)| value(line, "I")).collect();
    intervals.dedup();
    if intervals.len() > 1 {
        stated.warn(DISTANCE, "give all threads one interval with `-S`, `-h` or `-d 0`");
    }
    Ok(stated)
}

/// Reads a line such as `T: 0 (11729) P:80 I:1000 C:     10 Min:   8188 Act:    8327 Avg:   11355 Max:   19545`.
pub(super) fn summary(number: u64, line: &str, exponent: i32) -> Result<Figures, Flaw> {
    let figure = |name: &str| {
        let found = value(line, name)
            .ok_or_else(|| Flaw::missing(&format!("`{name}` of thread {number}")))?;
        scaled(&format!("`{name}` of thread {number}"), found, exponent).map(Some)
    };
    let histogram = Histogram {
        min_ns: figure("Min")?,
        mean_ns: figure("Avg")?,
        max_ns: figure("Max")?,
        ..Histogram::default()
    };
    let cycles = value(line, "C").unwrap_or_default();
    let samples = Some(count(&format!("`C` of thread {number}"), cycles)?);
    Ok(Figures { label: format!("thread {number}"), samples, histogram, ..Figures::default() })
}

/// Reads the text from its line `# Histogram`: a column per thread, and the sums of all with `-H`.
fn of_histogram<'l>(
    lines: &[&'l str],
    threads: &[(u64, &str)],
    exponent: i32,
    progress: &mut Progress,
) -> Result<Vec<Figures>, Flaw> {
    let line = |begin: &str| after(lines, begin).ok_or_else(|| cut_off(&format!("line `{begin}`")));
    let [min, mean, max, overflows] = [line(MIN)?, line(AVG)?, line(MAX)?, line(OVERFLOWS)?];
    if !threads.is_empty() && threads.len() != min.len() {
        let (own, all) = (threads.len(), min.len());
        return Err(several(&format!("lines of {own} threads, and a histogram of {all}")));
    }
    let mut figures = Vec::new();
    for number in 0..min.len() {
        let figure = |what: &str, all: &[&'l str]| {
            all.get(number)
                .copied()
                .ok_or_else(|| cut_off(&format!("the {what} of thread {number}")))
        };
        let time = |what: &str, all: &[&'l str]| {
            scaled(&format!("the {what} of thread {number}"), figure(what, all)?, exponent)
        };
        let beyond = count("a count of overflows", figure("count of overflows", &overflows)?)?;
        let (min_ns, mean_ns, max_ns) =
            (time("minimum", &min)?, time("average", &mean)?, time("maximum", &max)?);
        let bins = column(lines, number, exponent)?;
        let samples = bins.iter().try_fold(beyond, |all, (_, count)| all.checked_add(*count));
        let samples = samples
            .ok_or_else(|| Flaw::new("its histogram has more samples than can be counted"))?;
        add(progress, number as u64, |name| match name {
            "Min" => min.get(number).copied(),
            _ => max.get(number).copied().filter(|_| name == "Max"),
        })?;
        progress.rises(format!("`C` of thread {number}"), Some(&samples.to_string()))?;
        figures.push(Figures {
            label: format!("thread {number}"),
            samples: Some(samples),
            bin_width_ns: Some(10f64.powi(exponent)),
            knows_beyond: true,
            histogram: Histogram {
                bins,
                min_ns: Some(min_ns),
                mean_ns: Some(mean_ns),
                max_ns: Some(max_ns),
                beyond,
                is_open: false,
            },
            others: vec![overflow_cycles(lines, number)?],
            ..Figures::default()
        });
    }
    Ok(figures)
}

/// Returns the filled bins of a thread.
fn column(lines: &[&str], thread: usize, exponent: i32) -> Result<Vec<(i64, u64)>, Flaw> {
    let mut bins = Vec::new();
    let is_bin = |line: &&&str| line.starts_with(|sign: char| sign.is_ascii_digit());
    for line in lines.iter().skip(1).take_while(|line| !line.starts_with('#')).filter(is_bin) {
        let mut words = line.split_whitespace();
        let value = scaled("a bin of its histogram", words.next().unwrap_or_default(), exponent)?;
        let missing = || {
            Flaw::new(format!(
                "line `{}` has no count of thread {thread}",
                crate::flaw::shortened(line)
            ))
        };
        let counted = count("a count of its histogram", words.nth(thread).ok_or_else(missing)?)?;
        if counted > 0 {
            bins.push((value.round() as i64, counted));
        }
    }
    bins.sort_unstable();
    Ok(bins)
}

/// Returns the cycles whose samples are above the histogram, as far as the text lists them.
fn overflow_cycles(lines: &[&str], thread: usize) -> Result<(Fact, Value), Flaw> {
    after(lines, OVERFLOW_CYCLES).ok_or_else(|| cut_off(&format!("line `{OVERFLOW_CYCLES}`")))?;
    let begin = format!("# Thread {thread}:");
    let listed = after(lines, &begin).ok_or_else(|| cut_off(&format!("line `{begin}`")))?;
    let cycles = listed.iter().map_while(|word| word.parse::<u64>().ok());
    Ok((fact::BEYOND_AT, json!(cycles.collect::<Vec<u64>>())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_priority_is_no_number_of_loops() {
        let of = |line: &str| parameters(&Command::of(line));
        for line in ["cyclictest --prio=80", "cyclictest -p80", "cyclictest --priority 80"] {
            let parameters = of(line);
            assert_eq!(parameters.get("priority"), Some(&Parameter::Count(80)), "{line}");
            assert_eq!(parameters.get("loops"), None, "{line}");
        }
        assert_eq!(of("cyclictest -l 9").get("loops"), Some(&Parameter::Count(9)));
    }
}
