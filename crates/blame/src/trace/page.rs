//! A page of the kernel's ring buffer: `events/header_page`, `events/header_event`
//! (include/linux/ring_buffer.h).

use super::format::Format;

/// Kinds of entries other than events. Smaller numbers are the length of an event's data in words;
/// 0 means that the length follows.
const PADDING: u32 = 29;
const TIME_EXTEND: u32 = 30;
const TIME_STAMP: u32 = 31;
/// Bits of an entry that have its time.
const DELTA_BITS: u32 = 27;
/// Mask of the bits that have the number of used bytes; flags are above.
const USED: u64 = (1 << DELTA_BITS) - 1;
const EVENTS_MISSED: u64 = 1 << 31;
const MISSED_STORED: u64 = 1 << 30;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    commit_size: usize,
    data: usize,
}

impl Layout {
    pub(super) fn parse(header_page: &str) -> Option<Self> {
        let format = Format::parse(header_page);
        Some(Self { commit_size: format.field("commit")?.size, data: format.field("data")?.offset })
    }
}

/// Content of a page: how many events are missing before it, and its events with their times in
/// nanoseconds.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Page<'a> {
    /// 0 if the kernel does not report how many.
    pub(super) missed: Option<i64>,
    pub(super) events: Vec<(i64, &'a [u8])>,
}

/// Decodes a page; truncated entries are left out.
pub(super) fn page(layout: Layout, bytes: &[u8]) -> Page<'_> {
    let number = |from: usize, size: usize| -> Option<u64> {
        let bytes = bytes.get(from..from + size)?;
        match size {
            4 => Some(u64::from(u32::from_ne_bytes(bytes.try_into().ok()?))),
            _ => Some(u64::from_ne_bytes(bytes.try_into().ok()?)),
        }
    };
    let Some((start, commit)) = number(0, 8).zip(number(8, layout.commit_size)) else {
        return Page::default();
    };
    let end = layout.data + (commit & USED) as usize;
    let stored = || number(end, layout.commit_size).unwrap_or(0) as i64;
    let missed = match (commit & EVENTS_MISSED != 0, commit & MISSED_STORED != 0) {
        (true, true) => Some(stored()),
        (true, false) => Some(0),
        (false, _) => None,
    };
    let data = bytes.get(layout.data..end).unwrap_or(&[]);
    Page { missed, events: events(start, data) }
}

fn events(start: u64, data: &[u8]) -> Vec<(i64, &[u8])> {
    let word = |at: usize| {
        let bytes = data.get(at..at + 4)?;
        Some(u32::from_ne_bytes(bytes.try_into().ok()?))
    };
    let (mut events, mut time, mut at) = (Vec::new(), start, 0);
    while let Some(head) = word(at) {
        let (kind, delta) = (head & 31, u64::from(head >> 5));
        let next_word = u64::from(word(at + 4).unwrap_or(0));
        let (from, length) = match kind {
            PADDING if delta == 0 => break,
            TIME_EXTEND | TIME_STAMP => {
                let long = (next_word << DELTA_BITS) + delta;
                time = if kind == TIME_EXTEND { time.wrapping_add(long) } else { long };
                at += 8;
                continue;
            }
            PADDING => (at + 4, next_word as usize),
            0 => (at + 8, (next_word as usize).saturating_sub(4)),
            words => (at + 4, words as usize * 4),
        };
        time = time.wrapping_add(delta);
        let Some(event) = data.get(from..from + length) else { break };
        if kind != PADDING {
            events.push((time as i64, event));
        }
        at = from + length;
    }
    events
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAYOUT: Layout = Layout { commit_size: 8, data: 16 };

    /// Returns a page that starts at time 1000, with these flags and entries.
    fn made(flags: u64, entries: &[&[u32]]) -> Vec<u8> {
        let data: Vec<u8> = entries
            .iter()
            .flat_map(|entry| entry.iter().flat_map(|word| word.to_ne_bytes()))
            .collect();
        let commit = data.len() as u64 | flags;
        let head = [1000u64.to_ne_bytes(), commit.to_ne_bytes()].concat();
        [head, data].concat()
    }

    fn entry(kind: u32, delta: u32) -> u32 {
        kind | delta << 5
    }

    #[test]
    fn events_have_the_times_that_their_entries_add_up_to() {
        let bytes = made(
            0,
            &[
                &[entry(2, 5), 0xa, 0xb],
                &[entry(TIME_EXTEND, 1), 1],
                &[entry(0, 3), 8, 0xc],
                &[entry(PADDING, 2), 8, 0],
                &[entry(TIME_STAMP, 7), 2],
                &[entry(1, 1), 0xd],
                &[entry(PADDING, 0), 0],
            ],
        );
        let page = page(LAYOUT, &bytes);
        let times: Vec<i64> = page.events.iter().map(|(at, _)| *at).collect();
        assert_eq!(times, [1005, 1009 + (1 << 27), (2 << 27) + 8]);
        let lengths: Vec<usize> = page.events.iter().map(|(_, data)| data.len()).collect();
        assert_eq!(lengths, [8, 4, 4]);
        assert_eq!(page.missed, None);
    }

    #[test]
    fn missed_events_are_reported_and_damage_ends_the_page() {
        let mut bytes = made(EVENTS_MISSED | MISSED_STORED, &[&[entry(1, 5), 0xa]]);
        bytes.extend(17u64.to_ne_bytes());
        assert_eq!(page(LAYOUT, &bytes).missed, Some(17));
        let bytes = made(EVENTS_MISSED, &[&[entry(1, 5), 0xa], &[entry(9, 5), 0xa]]);
        let cut = page(LAYOUT, &bytes);
        assert_eq!((cut.missed, cut.events.len()), (Some(0), 1));
        assert_eq!(page(LAYOUT, &bytes[..7]), Page::default());
    }
}
