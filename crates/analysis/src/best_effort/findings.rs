//! Findings on the choices of one mix.

use super::BestEffort;
use super::choice::{Choice, Interval};
use crate::effect::Effect;
use crate::finding::{AboutDeadlines, AboutEffects, Compared, Finding, Why, Work};
use crate::lists::filled;

pub fn findings(tried: &[BestEffort]) -> Vec<Finding> {
    let nothing = AboutEffects::Inconclusive { why: Why::NothingToCompare };
    tried.first().map_or_else(|| vec![Finding::Effects(nothing)], BestEffort::findings)
}

impl BestEffort {
    pub fn findings(&self) -> Vec<Finding> {
        let not_measured = self.choices.iter().filter(|choice| choice.runs == 0).map(|choice| {
            Finding::not_measured(&choice.name, Vec::new(), choice.why_invalid.clone())
        });
        let verdict = [Some(self.verdict()), self.missed(), self.idle(), self.slower()];
        let evidence = [Some(self.evidence()), self.bound()].into_iter().flatten();
        verdict.into_iter().flatten().chain(not_measured).chain(evidence).collect()
    }

    fn verdict(&self) -> Finding {
        let none = self.none().filter(|none| none.missed > 0);
        if let Some(&Choice { missed, due, .. }) = none {
            return Finding::Effects(AboutEffects::MissesWithoutWork { missed, due });
        }
        let most = self.best().and_then(|best| {
            let (choice, work) = (best.name.clone(), self.work(best.work_per_s?));
            Some(AboutEffects::MostWork { choice, work })
        });
        Finding::Effects(most.unwrap_or(AboutEffects::NoWorkFits))
    }

    fn none(&self) -> Option<&Choice> {
        self.choices.iter().find(|choice| choice.is_none())
    }

    /// Returns the choice with the most work among those without a missed deadline.
    fn best(&self) -> Option<&Choice> {
        self.choices.iter().rfind(|choice| choice.fits())
    }

    fn work(&self, work: Interval) -> Work {
        Work { per_s: work.ends(), unit: self.unit.clone() }
    }

    pub fn fastest(&self) -> &str {
        self.rates.first().map_or("", String::as_str)
    }

    fn missed(&self) -> Option<Finding> {
        let missed = self.choices.iter().filter(|choice| choice.missed > 0);
        let cases = missed.map(|choice| (choice.name.clone(), choice.missed, choice.due));
        Some(Finding::Deadlines(AboutDeadlines::Missed { cases: filled(cases)? }))
    }

    fn idle(&self) -> Option<Finding> {
        let idle = self.choices.iter().find(|choice| choice.name == "idle")?;
        Some(Finding::Effects(AboutEffects::IdleWork {
            work: self.work(idle.work_per_s?),
            median: idle.median,
            rate: self.fastest().to_owned(),
        }))
    }

    fn slower(&self) -> Option<Finding> {
        let slower = self.choices.iter().filter_map(|choice| {
            let median = choice.median.filter(Effect::is_worse)?;
            Some((choice.name.clone(), median.times[1]))
        });
        let mut choices = filled(slower)?;
        choices.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        let rate = self.fastest().to_owned();
        Some(Finding::Effects(AboutEffects::Slower { rate, choices }))
    }

    fn evidence(&self) -> Finding {
        let others = self.choices.iter().filter(|choice| !choice.is_none());
        let runs = others.map(|choice| choice.runs).filter(|runs| *runs > 0);
        Finding::Effects(AboutEffects::Evidence {
            comparisons: self.comparisons,
            reference_runs: self.none().map_or(0, |none| none.runs),
            least_runs: runs.min().unwrap_or_default(),
            shams: Vec::new(),
            figure: Compared::Median,
        })
    }

    fn bound(&self) -> Option<Finding> {
        let best = self.best()?;
        let upper = best.missed_share?.upper;
        Some(Finding::Deadlines(AboutDeadlines::MissBound { what: best.name.clone(), upper }))
    }
}
