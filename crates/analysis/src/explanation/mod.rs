//! Causes of a verdict, and what to fix first on its machine.

pub(crate) mod deadlines;
mod reason;
mod remedy;
mod worst_cpu;
pub(crate) mod worst_run;

use base::{Nanos, Policy};
use blame::Cause;
use doctor::{Diagnosis, Finding as Checked, may_hide_a_limit};
use record::{RunOption, RunSpec, Warning, lift_throttling, run_line};

use crate::advice;
use crate::causes::Main;
use crate::finding::{AboutMachine, Finding, Fix, Job, MainCause, Part, Stall, Standing};
use crate::frontier::Frontier;
use crate::lists::each_once;
use crate::spacing;
use crate::standards::Standards;
use crate::subject::{Named, named};
use crate::survey::System;
use crate::verdict::{Change, How};
use deadlines::Case;
use reason::Reason;
use remedy::Places;

/// What to do about a model that refuses steps for a reason that its description does not give.
const READ_THE_LOG: &str = "read why the model refuses its steps: --log on";
const FIRST_FIXES: usize = 3;

pub(crate) struct Explanation<'s, 'a> {
    machine: &'s Named<'s, 'a>,
    advice: &'s Diagnosis,
    standards: &'s Standards,
    /// The case whose lateness to explain.
    case: &'s Case<'a>,
    reason: Reason,
}

/// A fix, and the check of the doctor that advises it.
type Advised<'s> = (Fix, Option<&'s Checked>);

/// Returns what the answer about deadlines names first to fix, in full: `None` without an answer
/// about deadlines, `Some(None)` if it names nothing.
pub(crate) fn first_change<'d>(
    systems: &[System],
    advice: impl Iterator<Item = &'d Diagnosis>,
    frontiers: &[Frontier],
    standards: &Standards,
) -> Option<Option<Change>> {
    let machines = named(systems);
    let cases = deadlines::cases(systems, frontiers, &standards.limits);
    let worst = deadlines::worst(&cases.judged)?;
    Some(Explanation::new(&machines, advice, standards, worst)?.change())
}

impl<'s, 'a> Explanation<'s, 'a> {
    pub(crate) fn new<'d: 's>(
        machines: &'s [Named<'s, 'a>],
        advice: impl Iterator<Item = &'d Diagnosis>,
        standards: &'s Standards,
        case: &'s Case<'a>,
    ) -> Option<Self> {
        let mut all = machines.iter().zip(advice);
        let (machine, advice) = all.find(|(machine, _)| machine.name == case.of.machine)?;
        let reason = Reason::of(machine.system, case, latest(standards, case));
        Some(Self { machine, advice, standards, case, reason })
    }

    /// Returns the reason of the lateness, and the first things to fix on the machine.
    pub(crate) fn findings(&self) -> Vec<Finding> {
        self.reasons().chain(self.first(self.fixes())).collect()
    }

    /// Returns the reason of the lateness, and the first things to fix against it alone.
    pub(crate) fn of_lateness(&self) -> Vec<Finding> {
        self.reasons().chain(self.first(self.against_lateness())).collect()
    }

    fn reasons(&self) -> impl Iterator<Item = Finding> {
        self.why().into_iter().chain(self.hidden())
    }

    /// Returns what may be the reason and cannot be seen. A quota holds back only ordinary tasks, and a
    /// budget only FIFO and RR tasks.
    fn hidden(&self) -> Option<Finding> {
        let run = self.case.worst_run.as_ref()?.run;
        let hidden = match self.case.policy {
            Policy::Deadline { .. } => return None,
            Policy::Fifo(_) | Policy::Rr(_) => AboutMachine::HiddenBudget,
            Policy::Other { .. } | Policy::Idle => AboutMachine::HiddenQuota,
        };
        let is_real_time = self.case.policy.is_real_time();
        let may_be = may_hide_a_limit(&run.found.system.machine, is_real_time);
        (self.has_lost() && may_be).then_some(Finding::Machine(hidden))
    }

