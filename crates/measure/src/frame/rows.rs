//! Computes MUR's figures from the stamps of frames.

use bench::late::{EachThread, ThreadSamples};
use bench::pace::{Overrun, Step, Steps};
use bench::strip;
use record::{Fact, Recording, Row, Track, fact};
use serde_json::json;
use stats::{Distribution, FrameFigures, Sample};

/// Counts of a process that go into its row unchanged.
const COUNTS: [Fact; 12] = [
    fact::INTEGER_ITERATIONS,
    fact::FLOATING_ITERATIONS,
    fact::INTEGER_ITERATION_NS,
    fact::FLOATING_ITERATION_NS,
    fact::BACKGROUND_TURNS,
    fact::DATAGRAMS_SENT,
    fact::DATAGRAMS_UNSENT,
    fact::REPLIES_IN_TIME,
    fact::REPLIES_LATE,
    fact::REPLIES_LOST,
    fact::REPLIES_REPEATED,
    fact::DATAGRAMS_STRANGE,
];

/// One row per process with run times and all figures, then one each with its start delays.
pub(super) fn of(recording: &Recording) -> Vec<Row> {
    let overrun = Overrun::of(&recording.header.spec.parameters);
    let frames = |track| Frames::of(track, overrun);
    let frames: Vec<Frames> = recording.tracks.iter().map(frames).collect();
    let runs = frames.iter().map(Frames::run_row);
    runs.chain(frames.iter().map(Frames::start_row)).collect()
}

pub(super) fn each_thread(recording: &Recording, each: EachThread) {
    let spec = &recording.header.spec;
    let overrun = Overrun::of(&spec.parameters);
    for track in &recording.tracks {
        each(ThreadSamples {
            spec,
            track,
            stamped: Frames::of(track, overrun).steps.stamped(track.values("start_ns")),
            usual_limit: spec.parameters.rate_period(),
            works: true,
            waits: Vec::new(),
            team: &[],
        });
    }
}

struct Frames<'a> {
    track: &'a Track,
    steps: Steps,
    /// r(k) = e(k) - s(k), from the actual start s(k) to the end e(k).
    runs: Vec<Sample>,
    run: Option<Distribution>,
    /// s(k) - due.
    delay: Option<Distribution>,
}

impl<'a> Frames<'a> {
    fn of(track: &'a Track, overrun: Overrun) -> Self {
        let (dues, ends) = (track.values("due_ns"), track.values("end_ns"));
        let steps = Steps::of(track, overrun, dues, ends);
        let started = || steps.executed.iter().zip(track.values("start_ns"));
        let run = |(step, start): (&Step, &i64)| steps.sample(step, step.end - start);
        let runs: Vec<Sample> = started().map(run).collect();
        let delays = started().map(|(step, start)| steps.sample(step, start - step.due));
        let (run, delay) = (Distribution::of(runs.iter().copied()), Distribution::of(delays));
        Self { track, steps, runs, run, delay }
    }

    fn start_row(&self) -> Row {
        Row::of(format!("{}, start delay", self.track.name), self.delay.clone())
    }

    fn run_row(&self) -> Row {
        let row = self.steps.row(&self.track.name, self.run.clone());
        let counted = |fact: &&Fact| self.track.attributes.contains_key(fact.name);
        let with = |row: Row, fact: &Fact| row.with(fact, self.track.attributes[fact.name].clone());
        let row = COUNTS.iter().filter(counted).fold(row, with);
        let (Some(run), Some(delay)) = (&self.run, &self.delay) else {
            return row;
        };
        let idle = self.idle();
        let figures = FrameFigures {
            period: self.steps.period_ns(),
            overruns: self.steps.overruns(),
            start_jitter: delay.max.value_ns - delay.min.value_ns,
            longest_run: run.max.value_ns,
        };
        row.with(&fact::FRAME_PERIOD_NS, figures.period)
            .with(&fact::START_DELAY_MIN_NS, delay.min.value_ns)
            .with(&fact::START_DELAY_MAX_NS, delay.max.value_ns)
            .with(&fact::START_JITTER_NS, figures.start_jitter)
            .with(&fact::MIN_RUN_NS, run.min.value_ns)
            .with(&fact::AVG_RUN_NS, run.mean_ns())
            .with(&fact::MAX_RUN_NS, run.max.value_ns)
            .with(&fact::RUN_MAX_AT_NS, run.max.at_ns)
            .with(&fact::RUN_JITTER_NS, run.max.value_ns - run.min.value_ns)
            .with(&fact::RESPONSE_MAX_NS, self.steps.longest())
            .with(&fact::START_PLUS_MAX_RUN_NS, figures.jitter_plus_run())
            .with(&fact::IDLE_AVERAGE_NS, stats::mean(&idle))
            .with(&fact::IDLE_MIN_NS, idle.iter().min().copied())
            .with(&fact::STRIP, json!(strip::strip(self.runs.iter().copied())))
            .with(&fact::MARKS, figures.marks())
    }

