//! The content of a report, built once from the analysis and independent of any format: a document
//! of sections, each a list of tables, figures and sentences. Each format has a renderer.

mod axis;
mod chart;
mod multiples;
mod section;
mod table;
mod typed;

pub(crate) use axis::{Axis, Scale, Unit};
pub(crate) use chart::{
    COLOURS, Chart, GREY, Guide, Kind, Look, Mark, Panel, Series, Side, Symbol,
};
pub(crate) use multiples::{Multiples, Picture, Pictures};
pub(crate) use section::{Block, Document, Entry, Folded, Place, Section, Tone};
pub(crate) use table::{Cell, Column, Form, Line, Mood, Origin, Table};
pub(crate) use typed::TableOf;
