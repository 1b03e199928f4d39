//! An answer in a terminal: so few lines that nothing scrolls away, at most 80 columns wide.

use analysis::answer::{Answer, Line, Remark, Standing};
use units::wrapped;

/// Lines that an answer takes at most.
const LINES: usize = 15;
/// Columns that every line keeps to.
const WIDTH: usize = 80;
/// Columns of a remark's name.
const NAMES: usize = 10;
/// Lines of one remark.
const OF_REMARK: usize = 4;
/// Lines of figures for which the remarks leave room.
const FIGURES: usize = 4;
/// Lines of the verdict.
const OF_VERDICT: usize = 3;

/// A span is text in one weight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// What it says.
    pub text: String,
    /// How it says it.
    pub weight: Weight,
}

/// A weight is how much a text asks to be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// As everything else.
    Plain,
    /// A name or a head.
    Strong,
    /// What stands behind, and is read last.
    Faint,
    /// The verdict, which is this kind of news.
    Verdict(Standing),
}

/// The lines of an answer, then where more of it is.
#[must_use]
pub fn brief(answer: &Answer, more: &str) -> Vec<Vec<Span>> {
    let mut lines = head(answer);
    let verdict = Weight::Verdict(answer.standing);
    lines.extend(
        paragraph(&answer.verdict, WIDTH, OF_VERDICT).map(|line| vec![span(line, verdict)]),
    );
    let remarks = remarks(answer, more, LINES - lines.len());
    let room = LINES.saturating_sub(lines.len() + remarks.len());
    lines.extend(figures(&answer.lines, room));
    lines.extend(remarks);
    lines
}

fn span(text: impl Into<String>, weight: Weight) -> Span {
    Span { text: text.into(), weight }
}

/// What was measured at the left and how much of it at the right, or below.
fn head(answer: &Answer) -> Vec<Vec<Span>> {
    let [subject, effort] = [&answer.subject, &answer.effort].map(|text| text.chars().count());
    let strong = |text: &str| span(text, Weight::Strong);
    if subject + 2 + effort <= WIDTH {
        let gap = " ".repeat(WIDTH - subject - effort);
        let effort = span(gap + &answer.effort, Weight::Faint);
        return vec![vec![strong(&answer.subject), effort]];
    }
    let subject = paragraph(&answer.subject, WIDTH, 2).map(|line| vec![strong(&line)]);
    subject.chain([vec![span(&answer.effort, Weight::Faint)]]).collect()
}

