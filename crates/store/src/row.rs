//! The rows of a run, each with its distribution.

use std::collections::BTreeMap;

use record::{Row, fact};
use rusqlite::Connection;
use rusqlite::types::{Value, ValueRef};
use stats::{Distribution, Sample};

use crate::record::{Fields, Record, Table, json, number};

pub(crate) const ROWS: Table = Table {
    name: "rows",
    columns: &[
        "run_id",
        "ordinal",
        "label",
        "unavailable",
        "due",
        "executed",
        "skipped",
        "facts",
        "early",
        "min_ns",
        "min_index",
        "min_at_ns",
        "max_ns",
        "max_index",
        "max_at_ns",
        "sum_ns",
        "histogram",
        "worst",
        "parts",
        "dependence",
    ],
};

pub(crate) fn records(run_id: &str, rows: &[Row]) -> Vec<Record> {
    let record = |(ordinal, row): (usize, &Row)| {
        let mut record: Record = vec![
            run_id.to_owned().into(),
            number(ordinal as u64),
            row.label.clone().into(),
            row.unavailable.clone().into(),
            number(row.due),
            number(row.executed),
            number(row.skipped),
            json(&row.facts),
        ];
        match &row.latency {
            Some(latency) => record.extend(distribution(latency)),
            None => record.resize(ROWS.columns.len(), Value::Null),
        }
        record
    };
    rows.iter().enumerate().map(record).collect()
}

/// Returns the records of a run's rows, headline first.
pub(crate) fn select(conn: &Connection, run_id: &str) -> rusqlite::Result<Vec<Record>> {
    ROWS.select(conn, "WHERE run_id = ?1 ORDER BY ordinal", [run_id])
}

pub(crate) fn read(record: &Record) -> Result<Row, String> {
    let row = ROWS.fields(record);
    Ok(Row {
        label: row.text("label")?,
        unavailable: match row.value("unavailable") {
            ValueRef::Null => None,
            _ => Some(row.text("unavailable")?),
        },
        due: row.number("due")?,
        executed: row.number("executed")?,
        skipped: row.number("skipped")?,
        latency: read_distribution(&row)?,
        facts: with_current_names(row.json("facts")?),
    })
}

type Facts = BTreeMap<String, serde_json::Value>;

/// Renames the fields of facts to which earlier builds gave other names.
fn with_current_names(mut facts: Facts) -> Facts {
    let blame = facts.get_mut(fact::BLAME.name).and_then(serde_json::Value::as_object_mut);
    if let Some(blame) = blame
        && let Some(late_samples) = blame.remove("told")
    {
        blame.insert("late_samples".to_owned(), late_samples);
    }
    facts
}

fn distribution(latency: &Distribution) -> [Value; 12] {
    let (min, max) = (latency.min, latency.max);
    [
        number(latency.early),
        min.value_ns.into(),
        number(min.index),
        number(min.at_ns),
        max.value_ns.into(),
        number(max.index),
        number(max.at_ns),
        latency.sum_ns.into(),
        latency.histogram_v2().into(),
        latency.tail.as_ref().map_or(Value::Null, json),
        match latency.parts.as_slice() {
            [] => Value::Null,
            parts => json(parts),
        },
        latency.dependence.as_ref().map_or(Value::Null, json),
    ]
}

fn read_distribution(row: &Fields) -> Result<Option<Distribution>, String> {
    let Some(histogram) = row.get::<Option<Vec<u8>>>("histogram")? else {
        return Ok(None);
    };
    let sample = |value, index, at| {
        Ok::<_, String>(Sample {
            value_ns: row.get(value)?,
            index: row.number(index)?,
            at_ns: row.number(at)?,
        })
    };
    let min = sample("min_ns", "min_index", "min_at_ns")?;
    let max = sample("max_ns", "max_index", "max_at_ns")?;
    let (early, sum_ns) = (row.number("early")?, row.get("sum_ns")?);
    let mut latency = Distribution::from_parts(early, min, max, sum_ns, &histogram)
        .map_err(|error| error.to_string())?;
    if row.value("worst") != ValueRef::Null {
        latency.tail = Some(row.json("worst")?);
    }
    if row.value("dependence") != ValueRef::Null {
        latency.dependence = Some(row.json("dependence")?);
    }
    if row.value("parts") != ValueRef::Null {
        latency.parts = row.json("parts")?;
    }
    Ok(Some(latency))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_samples_with_their_earlier_name_are_read() {
        let row = Row::of("label", None).with(&fact::BLAME, serde_json::json!({ "told": [1] }));
        let read = read(&records("run", &[row]).remove(0)).unwrap();
        assert_eq!(read.facts[fact::BLAME.name], serde_json::json!({ "late_samples": [1] }));
    }

    /// Returns the error for a row with another value in one column.
    fn unreadable(column: &str, value: impl Into<Value>) -> String {
        let latency = Distribution::of([Sample { value_ns: 7, index: 0, at_ns: 0 }]);
        let mut record = records("run", &[Row::of("label", latency)]).remove(0);
        let place = ROWS.columns.iter().position(|name| *name == column);
        record[place.expect("a column of the table")] = value.into();
        read(&record).unwrap_err()
    }

    #[test]
    fn the_error_for_an_unreadable_row_names_the_column() {
        for histogram in [vec![], b"text".to_vec(), vec![0x1c, 0x84, 0x93, 0x14]] {
            assert!(unreadable("histogram", histogram).contains("histogram"));
        }
        assert!(unreadable("histogram", 7).contains("`histogram`"));
        assert!(unreadable("min_ns", Value::Null).contains("`min_ns`"));
        for (column, text) in
            [("facts", "{"), ("facts", "[]"), ("worst", "{}"), ("parts", "[[1]]"), ("due", "many")]
        {
            assert!(unreadable(column, text.to_owned()).contains(&format!("`{column}`")));
        }
    }

    /// Each input replaces one column of a good row by a number, a text or bytes.
    #[test]
    fn no_value_of_a_column_causes_a_panic() {
        let samples = (0..500).map(|k| Sample {
            value_ns: k * 977 % 5_000 - 9,
            index: k as u64,
            at_ns: k as u64,
        });
        let row = Row::of("label", Distribution::of(samples));
        let record = records("run", &[row]).remove(0);
        let seeds = record.iter().enumerate().map(|(column, value)| {
            let bytes = match value {
                Value::Integer(number) => number.to_string().into_bytes(),
                Value::Text(text) => text.clone().into_bytes(),
                Value::Blob(bytes) => bytes.clone(),
                Value::Null | Value::Real(_) => Vec::new(),
            };
            [vec![column as u8], bytes].concat()
        });
        testing::try_corpus(&seeds.collect::<Vec<_>>(), 3_000, |input| {
            let Some((column, bytes)) = input.split_first() else { return };
            let text = String::from_utf8_lossy(bytes);
            let integer = text.parse::<i64>().map_or(Value::Null, Value::Integer);
            for value in [integer, Value::Text(text.into_owned()), Value::Blob(bytes.to_vec())] {
                let mut record = record.clone();
                let columns = record.len();
                record[usize::from(*column) % columns] = value;
                let Ok(row) = read(&record) else { continue };
                if let Some(latency) = row.latency {
                    let _ = (latency.quantile_ns(0.999), latency.mean_ns());
                }
            }
        });
    }
}
