//! The coefficients of the step-time model.

use base::counted;
use serde::Serialize;
use stats::{LeastSquares, Undetermined};

use super::work::{Run, Work};

#[derive(Debug)]
pub struct Term {
    pub name: &'static str,
    /// The unit of its coefficient: nanoseconds per this.
    pub each: &'static str,
    /// Its name as the largest part of a step.
    pub limit: &'static str,
    amount: fn(&Work, switches: f64) -> f64,
}

/// The terms in the order in which they are fitted.
pub static TERMS: [Term; 5] = [
    term("masses", "mass", "compute", |work, _| work.masses),
    term("step", "step", "fixed part", |_, _| 1.0),
    term("semaphores", "semaphore operation", "locks", |work, _| work.semaphores),
    term("beyond_cache", "mass beyond the last cache", "memory", |work, _| work.beyond_cache),
    term("switches", "involuntary switch", "switches", |_, switches| switches),
];

const fn term(
    name: &'static str,
    each: &'static str,
    limit: &'static str,
    amount: fn(&Work, f64) -> f64,
) -> Term {
    Term { name, each, limit, amount }
}

/// A term that occurs in fewer runs would be fitted to their noise.
const LEAST_SEEN: usize = 3;

#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// Indices of the terms with enough runs.
    terms: Vec<usize>,
    squares: LeastSquares,
    /// The typical residual as a share of the step time.
    pub typical_error: f64,
    /// The largest residual as a share of the step time.
    pub worst_error: f64,
}

/// The cost of one unit of a term.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coefficient {
    pub ns: f64,
    /// Half-width of the 95 % confidence interval of the true cost.
    pub margin_ns: f64,
}

/// A coefficient with its 95 % interval.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct FittedTerm {
    /// Unit of the cost: per mass, per step, per semaphore operation, per mass beyond the
    /// last-level cache, or per involuntary switch.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = TERMS.each_ref().map(|term| term.name))))]
    term: &'static str,
    /// Name of this part in `limited_by`, where it is the largest part of a step.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = TERMS.each_ref().map(|term| term.limit))))]
    limit: &'static str,
    /// Cost, in nanoseconds.
    ns: f64,
    /// Lower end of the 95 % interval, in nanoseconds.
    lower_ns: f64,
    /// Upper end of the 95 % interval, in nanoseconds.
    upper_ns: f64,
}

/// The share of each term in a step.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Shares {
    /// Share of compute.
    masses: f64,
    /// Share of the fixed part.
    step: f64,
    /// Share of locks.
    semaphores: f64,
    /// Share of memory: masses beyond the last cache.
    beyond_cache: f64,
    /// Share of involuntary switches: 0, since predictions contain none.
    switches: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, thiserror::Error)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(feature = "schema", schemars(rename = "FitRefusal"))]
pub enum Refusal {
    /// There are fewer runs than coefficients plus one.
    #[error("{} are too few; it takes {least} or more", counted(*runs, "run"))]
    TooFew {
        /// Number of runs.
        runs: usize,
        /// Smallest number that is enough.
        least: usize,
    },
    /// The runs do not separate the cost of this term from that of the earlier ones.
    #[error(
        "the cost of {term} cannot be separated from the rest; runs with {} would help",
        separating(term)
    )]
    Inseparable {
        /// The term, by its name as a limit.
        term: &'static str,
    },
}

fn separating(term: &str) -> &'static str {
    match term {
        "locks" => "one thread and several threads",
        "memory" => "sizes within and beyond the last cache",
        "switches" => "more sizes",
        _ => "several sizes",
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    pub ns: f64,
    /// Half-width of the 95 % prediction interval of the next run's mean step.
    pub margin_ns: f64,
    /// What each term takes of the step time, 0 to 1.
    shares: [f64; TERMS.len()],
    /// What takes most of the step; `None` if the runs do not show that it costs anything.
    pub limit: Option<&'static str>,
}