/// The lines, their figures below each other, as many as there is room for.
fn figures(lines: &[Line], room: usize) -> Vec<Vec<Span>> {
    let several = || lines.iter().filter(|line| line.figures.len() > 1);
    let most = |count: fn(&Line) -> usize| lines.iter().map(count).max().unwrap_or(0);
    let beside = lines.iter().filter(|line| !is_below(line));
    let what = beside.map(|line| line.what.chars().count()).max();
    let what = what.unwrap_or(0);
    let width = |place| {
        let figures = several().filter_map(|line| line.figures.get(place));
        figures.map(|figure: &String| figure.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..most(|line| line.figures.len())).map(width).collect();
    let plain = |text: &str| vec![span(text.trim_end(), Weight::Plain)];
    let told = |line: &Line| {
        let mut text = format!("  {:<what$}", line.what);
        if let [only] = line.figures.as_slice() {
            return match is_below(line) {
                true => vec![plain(&text), plain(&format!("    {only}"))],
                false => vec![plain(&cut(&format!("{text}  {only}"), WIDTH))],
            };
        }
        for (figure, width) in line.figures.iter().zip(&widths) {
            let more = format!("  {figure:<width$}");
            match text.chars().count() + more.trim_end().chars().count() {
                ..=WIDTH => text.push_str(&more),
                _ => break,
            }
        }
        vec![plain(&text)]
    };
    as_many_as_fit(lines.iter().map(told).collect(), room)
}

/// Whether a line's only figure, such as a command that is to stay whole, fits below its name
/// and not beside it.
fn is_below(line: &Line) -> bool {
    let [only] = line.figures.as_slice() else {
        return false;
    };
    let [what, only] = [&line.what, only].map(|text| text.chars().count());
    4 + what + only > WIDTH && 4 + only <= WIDTH
}

/// The lines of each entry while there is room, then how many entries are left.
fn as_many_as_fit(entries: Vec<Vec<Vec<Span>>>, room: usize) -> Vec<Vec<Span>> {
    let all: usize = entries.iter().map(Vec::len).sum();
    let room_of_entries = match all <= room {
        true => room,
        false => room.saturating_sub(1),
    };
    let mut left = entries.len();
    let mut lines: Vec<Vec<Span>> = Vec::new();
    for entry in entries {
        if lines.len() + entry.len() > room_of_entries {
            break;
        }
        lines.extend(entry);
        left -= 1;
    }
    if left > 0 && room > 0 {
        let more = format!("  and {left} more: --verbose");
        lines.push(vec![span(more, Weight::Faint)]);
    }
    lines
}

/// The remarks and where more is, in at most so many lines beside the figures.
fn remarks(answer: &Answer, more: &str, room: usize) -> Vec<Vec<Span>> {
    let more = (!more.is_empty()).then(|| remark(&Remark::new("More", more), 1));
    let more: Vec<Vec<Span>> = more.into_iter().flatten().collect();
    let mut left = room.saturating_sub(answer.lines.len().min(FIGURES) + more.len());
    let mut others = answer.remarks.len();
    let mut told = Vec::new();
    for one in &answer.remarks {
        others -= 1;
        // Each of the others has its line.
        let lines = remark(one, left.saturating_sub(others).min(OF_REMARK));
        left = left.saturating_sub(lines.len());
        told.extend(lines);
    }
    told.extend(more);
    told
}

fn remark(remark: &Remark, lines: usize) -> Vec<Vec<Span>> {
    let name = match remark.name.ends_with('?') {
        true => remark.name.to_owned(),
        false => format!("{}:", remark.name),
    };
    let texts = paragraph(&remark.words, WIDTH - NAMES, lines).enumerate();
    let line = |(place, text)| {
        let name = if place == 0 { name.as_str() } else { "" };
        vec![span(format!("{name:<NAMES$}"), Weight::Strong), span(text, Weight::Plain)]
    };
    texts.map(line).collect()
}

/// The text in at most so many lines, up to the end of a sentence or clause; else up to a word.
fn paragraph(text: &str, width: usize, most: usize) -> impl Iterator<Item = String> {
    let text = text.replace('`', "");
    let mut lines = wrapped(&text, width);
    if lines.len() > most {
        let fits = |lines: &Vec<String>| lines.len() <= most;
        let mut clauses = clauses(&text).map(|clause| wrapped(clause, width));
        lines = clauses.rfind(fits).unwrap_or_else(|| {
            let mut kept: Vec<String> = lines.into_iter().take(most).collect();
            if let Some(last) = kept.last_mut() {
                *last = cut(&format!("{last} {}", " ".repeat(width)), width);
            }
            kept
        });
    }
    lines.into_iter()
}

/// The text up to each end of a sentence or clause, the shortest first.
fn clauses(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    let ends = text.match_indices(' ').filter_map(|(at, _)| {
        let clause = text[..at].strip_suffix(['.', ';', ','])?;
        // A number in a list begins a clause.
        let is_number = clause.ends_with(|end: char| end.is_ascii_digit());
        (!is_number || !text[..at].ends_with('.')).then_some(clause)
    });
    ends.collect::<Vec<&str>>().into_iter()
}

/// The text up to that width; three dots tell where some of it is left out.
fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().take(width - 4).collect();
    let kept = kept.trim_end();
    format!("{} ...", kept.rsplit_once(' ').map_or(kept, |(words, _)| words))
}

#[cfg(test)]
mod tests;
