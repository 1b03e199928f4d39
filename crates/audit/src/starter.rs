//! Has a model stepped twice, each time in a separate process, and combines the observations.

use std::io::{self, Read, Write, sink, stderr};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdout, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use measure::Readable;
use record::{AuditRecord, CodePlace, Deed, Occurrence, Pass, PassEnd, quoted_output};
use rt::printed::Printed;
use rt::process::Pid;
use rt::progress::{Phase, Stage};
use rt::ptrace::Watched;
use rt::{ending, family, fatal};
use runner::Host;

use crate::order::{Order, Request};
use crate::outside::{Outside, watched};
use crate::standstill::Guard;
use crate::watch::INCOMPLETE;
use crate::watchdog::Watchdog;

/// Why no audit was done, in one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotAudited(String);

impl From<io::Error> for NotAudited {
    fn from(error: io::Error) -> Self {
        Self(format!("the model's process cannot be watched: {error}"))
    }
}

/// The role of the process that steps the model.
pub const ROLE: &str = "role-audit";

/// A function that is called every 20 ms with the pass (0 or 1) and the current step.
pub type Progress = Arc<dyn Fn(usize, u64) + Send + Sync>;

/// Steps a model under watch. Ends every process that the model has started.
///
/// # Errors
/// Fails if the model's file cannot be used, or its process cannot be started.
pub fn audited(request: &Request, progress: &Progress) -> Result<AuditRecord, NotAudited> {
    let model = Readable::of(&request.run).map_err(NotAudited)?;
    let host = Host::found(!model.attaches()).map_err(NotAudited)?;
    // What a model starts may outlive the process that steps it.
    family::adopt_orphans()?;
    let mut inside = inside(request, &host, progress)?;
    if let PassEnd::NotMade(why) = inside.end {
        return Err(NotAudited(why + &quoted_output(&inside.printed)));
    }
    let mut request = request.clone();
    let made = inside.step_ns.len() as u64;
    if made < request.steps && is_cut_off(&inside) {
        inside.not_seen.push(format!(
            "steps from number {made} on: the first pass ended after {} s",
            request.longest_pass.as_secs_f64()
        ));
        request.steps = made;
    }
    Ok(AuditRecord {
        file: model.file().display().to_string(),
        interface: model.interface().to_owned(),
        steps: request.steps,
        is_program: model.attaches(),
        inside,
        outside: outside(&request, &model, &host, progress)?,
    })
}

/// Whether a pass that did not make all steps ended because its time was up.
fn is_cut_off(pass: &Pass) -> bool {
    let is_failure = |one: &Occurrence| one.deed == Deed::Status && one.name != INCOMPLETE;
    pass.end == PassEnd::Whole && !pass.occurrences.iter().any(is_failure)
}

fn inside(request: &Request, host: &Host, progress: &Progress) -> Result<Pass, NotAudited> {
    let mut started = Started::ordered(Started::begun(host)?, request, 0, progress)?;
    let status = started.child.wait()?;
    started.ended(status, None)
}

/// If watching is refused, the pass has the reason.
fn outside(
    request: &Request,
    model: &Readable,
    host: &Host,
    progress: &Progress,
) -> Result<Pass, NotAudited> {
    let (mut child, stage, printed) = Started::begun(host)?;
    let process = Pid::from_child(&child);
    let watch = match Watched::seize(process) {
        Ok(watch) => watch,
        Err(why) => {
            child.kill()?;
            child.wait()?;
            let why = format!("the kernel does not allow watching a process here ({why})");
            return Ok(Pass { end: PassEnd::NotMade(why), ..Pass::default() });
        }
    };
    let started = Started::ordered((child, stage, printed), request, 1, progress)?;
    let Outside { occurrences, changes, broken_at, status } =
        watched(watch, process, &started.stage, model)?;
    let pass = started.ended(ExitStatus::from_raw(status), broken_at)?;
    Ok(Pass { occurrences, changes, ..pass })
}

/// A process that steps the model, and the threads that look after it.
struct Started {
    child: Child,
    stage: Arc<Stage>,
    guard: Guard,
    watchdog: Watchdog,
    answer: JoinHandle<Vec<u8>>,
    printed: Output,
}

/// A started process that has no order yet.
type Begun = (Child, Arc<Stage>, Printed);

/// What a process prints. The user sees it of the first pass; the second one prints the same.
#[derive(Clone)]
struct Output {
    printed: Arc<Mutex<Printed>>,
    is_shown: bool,
}

impl Output {
    fn to(&self) -> Box<dyn Write> {
        if self.is_shown { Box::new(stderr()) } else { Box::new(sink()) }
    }

