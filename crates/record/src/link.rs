//! Values that pass between the members of a mix.

use base::Number;
use serde::{Deserialize, Serialize};

/// An input of a member that another member's output sets before each step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    pub input: String,
    /// The name of the other member.
    pub from: String,
    pub output: String,
    /// How the value is changed on its way; `None` if it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transform: Option<Transform>,
    /// Whether the value is that of the source's previous step, which breaks a ring. It holds for
    /// all values from that member.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub delay: bool,
}

/// How a value is changed between an output and an input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Transform {
    /// Multiplied, and then added to.
    Linear { factor: Number, offset: Number },
    /// Replaced by the second number of the pair that begins with it.
    Map(Vec<(Number, Number)>),
}

impl Transform {
    /// Returns the changed value; `None` if a map lacks it.
    #[inline]
    pub fn of(&self, value: f64) -> Option<f64> {
        match self {
            Self::Linear { factor, offset } => Some(value * factor.get() + offset.get()),
            Self::Map(pairs) => {
                let pair = pairs.iter().find(|(from, _)| from.get() == value);
                pair.map(|(_, to)| to.get())
            }
        }
    }
}

/// A member that gives values to another, both by their positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wire {
    pub from: usize,
    pub to: usize,
    /// Whether one of its values is that of the previous step.
    pub delay: bool,
    /// Whether no value is the first one, because others lead back from `to` to `from`.
    pub closes_ring: bool,
}

/// Returns who gives values to whom, in the order of the members and of their sources. Members that
/// are not there are left out. Of the wires of a ring, a delayed one closes it, else the last one.
pub fn wires(members: &[(&str, &[Link])]) -> Vec<Wire> {
    let mut wires: Vec<Wire> = Vec::new();
    for (to, (_, links)) in members.iter().enumerate() {
        for source in sources(links) {
            let Some(from) = members.iter().position(|(name, _)| *name == source) else { continue };
            let delay = links.iter().any(|link| link.from == source && link.delay);
            wires.push(Wire { from, to, delay, closes_ring: true });
        }
    }
    for delay in [false, true] {
        for place in
            (0..wires.len()).filter(|place| wires[*place].delay == delay).collect::<Vec<_>>()
        {
            let Wire { from, to, .. } = wires[place];
            let open = wires.iter().filter(|wire| !wire.closes_ring);
            let arrows: Vec<Arrow> = open.map(|wire| (wire.from, wire.to)).collect();
            wires[place].closes_ring = leads(&arrows, to, from);
        }
    }
    wires
}

/// Returns the members from which links come, each once, in their order.
pub(crate) fn sources(links: &[Link]) -> Vec<&str> {
    let mut sources: Vec<&str> = Vec::new();
    for link in links {
        if !sources.contains(&&*link.from) {
            sources.push(&link.from);
        }
    }
    sources
}

/// From one member to another.
type Arrow = (usize, usize);

/// Returns whether arrows lead from one member to another, directly or through others.
fn leads(arrows: &[Arrow], from: usize, to: usize) -> bool {
    let mut reached = vec![from];
    let mut next = 0;
    while let Some(here) = reached.get(next).copied() {
        for (_, end) in arrows.iter().filter(|(start, _)| *start == here) {
            if !reached.contains(end) {
                reached.push(*end);
            }
        }
        next += 1;
    }
    reached.contains(&to)
}

/// Returns for each member how many others of the same group have to step before it, one after
/// another: the sources of its values, and the users of values that are those of the previous step,
/// as far as these are not in a ring. `groups` are those of the members, such as their rates.
pub fn depths<G: PartialEq>(wires: &[Wire], groups: &[G]) -> Vec<usize> {
    let is_inside = |wire: &&Wire| groups[wire.from] == groups[wire.to];
    let (delayed, direct): (Vec<&Wire>, Vec<&Wire>) =
        wires.iter().filter(is_inside).partition(|wire| wire.delay);
    let direct = direct.iter().filter(|wire| !wire.closes_ring);
    let mut arrows: Vec<Arrow> = direct.map(|wire| (wire.from, wire.to)).collect();
    for Wire { from, to, .. } in delayed {
        if !leads(&arrows, *from, *to) {
            arrows.push((*to, *from));
        }
    }
    let mut depths = vec![0; groups.len()];
    // The longest way has at most all members.
    for _ in groups {
        for (before, after) in &arrows {
            depths[*after] = depths[*after].max(depths[*before] + 1);
        }
    }
    depths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(value: &str) -> Number {
        value.parse().unwrap()
    }

    fn link(from: &str, delay: bool) -> Link {
        let [input, output] = ["u", "y"].map(str::to_owned);
        Link { input, from: from.to_owned(), output, transform: None, delay }
    }

    #[test]
    fn values_are_changed_on_their_way() {
        let kelvin = Transform::Linear { factor: number("1"), offset: number("273.15") };
        assert_eq!(kelvin.of(20.0), Some(293.15));
        let map = Transform::Map(vec![(number("1"), number("10")), (number("2"), number("0"))]);
        assert_eq!([1.0, 2.0, 3.0].map(|value| map.of(value)), [Some(10.0), Some(0.0), None]);
    }

    #[test]
    fn sources_are_before_their_users_and_the_last_wire_of_a_ring_or_a_delayed_one_closes_it() {
        let of = |links: [&[Link]; 3]| {
            let members = ["a", "b", "c"].into_iter().zip(links).collect::<Vec<_>>();
            let wires = wires(&members);
            let closing =
                wires.iter().find(|wire| wire.closes_ring).map(|wire| (wire.from, wire.to));
            (depths(&wires, &[0; 3]), closing)
        };
        let [a, b, c] = ["a", "b", "c"].map(|name| [link(name, false)]);
        assert_eq!(of([&b, &c, &[]]), (vec![2, 1, 0], None));
        assert_eq!(of([&c, &a, &b]), (vec![1, 2, 0], Some((1, 2))));
        assert_eq!(of([&[link("c", true)], &a, &b]), (vec![0, 1, 2], Some((2, 0))));
        // Without a ring, a delayed value is the first one, and its user steps before its source.
        assert_eq!(of([&[], &[link("a", true)], &b]), (vec![1, 0, 1], None));
        // Two that delay each other: the first one steps first.
        assert_eq!(
            of([&[link("b", true)], &[link("a", true)], &[]]),
            (vec![0, 1, 0], Some((0, 1)))
        );
        let wires = wires(&[("a", &[]), ("b", &a)]);
        assert_eq!(depths(&wires, &[1, 2]), [0, 0]);
    }
}
