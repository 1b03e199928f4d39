//! Unpacks files according to the end of their names.

use std::io::{self, Read};

use flate2::read::MultiGzDecoder;
use lzma_rust2::XzReader;

use crate::requirements::LARGEST;

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

/// Returns the same with all contents, or with one byte more than [`LARGEST`] if they are larger.
pub(crate) fn unpack_all(name: &str, packed: impl Read) -> io::Result<(&str, Vec<u8>)> {
    let (stem, unpacked) = unpack(name, packed)?;
    let mut contents = Vec::new();
    unpacked.take(LARGEST + 1).read_to_end(&mut contents)?;
    Ok((stem, contents))
}
