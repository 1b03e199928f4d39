//! The trace is read back by a decoder that shares nothing with the encoder.

use std::collections::BTreeMap;

use blame::{Cause, Event, HeldCpu, Interruption, Names, What, Window};

use super::*;

/// Decoded fields of a message: numbers and bytes, by field number, in order.
#[derive(Default)]
struct Read<'b> {
    numbers: BTreeMap<u64, Vec<i64>>,
    bytes: BTreeMap<u64, Vec<&'b [u8]>>,
}

impl<'b> Read<'b> {
    fn of(mut bytes: &'b [u8]) -> Self {
        let mut read = Self::default();
        while !bytes.is_empty() {
            let tag = varint(&mut bytes);
            let value = varint(&mut bytes);
            match tag % 8 {
                0 => read.numbers.entry(tag / 8).or_default().push(value as i64),
                2 => {
                    let (content, rest) = bytes.split_at(value as usize);
                    bytes = rest;
                    read.bytes.entry(tag / 8).or_default().push(content);
                }
                other => panic!("wire type {other}"),
            }
        }
        read
    }

    fn number(&self, field: u64) -> Option<i64> {
        self.numbers.get(&field)?.last().copied()
    }

    fn text(&self, field: u64) -> &'b str {
        let bytes = self.bytes.get(&field).and_then(|all| all.last()).copied();
        str::from_utf8(bytes.unwrap_or_default()).unwrap()
    }

    fn all(&self, field: u64) -> impl Iterator<Item = Read<'b>> {
        self.bytes.get(&field).into_iter().flatten().map(|bytes| Read::of(bytes))
    }
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let (mut value, mut shift) = (0, 0);
    loop {
        let (byte, rest) = bytes.split_first().expect("a number ends");
        *bytes = rest;
        value |= u64::from(byte % 128) << shift;
        shift += 7;
        if *byte < 128 {
            return value;
        }
    }
}

const ME: i64 = 100;
const HOG: i64 = 7;

/// A hog has the CPU when the thread is due; the thread gets it 500 ns before it is done.
fn case(index: i64, due_ns: i64, took_ns: i64) -> Case {
    let done = due_ns + took_ns;
    let switch = |from, to| What::Switch { from, state: 1, to, priority: -1 };
    let timer = Interruption::Cpu(0);
    let events = [
        (due_ns - 900, switch(ME, HOG)),
        (due_ns, What::Enter(timer)),
        (due_ns, What::Waking { task: ME, priority: 19, by_interrupt: true }),
        (due_ns + 10, What::Leave(timer)),
        (due_ns + 20, What::Enter(Interruption::Soft(1))),
        (due_ns + 30, What::Leave(Interruption::Soft(1))),
        (done - 500, switch(HOG, ME)),
    ];
    let event = |(at, what)| Event { at, cpu: 1, what };
    let cause = Cause::UnknownTask;
    let segment = |from_ns, to_ns, cause: &Cause| HeldCpu {
        from_ns,
        to_ns,
        kind: cause.kind(),
        words: cause.words(),
    };
    let segments =
        vec![segment(0, took_ns - 500, &cause), segment(took_ns - 500, took_ns, &Cause::OwnWork)];
    let (thread, shares) = ("model 0".to_owned(), vec![(cause, took_ns - 500)]);
    let events = events.map(event).to_vec();
    let window = Window { thread: ME, task: ME, cpu: 1, due: due_ns, end: done, events };
    Case {
        told: LateTold { thread, index, due_ns, took_ns, shares, segments },
        start_ns: Some(done - 400),
        window: Some(window),
    }
}

fn run(title: &str, cases: Vec<Case>) -> TracedRun {
    let tasks = [(ME, "solver"), (HOG, "hog")].map(|(task, name)| (task, name.to_owned()));
    let names = Names { tasks: tasks.into(), ..Names::default() };
    TracedRun { title: title.to_owned(), cases: Cases { cases, names }, ..TracedRun::default() }
}

/// A slice: its track, name, start and end.
type Slice = (String, String, i64, i64);

