//! The English text of every finding: the only place where results are put into words.
//!
//! One file per subject. Plain `match` and `format!`: the compiler checks that every finding has a
//! subject and every value a place in its text, and nothing is read or parsed at run time. Numbers,
//! units and plurals come from `analysis::words`.

pub(crate) mod audit;
mod capacity;
mod claims;
mod deadlines;
mod effects;
mod machine;
mod parts;
mod studies;

use analysis::effect::Quality;
use analysis::finding::Finding;

use crate::answer::Remark;

pub(crate) use capacity::{bracket, edge_figures, not_fitted};
pub(crate) use claims::{ORDER_UNKNOWN, longer, once, out_of_reach, quantile, refusal};
pub(crate) use deadlines::{bounds, periodic, proof, real_time, speed};
pub use effects::effects;
pub(crate) use effects::{CLOCK, clock_meaning, compared, per_second, row_compared};
pub(crate) use machine::{
    NOT_INJECTED, TOO_BUSY, audited, by_cause, causes, certified, change, lacking, short_change,
};
pub(crate) use parts::{largest_size, missed, number_missed, share_missed, share_of, warned};
pub use studies::{study_finding, study_open, study_verdict};
pub(crate) use studies::{study_notes, study_verdicts};

/// Returns a word for the kind of finding, which is the name of its remark.
pub(crate) fn label(finding: &Finding) -> &'static str {
    match finding {
        Finding::StudiesJudged { .. } => "Answer",
        Finding::StudiesEvidence => "Evidence",
        Finding::StudyReversed { .. } => "Reversed",
        // General results
        Finding::OnMachine { finding, .. } => label(finding),
        Finding::Deadlines { .. }
        | Finding::Unknown { .. }
        | Finding::OnlyResult { .. }
        | Finding::Measured { .. }
        | Finding::NoRun
        | Finding::NoValidRun
        | Finding::Checked { .. }
        | Finding::SelfTest { .. } => "Answer",
        Finding::JudgedByPeriod { .. } => "Judged",
        Finding::CertifiesMeasurements | Finding::SharedCpus { .. } => "Note",
        Finding::OwnLateness { .. } => "Late too",
        Finding::NotInjected => "Not seen",
        Finding::NotPermitted { .. } => "Rights",
        Finding::SamplesDiffer { .. } => "Error",
        Finding::InvalidRuns { invalid, runs, .. } if invalid == runs => "Cause",
        Finding::InvalidRuns { .. } => "INVALID",
        Finding::CutOff { .. } => "Cut off",
        Finding::Late { .. } | Finding::ProbableCause { .. } | Finding::NoKnownCause => "Why",
        Finding::FixFirst { .. } => Remark::FIX_FIRST,
        Finding::MissRate { .. } | Finding::RareEvents { .. } => "Confidence",
        Finding::Limit { .. } => "Limit",
        Finding::Sizes { .. }
        | Finding::NoSize { .. }
        | Finding::FastestTire { .. }
        | Finding::OwnModel { .. }
        | Finding::Frames { .. }
        | Finding::WorstWakeup { .. }
        | Finding::InterruptsMissed { .. }
        | Finding::ServiceTimes { .. }
        | Finding::NoInversion { .. }
        | Finding::MixResult { .. }
        | Finding::OnlySelfTests
        | Finding::OnlyInTables { .. } => "Results",
        Finding::PlatformGaps { .. }
        | Finding::NoPlatformGap { .. }
        | Finding::NotScanned
        | Finding::IdleExitUnseen => "Platform",
        Finding::SelfTested { .. } => "Self-test",
        Finding::Span { .. }
        | Finding::FewestWakeups { .. }
        | Finding::FewestSteps { .. }
        | Finding::StampCost { .. }
        | Finding::StealHidden
        | Finding::WorstMayBeWorse
        | Finding::Exactness => "Reach",
        Finding::Inconclusive { .. }
        | Finding::WorstNeighbour { .. }
        | Finding::NoHarm
        | Finding::MissesWithoutWork { .. }
        | Finding::MostWork { .. }
        | Finding::NoWorkFits => "Answer",
        Finding::Missed { .. } => "Missed",
        Finding::MissBound { .. } => "Bound",
        Finding::IdleWork { .. } => "Idle",
        Finding::Slower { .. } => "Slower",
        Finding::Run { .. } => "Run",
        Finding::FirstTableOf { .. } => "Only",
        Finding::HarmBegins { .. } => "Onset",
        Finding::NoEffectDetected { .. } => "Others",
        Finding::Better { .. } => "Better",
        Finding::MainCauses { .. } => "Why",
        Finding::NotMeasured { .. } => "Left out",
        // Comparisons and experiments
        Finding::PairCompared { .. }
        | Finding::NoEqualRows { .. }
        | Finding::NotComparable { .. }
        | Finding::Variants { .. } => "Compared",
        Finding::Matched { .. } => "Rows",
        Finding::Best { quality: Quality::Speed, .. } => "Speed",
        Finding::Best { .. } | Finding::Steadiest { .. } => "Steady",
        Finding::ByMeasurement { .. } => "Where",
        Finding::SingleRuns { .. } => "Runs",
        Finding::Tested { .. } | Finding::Exact { .. } => "Evidence",
        Finding::NotInTurns { .. } => "Order",
        Finding::PublishedFigures { .. } => "Note",
        Finding::LoadsNotCarried { .. } => "Loads",
        Finding::WakeupsMissing { .. } => "Incomplete",
        Finding::WorstWakeups { .. } => "Wake-ups",
        Finding::WorstInterrupts { .. } => "Interrupts",
        Finding::LateWakeups { .. } => "Late",
        Finding::PriceOfSteadiness { .. } => "Cost",
        Finding::ClocksDiffer { .. } => "Error",
        Finding::InstructionClock { .. } => "Clock",
        Finding::WorseRow { .. } => "Worse",
        Finding::SettingsHelp { .. }
        | Finding::NoSettingHelps { .. }
        | Finding::NotTogether { .. } => "Answer",
        Finding::PairEffect { .. } => "Pair",
        Finding::Controls { .. } => "Controls",
        Finding::Evidence { .. } => "Evidence",
        Finding::GuestTopology => "Places",
        // Frontier, map, mix and models
        Finding::Edge { .. } | Finding::NoMiss { .. } => "Answer",
        Finding::EdgeEvidence { .. } => "Evidence",
        Finding::NothingBeyond { .. } | Finding::HeldAbove { .. } => "Beyond",
        Finding::Stalls { .. } => "Stalls",
        Finding::Headroom { .. } => "Headroom",
        Finding::SearchEffort { .. }
        | Finding::FullGrid { .. }
        | Finding::Unfinished { .. }
        | Finding::Finished => "Search",
        Finding::ModelMisbehaved { .. } => "Model",
        Finding::OutputsDiffer { .. } => "Outputs",
        Finding::CallTooLong { .. } | Finding::LateByOwnCode { .. } => "Audit",
        Finding::StepPhases { .. } => "Step",
        Finding::BestEffortSteps { .. } => "Work",
        Finding::Schedulability { .. } => "Analysis",
        Finding::StaleInputs { .. } | Finding::FreshInputs { .. } => "Inputs",
        Finding::WorstRunOf { .. } => "Only",
        Finding::OneRunOfMix => "Confidence",
        Finding::FastestSolver { .. } => "Answer",
        Finding::SolversDisturbed { .. } => "Disturbed",
    }
}

