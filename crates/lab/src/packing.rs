//! Unpacks files according to the end of their names.

use std::io::{self, Read};

use flate2::read::MultiGzDecoder;
use lzma_rust2::XzReader;

type Unpacked<'a> = Box<dyn Read + 'a>;

/// Returns the name without the suffix of the compression, and the unpacked contents.
pub(crate) fn unpack<'a>(name: &str, packed: impl Read + 'a) -> io::Result<(&str, Unpacked<'a>)> {
    let (stem, packing) = name.rsplit_once('.').unwrap_or((name, ""));
    Ok(match packing {
        "xz" => (stem, Box::new(XzReader::new(packed, true))),
        "gz" => (stem, Box::new(MultiGzDecoder::new(packed))),
        "zst" => (stem, Box::new(zstd::Decoder::new(packed)?)),
        _ => (name, Box::new(packed)),
    })
}
