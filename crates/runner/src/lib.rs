//! Makes one run: sets up its conditions, reads them back, measures, and records.
//!
//! A runner is a separate process, so that no run inherits the memory, threads or settings of
//! another.

#![cfg_attr(
    test,
    expect(clippy::disallowed_methods, reason = "a test may end where no thread can be started")
)]

mod alone;
mod evidence;
mod fingerprint;
mod host;
mod hosted;
mod intervals;
mod journal;
mod knobs;
mod left_over;
mod others;
mod printed;
mod programs;
mod setup;
mod written;

use std::fs::File;
use std::io::{self, Read, Write, stdout};
use std::path::Path;

use measure::{Abort, Bench, Measurement, PEAK_OF_SAMPLES};
use record::{About, FORMAT_VERSION, Found, Recording, Right, RunSpec, Track, Warning};
use rt::idle::IdleHold;
use rt::process::THIS_PROGRAM;
use rt::rights::{Capability, barrier_to};
use rt::watchdog::Watchdog;
use rt::{memory, posix, role, sched, topology};

use alone::Alone;
use base::{CpuSet, RightBarrier};
use evidence::Gathering;
use setup::Setup;
use written::{EXIT_PANICKED, header, without_tracks, write};

pub use fingerprint::fingerprint;
pub use host::Host;
pub use intervals::serve_intervals;
pub use knobs::{ROLE as GUARD, guard, settings_left};
pub use left_over::give_back_left_over;

/// Describes this machine, and whether it can make these runs. Restores what a killed run has
/// changed, so that the reported CPUs are those that runs will find.
pub fn about(specs: &[RunSpec]) -> About {
    let given_back = give_back_left_over();
    let without = without();
    About {
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        machine: fingerprint(),
        usable: topology::usable(),
        given_back,
        settings_left: settings_left(),
        barrier: barrier_to_rights(&without),
        without,
        refused: check(specs).err(),
    }
}

/// Returns the rights that real-time work needs and that this user does not have.
pub fn without() -> Vec<Right> {
    let has = [
        (Right::RealTimePriority, sched::may_be_real_time()),
        (Right::LockedMemory, memory::may_lock_all()),
        (Right::IdleStates, IdleHold::new().is_ok()),
    ];
    has.into_iter().filter(|(_, has)| !has).map(|(right, _)| right).collect()
}

/// Returns what keeps this user from these rights; `None` if it cannot be seen.
pub fn barrier_to_rights(rights: &[Right]) -> Option<RightBarrier> {
    barrier_to(match rights {
        [Right::IdleStates] => Capability::DacOverride,
        _ => Capability::SysNice,
    })
}

pub const ROLE: &str = "role-runner";
/// The role that makes a run in intervals; its argument is their number.
pub const INTERVALS: &str = "role-intervals";

/// The runner role: reads one specification, writes one recording to standard output.
///
/// # Errors
/// One line if the run could not be made at all.
pub fn serve(from: &mut impl Read) -> Result<(), String> {
    let spec = begun(from)?;
    let measured = |to: &mut File| write(&record(spec.clone())?, to);
    let broken = hosted::serve_isolated(&spec, &spec, &[ROLE], measured)?;
    match broken {
        None => Ok(()),
        Some(failure) => {
            write(&without_tracks(header(spec), Found::default(), vec![failure]), &mut stdout())
        }
    }
}

fn begun(from: &mut impl Read) -> Result<RunSpec, String> {
    end_on_panic();
    role::die_with_starter().map_err(|error| error.to_string())?;
    posix::start()?;
    let text = io::read_to_string(from);
    RunSpec::of_key(&text.map_err(|error| format!("the run specification is damaged: {error}"))?)
}

/// Makes a panic end the whole run with one line: other threads would wait forever.
fn end_on_panic() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        let why = panic.payload_as_str().unwrap_or("no reason given");
        let line = format!("error: the runner failed at {place}: {}\n", why.replace('\n', " "));
        let _ = io::stderr().write_all(line.as_bytes());
        std::process::exit(EXIT_PANICKED);
    }));
}

/// Refuses specifications that a runner of this version cannot carry out here.
///
/// # Errors
/// The first reason: one line that names the flag and how to fix it.
pub fn check<'s>(specs: impl IntoIterator<Item = &'s RunSpec>) -> Result<(), String> {
    let here = Here::found()?;
    specs.into_iter().try_for_each(|spec| here.check(spec).map(drop))
}

