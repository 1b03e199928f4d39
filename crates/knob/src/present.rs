//! The knobs that exist on a machine, and how they stand.

use std::path::Path;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::cache;
use crate::knob::{Knob, Way};
use crate::place::{INACTIVE, Place};
use crate::reach;
use crate::reference;
use crate::rivals;
use crate::service;
use crate::table::{KNOBS, find};

/// A knob that exists on a machine.
#[derive(Serialize, Deserialize)]
pub struct Present {
    /// The knob.
    #[serde(serialize_with = "as_name", deserialize_with = "by_name")]
    pub knob: &'static Knob,
    /// The name that it is typed by.
    pub name: String,
    /// What stands there; where its places differ, each as `PLACE=VALUE`.
    pub now: String,
    /// What is to be tried, if anything.
    pub to_try: Option<String>,
    /// Why it cannot be set by this process, where that is so.
    pub out_of_reach: Option<String>,
    /// The programs that write it too and that run now.
    pub written_by: Vec<String>,
    /// Where it is.
    pub places: Vec<Place>,
}

fn as_name<S: Serializer>(knob: &&'static Knob, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(knob.name)
}

fn by_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static Knob, D::Error> {
    let name = String::deserialize(deserializer)?;
    find(&name).ok_or_else(|| D::Error::custom(format_args!("there is no knob `{name}`")))
}

/// The knobs of a machine, and the programs on it that write some of them too.
#[derive(Serialize, Deserialize)]
pub struct OnMachine {
    /// The knobs that exist there, in the order of the table.
    pub knobs: Vec<Present>,
    /// Those programs, by name.
    pub running: Vec<String>,
}

impl OnMachine {
    /// Those of the machine below `root`.
    #[must_use]
    pub fn below(root: &Path) -> Self {
        Self { knobs: here(root), running: rivals::running(root) }
    }

    /// The knob of that name, where it is there.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Present> {
        self.knobs.iter().find(|one| one.name == name)
    }
}

/// The knobs of the table that exist on the machine below `root`, in its order. A unit of systemd is
/// none of them: it is tried only where it is named.
#[must_use]
pub fn here(root: &Path) -> Vec<Present> {
    let running = rivals::running(root);
    let found = |knob: &'static Knob| found(knob, knob.name, root, &running);
    KNOBS.iter().filter_map(found).collect()
}

/// The knob of a typed name, where it exists on the machine below `root`.
#[must_use]
pub fn present(root: &Path, typed: &str) -> Option<Present> {
    found(find(typed)?, typed, root, &rivals::running(root))
}

fn found(knob: &'static Knob, typed: &str, root: &Path, running: &[String]) -> Option<Present> {
    let places = match knob.way {
        Way::Unit => vec![service::place(typed).ok()?],
        Way::Boot => return None,
        _ => knob.places(root),
    };
    let sight = match &knob.way {
        Way::Flag(flag) => Sight::of("as the run asks", flag.advised),
        Way::Hog => Sight::of("none", reference::USUAL),
        Way::Held => Sight::of("not held", HELD),
        _ if places.is_empty() => return hidden(knob, typed, root),
        _ => in_places(knob, &places),
    };
    let writes_it = |name: &&String| knob.written_by.contains(&name.as_str());
    Some(Present {
        knob,
        name: typed.to_owned(),
        now: sight.now,
        to_try: sight.to_try,
        out_of_reach: reach::out_of_reach(knob, &places, root),
        written_by: running.iter().filter(writes_it).cloned().collect(),
        places,
    })
}

/// What is asked of something that is held open.
pub(crate) const HELD: &str = "held";

struct Sight {
    now: String,
    to_try: Option<String>,
}

impl Sight {
    fn of(now: &str, to_try: &str) -> Self {
        Self { now: now.to_owned(), to_try: Some(to_try.to_owned()) }
    }
}

/// A knob below a file system that is not mounted, or that is closed to this process.
fn hidden(knob: &'static Knob, typed: &str, root: &Path) -> Option<Present> {
    Some(Present {
        knob,
        name: typed.to_owned(),
        now: "not told".to_owned(),
        to_try: None,
        out_of_reach: Some(reach::hidden(knob, root)?),
        written_by: Vec::new(),
        places: Vec::new(),
    })
}

fn in_places(knob: &Knob, places: &[Place]) -> Sight {
    let read: Vec<(&Place, String)> =
        places.iter().filter_map(|place| Some((place, place.read().ok()?))).collect();
    let now = in_words(&read);
    let to_try = match (&knob.way, &places[0]) {
        (Way::Files(_, values), Place::File { path, .. }) => values.tried(&now, path),
        (Way::Tasks(_, values), _) => values.tried(&now, Path::new("")),
        (Way::Unit, _) => (now != INACTIVE).then(|| INACTIVE.to_owned()),
        (Way::Cache, _) => Some(cache::HALF.to_owned()),
        _ => None,
    };
    Sight { to_try: to_try.filter(|_| !read.is_empty()), now }
}

/// What stands in several places: once where it is the same, else each as `PLACE=VALUE`.
#[must_use]
pub fn in_words(read: &[(&Place, String)]) -> String {
    let Some((_, first)) = read.first() else {
        return String::new();
    };
    match read.iter().all(|(_, value)| value == first) {
        true => first.clone(),
        false => {
            let each = read.iter().map(|(place, value)| format!("{place}={value}"));
            each.collect::<Vec<_>>().join(", ")
        }
    }
}
