//! Renderers, one per format.

pub(crate) mod brief;
pub(crate) mod csv;
pub(crate) mod formats;
pub(crate) mod html;
pub(crate) mod metrics;
pub(crate) mod perfetto;
pub(crate) mod tables;
pub(crate) mod terminal;
mod unbroken;
