//! The test that keeps the house: which crate may use which, and that no files of a crate go
//! round in a circle. Both are read from the sources.

mod circle;
mod crates;
mod sources;
mod uses;

use std::path::{Path, PathBuf};

use circle::circle;

/// The folder of all crates.
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
    assert_eq!(named, crates::all(&crates()), "every crate stands in the table");
}

#[test]
fn no_crates_go_round_in_a_circle() {
    let graph = crates::MAY_USE.iter().map(|(name, uses)| {
        let uses = uses.iter().map(|&name| name.to_owned());
        ((*name).to_owned(), uses.collect())
    });
    assert_eq!(circle(&graph.collect()), None);
}

#[test]
fn no_files_of_a_crate_go_round_in_a_circle() {
    for name in crates::WITHOUT_CIRCLES {
        let graph = uses::graph(&crates().join(name).join("src"));
        assert!(graph.len() > 1, "{name} has files");
        assert_eq!(circle(&graph), None, "crate {name}");
    }
}

/// A circle that is made by hand is found: through an import, a re-export and a macro.
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
