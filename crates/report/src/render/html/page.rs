//! The page: it works offline, names no outside address and prints.

use std::collections::HashMap;

use minijinja::value::Serde;
use minijinja::{Environment, Value};
use serde::Serialize;

use super::{chart, interactive, prose, script};
use crate::document::{Chart, Document};

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
    with(document, String::new(), chart::chart)
}

/// The same with charts that one zooms and exports, which makes it larger by their script.
pub(crate) fn interactive_page(document: &Document) -> String {
    with(document, script::plotly(), interactive::chart)
}

fn with(document: &Document, plotly: String, drawn: fn(&Chart) -> String) -> String {
    let page = Page { document, style: STYLE, behaviour: BEHAVIOUR, plotly };
    let charts = document.charts().into_iter();
    let charts: HashMap<String, Value> =
        charts.map(|chart| (chart.name.clone(), Value::from_safe_string(drawn(chart)))).collect();
    environment(charts)
        .get_template("page.html")
        .and_then(|template| template.render(Serde(&page)))
        .expect("the templates are constants that every test renders")
}

/// The templates, with what is drawn of each chart by its name.
fn environment(charts: HashMap<String, Value>) -> Environment<'static> {
    let mut environment = Environment::new();
    for (name, source) in [("page.html", PAGE), ("blocks.html", BLOCKS)] {
        environment
            .add_template(name, source)
            .expect("the templates are constants that every test renders");
    }
    environment.add_filter("prose", prose::prose);
    environment.add_function("drawn", move |name: &str| charts.get(name).cloned());
    environment
}
