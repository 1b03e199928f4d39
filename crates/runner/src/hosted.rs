//! Runs models of users in a separate process: what a model does to it is reported.

use std::fs::File;
use std::io::{self, Write, stderr};
use std::process::{Child, ExitStatus, Stdio};
use std::time::Duration;

use base::Nanos;
use measure::Measurement;
use record::{RunSpec, Warning, quoted_output};
use rt::printed::Printed;
use rt::process::{Pid, sleep_until_end};
use rt::progress::{Patience, Phase, Stage};
use rt::role::is_in_lab;
use rt::streams::own_output;
use rt::{ending, exceptions, family, fatal, sched, topology, watchdog};

use crate::host::Host;
use crate::left_over::give_back_left_over;
use crate::printed::print_rest;
use crate::written::EXIT_PANICKED;

const LOOK_EVERY: Duration = Duration::from_millis(50);
/// A step that takes longer than this counts as one that never ends.
const LONGEST_STEP: Duration = Duration::from_secs(10);

/// Makes a run here with `measure`, which writes what it records. If the run executes a model of a
/// user, another process makes it, in the same role; returns what the model did if it broke that
/// process. `whole` is the run with all its intervals, if it has several.
pub(crate) fn serve_isolated(
    spec: &RunSpec,
    whole: &RunSpec,
    role: &[&str],
    measure: impl FnOnce(&mut File) -> Result<(), String>,
) -> Result<Option<Warning>, String> {
    // Keeps what a model prints out of the recording.
    let output = || own_output().map_err(|error| error.to_string());
    let hosted = measure::find(&spec.measurement).filter(|one| one.runs_others(spec));
    match hosted {
        None => measure(output()?).map(|()| None),
        Some(_) if Stage::is_watched() => {
            let output = output()?;
            let measured = exceptions::contained(|| measure(output));
            print_rest();
            measured?;
            rt::process::end_at_once()
        }
        Some(measurement) => serve(spec, whole, role, measurement),
    }
}

fn serve(
    spec: &RunSpec,
    whole: &RunSpec,
    role: &[&str],
    measurement: &dyn Measurement,
) -> Result<Option<Warning>, String> {
    let stage = Stage::new().map_err(|error| error.to_string())?;
    // Processes that a model starts may outlive the process that runs it. Every kernel that is supported adopts them;
    // QEMU's user emulation does not, and there they are left.
    let _ = family::adopt_orphans();
    let host = Host::found(measurement.loads_libraries(spec))?;
    let mut printed = Printed::new().map_err(|error| error.to_string())?;
    let process = start(&host, role, spec, &stage, &printed);
    let mut process = process.map_err(|error| host.not_started(&error))?;
    step_aside(spec);
    let ended = follow(&mut process, &stage, longest_step(spec), &mut printed);
    ending::end_descendants();
    // The guard of its settings was among the ended processes.
    let _ = give_back_left_over();
    let ended = ended.map_err(|error| error.to_string())?;
    let by_signal = |status| by_signal(status, &stage, measurement.longest_spin(whole));
    let outcome = outcome_of(&ended, stage.seen(), by_signal);
    let own_error = printed.finish(matches!(outcome, Outcome::Error(_)), &mut stderr());
    match outcome {
        Outcome::Recording => Ok(None),
        Outcome::Error(code) => Err(match (host.not_loaded(code), own_error) {
            (Some(why), _) => why,
            (None, Some(why)) => why + &quoted_output(&printed.last_lines()),
            (None, None) => std::process::exit(code),
        }),
        Outcome::Failure(what) => Ok(Some(failure(stage.seen(), what, printed.last_lines()))),
    }
}

enum Outcome {
    Recording,
    /// It printed one line that says why there is no recording, and ended with this status.
    Error(i32),
    Failure(String),
}

/// Returns the outcome: a process that ends while it runs the model's code was ended by that code.
fn outcome_of(
    ended: &Ended,
    seen: Option<(Phase, u64)>,
    by_signal: impl FnOnce(ExitStatus) -> String,
) -> Outcome {
    match ended {
        Ended::Hung(after) => {
            Outcome::Failure(format!("it did not return within {} s", after.as_secs()))
        }
        Ended::Itself(status) => match (status.code(), seen) {
            (None, _) => Outcome::Failure(by_signal(*status)),
            (Some(0), None) => Outcome::Recording,
            (Some(code), None) => Outcome::Error(code),
            (Some(EXIT_PANICKED), _) => Outcome::Error(EXIT_PANICKED),
            (Some(watchdog::EXIT_STATUS), _) => Outcome::Failure("it did not end in time".into()),
            (Some(code), _) => {
                Outcome::Failure(format!("it ended the program (exit status {code})"))
            }
        },
    }
}

/// Returns how long a step may take, measured from the due time of the step before.
fn longest_step(spec: &RunSpec) -> Duration {
    let members = spec.members.iter().map(|member| &member.run);
    let periods = members.chain([spec]).map(|run| run.parameters.rate_period());
    LONGEST_STEP.saturating_add(periods.max().unwrap_or(Nanos(0)).into())
}

