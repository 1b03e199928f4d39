//! A soak as JSON, written interval by interval.

use std::io;

use analysis::soak::{BOUNDS_NS, Soak};
use anyhow::Result;
use plan::RunSpec;
use serde_json::{Value, json};

use super::session::Session;
use crate::output::print_with;

/// Prints all intervals and gaps of a soak.
pub(super) fn print_all(of: &str, spec: &RunSpec, session: &Session, soak: &Soak) -> Result<()> {
    print_with(&|out| {
        let interval_ns = spec.asked.duration;
        let head = json!({"of": of, "interval_ns": interval_ns, "bounds_ns": BOUNDS_NS});
        write!(out, "{},\"intervals\":[", head.to_string().trim_end_matches('}'))?;
        let (mut again, mut first, mut written) = (Soak::default(), true, Ok(()));
        let read = session.each(&mut |outcome| {
            let interval = json!(again.add(outcome).interval);
            let comma = if std::mem::take(&mut first) { "" } else { "," };
            if written.is_ok() {
                written = write!(out, "{comma}\n{interval}");
            }
        });
        written?;
        read.map_err(|error| io::Error::other(format!("{error:#}")))?;
        let tail = tail(soak).to_string();
        writeln!(out, "],{}", tail.trim_start_matches('{'))
    })
}

fn tail(soak: &Soak) -> Value {
    let [periods, missed] = soak.claimed();
    let rate = soak.rate();
    json!({
        "gaps": soak.gaps,
        "changes": soak.changes,
        "total": {
            "intervals": soak.intervals,
            "invalid": soak.invalid,
            "boots": soak.boots,
            "due": soak.due,
            "executed": soak.executed,
            "skipped": soak.skipped,
            "missed": soak.missed,
            "causes": soak.causes,
        },
        "claim": {
            "periods": periods,
            "missed": missed,
            "miss_rate_upper": rate.map(|rate| rate.upper),
            "confidence": 0.95,
        },
    })
}
