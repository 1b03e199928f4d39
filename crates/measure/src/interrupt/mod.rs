//! Interrupts: the time from raising an interrupt to the start of the thread that waits for it.

mod answer;
mod gpio;
mod hpet;
mod periodic;
mod rounds;
mod rows;
mod serial;
mod source;
mod timer;
mod track;
mod uio;

use std::io;

use base::Nanos;
use bench::pace::Pace;
use bench::shape::{Holds, MOST_COUNTED, TrackShape};
use bench::{Abort, Bench, Description, Measurement, Needs, periods, reason};
use record::{Family, Parameters, Recording, Row, RunSpec, Track, fact, parameters};

use self::rounds::{Raised, Rounds, Woken, measuring};
use self::source::{Opened, Raise, Source, Wait};
use self::track::{ANSWER, WHY_NOT};

pub(crate) struct Interrupt;

/// The table of sources, in the order of the rows.
static SOURCES: &[Source] = &[
    timer::TIMER,
    hpet::HPET,
    serial::UART,
    serial::UART_BYTE,
    serial::SERIAL,
    gpio::GPIO,
    uio::UIO,
];

const ALL: &str = "all";
/// Minimum period; a shorter one leaves the machine no time to become idle in between.
const SHORTEST_PERIOD: Nanos = Nanos(100_000);
/// Memory of one round, in bytes: its period and three stamps.
const BYTES_A_ROUND: u64 = 32;

impl Measurement for Interrupt {
    fn description(&self) -> Description {
        parameters! {
            PARAMETERS;
            "source" Text("SOURCE[:DEVICE]"), ALL,
                "what raises the interrupt: all, timer, hpet, uart:PORT, uart-byte:PORT, \
                       serial:PORT, gpio:CHIP:OUT:IN, uio:DEVICE:RAISE:ACKNOWLEDGE";
            "period" Time, "1ms", "time from one interrupt to the next";
            "role" Choice(&["raise", ANSWER]), "raise",
                "raise and time interrupts, or answer a second machine that does (serial)";
        }
        Description {
            name: "interrupt",
            summary: "time from raising an interrupt to its waiting thread; timers, UART, wire, \
                      GPIO, UIO",
            source: "FRA 4.2, TEL 2.1, Rhealstone",
            family: Some(Family::Interrupts),
            parameters: PARAMETERS,
            facts: &[fact::INTERRUPTS],
            usual_time: Nanos(10_000_000_000),
            ..Description::PINNED
        }
    }

    fn least_time(&self, parameters: &Parameters) -> Nanos {
        periods::least_time(parameters.period())
    }

    fn check(&self, spec: &RunSpec) -> Result<(), String> {
        Needs::TwoPriorities.check(spec)?;
        periods::check(spec, SHORTEST_PERIOD)?;
        check_source(&spec.parameters)
    }

    fn sample_bytes(&self, spec: &RunSpec) -> u64 {
        let sources = chosen(&spec.parameters).count() as u64;
        periods::due(spec).saturating_mul(sources).saturating_mul(BYTES_A_ROUND)
    }

    fn run(&self, bench: &Bench) -> Result<Vec<Track>, Abort> {
        let parameters = &bench.spec.parameters;
        let (_, device) = asked(parameters);
        if parameters.role() == ANSWER {
            return Ok(vec![warned(bench, answer::run(bench, device)?)]);
        }
        chosen(parameters)
            .map(|source| Ok(warned(bench, measure(bench, source, device)?)))
            .collect()
    }

    fn tracks(&self, spec: &RunSpec) -> Vec<TrackShape> {
        if spec.parameters.role() == ANSWER {
            return vec![answer::shape()];
        }
        let pace = periods::pace(spec);
        let of = |source: &'static Source| match source.is_periodic {
            true => periodic::shape(source.name, pace),
            false => shape(source.name, pace),
        };
        chosen(&spec.parameters).map(of).collect()
    }

    fn rows(&self, recording: &Recording) -> Vec<Row> {
        recording.tracks.iter().flat_map(rows::of).collect()
    }
}

/// Returns the name of the requested source, and its device, which is empty if none was given.
fn asked(parameters: &Parameters) -> (&str, &str) {
    let typed = parameters.source();
    typed.split_once(':').unwrap_or((typed, ""))
}

fn chosen(parameters: &Parameters) -> impl Iterator<Item = &'static Source> {
    let (name, _) = asked(parameters);
    SOURCES.iter().filter(move |source| name == ALL || source.name == name)
}

