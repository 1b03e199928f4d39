//! Text, places and what the pointer shows, as attributes and elements have them.

/// Text that ends no element.
pub(super) fn escaped(text: &str) -> String {
    minijinja::HtmlEscape(text).to_string()
}

/// A place from 0 to 1 in percent.
pub(super) fn percent(place: f64) -> String {
    let percent = (place * 1e4).round() / 1e2;
    format!("{percent}%")
}

/// What the pointer shows.
pub(super) fn title(hover: &str) -> String {
    match hover {
        "" => String::new(),
        hover => format!("<title>{}</title>", escaped(hover)),
    }
}
