//! What a certificate states: a pure function of the stored results.

use analysis::Analysis;
use analysis::certificate::{Certificate, Recorded};
use analysis::finding::Disagreement;
use analysis::standards::DEFAULT_STANDARDS;
use anyhow::Result;
use lab::sha256;
use record::{Heading, Outcome, samples_hash};
use report::Certified;
use store::Store;

use super::repeat;
use crate::command::store::changes;

pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

const CONTROLS: [&str; 2] = ["none", "sham"];

pub(super) struct Stated {
    pub(super) outcomes: Vec<Outcome>,
    pub(super) heading: Heading,
    titles: Vec<String>,
    pub(super) recorded: Vec<Recorded>,
    /// The first figure that does not follow from the samples of its run.
    pub(super) problem: Option<Disagreement>,
}

impl Stated {
    /// Reads all results of a store, and recomputes what has samples.
    pub(super) fn of(store: &Store) -> Result<Self> {
        let sessions = store.sessions()?;
        let mut stated = Self {
            outcomes: Vec::new(),
            heading: Heading::default(),
            titles: sessions.iter().map(|session| session.title.clone()).collect(),
            recorded: Vec::new(),
            problem: None,
        };
        for session in sessions {
            for run_id in store.run_ids(session.id)? {
                let (run, samples) = store.run(&run_id)?;
                let is_kept = !samples.is_empty();
                if stated.problem.is_none() {
                    let why = measure::contradiction(&run);
                    let run = run_id.clone();
                    stated.problem = why.map(|why| Disagreement::Contradiction { run, why });
                }
                let samples_sha256 = is_kept.then(|| samples_hash(&samples));
                if is_kept && stated.problem.is_none() {
                    stated.problem = problem(&run, measure::recomputed(&run, samples));
                }
                stated.recorded.push(Recorded { run_id, samples_sha256 });
                stated.outcomes.push(run);
            }
            stated.heading = session.heading.or(stated.heading);
        }
        Ok(stated)
    }

    pub(super) fn analysis(&self) -> Analysis<'_> {
        Analysis::of(&self.outcomes, &DEFAULT_STANDARDS).headed(self.heading.clone())
    }

    pub(super) fn certified(&self) -> Certified {
        let names = load::LOADS.iter().map(|load| load.name);
        let loads: Vec<&str> = names.filter(|name| !CONTROLS.contains(name)).collect();
        let commands = repeat::commands(&self.titles, &self.outcomes);
        let (analysis, recorded) = (self.analysis(), self.recorded.clone());
        let certificate =
            Certificate::of(&analysis, VERSION, &loads, commands, recorded, self.all_sha256());
        report::certificate(&analysis, &certificate)
    }

    /// Returns the hash over names and hashes of all recordings; `None` without samples.
    fn all_sha256(&self) -> Option<String> {
        let line = |recorded: &Recorded| {
            let hash = recorded.samples_sha256.as_ref()?;
            Some(format!("{hash}  {}\n", recorded.run_id))
        };
        let lines: String = self.recorded.iter().filter_map(line).collect();
        (!lines.is_empty()).then(|| sha256(lines.as_bytes()))
    }
}

fn problem(stored: &Outcome, computed: Result<Outcome, String>) -> Option<Disagreement> {
    let run = stored.header.run_id.clone();
    match computed {
        Err(why) => Some(Disagreement::SamplesRefused { run, why }),
        Ok(now) if now == *stored => None,
        Ok(now) => {
            let first = changes::between(stored, &now).first().map(changes::Change::words);
            Some(Disagreement::FigureDiffers { run, figure: first.unwrap_or_default() })
        }
    }
}
