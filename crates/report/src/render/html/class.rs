//! The CSS classes of lines and cells of a table.

use minijinja::Value;

pub(super) fn of_line(origin: &str) -> Value {
    attribute(match origin {
        "group" => "machine",
        "plain" => "",
        same => same,
    })
}

pub(super) fn of_cell(cell: &Value) -> Value {
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