/// Returns the finding as the first sentence of an answer.
pub(crate) fn verdict(finding: &Finding) -> String {
    match label(finding) {
        "Answer" => sentence(finding),
        "Missed" => format!("Deadlines missed: {}", sentence(finding)),
        label => format!("{label}: {}", sentence(finding)),
    }
}

/// Returns the finding as a sentence.
pub fn sentence(finding: &Finding) -> String {
    match finding {
        Finding::OnMachine { machine, finding } => format!("{machine}: {}", sentence(finding)),
        Finding::Deadlines { .. }
        | Finding::Unknown { .. }
        | Finding::OnlyResult { .. }
        | Finding::Measured { .. }
        | Finding::NoRun
        | Finding::NoValidRun
        | Finding::Checked { .. }
        | Finding::JudgedByPeriod { .. }
        | Finding::CutOff { .. }
        | Finding::MissRate { .. }
        | Finding::RareEvents { .. }
        | Finding::OwnModel { .. }
        | Finding::Frames { .. }
        | Finding::WorstWakeup { .. }
        | Finding::InterruptsMissed { .. }
        | Finding::ServiceTimes { .. }
        | Finding::NoInversion { .. }
        | Finding::MixResult { .. }
        | Finding::OnlySelfTests
        | Finding::OnlyInTables { .. }
        | Finding::Limit { .. }
        | Finding::Span { .. }
        | Finding::FewestWakeups { .. }
        | Finding::FewestSteps { .. }
        | Finding::NotMeasured { .. }
        | Finding::InvalidRuns { .. }
        | Finding::Missed { .. }
        | Finding::MissBound { .. } => deadlines::sentence(finding),
        Finding::Sizes { .. }
        | Finding::NoSize { .. }
        | Finding::FastestTire { .. }
        | Finding::Edge { .. }
        | Finding::EdgeEvidence { .. }
        | Finding::NothingBeyond { .. }
        | Finding::HeldAbove { .. }
        | Finding::Stalls { .. }
        | Finding::Headroom { .. }
        | Finding::SearchEffort { .. }
        | Finding::FullGrid { .. }
        | Finding::Unfinished { .. }
        | Finding::Finished
        | Finding::ModelMisbehaved { .. }
        | Finding::OutputsDiffer { .. }
        | Finding::CallTooLong { .. }
        | Finding::LateByOwnCode { .. }
        | Finding::StepPhases { .. }
        | Finding::NoMiss { .. }
        | Finding::BestEffortSteps { .. }
        | Finding::Schedulability { .. }
        | Finding::StaleInputs { .. }
        | Finding::FreshInputs { .. }
        | Finding::WorstRunOf { .. }
        | Finding::OneRunOfMix
        | Finding::FastestSolver { .. }
        | Finding::SolversDisturbed { .. } => capacity::sentence(finding),
        Finding::Inconclusive { .. }
        | Finding::WorstNeighbour { .. }
        | Finding::NoHarm
        | Finding::Run { .. }
        | Finding::FirstTableOf { .. }
        | Finding::HarmBegins { .. }
        | Finding::NoEffectDetected { .. }
        | Finding::Better { .. }
        | Finding::PairCompared { .. }
        | Finding::NoEqualRows { .. }
        | Finding::NotComparable { .. }
        | Finding::Matched { .. }
        | Finding::Best { .. }
        | Finding::Variants { .. }
        | Finding::ByMeasurement { .. }
        | Finding::SingleRuns { .. }
        | Finding::Tested { .. }
        | Finding::Exact { .. }
        | Finding::NotInTurns { .. }
        | Finding::PublishedFigures { .. }
        | Finding::LoadsNotCarried { .. }
        | Finding::WakeupsMissing { .. }
        | Finding::WorstWakeups { .. }
        | Finding::WorstInterrupts { .. }
        | Finding::LateWakeups { .. }
        | Finding::Steadiest { .. }
        | Finding::PriceOfSteadiness { .. }
        | Finding::ClocksDiffer { .. }
        | Finding::InstructionClock { .. }
        | Finding::WorseRow { .. }
        | Finding::SettingsHelp { .. }
        | Finding::NoSettingHelps { .. }
        | Finding::NotTogether { .. }
        | Finding::PairEffect { .. }
        | Finding::Controls { .. }
        | Finding::MissesWithoutWork { .. }
        | Finding::MostWork { .. }
        | Finding::NoWorkFits
        | Finding::IdleWork { .. }
        | Finding::Slower { .. }
        | Finding::Evidence { .. } => effects::sentence(finding),
        Finding::SelfTest { .. }
        | Finding::CertifiesMeasurements
        | Finding::OwnLateness { .. }
        | Finding::NotInjected
        | Finding::NotPermitted { .. }
        | Finding::SamplesDiffer { .. }
        | Finding::Late { .. }
        | Finding::ProbableCause { .. }
        | Finding::NoKnownCause
        | Finding::FixFirst { .. }
        | Finding::SharedCpus { .. }
        | Finding::PlatformGaps { .. }
        | Finding::NoPlatformGap { .. }
        | Finding::NotScanned
        | Finding::IdleExitUnseen
        | Finding::SelfTested { .. }
        | Finding::StampCost { .. }
        | Finding::StealHidden
        | Finding::WorstMayBeWorse
        | Finding::Exactness
        | Finding::MainCauses { .. }
        | Finding::GuestTopology => machine::sentence(finding),
        Finding::StudiesJudged { .. }
        | Finding::StudiesEvidence
        | Finding::StudyReversed { .. } => studies::sentence(finding),
    }
}