    /// Returns the reason of the lateness: what a search for causes found, or what explains misses;
    /// `None` if nothing is wrong.
    fn why(&self) -> Option<Finding> {
        let about = match &self.reason {
            Reason::Causes { mains, late, is_searched } if *is_searched || self.has_lost() => {
                self.late_by(mains, *late, *is_searched)?
            }
            _ if !self.has_lost() => return None,
            Reason::Shown { found, .. } | Reason::NotMade { found, .. } => {
                let (machine, found) = (self.machine.name.clone(), found.clone());
                AboutMachine::ProbableCause { machine, found }
            }
            Reason::Causes { .. } => return None,
            Reason::Unknown { is_searched, largest } => AboutMachine::NoKnownCause {
                is_searched: *is_searched,
                is_of_size: matches!(self.case.of.job, Job::Step { .. }),
                stall: self.stall(),
                largest: largest.as_ref().and_then(|main| self.part(main, *is_searched)),
            },
        };
        Some(Finding::Machine(about))
    }

    fn late_by(&self, mains: &[Main], late: u64, is_searched: bool) -> Option<AboutMachine> {
        let worst = self.case.worst_run.as_ref()?;
        let cpus = worst.cpus();
        let main = |main| MainCause::of(main, &cpus, is_searched);
        Some(AboutMachine::Late {
            late,
            missed: worst.missed,
            causes: mains.iter().map(main).collect(),
        })
    }

    fn part(&self, main: &Main, is_searched: bool) -> Option<Part> {
        let worst = self.case.worst_run.as_ref()?;
        let cause = MainCause::of(main, &worst.cpus(), is_searched);
        Some(Part { cause, missed: worst.missed })
    }

    /// Whether deadlines were missed, or work came later than it may.
    fn has_lost(&self) -> bool {
        let latest =
            latest(self.standards, self.case).map_or(i64::MAX, |latest| latest.0.cast_signed());
        self.case.held.tries.missed > 0 || self.case.late_ns > latest
    }

    fn stall(&self) -> Option<Stall> {
        let worst = self.case.worst_run.as_ref()?;
        Some(Stall { cpus: worst.cpus(), at_ns: worst.at_ns()? })
    }

    /// Returns the first things to fix.
    fn first(&self, advised: Vec<Advised>) -> Option<Finding> {
        let mut fixes = each_once(advised.into_iter().map(|(fix, _)| fix));
        fixes.truncate(FIRST_FIXES);
        let machine = self.machine.name.clone();
        (!fixes.is_empty()).then_some(Finding::Machine(AboutMachine::FixFirst { machine, fixes }))
    }

    /// Returns the very first of them, in full.
    fn change(&self) -> Option<Change> {
        let (fix, check) = self.fixes().into_iter().next()?;
        Some(match (fix, check) {
            (_, Some(check)) => Change::advised(check, self.advice),
            (Fix::Remedy { remedy }, None) => Change::otherwise(How::Run { remedy }),
            (fix, None) => Change::otherwise(How::Fix { fix }),
        })
    }

