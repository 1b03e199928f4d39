//! Interrupts: from raising one to the start of the thread that waits for it.

mod answer;
mod gpio;
mod rounds;
mod rows;
mod serial;
mod source;
mod timer;
mod uio;

use plan::{Kind, Parameter, Parameters, Recording, Row, RunSpec, Track};
use units::{CpuSet, Nanos, Policy};

use self::rounds::{Pace, Raised, Rounds, Woken};
use self::source::{Opened, Source};
use crate::measurement::{Length, Measurement, pinned, with_priorities_below};
use crate::seat::{Seat, reason};
use crate::{Abort, Bench, periods};

pub(crate) struct Interrupt;

/// The table of sources, in the order of the rows.
static SOURCES: &[&dyn Source] = &[
    &timer::Timer,
    &serial::Uart,
    &serial::UartByte,
    &serial::Serial,
    &gpio::Gpio,
    &uio::Uio,
];

const ALL: &str = "all";
const ANSWER: &str = "answer";
const NO_DEVICE: &str = "none";
/// A shorter one leaves no time to come to rest between two interrupts.
const SHORTEST_PERIOD: Nanos = Nanos(100_000);
/// Bytes that one round takes in memory: its period and three stamps.
const BYTES_A_ROUND: u64 = 32;

impl Measurement for Interrupt {
    fn name(&self) -> &'static str {
        "interrupt"
    }

    fn summary(&self) -> &'static str {
        "from raising an interrupt to the thread that waits for it; timer, UART, wire, GPIO, UIO"
    }

    fn source(&self) -> &'static str {
        "FRA 4.2, TEL 2.1, Rhealstone"
    }

    fn parameters(&self) -> &'static [Parameter] {
        const PARAMETERS: &[Parameter] = &[
            Parameter {
                name: "source",
                kind: Kind::Choice(&[ALL, "timer", "uart", "uart-byte", "serial", "gpio", "uio"]),
                default: ALL,
                help: "what raises the interrupt; each source says what it needs",
            },
            Parameter {
                name: "device",
                kind: Kind::Text("DEVICE"),
                default: NO_DEVICE,
                help: "PORT of a serial source, CHIP:OUT:IN of gpio, \
                       DEVICE:RAISE:ACKNOWLEDGE of uio",
            },
            Parameter {
                name: "period",
                kind: Kind::Time,
                default: "1ms",
                help: "time from one interrupt to the next",
            },
            Parameter {
                name: "role",
                kind: Kind::Choice(&["raise", ANSWER]),
                default: "raise",
                help: "raise and time, or answer a second machine that does (serial)",
            },
        ];
        PARAMETERS
    }

    fn length(&self, _: &Parameters) -> Length {
        Length::Seconds(Nanos(10_000_000_000))
    }

    fn check(&self, spec: &RunSpec) -> Result<(), String> {
        pinned(spec)?;
        if !matches!(spec.asked.policy, Policy::Other { .. }) {
            with_priorities_below(spec, 1)?;
        }
        periods::check(spec, SHORTEST_PERIOD)?;
        check_device(&spec.parameters)
    }

    fn sample_bytes(&self, spec: &RunSpec) -> u64 {
        let sources = chosen(&spec.parameters).count() as u64;
        periods::due(spec)
            .saturating_mul(sources)
            .saturating_mul(BYTES_A_ROUND)
    }

    fn run(&self, bench: &Bench) -> Result<Vec<Track>, Abort> {
        let parameters = &bench.spec.parameters;
        if parameters.word("role") == ANSWER {
            return answer::run(bench).map(|track| vec![track]);
        }
        chosen(parameters)
            .map(|source| measure(bench, source))
            .collect()
    }

    fn rows(&self, recording: &Recording) -> Vec<Row> {
        recording.tracks.iter().flat_map(rows::of).collect()
    }
}

/// The sources that were asked for.
fn chosen(parameters: &Parameters) -> impl Iterator<Item = &'static dyn Source> {
    let name = parameters.word("source").to_owned();
    let all = SOURCES.iter().copied();
    all.filter(move |source| name == ALL || source.name() == name)
}

