//! Guides of the manual whose examples are source files.
//!
//! A guide has a mark with the path of the file before the block: `<!-- code: PATH -->`. The block
//! is that file without the documentation at its beginning and the tests at its end.

#[cfg(test)]
mod tests {
    use std::fs;

    use crate::manual::{pages, project, writes, writing_command};

    const CODE: &str = "<!-- code: ";
    const OPENS: &str = " -->\n```rust\n";
    const CLOSES: &str = "\n```\n";
    /// Pages whose name begins so are guides, and need an example.
    const GUIDE: &str = "docs/add-";

    /// Returns what a guide shows of a source file.
    fn shown(source: &str) -> String {
        let lines = source.lines().skip_while(|line| line.starts_with("//!") || line.is_empty());
        let is_test = |line: &&str| line.starts_with("#[test]") || line.starts_with("#[cfg(test)]");
        let lines: Vec<&str> = lines.take_while(|line| !is_test(line)).collect();
        lines.join("\n").trim_end().to_owned()
    }

    /// Returns the page with every example as its source file has it.
    fn renewed(page: &str, text: &str) -> String {
        let mut parts = text.split(CODE);
        let mut whole = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (path, rest) = part.split_once(OPENS).unwrap_or_else(|| panic!("{page}: {part}"));
            let (_, rest) = rest.split_once(CLOSES).unwrap_or_else(|| panic!("{page}: {path}"));
            let source = fs::read_to_string(project().join(path));
            let source = source.unwrap_or_else(|error| panic!("{page}: {path}: {error}"));
            whole += &[CODE, path, OPENS, &shown(&source), CLOSES, rest].concat();
        }
        whole
    }

    #[test]
    fn every_guide_shows_code_that_is_compiled() {
        for (page, text) in pages() {
            let renewed = renewed(&page, &text);
            let is_guide = page.starts_with(GUIDE);
            assert!(!is_guide || text.contains(CODE), "{page} has no example");
            if writes() {
                fs::write(project().join(&page), renewed).unwrap();
                continue;
            }
            let command = writing_command();
            assert!(text == renewed, "{page} differs from its code; `{command}` writes it");
        }
    }

    #[test]
    fn every_file_that_a_guide_names_exists() {
        let is_path =
            |word: &&str| ["crates/", "docs/", "scripts/"].iter().any(|at| word.starts_with(at));
        let is_example = |word: &str| word.contains("NAME") || word.contains('*');
        for (page, text) in pages().into_iter().filter(|(page, _)| page.starts_with(GUIDE)) {
            let quoted = text.split('`').filter(is_path).filter(|word| !is_example(word));
            for path in quoted {
                assert!(project().join(path).exists(), "{page}: {path}");
            }
        }
    }

    #[test]
    fn neither_the_documentation_nor_the_tests_of_a_file_are_shown() {
        let source = "//! About.\n//! More.\n\nuse a;\n\nfn b() {}\n\n#[cfg(test)]\nmod tests {}\n";
        assert_eq!(shown(source), "use a;\n\nfn b() {}");
    }
}
