//! Renders an answer for a terminal: few enough lines that nothing scrolls away, at most 80 columns
//! wide.

use analysis::finding::Standing;
use base::wrapped;

use crate::answer::{Answer, Line, Remark};

const LINES: usize = 15;
const WIDTH: usize = 80;
/// Columns for the name of a remark.
const NAMES: usize = 12;
/// Maximum number of lines in a remark.
const OF_REMARK: usize = 4;
/// Number of lines of figures that the remarks leave room for.
const FIGURES: usize = 4;
/// Maximum number of lines in the verdict.
const OF_VERDICT: usize = 4;
/// Columns that figures leave at least for the name of their line, if it is as long.
const OF_NAME: usize = 30;
/// Columns that a shortened figure has at least.
const OF_FIGURE: usize = 16;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    pub text: String,
    pub weight: Weight,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    Plain,
    Strong,
    Faint,
    Verdict(Standing),
}

/// Returns the lines of an answer: the verdict first, the pointer to more details last.
pub fn brief(answer: &Answer, more: &str) -> Vec<Vec<Span>> {
    let weight = Weight::Verdict(answer.standing);
    let verdict = paragraph(&answer.verdict, WIDTH, OF_VERDICT);
    let mut lines: Vec<Vec<Span>> = verdict.map(|line| vec![span(line, weight)]).collect();
    lines.extend(head(answer));
    let remarks = remarks(answer, more, LINES - lines.len());
    let room = LINES.saturating_sub(lines.len() + remarks.len());
    lines.extend(figures(&answer.lines, room));
    lines.extend(remarks);
    lines
}

fn span(text: impl Into<String>, weight: Weight) -> Span {
    Span { text: text.into(), weight }
}

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

/// Returns as many lines as there is room for, with aligned figures.
fn figures(lines: &[Line], room: usize) -> Vec<Vec<Span>> {
    let several = lines.iter().map(|line| &line.figures).filter(|figures| figures.len() > 1);
    let mut widths: Vec<usize> = Vec::new();
    for figures in several {
        widths.resize(widths.len().max(figures.len()), 0);
        for (width, figure) in widths.iter_mut().zip(figures) {
            *width = figure.chars().count().max(*width);
        }
    }
    let what = width_of_names(lines, &widths);
    let plain = |text: &str| vec![span(text.trim_end(), Weight::Plain)];
    let figures_line = |line: &Line| {
        if is_below(line) {
            return vec![
                plain(&format!("  {}", line.what)),
                plain(&format!("    {}", line.figures[0])),
            ];
        }
        let mut text = format!("  {:<what$}", shortened(&line.what, what));
        if let [only] = line.figures.as_slice() {
            return vec![plain(&cut(&format!("{text}  {only}"), WIDTH))];
        }
        for (figure, width) in line.figures.iter().zip(&widths) {
            let room = WIDTH.saturating_sub(text.chars().count() + 2);
            if figure.chars().count() <= room {
                text += &format!("  {figure:<width$}");
            } else if room >= OF_FIGURE {
                text += &format!("  {}", shortened(figure, room));
            } else {
                break;
            }
        }
        vec![plain(&text)]
    };
    as_many_as_fit(lines.iter().map(figures_line).collect(), room)
}

/// Returns the columns for names: those of the longest, but no more than figures leave that fit next
/// to a name of [`OF_NAME`] columns.
fn width_of_names(lines: &[Line], widths: &[usize]) -> usize {
    let beside = lines.iter().filter(|line| !is_below(line));
    let longest = beside.map(|line| line.what.chars().count()).max().unwrap_or(0);
    let least = OF_NAME.min(longest);
    let left = widths.iter().scan(WIDTH - 2, |left, width| {
        *left = left.checked_sub(2 + width).filter(|left| *left >= least)?;
        Some(*left)
    });
    longest.min(left.last().unwrap_or(WIDTH - 2))
}

/// Whether a line's only figure, such as a command that must not be broken, fits below its name but
/// not next to it.
fn is_below(line: &Line) -> bool {
    let [only] = line.figures.as_slice() else { return false };
    let [what, only] = [&line.what, only].map(|text| text.chars().count());
    4 + what + only > WIDTH && 4 + only <= WIDTH
}

