//! Renderers: one a format.

pub(crate) mod brief;
pub(crate) mod comparison_csv;
pub(crate) mod csv;
pub(crate) mod html;
pub(crate) mod junit;
pub(crate) mod terminal;
mod unbroken;
