//! `steadfast knobs keep`: writes the settings that were shown to help, in a form that survives a
//! reboot.

use std::iter;
use std::path::{Path, PathBuf};

use analysis::comparison::Margin;
use analysis::effect;
use analysis::experiment::{Experiment, KnobResult, Trust};
use anyhow::{Context, Result, bail};
use base::{quoted, quoted_file, shown};
use clap::{Args, ValueEnum};
use knob::{Around, Way};
use record::{Outcome, RunSpec};
use rt::topology;
use store::Store;

use crate::startup::files;
use crate::startup::output::print;
use crate::startup::systemd;

const ROOT: &str = "/";
const SYSCTLS: &str = "/proc/sys/";

#[derive(Debug, Args)]
pub(crate) struct KeepArgs {
    /// File to write; default: print to standard output
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Output format: sysctl for /etc/sysctl.d, tuned for a profile's tuned.conf, systemd for a unit
    #[arg(long = "as", value_enum, default_value_t = As::Sysctl)]
    form: As,
    /// Results of the experiment
    #[arg(long, value_name = "FILE", default_value = "steadfast-knobs/results.db")]
    from: PathBuf,
}

/// The service that applies settings at each boot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum As {
    Sysctl,
    Tuned,
    Systemd,
}

#[derive(Debug, PartialEq, Eq)]
struct Setting {
    path: PathBuf,
    text: String,
}

pub(super) fn keep(args: &KeepArgs) -> Result<()> {
    let outcomes = Store::open_existing(&args.from)?.all_outcomes()?;
    let from = args.from.display();
    let experiment = Experiment::of(&outcomes, Margin::default()).with_context(|| {
        format!("{from}: contains no experiment; run one with `steadfast knobs try`")
    })?;
    let report = format!("steadfast report {} --verbose", quoted_file(&args.from));
    match experiment.trust {
        Trust::Believed => {}
        Trust::Open => bail!(
            "{from}: the experiment ended before its controls were measured, so nothing is kept; continue it with the same `steadfast knobs try`"
        ),
        Trust::ShamFound | Trust::KnownMissed => bail!(
            "{from}: the experiment's controls failed, so its results cannot be trusted and nothing is kept; `{report}` shows why"
        ),
    }
    let helpful = experiment.to_keep().with_context(|| {
        let why = experiment.verdict().sentence();
        format!("{from}: {why} Keep the one that helps most by hand (`{report}`)")
    })?;
    if helpful.is_empty() {
        bail!("{from}: no setting was shown to help; nothing to keep");
    }
    let newest = outcomes.iter().rev().find(|run| !run.header.spec.asked.tried.is_empty());
    let newest = newest.context("the experiment has no runs")?;
    let (here, there) = (runner::fingerprint(), &newest.header.machine);
    if (&there.cpu_model, &there.cpus) != (&here.cpu_model, &here.cpus) {
        bail!(
            "{from}: the experiment was made on another machine ({}, CPUs {}), and what to write depends on the machine; run this command there",
            there.cpu_model,
            there.cpus
        );
    }
    let spec = &newest.header.spec;
    let knobs = experiment.knobs.iter().filter(|knob| helpful.contains(&knob.name.as_str()));
    let kept: Vec<Kept> = knobs.map(|knob| kept(knob, spec)).collect();
    let text = written(args.form, newest, &kept);
    match &args.file {
        Some(file) => files::write(file, &text, "FILE"),
        None => print(&text),
    }
}

struct Kept {
    remark: String,
    settings: Vec<Setting>,
}

fn kept(knob: &KnobResult, spec: &RunSpec) -> Kept {
    let (settings, why) = match settings(knob, spec) {
        Ok(settings) => (settings, String::new()),
        Err(why) => (Vec::new(), format!("; {why}")),
    };
    let effects = effect::in_words(&knob.effects);
    Kept { remark: format!("{} {}: {effects}{why}", knob.name, knob.value), settings }
}

fn settings(result: &KnobResult, spec: &RunSpec) -> Result<Vec<Setting>, String> {
    let knob = knob::find(&result.name).ok_or("not set here: this version has no such knob")?;
    if knob.flag().is_some() {
        let (value, what) = (&result.value, knob.summary);
        return Err(format!("not set here: add {value} to each run: {what}"));
    }
    if matches!(knob.way, Way::Cache) {
        return Err("not set here: its group of tasks is created for each run".to_owned());
    }
    let measured = spec.asked.cpus.clone();
    let around = Around { others: topology::online().without(&measured), measured };
    let writes = knob.writes(&result.name, Path::new(ROOT), &result.value, &around)?;
    let texts = writes.iter().filter_map(knob::Write::text);
    let settings: Vec<Setting> = texts.map(|(path, text)| Setting { path, text }).collect();
    if settings.is_empty() {
        return Err("not set here: it is not in a file of the kernel".to_owned());
    }
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || " ./,:+-_".contains(letter);
    if let Some(strange) = settings.iter().find(|one| !one.text.chars().all(is_plain)) {
        return Err(format!("not set here: no knob has the value `{}`", strange.text));
    }
    Ok(settings)
}

