//! Every table of a document as comma-separated values (RFC 4180), in a file that the page links to.

use super::csv::written;
use crate::document::{Cell, Column, Document, Line, Place, SPANNED, Table};

/// Letters that a file name has at most before its number.
const LONGEST_NAME: usize = 60;
/// The first columns of a file with the tables of several runs.
const RUN: [&str; 2] = ["Run", "Started"];

pub(crate) struct TableFiles {
    /// The name of each table's file, in the order in which the tables are read.
    pub links: Vec<String>,
    /// Names and contents.
    pub files: Vec<(String, String)>,
}

/// Writes each table of a document. Tables of single runs that have the same heads share a file.
pub(crate) fn table_files(document: &Document) -> TableFiles {
    let (mut sheets, mut links) = (Vec::<Sheet>::new(), Vec::new());
    document.each_table(&mut |place, table| {
        let stem = stem(place, table);
        let shared = sheets.iter().position(|sheet| sheet.takes(&stem, place, table));
        let at = shared.unwrap_or_else(|| {
            let is_free = |name: &String| sheets.iter().all(|sheet| sheet.file != *name);
            let numbered = (2..).map(|number| format!("{stem}-{number}.csv"));
            let mut names = [format!("{stem}.csv")].into_iter().chain(numbered);
            let file = names.find(is_free).expect("numbers do not end");
            let columns = &table.columns;
            sheets.push(Sheet {
                stem,
                file,
                is_of_runs: place.run.is_some(),
                columns,
                rows: vec![],
            });
            sheets.len() - 1
        });
        let run = place.run.map(|run| run.map(plain));
        sheets[at].rows.extend(table.rows.iter().map(|line| (run.clone(), line)));
        links.push(sheets[at].file.clone());
    });
    TableFiles {
        links,
        files: sheets.iter().map(|sheet| (sheet.file.clone(), sheet.csv())).collect(),
    }
}

/// The rows of one file, each with its run where the file has those of several.
struct Sheet<'d> {
    stem: String,
    file: String,
    is_of_runs: bool,
    columns: &'d Vec<Column>,
    rows: Vec<(Option<[String; 2]>, &'d Line)>,
}

impl Sheet<'_> {
    fn takes(&self, stem: &str, place: Place, table: &Table) -> bool {
        let is_of_runs = self.is_of_runs && place.run.is_some();
        is_of_runs && self.stem == stem && *self.columns == table.columns
    }

    fn csv(&self) -> String {
        let rows = self.rows.iter();
        let rows: Vec<Vec<&Cell>> = rows.map(|(_, line)| line.spread().collect()).collect();
        let width = rows.iter().map(Vec::len).chain([self.columns.len()]).max().unwrap_or(0);
        let column = |place: usize| {
            let cells = rows.iter().map(|row| row.get(place).copied().unwrap_or(&SPANNED));
            column(self.columns.get(place), &cells.collect::<Vec<&Cell>>())
        };
        let (heads, columns): (Vec<String>, Vec<Vec<String>>) = (0..width).map(column).unzip();
        let run = RUN.into_iter().filter(|_| self.is_of_runs);
        let heads = run.chain(heads.iter().map(String::as_str));
        let heads: Vec<&str> = heads.filter(|_| !self.columns.is_empty()).collect();
        let lines = self.rows.iter().enumerate().map(|(row, (run, _))| {
            let cells = columns.iter().map(|cells| cells[row].clone());
            run.iter().flatten().cloned().chain(cells).collect()
        });
        written(&heads, lines)
    }
}

/// What the file of a table is called, without its number and its end.
fn stem(place: Place, table: &Table) -> String {
    let caption = [table.caption.as_str(), place.title];
    let caption = caption.into_iter().find(|caption| !caption.is_empty()).unwrap_or("");
    let mut stem = String::new();
    for letter in format!("{} {caption}", place.section).chars() {
        match letter {
            'µ' => stem.push('u'),
            letter if letter.is_ascii_alphanumeric() => stem.push(letter.to_ascii_lowercase()),
            _ if stem.is_empty() || stem.ends_with('-') => {}
            _ => stem.push('-'),
        }
    }
    if stem.len() > LONGEST_NAME {
        stem.truncate(LONGEST_NAME);
        stem.truncate(stem.rfind('-').unwrap_or(LONGEST_NAME));
    }
    stem.trim_end_matches('-').to_owned()
}

