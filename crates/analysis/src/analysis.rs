//! Everything that outcomes mean, as one value.

use std::borrow::Cow;
use std::rc::Rc;

use doctor::Diagnosis;
use plan::{Heading, Machine, Outcome};
use serde::Serialize;
use serde_json::Value;

use crate::answer::{self, Answer, Found};
use crate::benchmark::{self, Benchmark};
use crate::best_effort::{self, BestEffort};
use crate::capacity::{Grid, grids_of};
use crate::comparison::{self, Comparison, Margin};
use crate::experiment::{self, Experiment};
use crate::fields::SCHEMA_VERSION;
use crate::frontier::{self, Frontier};
use crate::interference::{self, Matrix};
use crate::json::Runs;
use crate::map::Map;
use crate::merit::{self, FiguresOfMerit};
use crate::mix::{self, Mix};
use crate::rhealstone::{self, Rhealstone};
use crate::standards::Standards;
use crate::step_time::{Model, models};
use crate::survey::{System, systems};
use crate::verdict::{self, Verdict};
use crate::{advice, clock, machine, published, self_test};

/// What outcomes mean by a person's standards: computed once, and shown in every form. As
/// JSON it is the document of a report, whose runs are made one at a time as they are written.
#[derive(Serialize)]
pub struct Analysis<'a> {
    schema_version: u32,
    /// What a person calls it and says of it.
    #[serde(flatten)]
    pub heading: Heading,
    /// The answer at first glance.
    pub answer: Answer,
    /// What the machines hold, what limits them, and what to change first.
    pub verdict: Verdict,
    /// What `steadfast bench tire` compares, on each machine with ceilings.
    pub benchmarks: Vec<Benchmark>,
    /// The missed-deadline maps, machine by machine.
    pub maps: Vec<Map<'a>>,
    /// The step-time models, machine by machine.
    pub step_times: Vec<Model<'a>>,
    /// How each system is set up, in the order of `systems`.
    #[serde(rename = "machines")]
    pub setups: Vec<Setup<'a>>,
    runs: Runs<'a>,
    real_time_limits: String,
    /// One for each map: where its sizes end that hold.
    #[serde(serialize_with = "frontier::searched")]
    pub frontiers: Vec<Frontier<'a>>,
    /// What neighbours do to runs, machine by machine.
    pub interference: Vec<Matrix>,
    /// What mixes of models show, run by run.
    pub mixes: Vec<Mix>,
    /// How much best-effort work fits beside the rates of a mix, machine by machine.
    pub best_effort: Vec<BestEffort>,
    /// The six times of Rhealstone, machine by machine.
    pub rhealstone: Vec<Rhealstone>,
    /// Efficiency, variation and predictability.
    pub figures_of_merit: FiguresOfMerit,
    published: Value,
    /// What an experiment with knobs shows, where one is among the runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub experiment: Option<Experiment>,
    /// What tells systems apart, where they are laid side by side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison<'a>>,
    /// The runs put in order.
    #[serde(skip)]
    pub systems: Rc<[System<'a>]>,
    /// Every run, in the order given.
    #[serde(skip)]
    pub outcomes: Vec<&'a Outcome>,
    /// What all of it is judged by.
    #[serde(skip)]
    pub standards: &'a Standards,
}

/// How a machine is set up.
#[derive(Debug, Serialize)]
pub struct Setup<'a> {
    /// The machine, as anybody may see it where nothing else is asked for.
    #[serde(flatten)]
    pub machine: Cow<'a, Machine>,
    machine_id: String,
    /// What to change about it.
    #[serde(flatten, serialize_with = "advice::in_report")]
    pub advice: Diagnosis,
}

impl<'a> Analysis<'a> {
    /// What outcomes mean. Several kernels of the lab, and nothing else, are laid side by side.
    #[must_use]
    pub fn of(outcomes: &'a [Outcome], standards: &'a Standards) -> Self {
        let systems = systems(outcomes);
        let is_experiment = |outcome: &Outcome| !outcome.header.spec.asked.tried.is_empty();
        let are_kernels = systems.len() > 1
            && !outcomes.iter().any(is_experiment)
            && systems.iter().all(|system| clock::counts_instructions(system.machine));
        match are_kernels {
            true => Self::comparing(Comparison::of_kernels(systems, standards)),
            false => Self::made(systems.into(), outcomes.iter().collect(), standards),
        }
    }

    /// What systems mean that are laid side by side.
    #[must_use]
    pub fn comparing(comparison: Comparison<'a>) -> Self {
        let systems = Rc::clone(&comparison.systems);
        let outcomes = comparison.outcomes().collect();
        let standards = comparison.standards;
        Self {
            answer: comparison::glance(&comparison),
            comparison: Some(comparison),
            ..Self::made(systems, outcomes, standards)
        }
    }

    /// The same under a heading.
    #[must_use]
    pub fn headed(self, heading: Heading) -> Self {
        Self { heading, ..self }
    }

    /// The same with what may tell whose machines these are.
    #[must_use]
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
            advice: advice::of(system),
        };
        let setups: Vec<Setup> = systems.iter().map(setup).collect();
        let advice: Vec<&Diagnosis> = setups.iter().map(|setup| &setup.advice).collect();
        let verdict = verdict::of(&systems, advice.iter().copied(), &grids, &standards.limits);
        let benchmarks: Vec<Benchmark> = systems.iter().filter_map(benchmark::of).collect();
        let frontiers = frontier::of(&grids, standards.strictness, standards.limits);
        let interference: Vec<Matrix> = systems.iter().flat_map(interference::of).collect();
        let answer = self_test::alone(&systems, &outcomes);
        let answer = answer.or_else(|| interference::alone(&systems, &outcomes, &interference));
        let mixes = mix::of(&outcomes);
        let best_effort: Vec<BestEffort> = systems.iter().flat_map(best_effort::of).collect();
        let answer = answer.or_else(|| best_effort::alone(&systems, &outcomes, &best_effort));
        let answer = answer.or_else(|| mix::alone(&systems, &outcomes, &mixes));
        let found = Found {
            systems: &systems,
            verdict: &verdict,
            advice: &advice,
            frontiers: &frontiers,
            benchmarks: &benchmarks,
            limits: &standards.limits,
        };
        let experiment = Experiment::of(outcomes.iter().copied(), Margin::default());
        let answer = answer.or_else(|| experiment::alone(experiment.as_ref(), &systems, &outcomes));
        let answer = answer.unwrap_or_else(|| answer::of(&found));
        Self {
            schema_version: SCHEMA_VERSION,
            heading: Heading::default(),
            answer,
            verdict,
            benchmarks,
            maps: grids.iter().map(|grid| Map::of(grid, standards)).collect(),
            step_times: systems.iter().flat_map(|system| models(system, &grids)).collect(),
            setups,
            runs: Runs::of(outcomes.clone(), standards),
            real_time_limits: standards.limits.to_string(),
            frontiers,
            interference,
            mixes,
            best_effort,
            rhealstone: rhealstone::of(&systems),
            figures_of_merit: FiguresOfMerit {
                tolerance: standards.tolerance.share(),
                systems: merit::of(&systems, standards.tolerance),
            },
            published: published::json(),
            experiment,
            comparison: None,
            systems,
            outcomes,
            standards,
        }
    }
}

/// The grids of a machine, without the runs that a benchmark made of the cost of sleep.
fn judged<'a>(system: &System<'a>) -> Vec<Grid<'a>> {
    let paced = benchmark::paced(system);
    let is_judged = |run: &&Outcome| !paced.iter().any(|one| one.is_of(&run.header.spec));
    grids_of(system, system.valid().filter(is_judged))
}
