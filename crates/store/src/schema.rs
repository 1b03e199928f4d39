//! The schema: recognises a store, and migrates an older one to the current version.

use std::collections::BTreeSet;

use rusqlite::{Connection, Row};

use crate::error::{Problem, one_line};
use crate::record::writing;

/// Marks the file as a store in the header of the database ("STDY").
const APPLICATION_ID: i64 = 0x5354_4459;

/// Step n leads from schema version n to n + 1. Steps are added but never changed.
const MIGRATIONS: &[&str] = &[
    include_str!("../migrations/0001_first.sql"),
    include_str!("../migrations/0002_tail.sql"),
    include_str!("../migrations/0003_parts.sql"),
    include_str!("../migrations/0004_worst.sql"),
    include_str!("../migrations/0005_heading.sql"),
    include_str!("../migrations/0006_saved_runs.sql"),
    include_str!("../migrations/0007_dependence.sql"),
    include_str!("../migrations/0008_requested.sql"),
];

/// Returns the schema version of the file; 0 for an empty file.
pub(crate) fn version(conn: &Connection) -> Result<usize, Problem> {
    version_up_to(conn, MIGRATIONS.len())
}

/// Refuses a store with anything except the tables of its version: reading a view or a computed
/// column may never end, and a trigger changes what is written.
pub(crate) fn refuse_additions(conn: &Connection) -> Result<(), Problem> {
    let fresh = Connection::open_in_memory()?;
    MIGRATIONS[..version(conn)?].iter().try_for_each(|step| fresh.execute_batch(step))?;
    let mut expected = BTreeSet::new();
    each_item(&fresh, |item| {
        expected.insert(item);
        Ok(())
    })?;
    each_item(conn, |item| match expected.remove(&item) {
        true => Ok(()),
        false => Err(Problem::Added(one_line(&item.named()))),
    })?;
    match expected.first() {
        None => Ok(()),
        Some(missing) => Err(Problem::Damaged(format!("it has no {}", missing.name))),
    }
}

/// Something that a schema declares.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Item {
    kind: String,
    name: String,
    table: String,
    declared: String,
}

impl Item {
    fn named(&self) -> String {
        let article = if self.kind == "index" { "an" } else { "a" };
        format!("{article} {} {}", self.kind, self.name)
    }
}

fn each_item(
    conn: &Connection,
    mut with: impl FnMut(Item) -> Result<(), Problem>,
) -> Result<(), Problem> {
    // Indexes without a text belong to their tables. What ANALYZE writes is no part of a store, but
    // does it no harm.
    let all = "SELECT type, name, tbl_name, sql FROM sqlite_schema
         WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_stat%'";
    let mut statement = conn.prepare(all)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        with(item(row)?)?;
    }
    Ok(())
}

fn item(row: &Row) -> rusqlite::Result<Item> {
    Ok(Item { kind: row.get(0)?, name: row.get(1)?, table: row.get(2)?, declared: row.get(3)? })
}

/// Migrates the file to the current schema, completely or not at all.
pub(crate) fn migrate(conn: &Connection) -> Result<(), Problem> {
    migrate_through(conn, MIGRATIONS)
}

fn migrate_through(conn: &Connection, migrations: &[&str]) -> Result<(), Problem> {
    if version_up_to(conn, migrations.len())? == migrations.len() {
        return Ok(());
    }
    let transaction = writing(conn)?;
    // Another process may have done it first.
    let version = version_up_to(&transaction, migrations.len())?;
    for step in &migrations[version..] {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", migrations.len() as i64)?;
    Ok(transaction.commit()?)
}

fn version_up_to(conn: &Connection, known: usize) -> Result<usize, Problem> {
    // One statement, so that all three values belong to the same state of the file.
    let (application, version, tables): (i64, i64, i64) = conn.query_row(
        "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)
         FROM pragma_application_id, pragma_user_version",
        [],
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
    )?;
    match (application, usize::try_from(version)) {
        (0, Ok(0)) if tables == 0 => Ok(0),
        (APPLICATION_ID, Ok(found)) if (1..=known).contains(&found) => Ok(found),
        (APPLICATION_ID, Ok(found)) if found > known => {
            Err(Problem::Newer { found: version, known: known as i64 })
        }
        (APPLICATION_ID, _) => Err(Problem::Damaged(format!("schema version {version}"))),
        _ => Err(Problem::Foreign),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = "CREATE TABLE runs (name TEXT) STRICT;";
    const SECOND: &str = "ALTER TABLE runs ADD COLUMN place INTEGER;";

    #[test]
    fn a_step_that_fails_changes_nothing() {
        let conn = Connection::open_in_memory().unwrap();
        migrate_through(&conn, &[FIRST]).unwrap();
        let wrong = "CREATE TABLE half (x); SELECT * FROM nothing;";
        assert!(migrate_through(&conn, &[FIRST, SECOND, wrong]).is_err());
        assert_eq!(version_up_to(&conn, 3).unwrap(), 1);
        let tables: i64 =
            conn.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).unwrap();
        assert_eq!(tables, 1);
    }
}
