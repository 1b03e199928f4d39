//! The conditions of a run outside its measuring threads: set up, read back,
//! and given back.

use std::thread;
use std::time::Duration;

use load::Running;
use plan::{Asked, CpuCounters, Found, LatencyHold, RunSpec, SystemFound, ThreadFound, Warning};
use rt::idle::IdleHold;
use rt::{counters, idle, memory, process, sched, system, topology};
use units::{CpuSet, Nanos, Policy};

use crate::any_invalidates;

/// CPU time that a real-time thread may use without waiting before the kernel
/// ends the run; every measured loop waits far more often.
const LONGEST_SPIN_US: u64 = 3_000_000;

/// Everything in force during a run; dropped, it is given back.
pub(crate) struct Setup {
    asked: Asked,
    idle_hold: Option<IdleHold>,
    loads: Vec<Running>,
    housekeeping: CpuSet,
    cpus_before: Vec<CpuCounters>,
    warnings: Vec<Warning>,
}

impl Setup {
    /// Sets everything up that is asked, and notes what could not be.
    pub(crate) fn new(asked: &Asked) -> Self {
        let mut setup = Self {
            asked: asked.clone(),
            idle_hold: None,
            loads: Vec::new(),
            housekeeping: topology::housekeeping(&asked.cpus),
            cpus_before: Vec::new(),
            warnings: Vec::new(),
        };
        setup.step_aside();
        setup.bound_spins();
        setup.try_policy();
        setup.lock_memory();
        setup.hold_idle_states();
        setup.start_loads();
        setup.loads.iter_mut().for_each(Running::mark);
        setup.cpus_before = read_cpus(&asked.cpus);
        setup
    }

    /// Whether a measurement makes sense.
    pub(crate) fn is_as_asked(&self) -> bool {
        !any_invalidates(&self.warnings)
    }

    /// Moves the controlling thread off the measured cores.
    fn step_aside(&mut self) {
        if self.housekeeping.is_empty() || sched::set_affinity(&self.housekeeping).is_err() {
            self.warnings.push(Warning::NoHousekeepingCpu);
        }
    }

    /// A lower limit that is already in force bounds spins just as well.
    fn bound_spins(&self) {
        let _ = process::bound_real_time_spin(LONGEST_SPIN_US);
    }

    /// Asks for the policy once on a thread that does nothing, so that a run
    /// without the right to it ends before it disturbs anything.
    fn try_policy(&mut self) {
        let policy = self.asked.policy;
        let tried = thread::spawn(move || sched::set_policy(policy)).join();
        if let Ok(Err(error)) = tried {
            self.warnings.push(Warning::PolicyRefused {
                thread: None,
                asked: policy,
                reason: probe::reason(&error),
                privileged: sched::has_right_to_real_time(),
            });
        }
    }

    fn lock_memory(&mut self) {
        if !self.asked.memory_lock {
            return;
        }
        if let Err(error) = memory::lock_all() {
            self.warnings.push(Warning::MemoryLockRefused {
                reason: probe::reason(&error),
            });
        }
    }

    fn hold_idle_states(&mut self) {
        if self.asked.cpu_dma_latency == LatencyHold::Leave {
            return;
        }
        match IdleHold::new() {
            Ok(hold) => self.idle_hold = Some(hold),
            Err(error) => self.warnings.push(Warning::LatencyHoldRefused {
                reason: probe::reason(&error),
            }),
        }
    }

    fn start_loads(&mut self) {
        let started = std::env::current_exe().map_err(|error| error.to_string());
        for spec in &self.asked.loads {
            let running = started
                .as_ref()
                .map_err(Clone::clone)
                .and_then(|program| load::start(&spec.name, program, &topology::online()));
            match running {
                Ok(running) => self.loads.push(running),
                Err(reason) => self.warnings.push(Warning::LoadNotStarted {
                    load: spec.name.clone(),
                    reason,
                }),
            }
        }
    }

