//! What is typed after `steadfast run` about the runs themselves, also in flags of commands that
//! repeat a run: `--of 'RUN LINE'`.

use anyhow::{Result, anyhow, bail};
use base::Nanos;
use clap::Args;
use measure::Length;
use record::RunSpec;

use crate::options::parameters::ParameterArgs;
use crate::options::place::Place;
use crate::options::request::run::{refuse_recording, refuse_strange_parameters};
use crate::options::request::{self, RunRequest, STEPS, measurement};
use crate::options::{BlameArgs, ConditionArgs, after, one_line};

/// What a run line may contain; targets, stores and judging are options of the whole command.
#[derive(Debug, Args, Clone)]
pub(crate) struct LineArgs {
    /// Names of measurements (see `steadfast list`)
    #[arg(value_name = "MEASUREMENT", required = true)]
    pub(crate) measurements: Vec<String>,
    #[command(flatten)]
    pub(crate) blame: BlameArgs,
    #[command(flatten)]
    pub(crate) conditions: ConditionArgs,
    #[command(flatten)]
    pub(crate) parameters: ParameterArgs,
}

impl LineArgs {
    pub(crate) fn requests(&self, place: &Place, record: bool) -> Result<Vec<RunRequest>> {
        let (names, plan) = match &self.measurements[..] {
            [name, plan] if name == measure::MIX && measure::find(plan).is_none() => {
                (std::slice::from_ref(name), Some(plan))
            }
            names => (names, None),
        };
        let chosen = names.iter().map(|name| measurement(name)).collect::<Result<Vec<_>>>()?;
        refuse_strange_parameters(&chosen, &self.parameters)?;
        if record {
            refuse_recording(&chosen)?;
        }
        let request = |measurement| {
            let mut request = RunRequest::of(measurement);
            request.conditions = self.conditions.clone();
            request.place = place.clone();
            request.blame = self.blame.clone();
            request.record = record;
            request.read_own(&self.parameters)?;
            if let Some(plan) = plan {
                request.set_word("plan", plan)?;
            }
            Ok(request)
        };
        chosen.into_iter().map(request).collect()
    }
}

/// Returns what a user requests who types this line after `steadfast run`.
#[cfg(test)]
pub(crate) fn requests_of(line: &str) -> Result<Vec<RunRequest>> {
    super::parse_run_line(line)?.requests()
}

#[cfg(test)]
pub(crate) fn specs_of(line: &str) -> Result<Vec<RunSpec>> {
    request::specs(&requests_of(line)?)
}

/// How long a run measures, if its line or its measurement's own parameters determine that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) time: Nanos,
    /// Whether `--seconds` or `--steps` is in the line.
    pub(crate) is_typed: bool,
}

/// Reads a run line such as `wakeup --period 1ms --cpus 1` of a flag, for a target, and how long it
/// measures, if that is said. Words and quotes are those of a shell.
///
/// # Errors
/// One line that names the wrong flag, says how many runs the line means, or why the target cannot
/// be reached.
pub(crate) fn of_line(flag: &str, line: &str, place: &Place) -> Result<(RunSpec, Option<Said>)> {
    of_words(line, place).map_err(|why| anyhow!("{flag} '{line}': {why:#}"))
}

fn of_words(line: &str, place: &Place) -> Result<(RunSpec, Option<Said>)> {
    let typed = typed(line)?;
    let mut specs = request::specs(&typed.requests(place, false)?)?;
    let runs = specs.len();
    if runs != 1 {
        bail!("this is {runs} runs; name one measurement, and give each parameter one value");
    }
    let spec = specs.remove(0);
    let length = measure::find(&spec.measurement).map(|own| own.length(&spec.parameters));
    let has_own_length = matches!(length, Some(Length::Steps(_) | Length::Fixed(_)));
    let is_typed = typed.conditions.seconds.is_some() || typed.parameters.has(STEPS);
    let time = spec.asked.duration;
    let said = (is_typed || has_own_length).then_some(Said { time, is_typed });
    Ok((spec, said))
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
        super::of_line("--of", line, &Place::default()).map(|(spec, _)| spec)
    }

    #[test]
    fn odd_lines_are_read_or_refused_in_one_line() {
        let seeds = [
            "steadfast run wakeup --period 2ms --policy fifo:70 --cpus 0 --seconds 3 --blame",
            "tire --mode real-time --masses 400 --threads 2 --rate 1kHz --overrun catch-up --load cpu%50+network",
            "model --program 'sl\\eep' --steps 9 --rate 100Hz --set \"a=1,b='x y'\" --record",
            "frame --fill 5% --policy deadline:1ms/2ms --memory unlocked --idle-states leave --threshold 50us",
            "fifo_write --policy rr:5 --others moved --cpus 0-1 --beside",
        ];
        testing::try_corpus(&seeds, 1_000, |input| {
            let line = String::from_utf8_lossy(input);
            // Another machine would be asked.
            if line.contains("target") || line.contains("peer") {
                return;
            }
            if let Err(why) = of_line(&line) {
                let why = format!("{why:#}");
                assert!(why.starts_with("--of '"), "{why}");
            }
        });
    }

    #[test]
    fn a_line_means_what_it_means_after_steadfast_run() {
        let line = "wakeup --period 2ms --policy fifo:70 --cpus 0 --seconds 3 --blame";
        let run = specs_of(line).unwrap();
        assert_eq!(of_line(line).unwrap(), run[0]);
        assert_eq!(of_line(&format!(" steadfast run {line} ")).unwrap(), run[0]);
    }

    #[test]
    fn quotes_and_backslashes_are_those_of_a_shell() {
        let program = |line: &str| of_line(line).unwrap().parameters.get("program").cloned();
        let expected = program("model --program sleep");
        assert_ne!(expected, program("model --program 'sleep 7'"));
        for typed in ["'sleep'", "\"sleep\"", "sl\\eep", "s'lee'p"] {
            assert_eq!(program(&format!("model --program {typed}")), expected, "{typed}");
        }
    }

    #[test]
    fn seconds_and_steps_in_a_line_determine_its_length() {
        let is_typed = |line| {
            let (_, said) = super::of_line("--of", line, &Place::default()).unwrap();
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
            ("model --library './sp ace/m.so", "never closed"),
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
