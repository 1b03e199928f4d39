//! The conditions of a run outside its measuring threads: set up, read back, and restored.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::mem;

use base::{CpuSet, Nanos, Observed, Policy};
use doctor::{Slowing, Tree};
use knob::Around;
use load::Running;
use measure::{Measurement, reason};
use record::{
    Asked, CpuCounters, Found, LatencyHold, LoadFound, RunSpec, SystemFound, ThreadFound, Warning,
};
use rt::control_group::{ControlGroups, CpuBudget};
use rt::energy::EnergyMeter;
use rt::idle::IdleHold;
use rt::rights::{Capability, barrier_to};
use rt::starvation::{LONGEST, NoTurn, try_turn};
use rt::{
    clock, counters, idle, isolation, limits, memory, process, role, sched, system, timer_slack,
    topology, warmth,
};

use crate::fingerprint::conditions;
use crate::knobs::Knobs;
use crate::others::Others;
use crate::printed::quote_printed;

/// Everything in force during a run. Dropping it restores the previous conditions.
pub(crate) struct Setup {
    asked: Asked,
    idle_hold: Option<IdleHold>,
    others: Option<Others>,
    loads: Vec<Running>,
    knobs: Option<Knobs>,
    usable: CpuSet,
    stamp_cost_ns: f64,
    machine: BTreeMap<String, Observed<String>>,
    temperatures_c: BTreeMap<String, f64>,
    frequencies_khz: BTreeMap<usize, u64>,
    slowing: Slowing,
    energy: Option<EnergyMeter>,
    cpus_before: Vec<CpuCounters>,
    warnings: Vec<Warning>,
}

impl Setup {
    /// Warns about what could not be set up; fails if a measuring thread would never get a CPU.
    pub(crate) fn new(
        spec: &RunSpec,
        measurement: &dyn Measurement,
        longest_spin: Nanos,
    ) -> Result<Self, String> {
        let asked = &spec.asked;
        let mut setup = Self {
            asked: asked.clone(),
            idle_hold: None,
            others: None,
            loads: Vec::new(),
            knobs: None,
            usable: topology::usable(),
            stamp_cost_ns: clock::stamp_cost(),
            machine: BTreeMap::new(),
            temperatures_c: warmth::temperatures_c(),
            frequencies_khz: warmth::frequencies_khz(&asked.cpus),
            slowing: read_slowing(&asked.cpus),
            energy: None,
            cpus_before: Vec::new(),
            warnings: Vec::new(),
        };
        setup.step_aside();
        setup.look_for_budget();
        // An error is ignored: a lower limit already in force also bounds spins.
        let _ = process::bound_real_time_spin(longest_spin.0.div_ceil(1_000));
        setup.try_policy()?;
        setup.lock_memory();
        setup.hold_idle_states();
        setup.set_knobs();
        setup.machine = conditions(&asked.cpus);
        if measurement.moves_others(&spec.parameters) {
            setup.move_others();
        }
        setup.start_loads();
        setup.mark_loads();
        setup.energy = EnergyMeter::find();
        setup.cpus_before = read_cpus(&asked.cpus);
        Ok(setup)
    }

    /// Returns true if the measurement makes sense, that is, if no warning invalidates it.
    pub(crate) fn is_as_asked(&self) -> bool {
        !any_invalidates(&self.warnings)
    }

    fn step_aside(&mut self) {
        // A policy inherited from `chrt` would disturb the measurement.
        let _ = sched::leave_real_time();
        // Loads inherit it from here; measuring threads set and read back their own.
        let _ = timer_slack::set(timer_slack::DEFAULT);
        let measured = &self.asked.cpus;
        let apart = topology::housekeeping(&self.usable, measured);
        if apart.is_empty() || sched::set_affinity(&apart).is_err() {
            self.warnings.push(Warning::NoHousekeepingCpu);
        } else if topology::share_a_core(&apart, measured) {
            self.warnings.push(Warning::HousekeepingBeside);
        }
    }