fn check_source(parameters: &Parameters) -> Result<(), String> {
    let (name, device) = asked(parameters);
    if parameters.role() == ANSWER && (name != "serial" || device.is_empty()) {
        return Err("--role: answering a second machine needs --source serial:PORT".into());
    }
    match chosen(parameters).next() {
        None => {
            let names = SOURCES.iter().map(|source| source.name).collect::<Vec<_>>().join(", ");
            Err(format!("--source: `{name}` is not one of {ALL}, {names}"))
        }
        Some(_) if device.is_empty() => Ok(()),
        Some(_) if name == ALL => {
            Err("--source: `all` takes no device; name one source".to_owned())
        }
        Some(source) => check_device(source, device),
    }
}

fn check_device(source: &Source, device: &str) -> Result<(), String> {
    let name = source.name;
    let Some(form) = source.device else {
        return Err(format!("--source: {name} takes no device"));
    };
    let Ok((path, _)) = form.parse(device) else {
        return Err(format!("--source {name}: `{device}` is not {}", form.example));
    };
    if path.exists() {
        return Ok(());
    }
    let (path, needs) = (path.display(), source.needs);
    Err(format!("--source {name}: {path} does not exist; it needs {needs}"))
}

/// Warns about what a source did not do, and returns its track.
fn warned(bench: &Bench, track: Track) -> Track {
    bench.warn(rows::warnings(&track));
    track
}

/// Measures one source, or returns a track that says what the source needs if it is not available.
fn measure(bench: &Bench, source: &Source, device: &str) -> Result<Track, Abort> {
    let spec = &bench.spec;
    let pace = periods::pace(spec);
    let track = Track::new(source.name).with("device", device);
    if let (Some(form), true) = (source.device, device.is_empty()) {
        let (name, needs, example) = (source.name, source.needs, form.example);
        let needs = format!("needs {needs}: `--source {name}:DEVICE` with {example}");
        return Ok(track.with("unavailable", needs));
    }
    let track = track.with("needs", source.needs);
    match (source.open)(device, Nanos(pace.period_ns())) {
        Err(error) if error.kind() == io::ErrorKind::Unsupported => {
            Ok(track.with("unavailable", reason(&error)))
        }
        Err(error) => Ok(track.with("failure", reason(&error))),
        Ok(Opened::Pair { raise, wait }) => raise_and_wait(bench, raise, wait, pace, track),
        Ok(Opened::Periodic(device)) => periodic::run(bench, device, pace, track),
    }
}

enum End {
    Raised(Raised),
    Woken(Woken),
}

fn raise_and_wait(
    bench: &Bench,
    raise: Raise,
    wait: Wait,
    pace: Pace,
    track: Track,
) -> Result<Track, Abort> {
    let rounds = Rounds::default();
    let wait = || {
        let work = rounds.wait(pace, wait);
        move |t0| End::Woken(work(t0))
    };
    let raise = || {
        let work = rounds.raise(pace, raise);
        move |t0| End::Raised(work(t0))
    };
    let mut ends = bench.run(measuring(bench, wait, raise))?.into_iter();
    let (Some(End::Woken(woken)), Some(End::Raised(raised))) = (ends.next(), ends.next()) else {
        return Err(Abort::Conditions);
    };
    Ok(pace
        .onto(track, raised.t0)
        .with(&fact::SPURIOUS, woken.spurious)
        .with("failure", raised.failure.or(woken.failure))
        .with("lost", raised.stamps.lost() + woken.stamps.lost())
        .column("period_index", raised.periods.to_column())
        .column("raised_ns", raised.stamps.to_column())
        .column("kernel_ns", woken.kernel_stamps.to_column())
        .column("woke_ns", woken.stamps.to_column()))
}

/// Returns the shape of the track of [`raise_and_wait`]. The last round of a failed source has no end.
fn shape(name: &str, pace: Pace) -> TrackShape {
    let raised = [("period_index", Holds::UpTo(pace.periods)), ("raised_ns", Holds::StampsOrNone)];
    let woke = [("kernel_ns", Holds::StampsOrNone), ("woke_ns", Holds::StampsOrNone)];
    pace.shape(TrackShape::named(name))
        .fact(&fact::SPURIOUS, Holds::UpTo(MOST_COUNTED))
        .rows_or_none(pace.periods, &raised)
        .rows_or_none(pace.periods, &woke)
        .or_why_not(WHY_NOT)
}

#[cfg(test)]
mod tests;