struct Here {
    online: CpuSet,
    free_bytes: u64,
}

impl Here {
    fn found() -> Result<Self, String> {
        if !Path::new(THIS_PROGRAM).exists() {
            return Err("/proc does not show this process, and nothing can be measured without \
                        it; mount it (`mount -t proc proc /proc`)"
                .to_owned());
        }
        Ok(Self { online: topology::online(), free_bytes: memory::available_bytes() })
    }

    fn check(&self, spec: &RunSpec) -> Result<&'static dyn Measurement, String> {
        if spec.format_version != FORMAT_VERSION {
            return Err(format!(
                "the run specification has format version {}, this runner reads {FORMAT_VERSION}",
                spec.format_version
            ));
        }
        let measurement = measure::find(&spec.measurement)
            .ok_or_else(|| format!("there is no measurement `{}`", spec.measurement))?;
        programs::refuse_missing(spec.parameters.program())?;
        for member in &spec.members {
            programs::refuse_missing(member.run.parameters.program())
                .map_err(|why| format!("{}: {why}", member.name))?;
        }
        let online = &self.online;
        let offline = spec.asked.cpus.without(online);
        if !offline.is_empty() {
            return Err(format!("--cpus: there is no CPU {offline} online here; online: {online}"));
        }
        for load in &spec.asked.loads {
            load::check(load, online).map_err(|why| format!("--load: {why}"))?;
        }
        measurement.check(spec)?;
        measurement.check_code(spec)?;
        if spec.hands_over() && !measurement.can_be_followed() {
            return Err(measure::cannot_be_followed(spec));
        }
        knobs::check(&spec.asked)?;
        self.enough_memory(measurement, spec)?;
        Ok(measurement)
    }

    fn enough_memory(&self, measurement: &dyn Measurement, spec: &RunSpec) -> Result<(), String> {
        let needed = measurement.sample_bytes(spec).saturating_mul(PEAK_OF_SAMPLES);
        let free = self.free_bytes;
        if needed > free {
            return Err(format!(
                "{}: this run needs about {} MiB of memory, and {} MiB are available; measure \
                 for a shorter time (--seconds, --steps, --interval of a soak), a longer period or \
                 fewer masses",
                spec.title(),
                needed >> 20,
                free >> 20
            ));
        }
        Ok(())
    }
}

fn record(spec: RunSpec) -> Result<Recording, String> {
    let measurement = Here::found()?.check(&spec)?;
    let alone = Alone::among_measurements(&spec.asked)?;
    let watchdog = Watchdog::start(spec.longest(), &spec.asked.cpus);
    let _watchdog = watchdog.map_err(|error| error.to_string())?;
    let mut header = header(spec.clone());
    let setup = Setup::new(&spec, measurement, measurement.longest_spin(&spec))?;
    let rights = spec.without.clone();
    let not_permitted = (!rights.is_empty()).then(|| {
        let barrier = barrier_to_rights(&rights);
        Warning::NotPermitted { rights, barrier }
    });
    let mut bench = Bench::new(spec);
    bench.warn(alone.warning());
    bench.warn(not_permitted);
    bench.show_with(|figures| drop(writeln!(io::stderr(), "{}", figures.line())));
    let (tracks, evidence) = if setup.is_as_asked() {
        measure(measurement, &mut bench)?
    } else {
        (Vec::new(), Vec::new())
    };
    bench.warn(alone.warning_of_later_ones());
    if let Some(time) = bench.ended_after() {
        header.spec.asked.duration = time;
    }
    let (threads, warnings) = bench.into_findings();
    let (found, warnings) = setup.finish(threads, warnings);
    Ok(Recording { header, found, warnings, tracks, evidence })
}

/// Runs the measurement. Returns its tracks, and the evidence gathered at the same time.
fn measure(
    measurement: &dyn Measurement,
    bench: &mut Bench,
) -> Result<(Vec<Track>, Vec<Track>), String> {
    let gathering = Gathering::of_run(&bench.spec, measurement);
    gathering.iter().for_each(|gathering| bench.announce_to(gathering.announce()));
    let run = measurement.run(bench);
    let evidence = gathering.map_or_else(Vec::new, |gathering| gathering.hand_over(bench.found()));
    match run {
        Ok(tracks) => Ok((tracks, evidence)),
        Err(Abort::Conditions) => Ok((Vec::new(), Vec::new())),
        Err(Abort::Failed(why)) => Err(format!("{}: {why}", measurement.name())),
    }
}
