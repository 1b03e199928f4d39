//! The HTML page: it works offline, contains no external addresses and prints well.

use std::collections::HashMap;
use std::sync::Mutex;

use minijinja::value::Serde;
use minijinja::{Environment, Value};
use serde::Serialize;

use super::{chart, prose};
use crate::document::{Chart, Document};

const PAGE: &str = include_str!("../../../templates/page.html");
const BLOCKS: &str = include_str!("../../../templates/blocks.html");
const STYLE: &str = include_str!("../../../templates/report.css");

const CONSTANT: &str = "the templates are constants that every test renders";

#[derive(Serialize)]
struct Page<'a> {
    document: &'a Document,
    style: &'a str,
}

pub(crate) fn page(document: &Document) -> String {
    linked_page(document, Vec::new())
}

/// The same with links to the files of its tables, in the order in which the tables are read.
pub(crate) fn linked_page(document: &Document, table_files: Vec<String>) -> String {
    let mut environment = Environment::new();
    for (name, source) in [("page.html", PAGE), ("blocks.html", BLOCKS)] {
        environment.add_template(name, source).expect(CONSTANT);
    }
    environment.add_filter("prose", prose::prose);
    environment.add_filter("line_class", line_class);
    environment.add_filter("cell_class", cell_class);
    let files = Mutex::new(table_files.into_iter());
    environment
        .add_function("table_file", move || files.lock().ok().and_then(|mut all| all.next()));
    let drawn = |chart: &Chart| (chart.name.clone(), Value::from_safe_string(chart::chart(chart)));
    let charts: HashMap<String, Value> = document.charts().into_iter().map(drawn).collect();
    environment.add_function("drawn", move |name: &str| charts.get(name).cloned());
    let page = Serde(&Page { document, style: STYLE });
    environment
        .get_template("page.html")
        .and_then(|template| template.render(page))
        .expect(CONSTANT)
}

fn line_class(origin: &str) -> Value {
    attribute(match origin {
        "group" => "machine",
        "plain" => "",
        same => same,
    })
}

fn cell_class(cell: &Value) -> Value {
    let [form, mood] = ["form", "mood"].map(|name| cell.get_attr(name).unwrap_or_default());
    let form = match form.as_str() {
        Some("number") => "n",
        Some("text") | None => "",
        Some(same) => same,
    };
    let mood = match mood.as_str() {
        Some("detail") => "unavailable",
        Some("neutral") | None => "",
        Some(same) => same,
    };
    attribute(format!("{form} {mood}").trim())
}

fn attribute(class: &str) -> Value {
    match class {
        "" => Value::from(""),
        class => Value::from_safe_string(format!(" class=\"{class}\"")),
    }
}
