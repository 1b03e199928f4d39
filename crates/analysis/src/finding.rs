//! Findings as values: each variant is one statement. `report` contains the English text of each.

use plan::Axis;
use serde::Serialize;
use units::{CpuSet, Policy, Vicinity};

use crate::capacity::End;
use crate::comparison::contrasts::Across;
use crate::effect::{Effect, Quality, as_ratio};
use crate::held::Held;
use crate::standards::Proof;

/// A statement that the results support. Lists of findings begin with the one that decides.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Finding {
    // Published studies
    /// How many findings of published studies have each verdict.
    StudiesJudged {
        findings: usize,
        holds: usize,
        reversed: usize,
        undecided: usize,
        not_testable: usize,
    },
    /// The false-discovery rate of the verdicts on published findings.
    StudiesEvidence,
    /// A published finding that is shown not to hold, and a known reason for it, which may be empty.
    StudyReversed {
        id: String,
        statement: String,
        reason: String,
    },
    // General results
    /// A finding about one of several machines.
    OnMachine {
        machine: String,
        finding: Box<Finding>,
    },
    /// Results of the deadlines of periodic work.
    Deadlines {
        of: Periodic,
        met: Met,
        standing: Standing,
        latest_ns: Option<i64>,
    },
    /// Every run of this periodic work is INVALID.
    Unknown {
        of: Periodic,
        others: usize,
    },
    /// The only valid run, which has no deadline.
    OnlyResult {
        run: String,
        speed: Option<Speed>,
    },
    /// Valid runs without a deadline, and how many figures they give.
    Measured {
        runs: usize,
        figures: usize,
    },
    NoRun,
    NoValidRun,
    /// The result of a check of deadlines.
    Checked {
        result: CheckResult,
        missed: u64,
        due: u64,
        /// The limit that what was missed came later than; `None`: than its period.
        limit_ns: Option<u64>,
        /// How much longer to measure until it is decided.
        more_ns: Option<u64>,
        /// The misses that are allowed, as a user types them; `None`: none.
        allowed: Option<String>,
    },
    /// A limit beyond the period changes nothing.
    JudgedByPeriod {
        max_ns: u64,
        period_ns: u64,
    },
    SelfTest {
        result: SelfTestResult,
    },
    /// A self-test certifies measurements, and not the machine.
    CertifiesMeasurements,
    /// Late events without injection, and the main cause.
    OwnLateness {
        late: u64,
        most: Option<(String, u64)>,
    },
    /// A self-test without injected disturbances.
    NotInjected,
    /// Permissions that runs lacked, so that they measured without.
    NotPermitted {
        cause: String,
        remedy: String,
    },
    /// Equal set-ups of the lab gave different samples.
    SamplesDiffer {
        kernel: String,
        run: String,
        place: u64,
        setup: String,
        samples: Vec<String>,
    },
    /// Deadlines that passed after the end of a run, before the thread ran.
    CutOff {
        deadlines: u64,
    },
    /// How many events were late, and the main causes.
    Late {
        late: u64,
        causes: Vec<(String, u64)>,
    },
    /// A count that explains the lateness.
    ProbableCause {
        machine: Option<String>,
        found: String,
    },
    NoKnownCause,
    FixFirst {
        machine: Option<String>,
        fixes: Vec<Fix>,
    },
    /// Upper bound on the share of deadlines that are missed or come too late.
    MissRate {
        of: Option<Periodic>,
        upper: f64,
        runs: u64,
        limit_ns: Option<u64>,
        /// What it takes to show that it holds, if that is not shown.
        to_show: Option<Proof>,
    },
    /// Events that are rarer than this may have been missed.
    RareEvents {
        of: Option<Periodic>,
        every_ns: f64,
    },
    /// Runs that used every CPU, this program's too.
    SharedCpus {
        shared: usize,
        runs: usize,
    },
    /// The sizes (or rates) of a model that hold on each number of threads, the best first.
    Sizes {
        of: Sizes,
        best: Size,
        shown: bool,
        beyond: Vec<Size>,
        others: Vec<Size>,
    },
    /// No size holds that was measured; the smallest.
    NoSize {
        of: Sizes,
        smallest: Option<Size>,
    },
    /// How fast a tire was computed, and how long 60 s of it take.
    FastestTire {
        updates_per_s: f64,
        masses: u64,
        threads: u64,
        solver: String,
        takes_ns: f64,
    },
    /// Results of the steps of a user's own model.
    OwnModel {
        model: String,
        rate: String,
        met: Met,
        period_ns: u64,
    },
    /// Results of the frames of a run's processes.
    Frames {
        processes: u64,
        fill: String,
        rate: String,
        conditions: String,
        overran: u64,
        executed: u64,
        skipped: u64,
        due: u64,
        /// Frames of one process.
        each: u64,
        shown: bool,
    },
    WorstWakeup {
        policy: String,
        period_ns: u64,
        loads: String,
        samples: u64,
        /// The highest quantile that the number of samples supports, and its value.
        share: f64,
        within_ns: i64,
        worst_ns: i64,
        worst_at_ns: u64,
        skipped: u64,
        due: u64,
    },
    InterruptsMissed {
        source: String,
        conditions: String,
        missed: u64,
        due: u64,
    },
    /// Average and worst times of services of the kernel.
    ServiceTimes {
        services: Vec<(String, f64, f64)>,
    },
    /// Locks with which no priority inversion was seen.
    NoInversion {
        locks: Vec<String>,
    },
    MixResult {
        members: Vec<String>,
        missed: u64,
        due: u64,
    },
    OnlySelfTests,
    /// Measurements that tables show, and no sentence.
    OnlyInTables {
        measurements: Vec<String>,
    },
    /// Gaps in which hypervisor or firmware had the CPU.
    PlatformGaps {
        scan: Scan,
        worst_ns: f64,
        per_minute: f64,
        share: f64,
    },
    NoPlatformGap {
        scan: Scan,
        shortest_ns: u64,
    },
    NotScanned,
    /// A loop that spins does not see the cost of waking an idle virtual CPU.
    IdleExitUnseen,
    /// What limits a machine, and why that matters.
    Limit {
        found: String,
        why: &'static str,
    },
    /// The self-test of the machine that results are of, if there is one.
    SelfTested {
        test: Option<plan::SelfTested>,
    },
    /// When the runs were made.
    Span {
        runs: usize,
        invalid: usize,
        first_unix_ns: u64,
        last_unix_ns: u64,
    },
    /// The fewest samples that a wake-up figure rests on.
    FewestWakeups {
        samples: u64,
    },
    /// The fewest steps without a miss that a size rests on.
    FewestSteps {
        steps: u64,
        to_show: Proof,
    },
    StampCost {
        cost_ns: f64,
        resolution_ns: Option<f64>,
    },
    /// A virtual machine sees time that its host took only as the host reports it.
    StealHidden,
    WorstMayBeWorse,
    /// How exact averages, extremes and quantiles are.
    Exactness,
    Inconclusive {
        why: Why,
    },
    WorstNeighbour {
        neighbour: String,
        place: Vicinity,
        figure: Compared,
        /// The figure with it, divided by the figure without.
        ratio: f64,
    },
    NoHarm,
    /// The run that the findings are about.
    Run {
        run: String,
    },
    /// The findings are about one table of several.
    FirstTableOf {
        tables: usize,
    },
    /// The work per second at which a load begins to harm.
    HarmBegins {
        neighbour: String,
        place: Vicinity,
        /// The least work per second that harms.
        harmful_per_s: f64,
        /// The most work per second that shows no harm.
        harmless_per_s: Option<f64>,
        unit: String,
    },
    /// No effect of these was detected, wherever they ran.
    NoEffectDetected {
        neighbours: Vec<String>,
    },
    /// A figure is better with these than without.
    Better {
        /// Loads with their places.
        neighbours: Vec<String>,
    },
    /// Main causes of late events.
    MainCauses {
        /// Loads with their places, each with its main cause.
        causes: Vec<(String, String)>,
    },
    NotMeasured {
        what: String,
        /// The places where it was tried; empty if the place is not a condition.
        places: Vec<Vicinity>,
        /// Why, in the words of the first INVALID run; `None` without any run.
        why: Option<String>,
    },
    // Comparisons and experiments
    /// How a system differs from the one that it is compared with.
    PairCompared {
        /// The reference and the other.
        names: [String; 2],
        rows: usize,
        /// Whether no row has several runs on both sides.
        is_single: bool,
        speed: QualityCompared,
        steadiness: QualityCompared,
    },
    /// The two have no rows with equal conditions.
    NoEqualRows {
        names: [String; 2],
        /// Fields in which rows may differ so that some match; empty where none helps.
        fields: Vec<String>,
    },
    NotComparable {
        names: [String; 2],
    },
    /// The rows that are compared, and those that only one side has.
    Matched {
        names: [String; 2],
        rows: usize,
        across: Vec<Across>,
        alone: [usize; 2],
    },
    /// The variants that none is shown to be better than, each having been compared with each.
    Best {
        quality: Quality,
        unbeaten: Vec<String>,
        variants: usize,
    },
    /// One system is compared by what varies in its runs.
    Variants {
        by: Vec<String>,
        names: Vec<String>,
        also: Vec<String>,
        left_out: usize,
    },
    /// The measurements in which two systems differ.
    ByMeasurement {
        names: [String; 2],
        measurements: Vec<MeasurementCompared>,
    },
    /// Rows with one run on a side.
    SingleRuns {
        names: [String; 2],
        rows: usize,
        /// The variation comes from parts of runs, since no row has several runs.
        from_parts: bool,
    },
    /// The error rate that a test of several figures controls.
    Tested {
        comparisons: usize,
        margin: f64,
    },
    /// Figures that need no test, since equal runs are equal.
    Exact {
        figures: usize,
        margin: f64,
    },
    /// Systems that were measured one after the other, not interleaved.
    NotInTurns {
        pairs: Vec<[String; 2]>,
    },
    /// Published systems are shown too.
    PublishedFigures {
        systems: Vec<String>,
    },
    InvalidRuns {
        invalid: usize,
        runs: usize,
        /// Cause and remedy of the first of them, where an answer has room for them.
        cause: Option<[String; 2]>,
    },
    /// Loads that the lab cannot run, each with the reason.
    LoadsNotCarried {
        loads: Vec<(&'static str, &'static str)>,
    },
    /// Loads under which a system has no deciding wake-up.
    WakeupsMissing {
        system: String,
        loads: Vec<String>,
    },
    /// The worst wake-up of each system, the shortest first.
    WorstWakeups {
        policy: Policy,
        loads: usize,
        without_load: bool,
        worst: Vec<WorstCase>,
    },
    /// The longest interrupt latency to a thread on each system, the shortest first.
    WorstInterrupts {
        worst: Vec<WorstCase>,
    },
    /// Systems with real-time wake-ups that took longer than the limit, and those without.
    LateWakeups {
        limit_ns: f64,
        late: Vec<(String, Vec<LateWakeup>)>,
        never: Vec<String>,
    },
    /// The system with the shortest worst case.
    Steadiest {
        system: String,
        next: String,
        /// The worst case of the next, divided by that of the first.
        ratio: f64,
        /// The least steady of three or more systems, with its ratio.
        last: Option<(String, f64)>,
    },
    /// Figures without load: those of a stock kernel, then those of the steadiest system.
    PriceOfSteadiness {
        steadiest: String,
        stock: String,
        prices: Vec<(Price, [f64; 2])>,
        /// The geometric mean of the ratios of messages, and the number of tests.
        messages: Option<(f64, usize)>,
    },
    ClocksDiffer {
        counting: Vec<String>,
        measuring: Vec<String>,
    },
    InstructionClock {
        /// On which systems; empty where on all.
        systems: Vec<String>,
        /// Nanoseconds per instruction, where they are known and the same.
        ns: Option<u64>,
    },
    /// A row that is worse than in the reference.
    WorseRow {
        names: [String; 2],
        measurement: String,
        label: String,
        conditions: String,
        /// Names of figures with their ratios.
        figures: Vec<(&'static str, f64)>,
    },
    /// Settings that are shown to help, with what all do together where that was tried.
    SettingsHelp {
        settings: Vec<String>,
        together: Vec<Effect>,
    },
    NoSettingHelps {
        harmful: Vec<String>,
    },
    /// Each setting helps alone, but not all together.
    NotTogether {
        settings: Vec<String>,
        together: Vec<Effect>,
    },
    /// Two settings whose joint effect is not the sum of both.
    PairEffect {
        settings: [String; 2],
        both: Vec<Effect>,
        extra: Effect,
    },
    /// Results of the controls of an experiment.
    Controls {
        positive_detected: bool,
        sham_detected: bool,
        figure: &'static str,
        /// The least difference that such an experiment detects with [`POWER`](crate::effect::POWER).
        detectable_ns: f64,
    },
    /// How far the comparisons can be trusted.
    Evidence {
        comparisons: usize,
        reference_runs: usize,
        /// Valid runs of the other side with the fewest.
        least_runs: usize,
        /// Intervals of the controls that do nothing.
        shams: Vec<[f64; 2]>,
        /// The figure that these are of.
        figure: Compared,
    },
    Missed {
        /// What missed, with missed and due deadlines.
        cases: Vec<(String, u64, u64)>,
    },
    /// Upper bound on the miss rate where no miss was seen.
    MissBound {
        /// What missed no deadline.
        what: String,
        /// The upper end of the 95 % interval of the share.
        upper: f64,
    },
    /// The rates miss deadlines without best-effort work too.
    MissesWithoutWork {
        missed: u64,
        due: u64,
    },
    /// The most best-effort work with which no rate missed a deadline.
    MostWork {
        choice: String,
        work: Work,
    },
    /// With every choice of scheduling some rate missed a deadline.
    NoWorkFits,
    /// Throughput of work under the idle policy.
    IdleWork {
        work: Work,
        /// How the median response changes, where that was compared.
        #[serde(serialize_with = "as_ratio")]
        median: Option<Effect>,
        /// The rate of that median.
        rate: String,
    },
    Slower {
        /// The rate whose median response it is.
        rate: String,
        /// What lengthens it, with the ratio of the medians, the largest first.
        choices: Vec<(String, f64)>,
    },
    /// A hypervisor decides which CPUs share a core or a cache.
    GuestTopology,
    // Frontier, map, mix and models
    /// The farthest place on an axis that holds: the largest model, the highest rate.
    Edge {
        axis: Axis,
        /// The rate of the deadlines, where the axis is another one.
        rate_hz: Option<f64>,
        /// The allowed misses, in words; `None` if none are allowed.
        limit: Option<String>,
        /// `None` if nothing that was tried holds.
        held: Option<End>,
        /// `None` if it is the same on every number of threads.
        threads: Option<u64>,
    },
    /// Evidence that a place holds.
    EdgeEvidence {
        at: Point,
        missed: u64,
        due: u64,
        runs: u64,
        /// The upper end of the 95 % interval of the share of missed deadlines.
        upper: f64,
        /// That share as misses per hour.
        upper_per_hour: f64,
        /// How many places share the confidence.
        shared_by: usize,
        /// The upper end of the share of runs with a miss; `None` where one had a miss.
        bad_runs: Option<f64>,
        /// Whether runs differ by more than chance, so that the misses of a run count as one.
        runs_differ: bool,
    },
    /// Nothing was tried farther on than what holds.
    NothingBeyond {
        axis: Axis,
    },
    /// Places that hold although an easier one missed.
    HeldAbove {
        axis: Axis,
        threads: u64,
        places: Vec<u64>,
    },
    /// Misses at places at which a step typically fits into its period.
    Stalls {
        /// The farthest such place.
        at: Point,
        missed: u64,
        due: u64,
        steps: u64,
        /// Misses during stalls of the platform; `None` if no run looked for causes.
        excused: Option<u64>,
        /// The edge without those misses.
        held: Option<End>,
        first_missed: Option<End>,
        /// CPU time that the hypervisor reports as taken (steal).
        steal_ns: u64,
    },
    /// How much longer steps can take.
    Headroom {
        /// `None` of a model of a single size.
        at: Option<Point>,
        steps: u64,
        /// How long before their deadline 99 of 100 steps ended; below zero after it.
        p99_ns: i64,
        /// How long before its deadline the worst step ended; below zero after it.
        worst_ns: i64,
        /// A larger size that was tried, and the ratio of its step time.
        larger: Option<(End, f64)>,
    },
    /// The cost of a search.
    SearchEffort {
        runs: u64,
        measured_ns: u64,
    },
    /// The cost of a grid over the range of a search.
    FullGrid {
        axis: Axis,
        places: u64,
        /// Places at the resolution of the papers, whose model this is.
        of_papers: Option<u64>,
    },
    /// A part of a search that is not finished, with the number of runs left.
    Unfinished {
        rate_hz: Option<f64>,
        threads: u64,
        runs: u64,
        time_ns: u64,
    },
    Finished,
    /// Counts of what a model did that a real-time step should not; 0 is fine.
    ModelMisbehaved {
        /// Steps that were carried out.
        steps: u64,
        discarded: u64,
        /// Steps that returned before their time was simulated.
        early_returns: u64,
        /// Steps that ended at another simulated time than requested.
        other_times: u64,
        log_lines: u64,
        /// Output texts that were too long to be recorded.
        texts_cut: u64,
        threads: u64,
        /// What the switches to the model's process and back cost per step.
        switches_ns: Option<f64>,
    },
    /// Equal runs of a model had different outputs.
    OutputsDiffer {
        different: usize,
        runs: usize,
        steps: u64,
    },
    /// The model's call takes longer than what counts as late.
    CallTooLong {
        call_ns: f64,
        late_after_ns: i64,
    },
    /// Late steps whose main cause is the model's own code.
    LateByOwnCode {
        steps: u64,
    },
    /// Every member of a mix with a rate met all of its deadlines.
    NoMiss {
        rates: usize,
        due: u64,
    },
    /// Throughput of best-effort work in a mix.
    BestEffortSteps {
        steps_per_s: f64,
    },
    /// Response-time analysis of a mix compared with what was observed, contradictions first.
    Schedulability {
        cases: Vec<Schedulability>,
    },
    /// Inputs older than the period of their source plus its longest delay: their number among all
    /// uses, by member.
    StaleInputs {
        cases: Vec<(String, u64, u64)>,
    },
    /// No input was older than that.
    FreshInputs {
        /// The member whose inputs were oldest, compared with the period of their source.
        oldest_in: String,
        age_ns: Option<i64>,
        period_ns: Option<i64>,
    },
    /// The findings are about the run of a mix with the most misses.
    WorstRunOf {
        runs: usize,
    },
    /// How far the findings on a single run of a mix can be trusted.
    OneRunOfMix,
    /// The fastest solvers of the tire on a machine, by size.
    FastestSolver {
        /// `None` for a single machine.
        machine: Option<String>,
        /// Each solver with the smallest size at which it is the fastest, rising.
        solvers: Vec<(String, u64)>,
    },
    /// Something else used the CPUs, so that rates of solvers are too low.
    SolversDisturbed {
        rates: usize,
        of: usize,
        /// The share of the time that counts as undisturbed.
        enough: f64,
        /// The least share of the time for which threads had their CPUs.
        least: f64,
    },
    /// Time of each phase of a step.
    StepPhases {
        shares: Vec<(Phase, f64)>,
        step_ns: f64,
        first_step_ns: Option<f64>,
    },
}

