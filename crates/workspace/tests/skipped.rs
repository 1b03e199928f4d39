//! Prints the last line of `cargo test --workspace`: how many tests were skipped, and how to run
//! all of them.

fn main() {
    let count = testing::skipped().len();
    if count > 0 {
        let tests = if count == 1 { "test was" } else { "tests were" };
        println!(
            "\n{count} {tests} skipped. To run all: as root, on two CPUs or more, with the packages that .ci/run installs.\n"
        );
    }
}
