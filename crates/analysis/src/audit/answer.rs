//! What an audit says as a whole.

use record::ModelAudited;

use super::words::place;
use super::{Audited, ConcurrentCalls};
use crate::finding::{Said, Standing};
use crate::phrases::{joined, maybe, some};
use crate::words::{bytes, capital, counted};

/// Maximum number of findings in the verdict.
const IN_VERDICT: usize = 2;

impl Audited {
    /// Returns its findings as the first sentence of an answer.
    pub fn verdict(&self) -> Said {
        let standing = match (self.findings.is_empty(), self.system_calls_seen) {
            (false, _) => Standing::Bad,
            (true, true) => Standing::Good,
            (true, false) => Standing::Open,
        };
        let first = self.findings.iter().take(IN_VERDICT).map(|found| found.in_words(self.steps));
        let more = some(self.findings.len().saturating_sub(IN_VERDICT));
        let more = more.map(|more| format!("{more} more"));
        let words = match &self.findings[..] {
            [] => self.nothing_found(),
            _ => capital(&joined(first.chain(more), "; ")) + ".",
        };
        Said::answer(standing, words)
    }

    /// Returns what the absence of findings means: what was not watched may be there.
    fn nothing_found(&self) -> String {
        let place = if self.is_program { " from outside" } else { "" };
        match &self.not_seen[..] {
            [] => format!("Nothing found{place}: no step does what a real-time step must not."),
            not_seen => format!("Nothing found{place}; not watched: {}.", not_seen.join("; ")),
        }
    }

    /// Returns what follows the verdict in an answer.
    pub fn remarks(&self) -> Vec<Said> {
        let printed = some(self.printed.join(" | ")).map(|text| Said::new("It printed", text));
        let first = self.findings.first();
        let first = first.map(|first| Said::new("Fix first", first.kind.remedy()));
        let calls: u64 = self.concurrent.iter().map(|call| call.count).sum();
        let threads = some(calls).map(|calls| {
            let calls = counted(calls as usize, "call");
            let words =
                format!("the model's own threads made {calls} during its steps (not a fault).");
            Said::new("Threads", words)
        });
        // Without findings, the verdict says so.
        let not_seen = some(self.not_seen.join("; ")).filter(|_| first.is_some());
        let not_seen = not_seen.map(|what| Said::new("Not watched", format!("{what}.")));
        [printed, first, threads, not_seen].into_iter().flatten().collect()
    }

    /// Returns a sentence for each finding, or that there is none.
    pub fn sentences(&self) -> Vec<String> {
        match &self.findings[..] {
            [] => vec![self.nothing_found()],
            all => {
                let words = all.iter().map(|found| capital(&found.in_words(self.steps)));
                words.map(|words| format!("{words}.")).collect()
            }
        }
    }

    /// Returns what was watched, and how.
    pub fn watched(&self) -> Vec<String> {
        let steps = counted(self.steps as usize, "step");
        vec![
            format!(
                "{steps}, run twice as fast as possible, each time in a new process. Watching changes how \
                 long a step takes: no time here is a figure of the model; `steadfast run model` measures."
            ),
            format!("Stack used by a step: at most {}.", bytes(self.stack_bytes)),
            match &self.outputs_hash {
                Some(hash) => format!(
                    "{} after each step, with the hash {hash} over all steps.",
                    counted(self.outputs as usize, "output")
                ),
                None => "The model names no outputs.".to_owned(),
            },
        ]
    }

    /// Returns the record of this audit that reports on later runs of the model show; `file_sha256`
    /// is the hash of the model's file.
    pub fn kept(&self, file_sha256: &str, tool_version: &str, at_unix_ns: u64) -> ModelAudited {
        ModelAudited {
            file_sha256: file_sha256.to_owned(),
            at_unix_ns,
            tool_version: tool_version.to_owned(),
            interface: self.interface.clone(),
            steps: self.steps,
            found: self.findings.iter().map(|found| found.in_words(self.steps)).collect(),
            not_seen: self.not_seen.clone(),
        }
    }
}

impl ConcurrentCalls {
    pub fn in_words(&self) -> String {
        let at = maybe(self.place.as_ref(), |at| format!(" at {}", place(at)));
        format!("`{}` {}{at}.", self.name, counted(self.count as usize, "time"))
    }
}
