//! The page: it works offline, names no outside address and prints.

use minijinja::Environment;
use minijinja::value::Serde;
use serde::Serialize;

use super::{prose, script};
use crate::document::Document;

const PAGE: &str = include_str!("../../../templates/page.html");
const BLOCKS: &str = include_str!("../../../templates/blocks.html");
const STYLE: &str = include_str!("../../../templates/report.css");
const BEHAVIOUR: &str = include_str!("../../../templates/report.js");

/// Everything that the template shows.
#[derive(Serialize)]
struct Page<'a> {
    document: &'a Document,
    style: &'a str,
    behaviour: &'a str,
    plotly: String,
}

/// The self-contained page of a document.
pub(crate) fn page(document: &Document) -> String {
    let page = Page {
        document,
        style: STYLE,
        behaviour: BEHAVIOUR,
        plotly: script::plotly(),
    };
    environment()
        .get_template("page.html")
        .and_then(|template| template.render(Serde(&page)))
        .expect("the templates are constants that every test renders")
}

fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    for (name, source) in [("page.html", PAGE), ("blocks.html", BLOCKS)] {
        environment
            .add_template(name, source)
            .expect("the templates are constants that every test renders");
    }
    environment.add_filter("prose", prose::prose);
    environment
}
