//! What a browser is told: one JSON object a message, small numbers, no more than it needs.
//!
//! | name | content |
//! | --- | --- |
//! | `state` | `waiting`, `live`, `still` (no step is made) or `ended` |
//! | `still_ms` | for how long no step was made, where the state is `still` |
//! | `silent_ms` | how long the tire was not heard |
//! | `refused`, `refusal`, `others` | datagrams that were no good, why the last was not, and those of other runs |
//! | `about` | what is run; only when the run is new to the browser |
//! | `step`, `hub`, `places` | steps done; positions in 0.1 mm, forces in 0.1 mN: `x, y` and `x, y, force, ...` |
//! | `steps` | `due_us, delay_ns, run_ns, ...` of steps that are new to the browser |
//! | `totals`, `lost` | counts over the run; steps that no datagram told |

use std::time::Instant;

use plan::live::{About, Place, Shape, Totals};
use serde_json::{Map, Value, json};

use crate::scene::{Scene, Tire};

/// What a browser knows already.
#[derive(Debug, Default)]
pub struct Known {
    /// Version of the scene.
    pub version: u64,
    run: Option<u64>,
    shape: u64,
    steps: u64,
}

impl Known {
    /// What is new to the browser; from then on it is known.
    pub fn catch_up(&mut self, scene: &Scene, now: Instant) -> Value {
        self.version = scene.version;
        let mut message = Map::new();
        let mut tell = |name: &str, value: Value| message.insert(name.to_owned(), value);
        tell("state", state(scene, now).into());
        tell("refused", scene.refused.into());
        tell("refusal", scene.refusal.map(|r| r.to_string()).into());
        tell("others", scene.others.into());
        if let Some((tire, told)) = shown(scene) {
            let silent = now.saturating_duration_since(tire.heard);
            tell("silent_ms", (silent.as_millis() as u64).into());
            tell("still_ms", tire.still(now).map(|still| still.as_millis() as u64).into());
            tell("totals", totals(&tire.totals));
            tell("lost", tire.lost.into());
            if self.run != Some(tire.run) {
                *self = Self { version: self.version, run: Some(tire.run), ..Self::default() };
                tell("about", about(told));
            }
            if let Some(shape) = tire.shape.as_ref().filter(|s| s.step > self.shape) {
                self.shape = shape.step;
                tell("step", shape.step.into());
                tell("hub", shape.hub.map(|hub| hub.map(tenths)).into());
                tell("places", places(shape));
            }
            tell("steps", steps(tire, self.steps));
            self.steps = tire.next_step();
        }
        message.into()
    }
}

/// The tire that can be shown: one of which it is known what it is.
fn shown(scene: &Scene) -> Option<(&Tire, &About)> {
    let tire = scene.tire.as_ref()?;
    Some((tire, tire.about.as_ref()?))
}

fn state(scene: &Scene, now: Instant) -> &'static str {
    match shown(scene) {
        None => "waiting",
        Some((tire, _)) if tire.has_ended => "ended",
        Some((tire, _)) if tire.still(now).is_some() => "still",
        Some(_) => "live",
    }
}

fn about(about: &About) -> Value {
    json!({
        "period_ns": about.period_ns,
        "periods": about.periods,
        "step_ns": about.step_ns,
        "size": about.size,
        "unit": about.unit,
        "threads": about.threads,
        "model": about.model,
        "solver": about.solver,
        "precision": about.precision,
        "policy": about.policy,
    })
}

fn totals(totals: &Totals) -> Value {
    json!({
        "executed": totals.executed,
        "missed": totals.missed,
        "skipped": totals.skipped,
        "untold": totals.untold,
        "frames_due": totals.frames_due,
        "frames_sent": totals.frames_sent,
    })
}

/// Thousandths of a tenth: 0.1 mm of metres, 0.1 mN of newtons.
fn tenths(number: f32) -> i64 {
    (f64::from(number) * 1e4).round() as i64
}

fn places(shape: &Shape) -> Value {
    let numbers = |place: &Place| [place.position[0], place.position[1], place.force];
    let all = shape.places.iter().flat_map(numbers);
    all.map(tenths).collect()
}

fn steps(tire: &Tire, from: u64) -> Value {
    let numbers = tire.steps_from(from).flat_map(|step| {
        let (delay, run) = (step.delay_ns.into(), step.run_ns.into());
        [step.due_ns / 1000, delay, run]
    });
    numbers.collect()
}
