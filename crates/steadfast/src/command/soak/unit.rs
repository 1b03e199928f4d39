//! `steadfast soak --unit`: a unit of systemd that continues the soak after a kill or a reboot.

use std::env;
use std::path::absolute;

use anyhow::Result;

use super::args::SoakArgs;
use crate::output::print;
use crate::systemd::quoted;

/// Prints a service that runs the same command without `--unit`.
pub(super) fn unit(args: &SoakArgs) -> Result<()> {
    let program = env::current_exe()?.display().to_string();
    let mut words = vec![program, "soak".to_owned(), "--quiet".to_owned()];
    let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
    option("--of", args.of.clone());
    option("--for", args.length.to_string());
    option("--interval", args.interval.to_string());
    option("--out", absolute(&args.out)?.display().to_string());
    for (name, address) in [("--metrics", args.metrics), ("--page", args.page)] {
        address.iter().for_each(|address| option(name, address.to_string()));
    }
    args.on_miss.iter().for_each(|command| option("--on-miss", command.clone()));
    let command: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    print(&format!(
        "# /etc/systemd/system/steadfast-soak.service
# systemctl daemon-reload && systemctl enable --now steadfast-soak.service
[Unit]
Description=Watch this machine for days, and continue after a reboot

[Service]
ExecStart={}
WorkingDirectory={}
Restart=on-abnormal
RestartSec=10
SuccessExitStatus=130

[Install]
WantedBy=multi-user.target
",
        command.join(" "),
        env::current_dir()?.display().to_string().replace('%', "%%")
    ))
}
