//! What a reader of other tools' files must know.

use record::{Outcome, Warning, fact};
use serde_json::Value;

use crate::finding::{AboutImported, Finding};
use crate::lists::each_once;

/// Returns what the imported files among these runs do not state, and the known traps of their tools, each once.
pub fn findings(outcomes: &[&Outcome]) -> Vec<Finding> {
    let files = outcomes.iter().filter_map(|run| Some((*run, run.header.spec.imported.as_ref()?)));
    let files: Vec<_> = files.collect();
    if files.is_empty() {
        return Vec::new();
    }
    let lack = |condition: &String| {
        files.iter().filter(|(_, file)| file.not_stated.contains(condition)).count()
    };
    let conditions = each_once(files.iter().flat_map(|(_, file)| &file.not_stated).cloned());
    let counted = |condition: String| (lack(&condition), condition);
    let conditions = conditions.into_iter().map(counted).collect();
    let mut all = vec![AboutImported::NotStated { files: files.len(), conditions }];
    all.extend(files.iter().filter_map(|(run, file)| beyond(run, &file.file)));
    let traps = each_once(files.iter().flat_map(|(run, _)| run.warnings.iter().filter_map(trap)));
    all.extend(traps.into_iter().map(|[what, advice]| AboutImported::Trap { what, advice }));
    all.into_iter().map(Finding::Imported).collect()
}

fn trap(warning: &Warning) -> Option<[String; 2]> {
    match warning {
        Warning::ImportedAsIs { what, advice } => Some([what.clone(), advice.clone()]),
        _ => None,
    }
}

/// Returns the row of a file with the most samples above its histogram, if one has any.
fn beyond(run: &Outcome, file: &str) -> Option<AboutImported> {
    let samples =
        |row: &record::Row| row.fact(&fact::BEYOND_BINS).and_then(Value::as_u64).unwrap_or(0);
    let row = run.rows.iter().max_by_key(|row| samples(row)).filter(|row| samples(row) > 0)?;
    Some(AboutImported::BeyondBins {
        file: file.to_owned(),
        row: row.label.clone(),
        samples: samples(row),
        max_ns: row.max_ns()? as f64,
    })
}
