//! What a person is to see, built once from the analysis and known to no format: a document
//! of sections, each a list of tables, figures and sentences. A renderer a format shows it.

mod axis;
mod chart;
mod section;
mod table;

pub(crate) use axis::{Axis, Scale, Unit};
pub(crate) use chart::{
    COLOURS, Chart, GREY, Guide, Kind, Look, Mark, Panel, Series, Side, Symbol,
};
pub(crate) use section::{Block, Document, Entry, Folded, Section, Tone};
pub(crate) use table::{Cell, Column, Line, Part, Table};