    /// Returns for each frame the time from its end until the next one was due, and for the last
    /// one until the end of its period; 0 if the frame ended later than that.
    fn idle(&self) -> Vec<i64> {
        let executed = &self.steps.executed;
        let next_dues = executed.iter().skip(1).map(|next| next.due);
        let last = executed.last().map(|last| last.due + self.steps.period_ns());
        let idle = |(step, next): (&Step, i64)| (next - step.end).max(0);
        executed.iter().zip(next_dues.chain(last)).map(idle).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_runs::spec;
    use bench::made_run::recording;

    const MS: i64 = 1_000_000;

    /// Rows of frames of 10 ms, each with its period, its start delay and its run time in us.
    fn rows(periods: i64, frames: &[(i64, i64, i64)]) -> Vec<Row> {
        let due = |(period, _, _): &(i64, i64, i64)| period * 10 * MS;
        let start = |frame: &(i64, i64, i64)| due(frame) + frame.1 * 1000;
        let end = |frame: &(i64, i64, i64)| start(frame) + frame.2 * 1000;
        let column = |of: &dyn Fn(&(i64, i64, i64)) -> i64| frames.iter().map(of).collect();
        let track = Track::new("1 of 1")
            .with("t0_ns", 0)
            .with("period_ns", 10 * MS)
            .with("periods", periods)
            .with("replies_lost", 2)
            .column("due_ns", column(&due))
            .column("start_ns", column(&start))
            .column("end_ns", column(&end));
        of(&recording(spec("frame"), vec![track]))
    }

    fn fact(row: &Row, name: &str) -> i64 {
        row.facts[name].as_i64().unwrap()
    }

    #[test]
    fn every_figure_follows_its_definition() {
        let rows = rows(3, &[(0, 20, 8500), (1, 50, 8700), (2, 10, 8600)]);
        let row = &rows[0];
        assert_eq!((row.due, row.executed, row.skipped), (3, 3, 0));
        assert_eq!(fact(row, "start_jitter_ns"), 40_000);
        assert_eq!(fact(row, "min_run_ns"), 8_500_000);
        assert_eq!(fact(row, "max_run_ns"), 8_700_000);
        assert_eq!(fact(row, "run_max_at_ns"), 10 * MS);
        assert_eq!(fact(row, "run_jitter_ns"), 200_000);
        assert_eq!(row.facts["avg_run_ns"], 8_600_000.0);
        assert_eq!(fact(row, "start_plus_max_run_ns"), 8_740_000);
        assert_eq!(fact(row, "response_max_ns"), 8_750_000);
        assert_eq!(fact(row, "idle_min_ns"), 1_250_000);
        assert_eq!(fact(row, "overruns"), 0);
        assert_eq!(fact(row, "replies_lost"), 2);
        assert_eq!(row.facts["marks"], json!(["good_start_jitter"]));
        assert_eq!(rows[1].label, "1 of 1, start delay");
        assert_eq!(rows[1].max_ns(), Some(50_000));
    }

    #[test]
    fn a_late_frame_is_an_overrun_and_skips_the_periods_it_took() {
        // Frame 1 runs for 25 ms; periods 2 and 3 are skipped.
        let rows = rows(5, &[(0, 0, 8500), (1, 0, 25_000), (4, 0, 8500)]);
        let row = &rows[0];
        assert_eq!((row.due, row.executed, row.skipped), (5, 3, 2));
        assert_eq!((fact(row, "overruns"), fact(row, "missed")), (1, 2));
        // 1.5 ms, 5 ms until period 4, 1.5 ms.
        assert_eq!(fact(row, "idle_min_ns"), 1_500_000);
        assert_eq!(row.facts["idle_average_ns"], 8_000_000.0 / 3.0);
        // Missed frames are counted in one row only.
        assert_eq!((rows[1].due, rows[1].skipped), (3, 0));
        assert!(rows[1].facts.is_empty());
        let marks =
            ["overrun", "run_beyond_period", "jitter_plus_run_beyond_period", "good_start_jitter"];
        assert_eq!(row.facts["marks"], json!(marks));
    }

    #[test]
    fn a_frame_that_follows_a_late_one_at_once_leaves_no_idle_time() {
        // Frame 0 runs for 15 ms; period 1 is executed late, as with `catch-up`.
        let row = &rows(3, &[(0, 0, 15_000), (1, 5000, 3000), (2, 0, 9000)])[0];
        assert_eq!(fact(row, "idle_min_ns"), 0);
        assert_eq!(row.facts["idle_average_ns"], 1_000_000.0);
    }

    #[test]
    fn a_frame_that_ends_when_the_next_is_due_is_in_time() {
        let row = &rows(2, &[(0, 0, 10_000), (1, 0, 8000)])[0];
        assert_eq!((fact(row, "overruns"), fact(row, "missed")), (0, 0));
    }
}
