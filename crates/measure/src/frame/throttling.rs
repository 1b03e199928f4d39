//! The kernel's limit for real-time processes: frames beyond it are refused or reported.

use base::Policy;
use bench::findings::{WINDOW_NS, throttling_reached};
use record::{RunSpec, ThreadFound, Track, Warning, lift_throttling};
use rt::system::RtGrant;

use super::parameters::SPIN;
use super::start::lead;

/// Tolerance of the calibration: work that comes this close to the granted share reaches it.
const MARGIN_PERCENT: u64 = 1;
/// Tolerance in percentage points: a late frame leaves the rest of a period idle.
const NEAR_PERCENT: u64 = 2;
/// Minimum time that a frame loses at once when the kernel throttles it.
const SHORTEST_GAP_NS: i64 = 5_000_000;

/// Refuses frames that use more than the kernel grants: the gaps would seem to be the machine's.
pub(super) fn check(spec: &RunSpec, grant: &RtGrant) -> Result<(), String> {
    let (policy, start) = (spec.asked.policy, spec.parameters.start());
    let (busy_percent, granted_percent) = (busiest_percent(spec), grant.percent);
    let group = grant.group.as_ref().map(|file| file.display().to_string());
    let lift = lift_throttling(group.as_deref());
    let is_refused = match policy {
        Policy::Other { .. } | Policy::Idle => false,
        Policy::Fifo(_) | Policy::Rr(_) => {
            granted_percent < 100 && busy_percent + MARGIN_PERCENT >= granted_percent
        }
        Policy::Deadline { .. } => start == SPIN,
    };
    if !is_refused {
        return Ok(());
    }
    if start == SPIN {
        return Err(format!(
            "--start: a spinning process uses all of its CPU, and under {policy} the kernel takes \
             it away for a part of each second; use --start timer or hybrid, use --policy other, \
             or use fifo:N and {lift}"
        ));
    }
    let granter =
        group.map_or_else(|| "the kernel".to_owned(), |file| format!("the control group ({file})"));
    Err(format!(
        "--fill: with --start {start}, frames use up to {busy_percent} % of a second of their \
         CPU, but {granter} grants {granted_percent} % to {policy} and {MARGIN_PERCENT} % must \
         stay free; use a lower --fill, use --policy other, or {lift}"
    ))
}

/// Returns the share of a CPU that frames take in their busiest second, in percent.
fn busiest_percent(spec: &RunSpec) -> u64 {
    let period = spec.parameters.rate_period().0.max(1);
    let work = (period as f64 * spec.parameters.fill()) as u64;
    let a_frame = (work + lead(spec.parameters.start(), period)).min(period);
    let busy = WINDOW_NS / period * a_frame + (WINDOW_NS % period).min(a_frame);
    (100 * busy).div_ceil(WINDOW_NS)
}

/// Warns if a real-time process lost time right after it had used what the kernel grants.
pub(super) fn found(
    spec: &RunSpec,
    tracks: &[Track],
    threads: &[ThreadFound],
    grant: &RtGrant,
) -> Vec<Warning> {
    let in_process = |(track, thread): (&Track, &ThreadFound)| {
        let limited = matches!(thread.policy, Policy::Fifo(_) | Policy::Rr(_));
        let cpu = thread.cpus.iter().next().filter(|_| thread.cpus.len() == 1)?;
        let (gaps, used_percent) = gaps(spec, track, grant.percent);
        (limited && gaps > 0).then(|| throttling_reached(cpu, used_percent, grant, gaps))
    };
    tracks.iter().zip(threads).filter_map(in_process).collect()
}

/// Returns how many frames overran and lost more time than any work explains after they had used
/// the granted time of a second, and the largest used share of it, in percent.
fn gaps(spec: &RunSpec, track: &Track, granted_percent: u64) -> (u64, u64) {
    if granted_percent >= 100 {
        return (0, 0);
    }
    let frames = Frame::all(spec, track);
    let period = track.number("period_ns");
    let granted = (WINDOW_NS / 100 * granted_percent) as i64;
    let (mut gaps, mut most) = (0, 0);
    // Frames `first..=last` ended after `since`, which is the granted time before the gap of the
    // last frame.
    let (mut first, mut used) = (0, 0);
    for (last, frame) in frames.iter().enumerate() {
        let since = frame.end - frame.lost - granted;
        used += frame.used;
        while first < last && frames[first].end <= since {
            used -= frames[first].used;
            first += 1;
        }
        let before = (frames[first].used - (frames[first].end - since)).max(0);
        let percent = (100 * (used - before) / granted) as u64;
        let overran = frame.end > frame.due + period;
        if overran && frame.lost > 0 && percent + NEAR_PERCENT >= granted_percent {
            gaps += 1;
            most = most.max(percent);
        }
    }
    (gaps, most)
}

/// CPU time of a frame, computed from its stamps, in nanoseconds.
struct Frame {
    due: i64,
    end: i64,
    /// Time that the process spun or worked.
    used: i64,
    /// Time held back; a short gap cannot be distinguished from work and counts as 0.
    lost: i64,
}

