//! cyclicdeadline of rt-tests: `--json`, and its text.

use base::Nanos;
use record::Value as Parameter;

use super::cyclictest::{ONCE, json_thread, text_rows};
use crate::content::Content;
use crate::format::Format;
use crate::json::{numbered, object};
use crate::rt_tests;
use crate::stated::Stated;
use crate::text::{is_of_deadline, value};
use crate::{Flaw, Unit};

pub(super) const FORMAT: Format = Format {
    tool: NAME,
    files: "`--json`; text",
    once: ONCE,
    recognises: |content| {
        rt_tests::is_of(content, NAME)
            || content.lines().is_some_and(|lines| lines.iter().any(|line| is_of_deadline(line)))
    },
    read: |content, _| match content {
        Content::Json(_) => of_json(content),
        Content::Lines(lines) => of_text(lines),
    },
};

const NAME: &str = "cyclicdeadline";

fn of_json(content: &Content) -> Result<Stated, Flaw> {
    let (file, mut stated) = rt_tests::opened(content)?;
    let exponent = rt_tests::unit(file).exponent();
    for (number, thread) in numbered(object(file, "thread")?, "thread")? {
        stated.rows.push(json_thread(number, thread, exponent)?.row()?);
    }
    let command = rt_tests::command(content);
    let given = |letter, name| command.as_ref()?.value("qh", letter, name)?.parse::<u64>().ok();
    for (name, letter) in [("interval", 'i'), ("step", 's')] {
        if let Some(us) = given(letter, name) {
            stated.parameters.set(name, Parameter::Time(Nanos(us.saturating_mul(1000))));
        }
    }
    finish(stated)
}

fn of_text(lines: &[&str]) -> Result<Stated, Flaw> {
    let (threads, rows) = text_rows(lines, Unit::Microseconds.exponent())?;
    let mut stated = Stated { rows, ..Stated::default() };
    let interval = threads.first().and_then(|(_, line)| value(line, "I")?.parse::<u64>().ok());
    if let Some(us) = interval {
        stated.parameters.set("interval", Parameter::Time(Nanos(us.saturating_mul(1000))));
    }
    finish(stated)
}

fn finish(mut stated: Stated) -> Result<Stated, Flaw> {
    stated.tool = NAME.to_owned();
    stated.measurement = NAME;
    stated.parameters.set("policy", Parameter::Word("deadline".to_owned()));
    if stated.rows.len() > 1 {
        stated.warn(
            "each thread of cyclicdeadline has a longer deadline than the one before: by `--step`, 500 us by default",
            "compare threads of the same number only",
        );
    }
    let is_below = |row: &record::Row| {
        let stated = row.fact(&record::fact::FILE_MIN_NS).and_then(serde_json::Value::as_f64);
        let lowest = row.latency.as_ref().map(|latency| latency.min.value_ns as f64);
        stated.zip(lowest).is_some_and(|(stated, lowest)| lowest < stated)
    };
    if stated.rows.iter().any(is_below) {
        stated.warn(
            "the minimum is above the lowest bin of the histogram: the two contradict each other",
            "use the histogram, as the smallest value here does",
        );
    }
    Ok(stated)
}
