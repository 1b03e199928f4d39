//! Tests of the structure: which crate may use which, and that neither the files nor the folders of a
//! crate use each other in a circle. All are read from the sources.

mod circle;
mod crates;
mod features;
mod sentences;
mod sources;
mod uses;

use std::path::{Path, PathBuf};

use circle::circle;

/// How to break a circle.
const REMEDY: &str = "each uses the next one, and the last one the first: move what one of them \
                      needs from the other to where only one of them uses it, or below both";

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn every_crate_uses_what_the_table_says() {
    for (name, may_use) in crates::MAY_USE {
        let uses = crates::uses(&crates(), name);
        let expected: Vec<String> = may_use.iter().map(|&name| name.to_owned()).collect();
        assert_eq!(uses, expected, "crate {name}");
    }
    let mut named: Vec<&str> = crates::MAY_USE.iter().map(|(name, _)| *name).collect();
    named.sort_unstable();
    assert_eq!(named, crates::all(&crates()), "every crate is in the table");
}

/// The table in docs/architecture.md has each crate once, with the crates that it may use.
#[test]
fn the_manual_has_the_same_table() {
    let manual = std::fs::read_to_string(crates().join("../docs/architecture.md")).unwrap();
    let (_, table) =
        manual.split_once("| crate | content | may use |\n| --- | --- | --- |\n").unwrap();
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    let rows: Vec<Vec<&str>> = rows.map(|row| row.split(" |").collect()).collect();
    let in_manual: Vec<&str> = rows.iter().filter_map(|row| row[0].split('`').nth(1)).collect();
    let mut sorted = in_manual.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, crates::all(&crates()));
    for row in &rows {
        let name = row[0].split('`').nth(1).unwrap();
        let (_, may_use) = crates::MAY_USE.iter().find(|(known, _)| *known == name).unwrap();
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let outside_brackets = row[2].split('(').map(|part| part.rsplit(')').next().unwrap());
        let words = outside_brackets.flat_map(|part| part.split(|c| !is_word(c)));
        let mut named: Vec<&str> = words.filter(|word| in_manual.contains(word)).collect();
        named.sort_unstable();
        let for_tests_or_all = named.is_empty() && (row[2].trim() == "all" || name == "testing");
        assert!(for_tests_or_all || named == *may_use, "{name}: {named:?}, not {may_use:?}");
    }
}

#[test]
fn no_crates_form_a_circle() {
    let graph = crates::MAY_USE.iter().map(|(name, uses)| {
        let uses = uses.iter().map(|&name| name.to_owned());
        ((*name).to_owned(), uses.collect())
    });
    assert_eq!(circle(&graph.collect()), None);
}

#[test]
fn no_files_of_a_crate_form_a_circle() {
    for name in crates::all(&crates()) {
        let graph = uses::graph(&crates().join(&name).join("src"));
        assert!(
            graph.len() > 1
                || ["model_host", "same_features", "testing_schema", "workspace"].contains(&&*name),
            "{name} has files"
        );
        assert_eq!(circle(&graph), None, "crate {name}: {REMEDY}");
    }
}

/// Folders that use each other are one subject that was cut in two, even where no files of them use
/// each other.
#[test]
fn no_folders_of_a_crate_form_a_circle() {
    for name in crates::all(&crates()) {
        let graph = uses::sibling_graph(&crates().join(&name).join("src"));
        assert_eq!(circle(&graph), None, "crate {name}: {REMEDY}");
    }
}

/// Testing one crate after another, or all, builds no library again.
#[test]
fn libraries_are_built_once() {
    let of_all = features::of_libraries(&crates(), &["--workspace"]);
    let without_tests = ["model_host", "same_features"];
    for name in crates::all(&crates()).iter().filter(|name| !without_tests.contains(&&***name)) {
        let of_one = features::of_libraries(&crates(), &["--package", name]);
        let others: Vec<&String> = of_one.difference(&of_all).collect();
        assert!(others.is_empty(), "{name}: add what is missing to same_features: {others:?}");
    }
}

/// What results mean is worded in `analysis`, once for every output.
#[test]
fn report_words_no_misses() {
    let counts_misses = |text: &str| {
        let words: Vec<&str> = text.split([' ', ',', ';', ':']).collect();
        words.windows(2).any(|pair| match pair {
            ["missed", value] => value.starts_with('{'),
            [value, "missed"] => value.ends_with('}'),
            _ => false,
        })
    };
    let mut misses = sentences::texts(&crates().join("analysis/src"));
    misses.retain(|(_, text)| counts_misses(text));
    assert!(!misses.is_empty(), "texts are found");
    misses = sentences::texts(&crates().join("report/src"));
    misses.retain(|(_, text)| counts_misses(text));
    assert_eq!(misses, []);
}

/// A made-up circle through an import, a re-export and a macro is found.
#[test]
fn a_circle_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("lib.rs", "mod one; mod two; mod three; pub use three::Three;");
    write("one.rs", "use crate::two::Two; #[cfg(test)] use crate::three::Three;");
    write("two.rs", "pub struct Two; fn told() -> String { format!(\"{}\", super::Three) }");
    write("three.rs", "pub struct Three;");
    assert_eq!(circle(&uses::graph(folder.path())), None);
    write("three.rs", "pub struct Three; use crate::one;");
    let found = circle(&uses::graph(folder.path())).unwrap();
    assert_eq!(found.len(), 3, "{found:?}");
}

/// A made-up circle of folders whose files form none is found, and one through a re-export.
#[test]
fn a_circle_of_folders_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let circles =
        || [uses::graph(folder.path()), uses::sibling_graph(folder.path())].map(|all| circle(&all));
    let ab = Some(vec!["crate::all::a".to_owned(), "crate::all::b".to_owned()]);
    write("lib.rs", "mod all;");
    write("all/mod.rs", "mod a; mod b;");
    write("all/a/mod.rs", "mod low; mod high;");
    write("all/a/low.rs", "pub struct Low;");
    write("all/a/high.rs", "use super::low::Low; use crate::all::b::Middle;");
    write("all/b.rs", "pub struct Middle;");
    assert_eq!(circles(), [None, None]);
    write("all/b.rs", "use super::a::low::Low; pub struct Middle;");
    assert_eq!(circles(), [None, ab.clone()]);
    write("all/b.rs", "pub use super::a::low::Low as Middle;");
    assert_eq!(circles(), [None, ab]);
}
