//! What several sections share: tables, columns and distributions of series.

pub(crate) mod general;
pub(crate) mod measured;
pub(crate) mod metrics;
pub(crate) mod series;
