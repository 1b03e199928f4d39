//! Chooses the core that answers measured code, and finds what a program of it is made of.
//!
//! A core is a line in [`CORES`], a file here, and a file in `src/posix`; without one of
//! their features Linux answers.

use std::process::ExitCode;

#[cfg(feature = "cobalt")]
mod cobalt;
#[cfg(feature = "evl")]
mod evl;
#[cfg(feature = "rtai")]
mod rtai;

/// A core beside Linux, which a feature of its name chooses.
struct Core {
    name: &'static str,
    /// Whether its semaphores, mutexes and queues are those of POSIX under names of its own.
    has_posix_objects: bool,
    /// Tells cargo what a program of it is made of.
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
        [one, other, ..] => {
            let (one, other) = (one.name, other.name);
            println!("cargo::error=one core answers: choose feature `{one}` or `{other}`");
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
