//! Renderers: one a format.

pub(crate) mod csv;
pub(crate) mod html;
pub(crate) mod junit;
pub(crate) mod terminal;
