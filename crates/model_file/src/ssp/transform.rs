//! How a value is changed on its way from one connector to another, or from a parameter to another.

use roxmltree::Node;

use super::document::{mistake, needed, number_or};
use crate::description::xml::children;
use crate::refused::{Refused, refused};

/// A change of a number.
#[derive(Debug, Clone, PartialEq)]
pub enum Transform {
    /// Multiplied, and then added to.
    Linear { factor: f64, offset: f64 },
    /// Replaced by the second number of the pair that begins with it.
    Map(Vec<(f64, f64)>),
}

impl Transform {
    pub(super) const SAME: Self = Self::Linear { factor: 1.0, offset: 0.0 };

    /// Whether it changes no number.
    pub fn is_same(&self) -> bool {
        *self == Self::SAME
    }

    pub(super) fn of(&self, value: f64) -> Result<f64, Refused> {
        match self {
            Self::Linear { factor, offset } => Ok(value * factor + offset),
            Self::Map(pairs) => {
                let pair = pairs.iter().find(|(from, _)| *from == value);
                let lacks = || refused!("a map lacks the value {value}; add it to the map");
                pair.map(|(_, to)| *to).ok_or_else(lacks)
            }
        }
    }

    /// Returns both changes as one, the other one being the second.
    pub(super) fn then(self, other: Self) -> Result<Self, Refused> {
        match (self, other) {
            (same, other) if same.is_same() => Ok(other),
            (own, same) if same.is_same() => Ok(own),
            (Self::Linear { factor, offset }, Self::Linear { factor: next, offset: more }) => {
                Ok(Self::Linear { factor: factor * next, offset: offset * next + more })
            }
            (Self::Map(pairs), other) => {
                let changed = |(from, to)| Ok((from, other.of(to)?));
                pairs.into_iter().map(changed).collect::<Result<_, _>>().map(Self::Map)
            }
            (Self::Linear { .. }, Self::Map(_)) => Err(refused!(
                "a map after a conversion of units or a linear transformation is not supported"
            )),
        }
    }
}

/// Names of enumerations and of the values of their items.
pub(super) type Items<'a> = &'a dyn Fn(&str) -> Option<f64>;

/// Reads the transformation of a connection or of a mapping. The items of enumerations at its start
/// and at its end have values.
pub(super) fn transformation(node: Node, start: Items, end: Items) -> Result<Transform, Refused> {
    let pair = |entry: Node, start: Items, end: Items| {
        let value = |attribute, items: Items| {
            let word = needed(entry, attribute)?;
            let lacks = || mistake(entry, &format!("`{word}` is not a value of its connector"));
            items(&word).ok_or_else(lacks)
        };
        Ok((value("source", start)?, value("target", end)?))
    };
    let pairs = |map: Node, start: Items, end: Items| {
        let entries = children(map).filter(|entry| entry.has_tag_name("MapEntry"));
        entries.map(|entry| pair(entry, start, end)).collect::<Result<_, _>>().map(Transform::Map)
    };
    for element in children(node) {
        return match element.tag_name().name() {
            "LinearTransformation" => Ok(Transform::Linear {
                factor: number_or(element, "factor", 1.0)?,
                offset: number_or(element, "offset", 0.0)?,
            }),
            "BooleanMappingTransformation" => pairs(element, &boolean, &boolean),
            "IntegerMappingTransformation" => pairs(element, &integer, &integer),
            "EnumerationMappingTransformation" => pairs(element, start, end),
            _ => continue,
        };
    }
    Ok(Transform::SAME)
}

pub(super) fn boolean(word: &str) -> Option<f64> {
    match word.trim() {
        "true" | "1" => Some(1.0),
        "false" | "0" => Some(0.0),
        _ => None,
    }
}

fn integer(word: &str) -> Option<f64> {
    word.trim().parse::<i64>().ok().map(|number| number as f64)
}