/// Members of a mix for which response-time analysis and observation agree in the same way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Schedulability {
    pub members: Vec<String>,
    pub schedulable: bool,
    pub missed: bool,
    /// The main cause of the misses, if the member is schedulable by analysis and its run was
    /// traced.
    pub cause: Option<String>,
}

/// A phase of the step of a user's own model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    Call,
    Inputs,
    Outputs,
}

/// A place on an axis, on a number of threads.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Point {
    pub axis: Axis,
    pub place: u64,
    pub threads: u64,
}

/// Work per second, with its 95 % interval.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Work {
    /// Lower end, estimate, upper end.
    pub per_s: [f64; 3],
    pub unit: String,
}

/// The result for one quality of a system compared with another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QualityCompared {
    pub worse: Option<Extent>,
    pub better: Option<Extent>,
    pub no_difference: usize,
    /// Rows without enough evidence.
    pub not_decided: usize,
}

/// Where figures differ.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Extent {
    pub rows: usize,
    pub figures: Vec<&'static str>,
    /// The least and the largest figure, each divided by that of the reference.
    pub ratios: [f64; 2],
}

/// How many rows of a measurement differ.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeasurementCompared {
    pub measurement: String,
    pub rows: usize,
    pub worse: usize,
    pub better: usize,
}

/// A figure that steadiness may worsen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Price {
    /// The average wake-up under the default policy, in nanoseconds.
    Wakeup,
    /// From a timer interrupt to its thread, in nanoseconds.
    TimerInterrupt,
    MassUpdates,
}

