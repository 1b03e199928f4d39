//! What a soak serves while it measures: metrics and a page, of finished intervals.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use analysis::soak::{Added, Picture, Soak};
use anyhow::Result;
use base::CpuSet;
use record::Outcome;
use rt::topology;
use watch::{Answer, Request, Server};

use super::args::SoakArgs;
use crate::session::progress::say;

#[derive(Default)]
pub(super) struct State {
    pub(super) soak: Soak,
    pub(super) picture: Picture,
}

impl State {
    pub(super) fn add(&mut self, outcome: &Outcome) -> Added {
        let added = self.soak.add(outcome);
        self.picture.add(&added);
        added
    }
}

#[derive(Clone, Default)]
pub(super) struct Shared(Arc<Mutex<State>>);

impl Shared {
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens the requested servers, off the measured CPUs unless all are measured.
    pub(super) fn serve(&self, args: &SoakArgs, measured: &CpuSet) -> Result<()> {
        let apart = topology::housekeeping(&topology::usable(), measured);
        if let Some(address) = args.metrics {
            let soak = self.clone();
            let metrics = move |request: &Request| metrics(&soak.lock().soak, request);
            let server = Server::open("metrics", address, apart.clone(), metrics)?;
            say(&format!("Metrics: http://{}/metrics", server.address));
        }
        if let Some(address) = args.page {
            let (soak, title) = (self.clone(), args.of.clone());
            // More often than intervals end would show nothing new.
            let refresh_s = args.interval.0.div_ceil(1_000_000_000).clamp(5, 60);
            let page = move |request: &Request| page(&soak.lock(), &title, refresh_s, request);
            let server = Server::open("page", address, apart, page)?;
            say(&format!("Page: http://{}/", server.address));
        }
        Ok(())
    }
}

fn page(state: &State, title: &str, refresh_s: u64, request: &Request) -> Option<Answer> {
    let State { soak, picture } = state;
    match &*request.path {
        "/" => {
            let text = report::soak_page(title, soak, picture, Some(refresh_s));
            Some(Answer { kind: "text/html", text })
        }
        "/soak.css" => Some(Answer { kind: "text/css", text: report::SOAK_STYLE.to_owned() }),
        _ => None,
    }
}

fn metrics(soak: &Soak, request: &Request) -> Option<Answer> {
    if !["/metrics", "/"].contains(&&*request.path) {
        return None;
    }
    let is_open = request.accepts("application/openmetrics-text");
    let plain = "text/plain; version=0.0.4";
    let kind = if is_open { "application/openmetrics-text; version=1.0.0" } else { plain };
    Some(Answer { kind, text: report::metrics(soak, is_open) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::run::line::specs_of;
    use crate::session::driver::fake;
    use record::{IntervalFound, Row};
    use std::io::{Read, Write};
    use std::net::TcpStream;

    /// The interval of that number in a simulated loop, of 1000 periods with some skipped.
    fn interval(number: u64) -> Outcome {
        let specs = specs_of("wakeup --cpus 0 --policy other").unwrap();
        let mut outcome = fake::outcome(&specs[0], number as usize, 1);
        outcome.found.interval = Some(IntervalFound {
            watch: "watch".to_owned(),
            number,
            stalled_before: 0,
            is_same_program: false,
            boot: "boot".to_owned(),
            suspended_ns: 0,
            began_since_boot_ns: None,
        });
        let (executed, skipped) = (1000 - number % 3, number % 3);
        outcome.rows = vec![Row { due: 1000, executed, skipped, ..Row::default() }];
        outcome
    }

    #[test]
    fn a_scrape_after_every_interval_changes_no_count() {
        let [scraped, alone] = [Shared::default(), Shared::default()];
        let soak = scraped.clone();
        let site = move |request: &Request| metrics(&soak.lock().soak, request);
        let server =
            Server::open("metrics", ([127, 0, 0, 1], 0).into(), CpuSet::default(), site).unwrap();
        let mut last = String::new();
        for number in 0..100 {
            scraped.lock().add(&interval(number));
            alone.lock().add(&interval(number));
            let mut stream = TcpStream::connect(server.address).unwrap();
            write!(stream, "GET /metrics HTTP/1.1\r\nHost: {}\r\n\r\n", server.address).unwrap();
            last.clear();
            stream.read_to_string(&mut last).unwrap();
        }
        let expected = report::metrics(&alone.lock().soak, false);
        assert!(last.ends_with(&expected), "{last}");
        assert!(expected.contains("steadfast_due_total 100000\n"), "{expected}");
        assert!(expected.contains("steadfast_missed_total 99\n"), "{expected}");
        let unknown = "steadfast_missed_by_cause_total{cause=\"unknown\"} 99\n";
        assert!(expected.contains(unknown), "{expected}");
        let gauge = |name: &str| -> f64 {
            let name = format!("steadfast_miss_rate{name} ");
            let mut lines = expected.lines();
            lines.find_map(|line| line.strip_prefix(&name)).unwrap().parse().unwrap()
        };
        let claimed = alone.lock().soak.claimed().rate(1).unwrap();
        assert_eq!(gauge(""), 99.0 / 100_000.0);
        assert_eq!([gauge("_lower"), gauge("_upper")], [claimed.lower, claimed.upper]);
        assert!(!report::metrics(&Shared::default().lock().soak, false).contains("miss_rate"));
    }
}