/// Returns the slices of a trace, and the kernel's events with their times and tasks.
fn read(trace: &[u8]) -> (Vec<Slice>, Vec<(u64, i64, i64)>) {
    let (mut tracks, mut open) = (BTreeMap::new(), BTreeMap::<i64, Vec<(String, i64)>>::new());
    let (mut slices, mut kernel) = (Vec::new(), Vec::new());
    for packet in Read::of(trace).all(1) {
        assert_eq!(packet.number(10), Some(1), "one sequence");
        for track in packet.all(60) {
            tracks.insert(track.number(1).unwrap(), track.text(2).to_owned());
        }
        for event in packet.all(11) {
            let (at, track) = (packet.number(8).unwrap(), event.number(11).unwrap());
            let open = open.entry(track).or_default();
            match event.number(9) {
                Some(1) => open.push((event.text(23).to_owned(), at)),
                Some(2) => {
                    let (name, from) = open.pop().expect("a slice is open");
                    assert!(from <= at);
                    slices.push((tracks[&track].clone(), name, from, at));
                }
                other => panic!("type {other:?}"),
            }
        }
        for event in packet.all(1).flat_map(|bundle| bundle.all(2).collect::<Vec<_>>()) {
            let kind = event.bytes.keys().next().expect("an event has a kind");
            kernel.push((*kind, event.number(1).unwrap(), event.number(2).unwrap()));
        }
    }
    assert!(open.values().all(Vec::is_empty), "every slice ends");
    (slices, kernel)
}

#[test]
fn every_slice_and_every_kernel_event_is_in_the_trace_once() {
    // The second case begins within the first, and has its last switch.
    let mut second = case(6, 11_000, 3_000);
    let first = case(5, 10_000, 3_000);
    let shared = first.window.as_ref().unwrap().events[6];
    second.window.as_mut().unwrap().events.insert(4, shared);
    let trace = perfetto(&[run("tire", vec![first, second])]);
    let (slices, kernel) = read(&trace.bytes);

    let of = |name: &str| slices.iter().filter(|slice| slice.1 == name).collect::<Vec<_>>();
    let thread = "model 0".to_owned();
    assert_eq!(of("late: period 5"), [&(thread, "late: period 5".into(), 10_000, 13_000)]);
    assert_eq!(of("late: period 6").len(), 1);
    assert_eq!(of("due, not started")[0].3, of("started")[0].2, "from due to start to done");
    let causes = slices.iter().filter(|slice| slice.0 == "model 0: cause");
    let causes: Vec<(i64, i64)> = causes.map(|slice| (slice.2, slice.3)).collect();
    assert_eq!(causes[..2], [(10_000, 12_500), (12_500, 13_000)]);

    let count = |field| kernel.iter().filter(|(kind, ..)| *kind == field).count();
    assert_eq!([4, 20, 559, 560, 24, 25].map(count), [4, 2, 2, 2, 2, 2]);
    assert_eq!(trace.kernel, KernelEvents { switches: 4, interrupts: 4 });
    assert_eq!(kernel[0], (4, 9_100, ME), "the leaving task has the CPU at a switch");
    assert!(kernel[1..6].iter().all(|(.., task)| *task == HOG));
}

#[test]
fn without_events_there_are_the_sample_and_its_main_cause() {
    let mut case = case(5, 10_000, 3_000);
    case.told.segments.clear();
    let case = Case { start_ns: None, window: None, ..case };
    let (slices, kernel) = read(&perfetto(&[run("tire", vec![case])]).bytes);
    let words = Cause::UnknownTask.words();
    let spans: Vec<(&str, i64, i64)> = slices.iter().map(|s| (&*s.1, s.2, s.3)).collect();
    assert_eq!(spans, [("late: period 5", 10_000, 13_000), (&words, 10_000, 13_000)]);
    assert!(kernel.is_empty());
}

#[test]
fn runs_of_different_boots_do_not_overlap() {
    let runs = ["before", "after"].map(|title| run(title, vec![case(5, 10_000, 3_000)]));
    let (slices, kernel) = read(&perfetto(&runs).bytes);
    let starts: Vec<i64> = slices.iter().filter(|s| s.1 == "late: period 5").map(|s| s.2).collect();
    assert_eq!(starts[0], 10_000);
    assert!(starts[1] > 13_000 + APART_NS - 1_000, "{starts:?}");
    assert_eq!(kernel.iter().filter(|(kind, ..)| *kind == 4).count(), 4);
}