/// The longest time of a system, and under what it came.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WorstCase {
    pub system: String,
    pub ns: f64,
    pub under: String,
}

/// The worst wake-up under a load.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LateWakeup {
    pub load: String,
    pub ns: f64,
    pub period_ns: f64,
}

/// A reason why nothing can be concluded.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Why {
    /// One of the two sides of a comparison was not measured.
    NothingToCompare,
    /// No control that does nothing was measured.
    NoSham,
    /// Controls of an experiment could not be set.
    ControlsNotSet { controls: Vec<String> },
    /// The experiment ended before its controls were tried.
    Unfinished,
    /// An experiment shows an effect of the sham.
    ShamDetected,
    /// An experiment shows no effect of a disturbance that is there.
    PositiveControlMissed,
    /// The control that does nothing differs from quiet runs.
    ShamDiffers {
        /// The figure in which it differs.
        figure: Compared,
        /// The interval of its ratio.
        interval: [f64; 2],
    },
}

/// A figure that runs are compared by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Compared {
    /// The odds of a missed deadline.
    MissOdds,
    P999,
    P99,
    Median,
}

impl Finding {
    /// Returns what kind of news this is, as the first finding of an answer.
    #[must_use]
    pub fn standing(&self) -> Standing {
        match self {
            // General results
            Self::OnMachine { finding, .. } => finding.standing(),
            Self::Deadlines { standing, .. } => *standing,
            Self::Checked { result, .. } => match result {
                CheckResult::Pass => Standing::Good,
                CheckResult::NotShownYet => Standing::Open,
                CheckResult::Fail | CheckResult::Invalid => Standing::Bad,
            },
            Self::SelfTest { result } => match result {
                SelfTestResult::Certified | SelfTestResult::AllSeen => Standing::Good,
                SelfTestResult::NotCertified | SelfTestResult::BrokenClock { .. } => Standing::Bad,
                SelfTestResult::HostTooBusy => Standing::Open,
            },
            Self::NoValidRun => Standing::Bad,
            Self::OnlyResult { .. } | Self::Measured { .. } | Self::NoRun => Standing::Plain,
            Self::WorstNeighbour { .. } | Self::MissesWithoutWork { .. } | Self::NoWorkFits => {
                Standing::Bad
            }
            Self::MostWork { .. } => Standing::Good,
            Self::StudiesJudged { .. } => Standing::Plain,
            // Comparisons and experiments
            Self::SettingsHelp { .. } => Standing::Good,
            Self::PairCompared { .. }
            | Self::Best { .. }
            | Self::Steadiest { .. }
            | Self::PublishedFigures { .. }
            | Self::NoSettingHelps { .. }
            | Self::NotTogether { .. } => Standing::Plain,
            // Frontier, map, mix and models
            Self::FastestSolver { .. } => Standing::Plain,
            Self::NoMiss { .. } | Self::Edge { held: Some(End { shown: true, .. }), .. } => {
                Standing::Good
            }
            Self::Edge { held: None, .. } | Self::Missed { .. } => Standing::Bad,
            _ => Standing::Open,
        }
    }
}

