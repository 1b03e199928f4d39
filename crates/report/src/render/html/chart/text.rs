//! Text, positions and hover texts, formatted for SVG attributes and elements.

/// Height of a line of text in CSS pixels.
pub(super) const LINE: f64 = 14.0;

/// Escapes text so that it cannot end an element.
pub(super) fn escaped(text: &str) -> String {
    minijinja::HtmlEscape(text).to_string()
}

/// Formats a position from 0 to 1 in percent.
pub(super) fn percent(place: f64) -> String {
    let percent = (place * 1e4).round() / 1e2;
    format!("{percent}%")
}

pub(super) fn label([x, y]: [f64; 2], beside: &str, text: &str) -> String {
    let ([x, y], text) = ([x, y].map(percent), escaped(text));
    format!("<text class=\"label\" x=\"{x}\" y=\"{y}\" {beside}>{text}</text>")
}

pub(super) fn title(hover: &str) -> String {
    match hover {
        "" => String::new(),
        hover => format!("<title>{}</title>", escaped(hover)),
    }
}