fn written(form: As, outcome: &Outcome, kept: &[Kept]) -> String {
    let machine = &outcome.header.machine;
    let by = format!(
        "Shown to help on {}, Linux {}, by steadfast {}.",
        machine.cpu_model, machine.kernel_release, outcome.header.tool_version
    );
    let remarks = iter::once(&by).chain(kept.iter().map(|one| &one.remark));
    let text: String = remarks.map(|remark| format!("# {}\n", shown(remark))).collect();
    let settings: Vec<&Setting> = kept.iter().flat_map(|one| &one.settings).collect();
    text + &match form {
        As::Sysctl => sysctl(&settings),
        As::Tuned => tuned(&settings),
        As::Systemd => systemd(&settings),
    }
}

/// Returns the name of a setting below /proc/sys, in the form of sysctl(8).
fn key(path: &Path) -> Option<String> {
    let path = path.to_str()?.strip_prefix(SYSCTLS)?;
    Some(path.replace('.', "\u{0}").replace('/', ".").replace('\u{0}', "/"))
}

fn sysctl(settings: &[&Setting]) -> String {
    let line = |setting: &&Setting| {
        let (path, text) = (setting.path.display(), &setting.text);
        match key(&setting.path) {
            Some(key) => format!("{key} = {text}\n"),
            None => format!("# not a sysctl, use --as tuned or systemd: {path} = {text}\n"),
        }
    };
    settings.iter().map(line).collect()
}

fn tuned(settings: &[&Setting]) -> String {
    let mut text = "[main]\nsummary=Settings that steadfast has shown to help\n".to_owned();
    let [mut sysctls, mut others] = [String::new(), String::new()];
    for Setting { path, text } in settings {
        match key(path) {
            Some(key) => sysctls += &format!("{key}={text}\n"),
            None => others += &format!("{}={text}\n", path.display()),
        }
    }
    for (section, lines) in [("sysctl", sysctls), ("sysfs", others)] {
        if !lines.is_empty() {
            text += &format!("\n[{section}]\n{lines}");
        }
    }
    text
}

fn systemd(settings: &[&Setting]) -> String {
    let line = |setting: &&Setting| {
        let path = setting.path.to_string_lossy();
        let command = format!("echo {} > {}", quoted(&setting.text), quoted(&path));
        format!("ExecStart=/bin/sh -c {}\n", systemd::quoted(&command))
    };
    let lines: String = settings.iter().map(line).collect();
    format!(
        "[Unit]\nDescription=Settings that steadfast has shown to help\n\n\
         [Service]\nType=oneshot\nRemainAfterExit=yes\n{lines}\n\
         [Install]\nWantedBy=multi-user.target\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept() -> Kept {
        let setting = |path: &str, text: &str| Setting { path: path.into(), text: text.to_owned() };
        Kept {
            remark: "swappiness 10: p99 31 µs less (24 to 38)".to_owned(),
            settings: vec![
                setting("/proc/sys/vm/swappiness", "10"),
                setting("/proc/sys/net/ipv4/conf/eth0.1/forwarding", "0"),
                setting("/sys/kernel/mm/transparent_hugepage/enabled", "never"),
            ],
        }
    }

    #[test]
    fn a_value_or_a_name_of_a_strangers_store_adds_no_line_and_no_command() {
        let mut outcome = testing::outcomes::wakeup(base::Policy::OTHER, None, 1e3, 2e3);
        let mut machine = (*outcome.header.machine).clone();
        machine.kernel_release = "6.1\nkernel.panic = 1".to_owned();
        outcome.header.machine = machine.into();
        let text = written(As::Sysctl, &outcome, &[kept()]);
        assert!(!text.contains("\nkernel.panic"), "{text}");
        let spec = &outcome.header.spec;
        for value in ["10\nkernel.panic = 1", "$(reboot)", "${f:exec:reboot}", "1;2", "`x`"] {
            let result = KnobResult {
                name: "swappiness".to_owned(),
                value: value.to_owned(),
                effects: Vec::new(),
                was_tried_alone: false,
            };
            assert!(settings(&result, spec).unwrap_err().contains("no knob has the value"));
        }
    }

    #[test]
    fn each_form_holds_every_setting_and_what_it_was_shown_to_do() {
        let outcome = testing::outcomes::wakeup(base::Policy::OTHER, None, 1e3, 2e3);
        let text = |form| written(form, &outcome, &[kept()]);
        for form in [As::Sysctl, As::Tuned, As::Systemd] {
            assert!(text(form).contains("# swappiness 10: p99 31 µs less (24 to 38)\n"));
            assert!(text(form).contains("/sys/kernel/mm/transparent_hugepage/enabled"));
        }
        let sysctl = text(As::Sysctl);
        assert!(sysctl.contains("\nvm.swappiness = 10\nnet.ipv4.conf.eth0/1.forwarding = 0\n"));
        assert!(text(As::Tuned).contains("\n[sysctl]\nvm.swappiness=10\n"));
        let unit = text(As::Systemd);
        assert!(unit.contains("ExecStart=/bin/sh -c \"echo 10 > /proc/sys/vm/swappiness\"\n"));
    }
}
