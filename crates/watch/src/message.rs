//! The messages to a browser: one JSON object per message, with small numbers and only what the
//! browser needs.
//!
//! | name | content |
//! | --- | --- |
//! | `state` | `waiting`, `live`, `still` (no step is made) or `ended` |
//! | `still_ms` | for how long no step was made, where the state is `still` |
//! | `silent_ms` | how long nothing was received from the tire |
//! | `refused`, `refusal`, `others` | refused datagrams, the reason for the last one, and datagrams of other runs |
//! | `about` | what is run; only when the run is new to the browser |
//! | `step`, `hub`, `places` | steps done; positions in 0.1 mm, forces in 0.1 mN: `x, y` and `x, y, force, ...` |
//! | `steps` | `due_us, delay_ns, run_ns, ...` of steps that are new to the browser |
//! | `totals`, `lost` | counts over the run; steps that no datagram reported |

use std::time::Instant;

use record::live::{About, Place, Shape};
use serde_json::{Map, Value, json};

use crate::scene::{Scene, Tire};

/// What a browser already knows.
#[derive(Debug, Default)]
pub struct Known {
    pub version: u64,
    run: Option<u64>,
    shape: u64,
    steps: u64,
}

impl Known {
    /// Returns the news for the browser, and counts them as known from then on.
    pub fn catch_up(&mut self, scene: &Scene, now: Instant) -> Value {
        self.version = scene.version;
        let mut message = Map::new();
        let mut add = |name: &str, value: Value| message.insert(name.to_owned(), value);
        add("state", state(scene, now).into());
        add("refused", scene.refused.into());
        add("refusal", scene.refusal.map(|r| r.to_string()).into());
        add("others", scene.others.into());
        if let Some((tire, known_run)) = shown(scene) {
            let silent = now.saturating_duration_since(tire.heard);
            add("silent_ms", (silent.as_millis() as u64).into());
            add("still_ms", tire.still(now).map(|still| still.as_millis() as u64).into());
            add("totals", json!(tire.totals));
            add("lost", tire.lost.into());
            if self.run != Some(tire.run) {
                *self = Self { version: self.version, run: Some(tire.run), ..Self::default() };
                add("about", json!(known_run));
            }
            if let Some(shape) = tire.shape.as_ref().filter(|s| s.step > self.shape) {
                self.shape = shape.step;
                add("step", shape.step.into());
                add("hub", shape.hub.map(|hub| hub.map(tenths)).into());
                add("places", places(shape));
            }
            add("steps", steps(tire, self.steps));
            self.steps = tire.next;
        }
        message.into()
    }
}

/// Returns the tire that can be shown: one whose setup is known.
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

/// Converts to units of 0.1 mm from metres, or 0.1 mN from newtons.
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
