//! Every table of a document as comma-separated values (RFC 4180), in a file that the page links to.

use super::csv::written;
use crate::document::{Cell, Column, Document, Line, Place, Table};
use analysis::words::UNITS;

/// Letters that a file name has at most before its number.
const LONGEST_NAME: usize = 60;
const RUN: [&str; 2] = ["Run", "Started"];

pub(crate) struct TableFiles {
    /// The name of each table's file, in the order in which the tables are read.
    pub links: Vec<String>,
    pub files: Vec<(String, String)>,
}

/// Writes each table of a document. Tables of single runs that have the same heads share a file.
pub(crate) fn table_files(document: &Document) -> TableFiles {
    let (mut sheets, mut links) = (Vec::<Sheet>::new(), Vec::new());
    for (place, table) in document.tables() {
        let stem = stem(place, table);
        let shared = sheets.iter().position(|sheet| sheet.takes(&stem, place, table));
        let at = shared.unwrap_or_else(|| {
            let is_free = |name: &String| sheets.iter().all(|sheet| sheet.file != *name);
            let numbered = (2..).map(|number| format!("{stem}-{number}.csv"));
            let mut names = [format!("{stem}.csv")].into_iter().chain(numbered);
            let file = names.find(is_free).expect("numbers do not end");
            let (is_of_runs, columns) = (place.run.is_some(), &table.columns);
            sheets.push(Sheet { stem, file, is_of_runs, columns, rows: vec![] });
            sheets.len() - 1
        });
        let run = place.run.map(|run| run.map(plain));
        sheets[at].rows.extend(table.rows.iter().map(|line| (run.clone(), line)));
        links.push(sheets[at].file.clone());
    }
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
        let rows: Vec<Vec<Option<&Cell>>> = rows.map(|(_, line)| line.spread().collect()).collect();
        let width = rows.iter().map(Vec::len).chain([self.columns.len()]).max().unwrap_or(0);
        let column = |place: usize| {
            let cells = rows.iter().map(|row| row.get(place).copied().flatten());
            column(self.columns.get(place), &cells.collect::<Vec<Option<&Cell>>>())
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

fn column(column: Option<&Column>, cells: &[Option<&Cell>]) -> (String, Vec<String>) {
    let (head, own_unit, is_numeric) = column.map_or(("", "", false), |column| {
        (column.head.as_str(), column.unit.as_str(), column.numeric)
    });
    let value = |cell: &&Cell| cell.value.filter(|_| is_numeric);
    let mut units = cells.iter().flatten().filter_map(value).map(|(_, unit)| unit);
    let unit = match (own_unit, units.next()) {
        ("", Some(first)) if units.all(|unit| unit == first) => first,
        _ => own_unit,
    };
    let text = |cell: &&Cell| {
        let number = value(cell).and_then(|value| number_in(unit, value));
        number.unwrap_or_else(|| match plain(&cell.text) {
            missing if missing == "–" => String::new(),
            text => text,
        })
    };
    let texts = cells.iter().map(|cell| cell.as_ref().map_or_else(String::new, text)).collect();
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

/// A value in the unit of a column; `None` where it does not have that.
fn number_in(unit: &str, (number, cell_unit): (f64, &str)) -> Option<String> {
    match UNITS.iter().find(|(name, _)| *name == unit) {
        Some((_, length)) if cell_unit == "ns" => Some(decimal(number / length)),
        _ => (cell_unit == unit || cell_unit.is_empty()).then(|| decimal(number)),
    }
}

/// A number without what binary fractions add beyond its twelfth digit.
fn decimal(number: f64) -> String {
    let rounded = format!("{number:.11e}").parse().ok().filter(|_| number.fract() != 0.0);
    rounded.unwrap_or(number).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Block, Section};
    use analysis::Analysis;
    use analysis::standards::DEFAULT_STANDARDS;
    use analysis::words;
    use testing::{experiment, mixes, neighbours, outcomes};

    fn read(csv: &str, has_head: bool) -> Vec<Vec<String>> {
        let mut reader =
            ::csv::ReaderBuilder::new().has_headers(has_head).from_reader(csv.as_bytes());
        let lines = reader.records().map(|line| line.unwrap());
        lines.map(|line| line.iter().map(str::to_owned).collect()).collect()
    }

    #[test]
    fn every_table_has_a_file_with_its_rows_and_columns() {
        for runs in [
            outcomes::everything(),
            outcomes::lab(),
            experiment::tried_knobs(),
            mixes::choices(),
            neighbours::matrix(),
        ] {
            let analysis = Analysis::of(&runs, &DEFAULT_STANDARDS);
            let document = crate::document(&analysis);
            let TableFiles { links, files } = table_files(&document);
            let mut links = links.iter();
            let mut rows = vec![0; files.len()];
            let mut heads = vec![0; files.len()];
            for (place, table) in document.tables() {
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
            }
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
        let numbers = |cells: [Cell; 2], head: &str| {
            let cells = cells.map(|cell| vec![cell]);
            let files = table_files(&document(vec![Column::numbers(head)], cells.into())).files;
            assert_eq!(files[0].0, "wakeup-worst-us.csv");
            assert_eq!(files[1].0, "wakeup-worst-us-2.csv");
            files[0].1.replace("\r\n", "|")
        };
        let worst = [12_985_796.0, -499.0].map(Cell::micros);
        assert_eq!(numbers(worst, "Worst, µs"), "Worst (µs)|12985.796|-0.499|");
        let mixed = [Cell::time(133_699e6), Cell::figure(38_687.0, words::time, "ns")];
        assert_eq!(numbers(mixed, "Step"), "Step (ns)|133699000000|38687|");
        let shares = [Cell::share(0.6953125), Cell::share(0.053).titled("of all")];
        assert_eq!(numbers(shares, "Share"), "Share (%)|69.53125|5.3|");
        let large = [Cell::quantity(48_502_930.0), Cell::count(u64::pow(10, 15) + 1)];
        assert_eq!(numbers(large, "Rate"), "Rate|48502930|1000000000000001|");
        let missing = [Cell::none("needs 1000 samples"), Cell::text("1.02 (1.01 to 1.03)")];
        assert_eq!(numbers(missing, "p99.9"), "p99.9|\"\"|1.02 (1.01 to 1.03)|");
        let hashes = ["00000008", "12e45678"].map(|hash| Cell::number(hash, ""));
        assert_eq!(numbers(hashes, "Hash"), "Hash|00000008|12e45678|");
    }

    #[test]
    fn texts_of_others_are_no_formulas() {
        let cells = ["=cmd|' /C calc'!A0", "a, \"b\""].map(|text| vec![Cell::text(text)]);
        let files = table_files(&document(vec![Column::words("@Name")], cells.into())).files;
        assert_eq!(files[0].1, "'@Name\r\n'=cmd|' /C calc'!A0\r\n\"a, \"\"b\"\"\"\r\n");
    }
}