/// What is typed as a device must be one of the source that is asked for; with
/// all sources, each one says for itself whether it is.
fn check_device(parameters: &Parameters) -> Result<(), String> {
    let (name, device) = (parameters.word("source"), parameters.word("device"));
    if parameters.word("role") == ANSWER && (name != "serial" || device == NO_DEVICE) {
        return Err("--role: to answer a second machine takes --source serial and --device".into());
    }
    if device == NO_DEVICE || name == ALL {
        return Ok(());
    }
    for source in chosen(parameters) {
        match source.device() {
            None => return Err(format!("--device: the source {name} has none")),
            Some(form) if form.parse(device).is_err() => {
                return Err(format!("--device: `{device}` is not {form}"));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

/// One source; what it needs, where it is not to be had.
fn measure(bench: &Bench, source: &dyn Source) -> Result<Track, Abort> {
    let spec = &bench.spec;
    let (device, period) = (
        spec.parameters.word("device"),
        spec.parameters.time("period"),
    );
    let track = Track::new(source.name()).with("device", device);
    if let (Some(form), NO_DEVICE) = (source.device(), device) {
        let needs = format!("needs {}: name it with `--device` {form}", source.needs());
        return Ok(track.with("unavailable", needs));
    }
    let track = track.with("needs", source.needs());
    match source.open(device, period) {
        Err(error) => Ok(track.with("failure", reason(&error))),
        Ok(opened) => {
            let pace = Pace {
                period: period.0,
                periods: periods::due(spec),
            };
            raise_and_wait(bench, opened, pace).map(|ends| ends.told(track, pace))
        }
    }
}

/// What the two threads brought back.
struct Ends {
    raised: Raised,
    woken: Woken,
}

/// What one of the two threads brings back.
enum End {
    Raised(Raised),
    Woken(Woken),
}

fn raise_and_wait(bench: &Bench, opened: Opened, pace: Pace) -> Result<Ends, Abort> {
    let rounds = Rounds::default();
    let Opened { raise, wait } = opened;
    let seats = seats(
        bench,
        || {
            let work = rounds.wait(pace, wait);
            move |t0| End::Woken(work(t0))
        },
        || {
            let work = rounds.raise(pace, raise);
            move |t0| End::Raised(work(t0))
        },
    );
    let mut ends = bench.run(seats)?.into_iter();
    match (ends.next(), ends.next()) {
        (Some(End::Woken(woken)), Some(End::Raised(raised))) => Ok(Ends { raised, woken }),
        _ => Err(Abort::Conditions),
    }
}

/// The waiting thread on the first CPU asked for; the raising one below it, on
/// the second where there is one.
fn seats<'a, R, W: FnOnce(u64) -> R + 'a, V: FnOnce(u64) -> R + 'a>(
    bench: &Bench,
    wait: impl FnOnce() -> W + Send + 'a,
    raise: impl FnOnce() -> V + Send + 'a,
) -> Vec<Seat<'a, R>> {
    let policy = bench.spec.asked.policy;
    let below = policy.lowered(1).unwrap_or(policy);
    let cpu = |index| CpuSet::one(bench.cpu(index));
    vec![
        Seat::prepared(cpu(0), policy, "waiting", wait),
        Seat::prepared(cpu(1), below, "raising", raise),
    ]
}

impl Ends {
    fn told(&self, track: Track, pace: Pace) -> Track {
        let Self { raised, woken } = self;
        let failure = raised.failure.clone().or_else(|| woken.failure.clone());
        track
            .with("t0_ns", raised.t0)
            .with("period_ns", pace.period)
            .with("periods", pace.periods)
            .with("strays", woken.strays)
            .with("failure", failure)
            .with("lost", raised.stamps.lost() + woken.stamps.lost())
            .column("period_index", raised.periods.to_column())
            .column("raised_ns", raised.stamps.to_column())
            .column("kernel_ns", woken.kernel_stamps.to_column())
            .column("woke_ns", woken.stamps.to_column())
    }
}

#[cfg(test)]
mod tests;
