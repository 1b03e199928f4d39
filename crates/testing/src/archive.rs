//! Archives for tests.

use std::io::Write;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use rawzip::path::EntryPath;
use rawzip::{CompressionMethod, ZipArchiveWriter};

/// A file of an archive: its name, its content, and optionally its mode.
pub type Member<'a> = (&'a str, &'a [u8], Option<u32>);

/// Packs a zip archive, such as an FMU, of files whose names are used unchanged.
pub fn zipped(members: &[Member]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut archive = ZipArchiveWriter::new(&mut bytes);
    for (name, content, mode) in members {
        let file = archive.new_file(EntryPath::verbatim(name.as_bytes()));
        let mut file = file.compression_method(CompressionMethod::DEFLATE);
        if let Some(mode) = mode {
            file = file.unix_permissions(*mode);
        }
        let (mut entry, config) = file.start().expect("an entry begins");
        let mut writer = config.wrap(DeflateEncoder::new(&mut entry, Compression::fast()));
        writer.write_all(content).expect("memory takes it");
        let (packed, descriptor) = writer.finish().expect("memory takes it");
        packed.finish().expect("memory takes it");
        entry.finish(descriptor).expect("memory takes it");
    }
    archive.finish().expect("the archive ends");
    bytes
}
