//! Figures: one look for all, drawn by plotly's script inside the page.

mod bars;
mod blamed;
mod bubbles;
mod drawing;
mod held;
mod histogram;
mod inversion;
mod missed;
mod multiples;
mod predicted;
mod price;
mod range;
mod ratios;
mod real_fast;
mod roofline;
mod strip;
mod timeline;

pub(crate) use bars::{Bar, Panel, Scale, bars};

pub(crate) use blamed::blamed;
pub(crate) use bubbles::bubbles;
pub(crate) use drawing::Figure;
use drawing::{
    ABOVE, BELOW_AXIS, COLOURS, INK, LEGEND_LINE_HEIGHT, PUBLISHED, axis, colour, dash, layout,
    linear_time_axis, log_axis, plot, stroke, time_axis,
};
pub(crate) use held::{HeldSize, HeldSizes, held_sizes};
pub(crate) use histogram::{histogram, survival};
pub(crate) use inversion::{Held, Wait, inversion};
pub(crate) use missed::missed_deadlines;
pub(crate) use multiples::{Multiples, Row as MultiplesRow, multiples};
pub(crate) use predicted::{Predicted, predicted};
pub(crate) use price::{Traded, price};
pub(crate) use range::{Range, ranges};
pub(crate) use ratios::{Ratio, ratios};
pub(crate) use real_fast::{Curve, real_fast};
pub(crate) use roofline::{Point, Roof, roofline};
pub(crate) use strip::{Strip, strip};
pub(crate) use timeline::timeline;
