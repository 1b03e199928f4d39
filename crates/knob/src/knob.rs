//! A knob: its places, the values to try, and its risks.

use std::time::Duration;

use record::RunSpec;

use crate::form::Form;
use crate::values::Values;

/// A setting that may be tried.
#[derive(Clone, Copy)]
pub struct Knob {
    /// The name that users type.
    pub name: &'static str,
    /// One line about what it does.
    pub summary: &'static str,
    /// How it is set, and which values to try.
    pub way: Way,
    pub risk: Risk,
    /// The reason for a risk above low, and any cost; may be empty.
    pub why: &'static str,
    /// Time until a new value acts, or an old one has stopped acting.
    pub settle: Duration,
    /// Programs that also write it, under the names of their processes.
    pub written_by: &'static [&'static str],
    /// Whether it may cut a connection that is in use.
    pub cuts_network: bool,
    /// Whether some devices may not support it (EOPNOTSUPP); these are skipped.
    pub some_lack_it: bool,
    /// Settings that the kernel changes along with it, which must be restored after it.
    pub moves: &'static [At],
    /// The source of what it does: a path in the kernel's tree, a man page or a web page.
    pub source: &'static str,
}

base::named! {
    /// The risk of trying a knob.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Risk {
        /// Some heat, memory or time at most.
        Low = "low",
        /// Other work may suffer, or an effect remains after the value is restored.
        Medium = "medium",
        /// The machine may stall, or its time may jump.
        High = "high",
    }
}

base::serialize_by_name!(Risk);

/// The files of a knob.
#[derive(Debug, Clone, Copy)]
pub struct At {
    /// Path below the root. In a name, `*` matches anything, and `+` a number from 1.
    pub pattern: &'static str,
    pub form: Form,
}

impl At {
    pub(crate) const fn text(pattern: &'static str) -> Self {
        Self { pattern, form: Form::Text }
    }
}

/// Declares the knobs of a subject that are files: name, files and their forms, values, risk and
/// reason, seconds until a value acts, programs that also write it, source, summary, and further
/// fields.
macro_rules! files {
    ($($name:literal: [$($path:literal $form:ident),+], $values:expr, $risk:ident $why:expr,
       $seconds:literal, $rivals:expr, $source:expr, $summary:literal $({$($more:tt)+})?;)*) => {
        pub(crate) const KNOBS: &[$crate::knob::Knob] = &[$($crate::knob::Knob {
            name: $name,
            summary: $summary,
            way: $crate::knob::Way::Files(
                &[$($crate::knob::At { pattern: $path, form: $crate::form::Form::$form }),+],
                $values,
            ),
            risk: $crate::knob::Risk::$risk,
            why: $why,
            settle: std::time::Duration::from_secs($seconds),
            written_by: $rivals,
            source: $source,
            $($($more)+,)?
            ..$crate::knob::Knob::PLAIN
        }),*];
    };
}
pub(crate) use files;

/// How a knob is set.
#[derive(Clone, Copy)]
pub enum Way {
    /// Files are written, and restored afterwards.
    Files(&'static [At], Values),
    /// Kernel threads whose name begins with this text get another policy, and the old one
    /// afterwards.
    Tasks(&'static str, Values),
    /// A resctrl group is created for the measured CPUs, and removed afterwards.
    Cache,
    /// A systemd unit is stopped, and started again afterwards.
    Unit,
    /// Something is held open during the run.
    Held,
    /// A disturbance of known size runs during the measurement.
    Hog,
    /// The specification of the run is changed, and nothing is written.
    Flag(Flag),
    /// A kernel of the lab boots with a word on its command line.
    Boot,
}

/// Changes a value in a specification; `Err` explains why this specification does not have it.
pub type Apply = fn(&mut RunSpec, &str) -> Result<(), String>;

/// A condition or parameter of the run itself.
#[derive(Clone, Copy)]
pub struct Flag {
    pub apply: Apply,
    /// Returns the value in a specification; `None` if it has none.
    pub now: fn(&RunSpec) -> Option<String>,
    /// The value that is advised for low latency.
    pub advised: &'static str,
    /// The value to try if the advised one is already set.
    pub other: &'static str,
}

/// The separator between the name of a knob and the item to which it applies.
const OF: char = ':';

impl Knob {
    /// The defaults of most knobs.
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

    /// Whether a typed name means this knob; for a unit, the unit follows the name.
    pub(crate) fn bears(&self, typed: &str) -> bool {
        match (&self.way, typed.split_once(OF)) {
            (Way::Unit | Way::Boot, Some((name, one))) => name == self.name && !one.is_empty(),
            (Way::Unit | Way::Boot, None) => false,
            _ => typed == self.name,
        }
    }

    /// Returns the function that changes the run's own specification, if it is such a knob.
    pub fn flag(&self) -> Option<Apply> {
        match &self.way {
            Way::Flag(flag) => Some(flag.apply),
            _ => None,
        }
    }

    /// Returns the value to try in the run's own specification: the advised one, or the other one
    /// if that is already set; `None` for other kinds of knobs, and if the specification does not
    /// have it.
    pub fn to_try_of(&self, spec: &RunSpec) -> Option<String> {
        let Way::Flag(flag) = &self.way else {
            return None;
        };
        let now = (flag.now)(spec)?;
        let value = if now == flag.advised { flag.other } else { flag.advised };
        (flag.apply)(&mut spec.clone(), value).is_ok().then(|| value.to_owned())
    }
}
