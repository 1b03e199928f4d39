//! Switching between two threads of equal priority that only offer each other the CPU.

use base::{CpuSet, Nanos};
use bench::burst::{Bursts, bursts_in, with_bursts};
use bench::measuring_thread::MeasuringThread;
use bench::stamps::Pair;
use bench::{Abort, Bench, Description, Measurement, TrackShape};
use record::{Family, Recording, Row, RunSpec, Track, fact};
use rt::{clock, sched};
use stats::{Distribution, Sample};

pub(crate) struct TaskSwitch {
    name: &'static str,
    summary: &'static str,
    source: &'static str,
    measure: fn(&Bench) -> Result<Vec<Track>, Abort>,
}

pub(crate) static TASK_SWITCH: TaskSwitch = TaskSwitch {
    name: "task_switch",
    summary: "switch between two threads of equal priority on one CPU, by yielding",
    source: "SAE table 1, MPE 3, Rhealstone",
    measure: |bench| measured(bench, sched::yield_now),
};

pub(crate) static SLEEP_SWITCH: TaskSwitch = TaskSwitch {
    name: "sleep_switch",
    summary: "such a switch by sleeping until a time that has passed",
    source: "MPE 3.3",
    measure: |bench| measured(bench, || clock::sleep_until(0)),
};

const YIELD: Pair = Pair("before_ns", "after_ns");
/// Yields of each thread per burst.
const YIELDS: u64 = 500;

impl Measurement for TaskSwitch {
    fn description(&self) -> Description {
        Description {
            name: self.name,
            summary: self.summary,
            source: self.source,
            family: Some(Family::Services),
            facts: &[fact::SWITCHES, fact::BURSTS],
            usual_time: Nanos(3_000_000_000),
            bytes_a_burst: YIELDS * 2 * 16,
            ..Description::PINNED
        }
    }

    fn run(&self, bench: &Bench) -> Result<Vec<Track>, Abort> {
        (self.measure)(bench)
    }

    fn tracks(&self, spec: &RunSpec) -> Vec<TrackShape> {
        let most = bursts_in(spec.asked.duration).saturating_mul(YIELDS);
        let of = |name| YIELD.shape(TrackShape::named(name), most);
        ["first", "second"].map(of).into()
    }

    fn rows(&self, recording: &Recording) -> Vec<Row> {
        let [first, second] = &recording.tracks[..] else {
            return Vec::new();
        };
        let yields = first.values("before_ns").len() + second.values("before_ns").len();
        let switches = switches(first, second);
        let without_switch = yields - switches.len();
        let row = Row::of("yield to the other thread", Distribution::of(switches));
        let row = Row { due: yields as u64, skipped: without_switch as u64, ..row }
            .with(&fact::YIELDS, yields)
            .with(&fact::YIELDS_WITHOUT_SWITCH, without_switch);
        vec![with_bursts(row, first)]
    }
}

fn measured(bench: &Bench, offer: impl Fn() + Copy + Send) -> Result<Vec<Track>, Abort> {
    let asked = &bench.spec.asked;
    let bursts = &Bursts::within(asked.duration, 2)?;
    let yielder = || {
        let (mut before, mut after) = (bursts.room_for(YIELDS), bursts.room_for(YIELDS));
        move || {
            bursts.run(|time_is_up| {
                for _ in 0..YIELDS {
                    before.push(clock::now());
                    offer();
                    let back = clock::now();
                    after.push(back);
                    // Under load, a yield may take as long as a time slice of the load.
                    if back >= time_is_up {
                        break;
                    }
                }
            });
            (before, after)
        }
    };
    let cpu = CpuSet::one(bench.cpu(0));
    let names = ["first", "second"];
    let measuring =
        names.map(|name| MeasuringThread::on(cpu.clone(), asked.policy, name, yielder())).into();
    let stamps = bench.run(measuring)?;
    let tracks = names
        .iter()
        .zip(&stamps)
        .map(|(name, (before, after))| YIELD.onto(Track::new(*name), bursts, [before, after]));
    Ok(tracks.collect())
}

/// Times from before one thread's yield to after the other's, if the other continued after it.
fn switches(first: &Track, second: &Track) -> Vec<Sample> {
    let starts = [first, second].map(|track| track.values("before_ns").first());
    let start = starts.into_iter().flatten().min().copied().unwrap_or(0);
    let mut switches = switches_to(second, first, start);
    switches.extend(switches_to(first, second, start));
    switches
}

/// The yields of `from` around which `to` has a stamp after a yield: there, `to` continued.
fn switches_to(to: &Track, from: &Track, start: i64) -> Vec<Sample> {
    let went_on = to.values("after_ns");
    let mut next = 0;
    let yields = from.values("before_ns").iter().zip(from.values("after_ns"));
    let switch = |(index, (before, after)): (usize, (&i64, &i64))| {
        next += went_on[next..].iter().take_while(|at| *at < before).count();
        let at = went_on.get(next).filter(|at| *at <= after)?;
        let at_ns = (before - start) as u64;
        Some(Sample { value_ns: at - before, index: index as u64, at_ns })
    };
    yields.enumerate().filter_map(switch).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_runs::{measured, rows, spec};

    fn thread(name: &str, before: &[i64], after: &[i64]) -> Track {
        Track::new(name).column("before_ns", before.to_vec()).column("after_ns", after.to_vec())
    }

    #[test]
    fn no_switch_is_missed_with_a_coarse_clock() {
        // Every stamp falls on one of a few ticks.
        let first = thread("first", &[10, 20, 30], &[20, 30, 40]);
        let second = thread("second", &[10, 20, 30], &[20, 30, 40]);
        let rows = rows("task_switch", vec![first, second]);
        assert_eq!((rows[0].executed, rows[0].skipped), (6, 0));
    }

    #[test]
    fn yields_are_paired_with_the_thread_that_continued() {
        // first yields at 10, second continues at 13, yields at 14, first continues at 19, yields
        // at 20 and itself continues at 22.
        let first = thread("first", &[10, 20], &[19, 22]);
        let second = thread("second", &[5, 14], &[13, 30]);
        let rows = rows("task_switch", vec![first, second]);
        let latency = rows[0].latency.as_ref().unwrap();
        assert_eq!((rows[0].due, rows[0].executed, rows[0].skipped), (4, 2, 2));
        assert_eq!((latency.min.value_ns, latency.max.value_ns), (3, 5));
        assert_eq!(latency.max.at_ns, 9);
    }

    #[test]
    fn every_yield_is_counted() {
        for switch in [&TASK_SWITCH, &SLEEP_SWITCH] {
            let rows = measured(spec(switch.name));
            let made = rows[0].facts["bursts_made"].as_u64().unwrap();
            // The last burst may have ended early in both threads.
            let whole = 2 * YIELDS * (made - 1)..=2 * YIELDS * made;
            assert!(whole.contains(&rows[0].due), "{} in {made}", rows[0].due);
            assert_eq!(rows[0].due, rows[0].executed + rows[0].skipped);
        }
    }
}
