//! The pass that is watched from inside: it counts calls as they happen, and reads the marks of the
//! kernel and the processor before and after each step.

use std::time::Instant;

use measure::Readable;
use record::{Change, ChangedWhen, Deed, ModelThread, Pass};
use rt::hooks::Calls;
use rt::progress::{Phase, Stage};
use rt::surroundings::Surroundings;
use rt::{float, inherited_policy, memory};

use crate::order::Request;
use crate::ready::{ended, leave_if_forked, ready};
use crate::watch::Watch;

pub(crate) fn pass(request: &Request, mut model: Readable, stage: &Stage) -> Result<Pass, String> {
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
    let threads = inherited_policy::others()
        .into_iter()
        .map(|heir| ModelThread { name: heir.name, inherits_policy: heir.is_marked })
        .collect();
    let begun = Instant::now();
    for number in 0..request.steps {
        if begun.elapsed() > request.longest_pass {
            break;
        }
        stage.enter(0, Phase::Step, number);
        let done = watch.step(number, &mut stepped);
        stage.leave(0);
        leave_if_forked();
        if let Err(why) = done.and_then(|()| watch.outputs(number, &mut stepped)) {
            watch.count((Deed::Status, why, 0, true), number, 1);
            break;
        }
    }
    let now = Surroundings::now();
    ended(&mut stepped, stage);
    let at_end = Surroundings::now();
    let changed = |from: &Surroundings, to: &Surroundings, when| {
        let change = move |what| Change { what, when };
        from.changed_to(to).into_iter().map(change)
    };
    let changes = changed(&before, &ready, ChangedWhen::BeforeSteps)
        .chain(changed(&ready, &now, ChangedWhen::InSteps))
        .chain(changed(&now, &at_end, ChangedWhen::AfterSteps));
    Ok(Pass { changes: changes.collect(), not_seen, threads, ..watch.into_pass() })
}

/// Brings this process into the state of a run's process. Returns what could not be done.
fn prepared() -> Vec<String> {
    let mut not_seen = Vec::new();
    if let Err(why) = memory::lock_all() {
        not_seen.push(format!(
            "memory could not be locked as in a run ({why}), so pages touched for the first time count as page faults"
        ));
    }
    if inherited_policy::mark_this_thread().is_err() {
        not_seen.push("whether threads of the model inherit the policy of the step".to_owned());
    }
    not_seen
}
