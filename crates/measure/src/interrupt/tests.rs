//! Tests of the rounds with simulated sources, and of the rows with stamps written by hand.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;

use super::*;
use crate::test_runs::{self as tests, spec, spec_with};
use bench::made_run::recording;
use bench::pace::Overrun;
use record::Warning;
use rt::clock;
use testing::within_tries;

/// The action of a raise, chosen by its number.
type Behaviour = fn(u64) -> io::Result<Act>;

enum Act {
    Interrupt,
    /// No interrupt arrives.
    Silence,
    /// The interrupt arrives, and another one that was not raised.
    InterruptAndStray,
    /// The interrupt arrives at a different time than requested.
    NotInTime,
}

/// A source made of a pair of sockets: each byte written is an interrupt.
fn fake(behaviour: Behaviour) -> Opened {
    let (mut line, mut end) = UnixStream::pair().unwrap();
    let mut number = 0;
    let raise = move || -> io::Result<Option<u64>> {
        let act = behaviour(number)?;
        number += 1;
        let raised = clock::now();
        if !matches!(act, Act::Silence) {
            line.write_all(&[1])?;
        }
        if matches!(act, Act::InterruptAndStray) {
            let mut line = line.try_clone()?;
            std::thread::spawn(move || {
                clock::sleep_until(raised + 3_000_000);
                let _ = line.write_all(&[1]);
            });
        }
        Ok(Some(raised).filter(|_| !matches!(act, Act::NotInTime)))
    };
    let interrupt = move || match end.read(&mut [0])? {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        _ => Ok(None),
    };
    Opened::pair(raise, interrupt)
}

const PERIOD: u64 = 10_000_000;

/// The row of a simulated source over `periods` periods of 10 ms.
fn row_of(behaviour: Behaviour, periods: u64) -> Row {
    rows::of(&track_of(behaviour, periods)).remove(0)
}

fn track_of(behaviour: Behaviour, periods: u64) -> Track {
    let bench = Bench::new(spec("interrupt"));
    let Opened::Pair { raise, wait } = fake(behaviour) else { panic!("a pair") };
    let pace = Pace { period: Nanos(PERIOD).into(), periods, overrun: Overrun::Skip };
    let track = Track::new("fake").with("needs", "luck");
    raise_and_wait(&bench, raise, wait, pace, track).unwrap()
}

pub(super) fn conserves(row: &Row) {
    assert_eq!(row.due, row.executed + row.skipped, "{row:?}");
    assert_eq!(row.latency.as_ref().map_or(0, stats::Distribution::count), row.executed);
}

#[test]
fn every_interrupt_raised_is_answered() {
    let row = row_of(|_| Ok(Act::Interrupt), 20);
    conserves(&row);
    assert_eq!(row.due, 20);
    assert_eq!(row.facts["unanswered"], 0);
    assert_eq!(row.facts["strays"], 0);
    assert_eq!(row.latency.unwrap().early, 0);
}

#[test]
fn a_lost_interrupt_is_given_up_and_the_next_one_counts() {
    let act = |raise| Ok(if raise == 1 { Act::Silence } else { Act::Interrupt });
    // A stall of the host can last until the end.
    let row = within_tries(3, || row_of(act, 200), |row| row.executed > 1);
    conserves(&row);
    assert_eq!(row.facts["unanswered"], 1);
    assert!(row.skipped > 1, "periods that came due in that time are skipped too");
}

#[test]
fn a_source_that_never_interrupts_is_not_available() {
    let before = clock::now();
    let row = row_of(|_| Ok(Act::Silence), 1_000_000);
    assert!(clock::now() - before < 1_000_000 * PERIOD, "it gave up");
    let needs = row.unavailable.unwrap();
    assert!(needs.starts_with("needs luck") && needs.contains("no interrupt arrived"));
}

#[test]
fn an_interrupt_that_was_not_raised_is_counted_and_never_timed() {
    let row = row_of(|_| Ok(Act::InterruptAndStray), 100);
    conserves(&row);
    // The last one may arrive after the end.
    let spurious = row.facts["strays"].as_u64().unwrap();
    assert!((1..=100).contains(&spurious), "{row:?}");
    assert_eq!(row.facts["unanswered"], 0);
}

#[test]
fn an_interrupt_that_is_not_in_time_is_skipped() {
    let act = |raise| Ok(if raise < 3 { Act::NotInTime } else { Act::Interrupt });
    // A stall of the host leaves fewer than three of ten, or none.
    let has_three = |row: &Row| row.facts.get("not_in_time").is_some_and(|count| *count == 3);
    let row = within_tries(10, || row_of(act, 10), has_three);
    conserves(&row);
    assert_eq!(row.executed, 10 - row.skipped);
}

#[test]
fn a_device_that_vanishes_ends_and_invalidates_the_run_and_the_rest_is_skipped() {
    let act = |raise| match raise {
        5 => Err(io::Error::from_raw_os_error(19)),
        _ => Ok(Act::Interrupt),
    };
    let track = track_of(act, 1_000);
    let row = rows::of(&track).remove(0);
    conserves(&row);
    assert!((1..=5).contains(&row.executed), "{row:?}");
    assert_eq!(row.facts["failure"], "No such device");
    let warnings = rows::warnings(&track);
    let failed =
        Warning::SourceFailed { source: "fake".to_owned(), reason: "No such device".to_owned() };
    assert!(warnings.contains(&failed), "{warnings:?}");
    assert!(failed.invalidates());
}

