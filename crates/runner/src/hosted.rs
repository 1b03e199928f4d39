//! A run of somebody else's code: in a process of its own, so that what it does to that process
//! is told, and is not the end of what asked for it.

use std::io::{self, Write};
use std::process::{Child, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use plan::{Found, Recording, RunSpec, Warning};
use probe::Measurement;
use rt::stage::{Phase, Stage};
use rt::{fatal, sched, topology, watchdog};
use units::Nanos;

use crate::host::Host;
use crate::{header, write};

const LOOK_EVERY: Duration = Duration::from_millis(50);
/// A step that has not ended for so long never will.
const LONGEST_STEP: Duration = Duration::from_secs(10);
/// Loading and initialising may read files of any size.
const LONGEST_BEGINNING: Duration = Duration::from_secs(120);

/// Has a run made by a process that is started for it, and writes its recording, or one without
/// figures that says what the model did.
///
/// # Errors
/// One line where the process cannot be started or says itself why it made no recording.
pub(crate) fn serve(
    spec: &RunSpec,
    measurement: &dyn Measurement,
    to: &mut impl Write,
) -> Result<(), String> {
    let stage = Stage::new().map_err(|error| error.to_string())?;
    let host = Host::found(measurement.loads_libraries(spec))?;
    let mut process = start(&host, spec, &stage).map_err(|error| host.not_started(&error))?;
    step_aside(spec);
    let ended = follow(&mut process, &stage).map_err(|error| error.to_string())?;
    let what = match ended {
        Ended::Itself(status) if status.success() => return Ok(()),
        Ended::Itself(status) => match (status.code(), stage.seen()) {
            (Some(watchdog::EXIT_STATUS), Some(_)) => "it did not end in time".to_owned(),
            (Some(code), stage) => match host.not_loaded(code).filter(|_| stage.is_none()) {
                Some(why) => return Err(why),
                // It has said why on its way out.
                None => std::process::exit(code),
            },
            (None, _) => by_signal(status, measurement.longest_spin(spec)),
        },
        Ended::Hung(after) => format!("it did not return within {} s", after.as_secs()),
    };
    let _ = crate::give_back_left_over();
    write(
        &without_figures(spec.clone(), failure(stage.seen(), what)),
        to,
    )
}

/// The process of the run, with its specification, our standard output and our stage.
fn start(host: &Host, spec: &RunSpec, stage: &Stage) -> io::Result<Child> {
    let mut command = host.command();
    stage.give(&mut command);
    let mut process = command.stdin(Stdio::piped()).spawn()?;
    if let Some(mut input) = process.stdin.take() {
        // One that ends before it reads says why on its way out.
        let _ = input.write_all(&serde_json::to_vec(spec)?);
    }
    Ok(process)
}

/// Leaves the measured CPUs, once what is started here has inherited them.
fn step_aside(spec: &RunSpec) {
    let apart = topology::housekeeping(&topology::usable(), &spec.asked.cpus);
    // Where there is none, the measured CPU is shared, and the run says so.
    let _ = sched::set_affinity(&apart);
}

/// How the process of a run ended.
enum Ended {
    Itself(ExitStatus),
    /// It was ended after it had stayed at one place for so long.
    Hung(Duration),
}

fn follow(host: &mut Child, stage: &Stage) -> io::Result<Ended> {
    let mut seen = (stage.seen(), Instant::now());
    loop {
        if let Some(status) = host.try_wait()? {
            return Ok(Ended::Itself(status));
        }
        let now = stage.seen();
        if now != seen.0 {
            seen = (now, Instant::now());
        }
        let longest = match now {
            Some((Phase::FirstStep | Phase::Step, _)) => LONGEST_STEP,
            _ => LONGEST_BEGINNING,
        };
        if now.is_some() && seen.1.elapsed() > longest {
            host.kill()?;
            host.wait()?;
            return Ok(Ended::Hung(longest));
        }
        thread::sleep(LOOK_EVERY);
    }
}

/// What a signal tells of the model that had the process.
fn by_signal(status: ExitStatus, longest_spin: Nanos) -> String {
    fatal::told_by(status).unwrap_or_else(|| {
        format!(
            "the kernel ended it: by a person, because memory ran out, or because it used its CPU \
             for {longest_spin} at real-time priority without waiting"
        )
    })
}

fn failure(seen: Option<(Phase, u64)>, what: String) -> Warning {
    let (phase, step) = seen.map_or(("end", None), |(phase, step)| {
        (phase.name(), (phase == Phase::Step).then_some(step))
    });
    Warning::ModelFailed {
        phase: phase.to_owned(),
        step,
        what,
    }
}

fn without_figures(spec: RunSpec, failure: Warning) -> Recording {
    Recording {
        header: header(spec),
        found: Found::default(),
        warnings: vec![failure],
        tracks: Vec::new(),
        evidence: Vec::new(),
    }
}
