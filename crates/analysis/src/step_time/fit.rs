//! The coefficients of the step-time model.

use std::fmt;

use serde_json::{Map, Value, json};
use stats::{LeastSquares, Undetermined};

use super::run::Run;
use super::work::Work;

/// A part of the step time.
#[derive(Debug)]
pub struct Term {
    /// Its name in tables and in JSON.
    pub name: &'static str,
    /// What its coefficient counts: nanoseconds for each of these.
    pub each: &'static str,
    /// What it is called where it takes most of a step.
    pub limit: &'static str,
    /// Runs that tell it from the terms above it.
    pub told_apart_by: &'static str,
    /// How much of it there is in a step.
    amount: fn(&Work, switches: f64) -> f64,
}

/// The terms in the order in which they are fitted.
pub static TERMS: [Term; 5] = [
    Term {
        name: "masses",
        each: "mass",
        limit: "compute",
        told_apart_by: "several sizes",
        amount: |work, _| work.masses,
    },
    Term {
        name: "step",
        each: "step",
        limit: "fixed part",
        told_apart_by: "several sizes",
        amount: |_, _| 1.0,
    },
    Term {
        name: "semaphores",
        each: "semaphore operation",
        limit: "locks",
        told_apart_by: "one thread and several threads",
        amount: |work, _| work.semaphores,
    },
    Term {
        name: "beyond_cache",
        each: "mass beyond the last cache",
        limit: "memory",
        told_apart_by: "sizes within and beyond the last cache",
        amount: |work, _| work.beyond_cache,
    },
    Term {
        name: "switches",
        each: "involuntary switch",
        limit: "switches",
        told_apart_by: "more sizes",
        amount: |_, switches| switches,
    },
];

/// A term that fewer runs have is fitted to their noise.
const LEAST_SEEN: usize = 3;

/// Coefficients with their intervals, and how well they predict.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// Numbers of the terms that there were enough runs for.
    terms: Vec<usize>,
    squares: LeastSquares,
    /// The typical residual as a share of the step time.
    pub typical_error: f64,
    /// The largest.
    pub worst_error: f64,
}

/// What one unit of a term costs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coefficient {
    /// The step time, in nanoseconds.
    pub ns: f64,
    /// How far on each side the true cost lies, with 95 % confidence.
    pub margin_ns: f64,
}

/// Why a model cannot be fitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// Fewer runs than coefficients and one more.
    TooFew {
        /// Runs that there are.
        runs: usize,
        /// Runs that it takes.
        least: usize,
    },
    /// Runs that do not tell this term from the ones before it.
    NotTold {
        /// Place among the terms.
        term: usize,
    },
}

/// A step time that the model predicts.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// The time, in nanoseconds.
    pub ns: f64,
    /// How far on each side the next run's mean step lies, with 95 % confidence.
    pub margin_ns: f64,
    shares: Vec<Share>,
}

/// The part of a step that a term takes.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Share {
    term: usize,
    /// 0 to 1.
    share: f64,
    /// Whether the term is shown to cost anything at all.
    is_shown: bool,
}

impl Fit {
    /// Fits the runs.
    ///
    /// # Errors
    /// Why they tell no coefficients.
    pub fn to(runs: &[Run]) -> Result<Self, Refusal> {
        let amounts = |term: usize| {
            let amount = move |run: &Run| (TERMS[term].amount)(&run.work, run.switches);
            runs.iter().map(amount).collect::<Vec<f64>>()
        };
        let is_seen = |term: &usize| {
            let seen = amounts(*term).into_iter().filter(|amount| *amount > 0.0);
            seen.count() >= LEAST_SEEN
        };
        let terms: Vec<usize> = (0..TERMS.len()).filter(is_seen).collect();
        // Divided by what was measured, residuals are shares.
        let scaled = |term: &usize| {
            let shares = amounts(*term).into_iter().zip(runs);
            shares.map(|(amount, run)| amount / run.step_ns).collect()
        };
        let columns: Vec<Vec<f64>> = terms.iter().map(scaled).collect();
        let ones = vec![1.0; runs.len()];
        let squares = LeastSquares::fit(&columns, &ones).map_err(|why| match why {
            Undetermined::TooFew { observations: runs, least } => Refusal::TooFew { runs, least },
            Undetermined::Collinear { column } => Refusal::NotTold { term: terms[column] },
        })?;
        let mut fit = Self { typical_error: squares.residual, worst_error: 0.0, terms, squares };
        let error = |run: &Run| fit.of(&run.work, run.switches).ns / run.step_ns - 1.0;
        let errors = runs.iter().map(|run| error(run).abs());
        fit.worst_error = errors.fold(0.0, f64::max);
        Ok(fit)
    }

