//! One run as a user types it after `steadfast run`, in a flag of a command that repeats it, such as
//! `--of 'RUN LINE'`.

use anyhow::{Result, anyhow, bail};
use plan::RunSpec;
use probe::Length;
use units::Nanos;

use crate::args::{PlaceArgs, after, one_line};
use crate::command::run::line::LineArgs;
use crate::request::{self, STEPS};

/// How long a run measures, if its line or its measurement's own parameters determine that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) time: Nanos,
    /// Whether `--seconds` or `--steps` is in the line.
    pub(crate) is_typed: bool,
}

/// Reads a run line such as `wakeup --period 1ms --cpus 1` of a flag, for the target in `place`. Also returns
/// how long the run measures, if that is said. Words are separated by blanks; quotes have no special
/// meaning.
///
/// # Errors
/// One line that names the wrong flag, says how many runs the line means, or why the target cannot
/// be reached.
pub(crate) fn of_line(
    flag: &str,
    line: &str,
    place: &PlaceArgs,
) -> Result<(RunSpec, Option<Said>)> {
    of_words(line, place).map_err(|why| anyhow!("{flag} '{line}': {why:#}"))
}

fn of_words(line: &str, place: &PlaceArgs) -> Result<(RunSpec, Option<Said>)> {
    let typed = typed(line)?;
    let mut specs = request::specs(&typed.requests(place, false)?)?;
    match specs.len() {
        1 => {
            let spec = specs.remove(0);
            let is_typed =
                typed.conditions.seconds.is_some() || typed.parameters.0.contains_key(STEPS);
            let time = spec.asked.duration;
            let said = (is_typed || has_own_length(&spec)).then_some(Said { time, is_typed });
            Ok((spec, said))
        }
        runs => {
            bail!("this is {runs} runs; name one measurement, and give each parameter one value")
        }
    }
}

fn has_own_length(spec: &RunSpec) -> bool {
    let measurement = probe::find(&spec.measurement);
    measurement.is_some_and(|own| matches!(own.length(&spec.parameters), Length::Fixed(_)))
}

fn typed(line: &str) -> Result<LineArgs> {
    let line = line.trim();
    let line = line.strip_prefix("steadfast run ").unwrap_or(line);
    after(line).map_err(|error| {
        let why = one_line(&error.to_string());
        anyhow!("{}", why.trim_start_matches("error: "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_line(line: &str) -> Result<RunSpec> {
        super::of_line("--of", line, &PlaceArgs::default()).map(|(spec, _)| spec)
    }

    #[test]
    fn a_line_means_what_it_means_after_steadfast_run() {
        let line = "wakeup --period 2ms --policy fifo:70 --cpus 0 --seconds 3 --blame";
        let run = request::specs(&crate::command::run::line::requests_of(line).unwrap()).unwrap();
        assert_eq!(of_line(line).unwrap(), run[0]);
        assert_eq!(of_line(&format!(" steadfast run {line} ")).unwrap(), run[0]);
    }

    #[test]
    fn seconds_and_steps_in_a_line_determine_its_length() {
        let is_typed = |line| {
            let (_, said) = super::of_line("--of", line, &PlaceArgs::default()).unwrap();
            said.map(|said| said.is_typed)
        };
        assert_eq!(is_typed("wakeup"), None);
        assert_eq!(is_typed("tire"), Some(false));
        for typed in ["wakeup --seconds 3", "tire --steps 600", "model --program sleep --steps 9"] {
            assert_eq!(is_typed(typed), Some(true), "{typed}");
        }
    }

    #[test]
    fn what_is_not_one_run_is_refused_in_one_line_that_names_it() {
        for (line, reason) in [
            ("", "required"),
            ("--cpus 0", "required"),
            ("wakeup --period 1ms,2ms", "this is 2 runs"),
            ("wakeup task_switch", "this is 2 runs"),
            ("nonsense", "no measurement `nonsense`"),
            ("wakeup --period soon", "--period"),
            ("wakeup --store x.db", "--store"),
            ("wakeup --target vm:x", "--target"),
            ("wakeup --repeat 3", "--repeat"),
            ("wakeup --masses 3", "--masses is a parameter of tire"),
        ] {
            let why = format!("{:#}", of_line(line).unwrap_err());
            assert!(why.starts_with("--of '"), "{why}");
            assert!(why.contains(reason) && !why.contains('\n'), "{line}: {why}");
        }
    }
}
