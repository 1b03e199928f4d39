//! Statements about certificates: untried conditions, whether a folder agrees, which machine leads.

use serde::Serialize;

use super::said::{Said, Standing, statements};
use crate::phrases::{joined, maybe, some};
use crate::words::{counted, listed, time};

statements! { AboutCertificates {
    /// Loads that this program has and no run had.
    LoadsNotTried { loads: Vec<String> }
        "Loads": "no run had the load {}.", listed(loads);

    CpusNotMeasured { cpus: String }
        "CPUs": "nothing was measured on {cpus}.";

    /// A warning of runs, which are valid all the same.
    Warned { cause: String, runs: usize, of: usize }
        "Warning": "{runs} of {}: {cause}.", counted(*of, "run");

    LongestRun { duration_ns: u64 }
        "Time": "no run was longer than {}, and none was repeated after a restart.", time(*duration_ns as f64);

    /// Everything in a folder agrees with its samples.
    Agrees { files: usize, runs: usize }
        "Answer", Good: "AGREES: every figure of {} was recomputed from samples, and {} match. {NOT_CHECKED}",
            counted(*runs, "run"), counted(*files, "file");

    /// Nothing in a folder disagrees, but some figures have no samples.
    AgreesInPart { files: usize, recomputed: usize, runs: usize }
        "Answer": "AGREES IN PART: {} match, but only {recomputed} of {} kept the samples that figures are recomputed \
            from. {NOT_CHECKED}", counted(*files, "file"), counted(*runs, "run");

    /// Something in a folder contradicts the rest.
    Disagrees { problem: Disagreement }
        "Answer", Bad: "DOES NOT AGREE: {problem}.";

    /// Runs whose figures could not be recomputed.
    NotRecomputed { runs: Vec<String> }
        "No samples": "{}. Only histograms were kept; `steadfast run --keep-samples` keeps samples.", first(runs);

    /// Who signed a folder; `None`: it is not signed.
    Signed { by: Option<Signer> }
        "Signature" = match by {
            None => "none, so nothing shows who made this certificate.".to_owned(),
            Some(Signer { fingerprint, is_expected: true }) => format!("valid, by the expected key {fingerprint}."),
            Some(Signer { fingerprint, .. }) => {
                format!("valid, by the key {fingerprint}; --key FILE checks whose key it is.")
            }
        };

    /// One machine is ahead in every test that both of the best two have; in `shown` of them, the order is shown.
    Ahead { name: String, tests: usize, shown: usize }
        => ahead(name, *tests, *shown);

    /// Each of several machines is ahead in this number of tests.
    Mixed { ahead: Vec<(String, usize)>, tests: usize }
        "Answer": "No machine is ahead everywhere. Of {}, ahead: {}.", counted(*tests, "comparable test"),
            joined(ahead.iter().map(|(name, tests)| format!("{name} in {tests}")), ", ");

    NotComparable { certificates: usize }
        "Answer": "No order: of {}, no two have a test in common (measurement, load and duration).",
            counted(*certificates, "certificate");

    /// Certificates that are not ranked.
    NotRanked { name: String, problem: Disagreement }
        "Not ranked": "{name}: {problem}.";

    /// How the order of two certificates is judged.
    OrderShown
        "Confidence": "an order is shown if equal machines would differ as much in at most 5 % of tests; unit of \
            analysis: the run. It takes at least three runs on each side (`--repeat 3`).";
}}

/// What a folder says that nothing else in it confirms.
const NOT_CHECKED: &str = "The machine, counters, other warnings, dates, names, the version and the \
                           self-test are as stated; nothing can check them.";

const MOST_NAMED: usize = 3;

fn first(runs: &[String]) -> String {
    let more = some(runs.len().saturating_sub(MOST_NAMED));
    let more = more.map(|more| format!("{more} more"));
    joined(runs.iter().take(MOST_NAMED).cloned().chain(more), "; ")
}

fn ahead(name: &str, tests: usize, shown: usize) -> Said {
    let of = counted(tests, "comparable test");
    let (standing, words) = match (shown, tests - shown) {
        (0, _) => (Standing::Open, format!("ahead in {of}, but this is not shown in any of them")),
        (_, 0) => (Standing::Good, format!("better: ahead in {of}, and this is shown")),
        _ => (Standing::Open, format!("ahead in {of}; this is shown in {shown}")),
    };
    Said::answer(standing, format!("{name} is {words}."))
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Signer {
    /// Hash of the public key, as `ssh-keygen -l` prints it.
    pub fingerprint: String,
    /// Whether it is the key that was named.
    pub is_expected: bool,
}

/// Something in the folder of a certificate that contradicts the rest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "problem", rename_all = "snake_case")]
pub enum Disagreement {
    #[error("{file} is missing")]
    Missing { file: String },
    /// There is a file, or one is listed, that no certificate has.
    #[error("{file} does not belong to a certificate")]
    Added { file: String },
    #[error("{file} is not an ordinary file")]
    NotAFile { file: String },
    /// A file claims a length that it does not have.
    #[error("{file} has large holes, which no file of a certificate has")]
    Sparse { file: String },
    /// A file has another hash than listed.
    #[error("{file} was changed")]
    Changed { file: String },
    /// The list of hashes is not in the form in which it was written.
    #[error("{file} is not in the form in which it was written")]
    NotCanonical { file: String },
    /// The stored results cannot be read.
    #[error("{why}")]
    Unreadable { why: String },
    #[error("{run}: its conditions contradict each other: {why}")]
    Contradiction { run: String, why: String },
    #[error("{run}: {figure} does not follow from the samples")]
    FigureDiffers { run: String, figure: String },
    #[error("{run}: the samples are not those of this run ({why})")]
    SamplesRefused { run: String, why: String },
    /// `made_by` is the version of Steadfast that made the folder, if it is not this one.
    #[error("{file} does not follow from the stored results{}", only_by(made_by.as_ref()))]
    NotFromResults { file: String, made_by: Option<String> },
    #[error("the signature is not one of SHA256SUMS for Steadfast")]
    SignatureWrong,
    #[error("the signature is by another key, {fingerprint}")]
    OtherKey { fingerprint: String },
    /// A signature was required.
    #[error("it is not signed")]
    NotSigned,
}

fn only_by(made_by: Option<&String>) -> String {
    maybe(made_by, |version| {
        format!("; steadfast {version} made it, and only that version can check it")
    })
}
