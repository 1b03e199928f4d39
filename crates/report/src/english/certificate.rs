//! English of certificates, of their verification and of their order.

use analysis::certificate::{Certificate, Place};
use analysis::finding::{AboutCertificates as About, Disagreement, Signer};
use analysis::lists::each_once;
use analysis::words::{counted, listed, time};

use super::label::Label;
use crate::answer::Answer;
use analysis::finding::Said;
use analysis::phrases::{joined, some};

const MOST_NAMED: usize = 3;
/// What a folder says that nothing else in it confirms.
const NOT_CHECKED: &str = "The machine, counters, other warnings, dates, names, the version and the \
                           self-test are as stated; nothing can check them.";

pub(super) fn said(finding: &About) -> Said {
    match finding {
        About::LoadsNotTried { loads } => {
            "Loads".says(format!("no run had the load {}.", listed(loads)))
        }
        About::CpusNotMeasured { cpus } => "CPUs".says(format!("nothing was measured on {cpus}.")),
        About::Warned { cause, runs, of } => {
            "Warning".says(format!("{runs} of {}: {cause}.", counted(*of, "run")))
        }
        About::LongestRun { duration_ns } => "Time".says({
            let longest = time(*duration_ns as f64);
            format!("no run was longer than {longest}, and none was repeated after a restart.")
        }),
        About::Agrees { files, runs } => "Answer".good(format!(
            "AGREES: every figure of {} was recomputed from samples, and {} match. {NOT_CHECKED}",
            counted(*runs, "run"),
            counted(*files, "file")
        )),
        About::AgreesInPart { files, recomputed, runs } => "Answer".says(format!(
            "AGREES IN PART: {} match, but only {recomputed} of {} kept the samples that figures \
             are recomputed from. {NOT_CHECKED}",
            counted(*files, "file"),
            counted(*runs, "run")
        )),
        About::Disagrees { problem } => {
            "Answer".bad(format!("DOES NOT AGREE: {}.", disagreement(problem)))
        }
        About::NotRecomputed { runs } => "No samples".says({
            let more = some(runs.len().saturating_sub(MOST_NAMED));
            let more = more.map(|more| format!("{more} more"));
            let named = joined(runs.iter().take(MOST_NAMED).cloned().chain(more), "; ");
            format!(
                "{named}. Only histograms were kept; `steadfast run --keep-samples` keeps samples."
            )
        }),
        About::Signed { by: None } => {
            "Signature".says("none, so nothing shows who made this certificate.")
        }
        About::Signed { by: Some(Signer { fingerprint, is_expected: true }) } => {
            "Signature".says(format!("valid, by the expected key {fingerprint}."))
        }
        About::Signed { by: Some(Signer { fingerprint, is_expected: false }) } => "Signature"
            .says(format!("valid, by the key {fingerprint}; --key FILE checks whose key it is.")),
        About::Ahead { name, tests, shown } => {
            let of = counted(*tests, "comparable test");
            match (shown, tests - shown) {
                (0, _) => "Answer".says(format!(
                    "{name} is ahead in {of}, but this is not shown in any of them."
                )),
                (_, 0) => {
                    "Answer".good(format!("{name} is better: ahead in {of}, and this is shown."))
                }
                _ => "Answer".says(format!("{name} is ahead in {of}; this is shown in {shown}.")),
            }
        }
        About::Mixed { ahead, tests } => "Answer".says({
            let each = ahead.iter().map(|(name, tests)| format!("{name} in {tests}"));
            let (of, each) = (counted(*tests, "comparable test"), joined(each, ", "));
            format!("No machine is ahead everywhere. Of {of}, ahead: {each}.")
        }),
        About::NotComparable { certificates } => "Answer".says(format!(
            "No order: of {}, no two have a test in common (measurement, load and duration).",
            counted(*certificates, "certificate")
        )),
        About::NotRanked { name, problem } => {
            "Not ranked".says(format!("{name}: {}.", disagreement(problem)))
        }
        About::OrderShown => "Confidence".says(
            "an order is shown if equal machines would differ as much in at most 5 % of tests; \
             unit of analysis: the run. It takes at least three runs on each side (`--repeat 3`).",
        ),
    }
}

pub(crate) fn disagreement(problem: &Disagreement) -> String {
    match problem {
        Disagreement::Missing { file } => format!("{file} is missing"),
        Disagreement::Added { file } => format!("{file} does not belong to a certificate"),
        Disagreement::NotAFile { file } => format!("{file} is not an ordinary file"),
        Disagreement::Sparse { file } => {
            format!("{file} has large holes, which no file of a certificate has")
        }
        Disagreement::Changed { file } => format!("{file} was changed"),
        Disagreement::NotCanonical { file } => {
            format!("{file} is not in the form in which it was written")
        }
        Disagreement::Unreadable { why } => why.clone(),
        Disagreement::Contradiction { run, why } => {
            format!("{run}: its conditions contradict each other: {why}")
        }
        Disagreement::FigureDiffers { run, figure } => {
            format!("{run}: {figure} does not follow from the samples")
        }
        Disagreement::SamplesRefused { run, why } => {
            format!("{run}: the samples are not those of this run ({why})")
        }
        Disagreement::NotFromResults { file, made_by: None } => {
            format!("{file} does not follow from the stored results")
        }
        Disagreement::NotFromResults { file, made_by: Some(version) } => format!(
            "{file} does not follow from the stored results; steadfast {version} made it, and only that \
             version can check it"
        ),
        Disagreement::SignatureWrong => {
            "the signature is not one of SHA256SUMS for Steadfast".to_owned()
        }
        Disagreement::OtherKey { fingerprint } => {
            format!("the signature is by another key, {fingerprint}")
        }
        Disagreement::NotSigned => "it is not signed".to_owned(),
    }
}

/// Returns the two lines of a badge: the answer; loads, time and machine.
pub(crate) fn badge(certificate: &Certificate, answer: &Answer) -> [String; 2] {
    let loads = each_once(certificate.scope.iter().map(|scope| scope.loads.clone()));
    let about = [listed(&loads), answer.effort.clone(), answer.subject.clone()];
    [answer.verdict.clone(), about.join("; ")]
}

pub(crate) fn how_to_check(certificate: &Certificate) -> String {
    let recordings = &certificate.recordings;
    let kept = recordings.iter().filter(|recorded| recorded.samples_sha256.is_some()).count();
    let all = recordings.len();
    let recomputed = match kept {
        0 => "Only histograms were kept, so figures cannot be recomputed.",
        _ if kept == all => "Every figure can be recomputed from the samples in results.db.",
        _ => &format!("Figures of {kept} of {} can be recomputed.", counted(all, "run")),
    };
    format!(
        "{recomputed} `steadfast verify DIR` does that with steadfast {}, and compares every file of this \
         certificate.",
        certificate.tool_version
    )
}

pub(crate) fn proof(place: &Place) -> String {
    let order = place.shown.map(|is_shown| {
        format!("ahead of the next: {}", if is_shown { "shown" } else { "not shown" })
    });
    let figures = (!place.is_recomputed).then(|| "figures not recomputed".to_owned());
    joined(order.into_iter().chain(figures), "; ")
}
