//! Machines: each fingerprint once, under its id.

use std::collections::BTreeMap;

use plan::Machine;
use rusqlite::{Connection, params_from_iter};

use crate::record::{Record, Table, json};

const MACHINES: Table = Table {
    name: "machines",
    columns: &["id", "fingerprint"],
};

/// The records of machines by id.
pub(crate) type Machines = BTreeMap<String, Record>;

pub(crate) fn record(machine: &Machine) -> Record {
    vec![machine.id().into(), json(machine)]
}

/// Inserts a machine where it is not there yet.
pub(crate) fn insert(conn: &Connection, record: &Record) -> rusqlite::Result<()> {
    conn.execute(
        "INSERT OR IGNORE INTO machines (id, fingerprint) VALUES (?1, ?2)",
        params_from_iter(record),
    )?;
    Ok(())
}

pub(crate) fn all(conn: &Connection) -> rusqlite::Result<Machines> {
    conn.prepare("SELECT id, fingerprint FROM machines")?
        .query_map([], |row| Ok((row.get(0)?, vec![row.get(0)?, row.get(1)?])))?
        .collect()
}

pub(crate) fn find<'m>(machines: &'m Machines, id: &str) -> Result<&'m Record, String> {
    machines
        .get(id)
        .ok_or_else(|| "its machine is missing".to_owned())
}

pub(crate) fn read(record: &Record) -> Result<Machine, String> {
    MACHINES.fields(record).json("fingerprint")
}
