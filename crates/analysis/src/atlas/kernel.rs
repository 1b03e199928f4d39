//! The kernels of the atlas, and the lines on which they follow each other.

use record::Machine;
use serde::{Deserialize, Serialize};

use crate::survey::System;

base::named! {
    /// Kernels of which each is the next version of the one before it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(rename_all = "kebab-case")]
    pub enum Line {
        /// The stock kernel with the preemption model that it has without a parameter.
        Stock = "stock",
        /// The stock kernel with `preempt=none`.
        None = "none",
        /// The stock kernel with `preempt=full`.
        Full = "full",
        /// `PREEMPT_RT` as Debian builds it.
        Rt = "rt",
        /// `PREEMPT_RT` with `preempt=lazy`.
        RtLazy = "rt-lazy",
    }
}

impl Line {
    #[must_use]
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Stock => "stock",
            Self::None => "stock, `none`",
            Self::Full => "stock, `full`",
            Self::Rt => "PREEMPT_RT",
            Self::RtLazy => "PREEMPT_RT, `lazy`",
        }
    }

    fn of(machine: &Machine) -> Option<Self> {
        let lab = machine.lab.as_ref()?;
        let mut parameters = lab.append.split_whitespace();
        if !parameters.clone().all(|word| word.starts_with("preempt=")) {
            return None;
        }
        let is_lazy = parameters.any(|word| word == "preempt=lazy");
        Some(match machine.preemption.as_str() {
            "rt" if is_lazy => Self::RtLazy,
            "rt" => Self::Rt,
            model if doctor::model_at_boot(machine) == Some(model) => Self::Stock,
            "none" => Self::None,
            "full" => Self::Full,
            _ => return None,
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AtlasKernel {
    /// Name in the lab.
    pub name: String,
    /// Its architecture, as `uname -m` prints it.
    #[serde(default = "x86_64", skip_serializing_if = "is_x86_64")]
    pub architecture: String,
    /// The line on which it follows other versions.
    pub line: Line,
    /// Version without a patch level, such as `6.12`.
    pub series: String,
    /// The kernel's own version, as `uname -r` prints it.
    pub release: String,
    /// The Debian package with its version.
    pub source: String,
    /// The preemption model that it reported.
    pub model: String,
}

/// The architecture of atlases that name none.
fn x86_64() -> String {
    "x86_64".to_owned()
}

fn is_x86_64(architecture: &String) -> bool {
    *architecture == x86_64()
}

impl AtlasKernel {
    fn of(system: &System) -> Option<Self> {
        let (machine, lab) = (system.machine, system.machine.lab.as_ref()?);
        let numbers: Vec<&str> =
            machine.kernel_release.split(['.', '-', '+', '~']).take(2).collect();
        Some(Self {
            name: lab.kernel.clone(),
            architecture: machine.architecture.clone(),
            line: Line::of(machine)?,
            series: numbers.join("."),
            release: machine.kernel_release.clone(),
            source: lab.kernel_source.clone(),
            model: machine.preemption.clone(),
        })
    }

    /// Names it by version and line: `7.2 stock`, `7.2 stock, aarch64`.
    #[must_use]
    pub fn name_in_words(&self) -> String {
        let (series, line) = (&self.series, self.line.in_words());
        match is_x86_64(&self.architecture) {
            true => format!("{series} {line}"),
            false => format!("{series} {line}, {}", self.architecture),
        }
    }

    /// Whether one follows the other in an atlas, or is the same in another one.
    pub(super) fn is_on_line_of(&self, other: &Self) -> bool {
        (self.line, &self.architecture) == (other.line, &other.architecture)
    }

    pub(super) fn order(&self) -> (bool, Line, Vec<u32>) {
        let numbers = self.series.split('.').filter_map(|number| number.parse().ok());
        (!is_x86_64(&self.architecture), self.line, numbers.collect())
    }
}

/// Returns the place of each system that is on a line, and its kernel.
pub(super) fn columns(systems: &[System]) -> Vec<(usize, AtlasKernel)> {
    let column = |(place, system)| Some((place, AtlasKernel::of(system)?));
    systems.iter().enumerate().filter_map(column).collect()
}
