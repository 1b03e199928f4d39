//! Help: on one screen by `-h`, all of it by `--help`, each with examples.

use clap::{Arg, Command};

/// What the short help of a command tells.
struct Short {
    /// The words of the command.
    path: &'static str,
    /// Options that most people want; what takes no flag is always shown.
    usual: &'static [&'static str],
    examples: &'static [&'static str],
}

const fn short(
    path: &'static str,
    usual: &'static [&'static str],
    examples: &'static [&'static str],
) -> Short {
    Short { path, usual, examples }
}

/// Every command that a person types.
const SHORT: &[Short] = &[
    short(
        "quick",
        &["target", "blame", "out", "verbose", "json"],
        &["steadfast quick", "steadfast quick --target ssh:root@bench --out bench"],
    ),
    short(
        "check",
        &["rate", "max", "misses", "for", "load", "json"],
        &[
            "steadfast check --rate 1kHz --max 150us --load cpu --for 10min",
            "steadfast check --rate 100Hz --masses 57000 --threads 2 --misses 10/h",
        ],
    ),
    short(
        "full",
        &["seconds", "target", "blame", "out", "verbose"],
        &["steadfast full", "steadfast full --seconds 2h --out overnight"],
    ),
    short(
        "frames",
        &["target", "blame", "out", "verbose"],
        &["steadfast frames", "steadfast frames --out frames --blame"],
    ),
    short(
        "bench",
        &["target", "repeat", "out", "verbose"],
        &["steadfast bench tire", "steadfast bench tire --repeat 3 --out solvers"],
    ),
    short(
        "run",
        &["load", "seconds", "store", "fail-if", "json"],
        &[
            "steadfast run wakeup --period 1ms --seconds 60 --load cpu",
            "steadfast run wakeup --fail-if 'wakeup.max > 150us'",
        ],
    ),
    short(
        "audit",
        &["steps", "set", "verbose", "json"],
        &[
            "steadfast audit plant.fmu --set k=2.5",
            "steadfast audit libplant.so --steps 20000 --verbose",
        ],
    ),
    short("doctor", &["verbose", "json"], &["steadfast doctor", "steadfast doctor --verbose"]),
    short(
        "knobs",
        &["verbose", "json"],
        &["steadfast knobs", "steadfast knobs --target ssh:root@bench"],
    ),
    short(
        "knobs try",
        &["of", "budget", "risk", "yes", "out"],
        &[
            "sudo steadfast knobs try --of 'wakeup --load cpu'",
            "sudo steadfast knobs try thp,swappiness=10 --yes",
        ],
    ),
    short(
        "knobs keep",
        &["as", "from"],
        &["steadfast knobs keep", "steadfast knobs keep --as tuned tuned.conf"],
    ),
    short(
        "knobs back",
        &[],
        &["sudo steadfast knobs back", "steadfast knobs back --target ssh:root@bench"],
    ),
    short(
        "model",
        &["verbose", "json"],
        &["steadfast model plant.fmu", "steadfast model libplant.so --verbose"],
    ),
    short(
        "self-test",
        &["store", "verbose", "json"],
        &["sudo steadfast self-test", "sudo steadfast self-test --json"],
    ),
    short("list", &["json"], &["steadfast list", "steadfast list wakeup"]),
    short("help", &[], &["steadfast help wakeup", "steadfast help lab compare"]),
    short("lab kernels", &["json"], &["steadfast lab kernels", "steadfast lab kernels --json"]),
    short(
        "lab fetch",
        &[],
        &["steadfast lab fetch debian:6.12", "steadfast lab fetch debian:6.12 debian:6.12-rt"],
    ),
    short(
        "lab add",
        &["kernel", "replace"],
        &[
            "steadfast lab add mine --kernel bzImage",
            "steadfast lab add mine --kernel bzImage --replace",
        ],
    ),
    short("lab remove", &[], &["steadfast lab kernels", "steadfast lab remove mine"]),
    short(
        "lab compare",
        &["quick", "jobs", "out", "verbose"],
        &["steadfast lab compare --quick", "steadfast lab compare --out kernels"],
    ),
    short("lab verify", &[], &["steadfast lab verify", "steadfast lab verify debian-6.1-rt"]),
    short(
        "lab freertos",
        &["firmware"],
        &[
            "steadfast lab freertos --firmware rhealstone.elf --json",
            "steadfast lab freertos --firmware rhealstone.elf",
        ],
    ),
    short(
        "report",
        &["out", "fail-if", "csv", "json", "verbose"],
        &[
            "steadfast report results.db --out page",
            "steadfast report results.db --fail-if 'wakeup.max > 150us'",
        ],
    ),
    short(
        "compare",
        &["across", "published", "out", "fail-if", "verbose"],
        &[
            "steadfast compare stock=a/results.db tuned=b/results.db",
            "steadfast compare campaign/results.db --across policy",
        ],
    ),
    short("watch", &["listen", "page", "demo"], &["steadfast watch", "steadfast watch --demo"]),
    short(
        "campaign",
        &["list", "show", "target", "out", "verbose"],
        &["steadfast campaign --list", "steadfast campaign sae-micro --out sae"],
    ),
    short(
        "frontier",
        &["rate", "threads", "budget", "target", "out", "verbose"],
        &[
            "steadfast frontier --rate 1kHz --threads 1,2",
            "steadfast frontier --fmu plant.fmu --over instances --rate 1kHz",
        ],
    ),
    short(
        "map",
        &["rate", "threads", "resolution", "out", "verbose"],
        &[
            "steadfast map --rate 1kHz --threads 1,2",
            "steadfast map --fmu plant.fmu --over rate --seconds 1",
        ],
    ),
    short(
        "interfere",
        &["of", "budget", "aggressors", "places", "out", "verbose"],
        &[
            "steadfast interfere --of 'wakeup --period 1ms --cpus 1' --budget 15min",
            "steadfast interfere --of 'wakeup --cpus 1' --aggressors cache+fork",
        ],
    ),
    short("store ls", &[], &["steadfast store ls results.db", "steadfast store show results.db"]),
    short(
        "store show",
        &[],
        &["steadfast store show results.db", "steadfast store show results.db 2"],
    ),
    short(
        "store rm",
        &["yes"],
        &["steadfast store ls results.db", "steadfast store rm results.db 2 --yes"],
    ),
    short(
        "store merge",
        &[],
        &["steadfast store merge all.db a.db b.db", "steadfast store merge all.db */results.db"],
    ),
    short(
        "store recompute",
        &["write", "json"],
        &["steadfast store recompute results.db", "steadfast store recompute results.db --write"],
    ),
    short(
        "store export",
        &["samples", "out", "format"],
        &[
            "steadfast store export results.db --samples --out samples",
            "steadfast store export results.db --samples --out samples --format npy",
        ],
    ),
    short("echo", &["listen"], &["steadfast echo", "steadfast echo --listen 0.0.0.0:9871"]),
];