/// A head with its unit, and the texts of the cells below it.
fn column(column: Option<&Column>, cells: &[&Cell]) -> (String, Vec<String>) {
    let is_numeric = column.is_none_or(|column| column.numeric);
    let figures: Vec<Option<Figure>> =
        cells.iter().map(|cell| Figure::of(cell).filter(|_| is_numeric)).collect();
    let own_unit = column.map_or("", |column| column.unit.as_str());
    let mut units = figures.iter().flatten().map(|figure| figure.unit.as_str());
    let unit = match (own_unit, units.next()) {
        ("", Some(first)) if column.is_some() && units.all(|unit| unit == first) => first,
        _ => own_unit,
    };
    let text = |(cell, figure): (&&Cell, &Option<Figure>)| {
        let number = figure.as_ref().and_then(|figure| figure.number_in(unit));
        number.unwrap_or_else(|| match plain(&cell.text) {
            missing if missing == "–" => String::new(),
            text => text,
        })
    };
    let texts = cells.iter().zip(&figures).map(text).collect();
    let head = column.map_or("", |column| column.head.as_str());
    match unit {
        "" => (plain(head), texts),
        unit => (format!("{} ({unit})", plain(head)), texts),
    }
}

/// A text without what only typesets it.
fn plain(text: &str) -> String {
    let letters = text.chars().filter(|letter| !matches!(letter, '\u{200b}' | '\u{2060}' | '`'));
    let letters = letters.map(|letter| match letter {
        '\u{a0}' | '\u{2007}' => ' ',
        '−' => '-',
        letter => letter,
    });
    letters.collect::<String>().trim().to_owned()
}

/// Units of time in nanoseconds, and words for large numbers.
const NANOSECONDS: [(&str, f64); 6] =
    [("ns", 1.0), ("µs", 1e3), ("ms", 1e6), ("s", 1e9), ("min", 60e9), ("h", 3600e9)];
const LARGE: [(&str, f64); 2] = [("million", 1e6), ("billion", 1e9)];

/// A number with its unit: times are nanoseconds. The digits are those of the cell, or more where
/// its title has them.
#[derive(Debug, PartialEq)]
struct Figure {
    digits: String,
    unit: String,
}

impl Figure {
    /// `None` where a cell has no figure or several, such as an interval.
    fn of(cell: &Cell) -> Option<Self> {
        let (text, title) = (joined(&cell.text), joined(&cell.title));
        let (text, title): (Vec<&str>, Vec<&str>) =
            (text.split_whitespace().collect(), title.split_whitespace().collect());
        let exact = title.first().and_then(|digits| number(digits));
        let figure = |shown: f64, digits: &str, scale: f64, unit: &str| {
            // A title may hold another figure: it is the exact one if it rounds to the shown one.
            let is_exact = |exact: &f64| {
                title.len() == 1 && (exact * scale - shown).abs() <= shown.abs() / 20.0
            };
            let digits = match exact.filter(is_exact) {
                Some(exact) => decimal(exact * scale),
                None => digits.to_owned(),
            };
            Some(Self { digits, unit: unit.to_owned() })
        };
        let factor = |units: &[(&str, f64)], unit: &str| {
            units.iter().find(|(name, _)| *name == unit).map(|(_, factor)| *factor)
        };
        if let ([_, "ns"], Some(exact)) = (title.as_slice(), exact) {
            let is_time = text.chunks(2).all(|part| match part {
                [digits] => number(digits).is_some() && text.len() == 1,
                [digits, unit] => number(digits).and(factor(&NANOSECONDS, unit)).is_some(),
                _ => false,
            });
            return is_time.then(|| Self { digits: decimal(exact), unit: "ns".to_owned() });
        }
        match text.as_slice() {
            [digits] => figure(number(digits)?, digits, 1.0, ""),
            [digits, unit] => {
                let shown = number(digits)?;
                if let Some(factor) = factor(&NANOSECONDS, unit) {
                    return figure(shown * factor, &decimal(shown * factor), 1.0, "ns");
                }
                if let Some(factor) = factor(&LARGE, unit) {
                    return figure(shown * factor, &decimal(shown * factor), 1.0, "");
                }
                let is_unit = *unit == "%" || unit.starts_with(char::is_alphabetic);
                let scale = if *unit == "%" { 100.0 } else { 1.0 };
                is_unit.then(|| figure(shown, digits, scale, unit)).flatten()
            }
            _ => None,
        }
    }

    /// The number in the unit of a column; `None` where it does not have that.
    fn number_in(&self, unit: &str) -> Option<String> {
        let nanoseconds = NANOSECONDS.iter().find(|(name, _)| *name == unit);
        match (self.unit.as_str(), nanoseconds) {
            ("ns", Some((_, factor))) => Some(decimal(number(&self.digits)? / factor)),
            (own, _) if own == unit || own.is_empty() => Some(self.digits.clone()),
            _ => None,
        }
    }
}

/// A text in which the groups of digits of a number are joined.
fn joined(text: &str) -> String {
    let text = plain(text);
    let mut joined = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_after_digit = joined.ends_with(|last: char| last.is_ascii_digit());
        let is_before_digit = letters.peek().is_some_and(char::is_ascii_digit);
        if !(letter == ' ' && is_after_digit && is_before_digit) {
            joined.push(letter);
        }
    }
    joined
}

fn number(digits: &str) -> Option<f64> {
    digits.parse().ok().filter(|number: &f64| number.is_finite())
}

