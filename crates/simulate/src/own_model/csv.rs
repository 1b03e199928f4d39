//! Comma-separated values: lines and cells of a text.

/// The mark with which some programs begin a file in UTF-8.
const MARK: char = '\u{feff}';

/// Returns the lines that have cells, with their numbers from 1: neither blank ones nor comments.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let text = text.strip_prefix(MARK).unwrap_or(text);
    let numbered = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
    numbered.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// Splits a line into its cells; a quoted cell may contain commas, and two quotes in it are one.
pub(super) fn cells(line: &str) -> Result<Vec<String>, String> {
    let mut cells = vec![String::new()];
    let mut is_quoted = false;
    let mut letters = line.trim().chars().peekable();
    while let Some(letter) = letters.next() {
        let cell = cells.last_mut().expect("there is always a cell");
        match letter {
            '"' if is_quoted && letters.next_if_eq(&'"').is_some() => cell.push('"'),
            '"' if is_quoted => is_quoted = false,
            '"' if cell.trim().is_empty() => is_quoted = true,
            ',' if !is_quoted => cells.push(String::new()),
            _ => cell.push(letter),
        }
    }
    if is_quoted {
        return Err("a quote is not closed".to_owned());
    }
    Ok(cells.iter().map(|cell| cell.trim().to_owned()).collect())
}

/// Reads a finite number, or a Boolean as a word: 1 or 0.
pub(super) fn number(cell: &str) -> Option<f64> {
    match cell {
        word if word.eq_ignore_ascii_case("true") => Some(1.0),
        word if word.eq_ignore_ascii_case("false") => Some(0.0),
        _ => cell.parse().ok().filter(|number: &f64| number.is_finite()),
    }
}

/// Reads the numbers of a cell, which are separated by spaces; `None` if one of them is not a number.
pub(super) fn numbers(cell: &str) -> Option<Vec<f64>> {
    cell.split_whitespace().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_commas_marks_and_comments_are_read_as_other_programs_write_them() {
        let text = "\u{feff}time,\"a[1,2]\",\"say \"\"x\"\"\"\r\n# no\n\n 0 , 1 ,\"2\"\r\n";
        let all: Vec<_> = lines(text).map(|(at, line)| (at, cells(line).unwrap())).collect();
        let expected = [(1, vec!["time", "a[1,2]", "say \"x\""]), (4, vec!["0", "1", "2"])];
        assert_eq!(
            all,
            expected.map(|(at, cells)| (at, cells.into_iter().map(str::to_owned).collect()))
        );
        assert_eq!(cells("c\"d, \"e\"").unwrap(), ["c\"d", "e"]);
        assert!(cells("a,\"b").is_err());
    }

    #[test]
    fn words_of_booleans_are_numbers_and_what_is_not_finite_is_not() {
        let all = ["1e-3", "TRUE", "False", "nan", "inf", "", "x"].map(number);
        assert_eq!(all, [Some(1e-3), Some(1.0), Some(0.0), None, None, None, None]);
    }
}
