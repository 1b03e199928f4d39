//! `steadfast lab freertos`: measures FreeRTOS on an emulated board.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use analysis::times::Times;
use anyhow::Result;
use clap::Args;
use lab::freertos::{ARGUMENTS, LONGEST, MEANING, Run, run};
use serde_json::{Value, json};

use crate::options::JsonArgs;

#[derive(Debug, Args)]
pub(crate) struct FreertosArgs {
    /// Firmware file; freertos/README.md explains how to build it
    #[arg(long, value_name = "FILE")]
    pub(crate) firmware: PathBuf,
    /// ARM emulator to use
    #[arg(long, value_name = "PROGRAM", default_value = lab::freertos::EMULATOR)]
    pub(crate) qemu: OsString,
    #[command(flatten)]
    pub(crate) answer: JsonArgs,
}

pub(crate) fn freertos(args: &FreertosArgs) -> Result<()> {
    let times = times(&args.qemu, &args.firmware)?;
    args.answer.print(|| times.json.clone(), || report::times(&times))
}

pub(crate) fn times(qemu: &OsStr, firmware: &Path) -> Result<Times> {
    let run = run(qemu, firmware, LONGEST)?;
    let figures = &run.figures;
    let times = figures.times.iter();
    let rows = times.filter_map(|times| Some((times.label.to_owned(), times.distribution()?)));
    let made_by = [
        format!("{}, clock tick {} ns", figures.kernel, figures.tick_ns),
        run.emulator.clone(),
        ARGUMENTS.to_owned(),
        format!("firmware {}", run.firmware_hash),
        format!("samples {}", figures.sample_hash()),
    ];
    let counts = figures.counts.iter();
    let counts = counts.map(|(name, count)| format!("{count} {}", name.replace('_', " ")));
    let deadlock_break = figures
        .deadlock_break_ns()
        .map(|broken| format!("{broken:.0} ns deadlock break, contended minus free"));
    Ok(Times {
        title: "FreeRTOS, emulated Cortex-M3".to_owned(),
        rows: rows.collect(),
        words: vec![
            ("Other results".to_owned(), counts.chain(deadlock_break).collect()),
            ("Made by".to_owned(), made_by.into()),
            ("What these times mean".to_owned(), MEANING.map(str::to_owned).into()),
        ],
        json: as_json(&run),
    })
}

fn as_json(run: &Run) -> Value {
    let figures = &run.figures;
    let times = figures.times.iter().filter_map(|times| {
        let distribution = times.distribution()?;
        Some(json!({
            "name": times.name,
            "samples": distribution.count(),
            "average_ns": distribution.mean_ns(),
            "min_ns": distribution.min.value_ns,
            "worst_ns": distribution.max.value_ns,
            "worst_index": distribution.max.index,
        }))
    });
    json!({
        "kernel": figures.kernel,
        "tick_ns": figures.tick_ns,
        "emulator": run.emulator,
        "arguments": ARGUMENTS,
        "firmware_sha256": run.firmware_hash,
        "sample_hash": figures.sample_hash(),
        "times": times.collect::<Vec<Value>>(),
        "deadlock_break_ns": figures.deadlock_break_ns(),
        "counts": figures.counts,
        "meaning": MEANING,
    })
}
