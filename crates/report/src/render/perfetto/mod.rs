//! Late samples as a trace that Perfetto (ui.perfetto.dev) opens: the kernel's events, the samples
//! and their causes. Field numbers are those of Perfetto's own descriptions (`protos/perfetto`).

mod kernel;
#[cfg(test)]
mod tests;
mod wire;

use blame::{Case, Cases, LateTold};

pub use kernel::KernelEvents;

use kernel::Bundles;
use wire::Message;

/// Fields of `Trace` and `TracePacket`.
const PACKET: u64 = 1;
const FTRACE_EVENTS: u64 = 1;
const TIMESTAMP: u64 = 8;
const SEQUENCE: u64 = 10;
const TRACK_EVENT: u64 = 11;
const TRACK_DESCRIPTOR: u64 = 60;

/// Fields of `TrackDescriptor`.
const UUID: u64 = 1;
const TRACK_NAME: u64 = 2;
const PARENT: u64 = 5;

/// Fields of `TrackEvent`, and its types.
const ANNOTATION: u64 = 4;
const TYPE: u64 = 9;
const TRACK: u64 = 11;
const CATEGORY: u64 = 22;
const NAME: u64 = 23;
const SLICE_BEGIN: i64 = 1;
const SLICE_END: i64 = 2;

/// Fields of `DebugAnnotation`.
const INTEGER: u64 = 4;
const STRING: u64 = 6;
const ANNOTATION_NAME: u64 = 10;

/// Distance between two runs whose clocks overlap, since they ran in different boots or machines.
const APART_NS: i64 = 1_000_000_000;

#[derive(Debug, Clone, Default)]
pub struct TracedRun {
    pub title: String,
    pub started_unix_ns: u64,
    pub cases: Cases,
}

#[derive(Debug, Clone)]
pub struct Perfetto {
    pub bytes: Vec<u8>,
    pub kernel: KernelEvents,
}

/// Returns the trace of these runs, in the order in which they were started.
pub fn perfetto(runs: &[TracedRun]) -> Perfetto {
    let mut trace = Trace::default();
    let mut last = i64::MIN;
    for run in runs {
        let spans = run.cases.cases.iter().map(span);
        let Some([first, end]) = spans.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]) else {
            continue;
        };
        trace.later_ns = last.saturating_add(APART_NS).saturating_sub(first).max(0);
        last = end.saturating_add(trace.later_ns);
        trace.run(run);
    }
    Perfetto { bytes: trace.packets.0, kernel: trace.bundles.counts }
}

fn span(case: &Case) -> [i64; 2] {
    let LateTold { due_ns, took_ns, .. } = case.told;
    let events = case.window.iter().flat_map(|window| &window.events);
    let first = events.map(|event| event.at).min().unwrap_or(due_ns);
    [first.min(due_ns), due_ns.saturating_add(took_ns)]
}

#[derive(Default)]
struct Trace {
    packets: Message,
    bundles: Bundles,
    tracks: i64,
    /// How much later than by their own clock the events of the current run are shown.
    later_ns: i64,
}

impl Trace {
    fn run(&mut self, run: &TracedRun) {
        self.bundles.written.clear();
        let of_run = self.track(None, &run.title);
        for case in &run.cases.cases {
            self.late(of_run, case);
            let later = self.later_ns;
            let at = |at: i64| at.saturating_add(later);
            if let Some(window) = &case.window {
                for bundle in self.bundles.of(window, &run.cases.names, at) {
                    self.packet(&Message::default().message(FTRACE_EVENTS, &bundle));
                }
            }
        }
    }

    /// Writes the slices of a late sample. It has its own tracks, since it may overlap with the
    /// next one of its thread; Perfetto shows tracks of the same name as one.
    fn late(&mut self, of_run: i64, case: &Case) {
        let LateTold { thread, index, due_ns: due, took_ns, shares, segments } = &case.told;
        let (due, done) = (*due, due.saturating_add(*took_ns));
        let main = shares.first().map(|(cause, _)| cause.words());
        let mut about = vec![integer("due_ns", due), integer("took_ns", *took_ns)];
        about.extend(main.iter().map(|cause| text("cause", cause)));
        about.extend(shares.iter().map(|(cause, time_ns)| integer(&cause.words(), *time_ns)));
        let track = self.track(Some(of_run), thread);
        self.begin(track, due, &format!("late: period {index}"), "late", &about);
        if let Some(start) = case.start_ns.filter(|start| *start > due) {
            self.slice(track, [due, start], "due, not started", "late");
            self.slice(track, [start, done], "started", "late");
        }
        self.end(track, done);

        let track = self.track(Some(of_run), &format!("{thread}: cause"));
        for held in segments {
            let span = [held.from_ns, held.to_ns].map(|after| due.saturating_add(after));
            self.slice(track, span, &held.words, "cause");
        }
        if let (true, Some(main)) = (segments.is_empty(), main) {
            self.slice(track, [due, done], &main, "cause");
        }
    }

    fn track(&mut self, parent: Option<i64>, name: &str) -> i64 {
        self.tracks += 1;
        let track = Message::default().number(UUID, self.tracks).text(TRACK_NAME, name);
        let track = parent.into_iter().fold(track, |track, of| track.number(PARENT, of));
        self.packet(&Message::default().message(TRACK_DESCRIPTOR, &track));
        self.tracks
    }

    fn slice(&mut self, track: i64, [from, to]: [i64; 2], name: &str, category: &str) {
        self.begin(track, from, name, category, &[]);
        self.end(track, to);
    }

    fn begin(&mut self, track: i64, at: i64, name: &str, category: &str, about: &[Message]) {
        let begin = Message::default().number(TYPE, SLICE_BEGIN).number(TRACK, track);
        let begin = begin.text(NAME, name).text(CATEGORY, category);
        let begin = about.iter().fold(begin, |begin, about| begin.message(ANNOTATION, about));
        self.track_event(at, &begin);
    }

    fn end(&mut self, track: i64, at: i64) {
        self.track_event(at, &Message::default().number(TYPE, SLICE_END).number(TRACK, track));
    }

    fn track_event(&mut self, at: i64, event: &Message) {
        let packet = Message::default().number(TIMESTAMP, at.saturating_add(self.later_ns));
        self.packet(&packet.message(TRACK_EVENT, event));
    }

    /// All packets are of one sequence, as from one writer.
    fn packet(&mut self, packet: &Message) {
        let packet = packet.clone().number(SEQUENCE, 1);
        self.packets = std::mem::take(&mut self.packets).message(PACKET, &packet);
    }
}

fn integer(name: &str, value: i64) -> Message {
    Message::default().text(ANNOTATION_NAME, name).number(INTEGER, value)
}

fn text(name: &str, value: &str) -> Message {
    Message::default().text(ANNOTATION_NAME, name).text(STRING, value)
}
