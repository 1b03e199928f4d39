//! Records: the values of one row of a table, and the checksum over records.

use std::borrow::Cow;
use std::fmt;

use base::shown;
use crc32fast::Hasher;
use record::show_texts;
use rusqlite::types::{FromSql, Value, ValueRef};
use rusqlite::{Connection, Params, Transaction, TransactionBehavior, params_from_iter};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The values of one row of a table, in the order of [`Table::columns`].
pub(crate) type Record = Vec<Value>;

/// A table and its columns, in the order in which records contain them.
pub(crate) struct Table {
    pub(crate) name: &'static str,
    pub(crate) columns: &'static [&'static str],
}

impl Table {
    pub(crate) fn insert(&self, conn: &Connection, records: &[Record]) -> rusqlite::Result<()> {
        let places = vec!["?"; self.columns.len()].join(", ");
        let columns = self.columns.join(", ");
        let mut statement =
            conn.prepare(&format!("INSERT INTO {} ({columns}) VALUES ({places})", self.name))?;
        for record in records {
            statement.execute(params_from_iter(record))?;
        }
        Ok(())
    }

    /// Returns the records that `rest` (`WHERE ... ORDER BY ...`) selects.
    pub(crate) fn select(
        &self,
        conn: &Connection,
        rest: &str,
        parameters: impl Params,
    ) -> rusqlite::Result<Vec<Record>> {
        let mut records = Vec::new();
        self.each(conn, rest, parameters, |record| {
            records.push(record);
            Ok::<_, rusqlite::Error>(())
        })?;
        Ok(records)
    }

    /// Passes on the records that `rest` selects, one at a time.
    pub(crate) fn each<E: From<rusqlite::Error>>(
        &self,
        conn: &Connection,
        rest: &str,
        parameters: impl Params,
        mut with: impl FnMut(Record) -> Result<(), E>,
    ) -> Result<(), E> {
        let columns = self.columns.join(", ");
        let query = format!("SELECT {columns} FROM {} {rest}", self.name);
        let mut statement = conn.prepare(&query)?;
        let mut rows = statement.query(parameters)?;
        while let Some(row) = rows.next()? {
            with((0..self.columns.len()).map(|c| row.get(c)).collect::<Result<_, _>>()?)?;
        }
        Ok(())
    }

    /// Gives access to the fields of one of its records.
    pub(crate) fn fields<'r>(&self, record: &'r Record) -> Fields<'r> {
        Fields { columns: self.columns, record }
    }
}

/// Computes the CRC-32 over records: each value with its place, type and length.
///
/// A NULL adds nothing, so a later schema may append columns that are empty in older records.
pub(crate) fn checksum<'r>(records: impl IntoIterator<Item = &'r Record>) -> Value {
    let mut hasher = Hasher::new();
    for record in records {
        for (place, value) in record.iter().enumerate() {
            let mut add = |kind: u8, bytes: &[u8]| {
                hasher.update(&(place as u64).to_le_bytes());
                hasher.update(&[kind]);
                hasher.update(&(bytes.len() as u64).to_le_bytes());
                hasher.update(bytes);
            };
            match value {
                Value::Null => {}
                Value::Integer(number) => add(b'i', &number.to_le_bytes()),
                Value::Real(number) => add(b'r', &number.to_le_bytes()),
                Value::Text(text) => add(b't', text.as_bytes()),
                Value::Blob(bytes) => add(b'b', bytes),
            }
        }
    }
    hasher.finalize().into()
}

/// Compares the stored checksum with that of the records.
pub(crate) fn verify<'r>(
    kept: Option<Value>,
    records: impl IntoIterator<Item = &'r Record>,
) -> Result<(), String> {
    match kept {
        Some(kept) if kept == checksum(records) => Ok(()),
        _ => Err("it differs from what was saved".to_owned()),
    }
}

/// Starts a transaction that waits for another process that writes.
pub(crate) fn writing(conn: &Connection) -> rusqlite::Result<Transaction<'_>> {
    Transaction::new_unchecked(conn, TransactionBehavior::Immediate)
}

/// Stores an unsigned number bit for bit as one of SQLite's signed numbers.
pub(crate) fn number(number: u64) -> Value {
    number.cast_signed().into()
}

pub(crate) fn json<T: Serialize + ?Sized>(data: &T) -> Value {
    serde_json::to_string(data).expect("plain data with text keys serialises").into()
}

/// The fields of a record by column. Each error names the column.
pub(crate) struct Fields<'r> {
    columns: &'static [&'static str],
    record: &'r Record,
}

impl Fields<'_> {
    pub(crate) fn get<T: FromSql>(&self, column: &str) -> Result<T, String> {
        T::column_result(self.value(column)).map_err(|error| unreadable(column, error))
    }

    pub(crate) fn number(&self, column: &str) -> Result<u64, String> {
        self.get::<i64>(column).map(i64::cast_unsigned)
    }

    pub(crate) fn json<T: DeserializeOwned>(&self, column: &str) -> Result<T, String> {
        let text = self.value(column).as_str();
        let text = text.map_err(|error| unreadable(column, error))?;
        // Only texts with these can contain something that controls a terminal.
        if !text.contains('\\') && matches!(shown(text), Cow::Borrowed(_)) {
            return serde_json::from_str(text).map_err(|error| unreadable(column, error));
        }
        let mut document = serde_json::from_str(text).map_err(|error| unreadable(column, error))?;
        show_texts(&mut document);
        serde_json::from_value(document).map_err(|error| unreadable(column, error))
    }

    /// Reads a text that is shown to the user, and escapes control characters.
    pub(crate) fn text(&self, column: &str) -> Result<String, String> {
        Ok(shown(&self.get::<String>(column)?).into_owned())
    }

    pub(crate) fn value(&self, column: &str) -> ValueRef<'_> {
        let place = self.columns.iter().position(|name| *name == column);
        place.map_or(ValueRef::Null, |place| {
            self.record.get(place).map_or(ValueRef::Null, Into::into)
        })
    }
}

fn unreadable(column: &str, error: impl fmt::Display) -> String {
    format!("its `{column}` cannot be read, {error}")
}