    /// Warns about a CPU-time budget, which would look like stalls of the machine.
    fn look_for_budget(&mut self) {
        let text = |path: &str| rt::read::text(path);
        let budget = ControlGroups::of_this(&text).and_then(|groups| groups.cpu_budget());
        let warning = |budget: CpuBudget| Warning::CpuBudget { granted: budget.grant };
        self.warnings.extend(budget.map(warning));
    }

    /// Starts a thread on every CPU that only has to run once. So a run that has no permission for
    /// its policy, or whose threads would never get a CPU, ends before it disturbs anything.
    fn try_policy(&mut self) -> Result<(), String> {
        let (policy, cpus) = (self.asked.policy, &self.asked.cpus);
        let places: Vec<CpuSet> = match policy {
            // A deadline thread may not be pinned.
            Policy::Deadline { .. } => vec![cpus.clone()],
            _ => cpus.iter().map(CpuSet::one).collect(),
        };
        let turns = places.iter().map(|place| try_turn(place, policy, LONGEST));
        match turns.collect::<Result<(), NoTurn>>() {
            Ok(()) => {}
            Err(NoTurn::Refused(error)) => self.warnings.push(Warning::PolicyRefused {
                thread: None,
                asked: policy,
                reason: reason(&error),
                privileged: sched::has_right_to_real_time(),
                granted: limits::real_time_priority(),
                barrier: barrier_to(Capability::SysNice),
            }),
            Err(no_turn) => return Err(no_turn.to_string()),
        }
        Ok(())
    }

    fn lock_memory(&mut self) {
        if self.asked.memory_lock
            && let Err(error) = memory::lock_all()
        {
            let barrier = barrier_to(Capability::IpcLock);
            self.warnings.push(Warning::MemoryLockRefused { reason: reason(&error), barrier });
        }
    }

    fn hold_idle_states(&mut self) {
        if self.asked.cpu_dma_latency == LatencyHold::Leave {
            return;
        }
        match IdleHold::new() {
            Ok(hold) => self.idle_hold = Some(hold),
            Err(error) => {
                let is_missing = error.kind() == ErrorKind::NotFound;
                let reason = reason(&error);
                let barrier = barrier_to(Capability::DacOverride);
                self.warnings.push(Warning::LatencyHoldRefused { reason, is_missing, barrier });
            }
        }
    }

    /// Sets the knobs of the run's experiment, unless the run is invalid already.
    fn set_knobs(&mut self) {
        let asked = &self.asked;
        if asked.tried.is_empty() || !self.is_as_asked() {
            return;
        }
        let around = Around {
            measured: asked.cpus.clone(),
            others: topology::housekeeping(&topology::online(), &asked.cpus),
        };
        let mut knobs = Knobs::set(asked, &around);
        self.warnings.extend(knobs.warnings());
        self.knobs = Some(knobs);
    }

    fn move_others(&mut self) {
        let measured = &self.asked.cpus;
        let apart = topology::housekeeping(&self.usable, measured);
        match Others::move_off(measured, &apart) {
            Err(reason) => self.warnings.push(Warning::OthersStayed { count: 0, reason }),
            Ok(others) => {
                let (count, reason) = others.refused();
                if count > 0 {
                    self.warnings.push(Warning::OthersStayed { count, reason });
                }
                self.others = Some(others);
            }
        }
    }

    fn start_loads(&mut self) {
        for spec in &self.asked.loads {
            match load::start(spec, &role::program(), &self.usable) {
                Ok(running) => self.loads.push(running),
                Err(reason) => {
                    self.warnings.push(Warning::LoadNotStarted { load: spec.to_string(), reason });
                }
            }
        }
    }

