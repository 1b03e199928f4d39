//! A soak as a picture of bounded size.

use stats::HeavyHitters;

use super::bins::{BINS, add_counts};
use super::causes::MissCause;
use super::interval::{Added, Gap, Reason};

/// Causes that a column keeps.
const MOST_CAUSES: usize = 32;

/// A soak as a picture of bounded size: when it gets too wide, neighbouring columns are merged.
#[derive(Debug, Clone)]
pub struct Picture {
    pub columns: Vec<Column>,
    pub merged: u64,
    in_last: u64,
}

/// One or several intervals, or a gap before the next column.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Column {
    pub began_at: String,
    pub histogram: [u64; BINS],
    pub max_ns: i64,
    pub due: u64,
    pub causes: HeavyHitters<MissCause, MOST_CAUSES>,
    /// Whether time right before it was not watched.
    pub is_after_gap: bool,
    pub is_invalid: bool,
}

impl Default for Picture {
    fn default() -> Self {
        Self { columns: Vec::new(), merged: 1, in_last: 0 }
    }
}

impl Picture {
    pub(super) const WIDEST: usize = 480;

    pub fn add(&mut self, added: &Added) {
        let interval = &added.interval;
        let is_watched = |gap: &Gap| matches!(gap.reason, Reason::ClockSet | Reason::Stalled);
        let mut column = Column {
            began_at: interval.began_at.clone(),
            max_ns: interval.max_ns.unwrap_or(0),
            due: interval.due,
            is_after_gap: !added.gaps.iter().all(is_watched),
            is_invalid: !interval.valid,
            ..Column::default()
        };
        add_counts(&mut column.histogram, &interval.histogram);
        interval.causes.iter().for_each(|part| column.causes.add(&part.cause, part.missed));
        match self.columns.last_mut() {
            Some(last) if self.in_last < self.merged => last.merge(&column),
            _ => {
                self.columns.push(column);
                self.in_last = 0;
            }
        }
        self.in_last += 1;
        if self.columns.len() > Self::WIDEST {
            self.halve();
        }
    }

    fn halve(&mut self) {
        let is_odd = !self.columns.len().is_multiple_of(2);
        let mut columns = std::mem::take(&mut self.columns).into_iter();
        while let Some(mut column) = columns.next() {
            columns.next().into_iter().for_each(|other| column.merge(&other));
            self.columns.push(column);
        }
        self.in_last += if is_odd { 0 } else { self.merged };
        self.merged *= 2;
    }
}

impl Column {
    fn merge(&mut self, other: &Self) {
        add_counts(&mut self.histogram, &other.histogram);
        self.max_ns = self.max_ns.max(other.max_ns);
        self.due += other.due;
        self.causes.merge(&other.causes);
        self.is_after_gap |= other.is_after_gap;
        self.is_invalid |= other.is_invalid;
    }
}
