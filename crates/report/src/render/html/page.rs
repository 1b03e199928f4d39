//! The HTML page: it works offline, contains no external addresses and prints well.

use std::collections::HashMap;
use std::sync::Mutex;

use minijinja::value::Serde;
use minijinja::{Environment, Value};
use serde::Serialize;

use super::{chart, class, prose};
use crate::document::Document;

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
    let charts = document.charts().into_iter();
    let charts =
        charts.map(|chart| (chart.name.clone(), Value::from_safe_string(chart::chart(chart))));
    environment(charts.collect(), table_files)
        .get_template("page.html")
        .and_then(|template| template.render(Serde(&Page { document, style: STYLE })))
        .expect(CONSTANT)
}

fn environment(charts: HashMap<String, Value>, tables: Vec<String>) -> Environment<'static> {
    let mut environment = Environment::new();
    for (name, source) in [("page.html", PAGE), ("blocks.html", BLOCKS)] {
        environment.add_template(name, source).expect(CONSTANT);
    }
    environment.add_filter("prose", prose::prose);
    environment.add_filter("line_class", class::of_line);
    environment.add_filter("cell_class", class::of_cell);
    let tables = Mutex::new(tables.into_iter());
    environment
        .add_function("table_file", move || tables.lock().ok().and_then(|mut all| all.next()));
    environment.add_function("drawn", move |name: &str| charts.get(name).cloned());
    environment
}
