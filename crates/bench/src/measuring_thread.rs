//! A measuring thread: its conditions are set and read back, and its loop is counted.

use std::io;

use base::{CpuSet, Policy};
use record::{Counters, ThreadFound, Warning};
use rt::counters::ThreadCounts;
use rt::posix::Stay;
use rt::progress::Stage;
use rt::rights::{Capability, barrier_to};
use rt::{clock, crash, exceptions, limits, memory, sched, timer_slack};

/// A measuring thread that has not started yet.
pub struct MeasuringThread<'a, R = ()> {
    pub name: String,
    asked: Conditions,
    prepare: Box<dyn FnOnce() -> Work<'a, R> + Send + 'a>,
}

/// The measured loop of a thread; it gets the stamp at which all threads of the run start.
type Work<'a, R = ()> = Box<dyn FnOnce(u64) -> R + 'a>;

/// Takes whether a thread has its conditions, waits for the others, and returns the stamp at which all
/// start, or `None` if no thread starts.
pub type Arrive<'a> = Box<dyn FnOnce(bool) -> Option<u64> + 'a>;

struct Conditions {
    policy: Policy,
    cpus: CpuSet,
}

impl<'a, R> MeasuringThread<'a, R> {
    /// Creates a thread on the given CPUs, with a loop that starts at once.
    pub fn on(
        cpus: CpuSet,
        policy: Policy,
        name: impl Into<String>,
        work: impl FnOnce() -> R + Send + 'a,
    ) -> Self {
        Self::prepared(cpus, policy, name, || |_| work())
    }

    /// Prepares its loop on its own CPU, unmeasured: memory is best touched by its user.
    pub fn prepared<W: FnOnce(u64) -> R + 'a>(
        cpus: CpuSet,
        policy: Policy,
        name: impl Into<String>,
        prepare: impl FnOnce() -> W + Send + 'a,
    ) -> Self {
        Self {
            name: name.into(),
            asked: Conditions { policy, cpus },
            prepare: Box::new(|| Box::new(prepare())),
        }
    }

    /// Returns this thread, which leaves its result in `place`. What follows is then compiled once,
    /// and not for each type of result.
    pub fn with_result_in<'p>(self, place: &'p mut Option<R>) -> MeasuringThread<'p>
    where
        'a: 'p,
        R: Send,
    {
        let Self { name, asked, prepare } = self;
        let prepare = Box::new(|| {
            let work = prepare();
            Box::new(|start| *place = Some(work(start))) as Work
        });
        MeasuringThread { name, asked, prepare }
    }
}

impl MeasuringThread<'_> {
    /// Runs the thread from start to end, without its loop if another thread could not get its
    /// conditions.
    ///
    /// # Errors
    /// A warning that says which condition it did not get.
    pub fn live(self, arrive: Arrive, privileged: bool) -> Result<ThreadFound, Warning> {
        memory::touch_stack();
        if !Stage::is_watched() {
            return self.work(arrive, privileged);
        }
        crash::watch_this_thread();
        exceptions::contained(|| self.work(arrive, privileged))
    }

    fn work(self, arrive: Arrive, privileged: bool) -> Result<ThreadFound, Warning> {
        let ready = get_ready(&self.name, &self.asked, self.prepare, privileged);
        let timer_slack = timer_slack::applied();
        let start = arrive(ready.is_ok());
        let (before, work) = ready?;
        let counters = start.map(|start| counted(|| work(start))).unwrap_or_default();
        let after = Conditions {
            policy: sched::policy().unwrap_or(before.policy),
            cpus: sched::affinity().unwrap_or_default(),
        };
        // The thread leaves its real-time policy before it cleans up.
        let _ = sched::leave_real_time();
        Ok(ThreadFound {
            name: self.name,
            asked_policy: self.asked.policy,
            asked_cpus: self.asked.cpus,
            policy: before.policy,
            cpus: before.cpus,
            policy_at_end: after.policy,
            cpus_at_end: after.cpus,
            timer_slack_ns: timer_slack.map(|slack| slack.0),
            counters,
        })
    }
}

/// Two threads, each with name, CPU and work: the first has the policy, the second the next lower.
pub fn high_and_low<'a, R>(
    policy: Policy,
    high: (&str, usize, impl FnOnce() -> R + Send + 'a),
    low: (&str, usize, impl FnOnce() -> R + Send + 'a),
) -> Vec<MeasuringThread<'a, R>> {
    let below = policy.lowered(1).unwrap_or(policy);
    vec![
        MeasuringThread::on(CpuSet::one(high.1), policy, high.0, high.2),
        MeasuringThread::on(CpuSet::one(low.1), below, low.0, low.2),
    ]
}

/// Moves the thread to its CPUs, prepares its loop, sets its policy, and reads both back. An inherited
/// timer slack gives way to the default.
fn get_ready<'a>(
    name: &str,
    asked: &Conditions,
    prepare: impl FnOnce() -> Work<'a>,
    privileged: bool,
) -> Result<(Conditions, Work<'a>), Warning> {
    let affinity_refused = |error: io::Error| Warning::AffinityRefused {
        thread: name.to_owned(),
        asked: asked.cpus.clone(),
        reason: reason(&error),
    };
    let policy_refused = |error: io::Error| Warning::PolicyRefused {
        thread: Some(name.to_owned()),
        asked: asked.policy,
        reason: reason(&error),
        privileged,
        granted: limits::real_time_priority(),
        barrier: barrier_to(Capability::SysNice),
    };
    sched::set_affinity(&asked.cpus).map_err(affinity_refused)?;
    let work = prepare();
    if Stage::is_watched() {
        // A thread that foreign code starts must not compete with the measured one.
        let _ = sched::reset_children_of(None);
    }
    sched::set_policy(asked.policy).map_err(policy_refused)?;
    // What is in force is read back and recorded, also after a refusal.
    let _ = timer_slack::set(timer_slack::DEFAULT);
    let found = Conditions {
        policy: sched::policy().map_err(policy_refused)?,
        cpus: sched::affinity().map_err(affinity_refused)?,
    };
    Ok((found, work))
}

/// Returns the kernel's message without the number that Rust appends.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_owned()
}

fn counted(work: impl FnOnce()) -> Counters {
    let before = ThreadCounts::before();
    // Reading those counts took the thread into Linux.
    let stay = Stay::begin();
    let start = clock::now();
    work();
    let wall_time_ns = clock::now() - start;
    let mode_switches = stay.end();
    let counters = counters_of(ThreadCounts::after() - before, wall_time_ns);
    Counters { mode_switches, ..counters }
}

/// Returns what a thread did in a time, without its mode switches.
pub fn counters_of(counts: ThreadCounts, wall_time_ns: u64) -> Counters {
    Counters {
        minor_faults: counts.minor_faults,
        major_faults: counts.major_faults,
        voluntary_switches: counts.voluntary_switches,
        involuntary_switches: counts.involuntary_switches,
        migrations: counts.migrations,
        mode_switches: None,
        run_delay_ns: counts.delay_ns,
        cpu_time_ns: counts.cpu_time_ns,
        wall_time_ns,
    }
}
