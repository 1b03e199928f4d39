//! Deadlines of runs, and the miss rate that follows if runs differ.

use crate::MissRate;
use crate::binomial::{at_least, at_most};

/// The outcome of deadlines, over all runs.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tries {
    /// Number of runs.
    pub runs: u64,
    /// Deadlines that were due.
    pub due: u64,
    /// Deadlines that were missed.
    pub missed: u64,
    /// Sum over the runs of missed² / due.
    squares: f64,
    /// The design effect of blocks of consecutive runs, if it was computed.
    of_blocks: f64,
}

/// Deadlines of runs that followed each other, such as the intervals of a soak. Misses that come
/// together over several runs make blocks of runs differ more than the runs do.
#[derive(Debug, Clone, Default)]
pub struct InOrder {
    all: Tries,
    /// Blocks of 1, 2, 4, ... runs.
    blocks: Vec<Blocks>,
}

/// All full blocks of one length.
#[derive(Debug, Clone, Default)]
struct Blocks {
    all: Tries,
    /// A block that waits for the other half of one that is twice as long.
    half: Option<Tries>,
}

/// The fewest blocks whose design effect counts.
const FEWEST_BLOCKS: u64 = 10;

/// The 95 % quantile of the normal distribution.
const NORMAL: f64 = 1.645;

impl Tries {
    /// Creates the counts of one run with this many deadlines. Misses are limited to the due
    /// deadlines, whatever an external result says.
    pub fn one(due: u64, missed: u64) -> Self {
        let missed = missed.min(due);
        let squares = (missed as f64).powi(2) / due.max(1) as f64;
        Self { runs: 1, due, missed, squares, of_blocks: 1.0 }
    }

    /// Adds the counts of other runs.
    pub fn add(&mut self, more: Self) {
        self.runs += more.runs;
        self.due = self.due.saturating_add(more.due);
        self.missed = self.missed.saturating_add(more.missed);
        self.squares += more.squares;
        self.of_blocks = self.of_blocks.max(more.of_blocks);
    }

    /// Returns the counts with this many more runs that have `due` deadlines together and miss none.
    #[must_use]
    pub fn with_clean(self, runs: u64, due: u64) -> Self {
        Self { runs: self.runs + runs, due: self.due.saturating_add(due), ..self }
    }

    /// Returns one run with the counts of both.
    fn joined(self, next: Self) -> Self {
        Self::one(self.due.saturating_add(next.due), self.missed.saturating_add(next.missed))
    }

    /// Returns the share of deadlines that were missed, 0 to 1.
    pub fn share(self) -> f64 {
        self.missed as f64 / self.due.max(1) as f64
    }

    /// Returns the miss rate and its bounds if `claims` claims, 1 or more, must hold together;
    /// `None` without a deadline.
    ///
    /// Misses that are concentrated in few runs carry less information than the same number of
    /// independent ones. If runs differ more than chance allows, both counts are divided by how
    /// many times more they differ (the design effect: Rao, Scott, A simple method for the analysis
    /// of clustered binary data, Biometrics 48, 1992). So if one run had all the misses, they count
    /// as one.
    pub fn rate(self, claims: usize) -> Option<MissRate> {
        let (missed, due) = self.independent();
        let alone = MissRate::among(claims, missed, due)?;
        Some(MissRate { rate: self.share(), ..alone })
    }

    /// Returns the chances of as few misses or fewer, and of as many or more, if the true share were
    /// `share` (above 0 and below 1). Misses that are concentrated in few runs count less, as in
    /// [`Self::rate`].
    pub fn chances(self, share: f64) -> [f64; 2] {
        let (missed, due) = self.independent();
        [at_most(missed, due, share), at_least(missed, due, share)]
    }

    /// Returns how many independent misses of how many deadlines carry as much information.
    fn independent(self) -> (u64, u64) {
        let more = self.design_effect();
        if more <= 1.0 {
            return (self.missed, self.due);
        }
        let misses = (self.missed as f64 / more).floor().max(1.0);
        (misses as u64, (misses / self.share()).floor() as u64)
    }

    /// Returns true if runs differ more than chance allows.
    pub fn runs_differ(self) -> bool {
        self.design_effect() > 1.0
    }

    /// Returns the upper bound of the share of runs that have a miss, if no run had one and
    /// `claims` claims hold together; `None` if a run had a miss, and without a run.
    pub fn bad_runs(self, claims: usize) -> Option<f64> {
        let clean = self.missed == 0;
        clean.then(|| MissRate::among(claims, 0, self.runs))?.map(|rate| rate.upper)
    }

    /// Returns how many times more the counts of runs vary than those of independent misses would,
    /// by Pearson's statistic; 1 if such a variation has a chance of 5 % or more. Blocks of runs
    /// count if they vary more.
    pub(crate) fn design_effect(self) -> f64 {
        let least = self.of_blocks.max(1.0);
        if self.runs < 2 || self.missed == 0 || self.missed >= self.due {
            return least;
        }
        let (missed, due) = (self.missed as f64, self.due as f64);
        let freedom = (self.runs - 1) as f64;
        let statistic =
            (self.squares - missed * missed / due) / (missed / due * (1.0 - missed / due));
        if statistic > chi_squared(freedom) { (statistic / freedom).max(least) } else { least }
    }
}