    /// Reads back what was in force, and ends it.
    pub(crate) fn finish(
        mut self,
        threads: Vec<ThreadFound>,
        warnings: Vec<Warning>,
    ) -> (Found, Vec<Warning>) {
        let measured = self.is_as_asked() && !any_invalidates(&warnings);
        let found = Found {
            system: self.read_system(),
            loads: self.loads.iter().flat_map(Running::done).collect(),
            cpus: self.read_cpus_since(),
            threads,
        };
        self.loads.clear();
        self.warnings.extend(warnings);
        if measured {
            self.warnings.extend(lost_holds(&self.asked, &found));
            self.warnings.extend(idle_loads(&found));
            self.warnings.extend(throttled(&found));
            self.warnings.extend(stolen(&found));
        }
        (found, self.warnings)
    }

    fn read_system(&self) -> SystemFound {
        let online = topology::online();
        SystemFound {
            memory_locked_bytes: memory::locked_bytes(),
            cpu_dma_latency_us: match &self.idle_hold {
                Some(hold) => hold.read_back(),
                None => idle::current_latency_us(),
            },
            governors: system::governors(&online),
            sched_rt_runtime_us: system::rt_runtime_us(),
            sched_rt_period_us: system::rt_period_us(),
            fair_servers: system::fair_servers(&online),
            clock_source: system::clock_source(),
            smt: system::smt(),
            isolated_cpus: system::isolated(),
            housekeeping_cpus: self.housekeeping.clone(),
        }
    }

    fn read_cpus_since(&self) -> Vec<CpuCounters> {
        read_cpus(&self.asked.cpus)
            .into_iter()
            .zip(&self.cpus_before)
            .map(|(after, before)| CpuCounters {
                cpu: after.cpu,
                steal_ns: after.steal_ns.saturating_sub(before.steal_ns),
                interrupts: after
                    .interrupts
                    .zip(before.interrupts)
                    .map(|(after, before)| after.saturating_sub(before)),
            })
            .collect()
    }
}

/// How long a run may take before its watchdog ends it.
pub(crate) fn longest(spec: &RunSpec) -> Duration {
    let Nanos(planned) = spec.asked.duration;
    Duration::from_secs(60) + Duration::from_nanos(planned).saturating_mul(5)
}

fn read_cpus(cpus: &CpuSet) -> Vec<CpuCounters> {
    let read = |cpu| CpuCounters {
        cpu,
        steal_ns: counters::steal_ns(cpu),
        interrupts: counters::interrupts(cpu),
    };
    cpus.iter().map(read).collect()
}

fn lost_holds(asked: &Asked, found: &Found) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if asked.memory_lock && found.system.memory_locked_bytes == 0 {
        warnings.push(Warning::MemoryLockRefused {
            reason: "no locked memory was found when it was read back".to_owned(),
        });
    }
    if asked.cpu_dma_latency == LatencyHold::Hold && found.system.cpu_dma_latency_us != Some(0) {
        warnings.push(Warning::LatencyHoldLost {
            found_us: found.system.cpu_dma_latency_us,
        });
    }
    warnings
}

fn idle_loads(found: &Found) -> impl Iterator<Item = Warning> + '_ {
    found
        .loads
        .iter()
        .filter(|load| load.work_done == 0)
        .map(|load| Warning::LoadIdle {
            load: load.name.clone(),
        })
}

/// Threads that used as much of their CPU at real-time priority as the kernel
/// grants.
fn throttled(found: &Found) -> Vec<Warning> {
    let granted_percent = match (
        found.system.sched_rt_runtime_us,
        found.system.sched_rt_period_us,
    ) {
        (Some(runtime @ 0..), Some(period @ 1..)) => (100 * runtime / period) as u64,
        _ => return Vec::new(),
    };
    found
        .threads
        .iter()
        .filter(|thread| matches!(thread.policy, Policy::Fifo(_) | Policy::Rr(_)))
        .map(|thread| {
            let used = 100 * thread.counters.cpu_time_ns / thread.counters.wall_time_ns.max(1);
            (thread, used)
        })
        .filter(|(thread, used)| {
            *used >= granted_percent && thread.counters.wall_time_ns > Nanos::SECOND.0 / 2
        })
        .map(|(thread, used_percent)| Warning::ThrottlingReached {
            thread: thread.name.clone(),
            used_percent,
            granted_percent,
        })
        .collect()
}

fn stolen(found: &Found) -> impl Iterator<Item = Warning> + '_ {
    found
        .cpus
        .iter()
        .filter(|cpu| cpu.steal_ns > 0)
        .map(|cpu| Warning::Stolen {
            cpu: cpu.cpu,
            steal_ns: cpu.steal_ns,
        })
}
