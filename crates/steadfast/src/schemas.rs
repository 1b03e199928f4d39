//! Compares the files of `docs/schema` with the types of which the JSON is a value.
//! `GOLDEN=write cargo test -p steadfast schemas` writes them again.

use doctor::Diagnosis;
use report::{AuditReport, CheckReport, ExactGate, SelfTestReport};
use testing_schema::{Printed, assert_derived};

use crate::command::knobs::KnobList;
use crate::command::list::List;
use crate::command::model::DescribedFile;
use crate::command::studies::FindingList;

const PRINTED: &[Printed] = &[
    Printed::new::<AuditReport>("audit"),
    Printed::new::<CheckReport>("check"),
    Printed::new::<Diagnosis>("doctor"),
    Printed::new::<ExactGate>("gate"),
    Printed::new::<KnobList>("knobs"),
    Printed::new::<List>("list"),
    Printed::new::<DescribedFile>("model"),
    Printed::new::<SelfTestReport>("self-test"),
    Printed::new::<FindingList>("studies"),
];

#[test]
fn every_schema_is_derived_from_its_type() {
    assert_derived(PRINTED);
}
