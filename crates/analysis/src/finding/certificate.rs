//! Findings about certificates: untried conditions, whether a folder agrees, which machine leads.

use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AboutCertificates {
    /// Loads that this program has and no run had.
    LoadsNotTried { loads: Vec<String> },
    /// CPUs of the machine on which nothing was measured.
    CpusNotMeasured { cpus: String },
    /// A warning of runs, which are valid all the same.
    Warned { cause: String, runs: usize, of: usize },
    /// No run was longer.
    LongestRun { duration_ns: u64 },
    /// Everything in a folder agrees with its samples.
    Agrees { files: usize, runs: usize },
    /// Nothing in a folder disagrees, but some figures have no samples.
    AgreesInPart { files: usize, recomputed: usize, runs: usize },
    /// Something in a folder contradicts the rest.
    Disagrees { problem: Disagreement },
    /// Runs whose figures could not be recomputed, because only their histograms were kept.
    NotRecomputed { runs: Vec<String> },
    /// Who signed a folder; `None`: it is not signed.
    Signed { by: Option<Signer> },
    /// One machine is ahead in every test that both of the best two have; in `shown` of them, the
    /// order is shown.
    Ahead { name: String, tests: usize, shown: usize },
    /// Each of several machines is ahead in this number of tests.
    Mixed { ahead: Vec<(String, usize)>, tests: usize },
    /// No two certificates have a test in common.
    NotComparable { certificates: usize },
    /// Certificates that are not ranked.
    NotRanked { name: String, problem: Disagreement },
    /// How the order of two certificates is judged.
    OrderShown,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Signer {
    /// Hash of the public key, as `ssh-keygen -l` prints it.
    pub fingerprint: String,
    /// Whether it is the key that was named.
    pub is_expected: bool,
}

/// Something in the folder of a certificate that contradicts the rest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "problem", rename_all = "snake_case")]
pub enum Disagreement {
    /// A listed file is missing.
    Missing { file: String },
    /// There is a file, or one is listed, that no certificate has.
    Added { file: String },
    /// Something else has the name of a file.
    NotAFile { file: String },
    /// A file claims a length that it does not have.
    Sparse { file: String },
    /// A file has another hash than listed.
    Changed { file: String },
    /// The list of hashes is not in the form in which it was written.
    NotCanonical { file: String },
    /// The stored results cannot be read.
    Unreadable { why: String },
    /// Conditions of a run contradict each other.
    Contradiction { run: String, why: String },
    /// A stored figure does not follow from its samples.
    FigureDiffers { run: String, figure: String },
    /// The samples cannot come from their run.
    SamplesRefused { run: String, why: String },
    /// A file differs from what follows from the stored results; `made_by` is the version of
    /// Steadfast that made the folder, if it is not this one.
    NotFromResults { file: String, made_by: Option<String> },
    /// The signature is not of this folder.
    SignatureWrong,
    /// The signature is by a key that was not expected.
    OtherKey { fingerprint: String },
    /// A signature was required.
    NotSigned,
}
