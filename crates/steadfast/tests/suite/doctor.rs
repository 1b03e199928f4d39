//! Tests of `steadfast doctor` on whatever machine this is, as any user.

use crate::common::{Done, as_ordinary_user, open_folder, run};

fn findings(done: Done) -> usize {
    let diagnosis = done.succeeded().document();
    testing::Schema::named("doctor-1").assert(&diagnosis);
    diagnosis["findings"].as_array().unwrap().len()
}

#[test]
fn an_ordinary_user_gets_every_check_too() {
    assert!(run("doctor").stdout().starts_with("This machine is "));
    let folder = open_folder();
    let by_user = Done::of(as_ordinary_user(&folder, "", "doctor --json"));
    assert_eq!(findings(by_user), findings(run("doctor --json")));
}
