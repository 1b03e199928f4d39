//! The findings of published studies: which of them hold, study by study in the papers' order.

use analysis::Analysis;
use analysis::finding::{AboutStudies, Finding, verdict_counts};
use analysis::studies::{Judged, STUDIES, answer};

use super::figure::verdicts;
use super::section::section;
use crate::answer::Line;
use crate::document::Section;
use crate::figure::Figure;
use crate::pages::page_of_view;
use crate::view::View;
use crate::{Page, linked};

pub struct StudiesView {
    pub judged: Vec<Judged>,
}

impl StudiesView {
    /// Returns the page with the findings alone, the machines and every run.
    pub fn page(&self, analysis: &Analysis) -> Page {
        linked(&page_of_view(self, analysis))
    }
}

impl View for StudiesView {
    /// The findings were requested, so they lead.
    fn weight(&self, _: &Analysis) -> Option<f64> {
        Some(f64::INFINITY)
    }

    fn findings(&self, _: &Analysis) -> Vec<Finding> {
        answer(&self.judged)
    }

    /// The verdicts of each study.
    fn figures(&self, _: &Analysis) -> Vec<Line> {
        let line = |(name, source): (&str, &str)| {
            let of_this_study = of_study(&self.judged, name);
            let Finding::Studies(AboutStudies::StudiesJudged {
                holds,
                reversed,
                undecided,
                not_measured,
                not_testable,
                ..
            }) = answer(&of_this_study).swap_remove(0)
            else {
                return None;
            };
            let counts = [holds, reversed, undecided, not_measured, not_testable];
            let figures = verdict_counts(counts).into();
            (!of_this_study.is_empty()).then(|| Line { what: source.to_owned(), figures })
        };
        STUDIES.into_iter().filter_map(line).collect()
    }

    fn picture(&self, _: &Analysis) -> Option<Figure> {
        let caption = "Every finding by study and verdict.";
        verdicts("verdicts", caption, &self.judged)
    }

    fn sections(&self, _: &Analysis) -> Vec<Section> {
        let section = |(name, source)| section(name, source, &of_study(&self.judged, name));
        STUDIES.into_iter().filter_map(section).collect()
    }
}

fn of_study(judged: &[Judged], study: &str) -> Vec<Judged> {
    judged.iter().filter(|judgement| judgement.finding.study() == study).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Telling, fixture};
    use analysis::standards::DEFAULT_STANDARDS;
    use analysis::studies::{findings, judged};
    use record::Outcome;

    /// Runs in which FIFO lowers the worst wake-up, as FRA-6 says, or raises it.
    fn runs(is_reversed: bool) -> Vec<Outcome> {
        let run = |policy: &str, us: f64| {
            let loads = Some("cpu+disk+network");
            let mut run = fixture::wakeup(policy.parse().unwrap(), loads, 5e3, us * 1e3);
            let period = record::Value::Time(base::Nanos(10_000_000));
            run.header.spec.parameters.set("period", period);
            run
        };
        let (other, fifo) = if is_reversed { (40.0, 400.0) } else { (400.0, 40.0) };
        let pair = |off: f64| [run("other", other + off), run("fifo:80", fifo + off)];
        [0.0, 2.0, 1.0].into_iter().flat_map(pair).collect()
    }

    fn page(runs: &[Outcome]) -> String {
        StudiesView { judged: judged(findings(), runs) }
            .page(&Analysis::of(runs, &DEFAULT_STANDARDS))
            .html
    }

    #[test]
    fn the_page_counts_the_verdicts_and_has_a_section_for_each_study() {
        let html = page(&runs(false)).replace('\u{a0}', " ");
        let counts = html.split("Of 93 findings: ").nth(1).and_then(|rest| rest.split_once('.'));
        assert_eq!(
            counts.unwrap().0,
            "1 holds, 0 are reversed, 0 undecided, 36 not measured yet, 56 not testable here"
        );
        for (name, source) in STUDIES {
            assert!(html.contains(&format!("id=\"study-{name}\"")), "{name}");
            assert!(html.contains(source), "{source}");
        }
        for finding in findings() {
            assert!(html.contains(&finding.id), "{}", finding.id);
        }
    }

    #[test]
    fn a_reversed_finding_is_named_above_the_tables() {
        let runs = runs(true);
        let analysis = Analysis::of(&runs, &DEFAULT_STANDARDS);
        let answer = StudiesView { judged: judged(findings(), &runs) }.answer(&analysis);
        let mut reversed = answer.remarks;
        reversed.retain(|remark| remark.name == "Reversed");
        let [one] = &reversed[..] else { panic!("{reversed:?}") };
        assert!(one.words.starts_with("FRA-6: "), "{one:?}");
    }

    #[test]
    fn measured_figures_are_next_to_the_ratio_that_decides() {
        let all = judged(findings(), &runs(false));
        let one = all.iter().find(|one| one.finding.id == "FRA-6").unwrap();
        let measured = one.measured_in_words();
        assert!(measured.starts_with("worst of wakeup: 397 µs, 40.7 µs: 0.10x ("), "{measured}");
    }
}
