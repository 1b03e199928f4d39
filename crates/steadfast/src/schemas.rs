//! Compares the files of `docs/schema` with the types of which the JSON is a value.
//! `GOLDEN=write cargo test -p steadfast schemas` writes them again.

use testing_schema::{Printed, assert_derived};

use crate::command::list::List;

const PRINTED: &[Printed] = &[Printed::new::<List>("list")];

#[test]
fn every_schema_is_derived_from_its_type() {
    assert_derived(PRINTED);
}
