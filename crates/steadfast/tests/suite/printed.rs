//! Commands that the program prints can be typed again: it accepts each, and names of files are one word.

use std::fs;
use std::path::Path;

use testing::outcomes;

use crate::common::{Done, Folder, unmeasured, wakeups};

const PROGRAM: &str = "steadfast ";

/// Returns the commands in a text, as a shell's words: those between backticks, which may be
/// wrapped, and those that end with their line.
fn commands(text: &str) -> Vec<Vec<String>> {
    let found = text.match_indices(PROGRAM).filter_map(|(at, _)| {
        let rest = &text[at + PROGRAM.len()..];
        let is_quoted = text[..at].trim_end_matches("sudo ").ends_with('`');
        let typed = match is_quoted {
            true => rest.split('`').next()?.split_whitespace().collect::<Vec<_>>().join(" "),
            false => rest.split(['\n', ';', ')']).next()?.split(", or ").next()?.to_owned(),
        };
        let words = shlex::split(typed.trim_end_matches('.'))?;
        // Texts name the program too, and every command begins with a word of lower-case letters.
        let is_command = words.first()?.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        let is_whole = !words.iter().any(|word| word == "..." || word.contains(['[', '<']));
        (is_command && is_whole).then_some(words)
    });
    found.collect()
}

/// Asks for the help of a command with these words: a word that the command does not take is refused.
fn is_taken(words: &[String]) -> bool {
    let mut command = unmeasured("");
    command.args(words).arg("--help");
    Done::of_unmeasured(command).code() == 0
}

#[test]
fn every_command_of_the_golden_texts_is_taken() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut count = 0;
    for file in fs::read_dir(folder).unwrap().flatten() {
        let text = fs::read_to_string(file.path()).unwrap();
        let known = unmeasured("--help").output().unwrap().stdout;
        let known = String::from_utf8(known).unwrap();
        for words in commands(&text) {
            // "steadfast is", "by steadfast and": only what the help lists is a command.
            if known.contains(&format!("  {} ", words[0])) {
                assert!(is_taken(&words), "{}: {words:?}", file.path().display());
                count += 1;
            }
        }
    }
    assert!(count > 20, "{count} commands");
}

#[test]
fn commands_with_names_of_files_can_be_pasted() {
    // Backticks mark commands in answers, so a name with one is shown without it.
    const NAMES: [&str; 4] = ["my results", "it's $A \"b\"", "--json", "-o"];
    for name in NAMES {
        let folder = Folder::new();
        folder.store(name, outcomes::everything());
        folder.store("other", wakeups(6e4));
        let store = format!("./{name}.db");
        let out = format!("./{name} out");
        let mut pasted = 0;
        for (line, words) in [
            ("report", vec![&*store]),
            ("report --out", vec![&*out, &*store]),
            ("compare other.db", vec![&*store]),
            ("store show", vec![&*store]),
            ("certificate -o certified other.db", vec![]),
        ] {
            let mut command = folder.command(line);
            command.args(words);
            let done = Done::of_unmeasured(command);
            let printed = commands(&(done.stdout() + &done.stderr()));
            let has_name =
                |word: &String| word.starts_with(&format!("./{name}")) || word == "certified";
            for words in printed.into_iter().filter(|words| words.iter().any(has_name)) {
                let mut command = folder.command("");
                command.args(&words);
                let again = Done::of_unmeasured(command);
                assert!(again.code() != 2, "{line}: {words:?}: {}", again.stderr());
                pasted += 1;
            }
        }
        assert!(pasted >= 1, "{name}: {pasted}");
    }
}
