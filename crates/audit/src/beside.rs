//! The first pass over a program, which is a separate process. From here, three things can be
//! observed: whether its steps are done, how long they take, and their outputs.

use std::time::Instant;

use measure::Readable;
use record::{Deed, Pass};
use rt::clock;
use rt::progress::{Phase, Stage};

use crate::order::Request;
use crate::outputs::Outputs;
use crate::ready::{ended, ready};
use crate::series::Series;

/// What cannot be observed from another process.
const NOT_SEEN: &str = "allocation, locks and other calls of the C library, page faults, denormals and the \
    stack: a program is a separate process, which is watched only from outside";

pub(crate) fn pass(request: &Request, mut model: Readable, stage: &Stage) -> Result<Pass, String> {
    let mut stepped = ready(&mut model, stage, |_| ())?;
    let (mut outputs, mut seen) = (Outputs::new(), Series::new());
    let mut step_ns = Vec::new();
    let begun = Instant::now();
    for number in 0..request.steps {
        if begun.elapsed() > request.longest_pass {
            break;
        }
        stage.enter(0, Phase::Step, number);
        let start = clock::now();
        let done = stepped.step(number);
        step_ns.push(clock::now() - start);
        stage.leave(0);
        if let Err(why) = done {
            seen.add((Deed::Status, why), Some(number), 1, 0);
            break;
        }
        outputs.add(stepped.outputs()?);
        let not_finite = stepped.wrong_outputs();
        if not_finite > 0 {
            seen.add((Deed::NotFinite, String::new()), Some(number), not_finite, 0);
        }
    }
    ended(&mut stepped, stage);
    Ok(Pass {
        occurrences: seen.into_occurrences(|(deed, name)| (deed, name, None, true)),
        step_ns,
        outputs: outputs.count(),
        outputs_hash: outputs.hash(),
        not_seen: vec![NOT_SEEN.to_owned()],
        ..Pass::default()
    })
}
