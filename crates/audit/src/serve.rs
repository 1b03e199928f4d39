//! The process that steps the model.

use std::io::{Read, Write};

use measure::Readable;
use record::{Pass, PassEnd};
use rt::progress::{Phase, Stage};
use rt::stack::Painted;
use rt::streams::own_output;
use rt::{crash, exceptions, family, process, role};

use crate::beside;
use crate::inside;
use crate::order::Order;
use crate::outputs::Outputs;
use crate::ready::{ended, leave_if_forked, ready};

/// Bytes of the stack in which a step's calls are searched.
const STACK: usize = 16 << 10;

/// Plays the role: reads the order, steps the model, and writes the observations to standard
/// output, which the model cannot access.
///
/// # Errors
/// One line if this program did not send the order, or if the answer cannot be written.
pub fn serve(from: &mut impl Read) -> Result<(), String> {
    let to = own_output().map_err(|error| error.to_string())?;
    role::die_with_starter().map_err(|error| error.to_string())?;
    let mut line = String::new();
    from.read_to_string(&mut line).map_err(|error| error.to_string())?;
    let order: Order = serde_json::from_str(&line).map_err(|error| error.to_string())?;
    // What the model starts and leaves is counted, also once its own parent has ended.
    family::adopt_orphans().map_err(|error| error.to_string())?;
    // The model may keep a CPU at a real-time priority that it has given itself, without waiting, as
    // long as a step may take. A lower limit that is in force bounds the spin instead.
    let longest_us = order.request.longest.as_micros();
    let _ = process::bound_real_time_spin(longest_us.try_into().unwrap_or(u64::MAX));
    let made = exceptions::contained(|| made(&order))
        .unwrap_or_else(|why| Pass { end: PassEnd::NotMade(why), ..Pass::default() });
    rt::fmi::print_logs();
    rt::printed::flush();
    let text = serde_json::to_vec(&made).map_err(|error| error.to_string())?;
    to.write_all(&text).map_err(|error| error.to_string())?;
    // From here to the end, only destructors of what was loaded run.
    Stage::here().map_err(|error| error.to_string())?.enter(0, Phase::Unloading, 0);
    Ok(())
}

fn made(order: &Order) -> Result<Pass, String> {
    let stage = Stage::here().map_err(|error| error.to_string())?;
    crash::bound_stack();
    crash::watch_this_thread();
    let model = Readable::of(&order.request.run)?;
    match order.from_inside {
        true if model.attaches() => beside::pass(&order.request, model, stage),
        true => inside::pass(&order.request, model, stage),
        false => watched(order.request.steps, model, stage),
    }
}

/// Steps a model while another process watches. Between steps it only publishes the step number and
/// hashes the outputs.
fn watched(steps: u64, mut model: Readable, stage: &Stage) -> Result<Pass, String> {
    let mut stepped = ready(&mut model, stage, |_| ())?;
    let mut outputs = Outputs::new();
    for number in 0..steps {
        // Erases return addresses of earlier calls, which would mislead a search of the stack.
        let _ = Painted::below_here(STACK);
        stage.enter(0, Phase::Step, number);
        let done = stepped.step(number);
        stage.leave(0);
        leave_if_forked();
        if done.is_err() {
            break;
        }
        outputs.add(stepped.outputs()?);
    }
    ended(&mut stepped, stage);
    Ok(Pass { outputs: outputs.count(), outputs_hash: outputs.hash(), ..Pass::default() })
}