pub(crate) fn remark(finding: &Finding) -> Remark {
    Remark::new(label(finding), sentence(finding))
}

/// Returns the first finding as a verdict, and each other one after its label.
pub(crate) fn sentences(findings: &[Finding]) -> Vec<String> {
    let mut all = findings.iter();
    let first = all.next().map(verdict);
    first.into_iter().chain(all.map(named)).collect()
}

/// Returns the finding after its label, as one text.
pub(crate) fn named(finding: &Finding) -> String {
    format!("{}: {}", label(finding), sentence(finding))
}

pub(crate) fn all(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(sentence).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{blamed, frames, refused, wakeup};
    use crate::{Answer, answer};
    use analysis::Analysis;
    use analysis::standards::Standards;
    use plan::Outcome;
    use units::Policy;

    fn answered(runs: &[Outcome]) -> Answer {
        answer(&Analysis::of(runs, &Standards::default()))
    }

    fn remark<'a>(answer: &'a Answer, name: &str) -> &'a str {
        let found = answer.remarks.iter().find(|remark| remark.name == name);
        &found.unwrap_or_else(|| panic!("{answer:?}")).words
    }

    fn clean() -> Outcome {
        wakeup(Policy::Fifo(80), None, 8e3, 6e4)
    }

    #[test]
    fn deadlines_are_not_ready_open_or_shown() {
        let open = answered(&[clean()]);
        let verdict = "NO MISS SEEN at 1 kHz in 20 000 wake-ups; not yet shown to hold.";
        assert_eq!(open.verdict, verdict);
        let rate = "fewer than 1 in 6 676 miss (95 % confidence, 1 run). To show it: at least 10 s in 29 runs.";
        assert_eq!(remark(&open, "Confidence"), rate);
        let mut missed = clean();
        missed.rows[0].skipped = 3;
        let bad = answered(&[missed]);
        let verdict = "NOT READY for hard real time at 1 kHz: 3 of 20 000 wake-ups missed; the latest \
                       came 58.1 µs late.";
        assert_eq!(bad.verdict, verdict);
        let rare = "events rarer than one per 6.67 s may be unseen.";
        assert_eq!(remark(&bad, "Confidence"), rare);
        let shown = answered(&vec![clean(); 29]);
        let verdict = "SHOWN to hold at 1 kHz: no miss in 580 000 wake-ups of 29 runs (fewer than 1 in \
                       193 609).";
        assert_eq!(shown.verdict, verdict);
    }

    #[test]
    fn what_is_unknown_follows_the_verdict() {
        let answer = answered(&[clean(), refused()]);
        let end = "to hold. 10 kHz thread: unknown, all its runs are INVALID.";
        assert!(answer.verdict.ends_with(end), "{}", answer.verdict);
        let invalid = remark(&answer, "INVALID");
        assert!(invalid.starts_with("1 of 2: the kernel refused"), "{invalid}");
        assert_eq!(answered(&[refused()]).verdict, "INVALID: no run can be used.");
    }

    #[test]
    fn fixes_are_numbered_commands() {
        let answer = answered(&[blamed("hog")]);
        let first = remark(&answer, "Fix first");
        let keep = "1. keep task `hog` off CPU 1: `sudo taskset -cp 0 4711` while it runs";
        assert!(first.starts_with(keep), "{first}");
    }

    #[test]
    fn frames_hold_or_overrun() {
        let runs = [frames("timer", 170_000)];
        let verdict = Analysis::of(&runs, &Standards::default()).verdict;
        let held = "Does not hold 2 processes with frames of 85 % at 100 Hz (`fifo:80`): 1 of 2 000 \
                    frames overran.";
        assert_eq!(all(&verdict.holds), [held]);
    }
}