#[test]
fn a_source_that_fails_at_once_is_not_available() {
    let needs = row_of(|_| Err(io::Error::from_raw_os_error(5)), 10).unavailable.unwrap();
    assert!(needs.contains("Input/output error"), "{needs}");
}

#[test]
fn a_source_that_answers_some_is_warned_about_and_stays_valid() {
    let source = "gpio".to_owned();
    let unsteady = Warning::SourceUnsteady { source, unanswered: 1, skipped: 3, due: 5 };
    let warnings = rows::warnings(&track());
    assert_eq!(warnings, [unsteady]);
    assert!(!warnings[0].invalidates());
    assert!(warnings[0].cause().contains("3 of 5"), "{}", warnings[0].cause());
}

#[test]
fn a_source_that_answers_all_or_none_has_no_warning() {
    let steady = Track::new("gpio")
        .with("periods", 2)
        .column("period_index", vec![0, 1])
        .column("raised_ns", vec![1_000, 2_000])
        .column("woke_ns", vec![1_030, 2_050]);
    assert_eq!(rows::warnings(&steady), []);
    let absent = Track::new("uart").with("unavailable", "needs a port");
    assert_eq!(rows::warnings(&absent), []);
    assert_eq!(rows::warnings(&track_of(|_| Ok(Act::Silence), 3)), []);
}

#[test]
fn an_answer_that_fails_invalidates_its_run() {
    let answered = Track::new(ANSWER).with("answered", 7);
    assert_eq!(rows::warnings(&answered), []);
    let failed = rows::warnings(&answered.with("failure", "Input/output error"));
    assert!(matches!(&failed[..], [warning] if warning.invalidates()));
}

fn track() -> Track {
    Track::new("gpio")
        .with("t0_ns", 1_000)
        .with("periods", 5)
        .with("strays", 2)
        .column("period_index", vec![0, 1, 3, 4])
        .column("raised_ns", vec![1_000, 2_000, 0, 5_000])
        .column("kernel_ns", vec![1_010, 0, 4_010, 5_040])
        .column("woke_ns", vec![1_030, 0, 4_030, 5_100])
}

#[test]
fn the_kernels_stamp_divides_the_latency() {
    let rows = tests::rows("interrupt", vec![track()]);
    let expected = [
        ("gpio", 30, 100),
        ("gpio: raise to kernel stamp", 10, 40),
        ("gpio: kernel stamp to user", 20, 60),
    ];
    assert_eq!(rows.len(), expected.len());
    for (row, expected) in rows.iter().zip(expected) {
        let latency = row.latency.as_ref().unwrap();
        assert_eq!((&*row.label, latency.min.value_ns, latency.max.value_ns), expected);
        conserves(row);
    }
    let row = &rows[0];
    assert_eq!((row.due, row.executed, row.skipped), (5, 2, 3));
    assert_eq!(row.facts["variation_ns"], 70);
    assert_eq!(row.facts["unanswered"], 1);
    assert_eq!(row.facts["not_in_time"], 1);
    assert_eq!(row.facts["strays"], 2);
    let worst = row.latency.as_ref().unwrap().max;
    assert_eq!((worst.index, worst.at_ns), (4, 4_000));
}

fn measured(parameters: &[(&str, &str)]) -> Vec<Row> {
    let spec = spec_with("interrupt", parameters);
    assert_eq!(Interrupt.check(&spec), Ok(()));
    let tracks = Interrupt.run(&Bench::new(spec.clone())).unwrap();
    crate::outcome(&recording(spec, tracks)).rows
}

#[test]
fn without_hardware_the_timer_works_and_the_others_say_what_they_need() {
    let rows = measured(&[]);
    let (timer, others) = rows.split_first().unwrap();
    assert_eq!(timer.label, "timer");
    assert_eq!(timer.due, 50);
    conserves(timer);
    assert!(timer.executed > 0);
    assert_eq!(timer.latency.as_ref().unwrap().early, 0, "no timer is early");
    assert_eq!(others.len(), SOURCES.len() - 1);
    for (row, source) in others.iter().zip(&SOURCES[1..]) {
        match (&row.unavailable, source.device) {
            (Some(needs), form) => {
                assert!(needs.starts_with("needs "), "{needs}");
                assert_eq!(form.is_some(), needs.contains("`--source "), "{needs}");
            }
            // A machine may have an HPET, which needs no device to be named.
            (None, form) => {
                assert!(form.is_none(), "{row:?}");
                conserves(row);
            }
        }
    }
}

#[test]
fn each_source_refuses_a_wrong_device() {
    for source in SOURCES.iter().filter(|source| source.device.is_some()) {
        let numbers = if source.device.is_some_and(|form| form.has_numbers) { ":1:2" } else { "" };
        let typed = format!("{}:/dev/null{numbers}", source.name);
        let rows = measured(&[("source", &typed)]);
        let needs = rows[0].unavailable.as_deref().unwrap();
        assert!(needs.contains(&format!("/dev/null{numbers}: ")), "{needs}");
    }
    let answer = measured(&[("source", "serial:/dev/null"), ("role", ANSWER)]);
    let needs = answer[0].unavailable.as_deref().unwrap();
    assert!(needs.contains("/dev/null: it is not a serial port"), "{needs}");
}
