//! How results are judged and in what form they are printed.

use std::path::PathBuf;

use analysis::fail_if::FailIf;
use analysis::share::ManyMisses;
use analysis::standards::{FirmMisses, HeldFor, Limits, SoftShare, Standards, UsualOptions};
use analysis::{Analysis, json};
use anyhow::Result;
use base::ParseError;
use clap::Args;
use record::{Heading, Note, Outcome, RunSpec, Title};
use report::{Answer, Suite, Telling};

use super::FormatArgs;
use crate::options::parameters::usual_options;
use crate::startup::files::{Named, check_place, refuse_one_file, write};
use crate::startup::output::{print, print_answer, print_with};

type Histograms = fn(&[&Outcome]) -> String;

/// Options of every command that measures or reports: how results are judged and printed.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "For other programs")]
pub(crate) struct AnswerArgs {
    /// Print JSON instead of text, one line per run
    #[arg(long)]
    pub(crate) json: bool,
    /// Print comma-separated values (CSV) instead of text, one line per row
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
    /// Write the histograms to this file as CSV, one line per bin
    #[arg(long, value_name = "FILE")]
    csv_histograms: Option<PathBuf>,
    /// Write the histograms to this file as an HdrHistogram log, one line per row, for HdrHistogram's
    /// plotters
    #[arg(long, value_name = "FILE")]
    hdr: Option<PathBuf>,
    #[command(flatten)]
    formats: FormatArgs,
    /// Fail with exit code 1 if this is true of any run: 'wakeup.max > 150us',
    /// 'wakeup[load=cpu].*.p99 > 100us' or 'tire[masses=57000].skipped > 0'. Can be given several
    /// times. The form is MEASUREMENT[CONDITION=VALUE,...].ROW.FIGURE OPERATOR VALUE; the brackets
    /// and the row can be left out; names are those of the JSON
    #[arg(long, value_name = "LIMIT")]
    pub(crate) fail_if: Vec<FailIf>,
    #[command(flatten)]
    limits: LimitArgs,
    /// Print all tables and details instead of the short answer
    #[arg(long, help_heading = None, conflicts_with_all = ["json", "csv"])]
    pub(crate) verbose: bool,
}

impl AnswerArgs {
    pub(crate) fn standards(&self) -> Standards {
        let LimitArgs { firm_misses, soft_share, held_for, many_misses } = self.limits;
        Standards {
            limits: Limits { firm: firm_misses, soft: soft_share, held_for },
            many: many_misses,
            fail_if: self.fail_if.clone(),
            usual_options: UsualOptions(usual_options),
            ..Standards::default()
        }
    }

    /// Checks, before anything is measured, that the requested output will be possible; `others` are the files that the
    /// command writes in addition.
    pub(crate) fn check(&self, plan: &[RunSpec], others: Vec<Named>) -> Result<()> {
        self.check_files(others)?;
        Ok(analysis::fail_if::check_request(&self.fail_if, plan)?)
    }

    /// Checks that all files can be written, each in its place.
    pub(crate) fn check_files(&self, others: Vec<Named>) -> Result<()> {
        self.formats.check()?;
        for (flag, path, _) in self.histograms() {
            check_place(path, flag)?;
        }
        let histograms = self.histograms().map(|(flag, path, _)| (flag.to_owned(), path.clone()));
        refuse_one_file(others.into_iter().chain(histograms).chain(self.formats.files()))
    }

    pub(crate) fn print(
        &self,
        analysis: &Analysis,
        telling: &dyn Telling,
        more: &str,
    ) -> Result<()> {
        if self.json {
            print_with(&|out| {
                analysis.outcomes.iter().try_for_each(|outcome| {
                    let run = json::run(outcome, analysis.standards).headed(&analysis.heading);
                    writeln!(out, "{}", run.json())
                })
            })
        } else if self.csv {
            print(&report::csv(&analysis.outcomes))
        } else if self.verbose {
            let details = telling.details(analysis);
            print(&(said(&analysis.heading) + details.trim_start_matches('\n')))
        } else {
            print_answer(&telling.answer(analysis).headed(&analysis.heading), more)
        }
    }

    pub(crate) fn write(&self, analysis: &Analysis, suites: &[Suite]) -> Result<()> {
        for (flag, path, written) in self.histograms() {
            write(path, written(&analysis.outcomes), flag)?;
        }
        self.formats.write(suites)
    }

    /// Returns the flag, path and form of each file of histograms.
    fn histograms(&self) -> impl Iterator<Item = (&'static str, &PathBuf, Histograms)> {
        let csv = ("--csv-histograms", &self.csv_histograms, report::csv_histograms as Histograms);
        let all = [csv, ("--hdr", &self.hdr, report::hdr_log)];
        all.into_iter().filter_map(|(flag, path, written)| Some((flag, path.as_ref()?, written)))
    }
}

/// Returns the user's title and note, each on a separate line.
pub(crate) fn said(heading: &Heading) -> String {
    let title = heading.title.iter().map(Title::text);
    let note = heading.note.iter().map(Note::text);
    title.chain(note).map(|line| format!("{line}\n")).collect()
}

pub(crate) struct InGeneral;

impl Telling for InGeneral {
    fn answer(&self, analysis: &Analysis) -> Answer {
        report::answer(analysis)
    }

    fn details(&self, analysis: &Analysis) -> String {
        report::terminal(analysis)
    }
}

/// The limits by which periodic work is judged.
#[derive(Debug, Default, Args, Clone, Copy)]
#[command(next_help_heading = "Limits of real time")]
pub(crate) struct LimitArgs {
    /// Misses up to which real time is firm: a rate of the whole machine (10/h) or a fraction of the
    /// periods (1/1000000)
    #[arg(long, value_name = "MISSES", default_value = "10/h", allow_hyphen_values = true)]
    pub(crate) firm_misses: FirmMisses,
    /// Share of missed periods up to which real time is soft
    #[arg(long, value_name = "PERCENT", default_value = "1%", allow_hyphen_values = true)]
    pub(crate) soft_share: SoftShare,
    /// A mission: work is shown to hold without a miss where fewer than one deadline in this time is
    /// missed (95 % confidence), which takes three times as long without a miss. All runs together
    /// must take this time, and be at least 29, so that 1 bad run in 10 would have shown
    #[arg(long, value_name = "TIME", value_parser = held_for, default_value = "10s")]
    pub(crate) held_for: HeldFor,
    /// Share of missed deadlines above which a tire size counts as missing many (red on a map)
    #[arg(long, value_name = "PERCENT", default_value = "10%", allow_hyphen_values = true)]
    pub(crate) many_misses: ManyMisses,
}

fn held_for(text: &str) -> Result<HeldFor, ParseError> {
    text.parse().map(HeldFor)
}
