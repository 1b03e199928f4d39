//! Limits that match nothing, and what there is instead.

use record::{Outcome, Row, RunSpec, Unit, fact};
use serde_json::Value;

use super::limit::{Bound, CONDITIONS, FailIf, Rows};
use crate::fields;
use crate::lists::each_once;

/// A limit that matched nothing: one line that names what there is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("--fail-if `{typed}` is about {missing}; there is {there_is}")]
pub struct Unmatched {
    typed: String,
    missing: String,
    there_is: String,
}

/// Checks before anything is measured that every limit is about a run of the plan and its figure.
///
/// # Errors
/// Names a limit that is about nothing, and what there is.
pub fn check_request<'a>(
    fail_ifs: &[FailIf],
    plan: impl IntoIterator<Item = &'a RunSpec>,
) -> Result<(), Unmatched> {
    check_plan(fail_ifs, plan)?;
    let mut figures = fields::row(&Row::default());
    let numbers = fact::all()
        .filter(|fact| !matches!(fact.unit, Unit::Text | Unit::YesNo | Unit::List | Unit::Record));
    figures.extend(numbers.map(|fact| (fact.name.to_owned(), Value::Null)));
    let unknown = fail_ifs.iter().find(|fail_if| fail_if.comparable(&figures).is_none());
    unknown.map_or(Ok(()), |fail_if| Err(fail_if.without_such_figure(figures.keys())))
}

/// Checks that every limit is about one of the runs.
pub(super) fn check_plan<'a>(
    fail_ifs: &[FailIf],
    plan: impl IntoIterator<Item = &'a RunSpec>,
) -> Result<(), Unmatched> {
    let plan: Vec<&RunSpec> = plan.into_iter().collect();
    let has_run = |fail_if: &FailIf| plan.iter().any(|spec| fail_if.is_about(spec));
    let unmatched = fail_ifs.iter().find(|fail_if| !has_run(fail_if));
    unmatched.map_or(Ok(()), |fail_if| Err(fail_if.without_run(&plan)))
}

impl FailIf {
    fn without_run(&self, plan: &[&RunSpec]) -> Unmatched {
        let of_name: Vec<&&RunSpec> =
            plan.iter().filter(|spec| spec.measurement == self.measurement).collect();
        let Some(first) = of_name.first() else {
            let names = plan.iter().map(|spec| spec.measurement.clone());
            return self.unmatched(format!("`{}`", self.measurement), names);
        };
        let is_known = |name: &str| {
            CONDITIONS.iter().any(|(known, _)| *known == name)
                || first.parameters.get(name).is_some()
        };
        let mut conditions = self.conditions.iter().map(|condition| &condition.name);
        if let Some(name) = conditions.find(|name| !is_known(name)) {
            let names = CONDITIONS.iter().map(|(name, _)| *name);
            let names = names.chain(first.parameters.iter().map(|(name, _)| name));
            return self.unmatched(
                format!("the condition `{name}` of `{}`", self.measurement),
                names.map(str::to_owned),
            );
        }
        let titles = of_name.iter().map(|spec| match spec.imported {
            Some(_) => spec.title(),
            None => format!("{} on {}", spec.title(), spec.asked.cpus.in_words()),
        });
        self.unmatched("conditions that no run has".to_owned(), titles)
    }

    fn without_such_figure<'k>(&self, known: impl Iterator<Item = &'k String>) -> Unmatched {
        let without_unit = |name: &'k String| name.strip_suffix("_ns").unwrap_or(name);
        let nearest = base::nearest(&self.figure, known.map(without_unit));
        let there_is = match (nearest, self.bound) {
            (Some(name), _) => format!("`{name}`"),
            (None, Bound::Time(_)) => "max, average and p99, for example".to_owned(),
            (None, _) => format!("a list of them in `steadfast list {}`", self.measurement),
        };
        Unmatched { typed: self.typed.clone(), missing: self.missing_figure(), there_is }
    }

    fn missing_figure(&self) -> String {
        let unit = match self.bound {
            Bound::Time(_) => "a time",
            Bound::Percent(_) => "a percentage",
            Bound::Number(_) => "a plain number",
        };
        format!("a figure `{}` that compares with {unit}", self.figure)
    }

    pub(super) fn without_figure(&self, outcomes: &[&Outcome]) -> Unmatched {
        let is_meant = |outcome: &&Outcome| self.is_about(&outcome.header.spec);
        let runs: Vec<&Outcome> = outcomes.iter().copied().filter(is_meant).collect();
        let rows: Vec<&Row> = runs.iter().flat_map(|run| self.rows(run)).collect();
        if rows.is_empty() {
            let labels = runs.iter().flat_map(|run| &run.rows);
            let missing = match &self.rows {
                Rows::Named(label) => format!("the row `{label}`"),
                Rows::First | Rows::Every => "a row".to_owned(),
            };
            return self.unmatched(missing, labels.map(|row| row.label.clone()));
        }
        let numbers = rows.iter().flat_map(|row| {
            let numbers = fields::row(row).into_iter().filter(|(_, value)| value.is_number());
            numbers.map(|(name, _)| name).collect::<Vec<_>>()
        });
        self.unmatched(self.missing_figure(), numbers)
    }

    fn unmatched(&self, missing: String, there_is: impl Iterator<Item = String>) -> Unmatched {
        let names = each_once(there_is);
        let there_is = if names.is_empty() { "none".to_owned() } else { names.join("; ") };
        Unmatched { typed: self.typed.clone(), missing, there_is }
    }
}
