//! The decision table for why a spinning thread did not run.

use bench::columns::Kinds;
use bench::shape::Holds;
use record::Track;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// Nothing of this kernel ran, and no counter says why: hypervisor or firmware.
    Platform,
    /// The hypervisor reports that it gave the CPU to another guest or to the host.
    Steal,
    Interrupt,
    OtherTask,
    /// The counts do not decide.
    Unclear,
}

/// Counts over one period of spinning, which may end with a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Stretch {
    pub(super) start: i64,
    pub(super) end: i64,
    /// Length of the gap in nanoseconds; 0 without a gap.
    pub(super) gap: i64,
    /// Time that passed without being counted as the thread's CPU time.
    pub(super) away: i64,
    /// How often something else took the CPU.
    pub(super) switches: i64,
    pub(super) ticks: i64,
    /// Number of all other interrupts.
    pub(super) others: i64,
    pub(super) steal: i64,
}

/// Properties of a CPU's whole scan.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Custom {
    /// Time from one timer interrupt to the next, in nanoseconds.
    tick: f64,
    /// Whether this kernel subtracts the time of interrupts from a thread's CPU time
    /// (`CONFIG_IRQ_TIME_ACCOUNTING`), as it does with stolen time
    /// (`CONFIG_PARAVIRT_TIME_ACCOUNTING`).
    leaves_interrupts_out: bool,
    /// The step in which stolen time grows, in nanoseconds.
    steal_step: i64,
}

/// Maximum time of a timer interrupt with its soft interrupts, which take tens of microseconds.
const LONGEST_TICK: i64 = 200_000;
/// Minimum time of a handler: CPU time is exact to tens of ns, an interrupt takes a microsecond.
const SHORTEST_HANDLER: i64 = 300;

impl Custom {
    /// Derives the properties from the quiet stretches of a scan, those without a gap or a switch.
    pub(super) fn of(stretches: &[Stretch], steal_step: i64) -> Self {
        let quiet = || stretches.iter().filter(|s| s.gap == 0 && s.switches == 0);
        let time: i64 = quiet().map(|s| s.end - s.start).sum();
        let ticks: i64 = quiet().map(|s| s.ticks).sum();
        let disturbed = quiet().filter(|s| s.ticks + s.others > 0);
        let away: Vec<i64> = disturbed.map(|s| s.away).collect();
        Self {
            tick: time as f64 / ticks as f64,
            leaves_interrupts_out: stats::median(&away).is_some_and(|ns| ns >= SHORTEST_HANDLER),
            steal_step,
        }
    }

    pub(super) fn cause(&self, s: &Stretch) -> Cause {
        let is_most = |time: i64| 2 * time >= s.gap;
        let uncounted = is_most(s.away);
        let held = if uncounted { Cause::Steal } else { Cause::Platform };
        // Up to one step of the growth may be older than the stretch.
        if is_most(s.steal - self.steal_step) {
            return Cause::Steal;
        }
        if s.switches > 0 {
            return Cause::OtherTask;
        }
        if s.ticks + s.others == 0 {
            return held;
        }
        if self.leaves_interrupts_out != uncounted {
            return held;
        }
        if s.gap as f64 >= 2.0 * self.tick {
            // Long handlers let ticks in; a CPU that is held back handles one late tick at its end.
            let are_few = 2.0 * s.ticks as f64 * self.tick < s.gap as f64;
            return if are_few { held } else { Cause::Interrupt };
        }
        match (s.others, s.gap < LONGEST_TICK) {
            (0, false) => held,
            (1.., true) => Cause::Interrupt,
            _ => Cause::Unclear,
        }
    }
}

pub(super) fn stretches(track: &Track) -> Vec<Stretch> {
    let columns = COLUMNS.map(|(name, _)| track.values(name));
    let stretch = |row: usize| {
        let [start, end, gap, away, switches, ticks, others, steal] =
            columns.map(|values| values.get(row).copied().unwrap_or(0));
        Stretch { start, end, gap, away, switches, ticks, others, steal }
    };
    (0..columns[0].len()).map(stretch).collect()
}

