//! Units of SSP, each by its SI base units, a factor and an offset.

use std::collections::BTreeMap;

use roxmltree::Node;

use super::document::{listed, mistake, needed, number_or};
use super::transform::Transform;
use crate::description::xml::child;
use crate::refused::{Refused, refused};

const BASES: [&str; 8] = ["kg", "m", "s", "A", "K", "mol", "cd", "rad"];

/// The units that a file defines, by their names.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Units(BTreeMap<String, Unit>);

#[derive(Debug, Clone, PartialEq)]
struct Unit {
    exponents: [f64; BASES.len()],
    /// A value in base units is the value times the factor plus the offset.
    factor: f64,
    offset: f64,
}

impl Units {
    pub(super) fn read(root: Node) -> Result<Self, Refused> {
        let unit = |node| Ok((needed(node, "name")?, unit(node)?));
        listed(root, "Units", "Unit").map(unit).collect::<Result<_, _>>().map(Self)
    }

    /// Returns how a value of one unit becomes one of another unit, which other units may define.
    pub(super) fn conversion(
        &self,
        from: &str,
        others: &Self,
        to: &str,
    ) -> Result<Transform, Refused> {
        let both = (self.0.get(from), others.0.get(to));
        let (Some(own), Some(other)) = both else {
            let unknown = if both.0.is_none() { from } else { to };
            return match from == to {
                true => Ok(Transform::SAME),
                false => Err(refused!(
                    "{from} cannot be converted to {to}: the unit `{unknown}` is not defined; define it in \
                     Units, or set suppressUnitConversion"
                )),
            };
        };
        if own.exponents != other.exponents {
            return Err(refused!("{from} cannot be converted to {to}: their base units differ"));
        }
        let factor = own.factor / other.factor;
        Ok(Transform::Linear { factor, offset: (own.offset - other.offset) / other.factor })
    }
}

fn unit(node: Node) -> Result<Unit, Refused> {
    let base = child(node, "BaseUnit").ok_or_else(|| mistake(node, "Unit has no BaseUnit"))?;
    let mut exponents = [0.0; BASES.len()];
    for (exponent, name) in exponents.iter_mut().zip(BASES) {
        *exponent = number_or(base, name, 0.0)?;
    }
    let factor = number_or(base, "factor", 1.0)?;
    if factor == 0.0 {
        return Err(mistake(base, "the factor of a unit is 0"));
    }
    Ok(Unit { exponents, factor, offset: number_or(base, "offset", 0.0)? })
}
