//! `steadfast knobs keep`: what was shown to help, in a form that survives a reboot.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use analysis::comparison::Margin;
use analysis::experiment::{Experiment, KnobTold, Trust, in_words};
use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, ValueEnum};
use knob::{Around, Way};
use plan::{Outcome, RunSpec};
use rt::topology;
use store::Store;

use crate::files;
use crate::output::print;

/// Where settings are.
const ROOT: &str = "/";
const SYSCTLS: &str = "/proc/sys/";

#[derive(Debug, Args)]
pub(crate) struct KeepArgs {
    /// The file to write; without one it is printed
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// In which form: sysctl for /etc/sysctl.d, tuned for a profile's tuned.conf, systemd for a
    /// unit
    #[arg(long = "as", value_enum, default_value_t = As::Sysctl)]
    form: As,
    /// The results of the experiment
    #[arg(long, value_name = "FILE", default_value = "steadfast-knobs/results.db")]
    from: PathBuf,
}

/// What takes settings up at each boot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum As {
    Sysctl,
    Tuned,
    Systemd,
}

/// A setting to keep.
#[derive(Debug, PartialEq, Eq)]
struct Setting {
    path: PathBuf,
    text: String,
}

/// Writes the settings that were shown to help.
pub(super) fn keep(args: &KeepArgs) -> Result<ExitCode> {
    let store = Store::open_existing(&args.from)?;
    let outcomes = store.all_outcomes()?;
    let told = Experiment::of(&outcomes, Margin::default()).with_context(|| {
        format!(
            "{}: there is no experiment in it; `steadfast knobs try` makes one",
            args.from.display()
        )
    })?;
    if told.trust != Trust::Believed {
        bail!(
            "{}: the experiment is not to be believed, so nothing of it is kept; `steadfast report {0} --verbose` says why",
            args.from.display()
        );
    }
    let from = args.from.display();
    let helpful = told.to_keep().map_err(|why| {
        anyhow!("{from}: {why}; keep the one that helps most by hand (`steadfast report {from} --verbose`)")
    })?;
    if helpful.is_empty() {
        bail!("{}: no setting was shown to help, so there is nothing to keep", args.from.display());
    }
    let newest = outcomes.iter().rev().find(|run| !run.header.spec.asked.tried.is_empty());
    let newest = newest.context("an experiment has runs")?;
    let (here, there) = (runner::fingerprint(), &newest.header.machine);
    if (&there.cpu_model, &there.cpus) != (&here.cpu_model, &here.cpus) {
        bail!(
            "{from}: the experiment was made on another machine ({}, CPUs {}), by which it is decided what to write: type this command there",
            there.cpu_model,
            there.cpus
        );
    }
    let spec = &newest.header.spec;
    let knobs = told.knobs.iter().filter(|knob| helpful.contains(&knob.name.as_str()));
    let kept: Vec<Kept> = knobs.map(|knob| Kept::of(knob, spec)).collect();
    let text = written(args.form, newest, &kept);
    match &args.file {
        Some(file) => files::write(file, &text, "FILE")?,
        None => print(&text)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// A knob with what is written for it, or why it is not.
struct Kept {
    remark: String,
    settings: Vec<Setting>,
}

impl Kept {
    fn of(knob: &KnobTold, spec: &RunSpec) -> Self {
        let (settings, why) = match settings(knob, spec) {
            Ok(settings) => (settings, String::new()),
            Err(why) => (Vec::new(), format!("; {why}")),
        };
        Self { remark: format!("{} {}: {}{why}", knob.name, knob.value, in_words(knob)), settings }
    }
}

fn settings(told: &KnobTold, spec: &RunSpec) -> Result<Vec<Setting>, String> {
    let knob = knob::find(&told.name).ok_or("not in here: no knob of this version")?;
    if knob.flag().is_some() {
        let (value, what) = (&told.value, knob.summary);
        return Err(format!("not in here: give {value} to each run: {what}"));
    }
    if matches!(knob.way, Way::Cache) {
        return Err("not in here: its group of tasks is made anew for each run".to_owned());
    }
    let measured = spec.asked.cpus.clone();
    let around = Around { others: topology::online().without(&measured), measured };
    let writes = knob.writes(&told.name, Path::new(ROOT), &told.value, &around)?;
    let settings: Vec<Setting> = writes
        .iter()
        .filter_map(knob::Write::text)
        .map(|(path, text)| Setting { path, text })
        .collect();
    match settings.is_empty() {
        true => Err("not in here: no file of the kernel holds it".to_owned()),
        false => Ok(settings),
    }
}

fn written(form: As, outcome: &Outcome, kept: &[Kept]) -> String {
    let machine = &outcome.header.machine;
    let mut text = format!(
        "# Shown to help on {}, Linux {}, by steadfast {}.\n",
        machine.cpu_model, machine.kernel_release, outcome.header.tool_version
    );
    for one in kept {
        text += &format!("# {}\n", one.remark);
    }
    let settings: Vec<&Setting> = kept.iter().flat_map(|one| &one.settings).collect();
    text + &match form {
        As::Sysctl => sysctl(&settings),
        As::Tuned => tuned(&settings),
        As::Systemd => systemd(&settings),
    }
}

/// The name of a setting below /proc/sys, as sysctl(8) writes it.
fn key(setting: &Setting) -> Option<String> {
    let path = setting.path.to_str()?.strip_prefix(SYSCTLS)?;
    Some(path.replace('.', "\u{0}").replace('/', ".").replace('\u{0}', "/"))
}

fn sysctl(settings: &[&Setting]) -> String {
    let line = |setting: &&Setting| match key(setting) {
        Some(key) => format!("{key} = {}\n", setting.text),
        None => format!(
            "# no sysctl, see --as tuned or systemd: {} = {}\n",
            setting.path.display(),
            setting.text
        ),
    };
    settings.iter().map(line).collect()
}

fn tuned(settings: &[&Setting]) -> String {
    let (sysctls, others): (Vec<&Setting>, Vec<&Setting>) =
        settings.iter().copied().partition(|setting| key(setting).is_some());
    let mut text = "[main]\nsummary=What steadfast has shown to help\n".to_owned();
    if !sysctls.is_empty() {
        text += "\n[sysctl]\n";
        text.extend(
            sysctls.iter().map(|one| format!("{}={}\n", key(one).unwrap_or_default(), one.text)),
        );
    }
    if !others.is_empty() {
        text += "\n[sysfs]\n";
        text.extend(others.iter().map(|one| format!("{}={}\n", one.path.display(), one.text)));
    }
    text
}

fn systemd(settings: &[&Setting]) -> String {
    let line = |setting: &&Setting| {
        format!("ExecStart=/bin/sh -c 'echo \"{}\" > {}'\n", setting.text, setting.path.display())
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
    fn each_form_holds_every_setting_and_what_it_was_shown_to_do() {
        let outcome = testing::outcomes::wakeup(units::Policy::OTHER, None, 1e3, 2e3);
        let text = |form| written(form, &outcome, &[kept()]);
        for form in [As::Sysctl, As::Tuned, As::Systemd] {
            assert!(text(form).contains("# swappiness 10: p99 31 µs less (24 to 38)\n"));
            assert!(text(form).contains("/sys/kernel/mm/transparent_hugepage/enabled"));
        }
        let sysctl = text(As::Sysctl);
        assert!(sysctl.contains("\nvm.swappiness = 10\nnet.ipv4.conf.eth0/1.forwarding = 0\n"));
        assert!(text(As::Tuned).contains("\n[sysctl]\nvm.swappiness=10\n"));
        let unit = text(As::Systemd);
        assert!(unit.contains("ExecStart=/bin/sh -c 'echo \"10\" > /proc/sys/vm/swappiness'\n"));
    }
}