impl Fit {
    /// Fits the runs, or returns why they do not determine the model.
    pub(super) fn to(runs: &[Run]) -> Result<Self, Refusal> {
        let amounts = |term: usize| {
            let amount = move |run: &Run| (TERMS[term].amount)(&run.work, run.switches);
            runs.iter().map(amount).collect::<Vec<f64>>()
        };
        let is_seen = |term: &usize| {
            amounts(*term).into_iter().filter(|amount| *amount > 0.0).count() >= LEAST_SEEN
        };
        let terms: Vec<usize> = (0..TERMS.len()).filter(is_seen).collect();
        // After division by the measured times, residuals are shares.
        let scaled = |term: &usize| {
            let shares = amounts(*term).into_iter().zip(runs);
            shares.map(|(amount, run)| amount / run.step_ns).collect()
        };
        let columns: Vec<Vec<f64>> = terms.iter().map(scaled).collect();
        let ones = vec![1.0; runs.len()];
        let squares = LeastSquares::fit(&columns, &ones).map_err(|why| match why {
            Undetermined::TooFew { observations: runs, least } => Refusal::TooFew { runs, least },
            Undetermined::Collinear { column } => {
                Refusal::Inseparable { term: TERMS[terms[column]].limit }
            }
        })?;
        let mut fit = Self { typical_error: squares.residual, worst_error: 0.0, terms, squares };
        let error = |run: &Run| fit.of(&run.work, run.switches).ns / run.step_ns - 1.0;
        let errors = runs.iter().map(|run| error(run).abs());
        fit.worst_error = errors.fold(0.0, f64::max);
        Ok(fit)
    }

    pub(super) fn coefficients(&self) -> Vec<FittedTerm> {
        let of_term = |(number, term): (usize, &Term)| {
            let Coefficient { ns, margin_ns } = self.coefficient(number)?;
            let (lower_ns, upper_ns) = (ns - margin_ns, ns + margin_ns);
            Some(FittedTerm { term: term.name, limit: term.limit, ns, lower_ns, upper_ns })
        };
        TERMS.iter().enumerate().filter_map(of_term).collect()
    }

    /// Returns the cost of a term; `None` if it occurs in too few runs.
    pub fn coefficient(&self, term: usize) -> Option<Coefficient> {
        let column = self.terms.iter().position(|known| *known == term)?;
        Some(Coefficient {
            ns: self.squares.coefficients[column],
            margin_ns: self.squares.margin_of(column),
        })
    }

    pub(super) fn tell(&self, run: &mut Run) {
        let prediction = self.of(&run.work, run.switches);
        run.predicted_ns = Some(prediction.ns);
        run.limited_by = prediction.limit;
    }

    pub fn of(&self, work: &Work, switches: f64) -> Prediction {
        let amounts: Vec<f64> =
            self.terms.iter().map(|term| (TERMS[*term].amount)(work, switches)).collect();
        let ns = self.squares.value(&amounts);
        let of_one_run = self.squares.standard_errors * self.squares.residual * ns;
        let costs = self.squares.coefficients.iter().zip(&amounts);
        let costs: Vec<f64> = costs.map(|(ns, amount)| (ns * amount).max(0.0)).collect();
        let all: f64 = costs.iter().sum();
        let mut shares = [0.0; TERMS.len()];
        self.terms.iter().zip(&costs).for_each(|(term, cost)| shares[*term] = cost / all);
        let most = self.terms.iter().max_by(|a, b| shares[**a].total_cmp(&shares[**b]));
        let is_shown = |term: &&usize| self.coefficient(**term).is_some_and(|c| c.is_shown());
        let limit = most.filter(is_shown).map(|term| TERMS[*term].limit);
        let margin_ns = self.squares.margin(&amounts).hypot(of_one_run);
        Prediction { ns, margin_ns, shares, limit }
    }
}

impl Coefficient {
    pub fn is_shown(&self) -> bool {
        self.ns > self.margin_ns
    }
}

impl Prediction {
    pub fn share(&self, term: usize) -> f64 {
        self.shares[term]
    }

    pub(super) fn shares(&self) -> Shares {
        let [masses, step, semaphores, beyond_cache, switches] = self.shares;
        Shares { masses, step, semaphores, beyond_cache, switches }
    }
}
