//! Small pictures in rows and columns, all with the same axes.

use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Multiples {
    pub caption: String,
    pub columns: Vec<String>,
    pub rows: Vec<Pictures>,
    /// Ticks of the horizontal axis: percent from the left, and the label.
    pub ticks: Vec<(f64, String)>,
    pub grid: String,
    pub limit: String,
    pub size: [f64; 2],
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Pictures {
    pub name: String,
    pub pictures: Vec<Option<Picture>>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Picture {
    pub outline: String,
    pub samples: String,
    pub worst: String,
    pub is_above: bool,
}
