use std::panic::catch_unwind;

use super::*;

#[test]
fn every_input_is_tried_and_some_are_the_seeds() {
    try_corpus(&["time,a\n0,1\n", "[[run]]\nseconds = 1\n"], 300, |input| {
        assert!(input.len() <= LONGEST);
    });
}

/// Returns why a test fails in another process, and removes the input that it keeps.
fn fails(name: &str) -> String {
    let why = catch_unwind(|| in_another_process(name)).expect_err("it must fail");
    let said = why.downcast_ref::<String>().cloned().unwrap_or_default();
    let kept = said.split_once("STEADFAST_INPUT=").and_then(|(_, rest)| rest.split_once(" tries"));
    let folder = kept.and_then(|(input, _)| Path::new(input).parent());
    fs::remove_dir_all(folder.expect("the input is named")).expect("the folder is ours");
    said
}

#[test]
fn what_an_input_does_wrong_is_named_with_the_input() {
    let tests = "corpus::tests::faults::";
    let cases = [
        ("it_panics", "input 1: exit status: 101"),
        ("it_never_ends", "input 1: not read after"),
        ("it_takes_memory", "above the limit"),
        ("it_requests_memory", "input 1: signal: 6"),
    ];
    for (name, why) in cases {
        let said = fails(&format!("{tests}{name}"));
        assert!(said.contains(why) && said.contains("STEADFAST_INPUT="), "{name}: {said}");
    }
}

/// Parsers with faults, which are tried only by the test above.
mod faults {
    use super::*;

    fn tried(name: &str, read: impl FnMut(&[u8])) {
        let name = format!("corpus::tests::faults::{name}");
        if env::var_os(ALONE).is_some_and(|alone| *alone == *name) {
            in_this_process(&name, &["seed"], 1, read);
        }
    }

    #[test]
    fn it_panics() {
        tried("it_panics", |input| assert!(input.is_empty(), "there is an input"));
    }

    #[test]
    fn it_never_ends() {
        tried("it_never_ends", |input| while std::hint::black_box(!input.is_empty()) {});
    }

    #[test]
    fn it_takes_memory() {
        tried("it_takes_memory", |input| {
            std::hint::black_box(vec![input[0]; 80 << 20]);
        });
    }

    #[test]
    fn it_requests_memory() {
        tried("it_requests_memory", |input| {
            std::hint::black_box(Vec::<u8>::with_capacity(input.len() << 30));
        });
    }
}
