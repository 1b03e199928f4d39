//! `steadfast studies`: lists the findings of the published studies, measures what decides them, and
//! judges them.

pub(crate) mod measure;
mod systems;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use analysis::standards::DEFAULT_STANDARDS;
use analysis::studies::{Finding, Judged, Relation, STUDIES, Verdict};
use analysis::{Analysis, invalid, studies};
use anyhow::{Result, bail};
use base::{SchemaVersion, wrapped};
use record::Outcome;
use report::StudiesView;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

pub(crate) use self::measure::StudiesArgs;
use self::measure::measure;
use self::systems::Elsewhere;
use crate::options::said;
use crate::session::results_dir::{results, runs_of};
use crate::startup::files::{make_directory, report_line, write_report};
use crate::startup::output::{WIDTH, entry, print};

pub(crate) fn studies(args: &StudiesArgs) -> Result<ExitCode> {
    let findings = chosen(&args.names)?;
    let out = args.out.as_deref().unwrap_or("steadfast-studies".as_ref());
    match (&*args.from, &*args.system) {
        _ if args.makes_runs() => {
            let elsewhere = systems::runs_of(&args.system)?;
            let measured = measure(args, &findings, &elsewhere, out)?;
            if !measured.ended.outcomes.is_empty() {
                let outcomes = [runs_of(&measured_files(args, out))?, elsewhere].concat();
                let mut judged = studies::judged(findings, &outcomes);
                judged.iter_mut().for_each(|one| measured.mark(one));
                judge(args, judged, &outcomes, Some(out), &measured.notes)?;
            }
            return measured.ended.exit_code();
        }
        ([], []) if args.seconds.is_some() => {
            bail!("--seconds: nothing is measured without --budget TIME or --out DIR")
        }
        ([], []) => print(&match args.answer.answer.json {
            true => as_json(findings.iter().map(described))?,
            false => by_study(&findings, |finding| finding, listed),
        })?,
        _ => {
            if let Some(place) = args.system.iter().find_map(Elsewhere::measured) {
                bail!(
                    "--system: {place} is measured with --budget TIME or --out DIR, not judged --from stores"
                );
            }
            let outcomes = [runs_of(&args.from)?, systems::runs_of(&args.system)?].concat();
            judge(args, studies::judged(findings, &outcomes), &outcomes, args.out.as_deref(), &[])?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn measured_files(args: &StudiesArgs, out: &Path) -> Vec<PathBuf> {
    let there = args.system.iter().filter(|system| system.measured().is_some());
    let files = there.map(|system| out.join(system.file()));
    [results(out)].into_iter().chain(files).filter(|file| file.exists()).collect()
}

/// Prints the verdicts, and writes the page into a directory; `notes` say what to do next.
fn judge(
    args: &StudiesArgs,
    judged: Vec<Judged>,
    outcomes: &[Outcome],
    out: Option<&Path>,
    notes: &[String],
) -> Result<()> {
    let json = as_json(judged.iter().map(with_verdict))?;
    let heading = args.session.heading();
    let mut text = said(&heading) + &in_words(&judged, args.answer.verbose);
    if let Some(invalid) = invalid::finding(&outcomes.iter().collect::<Vec<_>>()) {
        text += &format!("\n{}", entry(IDS, "INVALID", &invalid.sentence()));
    }
    text += &paragraphs(notes);
    if let Some(out) = out {
        make_directory(out)?;
        let analysis = Analysis::of(outcomes, &DEFAULT_STANDARDS).headed(heading);
        let view = StudiesView { judged };
        write_report(out, &|to| to.write_all(json.as_bytes()), &|| view.page(&analysis))?;
        text += &report_line(out);
    }
    print(if args.answer.answer.json { &json } else { &text })
}

/// Returns each note as lines that fit a terminal, after an empty line.
fn paragraphs(notes: &[String]) -> String {
    let lines: Vec<String> = notes.iter().flat_map(|note| wrapped(note, WIDTH)).collect();
    if lines.is_empty() { String::new() } else { format!("\n{}\n", lines.join("\n")) }
}

fn chosen(names: &[String]) -> Result<Vec<Finding>> {
    let known = STUDIES.map(|(name, _)| name);
    if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
        bail!("there is no study `{name}`; {}", base::expected(name, known));
    }
    let mut findings = studies::findings();
    findings.retain(|finding| names.is_empty() || names.contains(&finding.study()));
    Ok(findings)
}

/// Returns the summary and the verdicts; without `verbose`, only of the findings that could be tested.
fn in_words(judged: &[Judged], verbose: bool) -> String {
    let summary = studies::answer(judged).into_iter().take(2);
    let lines = summary.flat_map(|finding| wrapped(&finding.sentence(), WIDTH));
    let mut text: String = lines.map(|line| line + "\n").collect();
    let is_tested =
        |one: &Judged| !matches!(one.verdict, Verdict::NotMeasured(_) | Verdict::NotTestable(_));
    let is_shown = |one: &&Judged| verbose || is_tested(one);
    let shown: Vec<&Judged> = judged.iter().filter(is_shown).collect();
    let verdict = |one: &&Judged| entry(IDS, &one.finding.id, &one.in_words());
    text += &by_study(&shown, |judged| &judged.finding, verdict);
    if let left_out @ 1.. = judged.len() - shown.len() {
        text += &format!("\nNot tested: {left_out}; --verbose says what each lacks.\n");
    }
    text
}

fn by_study<T>(all: &[T], finding: fn(&T) -> &Finding, line: fn(&T) -> String) -> String {
    let of = |(name, source): (&str, &str)| {
        let mut lines = all.iter().filter(|one| finding(one).study() == name).map(line).peekable();
        lines.peek().is_some().then(|| format!("\n{source}\n\n{}", lines.collect::<String>()))
    };
    STUDIES.into_iter().filter_map(of).collect()
}

const IDS: usize = 8;

fn listed(finding: &Finding) -> String {
    let label = if finding.missing.is_empty() { "Needs" } else { "Not judged" };
    let (statement, place, needs) = (&finding.statement, &finding.place, finding.needs());
    let words = format!("{statement} ({place}). {label}: {needs}");
    entry(IDS, &finding.id, &words)
}

/// Output of `steadfast studies --json`; with `--budget`, `--out`, `--from` or `--system`, each
/// finding has a verdict.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct FindingList<'a> {
    schema_version: SchemaVersion<1>,
    /// Findings by study, in the order of the papers.
    findings: Vec<ListedFinding<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct ListedFinding<'a> {
    /// Identifier: study and number, such as `SAE-1`.
    id: &'a str,
    /// Name of the study.
    #[cfg_attr(test, schemars(extend("enum" = STUDIES.map(|(name, _)| name))))]
    study: String,
    /// Place in the paper, such as `table 2`.
    place: &'a str,
    /// What the paper concludes.
    statement: &'a str,
    /// Conditions that decide the finding, which holds if all of them hold; empty if no run decides
    /// it yet.
    conditions: Vec<ListedCondition<'a>>,
    /// Published figures; empty if there are none.
    published: &'a str,
    /// Ready plan that measures every side; empty if no run decides the finding yet.
    plan: &'a str,
    /// Required systems and plan, or what is missing.
    needs: String,
    /// Known reason for a different result today; empty if there is none.
    differs: &'a str,
    /// Identifier of the finding that contradicts it; empty if there is none.
    contradicts: &'a str,
    #[serde(flatten)]
    judged: Option<JudgedFinding>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct ListedCondition<'a> {
    /// What must lie between `low` and `high`: the ratio of every other side to the first
    /// (`ratio`), or of each side to the one before it (`order`); the geometric mean of such ratios
    /// of pairs of sides (`overall`); each side's own figure (`value`); the ratio of the standard
    /// deviations between runs of every other side to the first (`spread`); or each side's share of
    /// counted events (`share`).
    relation: Relation,
    /// Sides of the condition, each as `FIGURE MEASUREMENT [SYSTEM] [NAME=VALUE]...`.
    sides: Vec<&'a str>,
    /// Smallest quantity with which the condition holds; null if there is no lower bound.
    low: Option<f64>,
    /// Largest quantity with which the condition holds; null if there is no upper bound.
    high: Option<f64>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct JudgedFinding {
    #[cfg_attr(test, schemars(extend("enum" = [
        "holds", "reversed", "undecided", "not measured yet", "not testable here",
    ])))]
    /// Verdict according to the runs; absent if findings are only listed.
    verdict: &'static str,
    /// What would decide the finding, or what is missing; null if it is decided.
    why: Option<String>,
    /// Estimates of the finding's quantities, condition by condition: ratios, shares, or figures in
    /// nanoseconds or the unit of their fact.
    measured: Vec<f64>,
    /// Whether the runs repeat exactly, as in the lab, so that the quantities have no interval.
    is_exact: bool,
}

