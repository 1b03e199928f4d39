//! Small pictures in rows and columns, all with the same axes.

use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Multiples {
    pub caption: String,
    pub columns: Vec<String>,
    pub rows: Vec<Pictures>,
    /// Ticks of the horizontal axis: percent from the left, and the label.
    pub ticks: Vec<(f64, String)>,
    /// Paths of SVG, in every picture.
    pub grid: String,
    pub limit: String,
    /// Width and height of a picture.
    pub size: [f64; 2],
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Pictures {
    pub name: String,
    pub pictures: Vec<Option<Picture>>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Picture {
    /// Paths of SVG: a histogram, its samples and the largest one.
    pub outline: String,
    pub samples: String,
    pub worst: String,
    pub is_above: bool,
}
