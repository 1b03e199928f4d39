//! A check: how it examines a machine, and the finding that results.

use std::borrow::Cow;

use base::{CpuSet, Observed};

use crate::{Evidence, Finding, Seen, State};

pub(crate) struct Check {
    /// Its name in JSON; in the text, with blanks instead of underscores.
    pub(crate) name: &'static str,
    pub(crate) level: Level,
    /// The knobs that could fix it, by their names in the table of knobs.
    pub(super) knobs: &'static [&'static str],
    pub(super) look: fn(&Seen) -> Sight,
    /// Why it matters, in one or two sentences.
    pub(crate) why: &'static str,
    /// The source of that.
    pub(super) source: &'static str,
    /// How to change it on this machine.
    pub(super) change: fn(&Seen) -> Change,
    /// The run to make before and after; see [`filled`].
    pub(super) see: &'static str,
}

/// How much a check matters: its level, and its place on that level, from 1. The levels are from the
/// ground up, because each limits everything above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// Whether a thread of this process gets a CPU with a real-time policy.
    Start(u8),
    /// Host and hardware.
    Platform(u8),
    Kernel(u8),
    /// What else this process may do, and what ends it.
    Limits(u8),
    /// What else runs on the CPUs, and what the scheduler gives it.
    Neighbours(u8),
    /// What decides about threads without a real-time policy.
    Ordinary(u8),
    Rest(u8),
    /// What only runs show.
    Runs(u8),
}

/// The result of a check: a state, and what was found.
pub(crate) type Sight = (State, String);

/// How to change what a check found; see [`filled`]. Parts that do not exist are empty.
#[derive(Default)]
pub(crate) struct Change {
    /// The command that changes it while the machine runs.
    command: Cow<'static, str>,
    /// What to ask for, and of whom, where no command changes it.
    ask: &'static str,
    /// The parameters for the kernel's command line.
    boot: &'static str,
    /// Notes on these, or other ways.
    words: Cow<'static, str>,
}

impl Change {
    pub(super) fn command(command: impl Into<Cow<'static, str>>) -> Self {
        Self { command: command.into(), ..Self::default() }
    }

    /// A command of a program that a machine may lack; `otherwise` then says what to do.
    pub(super) fn by_program(seen: &Seen, command: &'static str, otherwise: &'static str) -> Self {
        let program = command.split_whitespace().find(|word| *word != "sudo");
        let is_known = program.is_some_and(|program| seen.tree.has_program(program));
        let is_lacking = seen.tree.is_reachable() && !is_known;
        if is_lacking { Self::ask(otherwise) } else { Self::command(command) }
    }

    pub(super) fn ask(ask: &'static str) -> Self {
        Self { ask, ..Self::default() }
    }

    pub(super) fn words(words: impl Into<Cow<'static, str>>) -> Self {
        Self::default().or(words)
    }

    pub(super) fn or(self, words: impl Into<Cow<'static, str>>) -> Self {
        Self { words: words.into(), ..self }
    }

    pub(super) fn at_boot(self, boot: &'static str) -> Self {
        Self { boot, ..self }
    }

    /// Returns this change, which needs another CPU for everything else, if there is one.
    pub(super) fn if_others(self, seen: &Seen) -> Self {
        match seen.others.is_empty() {
            true => Self::words("a machine with another CPU for everything else"),
            false => self,
        }
    }

    /// Returns all parts, one per line.
    fn in_lines(&self, seen: &Seen) -> String {
        let boot = match (self.boot, seen.machine.has_kernel_of_host()) {
            ("", _) => String::new(),
            (boot, false) => format!("boot with {boot}"),
            (boot, true) => format!("boot with {boot} (set by the host)"),
        };
        let lines = [&self.command, self.ask, &boot, &self.words];
        let lines: Vec<&str> = lines.into_iter().filter(|line| !line.is_empty()).collect();
        lines.join("\n")
    }
}

impl Check {
    /// Returns the finding on a machine, if any. What runs showed has priority over what is set.
    pub(crate) fn made(&self, seen: &Seen, evidence: &[Evidence]) -> Option<Finding> {
        let shown = evidence.iter().find(|shown| shown.check == self.name);
        let (state, found) = match shown {
            Some(shown) => (State::Warning, shown.found.clone()),
            None => (self.look)(seen),
        };
        if found.is_empty() {
            return None;
        }
        let change = (self.change)(seen);
        let part = |part: &str| (!part.is_empty()).then(|| filled(part, seen));
        Some(Finding {
            name: self.name,
            state,
            found,
            why: self.why,
            source: self.source,
            change: filled(&change.in_lines(seen), seen),
            command: part(&change.command),
            kernel_parameters: part(change.boot),
            knobs: self.knobs,
            worth: Vec::new(),
            see: filled(self.see, seen),
        })
    }
}

/// Puts CPUs into a command: `{cpus}` for the work, `{others}` for the rest, `{all}` for all. Where
/// `sudo` is missing, only root can type it.
fn filled(command: &str, seen: &Seen) -> String {
    let all = [("{cpus}", &seen.cpus), ("{others}", &seen.others), ("{all}", &seen.machine.cpus)];
    let put = |text: String, (name, cpus): (&str, &CpuSet)| text.replace(name, &cpus.to_string());
    let filled = all.into_iter().fold(command.to_owned(), put);
    match seen.tree.is_reachable() && !seen.tree.has_program("sudo") {
        true => filled.replace("sudo ", ""),
        false => filled,
    }
}

/// The result for a fact that was not seen.
pub(super) fn unseen<T>(fact: Observed<T>) -> Sight {
    match fact {
        Observed::Hidden(why) => not_told(&why),
        _ => not_told(""),
    }
}

/// The result for a fact that the machine does not report, with the reason if it is known.
pub(super) fn not_told(why: &str) -> Sight {
    let found = match why {
        "" => "this machine does not report it".to_owned(),
        why => format!("unknown: {why}"),
    };
    (State::Unknown, found)
}

/// The run that shows how late a thread wakes while other work runs.
pub(super) const WAKEUP: &str =
    "steadfast run wakeup --cpus {cpus} --period 1ms --seconds 60 --load cpu";
/// The run that shows what takes the CPU from a spinning thread.
pub(super) const GAPS: &str = "steadfast run platform_gap --cpus {cpus} --seconds 60";
