//! `steadfast verify`: recomputes a certificate and compares it with the folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use analysis::finding::{AboutCertificates, Disagreement, Finding, Signer};
use anyhow::{Error, Result, bail};
use clap::Args;
use record::Outcome;
use report::Verified;
use serde_json::{Value, json};
use store::{Store, StoreError};

use super::folder::{self, JSON, STORE};
use super::signature;
use super::stated::{Stated, VERSION};
use crate::options::JsonArgs;
use crate::startup::exit::{EXIT_FAILED, EXIT_NOT_RECOMPUTED};
use crate::startup::output::{print_answer, print_json};

#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 everything agrees; 1 something does not; 3 nothing disagrees, but some figures \
                        could not be recomputed."
)]
pub(crate) struct VerifyArgs {
    /// Directory that `steadfast certificate` wrote
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Public ssh key that must have signed the certificate
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    #[command(flatten)]
    answer: JsonArgs,
}

pub(crate) fn verify(args: &VerifyArgs) -> Result<ExitCode> {
    let checked = Checked::of(&args.dir, args.key.as_deref())?;
    let verified = checked.verified(&args.dir);
    if args.answer.json {
        print_json(&json!(verified))?;
    } else {
        let more = format!("{}/{}", args.dir.display(), folder::PAGE);
        print_answer(&verified.answer, &more)?;
    }
    Ok(match (verified.agrees, checked.without_samples().is_empty()) {
        (false, _) => ExitCode::from(EXIT_FAILED),
        (true, false) => ExitCode::from(EXIT_NOT_RECOMPUTED),
        (true, true) => ExitCode::SUCCESS,
    })
}

pub(super) struct Checked {
    files: usize,
    signer: Option<Signer>,
    pub(super) problem: Option<Disagreement>,
    /// The stored results; `None` if they were not read, because of a problem before that.
    pub(super) stated: Option<Stated>,
}

impl Checked {
    /// Checks a folder: first the hashes, then the signature, the figures, and the other files.
    pub(super) fn of(dir: &Path, key: Option<&Path>) -> Result<Self> {
        if !dir.is_dir() {
            let dir = dir.display();
            bail!("{dir} is not a directory; name one that `steadfast certificate` wrote");
        }
        let (files, problem) = folder::checked(dir)?;
        let mut checked = Self { files, signer: None, problem, stated: None };
        if checked.problem.is_none() {
            match signature::checked(dir, key)? {
                Ok(signer) => checked.signer = signer,
                Err(problem) => checked.problem = Some(problem),
            }
        }
        if checked.problem.is_none() {
            match read(dir)? {
                Ok(stated) => {
                    checked.problem = match &stated.problem {
                        None => differing(dir, &stated)?,
                        problem => problem.clone(),
                    };
                    checked.stated = Some(stated);
                }
                Err(error) => {
                    let why = format!("{STORE} {}", error.problem);
                    checked.problem = Some(Disagreement::Unreadable { why });
                }
            }
        }
        Ok(checked)
    }

    pub(super) fn outcomes(&self) -> &[Outcome] {
        self.stated.as_ref().map_or(&[], |stated| &stated.outcomes)
    }

    pub(super) fn without_samples(&self) -> Vec<String> {
        let Some(stated) = &self.stated else { return Vec::new() };
        let runs = stated.outcomes.iter().zip(&stated.recorded);
        let without = runs.filter(|(_, recorded)| recorded.samples_sha256.is_none());
        without.map(|(run, _)| run.header.spec.title()).collect()
    }

    fn verified(&self, dir: &Path) -> Verified {
        let runs = self.outcomes().len();
        let mut without = self.without_samples();
        let files = self.files;
        let recomputed = runs - without.len();
        let mut findings = match &self.problem {
            Some(problem) => vec![AboutCertificates::Disagrees { problem: problem.clone() }],
            None => {
                let agrees = if recomputed == runs {
                    AboutCertificates::Agrees { files, runs }
                } else {
                    AboutCertificates::AgreesInPart { files, recomputed, runs }
                };
                vec![agrees, AboutCertificates::Signed { by: self.signer.clone() }]
            }
        };
        without.dedup();
        if !without.is_empty() {
            findings.push(AboutCertificates::NotRecomputed { runs: without });
        }
        let findings = findings.into_iter().map(Finding::Certificates).collect();
        Verified::of(dir.display().to_string(), files, runs, findings)
    }
}

/// Reads the stored results as they are: beside a list of hashes, a store is never changed.
fn read(dir: &Path) -> Result<Result<Stated, StoreError>> {
    let store = Store::open_existing(&dir.join(STORE)).map_err(Error::new);
    store.and_then(|store| Stated::of(&store)).map(Ok).or_else(|error| error.downcast().map(Err))
}

fn differing(dir: &Path, stated: &Stated) -> Result<Option<Disagreement>> {
    for (file, text) in folder::files(stated) {
        let path = dir.join(file);
        if path.metadata()?.len() != text.len() as u64 || fs::read(path)? != text.as_bytes() {
            let made_by = made_by(dir).filter(|version| version != VERSION);
            return Ok(Some(Disagreement::NotFromResults { file: file.to_owned(), made_by }));
        }
    }
    Ok(None)
}

fn made_by(dir: &Path) -> Option<String> {
    let document: Value = serde_json::from_slice(&fs::read(dir.join(JSON)).ok()?).ok()?;
    Some(document["tool_version"].as_str()?.to_owned())
}
