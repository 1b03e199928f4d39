//! The badge of a certificate: a picture (SVG) for a README.

use analysis::certificate::Certificate;
use analysis::finding::Standing;
use analysis::lists::each_once;
use analysis::words::listed;

use crate::answer::Answer;

/// Returns the two lines of a badge: the answer; loads, time and machine.
pub(super) fn badge(certificate: &Certificate, answer: &Answer) -> [String; 2] {
    let loads = each_once(certificate.scope.iter().map(|scope| scope.loads.clone()));
    let about = [listed(&loads), answer.effort.clone(), answer.subject.clone()];
    [answer.verdict.clone(), about.join("; ")]
}

/// Width of a character of the badge, in pixels; browsers fit the text to it.
const CHARACTER: usize = 6;
const MOST_OF_BADGE: usize = 110;

/// Draws two lines of text: white on the colour of the verdict, then the details.
pub(super) fn drawn(lines: [String; 2], standing: Standing) -> String {
    let colour = match standing {
        Standing::Plain => "#0b5a94",
        Standing::Good => "#1b6e3c",
        Standing::Open => "#8a5a00",
        Standing::Bad => "#b3261e",
    };
    let lines = lines.map(|line| line.chars().take(MOST_OF_BADGE).collect::<String>());
    let [first, second] = lines.each_ref().map(|line| minijinja::HtmlEscape(line).to_string());
    let [one, two] = lines.each_ref().map(|line| line.chars().count() * CHARACTER);
    let width = one.max(two) + 86;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"40\" role=\"img\" \
         aria-label=\"Steadfast: {first} {second}\"><title>Steadfast: {first} {second}</title>\
         <rect width=\"{width}\" height=\"40\" rx=\"4\" fill=\"#1c242c\"/>\
         <path d=\"M74 0h{0}a4 4 0 0 1 4 4v16H74z\" fill=\"{colour}\"/>\
         <g fill=\"#fff\" font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\">\
         <text x=\"8\" y=\"24\" textLength=\"58\">Steadfast</text>\
         <text x=\"80\" y=\"14\" textLength=\"{one}\">{first}</text>\
         <text x=\"80\" y=\"33\" textLength=\"{two}\">{second}</text></g></svg>\n",
        width - 78
    )
}
