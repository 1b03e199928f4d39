//! Renders a document for a terminal: text and tables, at most 80 columns wide, without colour.

use comfy_table::presets::NOTHING;
use comfy_table::{
    CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, TableStyle, Width,
};

use super::unbroken::unbroken;
use crate::document::{Block, Cell, Column, Document, Entry, Line, Section, Table};

const WIDTH: u16 = 80;
const RULED: TableStyle =
    TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// Renders everything except pictures and folded blocks.
pub(crate) fn terminal(document: &Document) -> String {
    document.sections.iter().map(section).collect()
}

fn section(section: &Section) -> String {
    let blocks = section.blocks.iter().map(block);
    let blocks: Vec<String> = blocks.filter(|shown| !shown.is_empty()).collect();
    let shown = blocks.join("\n");
    match (section.title.as_str(), shown.as_str()) {
        (_, "") => String::new(),
        ("", shown) => shown.to_owned(),
        (title, shown) => format!("\n{}{shown}", heading(title)),
    }
}

fn block(block: &Block) -> String {
    match block {
        Block::Table(one) if one.folded => String::new(),
        Block::Table(one) => table(one),
        Block::Notes { title, sentences } => under(title, list(sentences)),
        Block::Entries { title, entries } => {
            let told = |entry: &Entry| format!("{}: {}", entry.name, entry.value);
            under(title, list(&entries.iter().map(told).collect::<Vec<String>>()))
        }
        Block::Change { title, words, command } => {
            let command = command.as_ref().map(|command| format!(" `{command}`"));
            under(title, list(&[format!("{words}{}", command.unwrap_or_default())]))
        }
        Block::Text { lines } => lines.iter().map(|line| format!("  {line}\n")).collect(),
        Block::Beside { columns } => columns.iter().flatten().map(self::block).collect(),
        Block::Figure(_) | Block::Multiples(_) | Block::Folded(_) => String::new(),
    }
}

fn under(title: &str, text: String) -> String {
    match (title, text.as_str()) {
        (_, "") | ("", _) => text,
        (title, text) => heading(title) + text,
    }
}

fn heading(title: &str) -> String {
    let mut lines = drawn(NOTHING);
    lines.add_row([unbroken(&plain(title))]);
    let lines = finished(&lines);
    lines.lines().map(|line| format!("{}\n", line.trim_start())).collect()
}

/// Removes code marks from titles and captions.
fn plain(text: &str) -> String {
    text.replace('`', "")
}

fn list(sentences: &[String]) -> String {
    if sentences.is_empty() {
        return String::new();
    }
    let mut drawn = drawn(NOTHING);
    for sentence in sentences {
        drawn.add_row(["-", &unbroken(sentence)]);
    }
    if let Some(mark) = drawn.column_mut(0) {
        mark.set_constraint(ColumnConstraint::Absolute(Width::Fixed(3)));
    }
    finished(&drawn) + "\n"
}

/// Draws a table below its caption. A text column with the same value in every line is replaced by
/// one line above the table.
fn table(table: &Table) -> String {
    if table.rows.is_empty() {
        return String::new();
    }
    let lines = table.rows.iter();
    let lines: Vec<Vec<String>> = lines.map(|line| texts(line, table.columns.len())).collect();
    let columns = Drawn::of(table, &lines);
    let mut drawn = drawn(RULED);
    let head = |column: &Column| match column.unit.as_str() {
        "" => column.head.clone(),
        unit => format!("{}, {unit}", column.head),
    };
    let heads = columns.left(table.columns.iter().map(head));
    drawn.set_header(&heads);
    let told = columns.told(&lines[0]);
    let lines: Vec<Vec<String>> =
        lines.into_iter().map(|texts| columns.left(texts.into_iter())).collect();
    for (place, (line, texts)) in table.rows.iter().zip(&lines).enumerate() {
        match title_of(line) {
            Some(_) => drawn.add_row([mark(place)]),
            None => drawn.add_row(texts),
        };
    }
    let numeric = columns.left(table.columns.iter().map(|column| column.numeric));
    let padding = padding(lines.iter().chain([&heads]));
    let all = widths(lines.iter().chain([&heads]), padding);
    let widths = match all.iter().sum::<u16>() {
        ..=WIDTH => all,
        _ => widths(lines.iter(), padding),
    };
    for ((column, width), numeric) in drawn.column_iter_mut().zip(widths).zip(numeric) {
        column.set_padding(padding);
        column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(width)));
        if numeric {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let captions = [table.caption.clone(), told];
    let captions: String = captions
        .iter()
        .filter(|caption| !caption.is_empty())
        .map(|caption| heading(caption))
        .collect();
    format!("{captions}{}\n", titled(table, &finished(&drawn)))
}

