//! The kernel's trace buffers: from raw pages to events.

mod format;
mod kind;
mod page;
mod running;

use format::{Field, Format};
pub use kind::{CALLS, NEEDED, VECTORS, events};
use kind::{Kind, LEAVING_PRIORITY, TRACED};
pub(crate) use kind::{softirq, vector};
use page::{Layout, page};
use running::Running;

use std::io::Write;

use crate::{Event, Names, What};

/// The event of lines that threads write into the trace.
pub const MARK: &str = "ftrace/print";

/// A bit of an event's flags: a switch away from the running task is requested
/// (include/linux/trace_events.h).
const NEED_RESCHED: i64 = 0x04;

/// What a thread reports about itself when it was late, as a line among the events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// The thread's number, as the thread itself sees it.
    pub thread: i64,
    /// When it was due and done (`CLOCK_MONOTONIC`, ns).
    pub due: i64,
    pub end: i64,
}

const MARK_WORD: &str = "steadfast-late";

impl Mark {
    /// Formats the line without allocating.
    pub fn line(self) -> ([u8; 96], usize) {
        let mut line = [0; 96];
        let mut room = &mut line[..];
        let Self { thread, due, end } = self;
        // The buffer is large enough for these four words.
        let _ = write!(room, "{MARK_WORD} {thread} {due} {end}");
        let left = room.len();
        (line, 96 - left)
    }

    fn parse(line: &[u8]) -> Option<Self> {
        let mut words = str::from_utf8(line).ok()?.split_whitespace();
        (words.next()? == MARK_WORD).then_some(())?;
        let mut number = || words.next()?.parse().ok();
        Some(Self { thread: number()?, due: number()?, end: number()? })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    Event(Event),
    /// A task, by the kernel's number, was late.
    Mark(Mark, i64),
}

#[derive(Debug)]
pub struct Decoder {
    layout: Layout,
    kinds: Vec<Kind>,
    common_pid: Field,
    common_flags: Option<Field>,
    mark: (u16, Field),
    running: Running,
    pub names: Names,
}

impl Decoder {
    /// Creates a decoder for this kernel's events; `text` reads a file below `events`.
    ///
    /// # Errors
    /// Names what is missing.
    pub fn new(text: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        let missing = |what: &str| format!("this kernel's trace has no {what}");
        let format = |event: &str| Some(Format::parse(&text(&format!("{event}/format"))?));
        let header = text("header_page").and_then(|page| Layout::parse(&page));
        let mark = format(MARK).and_then(|mark| Some((mark.id, mark.field("buf")?)));
        let switch = format(NEEDED[0]).unwrap_or_default();
        let mut kinds: Vec<Kind> =
            TRACED.iter().filter_map(|traced| Kind::of(traced, &format(traced.event)?)).collect();
        kinds.extend((0..VECTORS.len()).flat_map(|place| Kind::of_vector(place, &format)));
        Ok(Self {
            layout: header.ok_or_else(|| missing("header_page"))?,
            common_pid: switch.field("common_pid").ok_or_else(|| missing(NEEDED[0]))?,
            common_flags: switch.field("common_flags"),
            mark: mark.ok_or_else(|| missing(MARK))?,
            kinds,
            running: Running::default(),
            names: Names::default(),
        })
    }