    /// The cost of each term that enough runs had.
    pub(super) fn coefficients(&self) -> Vec<Value> {
        let of_term = |(number, term): (usize, &Term)| {
            let Coefficient { ns, margin_ns } = self.coefficient(number)?;
            Some(json!({
                "term": term.name,
                "limit": term.limit,
                "ns": ns,
                "lower_ns": ns - margin_ns,
                "upper_ns": ns + margin_ns,
            }))
        };
        TERMS.iter().enumerate().filter_map(of_term).collect()
    }

    /// The cost of a term; `None` where too few runs had any of it.
    pub fn coefficient(&self, term: usize) -> Option<Coefficient> {
        let column = self.terms.iter().position(|known| *known == term)?;
        Some(Coefficient {
            ns: self.squares.coefficients[column],
            margin_ns: self.squares.margin_of(column),
        })
    }

    /// Tells a run what the model has of it.
    pub(super) fn tell(&self, run: &mut Run) {
        let prediction = self.of(&run.work, run.switches);
        run.predicted_ns = Some(prediction.ns);
        run.limited_by = prediction.limit();
    }

    /// A step of so much work.
    pub fn of(&self, work: &Work, switches: f64) -> Prediction {
        let amounts: Vec<f64> =
            self.terms.iter().map(|term| (TERMS[*term].amount)(work, switches)).collect();
        let ns = self.squares.value(&amounts);
        let of_one_run = self.squares.standard_errors() * self.squares.residual * ns;
        let costs = self.squares.coefficients.iter().zip(&amounts);
        let costs: Vec<f64> = costs.map(|(ns, amount)| (ns * amount).max(0.0)).collect();
        let all: f64 = costs.iter().sum();
        let shares = self.terms.iter().zip(&costs).map(|(term, cost)| Share {
            term: *term,
            share: cost / all,
            is_shown: self.coefficient(*term).is_some_and(|c| c.is_shown()),
        });
        Prediction {
            ns,
            margin_ns: self.squares.margin(&amounts).hypot(of_one_run),
            shares: shares.collect(),
        }
    }
}

impl Coefficient {
    /// Whether it costs anything at all, as far as the runs tell.
    pub fn is_shown(&self) -> bool {
        self.ns > self.margin_ns
    }
}

impl Prediction {
    /// The share of the step time that a term takes, 0 to 1.
    pub fn share(&self, term: usize) -> f64 {
        let of_term = self.shares.iter().find(|known| known.term == term);
        of_term.map_or(0.0, |of_term| of_term.share)
    }

    /// The share of each term, by its name.
    pub(super) fn shares(&self) -> Map<String, Value> {
        let share =
            |(number, term): (usize, &Term)| (term.name.to_owned(), self.share(number).into());
        TERMS.iter().enumerate().map(share).collect()
    }

    /// What takes most of the step; `None` where the runs do not show that it costs
    /// anything.
    pub fn limit(&self) -> Option<&'static str> {
        let most = self.shares.iter().max_by(|one, other| one.share.total_cmp(&other.share));
        Some(TERMS[most.filter(|most| most.is_shown)?.term].limit)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFew { runs, least } => {
                write!(f, "{runs} runs are too few, it takes {least} or more")
            }
            Self::NotTold { term } => {
                let Term { limit, told_apart_by, .. } = &TERMS[*term];
                write!(
                    f,
                    "the runs do not tell the cost of {limit} from the rest, runs with \
                     {told_apart_by} would"
                )
            }
        }
    }
}