/// A number without what binary fractions add beyond its twelfth digit.
fn decimal(number: f64) -> String {
    let rounded: f64 = format!("{number:.11e}").parse().unwrap_or(number);
    rounded.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Block, Section};
    use analysis::Analysis;
    use analysis::standards::Standards;
    use testing::{experiment, mixes, neighbours, outcomes};

    fn read(csv: &str, has_head: bool) -> Vec<Vec<String>> {
        let mut reader =
            ::csv::ReaderBuilder::new().has_headers(has_head).from_reader(csv.as_bytes());
        let lines = reader.records().map(|line| line.unwrap());
        lines.map(|line| line.iter().map(str::to_owned).collect()).collect()
    }

    #[test]
    fn every_table_has_a_file_with_its_rows_and_columns() {
        let standards = Standards::default();
        for runs in [
            outcomes::everything(),
            outcomes::lab(),
            experiment::tried_knobs(),
            mixes::choices(),
            neighbours::matrix(),
        ] {
            let analysis = Analysis::of(&runs, &standards);
            let document = crate::document(&analysis);
            let TableFiles { links, files } = table_files(&document);
            let mut links = links.iter();
            let mut rows = vec![0; files.len()];
            let mut heads = vec![0; files.len()];
            document.each_table(&mut |place, table| {
                let link = links.next().unwrap();
                let at = files.iter().position(|(name, _)| name == link).unwrap();
                let (name, content) = &files[at];
                let lines = read(content, !table.columns.is_empty());
                let of_run = if place.run.is_some() { RUN.len() } else { 0 };
                for (line, shown) in lines[rows[at]..].iter().zip(&table.rows) {
                    let columns: usize = shown.cells.iter().map(|cell| 1 + cell.more_columns).sum();
                    assert_eq!(line.len(), columns.max(table.columns.len()) + of_run, "{name}");
                }
                rows[at] += table.rows.len();
                heads[at] = usize::from(!table.columns.is_empty());
            });
            for (at, (name, content)) in files.iter().enumerate() {
                assert_eq!(read(content, false).len(), heads[at] + rows[at], "{name}");
                assert!(!name.contains(|c: char| !c.is_ascii_alphanumeric() && !"-.".contains(c)));
            }
        }
    }

    fn document(columns: Vec<Column>, rows: Vec<Vec<Cell>>) -> Document {
        let rows = rows.into_iter().map(|cells| Line { cells, ..Line::default() }).collect();
        let table = Table { caption: "Worst, µs".to_owned(), columns, rows, ..Table::default() };
        let blocks = vec![Block::Table(table.clone()), Block::Table(table)];
        Document::untitled(vec![Section::of("wakeup", "", "", blocks)])
    }

    #[test]
    fn numbers_are_exact_and_have_the_unit_of_their_head() {
        let numbers = |cells: [(&str, &str); 2], head: &str| {
            let cells = cells.map(|(text, exact)| vec![Cell::number(text, exact)]);
            let files = table_files(&document(vec![Column::numbers(head)], cells.into())).files;
            assert_eq!(files[0].0, "wakeup-worst-us.csv");
            assert_eq!(files[1].0, "wakeup-worst-us-2.csv");
            files[0].1.replace("\r\n", "|")
        };
        let worst = [("12\u{a0}985.8\u{2007}", "12 985 796 ns"), ("−0.5", "−499 ns")];
        assert_eq!(numbers(worst, "Worst, µs"), "Worst (µs)|12985.796|-0.499|");
        let mixed = [("2 min 14 s", "133 699 000 000 ns"), ("38.7 µs", "38687")];
        assert_eq!(numbers(mixed, "Step"), "Step (ns)|133699000000|38687|");
        let shares = [("69.5 %", "0.6953125"), ("5.3 %", "")];
        assert_eq!(numbers(shares, "Share"), "Share (%)|69.53125|5.3|");
        let large = [("48.5 million", "48 502 930"), ("1 234", "100 %")];
        assert_eq!(numbers(large, "Rate"), "Rate|48502930|1234|");
        let missing = [("–", "needs 1000 samples"), ("1.02 (1.01 to 1.03)", "")];
        assert_eq!(numbers(missing, "p99.9"), "p99.9|\"\"|1.02 (1.01 to 1.03)|");
        let hashes = [("00000008", "0000000800000009"), ("12e45678", "12e456781111")];
        assert_eq!(numbers(hashes, "Hash"), "Hash|00000008|12e45678|");
    }

    #[test]
    fn texts_of_others_are_no_formulas() {
        let cells = ["=cmd|' /C calc'!A0", "a, \"b\""].map(|text| vec![Cell::text(text)]);
        let files = table_files(&document(vec![Column::words("@Name")], cells.into())).files;
        assert_eq!(files[0].1, "'@Name\r\n'=cmd|' /C calc'!A0\r\n\"a, \"\"b\"\"\"\r\n");
    }
}