// General results

/// The kind of news that a finding is, the worst last.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Nothing to judge.
    #[default]
    Plain,
    /// The requirement is shown to hold.
    Good,
    /// Nothing contradicts the requirement, but the evidence is not sufficient.
    Open,
    /// The requirement is not met.
    Bad,
}

/// Periodic work under one set of conditions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Periodic {
    /// The machine, if there are several.
    pub machine: Option<String>,
    pub period_ns: u64,
    pub job: Job,
    /// The loads during the run; `None` without any.
    pub loads: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Job {
    Thread,
    /// Frames of this number of processes, started this way, if either differs between runs.
    Frames {
        processes: Option<String>,
        start: Option<String>,
    },
    /// A step of a user's own model.
    Model {
        name: String,
    },
    /// A step of a measurement's model, and its size where one is the largest that holds.
    Step {
        measurement: String,
        size: Option<String>,
        threads: u64,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Met {
    pub missed: u64,
    pub due: u64,
    pub runs: u64,
    /// The 95 % interval of the share that is missed.
    pub lower: f64,
    pub upper: f64,
}

impl From<&Held> for Met {
    fn from(held: &Held) -> Self {
        let Held { tries, bound, .. } = held;
        Self {
            missed: tries.missed,
            due: tries.due,
            runs: tries.runs,
            lower: bound.lower,
            upper: bound.upper,
        }
    }
}

/// The figures of what has no deadline.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Speed {
    pub steps_per_s: Option<f64>,
    pub average_ns: Option<f64>,
    pub worst_ns: Option<i64>,
    pub samples: Option<u64>,
    /// What the measurement needs and the machine does not have.
    pub unavailable: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckResult {
    /// It is shown to hold.
    Pass,
    /// It does not hold.
    Fail,
    /// Nothing contradicts it, but it is not shown.
    NotShownYet,
    /// A run was INVALID, so nothing is known.
    Invalid,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SelfTestResult {
    Certified,
    NotCertified,
    /// Stored disturbances were all seen; whether these are enough for a certificate is unknown.
    AllSeen,
    HostTooBusy,
    BrokenClock {
        reasons: Vec<String>,
    },
}

/// Something to change so that less is late.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Fix {
    Remedy {
        remedy: String,
    },
    /// What the doctor advises for one of its checks.
    Advice {
        check: String,
        change: String,
    },
    /// A kernel thread that serves a single CPU: only its work can move.
    MoveWorkOf {
        task: String,
        cpus: CpuSet,
    },
    /// A task that cannot move, for lack of another CPU.
    StopTask {
        task: String,
        /// `None` for several tasks of that name.
        pid: Option<i64>,
        cpus: CpuSet,
    },
    MoveTask {
        task: String,
        /// `None` for several tasks of that name.
        pid: Option<i64>,
        cpus: CpuSet,
        to: CpuSet,
    },
    MoveInterrupt {
        interrupt: String,
        number: u32,
        cpus: CpuSet,
        to: CpuSet,
    },
    LockMemory,
    RemoveWait,
    ShortenStep,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sizes {
    pub measurement: String,
    /// What is varied: `size`, `rate`.
    pub noun: &'static str,
    /// The rate of all sizes, unless the rate is what is varied.
    pub rate: Option<String>,
    pub conditions: String,
}

/// A size that was tried on a number of threads.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Size {
    pub threads: u64,
    /// `None` if no size holds on this number of threads.
    pub size: Option<String>,
    pub shown: bool,
    pub met: Option<Met>,
}

/// A scan for platform gaps.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Scan {
    pub observed_ns: f64,
    pub cpus: CpuSet,
    pub loads: String,
}