impl InOrder {
    /// Adds the counts of the next run.
    pub fn add(&mut self, next: Tries) {
        self.all.add(next);
        let mut block = next;
        for blocks in &mut self.blocks {
            blocks.all.add(block);
            match blocks.half.take() {
                None => return blocks.half = Some(block),
                Some(half) => block = half.joined(block),
            }
        }
        self.blocks.push(Blocks { all: block, half: Some(block) });
    }

    /// Returns the counts of all runs. Their miss rate takes the blocks as the unit of analysis that
    /// vary most, of at least ten: the runs, unless misses come together over several runs.
    pub fn together(&self) -> Tries {
        let enough = self.blocks.iter().filter(|blocks| blocks.all.runs >= FEWEST_BLOCKS);
        let effects = enough.map(|blocks| blocks.all.design_effect());
        Tries { of_blocks: effects.fold(1.0, f64::max), ..self.all }
    }
}

impl FromIterator<Tries> for InOrder {
    fn from_iter<I: IntoIterator<Item = Tries>>(runs: I) -> Self {
        let mut all = Self::default();
        runs.into_iter().for_each(|run| all.add(run));
        all
    }
}

/// Returns the 95 % quantile of the chi-squared distribution with these degrees of freedom (Wilson,
/// Hilferty, The distribution of chi-square, Proc. Natl. Acad. Sci. 17, 1931).
fn chi_squared(freedom: f64) -> f64 {
    let part = 2.0 / (9.0 * freedom);
    freedom * (1.0 - part + NORMAL * part.sqrt()).powi(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(counts: &[u64]) -> Tries {
        let mut all = Tries::default();
        counts.iter().for_each(|missed| all.add(Tries::one(1000, *missed)));
        all
    }

    /// Golden values of scipy 1.17: `chi2.ppf(0.95, freedom)`.
    #[test]
    fn limits_are_near_those_of_scipy() {
        for (freedom, limit) in [(1.0, 3.841_459), (9.0, 16.918_978), (49.0, 66.338_649)] {
            assert!((chi_squared(freedom) / limit - 1.0).abs() < 0.03, "{freedom}");
        }
    }

    #[test]
    fn one_bad_run_of_ten_counts_as_one_miss() {
        let bad = runs(&[0, 0, 0, 50, 0, 0, 0, 0, 0, 0]).rate(1).unwrap();
        // Of 50 misses in 10 000, one in 200 remains: the rate is the same.
        assert_eq!(Some(bad), MissRate::of(1, 200));
        let even = runs(&[5, 4, 6, 5, 5, 3, 7, 5, 5, 5]);
        assert_eq!(even.rate(1), MissRate::of(50, 10_000));
        assert!(!even.runs_differ());
        assert!(bad.lower < 0.0005 && bad.upper > 0.02, "{bad:?}");
    }

    #[test]
    fn chances_of_counts_are_those_of_the_binomial_distribution() {
        // (1 - 0.003)^1000, and its complement.
        let [few, many] = runs(&[0]).chances(0.003);
        assert!((few - 0.049_56).abs() < 1e-4 && many == 1.0, "{few} {many}");
        let [few, many] = runs(&[1]).chances(0.003);
        assert!(few > 0.19 && (many - 0.950_44).abs() < 1e-4, "{few} {many}");
        assert_eq!(runs(&[900]).chances(0.003), [1.0, 0.0]);
        // One bad run of ten counts as one miss of 200.
        let bad = runs(&[0, 0, 0, 50, 0, 0, 0, 0, 0, 0]).chances(0.005);
        assert_eq!(bad, Tries::one(200, 1).chances(0.005));
    }

    #[test]
    fn misses_that_come_together_over_several_runs_make_blocks_the_unit() {
        let in_order = |counts: &[u64]| -> InOrder {
            counts.iter().map(|missed| Tries::one(1000, *missed)).collect()
        };
        // 160 runs, of which 16 neighbours miss 5 each, or the same counts spread evenly.
        let mut together = [0; 160];
        together[64..80].fill(5);
        let mut spread = [0; 160];
        spread.iter_mut().step_by(10).for_each(|missed| *missed = 5);
        let [together, spread] = [together, spread].map(|counts| in_order(&counts).together());
        let [blocks, apart] = [together, spread].map(|tries| tries.rate(1).unwrap());
        assert_eq!((together.runs, together.due, together.missed), (160, 160_000, 80));
        assert_eq!(apart.rate, blocks.rate);
        assert!(blocks.upper > 2.0 * apart.upper, "{blocks:?} {apart:?}");
        assert!(apart.upper >= runs(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 5]).rate(1).unwrap().rate);
        // Too few runs for longer blocks, and clean ones, are as without an order.
        for counts in [&[0, 0, 0, 50, 0, 0, 0, 0, 0, 0][..], &[0; 40]] {
            assert_eq!(in_order(counts).together().rate(1), runs(counts).rate(1));
        }
    }

    #[test]
    fn clean_runs_bound_the_share_of_bad_ones() {
        // The rule of three, for runs: 1 - 0.05^(1/29).
        let bound = runs(&[0; 29]).bad_runs(1).unwrap();
        assert!((bound - 0.0981).abs() < 1e-3, "{bound}");
        assert_eq!(runs(&[0, 1]).bad_runs(1), None);
        assert_eq!(Tries::default().bad_runs(1), None);
        assert_eq!(Tries::default().rate(1), None);
    }
}
