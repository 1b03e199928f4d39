//! A check: how it looks at a machine, and what comes of it.

use crate::{Evidence, Finding, Seen, State};

/// A check.
pub(crate) struct Check {
    /// Its name in JSON; the words of the text.
    pub(crate) name: &'static str,
    /// The knobs that could mend it, by the names of the table of knobs.
    pub(super) knobs: &'static [&'static str],
    /// Looks at the machine.
    pub(super) look: fn(&Seen) -> Sight,
    /// Why it matters, in a sentence or two.
    pub(super) why: &'static str,
    /// Where that is written.
    pub(super) source: &'static str,
    /// How to change it on this machine.
    pub(super) change: fn(&Seen) -> Change,
    /// The run to make before and after; see [`filled`].
    pub(super) see: &'static str,
}

/// What a check sees: a state, and what was found.
pub(crate) type Sight = (State, String);

/// How to change what a check found; see [`filled`]. Empty is what there is not.
#[derive(Default)]
pub(crate) struct Change {
    /// The command that changes it while the machine runs.
    command: &'static str,
    /// Where it is typed, where that is not on this machine.
    place: &'static str,
    /// What belongs on the kernel's command line.
    boot: &'static str,
    /// What to know of these, or what else there is.
    words: &'static str,
}

impl Change {
    pub(super) fn command(command: &'static str) -> Self {
        Self { command, ..Self::default() }
    }

    pub(super) fn typed(self, place: &'static str) -> Self {
        Self { place, ..self }
    }

    pub(super) fn words(words: &'static str) -> Self {
        Self::default().or(words)
    }

    pub(super) fn or(self, words: &'static str) -> Self {
        Self { words, ..self }
    }

    pub(super) fn at_boot(self, boot: &'static str) -> Self {
        Self { boot, ..self }
    }

    /// All of it, a line each.
    fn in_lines(&self) -> String {
        let boot = match self.boot {
            "" => String::new(),
            boot => format!("at boot: {boot}"),
        };
        let command = match self.place {
            "" => self.command.to_owned(),
            place => format!("{} ({place})", self.command),
        };
        let lines = [&*command, &boot, self.words];
        let lines: Vec<&str> = lines.into_iter().filter(|line| !line.is_empty()).collect();
        lines.join("\n")
    }
}

impl Check {
    /// What it finds on a machine, if anything; what runs showed of it counts more than what
    /// is set.
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
            change: filled(&change.in_lines(), seen),
            command: part(change.command),
            place: change.place,
            kernel_parameters: part(change.boot),
            knobs: self.knobs,
            worth: Vec::new(),
            see: filled(self.see, seen),
        })
    }
}

/// Puts the CPUs into a command: `{cpus}` for the work, `{others}` for the rest.
fn filled(command: &str, seen: &Seen) -> String {
    command.replace("{cpus}", &seen.cpus.to_string()).replace("{others}", &seen.others.to_string())
}

/// A fact that the machine keeps to itself, and why where that is known.
pub(super) fn not_told(why: &str) -> Sight {
    let found = match why {
        "" => "not told by this machine".to_owned(),
        why => format!("not told: {why}"),
    };
    (State::Unknown, found)
}

/// The run that shows how late a thread wakes beside other work.
pub(super) const WAKEUP: &str =
    "steadfast run wakeup --cpus {cpus} --period 1ms --seconds 60 --load cpu";
/// The run that shows what takes a spinning thread's CPU away.
pub(super) const GAPS: &str = "steadfast run platform_gap --cpus {cpus} --seconds 60";
