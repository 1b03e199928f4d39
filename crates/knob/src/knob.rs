//! A knob: where it is, what to try, and what to know of it.

use std::time::Duration;

use plan::RunSpec;

use crate::form::Form;
use crate::values::Values;

/// A setting that may be tried.
pub struct Knob {
    /// Name, as it is typed.
    pub name: &'static str,
    /// One line on what it does.
    pub summary: &'static str,
    /// How it is set, and what to try.
    pub way: Way,
    /// What trying it may cost.
    pub risk: Risk,
    /// Why it is not of low risk, and what it costs besides; may be empty.
    pub why: &'static str,
    /// Until it acts, and until it has ceased to.
    pub settle: Duration,
    /// Programs that write it too, as the kernel names their processes.
    pub written_by: &'static [&'static str],
    /// Whether it may cut a connection over which somebody works.
    pub cuts_network: bool,
    /// Whether some of its devices may not know it (EOPNOTSUPP), and are passed over.
    pub some_lack_it: bool,
    /// What the kernel moves along with it, which is to stand as before once it does.
    pub moves: &'static [At],
    /// Where what it does is written: a path in the kernel's tree, a man page or a page.
    pub source: &'static str,
}

/// What trying a knob may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Risk {
    /// Some heat, memory or time at most.
    Low,
    /// Other work may suffer, or something stays when the value is given back.
    Medium,
    /// The machine may stall, or its time may step.
    High,
}

impl Risk {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// Files that a knob is in.
#[derive(Debug, Clone, Copy)]
pub struct At {
    /// Their path below the root. In a name `*` is anything, `+` a number from 1.
    pub pattern: &'static str,
    /// How their values are written.
    pub form: Form,
}

/// How a knob is set.
pub enum Way {
    /// Files are written, the old values written back.
    Files(&'static [At], Values),
    /// Kernel threads whose name begins so are given another policy, the old one afterwards.
    Tasks(&'static str, Values),
    /// A group of the cache's bandwidth control is made for the measured CPUs, and removed.
    Cache,
    /// A unit of systemd is stopped, and started again.
    Unit,
    /// Something is held open, and closed.
    Held,
    /// A disturbance of known size runs beside the measurement.
    Hog,
    /// The specification of the run is changed, and nothing is written.
    Flag(Flag),
    /// A kernel of the lab boots with a word on its command line.
    Boot,
}

/// Changes a value in a specification; `Err` says why that has none.
pub type Apply = fn(&mut RunSpec, &str) -> Result<(), String>;

/// A condition or parameter of the run itself.
#[derive(Clone, Copy)]
pub struct Flag {
    /// Changes it in a specification; `Err` says why that has none.
    pub apply: Apply,
    /// What a specification says of it.
    pub now: fn(&RunSpec) -> Option<String>,
    /// The value that is advised for latency.
    pub advised: &'static str,
    /// The value to try where that stands.
    pub other: &'static str,
}

/// Something between the name of a knob and the one thing of many that is meant.
const OF: char = ':';

impl Knob {
    /// What most knobs have.
    pub(crate) const PLAIN: Self = Self {
        name: "",
        summary: "",
        way: Way::Held,
        risk: Risk::Low,
        why: "",
        settle: Duration::from_secs(1),
        written_by: &[],
        cuts_network: false,
        some_lack_it: false,
        moves: &[],
        source: "",
    };

    /// Whether a typed name is its own; that of a unit has the unit behind it.
    pub(crate) fn bears(&self, typed: &str) -> bool {
        match (&self.way, typed.split_once(OF)) {
            (Way::Unit | Way::Boot, Some((name, one))) => name == self.name && !one.is_empty(),
            (Way::Unit | Way::Boot, None) => false,
            _ => typed == self.name,
        }
    }

    /// What changes the run's own specification, where it is such a knob.
    #[must_use]
    pub fn flag(&self) -> Option<Apply> {
        match &self.way {
            Way::Flag(flag) => Some(flag.apply),
            _ => None,
        }
    }

    /// What to try of the run's own specification: the value that is advised, else the other one;
    /// `None` for another kind of knob, and where the specification has nothing of it.
    #[must_use]
    pub fn to_try_of(&self, spec: &RunSpec) -> Option<String> {
        let Way::Flag(flag) = &self.way else {
            return None;
        };
        let now = (flag.now)(spec)?;
        let value = if now == flag.advised { flag.other } else { flag.advised };
        (flag.apply)(&mut spec.clone(), value).is_ok().then(|| value.to_owned())
    }
}
