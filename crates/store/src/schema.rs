//! The schema: recognises a store, and migrates an older one to the current version.

use rusqlite::Connection;

use crate::error::Problem;
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
];

/// A view that shows an older file's rows in the current schema: the columns of the first version,
/// then the given ones.
macro_rules! rows_with {
    ($later:literal) => {
        concat!(
            "CREATE TEMP VIEW rows AS SELECT run_id, ordinal, label, unavailable, due, executed,
             skipped, facts, early, min_ns, min_index, min_at_ns, max_ns, max_index, max_at_ns,
             sum_ns, histogram, ",
            $later,
            " FROM main.rows;"
        )
    };
}

/// Views through which an older file that cannot be written reads like the current version. Element
/// n is for schema version n + 1; only one connection sees them.
const STAND_INS: &[&[&str]] = &[
    &[rows_with!("NULL AS parts, NULL AS worst"), SESSIONS_WITHOUT_HEADING, NO_COUNTS],
    &[rows_with!("NULL AS parts, NULL AS worst"), SESSIONS_WITHOUT_HEADING, NO_COUNTS],
    &[rows_with!("parts, NULL AS worst"), SESSIONS_WITHOUT_HEADING, NO_COUNTS],
    &[SESSIONS_WITHOUT_HEADING, NO_COUNTS],
    &[NO_COUNTS],
];

/// A view of the sessions in files from before sessions had headings.
const SESSIONS_WITHOUT_HEADING: &str = "CREATE TEMP VIEW sessions AS
    SELECT *, NULL AS heading, NULL AS note FROM main.sessions;";

/// An empty view for files from before sessions counted their runs.
const NO_COUNTS: &str = "CREATE TEMP VIEW saved_runs AS
    SELECT 0 AS session_id, 0 AS runs WHERE false;";

/// Makes an older file read like the current version, without writing to it.
pub(crate) fn stand_in(conn: &Connection) -> Result<(), Problem> {
    let stand_ins = STAND_INS.get(version(conn)?.saturating_sub(1));
    Ok(stand_ins.map_or(Ok(()), |views| conn.execute_batch(&views.concat()))?)
}

/// Returns the schema version of the file; 0 for an empty file.
pub(crate) fn version(conn: &Connection) -> Result<usize, Problem> {
    version_up_to(conn, MIGRATIONS.len())
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
    fn an_older_schema_is_migrated_and_keeps_its_data() {
        let conn = Connection::open_in_memory().unwrap();
        migrate_through(&conn, &[FIRST]).unwrap();
        conn.execute("INSERT INTO runs VALUES ('one')", []).unwrap();
        migrate_through(&conn, &[FIRST, SECOND]).unwrap();
        let (name, place): (String, Option<i64>) = conn
            .query_row("SELECT name, place FROM runs", [], |row| Ok((row.get(0)?, row.get(1)?)))
            .unwrap();
        assert_eq!((name.as_str(), place), ("one", None));
        assert_eq!(version_up_to(&conn, 2).unwrap(), 2);
    }

    #[test]
    fn every_older_version_has_views_that_read_like_the_current_one() {
        assert_eq!(STAND_INS.len() + 1, MIGRATIONS.len());
        type Prepare = fn(&Connection) -> Result<(), Problem>;
        let columns = |version: usize, table: &str, prepare: Prepare| {
            let conn = Connection::open_in_memory().unwrap();
            migrate_through(&conn, &MIGRATIONS[..version]).unwrap();
            prepare(&conn).unwrap();
            let statement = conn.prepare(&format!("SELECT * FROM {table}")).unwrap();
            let names = statement.column_names();
            names.into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        for version in 1..MIGRATIONS.len() {
            for table in ["rows", "sessions"] {
                let [read, migrated] =
                    [stand_in, migrate].map(|prepare| columns(version, table, prepare));
                assert_eq!(read, migrated, "{table} of version {version}");
            }
        }
    }

    #[test]
    fn a_newer_schema_is_refused() {
        let conn = Connection::open_in_memory().unwrap();
        migrate_through(&conn, &[FIRST, SECOND]).unwrap();
        let refused = migrate_through(&conn, &[FIRST]);
        assert!(matches!(refused, Err(Problem::Newer { found: 2, known: 1 })));
    }

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