    /// Returns what to fix: what made runs INVALID, then what helps against the reason. Nothing
    /// follows from runs that lost nothing.
    fn fixes(&self) -> Vec<Advised<'s>> {
        let invalid = self.machine.system.outcomes.iter().flat_map(|run| &run.warnings);
        let invalid =
            invalid.filter(|warning| warning.invalidates()).map(|warning| self.remedy(warning));
        invalid.take(1).chain(self.against_lateness()).collect()
    }

    fn against_lateness(&self) -> Vec<Advised<'s>> {
        match self.has_lost() && self.case.standing != Standing::Good {
            true => self.against_reason(),
            false => Vec::new(),
        }
    }

    /// Returns the doctor's advice about a warning if the machine is what to change, else its remedy.
    fn remedy(&self, warning: &Warning) -> Advised<'s> {
        match advice::about(self.advice, warning, self.machine.system.machine) {
            Some(check) => advised(check),
            None => (Fix::Remedy { remedy: warning.remedy() }, None),
        }
    }

    fn against_reason(&self) -> Vec<Advised<'s>> {
        let fixes: Vec<Advised> = match &self.reason {
            Reason::Causes { mains, is_searched, .. } => {
                let unnamed =
                    mains.iter().any(|main| main.cause == Cause::UnknownTask) && !is_searched;
                let search = unnamed.then(|| self.search()).flatten();
                search.into_iter().chain(mains.iter().flat_map(|main| self.against(main))).collect()
            }
            Reason::NotMade { remedy, .. } => {
                let remedy = remedy.as_deref().unwrap_or(READ_THE_LOG).to_owned();
                vec![(Fix::Remedy { remedy }, None)]
            }
            Reason::Shown { check, .. } => self.advice_on(&[check]).collect(),
            Reason::Unknown { is_searched, .. } => {
                // A search would have named the other measurement.
                let beside = (!is_searched).then(|| self.beside()).flatten();
                self.search().into_iter().chain(beside).chain(self.real_time_policy()).collect()
            }
        };
        let is_searched = matches!(self.reason, Reason::Causes { is_searched: true, .. });
        if fixes.is_empty() && !is_searched { self.search().into_iter().collect() } else { fixes }
    }

    fn against(&self, main: &Main) -> Vec<Advised<'s>> {
        let places = Places { measured: &self.advice.cpus, others: &self.advice.housekeeping_cpus };
        let worst = self.case.worst_run.as_ref();
        let for_cause =
            worst.and_then(|worst| remedy::against(main, &worst.run.header.spec, &places));
        let budget = (main.cause == Cause::Throttling).then(|| self.group_budget()).flatten();
        if let Some(fix) = budget {
            return vec![(fix, None)];
        }
        let policy = main.cause.is_task().then(|| self.real_time_policy()).flatten();
        let advice = self.advice_on(remedy::helping(&main.cause, self.case.policy));
        policy.into_iter().chain(for_cause.map(|fix| (fix, None))).chain(advice).collect()
    }

    /// Returns how to raise the budget of the control group that limits the real-time threads of the worst
    /// run: no setting of the kernel helps against that.
    fn group_budget(&self) -> Option<Fix> {
        let mut warnings = self.case.worst_run.as_ref()?.run.warnings.iter();
        let file = warnings.find_map(|warning| match warning {
            Warning::ThrottlingReached { group, .. } => group.as_deref(),
            _ => None,
        })?;
        Some(Fix::Remedy { remedy: lift_throttling(Some(file)) })
    }

    /// Returns the doctor's advice on these checks, in their order.
    fn advice_on(&self, checks: &[&str]) -> impl Iterator<Item = Advised<'s>> {
        let all = &self.advice.findings;
        let found = |name: &&str| all.iter().find(|check| check.name == *name);
        checks
            .iter()
            .filter_map(found)
            .filter(|check| check.state.asks_for_change())
            .map(advised)
            .collect::<Vec<_>>()
            .into_iter()
    }

    /// Another measurement on the same CPUs may be the cause.
    fn beside(&self) -> Option<Advised<'s>> {
        let warning = self.case.worst_run.as_ref()?.beside()?;
        Some(self.remedy(warning))
    }

    /// Without a real-time policy any other task may delay the work.
    fn real_time_policy(&self) -> Option<Advised<'s>> {
        (!self.case.policy.is_real_time()).then_some((Fix::RealTimePolicy, None))
    }

    /// Returns the same run with a search for causes; `None` if the run searched already.
    fn search(&self) -> Option<Advised<'s>> {
        let spec = self.case.worst_run.as_ref()?.run.planned();
        let command = spec.blame_beyond.is_none().then(|| self.command(&spec))?;
        Some((Fix::LookForCause { command }, None))
    }

    fn command(&self, spec: &RunSpec) -> String {
        if let Some(command) = &self.standards.command {
            return format!("{command} --blame");
        }
        let usual: Vec<RunOption> = (self.standards.usual_options.0)(spec);
        let lab = self.machine.system.machine.lab.as_ref();
        let place = lab.map_or_else(String::new, |lab| format!(" --target vm:{}", lab.kernel));
        format!("{}{place} --blame{}", run_line(spec, &usual), self.threshold(spec))
    }

    /// Returns the option that looks for causes of all that is later than allowed.
    fn threshold(&self, spec: &RunSpec) -> String {
        let period = spacing::period(spec).unwrap_or(Nanos(u64::MAX));
        // A run that ends at a late sample searches for the cause of that.
        let latest = self.standards.latest.filter(|_| spec.stop_at.is_none());
        let beyond = latest.map(|latest| latest.min(period));
        beyond.map_or_else(String::new, |beyond| format!(" --threshold {beyond}"))
    }
}

/// Returns beyond which time something is too late: what the user allows, or the limit that ends the run.
fn latest(standards: &Standards, case: &Case) -> Option<Nanos> {
    let of_run = || case.worst_run.as_ref()?.run.header.spec.stop_at;
    standards.latest.or_else(of_run)
}

fn advised(check: &Checked) -> Advised<'_> {
    (Fix::Advice { check: check.in_words(), change: check.in_short() }, Some(check))
}