/// Returns the lines of each entry while there is room, then the number of entries left out.
fn as_many_as_fit(entries: Vec<Vec<Vec<Span>>>, room: usize) -> Vec<Vec<Span>> {
    let all: usize = entries.iter().map(Vec::len).sum();
    let room_of_entries = if all <= room { room } else { room.saturating_sub(1) };
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
        lines.push(vec![span(format!("  and {left} more: --verbose"), Weight::Faint)]);
    }
    lines
}

/// Returns the remarks and the pointer to more, in at most as many lines as the figures leave.
fn remarks(answer: &Answer, more: &str, room: usize) -> Vec<Vec<Span>> {
    // Half of a second command would do harm, so it is left out if it does not fit.
    let first = more.split(", or ").next().filter(|_| more.chars().count() > WIDTH - NAMES);
    let more = Remark::new("More", first.unwrap_or(more));
    let more = if more.words.is_empty() { vec![] } else { remark(&more, 1) };
    let mut left = room.saturating_sub(answer.lines.len().min(FIGURES) + more.len());
    // Half of a command would do harm, so a command of several lines is left out if it does not fit.
    let all_fit = answer.remarks.iter().map(least).sum::<usize>() <= left;
    let kept = answer.remarks.iter().filter(|remark| all_fit || least(remark) == 1);
    let kept: Vec<&Remark> = kept.collect();
    let mut shown = Vec::new();
    for (place, kept_remark) in kept.iter().enumerate() {
        let others = &kept[place + 1..];
        // The others keep a line each, and what they need if there is room for it.
        let whole = left.saturating_sub(others.iter().map(|kept_remark| least(kept_remark)).sum());
        let room = whole.clamp(1, left.saturating_sub(others.len()).max(1));
        let lines = remark(kept_remark, room.min(OF_REMARK));
        left = left.saturating_sub(lines.len());
        shown.extend(lines);
    }
    shown.extend(more);
    shown
}

/// Returns the number of lines that a remark needs at least: the first command to run must be whole.
fn least(remark: &Remark) -> usize {
    if !remark.is_to_type() {
        return 1;
    }
    let text = remark.words.replace('`', "");
    let first = clauses(&text).next().unwrap_or(&text);
    wrapped(first, WIDTH - NAMES).len().min(OF_REMARK)
}

fn remark(remark: &Remark, lines: usize) -> Vec<Vec<Span>> {
    let name = remark.head();
    let names = NAMES.max(name.chars().count() + 1);
    let texts = paragraph(&remark.words, WIDTH - names, lines).enumerate();
    let line = |(place, text)| {
        let name = if place == 0 { name.as_str() } else { "" };
        vec![span(format!("{name:<names$}"), Weight::Strong), span(text, Weight::Plain)]
    };
    texts.map(line).collect()
}

/// Returns the text in at most `most` lines, cut at the end of a sentence or of a part of one, or
/// else of a word.
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

/// Returns the text up to each full stop or semicolon outside brackets, the shortest first. A comma
/// ends nothing: it may be in a name or a list, and what is before it may say something else.
fn clauses(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    let ends = text.match_indices(' ').filter_map(|(at, _)| {
        let clause = text[..at].strip_suffix(['.', ';'])?;
        // A number in a list starts a clause.
        let is_number = clause.ends_with(|end: char| end.is_ascii_digit());
        let is_outside = clause.matches('(').count() <= clause.matches(')').count();
        (is_outside && (!is_number || !text[..at].ends_with('.'))).then_some(clause)
    });
    ends.collect::<Vec<&str>>().into_iter()
}

/// Shortens a name to this width: an ellipsis replaces its middle, because both ends distinguish
/// names.
fn shortened(name: &str, width: usize) -> String {
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= width {
        return name.to_owned();
    }
    let half = (width - " ... ".len()) / 2;
    let (start, end) = (&letters[..half], &letters[letters.len() - half..]);
    let [start, end] = [start, end].map(|part| part.iter().collect::<String>());
    format!("{} ... {}", start.trim_end(), end.trim_start())
}

/// Cuts the text to this width; an ellipsis marks the cut.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    // One column more than the words may take, which shows whether the last is whole.
    let kept: String = text.chars().take(width - 3).collect();
    match kept.rsplit_once(' ') {
        Some((words, _)) => format!("{} ...", words.trim_end()),
        None => format!("{kept}..."),
    }
}

#[cfg(test)]
mod tests;
