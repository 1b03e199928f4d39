//! Odd words and datagrams have a meaning or are refused.

use record::live::{About, Datagram, News, Place, Shape, StepTimes, Steps, Totals};
use record::{
    Axis, LoadSpec, Recording, Room, RunSpec, Title, Track, read_recording, settings_in,
    write_recording,
};
use testing::{outcomes, try_corpus};

const WORDS: [&str; 9] = [
    "masses=400..6000",
    "k=0..1e9",
    "cpu%50@0,2",
    "disk:/var/tmp",
    "a=1,b='x y',c=[1 2]",
    "none",
    "instances=1..64",
    "Title: a test",
    "set bss=1.18e9",
];

#[test]
fn odd_words_are_read_or_refused() {
    try_corpus(&WORDS, 5_000, |input| {
        let word = String::from_utf8_lossy(input);
        let _ = (word.parse::<Axis>(), word.parse::<LoadSpec>(), Title::read(&word));
        let _ = settings_in(&word);
    });
}

#[test]
fn odd_specifications_are_read_or_refused() {
    let spec = outcomes::tire("real-time", 400, 1, 100, 0).header.spec;
    let seed = serde_json::to_vec(&spec).unwrap();
    try_corpus(&[seed], 1_000, |input| {
        if let Ok(spec) = serde_json::from_slice::<RunSpec>(input) {
            assert!(serde_json::to_vec(&spec).is_ok() && !spec.title().is_empty());
        }
    });
}

#[test]
fn odd_datagrams_are_read_or_refused() {
    let about = About {
        period_ns: 10_000_000,
        periods: 100,
        step_ns: 10_000_000,
        size: 400,
        unit: "masses".into(),
        threads: 2,
        model: "balanced".into(),
        solver: "simd".into(),
        precision: "f64".into(),
        policy: "fifo:80".into(),
    };
    let shape = Shape { places: vec![Place::default(); 5], ..Shape::default() };
    let steps = Steps { first: 7, times: vec![StepTimes::default(); 9], ..Steps::default() };
    let all =
        [News::About(about), News::Shape(shape), News::Steps(steps), News::End(Totals::default())];
    let seeds = all.map(|news| {
        let mut bytes = Vec::new();
        Datagram { run: 3, news }.encode(&mut bytes);
        bytes
    });
    try_corpus(&seeds, 5_000, |input| {
        let mut bytes = input.to_vec();
        let _ = Datagram::decode(&bytes);
        if let Some(end) = bytes.len().checked_sub(4) {
            let right = crc32fast::hash(&bytes[..end]).to_le_bytes();
            bytes[end..].copy_from_slice(&right);
            let _ = Datagram::decode(&bytes);
        }
    });
}

#[test]
fn odd_recordings_are_read_or_refused() {
    let spec = outcomes::tire("real-time", 400, 1, 100, 0).header.spec;
    let track = |name| Track::new(name).with("t0_ns", 17).column("wake_ns", (0..99).collect());
    let recording = Recording {
        tracks: vec![track("cpu 1"), track("cpu 2")],
        evidence: vec![track("trace")],
        ..Recording::empty("run", spec)
    };
    let mut seed = Vec::new();
    write_recording(&recording, &mut seed).unwrap();
    try_corpus(&[seed], 1_000, |input| {
        let mut bytes = input.to_vec();
        with_right_checksums(&mut bytes);
        for bytes in [input, &bytes] {
            if let Ok(recording) = read_recording(&mut &*bytes, Room::for_values(1_000)) {
                let again = write_recording(&recording, &mut Vec::new());
                assert!(again.is_ok(), "{again:?}");
            }
        }
    });
}

/// Makes the checksums of all frames right again.
fn with_right_checksums(bytes: &mut [u8]) {
    /// Bytes before the first frame, and before and after the content of each.
    const START: usize = 11;
    const BEFORE: usize = 8;
    const AFTER: usize = 4;
    let mut at = START;
    while let Some(head) = bytes.get(at..at + BEFORE) {
        let length = u32::from_le_bytes([head[4], head[5], head[6], head[7]]) as usize;
        let end = at + BEFORE + length;
        let Some(frame) = bytes.get(at..end) else { return };
        let mut sum = crc32fast::Hasher::new();
        sum.update(&frame[..4]);
        sum.update(&frame[BEFORE..]);
        let Some(kept) = bytes.get_mut(end..end + AFTER) else { return };
        kept.copy_from_slice(&sum.finalize().to_le_bytes());
        at = end + AFTER;
    }
}
