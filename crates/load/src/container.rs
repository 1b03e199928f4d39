//! Container load: starts and ends containers, one after the other.

use std::env;
use std::process::{Command, Stdio};

use rt::process::die_together;

use crate::{Argument, Load, Processes};

/// Programs that start containers; the first one found is used.
const RUNTIMES: [&str; 3] = ["podman", "docker", "nerdctl"];

pub(crate) const LOAD: Load = Load {
    name: "container",
    summary: "starts containers that end at once; with podman, docker or nerdctl; one process",
    unit: |_| "containers started and ended",
    processes: Processes::One,
    argument: Some(Argument {
        name: "IMAGE",
        default: None,
        help: "image that contains `true` and is already present, since none is fetched",
    }),
    needs: Some("podman, docker or nerdctl in PATH, and the image"),
    is_aggressor: true,
    lacks: |_| runtime().err(),
    prepare: |image, _| {
        let runtime = runtime()?;
        let image = image.to_owned();
        Ok(Box::new(move || started(runtime, &image).map(|()| 1)))
    },
    ..Load::PLAIN
};

fn runtime() -> Result<&'static str, String> {
    let path = env::var_os("PATH");
    let folders = || path.iter().flat_map(env::split_paths);
    let is_there = |name: &&&str| folders().any(|folder| folder.join(name).is_file());
    let found = RUNTIMES.iter().find(is_there).copied();
    found.ok_or_else(|| format!("no container runtime is in PATH ({})", RUNTIMES.join(", ")))
}

fn started(runtime: &str, image: &str) -> Result<(), String> {
    let mut command = Command::new(runtime);
    command
        .args(["run", "--rm", "--pull=never", "--network=none", "--", image, "true"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    die_together(&mut command);
    let done = command.output().map_err(|error| format!("{runtime}: {error}"))?;
    if done.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&done.stderr);
    let line = said.lines().find(|line| !line.trim().is_empty());
    Err(format!("{runtime} run {image}: {}", line.unwrap_or("it failed without a message")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_runtime_or_image_is_an_error_of_one_line() {
        let work = (LOAD.prepare)("no/such/image", u64::MAX);
        let why = match work {
            Ok(mut work) => work().unwrap_err(),
            Err(why) => why,
        };
        assert!(!why.is_empty() && !why.contains('\n'), "{why}");
    }
}