fn as_json<'a>(findings: impl Iterator<Item = ListedFinding<'a>>) -> Result<String> {
    let list = FindingList { schema_version: SchemaVersion, findings: findings.collect() };
    Ok(format!("{:#}\n", serde_json::to_value(list)?))
}

fn described(finding: &Finding) -> ListedFinding<'_> {
    let conditions = finding.conditions.iter().map(|one| ListedCondition {
        relation: one.relation,
        sides: one.sides.iter().map(|side| side.text.as_str()).collect(),
        low: one.low,
        high: one.high,
    });
    ListedFinding {
        id: &finding.id,
        study: finding.study(),
        place: &finding.place,
        statement: &finding.statement,
        conditions: conditions.collect(),
        published: &finding.published,
        plan: &finding.plan,
        needs: finding.needs(),
        differs: &finding.differs,
        contradicts: &finding.contradicts,
        judged: None,
    }
}

fn with_verdict(judged: &Judged) -> ListedFinding<'_> {
    let measured = judged.measured.iter().flat_map(|one| &one.quantities);
    let verdict = JudgedFinding {
        verdict: judged.verdict.name(),
        why: judged.verdict.why_open(),
        measured: measured.map(|one| one.value).collect(),
        is_exact: judged.is_exact,
    };
    ListedFinding { judged: Some(verdict), ..described(&judged.finding) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::place::Place;
    use crate::options::plans;
    use record::RunSpec;

    #[test]
    fn notes_fit_a_terminal() {
        let note = "Fewer rounds than they need: SAE-1, SAE-2, SAE-3. ".repeat(4);
        let text = paragraphs(&[note.clone(), note]);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(text.lines().count() > 4 && text.ends_with('\n'), "{text}");
        assert_eq!(paragraphs(&[]), "");
    }

    #[test]
    fn the_plan_of_a_finding_measures_everything_that_it_needs() {
        let here = Place::Local.machine().unwrap();
        for finding in studies::findings() {
            let needs = |what: &str| finding.sides().any(|side| side.text.contains(what));
            let has_smt = here.smt_siblings.len() < here.cpus.len();
            let cpus = here.cpus.len();
            if needs("=cpus") && cpus < 2
                || needs("=several") && cpus < 3
                || needs("=cores") && !has_smt
            {
                continue;
            }
            if finding.missing.is_empty() {
                let (specs, _) = plans::find(&finding.plan).unwrap().round(&|_| {}).unwrap();
                let missing = finding.unmeasured(&specs, &here);
                assert!(missing.is_empty(), "{} {}: {missing:?}", finding.id, finding.plan);
                for side in finding.sides().filter(|side| !side.text.contains("over=")) {
                    let runs = specs.iter().filter(|spec| side.is_of(spec, &here));
                    let titles: Vec<String> = runs.map(RunSpec::title).collect();
                    assert_eq!(titles.len(), 1, "{} {}: {titles:?}", finding.id, side.text);
                }
            }
        }
    }

    #[test]
    fn a_study_that_does_not_exist_is_refused_with_the_known_ones() {
        assert!(chosen(&["sea".into()]).unwrap_err().to_string().contains("sae"));
        assert_eq!(chosen(&["sae".into(), "tel".into()]).unwrap().len(), 36);
    }
}
