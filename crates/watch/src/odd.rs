//! Tests with odd datagrams: the viewer continues, and its memory is bounded.

use std::time::{Duration, Instant};

use record::live::{About, Datagram, News, Place, Shape, StepTimes, Steps, Totals};
use testing::try_odd;

use crate::message::Known;
use crate::scene::Stage;

fn valid() -> Vec<Vec<u8>> {
    let about = About {
        period_ns: 10_000_000,
        periods: 100,
        step_ns: 10_000_000,
        size: 400,
        unit: "masses".into(),
        threads: 2,
        model: "balanced".into(),
        solver: "simd".into(),
        precision: "f64".into(),
        policy: "fifo:80".into(),
    };
    let shape = Shape { places: vec![Place::default(); 5], ..Shape::default() };
    let steps = Steps { first: 7, times: vec![StepTimes::default(); 9], ..Steps::default() };
    [News::About(about), News::Shape(shape), News::Steps(steps), News::End(Totals::default())]
        .into_iter()
        .map(|news| {
            let mut bytes = Vec::new();
            Datagram { run: 3, news }.encode(&mut bytes);
            bytes
        })
        .collect()
}

#[test]
fn odd_datagrams_are_shown_or_refused() {
    let valid = valid();
    let (stage, mut known) = (Stage::default(), Known::default());
    let mut now = Instant::now();
    try_odd(20_000, |odd| {
        let mut bytes = odd.one_of(&valid).clone();
        if !odd.once_in(8) {
            odd.bytes(&mut bytes);
        }
        if let (false, Some(end)) = (odd.once_in(4), bytes.len().checked_sub(4)) {
            let right = crc32fast::hash(&bytes[..end]).to_le_bytes();
            bytes[end..].copy_from_slice(&right);
        }
        now += Duration::from_millis(odd.below(100) as u64);
        stage.hear(Datagram::decode(&bytes), now);
        if odd.once_in(16) {
            let message = known.catch_up(&stage.after(u64::MAX, Duration::ZERO), now).to_string();
            assert!(message.len() < 1 << 20, "{}", message.len());
        }
    });
    let scene = stage.after(u64::MAX, Duration::ZERO);
    assert!(scene.refused > 0 && scene.tire.is_some());
}

#[test]
fn odd_requests_are_answered_or_refused() {
    let seeds = [
        "GET / HTTP/1.1\r\nHost: localhost:80\r\nAccept: text/html, text/plain\r\n\r\n",
        "GET /metrics?x=1 HTTP/1.0\r\nhost: [::1]:9\r\naccept: application/openmetrics-text\r\n\r\n",
    ];
    let address = "127.0.0.1:80".parse().unwrap();
    testing::try_corpus(&seeds, 3_000, |input| {
        if let Ok(Some(request)) = crate::request::request(&mut &*input) {
            let _ = (request.is_for(address), request.accepts("text/html"));
        }
    });
}
