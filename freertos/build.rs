//! Compiles the kernel, and puts the memory map where the linker finds it.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use freertos_build::prelude::*;

const LINKER_FILES: [&str; 2] = ["memory.x", "device.x"];

fn main() -> Result<(), Box<dyn Error>> {
    let out = env::var("OUT_DIR")?;
    for file in LINKER_FILES {
        fs::copy(file, Path::new(&out).join(file))?;
        println!("cargo:rerun-if-changed={file}");
    }
    println!("cargo:rustc-link-search={out}");

    let mut kernel = freertos_build::Builder::new();
    kernel.cpu_clock(25.MHz());
    kernel.heap_size(64 * 1024);
    kernel.minimal_stack_size(128);
    kernel.max_task_priorities(6);
    kernel.interrupt_priority_bits(3, 2, 7);
    kernel.get_cc().opt_level(2);
    kernel.compile().map_err(|error| format!("{error:?}"))?;
    Ok(())
}