/// Starts the process of the run, with its specification, our standard output and our stage. What it
/// prints is kept.
fn start(
    host: &Host,
    role: &[&str],
    spec: &RunSpec,
    stage: &Stage,
    printed: &Printed,
) -> io::Result<Child> {
    let (name, arguments) = role.split_first().expect("a role has a name");
    let mut command = host.command(name);
    command.args(arguments);
    stage.give(&mut command);
    let mut process = command.stdin(Stdio::piped()).stderr(printed.input()?).spawn()?;
    if let Some(mut input) = process.stdin.take() {
        // A process that ends before it reads reports why on standard error.
        let _ = input.write_all(spec.key().as_bytes());
    }
    Ok(process)
}

/// Leaves the measured CPUs; call it after the started process has inherited them.
fn step_aside(spec: &RunSpec) {
    let apart = topology::housekeeping(&topology::usable(), &spec.asked.cpus);
    // If there is no other CPU, the measured CPU is shared, and the run warns about it.
    let _ = sched::set_affinity(&apart);
}

enum Ended {
    Itself(ExitStatus),
    /// It was ended after it had stayed in one place for this long.
    Hung(Duration),
}

fn follow(
    host: &mut Child,
    stage: &Stage,
    longest_step: Duration,
    printed: &mut Printed,
) -> io::Result<Ended> {
    let mut patience = Patience::with(longest_step);
    // On the only CPU of a machine of the lab, a look would take time from the model.
    let look_every = if is_in_lab() { LONGEST_STEP } else { LOOK_EVERY };
    loop {
        if let Some(status) = host.try_wait()? {
            return Ok(Ended::Itself(status));
        }
        if let Some(after) = patience.lost_with(stage) {
            ending::end_child(host)?;
            return Ok(Ended::Hung(after));
        }
        printed.pass_on(&mut stderr());
        let _ = sleep_until_end(Pid::from_child(host), look_every);
    }
}

/// Describes what a signal says about the model that ran in the process.
fn by_signal(status: ExitStatus, stage: &Stage, longest_spin: Nanos) -> String {
    fatal::told_by(status, stage.has_overflowed()).unwrap_or_else(|| {
        format!(
            "it was killed: by a user, because memory ran out, or because it used its CPU \
             for {longest_spin} at real-time priority without waiting"
        )
    })
}

fn failure(seen: Option<(Phase, u64)>, what: String, printed: Vec<String>) -> Warning {
    let (phase, step) = seen.map_or(("run", None), |(phase, step)| {
        (phase.name(), (phase == Phase::Step).then_some(step))
    });
    Warning::ModelFailed { phase: phase.to_owned(), step, what, printed }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use super::*;
    use crate::intervals::tests::five_minutes;
    use record::Member;

    fn said(status: i32, seen: Option<(Phase, u64)>) -> String {
        let by_signal = |status| by_signal(status, &Stage::new().unwrap(), Nanos(0));
        match outcome_of(&Ended::Itself(ExitStatus::from_raw(status)), seen, by_signal) {
            Outcome::Recording => "a recording".to_owned(),
            Outcome::Error(code) => format!("error {code}"),
            Outcome::Failure(what) => what,
        }
    }

    #[test]
    fn a_process_that_ends_in_a_step_is_ended_by_the_model() {
        let step = Some((Phase::Step, 7));
        let exited = |code: i32| code << 8;
        assert_eq!(said(0, None), "a recording");
        assert_eq!(said(exited(1), None), "error 1");
        assert_eq!(said(exited(EXIT_PANICKED), step), "error 101");
        assert_eq!(said(0, step), "it ended the program (exit status 0)");
        assert_eq!(said(exited(3), step), "it ended the program (exit status 3)");
        assert_eq!(said(exited(watchdog::EXIT_STATUS), step), "it did not end in time");
        assert_eq!(said(11, step), "it used memory that is not there");
        assert_eq!(said(6, None), "it ended the program (abort)");
    }

    #[test]
    fn a_member_may_wait_for_its_next_step_as_long_as_its_period_is() {
        let mut mix = five_minutes("mix");
        let mut member = five_minutes("model");
        member.parameters.set_rate("0.05Hz".parse().unwrap());
        assert_eq!(longest_step(&mix), LONGEST_STEP);
        mix.members = vec![Member {
            name: "slow".to_owned(),
            run: member,
            inputs: Vec::new(),
            best_effort: false,
            limit_percent: None,
        }];
        assert_eq!(longest_step(&mix), LONGEST_STEP + Duration::from_secs(20));
    }

    #[test]
    fn a_failure_in_a_step_names_the_step() {
        let cause = |seen| failure(seen, "it broke".to_owned(), Vec::new()).cause();
        assert_eq!(cause(Some((Phase::Step, 7))), "the model failed in step 7: it broke");
        assert_eq!(
            cause(Some((Phase::FirstStep, 0))),
            "the model failed in its first step: it broke"
        );
        let printed = ["Traceback", "RuntimeError: boom"].map(str::to_owned).to_vec();
        assert_eq!(
            failure(None, "it ended".to_owned(), printed).cause(),
            "the model failed in its run: it ended; it printed last: RuntimeError: boom; before that: Traceback"
        );
    }
}
