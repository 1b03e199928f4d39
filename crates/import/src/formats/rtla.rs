//! rtla: the text of `timerlat hist` and `top`, and of `osnoise hist`.

use record::{Row, Value as Parameter};

use crate::content::Content;
use crate::format::Format;
use crate::histogram::Histogram;
use crate::number::{count, scaled};
use crate::rows::Figures;
use crate::runs::{Progress, several};
use crate::stated::Stated;
use crate::text::{CLEARS, after, plain};
use crate::{Flaw, Unit};

pub(super) const TIMERLAT_HIST: Format = Format {
    tool: "rtla timerlat hist",
    files: "text",
    once: &[TIMERLAT_HISTOGRAM, "# Duration:", "Index"],
    recognises: |content| begins(content, TIMERLAT_HISTOGRAM),
    read: |content, _| {
        histogram(content.lines().unwrap_or_default(), "rtla timerlat hist", "timerlat")
    },
};

pub(super) const TIMERLAT_TOP: Format = Format {
    tool: "rtla timerlat top",
    files: "text",
    once: &[],
    recognises: |content| begins(content, TABLE),
    read: |content, _| top(content.lines().unwrap_or_default()),
};

pub(super) const OSNOISE_HIST: Format = Format {
    tool: "rtla osnoise hist",
    files: "text",
    once: &[OSNOISE_HISTOGRAM, "# Duration:", "Index"],
    recognises: |content| begins(content, OSNOISE_HISTOGRAM),
    read: |content, _| {
        histogram(content.lines().unwrap_or_default(), "rtla osnoise hist", "osnoise")
    },
};

const TIMERLAT_HISTOGRAM: &str = "# RTLA timerlat histogram";
const OSNOISE_HISTOGRAM: &str = "# RTLA osnoise histogram";
/// The first line of each table of `top`.
const TABLE: &str = "Timer Latency";

fn begins(content: &Content, line: &str) -> bool {
    content.lines().is_some_and(|lines| after(lines, line).is_some())
}

/// Names of columns, and what they measure.
const KINDS: [(&str, &str); 4] =
    [("IRQ", ", interrupt"), ("Thr", ", thread"), ("Usr", ", return to user space"), ("CPU", "")];

/// Returns the label of a column such as `Thr-001`, and its CPU.
fn column(name: &str) -> Result<(String, u64), Flaw> {
    let wrong = || Flaw::not("a column", name, "IRQ, Thr, Usr or CPU with a number");
    let (kind, cpu) = name.split_once('-').ok_or_else(wrong)?;
    let (_, words) = KINDS.iter().find(|(known, _)| *known == kind).ok_or_else(wrong)?;
    let cpu = count("the CPU of a column", cpu)?;
    Ok((format!("CPU {cpu}{words}"), cpu))
}

/// Reads a histogram with a column per CPU and kind, then lines with a figure per column.
fn histogram(lines: &[&str], tool: &str, measurement: &'static str) -> Result<Stated, Flaw> {
    let unit =
        after(lines, "# Time unit is").ok_or_else(|| Flaw::missing("line `# Time unit is`"))?;
    let exponent = match unit.first() {
        Some(&"nanoseconds") => Unit::Nanoseconds,
        _ => Unit::Microseconds,
    }
    .exponent();
    let at = lines.iter().position(|line| plain(line).starts_with("Index"));
    let at = at.ok_or_else(|| Flaw::missing("line `Index`"))?;
    let names: Vec<&str> = lines[at].split_whitespace().skip(1).collect();
    let mut stated = Stated { tool: tool.to_owned(), measurement, ..Stated::default() };
    for (place, name) in names.iter().enumerate() {
        let (label, cpu) = column(name)?;
        stated.rows.push(of_column(&lines[at..], place, label, cpu, exponent)?);
    }
    if let Some(time) = after(lines, "# Duration:") {
        stated.parameters.set("duration", Parameter::Word(time.join(" ")));
    }
    stated.warn(
        "the text of rtla does not state the size of its bins (`-b`): a value may be up to one bin too low",
        "keep the command with the file",
    );
    Ok(stated)
}

fn of_column(
    lines: &[&str],
    place: usize,
    label: String,
    cpu: u64,
    exponent: i32,
) -> Result<Row, Flaw> {
    let figure = |begin: &str| {
        let end = || {
            Flaw::new(format!(
                "it has no `{begin}` of {label}: it may be cut off, or written with `--no-summary`"
            ))
        };
        let all = after(lines, begin).ok_or_else(end)?;
        let text = all.get(place).copied().ok_or_else(end)?;
        // Where nothing was counted there is a dash.
        Ok(Some(text).filter(|text| *text != "-"))
    };
    let time = |begin: &str| {
        figure(begin)?
            .map(|text| scaled(&format!("`{begin}` of {label}"), text, exponent))
            .transpose()
    };
    let counted = |begin: &str| {
        figure(begin)?.map(|text| count(&format!("`{begin}` of {label}"), text)).transpose()
    };
    let beyond = counted("over:")?;
    let histogram = Histogram {
        bins: bins(lines, place, exponent)?,
        min_ns: time("min:")?,
        mean_ns: time("avg:")?,
        max_ns: time("max:")?,
        beyond: beyond.unwrap_or(0),
        is_open: false,
    };
    let samples = counted("count:")?;
    let figures = Figures {
        samples,
        histogram,
        knows_beyond: beyond.is_some(),
        cpu: Some(cpu),
        ..Figures::default()
    };
    Figures { label, ..figures }.row()
}

