//! The pass that is watched from inside: calls are counted as they are made, and what the kernel
//! and the processor have marked is read before and after each step.

use plan::{Change, Deed, ModelThread, Pass};
use probe::Readable;
use rt::hooks::Calls;
use rt::stage::{Phase, Stage};
use rt::surroundings::Surroundings;
use rt::{float, heirs, memory};

use crate::ready::{ended, ready};
use crate::watch::Watch;

/// Steps the model, and tells what was seen.
pub(crate) fn pass(steps: u64, mut model: Readable, stage: &Stage) -> Result<Pass, String> {
    let mut not_seen = prepared();
    let calls = Calls::of_this_thread();
    calls.cover(|_| false);
    let before = Surroundings::now();
    let mut watch = Watch::new(calls, float::mode());
    let mut stepped = ready(&mut model, stage, |model| {
        calls.cover(|file| model.is_own(file));
    })?;
    if calls.cover(|file| model.is_own(file)) == 0 {
        not_seen.push("calls of the C library: none of its functions could be counted".to_owned());
    }
    watch.begin(&stepped);
    let ready = Surroundings::now();
    let threads = heirs::others().into_iter().map(thread).collect();
    for number in 0..steps {
        stage.enter(0, Phase::Step, number);
        let done = watch.step(number, &mut stepped);
        stage.leave(0);
        if let Err(why) = done.and_then(|()| watch.outputs(number, &mut stepped)) {
            watch.count((Deed::Status, why, 0, true), number, 1);
            break;
        }
    }
    let now = Surroundings::now();
    ended(&mut stepped, stage);
    let changed = |what: Vec<String>, in_steps| {
        let change = move |what| Change { what, in_steps };
        what.into_iter().map(change)
    };
    let in_setup = changed(before.changed_to(&ready), false);
    Ok(Pass {
        changes: in_setup.chain(changed(ready.changed_to(&now), true)).collect(),
        not_seen,
        threads,
        ..watch.told()
    })
}

/// Puts this process into the state that a run gives its own; what that could not.
fn prepared() -> Vec<String> {
    let mut not_seen = Vec::new();
    if let Err(why) = memory::lock_all() {
        not_seen.push(format!(
            "memory could not be locked as in a run ({why}), so that pages touched for the first time count as page faults"
        ));
    }
    if heirs::mark_this_thread().is_err() {
        not_seen.push("whether threads of the model inherit the policy of the step".to_owned());
    }
    not_seen
}

fn thread(heir: heirs::Heir) -> ModelThread {
    ModelThread { name: heir.name, inherits_policy: heir.is_marked }
}