const COUNT: Holds = Holds::UpTo(u32::MAX as u64);

/// The columns of a recording, in the order of the fields of [`Stretch`].
pub(super) const COLUMNS: Kinds<8> = [
    ("start_ns", Holds::Stamps),
    ("end_ns", Holds::Stamps),
    ("gap_ns", Holds::Times),
    ("away_ns", Holds::Times),
    ("switches", COUNT),
    ("ticks", COUNT),
    ("others", COUNT),
    ("steal_ns", Holds::Times),
];

#[cfg(test)]
mod tests {
    use super::*;

    const MS: i64 = 1_000_000;
    const STEP: i64 = 10 * MS;

    /// A scan with a tick in every fourth stretch of 1 ms.
    fn custom(leaves_interrupts_out: bool) -> Custom {
        let quiet = |k: i64| Stretch {
            start: k * MS,
            end: (k + 1) * MS,
            ticks: i64::from(k % 4 == 0),
            away: if leaves_interrupts_out && k % 4 == 0 { 2_000 } else { 20 },
            ..Stretch::default()
        };
        let custom = Custom::of(&(0..100).map(quiet).collect::<Vec<_>>(), STEP);
        assert_eq!(custom.leaves_interrupts_out, leaves_interrupts_out);
        custom
    }

    fn gap(gap: i64) -> Stretch {
        Stretch { gap, ..Stretch::default() }
    }

    #[test]
    fn nothing_ran_means_platform_and_time_that_the_host_reports_is_steal() {
        for custom in [custom(false), custom(true)] {
            for length in [MS / 50, 3 * MS, 300 * MS] {
                let stalled = gap(length);
                assert_eq!(custom.cause(&stalled), Cause::Platform);
                let reported = Stretch { away: length, ..stalled };
                assert_eq!(custom.cause(&reported), Cause::Steal);
            }
            for length in [MS, 9 * MS, 300 * MS] {
                let late_tick = Stretch { ticks: 1, ..gap(length) };
                assert_eq!(custom.cause(&late_tick), Cause::Platform, "{length}");
            }
        }
    }

    #[test]
    fn counts_decide_between_a_stall_a_handler_and_another_task() {
        let stalled = Stretch { ticks: 1, others: 5, ..gap(100 * MS) };
        let busy = Stretch { ticks: 24, ..stalled };
        let short = gap(MS / 50);
        let switched = Stretch { switches: 1, away: 50 * MS, ..gap(50 * MS) };
        for (why, leaves_interrupts_out, stretch, cause) in [
            ("interrupts queue up behind a stall", false, stalled, Cause::Platform),
            ("soft interrupts let the ticks in", false, busy, Cause::Interrupt),
            ("if interrupts are subtracted, CPU time alone decides", true, busy, Cause::Platform),
            ("subtracted", true, Stretch { away: 99 * MS, ..busy }, Cause::Interrupt),
            ("subtracted", false, Stretch { away: 99 * MS, ..busy }, Cause::Steal),
            ("perhaps a handler", false, Stretch { ticks: 1, ..short }, Cause::Unclear),
            ("a device", false, Stretch { others: 1, ..short }, Cause::Interrupt),
            ("a long handler", false, Stretch { others: 1, ..gap(3 * MS) }, Cause::Unclear),
            ("switched", false, switched, Cause::OtherTask),
            ("little is stolen", false, Stretch { steal: STEP, ..switched }, Cause::OtherTask),
            ("most is stolen", false, Stretch { steal: 5 * STEP, ..switched }, Cause::Steal),
        ] {
            assert_eq!(custom(leaves_interrupts_out).cause(&stretch), cause, "{why}: {stretch:?}");
        }
    }

    #[test]
    fn without_ticks_no_tick_is_missed() {
        // A CPU without timer tick (nohz_full): a long gap with one interrupt.
        let quiet = [Stretch { end: 100 * MS, ..Stretch::default() }];
        let custom = Custom::of(&quiet, STEP);
        let interrupted = Stretch { others: 1, ..gap(50 * MS) };
        assert_eq!(custom.cause(&interrupted), Cause::Unclear);
    }
}