/// The commands with their short help and examples.
pub(super) fn with_help(root: Command) -> Command {
    shaped(root, "")
}

fn shaped(known: Command, path: &str) -> Command {
    let told = SHORT.iter().find(|short| short.path == path);
    let mut known = match told {
        Some(short) => short.applied(known),
        None => known,
    };
    let names = known.get_subcommands().filter(|deeper| !deeper.is_hide_set());
    let names: Vec<String> = names.map(|deeper| deeper.get_name().to_owned()).collect();
    for name in names {
        let path = format!("{path} {name}");
        known = known.mut_subcommand(name, |deeper| shaped(deeper, path.trim_start()));
    }
    known
}

impl Short {
    fn applied(&self, known: Command) -> Command {
        let before = known.get_after_help().map(|text| format!("{text}\n\n"));
        let examples = self.examples.join("\n  ");
        let after = format!("{}Examples:\n  {examples}", before.unwrap_or_default());
        let is_usual = |arg: &Arg| {
            let is_named = arg.get_long().is_some_and(|name| self.usual.contains(&name));
            arg.is_positional() || is_named
        };
        known
            .mut_args(|arg| {
                let is_usual = is_usual(&arg);
                shortened(arg).hide_short_help(!is_usual)
            })
            .after_help(after)
    }
}

/// The same with the first clause of its help alone in short help.
fn shortened(arg: Arg) -> Arg {
    let Some(all) = arg.get_help().map(ToString::to_string) else {
        return arg;
    };
    let ends = [". ", "; ", ": ", ", as "].into_iter();
    match ends.filter_map(|end| all.find(end)).min() {
        Some(end) => arg.help(all[..end].to_owned()).long_help(all),
        None => arg,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Cli, paths};
    use testing::manual;

    /// Lines and columns of a terminal, as they have been since the DEC VT100.
    const SCREEN: [usize; 2] = [24, 80];

    #[test]
    fn short_help_fits_on_a_screen_and_has_examples_that_can_be_typed() {
        let mut root = Cli::known();
        root.build();
        let mut wrong = Vec::new();
        for path in paths(&root).iter().map(String::as_str).chain([""]) {
            let words = path.split(' ').filter(|word| !word.is_empty());
            let mut known =
                words.fold(&root, |known, name| known.find_subcommand(name).unwrap()).clone();
            let help = known.render_help().to_string();
            let lines: Vec<&str> = help.trim_end().lines().collect();
            let widest = lines.iter().map(|line| line.chars().count()).max();
            if lines.len() > SCREEN[0] || widest > Some(SCREEN[1]) {
                wrong.push(format!("{path}: {} lines\n{help}", lines.len()));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn every_command_has_two_examples_and_options_that_it_takes() {
        let root = Cli::known();
        let known: Vec<String> = paths(&root);
        let told: Vec<&str> = SHORT.iter().map(|short| short.path).collect();
        assert!(known.iter().all(|path| told.contains(&path.as_str())), "{known:?}");
        for Short { path, usual, examples } in SHORT {
            let own = path.split(' ').fold(&root, |known, name| {
                known.find_subcommand(name).unwrap_or_else(|| panic!("{path}"))
            });
            for option in *usual {
                let mut args = own.get_arguments();
                assert!(args.any(|arg| arg.get_long() == Some(option)), "{path} --{option}");
            }
            assert_eq!(examples.len(), 2, "{path}");
            for example in *examples {
                let words = manual::words(example).into_iter();
                let typed = Cli::parsed(std::iter::once("steadfast".to_owned()).chain(words));
                let is_read = match typed {
                    Ok(_) => true,
                    Err(error) => error.kind() == clap::error::ErrorKind::DisplayHelp,
                };
                assert!(is_read, "{example}");
            }
        }
    }
}
