//! The manual: its pages, the commands that they contain, and their lists and examples, which must
//! agree with the code.

mod guides;
mod lists;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

pub use lists::{assert_entries, assert_list, in_words, lists, table};

/// One command of this program in the manual.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Typed {
    /// The file and the line of the command.
    pub place: String,
    /// The words after the program's name, split as a shell does. A command in `$()` is one word,
    /// unchanged.
    pub words: Vec<String>,
}

pub fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the README and every page of the manual, by their names below the project's folder.
pub fn pages() -> Vec<(String, String)> {
    let project = project();
    let docs = fs::read_dir(project.join("docs")).expect("there are docs");
    let files = docs.map(|entry| entry.expect("it can be read").file_name());
    let names = files.map(|name| format!("docs/{}", name.to_string_lossy()));
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".md")).collect();
    names.push("README.md".to_owned());
    names.sort();
    let page = |name: String| {
        let text = fs::read_to_string(project.join(&name)).expect("it is text");
        (name, text)
    };
    names.into_iter().map(page).collect()
}

/// Returns whether texts that differ from the code are to be written again: `GOLDEN=write`.
pub fn writes() -> bool {
    env::var_os("GOLDEN").is_some_and(|value| value == "write")
}

/// Returns the command that writes the texts that the calling test compares.
pub fn writing_command() -> String {
    let package =
        env::var("CARGO_PKG_NAME").map_or_else(|_| String::new(), |name| format!(" -p {name}"));
    let thread = thread::current();
    // With one thread for all tests, no thread has the name of a test.
    let test = thread.name().filter(|name| *name != "main").unwrap_or_default();
    format!("GOLDEN=write cargo test{package} {test}").trim_end().to_owned()
}

/// Asserts that a file of the project has this text. With `GOLDEN=write`, writes it.
pub fn assert_file(path: &str, expected: &str) {
    let file = project().join(path);
    let is_same = fs::read_to_string(&file).is_ok_and(|now| now == expected);
    let command = writing_command();
    assert!(is_same || writes(), "{path} differs from the code; `{command}` writes\n{expected}");
    if !is_same {
        fs::write(file, expected).expect("the file can be written");
    }
}

/// Returns every command of `steadfast` in the shell blocks of README and manual.
pub fn commands() -> Vec<Typed> {
    let pages = pages();
    pages.iter().flat_map(|(name, text)| commands_of(name, text)).collect()
}

/// Returns the words after `steadfast` in a line of shell; none if the line starts another program.
pub fn words(line: &str) -> Vec<String> {
    let commands = simple_commands(line);
    let mut own = commands.iter().filter_map(|words| own_words(words));
    own.next().unwrap_or_default()
}

fn commands_of(name: &str, text: &str) -> Vec<Typed> {
    let mut found = Vec::new();
    let (mut language, mut begun) = (None, String::new());
    for (number, line) in text.lines().enumerate() {
        if let Some(opens) = line.strip_prefix("```") {
            language = language.is_none().then_some(opens);
            continue;
        }
        let line = match language {
            Some("console") if begun.is_empty() => line.strip_prefix("$ ").unwrap_or(""),
            Some("yaml") => line.trim_start().trim_start_matches("- "),
            Some("sh" | "console") => line,
            _ => continue,
        };
        if let Some(part) = line.strip_suffix('\\') {
            begun.push_str(part);
            continue;
        }
        let commands = simple_commands(&(std::mem::take(&mut begun) + line));
        let words = commands.iter().filter_map(|words| own_words(words));
        let place = format!("{name}:{}", number + 1);
        found.extend(words.map(|words| Typed { place: place.clone(), words }));
    }
    found
}

/// Returns the words after this program's name, if a simple command starts it, possibly as root,
/// with variables, or after a prompt that names a machine.
fn own_words(words: &[String]) -> Option<Vec<String>> {
    let is_before = |word: &&String| {
        word.contains('=')
            || ["sudo", "export"].contains(&word.as_str())
            || word.ends_with(['$', '#'])
    };
    let before = words.iter().take_while(is_before).count();
    let program = Path::new(words.get(before)?).file_name()?;
    (program == "steadfast").then(|| words[before + 1..].to_vec())
}

/// Splits a line into simple commands, each as its words, without redirections and comments.
fn simple_commands(line: &str) -> Vec<Vec<String>> {
    let (mut commands, mut words, mut word) = (Vec::new(), Vec::new(), None::<String>);
    let mut letters = line.chars().peekable();
    let mut is_redirected = false;
    while let Some(letter) = letters.next() {
        match letter {
            '#' if word.is_none() => break,
            '\'' | '"' => {
                let inner = letters.by_ref().take_while(|inner| *inner != letter);
                word.get_or_insert_default().extend(inner);
            }
            '$' if letters.peek() == Some(&'(') => {
                let word = word.get_or_insert_default();
                word.push('$');
                for inner in letters.by_ref() {
                    word.push(inner);
                    if inner == ')' {
                        break;
                    }
                }
            }
            letter if letter.is_whitespace() || ";|&<>()".contains(letter) => {
                match word.take() {
                    Some(_) if is_redirected => is_redirected = false,
                    ended => words.extend(ended),
                }
                match letter {
                    '<' | '>' => is_redirected = true,
                    ';' | '|' | '&' => commands.push(std::mem::take(&mut words)),
                    _ => {}
                }
            }
            letter => word.get_or_insert_default().push(letter),
        }
    }
    if !is_redirected {
        words.extend(word);
    }
    commands.push(words);
    commands
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let found = commands_of("page.md", text);
        found.iter().map(|typed| typed.words.join("|")).collect()
    }

    #[test]
    fn commands_in_shell_blocks_are_found_as_a_shell_would_read_them() {
        let page = "steadfast not this\n\
            ```sh\n\
            sudo steadfast run wakeup --fail-if 'wakeup.max > 150us'  # steadfast no\n\
            A=\"b c\" target/release/steadfast list > list.txt\n\
            steadfast run tire \\\n  --masses $(seq -s, 1 2)\n\
            guest# steadfast doctor; steadfast list | head &\n\
            cargo test -p steadfast\n\
            ```\n\
            ```console\n$ steadfast quick\nsteadfast said this\n```\n\
            ```\nsteadfast text\n```\n\
            ```yaml\n    - steadfast map\n```\n";
        assert_eq!(
            found(page),
            [
                "run|wakeup|--fail-if|wakeup.max > 150us",
                "list",
                "run|tire|--masses|$(seq -s, 1 2)",
                "doctor",
                "list",
                "quick",
                "map",
            ]
        );
    }
}