    pub fn read(&mut self, cpu: i64, bytes: &[u8], mut found: impl FnMut(Entry)) {
        let page = page(self.layout, bytes);
        if let (Some(count), Some((at, _))) = (page.missed, page.events.first()) {
            let event = Event { at: *at, cpu, what: What::Lost { count } };
            self.running.hear(event);
            found(Entry::Event(event));
        }
        for (at, bytes) in page.events {
            let Some(id) = bytes.first_chunk().map(|id| u16::from_ne_bytes(*id)) else { continue };
            let task = self.common_pid.number(bytes);
            if let Some(task) = task
                && let Some(switch) = self.running.missing_switch(cpu, task)
            {
                found(Entry::Event(switch));
                found(Entry::Event(Event { at, cpu, what: What::Untold { task } }));
            }
            if id == self.mark.0 {
                let mark = self.mark.1.text(bytes).and_then(Mark::parse);
                if let Some((mark, task)) = mark.zip(task) {
                    found(Entry::Mark(mark, task));
                }
            } else if let Some(kind) = self.kinds.iter().find(|kind| kind.id == id)
                && let Some(numbers) = kind.numbers(bytes)
            {
                kind.learn(bytes, &mut self.names);
                let what = (kind.read)(numbers);
                let event = Event { at, cpu, what };
                if let What::Switch { from, .. } = what
                    && let Some(what) = self.running.changed(from, numbers[LEAVING_PRIORITY])
                {
                    found(Entry::Event(Event { what, ..event }));
                }
                self.running.hear(event);
                found(Entry::Event(event));
                let flags = self.common_flags.and_then(|flags| flags.number(bytes));
                if what.is_interrupt() && flags.unwrap_or(0) & NEED_RESCHED != 0 {
                    found(Entry::Event(Event { what: What::ToldToSwitch, ..event }));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Interruption;
    use testing::try_corpus;

    fn text(file: &str) -> Option<String> {
        let field = |declared, offset, size, signed| {
            format!("\tfield:{declared};\toffset:{offset};\tsize:{size};\tsigned:{signed};\n")
        };
        let pid = field("unsigned char common_flags", 2, 1, 0) + &field("int common_pid", 4, 4, 1);
        Some(match file {
            "header_page" => field("local_t commit", 8, 8, 1) + &field("char data", 16, 4080, 0),
            "sched/sched_switch/format" => [
                "ID: 7\n".to_owned(),
                pid,
                field("char prev_comm[4]", 8, 4, 0),
                field("pid_t prev_pid", 12, 4, 1),
                field("long prev_state", 16, 8, 1),
                field("char next_comm[4]", 24, 4, 0),
                field("pid_t next_pid", 28, 4, 1),
                field("int next_prio", 32, 4, 1),
                field("int prev_prio", 36, 4, 1),
            ]
            .concat(),
            "irq_vectors/local_timer_entry/format" => "ID: 8\n".to_owned() + &pid,
            "irq_vectors/local_timer_exit/format" => "ID: 9\n".to_owned() + &pid,
            "ftrace/print/format" => "ID: 5\n".to_owned() + &pid + &field("char buf[]", 16, 0, 0),
            _ => return None,
        })
    }

    fn entry(data: &[u8]) -> Vec<u8> {
        let words = data.len() as u32 / 4;
        [&(words | 1 << 5).to_ne_bytes()[..], data].concat()
    }

    fn switch() -> Vec<u8> {
        let mut data = vec![7, 0, 0, 0, 1, 0, 0, 0];
        data.extend(b"old\0");
        data.extend(1i32.to_ne_bytes());
        data.extend(2i64.to_ne_bytes());
        data.extend(b"hog\0");
        data.extend(9i32.to_ne_bytes());
        data.extend((-1i32).to_ne_bytes());
        data.extend(7i32.to_ne_bytes());
        data
    }

    fn mark(mark: Mark, task: i32) -> Vec<u8> {
        let mut data = vec![5, 0, 0, 0];
        data.extend(task.to_ne_bytes());
        data.extend([0; 8]);
        let (line, length) = mark.line();
        data.extend(&line[..length]);
        data.resize(data.len().next_multiple_of(4) + 4, 0);
        data
    }

    const LATE: Mark = Mark { thread: 12, due: i64::MAX / 2, end: i64::MAX };

    /// Returns a page with events and a mark, before which events are missing.
    fn page_of_all() -> Vec<u8> {
        let data = [
            entry(&switch()),
            entry(&[8, 0, 0, 0, 1, 0, 0, 0]),
            entry(&[99, 0, 0, 0]),
            entry(&[9, 0, 0, 0, 1, 0, 0, 0]),
            entry(&[8, 0, NEED_RESCHED as u8, 0, 1, 0, 0, 0]),
            entry(&mark(LATE, 9)),
        ]
        .concat();
        let mut page = 1000u64.to_ne_bytes().to_vec();
        page.extend((data.len() as u64 | 1 << 31).to_ne_bytes());
        page.extend(data);
        page
    }

    #[test]
    fn odd_pages_are_read() {
        try_corpus(&[page_of_all()], 3_000, |input| {
            let mut decoder = Decoder::new(text).unwrap();
            decoder.read(1, input, |_| {});
        });
    }

    #[test]
    fn odd_formats_are_read_or_refused() {
        const PLACES: [&str; 3] =
            ["header_page", "sched/sched_switch/format", "ftrace/print/format"];
        let page = page_of_all();
        try_corpus(&PLACES.map(|place| text(place).unwrap()), 2_000, |input| {
            let odd = String::from_utf8_lossy(input);
            for place in PLACES {
                let read =
                    |file: &str| if file == place { Some(odd.to_string()) } else { text(file) };
                if let Ok(mut decoder) = Decoder::new(read) {
                    decoder.read(1, &page, |_| {});
                }
            }
        });
    }

    #[test]
    fn events_marks_and_names_come_out_of_a_page() {
        let (late, page) = (LATE, page_of_all());
        let mut decoder = Decoder::new(text).unwrap();
        let mut found = Vec::new();
        decoder.read(1, &page, |read| found.push(read));
        let event = |at, what| Entry::Event(Event { at, cpu: 1, what });
        let switched = What::Switch { from: 1, state: 2, to: 9, priority: -1 };
        let expected = [
            event(1001, What::Lost { count: 0 }),
            event(1001, What::Priority { task: 1, priority: 7 }),
            event(1001, switched),
            event(1002, What::Enter(Interruption::Cpu(0))),
            event(1004, What::Leave(Interruption::Cpu(0))),
            event(1005, What::Enter(Interruption::Cpu(0))),
            event(1005, What::ToldToSwitch),
            Entry::Mark(late, 9),
        ];
        assert_eq!(found, expected);
        assert_eq!(decoder.names.tasks[&9], "hog");
        assert_eq!(decoder.names.tasks[&1], "old");
    }

    #[test]
    fn missing_parts_of_the_trace_are_named() {
        let lacking = |missing: &'static str| {
            let error = Decoder::new(move |file: &str| match file.starts_with(missing) {
                true => None,
                false => text(file),
            });
            error.unwrap_err()
        };
        assert!(lacking("header_page").contains("header_page"));
        assert!(lacking("sched").contains("sched_switch"));
        assert!(lacking("ftrace").contains("print"));
    }
}
