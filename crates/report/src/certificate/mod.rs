//! The page and the badge of a certificate, its verification, and the board of several. A
//! certificate is about other views' answers, so it is not among the views.

mod badge;
mod board;
mod page;

use analysis::Analysis;
use analysis::certificate::Certificate;
use analysis::finding::{Finding, Standing};
use analysis::words::counted;
use serde::Serialize;
use serde_json::json;

use crate::answer::Answer;
use crate::render;
use crate::view::worded;
use crate::views;
pub use board::board;

use badge::{badge, drawn};
use page::page;

/// The files of a certificate that follow from the stored results.
pub struct Certified {
    pub page: String,
    /// A picture (SVG) for a README, whose text has load and duration.
    pub badge: String,
    pub json: String,
}

pub fn certificate(analysis: &Analysis, certificate: &Certificate) -> Certified {
    #[derive(Serialize)]
    struct Document<'a> {
        answer: &'a Answer,
        #[serde(flatten)]
        certificate: &'a Certificate,
    }
    let answer = views::answer(analysis).headed(&analysis.heading);
    Certified {
        page: render::html::page(&page(analysis, certificate, &answer)),
        badge: drawn(badge(certificate, &answer), answer.standing),
        json: format!("{:#}\n", json!(Document { answer: &answer, certificate })),
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verified {
    pub agrees: bool,
    pub findings: Vec<Finding>,
    pub answer: Answer,
}

impl Verified {
    /// Puts the findings of a verification into words; `subject` is the folder.
    pub fn of(subject: String, files: usize, runs: usize, findings: Vec<Finding>) -> Self {
        let effort = format!("{}, {}", counted(files, "file"), counted(runs, "run"));
        let answer = worded(subject, effort, &findings, Vec::new());
        Self { agrees: answer.standing != Standing::Bad, findings, answer }
    }
}
