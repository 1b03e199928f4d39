//! What a soak serves while it measures: metrics and a page, of finished intervals.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use analysis::soak::Soak;
use anyhow::Result;
use rt::topology;
use units::CpuSet;
use watch::{Answer, Request, Server};

use super::args::SoakArgs;
use crate::progress::say;

/// The state of a soak, which the servers read.
#[derive(Clone, Default)]
pub(super) struct Shared(Arc<Mutex<Soak>>);

impl Shared {
    pub(super) fn lock(&self) -> MutexGuard<'_, Soak> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens the requested servers. Their threads stay off the measured CPUs, unless all are
    /// measured.
    ///
    /// # Errors
    /// If an address cannot be used.
    pub(super) fn serve(&self, args: &SoakArgs, measured: &CpuSet) -> Result<()> {
        let apart = topology::housekeeping(&topology::usable(), measured);
        if let Some(address) = args.metrics {
            let soak = self.clone();
            let metrics = move |request: &Request| metrics(&soak.lock(), request);
            let server = Server::open("metrics", address, apart.clone(), metrics)?;
            say(&format!("Metrics: http://{}/metrics", server.address));
        }
        Ok(())
    }
}

fn metrics(soak: &Soak, request: &Request) -> Option<Answer> {
    if !["/metrics", "/"].contains(&&*request.path) {
        return None;
    }
    let is_open = request.accepts("application/openmetrics-text");
    let kind = match is_open {
        true => "application/openmetrics-text; version=1.0.0",
        false => "text/plain; version=0.0.4",
    };
    Some(Answer { kind, text: report::metrics(soak, is_open) })
}
