//! Everything that outcomes mean, as one value.

use std::borrow::Cow;
use std::rc::Rc;

use base::SchemaVersion;
use doctor::Diagnosis;
use record::{Heading, Machine, Outcome};
use serde::Serialize;

use crate::benchmark::{self, Benchmark};
use crate::best_effort::{self, BestEffort};
use crate::capacity::{Grid, grids_of};
use crate::comparison::{Comparison, Margin};
use crate::experiment::Experiment;
use crate::explanation;
use crate::frontier::{self, Frontier};
use crate::gate::{self, Gate};
use crate::interference::{self, Matrix};
use crate::json::Runs;
use crate::merit::{self, FiguresOfMerit};
use crate::mix::{self, Mix};
use crate::published::PublishedResults;
use crate::rhealstone::{self, Rhealstone};
use crate::standards::Standards;
use crate::step_time::{Model, models};
use crate::survey::{System, systems};
use crate::verdict::{self, Verdict};
use crate::{advice, clock, machine};

/// The meaning of outcomes by the user's standards, computed once and shown in every form. Its JSON
/// is a report's document, whose runs are produced one at a time as they are written.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Analysis<'a> {
    schema_version: SchemaVersion<2>,
    #[serde(flatten)]
    pub heading: Heading,
    /// The verdict, as findings.
    pub verdict: Verdict,
    /// Comparison of the tire's solvers, one entry per machine with measured ceilings.
    pub benchmarks: Vec<Benchmark>,
    /// Step-time models (MPE 4.5), one per group of tire runs that differ only in masses, number of
    /// threads and run length.
    pub step_times: Vec<Model<'a>>,
    /// Fingerprints of all machines; a fact is null or empty if the machine does not report it.
    #[serde(rename = "machines")]
    pub setups: Vec<Setup<'a>>,
    /// All runs, with histograms.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<crate::json::Run>"))]
    runs: Runs<'a>,
    /// Limits used for the real-time verdicts, as text.
    real_time_limits: String,
    #[serde(flatten, serialize_with = "frontier::json")]
    #[cfg_attr(feature = "schema", schemars(with = "frontier::Searches"))]
    pub frontiers: Vec<Frontier<'a>>,
    /// Effects of neighbours on a run, one entry for each machine and kind of run of `steadfast
    /// interfere`.
    pub interference: Vec<Matrix>,
    /// Results of mixes of models, one entry for each run of `steadfast run mix`.
    pub mixes: Vec<Mix>,
    /// How much best-effort work fits next to the members of a mix that have a rate, one entry for
    /// each machine and mix of `steadfast frontier mix PLAN.toml`.
    pub best_effort: Vec<BestEffort>,
    /// Whether B is worse than A by more than a margin, one entry for each machine and gate of
    /// `steadfast gate pair`; absent if there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gates: Vec<Gate>,
    /// The six times of Rhealstone, one entry for each machine and set of conditions.
    pub rhealstone: Vec<Rhealstone>,
    /// Figures of merit: efficiency, variation and predictability.
    pub figures_of_merit: FiguresOfMerit,
    /// Published figures for comparison.
    published: PublishedResults,
    /// Result of an experiment with knobs; absent if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub experiment: Option<Experiment>,
    /// Comparison of several lab kernels; absent if the report covers anything else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison<'a>>,
    #[serde(skip)]
    pub systems: Rc<[System<'a>]>,
    #[serde(skip)]
    pub outcomes: Vec<&'a Outcome>,
    #[serde(skip)]
    pub standards: &'a Standards,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Setup<'a> {
    /// The machine without identifying facts, unless [`identified`](Analysis::identified).
    #[serde(flatten)]
    pub machine: Cow<'a, Machine>,
    /// Identifier of the machine: 16 hexadecimal digits, the same for equal fingerprints.
    machine_id: String,
    #[serde(flatten, serialize_with = "advice::in_report")]
    #[cfg_attr(feature = "schema", schemars(with = "advice::Advice"))]
    pub advice: Diagnosis,
}

impl<'a> Analysis<'a> {
    /// Analyses outcomes. Several kernels of the lab, and nothing else, are compared.
    pub fn of(outcomes: &'a [Outcome], standards: &'a Standards) -> Self {
        let mut systems = systems(outcomes);
        for system in &mut systems {
            frontier::mark_probes(system, standards);
        }
        let is_experiment = |outcome: &Outcome| !outcome.header.spec.asked.tried.is_empty();
        let are_kernels = systems.len() > 1
            && !outcomes.iter().any(is_experiment)
            && systems.iter().all(|system| clock::counts_instructions(system.machine));
        if are_kernels {
            Self::comparing(Comparison::of_kernels(systems, standards))
        } else {
            Self::made(systems.into(), outcomes.iter().collect(), standards)
        }
    }

    pub fn comparing(comparison: Comparison<'a>) -> Self {
        let systems = Rc::clone(&comparison.systems);
        let outcomes = comparison.outcomes().collect();
        let standards = comparison.standards;
        Self { comparison: Some(comparison), ..Self::made(systems, outcomes, standards) }
    }

    pub fn headed(self, heading: Heading) -> Self {
        Self { heading, ..self }
    }

    /// Adds what may identify the machines' owner.
    pub fn identified(mut self) -> Self {
        for (setup, system) in self.setups.iter_mut().zip(&*self.systems) {
            setup.machine = Cow::Borrowed(system.machine);
        }
        self.comparison = self.comparison.map(Comparison::identified);
        self
    }

    fn made(
        systems: Rc<[System<'a>]>,
        outcomes: Vec<&'a Outcome>,
        standards: &'a Standards,
    ) -> Self {
        let grids: Vec<Rc<Grid>> = systems.iter().flat_map(judged).map(Rc::new).collect();
        let setup = |system: &System<'a>| Setup {
            machine: Cow::Owned(machine::public(system.machine)),
            machine_id: system.machine_id.clone(),
            advice: advice::machine_advice(system),
        };
        let setups: Vec<Setup> = systems.iter().map(setup).collect();
        let advice = setups.iter().map(|setup| &setup.advice);
        let verdict = verdict::verdict_on(&systems, advice, &grids, &standards.limits);
        let frontiers = frontier::grid_frontiers(grids.iter().cloned(), standards);
        let advice = setups.iter().map(|setup| &setup.advice);
        let first = explanation::first_change(&systems, advice, &frontiers, standards);
        Self {
            schema_version: SchemaVersion,
            heading: Heading::default(),
            verdict: Verdict { first: first.unwrap_or(verdict.first), ..verdict },
            benchmarks: systems.iter().filter_map(benchmark::solver_benchmark).collect(),
            step_times: systems.iter().flat_map(|system| models(system, &grids)).collect(),
            setups,
            runs: Runs { outcomes: outcomes.clone(), standards },
            real_time_limits: standards.limits.to_string(),
            frontiers,
            interference: systems.iter().flat_map(interference::system_matrices).collect(),
            mixes: mix::mix_results(&outcomes),
            best_effort: systems.iter().flat_map(best_effort::best_effort_of_mixes).collect(),
            gates: systems.iter().flat_map(gate::system_gates).collect(),
            rhealstone: rhealstone::rhealstone_times(&systems),
            figures_of_merit: FiguresOfMerit {
                tolerance: standards.tolerance.share(),
                systems: merit::system_merits(&systems, standards.tolerance),
            },
            published: PublishedResults::all(),
            experiment: Experiment::of(outcomes.iter().copied(), Margin::default()),
            comparison: None,
            systems,
            outcomes,
            standards,
        }
    }
}

/// The grids of a machine, without the runs in which a benchmark measured the cost of sleep.
fn judged<'a>(system: &System<'a>) -> Vec<Grid<'a>> {
    let paced = benchmark::paced(system);
    let is_judged =
        |run: &&Outcome| !paced.iter().any(|sleep_cost| sleep_cost.is_of(&run.header.spec));
    grids_of(system, system.valid().filter(is_judged))
}
