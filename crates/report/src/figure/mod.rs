//! Figures: what of an analysis is drawn, as charts.

mod bars;
mod blamed;
mod bought;
mod bubbles;
mod held;
mod histogram;
mod inversion;
mod missed;
mod multiples;
mod over_time;
mod predicted;
mod price;
mod range;
mod ratios;
mod real_fast;
mod roofline;
mod strip;
mod timeline;

pub(crate) use crate::document::Chart as Figure;
pub(crate) use bars::{Bar, Panel, Scale, bars};

pub(crate) use blamed::blamed;
pub(crate) use bought::{Bought, bought};
pub(crate) use bubbles::bubbles;
pub(crate) use held::{HeldSize, HeldSizes, held_sizes};
pub(crate) use histogram::{histogram, survival};
pub(crate) use inversion::{Held, Wait, inversion};
pub(crate) use missed::missed_deadlines;
pub(crate) use multiples::{Multiples, Row as MultiplesRow, multiples};
pub(crate) use over_time::{Gaps, OverTime, over_time};
pub(crate) use predicted::{Predicted, predicted};
pub(crate) use price::{Traded, price};
pub(crate) use range::{Range, ranges};
pub(crate) use ratios::{Ratio, ratios};
pub(crate) use real_fast::{Curve, real_fast};
pub(crate) use roofline::{Point, Roof, roofline};
pub(crate) use strip::{Strip, strip};
pub(crate) use timeline::timeline;

/// The least and the most of values that are numbers; `None` without any.
fn span(values: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
    values.filter(|value| value.is_finite()).fold(None, |ends, value| {
        let [least, most] = ends.unwrap_or([value; 2]);
        Some([least.min(value), most.max(value)])
    })
}