fn bins(lines: &[&str], place: usize, exponent: i32) -> Result<Vec<(i64, u64)>, Flaw> {
    let mut bins = Vec::new();
    let is_bin = |line: &&&str| line.starts_with(|sign: char| sign.is_ascii_digit());
    for line in lines.iter().skip(1).take_while(|line| !line.starts_with("over:")).filter(is_bin) {
        let mut words = line.split_whitespace();
        let value = scaled("a bin of its histogram", words.next().unwrap_or_default(), exponent)?;
        let missing =
            || Flaw::new(format!("line `{}` has too few columns", crate::flaw::shortened(line)));
        let counted = count("a count of its histogram", words.nth(place).ok_or_else(missing)?)?;
        if counted > 0 {
            bins.push((value.round() as i64, counted));
        }
    }
    bins.sort_unstable();
    Ok(bins)
}

/// Reads the newest table of `top`: a line per CPU, with four figures for each kind between bars.
fn top(lines: &[&str]) -> Result<Stated, Flaw> {
    refuse_several_tables(lines)?;
    let exponent = if lines.iter().any(|line| line.contains("(ns)")) { 0 } else { 3 };
    let mut newest: Vec<(u64, &str)> = Vec::new();
    let (mut progress, mut duration) = (Progress::default(), None);
    for line in lines.iter().map(|line| plain(line)) {
        let Some((head, tables)) = line.split_once('|') else { continue };
        if tables.contains("IRQ Timer Latency") {
            let digits = head.replace([' ', ':'], "");
            progress.rises("the duration".to_owned(), Some(&digits))?;
            duration = Some(head.split_whitespace().collect::<Vec<_>>().join(" "));
        }
        let Some((cpu, samples)) = head.split_once('#') else { continue };
        let Ok(cpu) = cpu.trim().parse::<u64>() else { continue };
        progress.rises(format!("the count of CPU {cpu}"), Some(samples.trim()))?;
        for (table, (_, kind)) in tables.split('|').zip(KINDS) {
            let mut words = table.split_whitespace().skip(1);
            progress.falls(format!("the minimum of CPU {cpu}{kind}"), words.next())?;
            progress.rises(format!("the maximum of CPU {cpu}{kind}"), words.nth(1))?;
        }
        match newest.iter_mut().find(|(known, _)| *known == cpu) {
            Some((_, known)) => *known = line,
            None => newest.push((cpu, line)),
        }
    }
    newest.sort_by_key(|(cpu, _)| *cpu);
    let mut stated = Stated {
        tool: "rtla timerlat top".to_owned(),
        measurement: "timerlat",
        ..Stated::default()
    };
    if let Some(time) = duration {
        stated.parameters.set("duration", Parameter::Word(time));
    }
    for (cpu, line) in newest {
        let (head, tables) = line.split_once('|').unwrap_or((line, ""));
        let samples = head.split_once('#').map(|(_, count)| count.trim()).unwrap_or_default();
        let samples = count(&format!("the count of CPU {cpu}"), samples)?;
        for ((_, kind), table) in KINDS.iter().zip(tables.split('|')) {
            stated.rows.push(of_table(&format!("CPU {cpu}{kind}"), cpu, samples, table, exponent)?);
        }
    }
    Ok(stated)
}

/// Refuses tables without what clears the screen before each: with `--quiet`, a run has one table.
fn refuse_several_tables(lines: &[&str]) -> Result<(), Flaw> {
    let tables = lines.iter().filter(|line| plain(line).trim_start().starts_with(TABLE));
    let tables: Vec<_> = tables.collect();
    match tables.len() > 1 && tables.iter().any(|line| !line.starts_with(CLEARS)) {
        true => Err(several(&format!("{} tables", tables.len()))),
        false => Ok(()),
    }
}

/// Reads `cur min avg max`.
fn of_table(label: &str, cpu: u64, samples: u64, table: &str, exponent: i32) -> Result<Row, Flaw> {
    let words: Vec<&str> = table.split_whitespace().collect();
    let [_, min, mean, max] = words.as_slice() else {
        return Err(Flaw::new(format!(
            "{label} does not have the four figures cur, min, avg and max"
        )));
    };
    let time = |text: &str| match text {
        "-" => Ok(None),
        text => scaled(&format!("a figure of {label}"), text, exponent).map(Some),
    };
    let histogram = Histogram {
        min_ns: time(min)?,
        mean_ns: time(mean)?,
        max_ns: time(max)?,
        ..Histogram::default()
    };
    let figures = Figures {
        label: label.to_owned(),
        cpu: Some(cpu),
        samples: Some(samples),
        histogram,
        ..Figures::default()
    };
    figures.row()
}