fn title_of(line: &Line) -> Option<&str> {
    match line.cells.as_slice() {
        [title] if title.more_columns > 0 => Some(&title.text),
        _ => None,
    }
}

/// Returns a placeholder for a title, so that titles do not affect column widths.
fn mark(place: usize) -> String {
    format!("\u{1}{place}\u{1}")
}

fn titled(table: &Table, drawn: &str) -> String {
    let mut text = drawn.to_owned();
    for (place, line) in table.rows.iter().enumerate() {
        if let Some(title) = title_of(line) {
            let mut wrapped = self::drawn(NOTHING);
            wrapped.add_row([unbroken(&plain(title))]);
            text = text.replacen(&mark(place), finished(&wrapped).trim_start(), 1);
        }
    }
    text
}

/// Returns the left and right padding of each cell, which is smaller if whole lines would not fit
/// otherwise.
fn padding<'a>(lines: impl Iterator<Item = &'a Vec<String>>) -> (u16, u16) {
    const WIDE: (u16, u16) = (1, 1);
    const NARROW: (u16, u16) = (0, 1);
    let longest = widest(lines, |text| text.chars().count());
    let columns = longest.len() * usize::from(WIDE.0 + WIDE.1);
    match longest.iter().sum::<usize>() + columns {
        all if all <= usize::from(WIDTH) => WIDE,
        _ => NARROW,
    }
}

/// Returns column widths that break no word of these lines, unless that leaves no room for other
/// columns.
fn widths<'a>(lines: impl Iterator<Item = &'a Vec<String>>, padding: (u16, u16)) -> Vec<u16> {
    let longest_word = |text: &str| {
        let words = text.split(' ').map(|word| word.chars().count());
        words.max().unwrap_or(0)
    };
    let with_padding = |letters: usize| {
        let letters = u16::try_from(letters).unwrap_or(WIDTH);
        (letters + padding.0 + padding.1).min(WIDTH / 4)
    };
    let longest = widest(lines, longest_word).into_iter();
    longest.map(with_padding).collect()
}

fn widest<'a>(
    lines: impl Iterator<Item = &'a Vec<String>>,
    letters: impl Fn(&str) -> usize,
) -> Vec<usize> {
    let mut most: Vec<usize> = Vec::new();
    for line in lines {
        most.resize(line.len(), 0);
        for (most, text) in most.iter_mut().zip(line) {
            *most = letters(text).max(*most);
        }
    }
    most
}

fn texts(line: &Line, columns: usize) -> Vec<String> {
    let text = |cell: &Cell| {
        if cell.is_bad() {
            format!("!{}", unbroken(&cell.text))
        } else {
            unbroken(&plain(&cell.text))
        }
    };
    let mut texts: Vec<String> =
        line.spread().map(|cell| cell.map_or_else(String::new, text)).collect();
    texts.resize(columns, String::new());
    texts
}

/// The columns that are drawn: without details and without those that are the same in every line.
struct Drawn {
    same: Vec<bool>,
    drawn: Vec<bool>,
}

impl Drawn {
    fn of(table: &Table, lines: &[Vec<String>]) -> Self {
        let is_same = |place: usize| {
            let first = &lines[0][place];
            lines.len() > 1 && !first.is_empty() && lines.iter().all(|line| line[place] == *first)
        };
        let columns = table.columns.iter().enumerate();
        let same = columns.map(|(place, column)| !column.numeric && is_same(place));
        let same: Vec<bool> = same.collect();
        let drawn = table.columns.iter().zip(&same);
        Self { drawn: drawn.map(|(column, same)| !column.detail && !same).collect(), same }
    }

    fn left<T>(&self, cells: impl Iterator<Item = T>) -> Vec<T> {
        cells.zip(&self.drawn).filter(|(_, drawn)| **drawn).map(|(cell, _)| cell).collect()
    }

    fn told(&self, first: &[String]) -> String {
        let told = first.iter().zip(&self.same).filter(|(_, same)| **same);
        told.map(|(text, _)| text.as_str()).collect::<Vec<&str>>().join("; ")
    }
}

fn drawn(style: TableStyle) -> comfy_table::Table {
    let mut table = comfy_table::Table::new();
    table
        .load_style(style)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(WIDTH)
        .force_no_tty();
    table
}

fn finished(table: &comfy_table::Table) -> String {
    let lines: Vec<String> = table.lines().map(|line| visible(line.trim_end())).collect();
    lines.join("\n")
}

/// Removes the marks that allow a page to break a line.
fn visible(line: &str) -> String {
    line.chars()
        .filter(|letter| !matches!(letter, '\u{200b}' | '\u{2060}'))
        .map(|letter| if letter == '\u{a0}' { ' ' } else { letter })
        .collect()
}
