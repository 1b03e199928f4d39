use super::*;
use crate::test_runs::spec;
use crate::{MEASUREMENTS, find, outcome};
use base::{Nanos, Policy};
use bench::made_run::recording;
use bench::{Bench, Measurement};
use record::{Recording, Value as Set, write_recording};
use rt::sched;
use testing::{Odd, try_odd};

/// Makes a short run of a measurement, or returns `None` if this machine refuses it.
fn short(measurement: &dyn Measurement) -> Option<Recording> {
    let mut spec = spec(measurement.name());
    let usable = sched::affinity().ok()?;
    spec.asked.cpus = usable.iter().take(2).collect();
    spec.asked.duration = Nanos(20_000_000);
    let short = [
        ("trials", Set::Count(1)),
        ("steps", Set::Count(12)),
        ("masses", Set::Count(64)),
        ("threads", Set::Count(usable.len().min(2) as u64)),
    ];
    for (name, value) in short {
        if spec.parameters.get(name).is_some() {
            spec.parameters.set(name, value);
        }
    }
    if sched::may_be_real_time() && measurement.is_real_time(&spec.parameters) {
        spec.asked.policy = Policy::Fifo(10);
    }
    spec.blame_beyond = measurement.usual_limit(&spec.parameters);
    measurement.check(&spec).ok()?;
    let bench = Bench::new(spec.clone());
    let tracks = measurement.run(&bench).ok()?;
    Some(recording(spec, tracks))
}

/// Returns a recording of each measurement that this machine can run.
fn valid() -> Vec<Recording> {
    let hidden = find(record::SELF_TEST).into_iter();
    MEASUREMENTS.iter().copied().chain(hidden).filter_map(short).collect()
}

fn sent(recording: &Recording) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_recording(recording, &mut bytes).unwrap();
    bytes
}

fn received(spec: &RunSpec, bytes: &[u8]) -> Result<Recording, String> {
    recording_of(spec, &mut &*bytes)
}

#[test]
fn every_recording_that_a_measurement_makes_is_accepted() {
    let recordings = valid();
    assert!(recordings.len() > MEASUREMENTS.len() / 2);
    for recording in recordings {
        let spec = &recording.header.spec;
        let back = received(spec, &sent(&recording));
        assert_eq!(back, Ok(recording.clone()), "{}", spec.measurement);
        assert!(!outcome(&recording).rows.is_empty(), "{}", spec.measurement);
    }
}

type Change = &'static dyn Fn(&mut Recording);

#[test]
fn a_recording_of_another_run_is_refused() {
    let whole = short(find("wakeup").unwrap()).unwrap();
    let asked = whole.header.spec.clone();
    let refused = |change: Change| {
        let mut recording = whole.clone();
        change(&mut recording);
        received(&asked, &sent(&recording)).unwrap_err()
    };
    let cases: [(Change, &str); 9] = [
        (&|r| r.header.spec.measurement = "tire".into(), "a recording of tire"),
        (&|r| r.header.spec.measurement = "\u{1b}[2J".into(), "\\u{1b}[2J"),
        (&|r| r.header.spec.asked.duration = Nanos(1), "other parameters"),
        (&|r| r.tracks.clear(), "no tracks"),
        (&|r| r.tracks[0].columns.clear(), "not exactly one column"),
        (&|r| r.tracks[0] = r.tracks[0].clone().with("periods", i64::MAX), "out of bounds"),
        (&|r| r.header.started_unix_ns = u64::MAX, "2262"),
        (&|r| r.found.system.memory_locked_bytes = u64::MAX, "conditions"),
        (&|r| r.header.run_id = "x".repeat(2 << 20), "its name"),
    ];
    for (change, why) in cases {
        let message = refused(change);
        assert!(message.contains(why) && !message.contains('\u{1b}'), "{why}: {message}");
    }
}