    fn mark_loads(&mut self) {
        for (load, spec) in self.loads.iter_mut().zip(&self.asked.loads) {
            if let Err(reason) = load.mark() {
                let load = spec.to_string();
                self.warnings.push(Warning::LoadNotStarted { load, reason });
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
        let (mut found, done) = self.found(threads);
        self.warnings.extend(warnings);
        quote_printed(&mut self.warnings);
        if let Some(knobs) = self.knobs.as_mut().filter(|_| measured) {
            knobs.read_at_end();
        }
        if measured {
            let lost = self.lost(&found, &done);
            self.warnings.extend(lost);
        }
        self.loads.clear();
        found.others = self.others.take().map(Others::give_back);
        if let Some(knobs) = self.knobs.take() {
            let (knobs, warnings) = knobs.give_back();
            found.knobs = knobs;
            self.warnings.extend(warnings);
        }
        (found, self.warnings)
    }

    /// Reads back what is in force at the end of an interval, and begins the next one.
    pub(crate) fn next_interval(
        &mut self,
        threads: Vec<ThreadFound>,
        warnings: Vec<Warning>,
    ) -> (Found, Vec<Warning>) {
        let (found, done) = self.found(threads);
        let all = [self.warnings.clone(), warnings, self.lost(&found, &done)].concat();
        self.mark_loads();
        self.temperatures_c = warmth::temperatures_c();
        self.frequencies_khz = warmth::frequencies_khz(&self.asked.cpus);
        self.energy = EnergyMeter::find();
        self.cpus_before = read_cpus(&self.asked.cpus);
        (found, all)
    }

    /// Reads back what is in force, and what each load has done.
    fn found(&mut self, threads: Vec<ThreadFound>) -> (Found, Vec<Vec<LoadFound>>) {
        let done: Vec<Vec<LoadFound>> = self.loads.iter_mut().map(Running::done).collect();
        let (system, cpus) = (self.read_system(), self.read_cpus_since());
        (Found { system, loads: done.concat(), cpus, threads, ..Found::default() }, done)
    }

    /// Returns the warnings about what was lost while the run measured.
    fn lost(&mut self, found: &Found, done: &[Vec<LoadFound>]) -> Vec<Warning> {
        let mut warnings = found.lost(&self.asked);
        let slowing = read_slowing(&self.asked.cpus);
        let slowed = mem::replace(&mut self.slowing, slowing).until(&self.slowing);
        if !slowed.is_empty() {
            warnings.push(Warning::Slowed { found: slowed.join("; ") });
        }
        let loads = self.loads.iter_mut().zip(done);
        warnings.extend(loads.filter_map(|(load, done)| load.still_works(done).err()));
        warnings
    }

    fn read_system(&self) -> SystemFound {
        let online = topology::online();
        SystemFound {
            stamp_cost_ns: self.stamp_cost_ns,
            machine: self.machine.clone(),
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
            isolated_cpus: isolation::isolated().to_string(),
            housekeeping_cpus: sched::affinity().unwrap_or_default(),
            start_temperatures_c: self.temperatures_c.clone(),
            start_frequencies_khz: self.frequencies_khz.clone(),
            power_w: self.energy.as_ref().and_then(EnergyMeter::watts),
        }
    }

    fn read_cpus_since(&self) -> Vec<CpuCounters> {
        let since = |(after, before): (CpuCounters, &CpuCounters)| CpuCounters {
            cpu: after.cpu,
            steal_ns: after.steal_ns.map(|ns| ns.saturating_sub(before.steal_ns.unwrap_or(0))),
            interrupts: (after.interrupts.zip(before.interrupts))
                .map(|(after, before)| after.saturating_sub(before)),
        };
        read_cpus(&self.asked.cpus).into_iter().zip(&self.cpus_before).map(since).collect()
    }
}

fn any_invalidates(warnings: &[Warning]) -> bool {
    warnings.iter().any(Warning::invalidates)
}

fn read_slowing(cpus: &CpuSet) -> Slowing {
    Slowing::read(&Tree::at("/"), cpus)
}

fn read_cpus(cpus: &CpuSet) -> Vec<CpuCounters> {
    let read = |cpu| CpuCounters {
        cpu,
        // The lab's clock stops while its host runs something else.
        steal_ns: if role::is_in_lab() { Some(0) } else { counters::steal_ns(cpu) },
        interrupts: counters::interrupts(cpu),
    };
    cpus.iter().map(read).collect()
}
