//! Machines: each fingerprint is stored once, under its id.

use std::collections::BTreeMap;

use record::{Machine, Shared};
use rusqlite::{Connection, params_from_iter};

use crate::record::{Record, Table, json};

const MACHINES: Table = Table { name: "machines", columns: &["id", "fingerprint"] };

/// A machine as it is stored.
pub(crate) struct Kept {
    pub(crate) record: Record,
    /// The machine, read once for all of its runs, or what could not be read.
    pub(crate) machine: Result<Shared<Machine>, String>,
}

pub(crate) type Machines = BTreeMap<String, Kept>;

pub(crate) fn record(machine: &Machine) -> Record {
    vec![machine.id().into(), json(machine)]
}

/// Inserts a machine unless it is already there.
pub(crate) fn insert(conn: &Connection, record: &Record) -> rusqlite::Result<()> {
    conn.execute(
        "INSERT OR IGNORE INTO machines (id, fingerprint) VALUES (?1, ?2)",
        params_from_iter(record),
    )?;
    Ok(())
}

pub(crate) fn all(conn: &Connection) -> rusqlite::Result<Machines> {
    conn.prepare("SELECT id, fingerprint FROM machines")?
        .query_map([], |row| {
            let record = vec![row.get(0)?, row.get(1)?];
            let machine = read(&record).map(Shared::from);
            Ok((row.get(0)?, Kept { record, machine }))
        })?
        .collect()
}

/// Most bytes of a fingerprint: one of 2,048 unlike CPUs has less.
const MOST_BYTES: usize = 1 << 20;

fn read(record: &Record) -> Result<Machine, String> {
    let fields = MACHINES.fields(record);
    if fields.value("fingerprint").as_str().is_ok_and(|text| text.len() > MOST_BYTES) {
        return Err(format!("its machine is described in more than {} MiB", MOST_BYTES >> 20));
    }
    fields.json("fingerprint")
}

pub(crate) fn find<'m>(machines: &'m Machines, id: &str) -> Result<&'m Kept, String> {
    machines.get(id).ok_or_else(|| "its machine is missing".to_owned())
}

#[cfg(test)]
mod tests {
    use testing::outcomes::machine;

    use super::*;

    #[test]
    fn a_description_of_any_length_is_not_read() {
        assert_eq!(read(&record(&machine())), Ok(machine()));
        let long = Machine { cpu_model: "x".repeat(MOST_BYTES), ..machine() };
        assert!(read(&record(&long)).unwrap_err().contains("more than 1 MiB"));
    }
}