#[test]
fn an_interval_without_a_step_is_accepted_and_missed_whole() {
    let mut stalled = short(find("wakeup").unwrap()).unwrap();
    let periods = stalled.tracks[0].number("periods");
    for track in &mut stalled.tracks {
        track.columns.iter_mut().for_each(|column| column.values.clear());
        *track = track.clone().with("skipped", periods);
    }
    let asked = stalled.header.spec.clone();
    let why = received(&asked, &sent(&stalled)).unwrap_err();
    assert!(why.contains("there are 0 values"), "{why}");
    stalled.found.interval = Some(record::IntervalFound {
        watch: "watch".to_owned(),
        number: 3,
        stalled_before: 2,
        is_same_program: false,
        boot: "boot".to_owned(),
        suspended_ns: 0,
        began_since_boot_ns: None,
    });
    let row = &outcome(&received(&asked, &sent(&stalled)).unwrap()).rows[0];
    assert_eq!((row.executed, row.skipped), (0, row.due));
    assert!(row.due >= 3 * periods as u64 && row.latency.is_none(), "{}", row.due);
}

#[test]
fn a_run_that_is_invalid_may_have_no_tracks() {
    let mut none = short(find("wakeup").unwrap()).unwrap();
    none.tracks.clear();
    none.warnings = vec![Warning::SamplesLost { track: "x".into(), count: 1 }];
    assert!(none.warnings[0].invalidates());
    let asked = none.header.spec.clone();
    assert!(received(&asked, &sent(&none)).is_ok());
}

/// Changes a recording in one or a few places; its checksums are valid afterwards.
fn changed(odd: &mut Odd, recording: &mut Recording) {
    for _ in 0..=odd.below(3) {
        let tracks = if odd.once_in(4) { &mut recording.evidence } else { &mut recording.tracks };
        if tracks.is_empty() {
            continue;
        }
        let at = odd.below(tracks.len());
        let track = &mut tracks[at];
        match odd.below(9) {
            0 => drop(tracks.remove(at)),
            1 => tracks.push(tracks[at].clone()),
            2 => track.name = odd.text(&track.name),
            3 | 4 if !track.attributes.is_empty() => {
                let which = odd.below(track.attributes.len());
                if let Some(value) = track.attributes.values_mut().nth(which) {
                    odd.value(value);
                }
            }
            5 if !track.columns.is_empty() => {
                let at = odd.below(track.columns.len());
                match odd.below(3) {
                    0 => drop(track.columns.remove(at)),
                    1 => track.columns.push(track.columns[at].clone()),
                    _ => {
                        let values = &mut track.columns[at].values;
                        values.truncate(odd.below(values.len() + 1));
                    }
                }
            }
            _ if !track.columns.is_empty() => {
                let at = odd.below(track.columns.len());
                let values = &mut track.columns[at].values;
                for _ in 0..=odd.below(3) {
                    if !values.is_empty() {
                        let at = odd.below(values.len());
                        values[at] = odd.number(values[at]);
                    }
                }
            }
            _ => track.name.push('x'),
        }
    }
}

/// Every accepted recording has an outcome, and no recording makes the program fail.
#[test]
fn odd_recordings_are_refused_or_have_an_outcome() {
    let recordings: Vec<(Recording, Vec<u8>)> = valid()
        .into_iter()
        .map(|recording| {
            let bytes = sent(&recording);
            (recording, bytes)
        })
        .collect();
    let (mut tried, mut accepted) = (0, 0);
    try_odd(2_000, |odd| {
        tried += 1;
        let (recording, bytes) = odd.one_of(&recordings);
        let bytes = match odd.once_in(3) {
            true => {
                let mut bytes = bytes.clone();
                odd.bytes(&mut bytes);
                bytes
            }
            false => {
                let mut recording = recording.clone();
                changed(odd, &mut recording);
                sent(&recording)
            }
        };
        if let Ok(recording) = received(&recording.header.spec, &bytes) {
            accepted += 1;
            for row in outcome(&recording).rows {
                assert_eq!(row.due, row.executed + row.skipped, "{}", row.label);
            }
        }
    });
    assert!(accepted > 0 || tried < 100, "no changed recording was accepted");
}

/// A specification may also come from elsewhere, and its size is computed before it is checked.
#[test]
fn odd_specifications_have_a_bound() {
    let specs: Vec<_> = MEASUREMENTS.iter().map(|m| spec(m.name())).collect();
    try_odd(5_000, |odd| {
        let mut value = serde_json::to_value(odd.one_of(&specs)).unwrap();
        for _ in 0..=odd.below(3) {
            odd.value(&mut value);
        }
        if let Ok(spec) = serde_json::from_value::<RunSpec>(value) {
            assert!(room_for(&spec).bytes() > 0);
        }
    });
}
