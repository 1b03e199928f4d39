//! The page of a soak: its histogram over time, its maxima and its causes. It is the same while the
//! soak runs and afterwards.

use analysis::soak::{Picture, Soak, answer};
use analysis::words::counted;
use minijinja::HtmlEscape;

use super::figure::{causes, heat, maxima, times, without_marks};

pub const SOAK_STYLE: &str = include_str!("../../templates/soak.css");

/// Returns the page. `refresh_s` is after how many seconds a browser loads it again, with the style
/// sheet at `/soak.css`; `None` for a page that needs nothing else.
pub fn soak_page(title: &str, soak: &Soak, picture: &Picture, refresh_s: Option<u64>) -> String {
    let style = match refresh_s {
        Some(seconds) => format!(
            "<link rel=\"stylesheet\" href=\"/soak.css\"><meta http-equiv=\"refresh\" content=\"{seconds}\">"
        ),
        None => format!("<style>{SOAK_STYLE}</style>"),
    };
    let title = HtmlEscape(title).to_string();
    let answer: String = answer(soak).into_iter().map(|line| line.named() + "\n").collect();
    let columns = &picture.columns;
    let note = match picture.merged {
        1 => "One column is one interval.".to_owned(),
        merged => format!("One column is {}.", counted(merged as usize, "interval")),
    };
    let times = times(columns);
    let (heat, maxima, (causes, key)) = (heat(columns), maxima(columns), causes(soak, columns));
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>Soak: {title}</title>{style}</head><body>\n\
         <h1>Soak: {title}</h1>\n<pre>{}</pre>\n\
         <h2>Histogram over time</h2>\n<figure>{heat}{times}</figure>\n\
         <h2>Maximum</h2>\n<figure>{maxima}{times}</figure>\n\
         <h2>Missed periods by cause</h2>\n<figure>{causes}{times}</figure>\n<p class=\"key\">{key}</p>\n\
         <p class=\"note\">{note} The darker, the more samples (logarithmic). A dashed line: time before \
         it was not watched. A grey column: INVALID.</p>\n</body></html>\n",
        without_marks(&answer)
    )
}

#[cfg(test)]
mod tests {
    use analysis::soak::{Column, MissCause};

    use super::*;

    fn cause(name: &str) -> MissCause {
        let (kind, policy) = ("task", Some("other".to_owned()));
        let words = format!("task `{name}` (other)");
        MissCause { kind, name: Some(name.to_owned()), policy, words }
    }

    #[test]
    fn the_page_needs_nothing_else_and_the_live_one_has_nothing_inline_that_its_policy_forbids() {
        let mut column =
            Column { began_at: "2026-11-25T03:14:00.000Z".into(), ..Column::default() };
        column.histogram[3] = 7;
        let cause = cause("<script>");
        column.causes.add(&cause, 2);
        let (mut picture, mut soak) = (Picture::default(), Soak::default());
        picture.columns = vec![column; 3];
        soak.causes.add(&cause, 6);
        let page = |refresh_s| soak_page("<b>", &soak, &picture, refresh_s);
        let [kept, live] = [None, Some(30)].map(page);
        assert!(kept.contains("Cause: task &lt;script&gt; (other), 6 missed."), "{kept}");
        assert!(!kept.contains("<script>") && !kept.contains("<b>") && !kept.contains("href"));
        assert!(kept.contains("&lt;script&gt;") && kept.contains("<style>"));
        assert_eq!(kept.matches(">2026-11-25T03:14:00.000Z: 7").count(), 3);
        assert!(!live.contains("<style") && !live.contains("style=\""));
    }
}
