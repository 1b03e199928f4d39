//! Chooses the kernel that serves measured code, and finds what a program for it is linked with.
//!
//! A real-time core is a line in [`CORES`], a file here, and a file in `src/posix`; without one of
//! their features, Linux serves measured code.

use std::process::ExitCode;

#[cfg(feature = "cobalt")]
mod cobalt;
#[cfg(feature = "evl")]
mod evl;
#[cfg(feature = "rtai")]
mod rtai;

/// A real-time core next to Linux; the feature of the same name selects it.
struct Core {
    name: &'static str,
    /// Whether its semaphores, mutexes and queues are those of POSIX, under the core's own names.
    has_posix_objects: bool,
    /// Passes to cargo what a program for this core is linked with.
    find: fn() -> Result<(), String>,
}

const CORES: &[Core] = &[
    #[cfg(feature = "cobalt")]
    Core { name: "cobalt", has_posix_objects: true, find: cobalt::find },
    #[cfg(feature = "evl")]
    Core { name: "evl", has_posix_objects: false, find: evl::find },
    #[cfg(feature = "rtai")]
    Core { name: "rtai", has_posix_objects: false, find: rtai::find },
];

const LINUX: Core = Core { name: "linux", has_posix_objects: true, find: || Ok(()) };

fn main() -> ExitCode {
    for variable in ["XENO_CONFIG", "EVL_ROOT", "RTAI_CONFIG"] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    println!("cargo::rustc-check-cfg=cfg(core, values(any()))");
    println!("cargo::rustc-check-cfg=cfg(posix_objects)");
    let core = match CORES {
        [] => &LINUX,
        [core] => core,
        [first, second, ..] => {
            let (first, second) = (first.name, second.name);
            println!(
                "cargo::error=features `{first}` and `{second}` exclude each other: choose one"
            );
            return ExitCode::FAILURE;
        }
    };
    println!("cargo::rustc-cfg=core=\"{}\"", core.name);
    if core.has_posix_objects {
        println!("cargo::rustc-cfg=posix_objects");
    }
    match (core.find)() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            println!("cargo::error=feature `{}`: {why}", core.name);
            ExitCode::FAILURE
        }
    }
}
