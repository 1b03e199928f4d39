//! Renders a document for a terminal: text and tables, at most 80 columns wide, without colour.

use std::slice::from_ref;

use comfy_table::presets::NOTHING;
use comfy_table::{
    CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, TableStyle, Width,
};

use super::unbroken;
use crate::document::{Block, Cell, Document, Entry, Line, Section, Table};

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
        Block::Table(inner) if inner.folded => String::new(),
        Block::Table(inner) => table(inner),
        Block::Notes { title, sentences } => under(title, list(sentences)),
        Block::Entries { title, entries } => {
            let in_words = |entry: &Entry| format!("{}: {}", entry.name, entry.value);
            under(title, list(&entries.iter().map(in_words).collect::<Vec<String>>()))
        }
        Block::Change { title, words, command: None } => under(title, list(from_ref(words))),
        Block::Change { title, words, command: Some(command) } => {
            under(title, list(&[format!("{words} `{command}`")]))
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
    wrapped(title).lines().map(|line| format!("{}\n", line.trim_start())).collect()
}

fn wrapped(title: &str) -> String {
    let mut lines = drawn(NOTHING);
    lines.add_row([unbroken(&plain(title))]);
    finished(&lines)
}

/// Removes code marks from titles and captions.
fn plain(text: &str) -> String {
    text.replace('`', "")
}

fn list(sentences: &[String]) -> String {
    let mut drawn = drawn(NOTHING);
    for sentence in sentences {
        drawn.add_row(["-", &unbroken(sentence)]);
    }
    let Some(mark) = drawn.column_mut(0) else { return String::new() };
    mark.set_constraint(ColumnConstraint::Absolute(Width::Fixed(3)));
    finished(&drawn) + "\n"
}

/// Draws a table below its caption, without the columns of details. A text column with the same
/// value in every line is replaced by one line above the table.
fn table(table: &Table) -> String {
    let columns = &table.columns;
    let lines = table.rows.iter().map(|line| texts(line, columns.len()));
    let lines: Vec<Vec<String>> = lines.collect();
    let Some(first) = lines.first() else { return String::new() };
    let is_same = |place: &usize| {
        let alike = lines.iter().filter(|line| line[*place] == first[*place]).count();
        !columns[*place].numeric && !first[*place].is_empty() && alike > 1 && alike == lines.len()
    };
    let (same, mut places): (Vec<usize>, Vec<usize>) = (0..columns.len()).partition(is_same);
    places.retain(|place| !columns[*place].detail);
    let shared: Vec<&str> = same.iter().map(|place| first[*place].as_str()).collect();
    let captions = [table.caption.clone(), shared.join("; ")];
    let captions = captions.iter().filter(|caption| !caption.is_empty());
    let captions: String = captions.map(|caption| heading(caption)).collect();

    let heads = columns.iter().map(|column| match column.unit.as_str() {
        "" => column.head.clone(),
        unit => format!("{}, {unit}", column.head),
    });
    let shown = |texts: &Vec<String>| places.iter().map(|place| texts[*place].clone()).collect();
    let rows: Vec<Vec<String>> = [heads.collect()].iter().chain(&lines).map(shown).collect();
    let mut drawn = drawn(RULED);
    drawn.set_header(&rows[0]);
    for (place, (line, texts)) in table.rows.iter().zip(&rows[1..]).enumerate() {
        match title_of(line) {
            Some(_) => drawn.add_row([mark(place)]),
            None => drawn.add_row(texts),
        };
    }
    let padding = padding(&rows);
    let all = widths(&rows, padding);
    let fits = all.iter().sum::<u16>() <= WIDTH;
    let widths = if fits { all } else { widths(&rows[1..], padding) };
    for ((column, width), place) in drawn.column_iter_mut().zip(widths).zip(&places) {
        column.set_padding(padding);
        column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(width)));
        if columns[*place].numeric {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
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
            text = text.replacen(&mark(place), wrapped(title).trim_start(), 1);
        }
    }
    text
}

/// Returns the left and right padding of each cell, which is smaller if whole lines would not fit
/// otherwise.
fn padding(lines: &[Vec<String>]) -> (u16, u16) {
    const WIDE: (u16, u16) = (1, 1);
    const NARROW: (u16, u16) = (0, 1);
    let longest = widest(lines, |text| text.chars().count());
    let columns = longest.len() * usize::from(WIDE.0 + WIDE.1);
    let all = longest.iter().sum::<usize>() + columns;
    if all <= usize::from(WIDTH) { WIDE } else { NARROW }
}

/// Returns column widths that break no word of these lines, unless that leaves no room for other
/// columns.
fn widths(lines: &[Vec<String>], padding: (u16, u16)) -> Vec<u16> {
    let longest_word =
        |text: &str| text.split(' ').map(|word| word.chars().count()).max().unwrap_or(0);
    let with_padding = |letters: usize| {
        let letters = u16::try_from(letters).unwrap_or(WIDTH);
        (letters + padding.0 + padding.1).min(WIDTH / 4)
    };
    widest(lines, longest_word).into_iter().map(with_padding).collect()
}

fn widest(lines: &[Vec<String>], letters: impl Fn(&str) -> usize) -> Vec<usize> {
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
    line.replace(['\u{200b}', '\u{2060}'], "").replace('\u{a0}', " ")
}
