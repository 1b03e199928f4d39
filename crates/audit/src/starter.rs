//! Has a model stepped twice, each time by a process of its own, and puts together what was seen.

use std::io::{self, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdout, ExitStatus, Stdio};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use plan::{AuditRecord, CodePlace, Pass, PassEnd};
use probe::Readable;
use rt::fatal;
use rt::process::Pid;
use rt::ptrace::Watched;
use rt::stage::{Phase, Stage};
use runner::Host;

use crate::order::{Order, Request};
use crate::outside::{Outside, watched};
use crate::watchdog::Watchdog;

/// The role of the process that steps the model.
pub const ROLE: &str = "role-audit";

/// Why no audit was made, in one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotAudited(String);

impl From<io::Error> for NotAudited {
    fn from(error: io::Error) -> Self {
        Self(format!("the model's process cannot be followed: {error}"))
    }
}

/// Steps a model under watch.
///
/// # Errors
/// Where the model's file cannot be used, or its process cannot be started.
pub fn audited(request: &Request) -> Result<AuditRecord, NotAudited> {
    let model = Readable::of(&request.run).map_err(NotAudited)?;
    let host = Host::found(!model.attaches()).map_err(NotAudited)?;
    let inside = inside(request, &host)?;
    if let PassEnd::NotMade(why) = inside.end {
        return Err(NotAudited(why));
    }
    Ok(AuditRecord {
        file: model.file().display().to_string(),
        interface: model.interface().to_owned(),
        steps: request.steps,
        inside,
        outside: outside(request, &model, &host)?,
    })
}

/// The pass that is watched from inside.
fn inside(request: &Request, host: &Host) -> Result<Pass, NotAudited> {
    let mut started = Started::of(request, host, true)?;
    let status = started.child.wait()?;
    started.ended(status, None)
}

/// The pass that is watched from outside; where that is refused, why.
fn outside(request: &Request, model: &Readable, host: &Host) -> Result<Pass, NotAudited> {
    let mut child = Started::begun(host)?;
    let process = Pid::from_child(&child.0);
    let watch = match Watched::seize(process) {
        Ok(watch) => watch,
        Err(why) => {
            child.0.kill()?;
            child.0.wait()?;
            return Ok(Pass {
                end: PassEnd::NotMade(format!(
                    "the kernel lets no process be watched here ({why})"
                )),
                ..Pass::default()
            });
        }
    };
    let started = Started::ordered(child, request, false)?;
    let Outside { occurrences, broken_at, status } =
        watched(watch, process, &started.stage, model)?;
    let pass = started.ended(ExitStatus::from_raw(status), broken_at)?;
    Ok(Pass { occurrences, ..pass })
}

/// A process that steps the model, and who looks after it.
struct Started {
    child: Child,
    stage: Arc<Stage>,
    watchdog: Watchdog,
    answer: JoinHandle<Vec<u8>>,
}

/// A process that knows nothing yet of what it is to do.
struct Begun(Child, Arc<Stage>);

impl Started {
    fn of(request: &Request, host: &Host, from_inside: bool) -> Result<Self, NotAudited> {
        Self::ordered(Self::begun(host)?, request, from_inside)
    }

    fn begun(host: &Host) -> Result<Begun, NotAudited> {
        let stage = Arc::new(Stage::new()?);
        let mut command = host.command(ROLE);
        stage.give(&mut command);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let child = command.spawn();
        let child = child.map_err(|error| NotAudited(host.not_started(&error)))?;
        Ok(Begun(child, stage))
    }

    fn ordered(
        Begun(mut child, stage): Begun,
        request: &Request,
        from_inside: bool,
    ) -> Result<Self, NotAudited> {
        let order = Order { request: request.clone(), from_inside };
        let answer = match child.stdout.take() {
            Some(output) => rt::thread::start("audit-answer", move || read(output))?,
            None => return Err(io::Error::from(io::ErrorKind::BrokenPipe).into()),
        };
        if let Some(mut input) = child.stdin.take() {
            // One that has ended says why.
            let _ = input.write_all(&serde_json::to_vec(&order).map_err(io::Error::from)?);
        }
        let watchdog =
            Watchdog::over(Pid::from_child(&child), Arc::clone(&stage), request.longest)?;
        Ok(Self { child, stage, watchdog, answer })
    }

    /// What the process has told, or what is known of its end.
    fn ended(self, status: ExitStatus, place: Option<CodePlace>) -> Result<Pass, NotAudited> {
        let hung = self.watchdog.dismiss();
        let answer = self.answer.join().unwrap_or_default();
        if let (true, None) = (status.success(), hung) {
            return serde_json::from_slice(&answer).map_err(|error| io::Error::from(error).into());
        }
        let seen = self.stage.seen();
        let Some((phase, step)) = seen else {
            return Err(NotAudited(format!("the process that steps the model ended: {status}")));
        };
        Ok(Pass {
            end: PassEnd::Broken {
                phase: phase.name().to_owned(),
                step: (phase == Phase::Step).then_some(step),
                what: what(status, hung),
                place,
            },
            ..Pass::default()
        })
    }
}

fn read(mut output: ChildStdout) -> Vec<u8> {
    let mut bytes = Vec::new();
    // What came before the process ended is all that there is.
    let _ = output.read_to_end(&mut bytes);
    bytes
}

fn what(status: ExitStatus, hung: Option<Duration>) -> String {
    match hung {
        Some(after) => format!("it did not return within {} s", after.as_secs_f64()),
        None => {
            fatal::told_by(status).unwrap_or_else(|| "something ended it from outside".to_owned())
        }
    }
}
