//! Packs plotly's script: as it is, it would be a third of the whole program.

use std::env;
use std::error::Error;
use std::fs::File;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use plotly::Plot;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let packed = Path::new(&env::var("OUT_DIR")?).join("plotly.js.deflate");
    let mut packed = DeflateEncoder::new(File::create(packed)?, Compression::best());
    packed.write_all(script().as_bytes())?;
    packed.finish()?;
    Ok(())
}

/// The first element is plotly, the second MathJax, which no figure needs.
fn script() -> String {
    let sources = Plot::offline_js_sources();
    let plotly = sources
        .split_once('>')
        .and_then(|(_, rest)| rest.split_once("</script>"));
    plotly.map_or(String::new(), |(script, _)| script.to_owned())
}