impl Frame {
    /// Returns every frame. The work is the same in all of them, so the median run has no gap.
    fn all(spec: &RunSpec, track: &Track) -> Vec<Self> {
        let (dues, ends) = (track.values("due_ns"), track.values("end_ns"));
        let mut runs: Vec<i64> =
            ends.iter().zip(track.values("start_ns")).map(|(end, start)| end - start).collect();
        runs.sort_unstable();
        let work = runs.get(runs.len() / 2).copied().unwrap_or(0);
        let period = track.number("period_ns") as u64;
        let lead = lead(spec.parameters.start(), period) as i64;
        let mut last_end = i64::MIN;
        let frame = |(due, end): (&i64, &i64)| {
            let begin = last_end.max(due - lead);
            let excess = end - last_end.max(*due) - work;
            last_end = *end;
            let lost = if excess > SHORTEST_GAP_NS { excess } else { 0 };
            Self { due: *due, end: *end, used: end - begin - lost, lost }
        };
        dues.iter().zip(ends).map(frame).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::parameters::HYBRID;
    use crate::test_runs::{set, spec_with};
    use bench::made_run::{grant, thread};

    const MS: i64 = 1_000_000;
    const GRANTED: u64 = 95;

    fn asked(start: &str, fill: &str, rate: &str) -> RunSpec {
        let mut spec = spec_with("frame", &[("start", start), ("fill", fill), ("rate", rate)]);
        spec.asked.policy = Policy::Fifo(80);
        spec
    }

    #[test]
    fn frames_beyond_the_granted_share_are_refused_with_their_flag() {
        for (start, fill, rate, flag) in [
            (SPIN, "10%", "100Hz", Some("--start")),
            ("timer", "99%", "100Hz", Some("--fill")),
            ("timer", "94%", "100Hz", Some("--fill")),
            ("timer", "93%", "100Hz", None),
            (HYBRID, "93%", "100Hz", Some("--fill")),
            (HYBRID, "91%", "100Hz", None),
            (HYBRID, "85%", "1kHz", Some("--fill")),
            // One frame takes all of a second.
            ("timer", "60%", "0.5Hz", Some("--fill")),
        ] {
            let mut spec = asked(start, fill, rate);
            let refused = check(&spec, &grant(GRANTED)).err();
            let text = refused.as_deref().unwrap_or_default();
            assert_eq!(refused.is_some(), flag.is_some(), "{start} {fill} {text}");
            assert!(text.starts_with(flag.unwrap_or_default()), "{text}");
            assert_eq!(text.contains("sched_rt_runtime_us"), flag.is_some());
            assert_eq!(check(&spec, &grant(100)), Ok(()));
            spec.asked.policy = Policy::OTHER;
            assert_eq!(check(&spec, &grant(GRANTED)), Ok(()));
        }
        let mut spec = asked(SPIN, "10%", "100Hz");
        spec.asked.policy = "deadline:1ms/2ms".parse().unwrap();
        assert!(check(&spec, &grant(100)).is_err());
        set(&mut spec, &[("start", HYBRID)]);
        assert_eq!(check(&spec, &grant(GRANTED)), Ok(()));
    }

    /// Two seconds of frames of 10 ms; frame 95 loses `gap` and skips the periods that it covers.
    fn framed(work: i64, gap: i64) -> Track {
        let hidden = (work + gap - 1) / (10 * MS);
        let number = |k: i64| k + if k > 95 { hidden } else { 0 };
        let dues: Vec<i64> = (0..200 - hidden).map(|k| number(k) * 10 * MS).collect();
        let run = |due: &i64| work + if *due == 950 * MS { gap } else { 0 };
        Track::new("1 of 1")
            .with("period_ns", 10 * MS)
            .column("start_ns", dues.clone())
            .column("end_ns", dues.iter().map(|due| due + run(due)).collect())
            .column("due_ns", dues)
    }

    fn warned(work: i64, gap: i64, policy: Policy) -> Vec<Warning> {
        let (spec, track) = (asked("timer", "85%", "100Hz"), framed(work, gap));
        found(&spec, &[track], &[ThreadFound { policy, ..thread(1, 0) }], &grant(GRANTED))
    }

    #[test]
    fn a_gap_after_the_granted_share_is_the_kernels_and_invalidates() {
        let fifo = Policy::Fifo(80);
        let warnings = warned(99 * MS / 10, 42 * MS, fifo);
        assert!(
            matches!(
                warnings[..],
                [Warning::ThrottlingReached { cpu: 1, used_percent: 93..=99, gaps: 1, .. }]
            ),
            "{warnings:?}"
        );
        assert!(warnings[0].invalidates());
        assert_eq!(warned(99 * MS / 10, 42 * MS, Policy::OTHER), []);
        assert_eq!(warned(99 * MS / 10, 0, fifo), []);
        // Time that a hypervisor takes from frames that rest is not the kernel's throttling.
        assert_eq!(warned(85 * MS / 10, 42 * MS, fifo), []);
    }
}
