//! `steadfast studies`: lists the findings of the published studies, and judges them by stored runs.

use std::path::PathBuf;
use std::process::ExitCode;

use analysis::effect::FALSE_DISCOVERIES;
use analysis::fields::SCHEMA_VERSION;
use analysis::studies::{Finding, Judged, STUDIES, Verdict};
use analysis::{studies, words};
use anyhow::{Result, bail};
use clap::Args;
use serde_json::{Value, json};
use store::Store;

use crate::args::WordsArgs;
use crate::output::{entry, print};

#[derive(Debug, Args)]
pub(crate) struct StudiesArgs {
    /// Only these studies: sae, mpe, mur, fra, tel
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Judge the findings by the runs of these results files
    #[arg(long, value_name = "STORE", num_args = 1..)]
    from: Vec<PathBuf>,
    /// List the findings and what each needs; this is the default without --from
    #[arg(long, conflicts_with = "from")]
    list: bool,
    #[command(flatten)]
    answer: WordsArgs,
}

/// Lists the findings, or judges them.
pub(crate) fn studies(args: &StudiesArgs) -> Result<ExitCode> {
    let findings = chosen(&args.names)?;
    let text = if args.from.is_empty() {
        match args.answer.answer.json {
            true => as_json(findings.iter().map(described)),
            false => by_study(&findings, |finding| finding, listed),
        }
    } else {
        let outcomes = stored(&args.from)?;
        let judged = studies::judged(findings, &outcomes);
        match args.answer.answer.json {
            true => as_json(judged.iter().map(judged_json)),
            false => in_words(judged, args.answer.verbose),
        }
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn chosen(names: &[String]) -> Result<Vec<Finding>> {
    let known = STUDIES.map(|(name, _)| name);
    if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
        bail!("there is no study `{name}`; {}", units::expected(name, known));
    }
    let mut findings = studies::findings();
    findings.retain(|finding| names.is_empty() || names.contains(&finding.study()));
    Ok(findings)
}

fn stored(paths: &[PathBuf]) -> Result<Vec<plan::Outcome>> {
    let mut outcomes = Vec::new();
    for path in paths {
        outcomes.extend(Store::open_existing(path)?.all_outcomes()?);
    }
    if outcomes.is_empty() {
        bail!(
            "the stores have no finished runs; measure some, for example with `steadfast campaign sae-micro`"
        );
    }
    Ok(outcomes)
}

/// Returns the summary and the verdicts; without `verbose`, only of the findings that could be tested.
fn in_words(mut judged: Vec<Judged>, verbose: bool) -> String {
    let summary = summary(&judged);
    let all = judged.len();
    judged.retain(|one| verbose || !matches!(one.verdict, Verdict::NotTestable(_)));
    let left_out = match all - judged.len() {
        0 => String::new(),
        some => format!("\n{some} more are not testable here; --verbose says what each lacks.\n"),
    };
    summary + &by_study(&judged, |judged| &judged.finding, verdict) + &left_out
}

/// Returns `of 93 findings: 2 hold, ...`, and how certain the verdicts are.
fn summary(judged: &[Judged]) -> String {
    let count = |name: &str| judged.iter().filter(|one| one.verdict.name() == name).count();
    let [holds, reversed, undecided, missing] =
        ["holds", "reversed", "undecided", "not testable here"].map(count);
    let is = |count: usize| if count == 1 { "is" } else { "are" };
    format!(
        "Of {}: {holds} {}, {reversed} {} reversed, {undecided} undecided, {missing} not testable here.\n\
         False-discovery rate of the verdicts: {}; unit of analysis: the run.\n",
        words::counted(judged.len(), "finding"),
        if holds == 1 { "holds" } else { "hold" },
        is(reversed),
        words::percent(FALSE_DISCOVERIES),
    )
}

/// Returns one paragraph per study, with a line for each finding.
fn by_study<T>(all: &[T], finding: fn(&T) -> &Finding, line: fn(&T) -> String) -> String {
    let of = |(name, source): (&str, &str)| {
        let mut lines = all.iter().filter(|one| finding(one).study() == name).map(line).peekable();
        lines.peek().is_some().then(|| format!("\n{source}\n\n{}", lines.collect::<String>()))
    };
    STUDIES.into_iter().filter_map(of).collect()
}

/// Width of the column of identifiers.
const IDS: usize = 8;

fn listed(finding: &Finding) -> String {
    let label = if finding.missing.is_empty() { "Needs" } else { "Not judged" };
    let (statement, place, needs) = (&finding.statement, &finding.place, finding.needs());
    let words = format!("{statement} ({place}). {label}: {needs}");
    entry(IDS, &finding.id, &words)
}

fn verdict(judged: &Judged) -> String {
    let finding = &judged.finding;
    let why = match &judged.verdict {
        Verdict::Undecided(why) | Verdict::NotTestable(why) => format!(": {why}"),
        Verdict::Holds | Verdict::Reversed => String::new(),
    };
    let mut text = format!("{}{why}. {}.", judged.verdict.name().to_uppercase(), finding.statement);
    if !judged.measured.is_empty() {
        let measured: Vec<String> = judged.measured.iter().map(|n| words::quantity(*n)).collect();
        text += &format!(" Measured: {}", words::listed(&measured));
        text += if judged.is_exact { " (exact of one list of runs, no interval)." } else { "." };
    }
    for (label, words) in [
        ("Published", &finding.published),
        ("A known reason for another result", &finding.differs),
        ("Contradicted by", &finding.contradicts),
    ] {
        if !words.is_empty() {
            text += &format!(" {label}: {words}.");
        }
    }
    entry(IDS, &finding.id, &text)
}

fn as_json(findings: impl Iterator<Item = Value>) -> String {
    let findings: Vec<Value> = findings.collect();
    format!("{:#}\n", json!({ "schema_version": SCHEMA_VERSION, "findings": findings }))
}

fn described(finding: &Finding) -> Value {
    let sides: Vec<String> = finding.sides().into_iter().map(|side| side.text).collect();
    let [low, high] = finding.bounds();
    json!({
        "id": finding.id,
        "study": finding.study(),
        "place": finding.place,
        "statement": finding.statement,
        "relation": finding.relation,
        "sides": sides,
        "low": low,
        "high": high,
        "published": finding.published,
        "plan": finding.plan,
        "needs": finding.needs(),
        "differs": finding.differs,
        "contradicts": finding.contradicts,
    })
}

fn judged_json(judged: &Judged) -> Value {
    let mut value = described(&judged.finding);
    value["verdict"] = json!(judged.verdict.name());
    value["why"] = match &judged.verdict {
        Verdict::Undecided(why) | Verdict::NotTestable(why) => json!(why),
        Verdict::Holds | Verdict::Reversed => Value::Null,
    };
    value["measured"] = json!(judged.measured);
    value["is_exact"] = json!(judged.is_exact);
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plans;

    #[test]
    fn the_plan_of_a_finding_measures_everything_that_it_needs() {
        let cpus = std::thread::available_parallelism().unwrap().get();
        for finding in studies::findings() {
            let needs_several = finding.sides().iter().any(|side| side.text.contains("=cpus"));
            if needs_several && cpus == 1 {
                continue;
            }
            if finding.missing.is_empty() {
                let (specs, _) = plans::find(&finding.plan).unwrap().round(&|_| {}).unwrap();
                let missing = finding.unmeasured(&specs, cpus);
                assert!(missing.is_empty(), "{} {}: {missing:?}", finding.id, finding.plan);
            }
        }
    }

    #[test]
    fn a_study_that_does_not_exist_is_refused_with_the_known_ones() {
        assert!(chosen(&["sea".into()]).unwrap_err().to_string().contains("sae"));
        assert_eq!(chosen(&["sae".into(), "tel".into()]).unwrap().len(), 36);
    }
}
