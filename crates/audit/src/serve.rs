//! The process that steps the model.

use std::io::{Read, Write};

use plan::{Pass, PassEnd};
use probe::Readable;
use rt::role;
use rt::stack::Painted;
use rt::stage::{Phase, Stage};
use rt::streams::own_output;

use crate::beside;
use crate::inside;
use crate::order::Order;
use crate::outputs::Outputs;
use crate::ready::{ended, ready};

/// Stack in which a step's calls are looked for, in bytes.
const STACK: usize = 16 << 10;

/// Plays the role: reads what is asked, steps the model, and writes what was seen to standard
/// output, which the model does not have.
///
/// # Errors
/// One line where it was not asked by this program, or nobody reads the answer.
pub fn serve(from: &mut impl Read) -> Result<(), String> {
    let mut to = own_output().map_err(|error| error.to_string())?;
    role::die_with_starter().map_err(|error| error.to_string())?;
    let mut line = String::new();
    from.read_to_string(&mut line).map_err(|error| error.to_string())?;
    let order: Order = serde_json::from_str(&line).map_err(|error| error.to_string())?;
    let made =
        made(&order).unwrap_or_else(|why| Pass { end: PassEnd::NotMade(why), ..Pass::default() });
    let text = serde_json::to_vec(&made).map_err(|error| error.to_string())?;
    to.write_all(&text).map_err(|error| error.to_string())
}

fn made(order: &Order) -> Result<Pass, String> {
    let stage = Stage::here().map_err(|error| error.to_string())?;
    let model = Readable::of(&order.request.run)?;
    match order.from_inside {
        true if model.attaches() => beside::pass(order.request.steps, model, stage),
        true => inside::pass(order.request.steps, model, stage),
        false => watched(order.request.steps, model, stage),
    }
}

/// Steps a model for somebody who watches from outside: nothing is done in between but what tells
/// him the number of the step, and what is to be compared.
fn watched(steps: u64, mut model: Readable, stage: &Stage) -> Result<Pass, String> {
    let mut stepped = ready(&mut model, stage, |_| ())?;
    let mut outputs = Outputs::new();
    for number in 0..steps {
        // Where an earlier call returned to is wiped out, to mislead nobody who looks at the stack.
        let _ = Painted::below_here(STACK);
        stage.enter(0, Phase::Step, number);
        let done = stepped.step(number);
        stage.leave(0);
        if done.is_err() {
            break;
        }
        outputs.add(stepped.outputs()?);
    }
    ended(&mut stepped, stage);
    Ok(Pass { outputs: outputs.count(), outputs_hash: outputs.hash(), ..Pass::default() })
}
