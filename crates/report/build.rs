//! Packs plotly's script: as it is, it would be a third of the whole program.

use std::env;
use std::error::Error;
use std::fs::File;
use std::io::Write;
use std::path::Path;

use lzma_rust2::{XzOptions, XzWriter};
use plotly::Plot;

/// The smallest that there is.
const LEVEL: u32 = 9;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let packed = Path::new(&env::var("OUT_DIR")?).join("plotly.js.xz");
    let mut packed = XzWriter::new(File::create(packed)?, XzOptions::with_preset(LEVEL))?;
    packed.write_all(script().as_bytes())?;
    packed.finish()?;
    Ok(())
}

/// The first element is plotly, the second MathJax, which no figure needs.
fn script() -> String {
    let sources = Plot::offline_js_sources();
    let plotly = sources.split_once('>').and_then(|(_, rest)| rest.split_once("</script>"));
    plotly.map_or(String::new(), |(script, _)| script.to_owned())
}
