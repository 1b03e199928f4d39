//! `steadfast watch`: the browser shows a running tire, and the tire is not affected.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout};
use std::time::Duration;

use crate::common::{Done, MODEST, awaited, conserves, kill, number, send, start};
use rustix::process::Signal;
use serde_json::Value;
use testing::within_tries;

/// A viewer on free ports, ended with the test.
struct Viewer {
    program: Child,
    page: String,
    listen: String,
}

impl Viewer {
    fn open() -> Self {
        let mut program = start("watch --listen 127.0.0.1:0 --page 127.0.0.1:0");
        let mut said = BufReader::new(program.stdout.take().unwrap());
        let page = after(&mut said, "http://").trim_end_matches('/').to_owned();
        let listen = after(&mut said, "--watch ");
        Self { program, page, listen }
    }

    /// Returns the viewer's answer to a request for a path, line by line.
    fn get(&self, path: &str) -> impl Iterator<Item = String> + use<> {
        let mut browser = TcpStream::connect(&self.page).unwrap();
        let patience = Some(Duration::from_secs(120));
        browser.set_read_timeout(patience).unwrap();
        write!(browser, "GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.page).unwrap();
        BufReader::new(browser).lines().map_while(Result::ok)
    }

    fn messages(&self) -> impl Iterator<Item = Value> + use<> {
        let lines = self.get("/live");
        lines.filter_map(|line| serde_json::from_str(line.strip_prefix("data: ")?).ok())
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        // Never panics: the test may be panicking already.
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// Returns the rest of the first line that contains the words.
fn after(said: &mut BufReader<ChildStdout>, words: &str) -> String {
    let mut line = String::new();
    while said.read_line(&mut line).unwrap() > 0 {
        if let Some((_, rest)) = line.split_once(words) {
            return rest.trim().to_owned();
        }
        line.clear();
    }
    panic!("the viewer does not say `{words}`");
}

fn tire(steps: u64, viewer: &str) -> Child {
    start(&format!(
        "run tire --mode real-time --model central --masses 40 --threads 1 --steps {steps} \
         {MODEST} --watch {viewer} --json"
    ))
}

/// Returns the run, after checking that every period and every frame is accounted for.
fn ended(tire: Child) -> Value {
    let row = Done::at_end(tire).succeeded().first_run()["rows"][0].clone();
    conserves(&row);
    let frames = ["frames_sent", "frames_refused", "frames_dropped"].map(|name| number(&row, name));
    assert_eq!(number(&row, "frames_due"), frames.iter().sum::<u64>());
    row
}

#[test]
fn a_browser_sees_the_tire_move_and_end() {
    let viewer = Viewer::open();
    let page: Vec<String> = viewer.get("/").collect();
    assert!(page[0].ends_with("200 OK"), "{page:?}");
    let users: Vec<String> = page.iter().cloned().chain(viewer.get("/watch.js")).collect();
    for file in ["style.css", "watch.js", "tire.js", "chart.js"] {
        assert!(viewer.get(&format!("/{file}")).next().unwrap().ends_with("200 OK"));
        assert!(users.iter().any(|line| line.contains(file)), "{file}");
    }
    assert!(viewer.get("/../Cargo.toml").next().unwrap().contains("404"));

    // A stall of the host can fill the buffer of the viewer's socket; what it does not hold is lost.
    let is_whole =
        |seen: &Seen| seen.steps == number(&seen.row, "executed") && seen.heights.len() > 3;
    let Seen { heights, about, .. } = within_tries(3, || seen_falling(&Viewer::open()), is_whole);
    assert_eq!(about["size"], 40);
    assert_eq!(about["unit"], "masses");
    assert!(heights.last() < heights.iter().max(), "it falls: {heights:?}");
}

#[derive(Debug)]
struct Seen {
    about: Value,
    /// Of one mass, without repetitions.
    heights: Vec<i64>,
    steps: u64,
    row: Value,
}

fn seen_falling(viewer: &Viewer) -> Seen {
    let mut messages = viewer.messages();
    assert_eq!(messages.next().unwrap()["state"], "waiting");
    let tire = tire(150, &viewer.listen);
    let (mut heights, mut steps, mut about) = (Vec::new(), 0, Value::Null);
    for message in messages {
        if message["about"].is_object() {
            about = message["about"].clone();
        }
        if let Some(places) = message["places"].as_array() {
            heights.push(places[1].as_i64().unwrap());
        }
        steps += message["steps"].as_array().map_or(0, |numbers| numbers.len() as u64 / 3);
        if message["state"] == "ended" {
            break;
        }
    }
    heights.dedup();
    Seen { about, heights, steps, row: ended(tire) }
}

#[test]
fn a_viewer_that_stalls_or_dies_stops_no_step() {
    let mut viewer = Viewer::open();
    let mut browser = viewer.messages();
    let tire = tire(500, &viewer.listen);
    let is_seen = |message: Value| message["state"] == "live";
    assert!(browser.by_ref().take(500).any(is_seen));
    send(Signal::STOP, viewer.program.id());
    std::thread::sleep(Duration::from_millis(500));
    kill(&mut viewer.program);
    let row = ended(tire);
    assert_eq!(row["due"], 500);
    assert!(row["frames_refused"].as_u64().unwrap() > 0, "{row}");
}

#[test]
fn strangers_are_counted_and_do_no_harm() {
    let viewer = Viewer::open();
    let stranger = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    for nonsense in [&b"hello"[..], b"SFWATCH", b"SFWATCH\x09", b"", &[7; 9000]] {
        stranger.send_to(nonsense, &viewer.listen).unwrap();
    }
    let refused = |message: Value| message["refused"] == 5;
    assert!(viewer.messages().take(50).any(refused));
}

#[test]
fn ctrl_c_ends_it() {
    let mut viewer = Viewer::open();
    send(Signal::INT, viewer.program.id());
    let ended = awaited("the viewer's end", || viewer.program.try_wait().unwrap());
    assert_eq!(ended.code(), Some(130));
}
