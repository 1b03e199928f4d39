//! Readings of a counter source, in memory of fixed size.

/// Readings in order. When there is no more room, every second one is dropped, and from then on only
/// every second one is kept: readings get farther apart, and counts that only grow stay true.
#[derive(Debug)]
pub(super) struct Log<const N: usize> {
    rows: Vec<[i64; N]>,
    room: usize,
    /// One of this many readings is kept.
    every: usize,
    skipped: usize,
    newest: Option<[i64; N]>,
}

impl<const N: usize> Log<N> {
    /// Allocates room for at least two rows, and touches it.
    pub(super) fn with_room(room: usize) -> Self {
        let room = room.max(2);
        // A pattern other than zero makes the kernel back every page.
        let mut rows = vec![[i64::MAX; N]; room];
        rows.clear();
        Self { rows, room, every: 1, skipped: 0, newest: None }
    }

    pub(super) fn push(&mut self, row: [i64; N]) {
        self.skipped += 1;
        if self.skipped < self.every {
            self.newest = Some(row);
            return;
        }
        if self.rows.len() == self.room {
            let mut is_kept = false;
            self.rows.retain(|_| {
                is_kept = !is_kept;
                is_kept
            });
            self.every *= 2;
        }
        self.rows.push(row);
        (self.skipped, self.newest) = (0, None);
    }

    /// Limits counts, in columns from `first` on, to these.
    pub(super) fn limit<const C: usize>(&mut self, first: usize, most: [i64; C]) {
        for row in self.rows.iter_mut().chain(&mut self.newest) {
            row.iter_mut()
                .skip(first)
                .zip(most)
                .for_each(|(count, most)| *count = most.min(*count));
        }
    }

    /// Returns all readings, the newest in any case.
    pub(super) fn rows(&self) -> impl Iterator<Item = [i64; N]> {
        self.rows.iter().copied().chain(self.newest)
    }

    /// Begins again with the newest reading.
    pub(super) fn restart(&mut self) {
        let newest = self.newest.take().or(self.rows.last().copied());
        self.rows.clear();
        self.rows.extend(newest);
        (self.every, self.skipped) = (1, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(log: &Log<1>) -> Vec<i64> {
        log.rows().map(|[number]| number).collect()
    }

    #[test]
    fn a_full_log_keeps_readings_from_the_first_to_the_newest_at_equal_distances() {
        let mut log = Log::with_room(4);
        for number in 0..=40 {
            log.push([number]);
            let kept = numbers(&log);
            assert_eq!((kept[0], kept[kept.len() - 1]), (0, number));
            assert!(kept.len() <= 5 && kept.is_sorted());
        }
        assert_eq!(numbers(&log), [0, 16, 32, 40]);
        log.restart();
        log.push([41]);
        assert_eq!(numbers(&log), [40, 41]);
    }
}
