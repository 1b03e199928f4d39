//! The knobs that exist on a machine, and their values.

use std::path::Path;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::knob::{Knob, Way};
use crate::place::{INACTIVE, Place};
use crate::rivals::Rivals;
use crate::table::{KNOBS, find};
use crate::{cache, reach, reference, service};

/// A knob that exists on a machine.
#[derive(Serialize, Deserialize)]
pub struct Present {
    #[serde(serialize_with = "as_name", deserialize_with = "by_name")]
    pub knob: &'static Knob,
    /// The name that users type.
    pub name: String,
    /// The present value; if its places differ, each as `PLACE=VALUE`.
    pub now: String,
    /// The value to try; `None` if there is none.
    pub to_try: Option<String>,
    /// Why this process cannot set it; `None` if it can.
    pub out_of_reach: Option<String>,
    /// The running programs that also write it.
    pub written_by: Vec<String>,
    pub places: Vec<Place>,
}

fn as_name<S: Serializer>(knob: &&'static Knob, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(knob.name)
}

fn by_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static Knob, D::Error> {
    let name = String::deserialize(deserializer)?;
    find(&name).ok_or_else(|| D::Error::custom(format_args!("unknown knob `{name}`")))
}

/// The knobs of a machine, and the running programs that also write some of them.
#[derive(Serialize, Deserialize)]
pub struct OnMachine {
    /// The existing knobs, in the order of the table.
    pub knobs: Vec<Present>,
    /// These programs.
    pub rivals: Rivals,
}

impl OnMachine {
    /// Collects the knobs of the machine below `root`.
    pub fn below(root: &Path) -> Self {
        Self { knobs: here(root), rivals: Rivals::below(root) }
    }

    /// Returns the knob with this name, if it exists.
    pub fn find(&self, name: &str) -> Option<&Present> {
        self.knobs.iter().find(|one| one.name == name)
    }
}

/// Returns the knobs of the table that exist on the machine below `root`, in the order of the
/// table. It excludes units of systemd, which are tried only if named.
pub fn here(root: &Path) -> Vec<Present> {
    let running = Rivals::below(root).running;
    let found = |knob: &'static Knob| found(knob, knob.name, root, &running);
    KNOBS.iter().filter_map(found).collect()
}

/// Returns the knob with a typed name, if it exists on the machine below `root`.
pub fn present(root: &Path, typed: &str) -> Option<Present> {
    found(find(typed)?, typed, root, &Rivals::below(root).running)
}

fn found(knob: &'static Knob, typed: &str, root: &Path, running: &[String]) -> Option<Present> {
    let places = match knob.way {
        Way::Unit => vec![service::place(typed).ok()?],
        Way::Boot => return None,
        _ => knob.places(root),
    };
    let words = |now: &str, to_try: &str| (now.to_owned(), Some(to_try.to_owned()));
    let (now, to_try) = match &knob.way {
        Way::Flag(flag) => words("as the run asks", flag.advised),
        Way::Hog => words("none", reference::USUAL),
        Way::Held => words("not held", HELD),
        _ if places.is_empty() => {
            // Its file system may not be mounted, or this process may not read it.
            return Some(Present {
                knob,
                name: typed.to_owned(),
                now: "unknown".to_owned(),
                to_try: None,
                out_of_reach: Some(reach::hidden(knob, root)?),
                written_by: Vec::new(),
                places,
            });
        }
        _ => in_places(knob, &places),
    };
    let writes_it = |name: &&String| knob.written_by.contains(&name.as_str());
    Some(Present {
        knob,
        name: typed.to_owned(),
        now,
        to_try,
        out_of_reach: reach::out_of_reach(knob, &places, root),
        written_by: running.iter().filter(writes_it).cloned().collect(),
        places,
    })
}

/// The value of something that is held open.
pub(crate) const HELD: &str = "held";

/// Returns the present value and the one to try.
fn in_places(knob: &Knob, places: &[Place]) -> (String, Option<String>) {
    let read: Vec<(&Place, String)> =
        places.iter().filter_map(|place| Some((place, place.read().ok()?))).collect();
    let now = in_words(&read);
    let to_try = match &knob.way {
        Way::Files(_, values) | Way::Tasks(_, values) => values.tried(&now, &read),
        Way::Unit => (now != INACTIVE).then(|| INACTIVE.to_owned()),
        Way::Cache => Some(cache::HALF.to_owned()),
        Way::Held | Way::Hog | Way::Flag(_) | Way::Boot => None,
    };
    (now, to_try.filter(|_| !read.is_empty()))
}

/// Joins the values of several places: one value if they are equal, else each as `PLACE=VALUE`.
pub fn in_words(read: &[(&Place, String)]) -> String {
    let Some((_, first)) = read.first() else {
        return String::new();
    };
    if read.iter().all(|(_, value)| value == first) {
        return first.clone();
    }
    let each = read.iter().map(|(place, value)| format!("{place}={value}"));
    each.collect::<Vec<_>>().join(", ")
}