    fn pass_on(&self) {
        self.printed.lock().unwrap_or_else(PoisonError::into_inner).pass_on(&mut self.to());
    }

    /// Passes on the rest, and returns the last lines.
    fn finish(&self) -> Vec<String> {
        let mut printed = self.printed.lock().unwrap_or_else(PoisonError::into_inner);
        printed.finish(false, &mut self.to());
        printed.last_lines()
    }
}

impl Started {
    fn begun(host: &Host) -> Result<Begun, NotAudited> {
        let stage = Arc::new(Stage::new()?);
        let mut command = host.command(ROLE);
        stage.give(&mut command);
        let printed = Printed::new()?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(printed.input()?);
        let child = command.spawn().map_err(|error| NotAudited(host.not_started(&error)))?;
        Ok((child, stage, printed))
    }

    fn ordered(
        (mut child, stage, printed): Begun,
        request: &Request,
        pass: usize,
        progress: &Progress,
    ) -> Result<Self, NotAudited> {
        // The model may stop this process as soon as it is loaded.
        let guard = Guard::start()?;
        let order = Order { request: request.clone(), from_inside: pass == 0 };
        let answer = match child.stdout.take() {
            Some(output) => rt::thread::start("audit-answer", move || read(output))?,
            None => return Err(io::Error::from(io::ErrorKind::BrokenPipe).into()),
        };
        if let Some(mut input) = child.stdin.take() {
            // If the process has already ended, its status says why.
            let _ = input.write_all(&serde_json::to_vec(&order).map_err(io::Error::from)?);
        }
        let progress = Arc::clone(progress);
        let printed = Output { printed: Arc::new(Mutex::new(printed)), is_shown: pass == 0 };
        let output = printed.clone();
        let seen = move |step| {
            progress(pass, step);
            output.pass_on();
        };
        let process = Pid::from_child(&child);
        let watchdog = Watchdog::over(process, Arc::clone(&stage), request.longest, seen)?;
        Ok(Self { child, stage, guard, watchdog, answer, printed })
    }

    /// Returns what the process reported, or what is known about its end.
    fn ended(self, status: ExitStatus, place: Option<CodePlace>) -> Result<Pass, NotAudited> {
        let hung = self.watchdog.dismiss();
        let was_stopped = self.guard.has_acted();
        // A process that the model has started and left holds the pipe of the answer open.
        ending::end_descendants();
        let answer = self.answer.join().unwrap_or_default();
        let printed = self.printed.finish();
        let seen = self.stage.seen();
        let has_answered = seen.is_none_or(|(phase, _)| phase == Phase::Unloading);
        if has_answered && status.success() && hung.is_none() {
            let pass: Pass = serde_json::from_slice(&answer).map_err(io::Error::from)?;
            return Ok(Pass { printed, ..pass });
        }
        let Some((phase, step)) = seen else {
            let printed = quoted_output(&printed);
            let why = format!("the process that steps the model ended: {status}{printed}");
            return Err(NotAudited(why));
        };
        let what = match was_stopped {
            true => "it stopped the program that audits it (SIGSTOP)".to_owned(),
            false => what(status, hung, self.stage.has_overflowed()),
        };
        let step = (phase == Phase::Step).then_some(step);
        let end = PassEnd::Broken { phase: phase.name().to_owned(), step, what, place };
        Ok(Pass { end, printed, ..Pass::default() })
    }
}

fn read(mut output: ChildStdout) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Whatever was written before the process ended is the whole answer.
    let _ = output.read_to_end(&mut bytes);
    bytes
}

fn what(status: ExitStatus, hung: Option<Duration>, has_overflowed: bool) -> String {
    match hung {
        Some(after) => format!("it did not return within {} s", after.as_secs_f64()),
        None => fatal::told_by(status, has_overflowed).unwrap_or_else(|| {
            "it was killed: it used its CPU at real-time priority for as long as a step may take, \
             memory ran out, or another process killed it"
                .to_owned()
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_done_in_part_does_not_end_a_pass_and_a_failed_one_does() {
        let with_status = |name: &str| Pass {
            occurrences: vec![Occurrence {
                deed: Deed::Status,
                name: name.to_owned(),
                place: None,
                by_step: true,
                bytes: 0,
                beside: 0,
                runs: Vec::new(),
            }],
            ..Pass::default()
        };
        assert!(is_cut_off(&Pass::default()));
        assert!(is_cut_off(&with_status(INCOMPLETE)));
        assert!(!is_cut_off(&with_status("its step returned error")));
        assert!(!is_cut_off(&Pass { end: PassEnd::NotMade(String::new()), ..Pass::default() }));
    }
}
