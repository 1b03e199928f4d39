//! Browsers: the page's files, and the stream of what is new.

use std::io::{self, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crate::message::Known;
use crate::request::{Within, answer, answer_events, path};
use crate::scene::Stage;

/// The page: path, type, text.
const FILES: &[(&str, &str, &str)] = &[
    ("/", "text/html", include_str!("../page/index.html")),
    ("/style.css", "text/css", include_str!("../page/style.css")),
    ("/watch.js", "text/javascript", include_str!("../page/watch.js")),
    ("/tire.js", "text/javascript", include_str!("../page/tire.js")),
    ("/chart.js", "text/javascript", include_str!("../page/chart.js")),
];
const LIVE: &str = "/live";

/// Browsers at a time; a page has one connection that stays.
const MOST: usize = 32;
/// A browser that has not asked by then, or takes nothing for so long, is let go.
const PATIENCE: Duration = Duration::from_secs(5);
/// From one message to the next, at least.
const AT_LEAST: Duration = Duration::from_millis(15);
/// From one message to the next where nothing is new, so that the page counts silence.
const AT_MOST: Duration = Duration::from_millis(500);

/// Serves browsers for ever.
pub fn serve(listener: &TcpListener, stage: &Arc<Stage>) {
    // Each thread holds one copy.
    let served = Arc::new(());
    for browser in listener.incoming() {
        let Ok(browser) = browser else {
            // Out of descriptors, say: better in a while.
            thread::sleep(AT_MOST);
            continue;
        };
        if Arc::strong_count(&served) > MOST {
            continue;
        }
        let (stage, served) = (Arc::clone(stage), Arc::clone(&served));
        // One that no thread can attend is let go, as one too many is.
        let _ = rt::thread::start("browser", move || {
            // A browser that leaves is no error.
            let _ = attend(browser, &stage);
            drop(served);
        });
    }
}

fn attend(mut browser: TcpStream, stage: &Stage) -> io::Result<()> {
    browser.set_write_timeout(Some(PATIENCE))?;
    browser.set_nodelay(true)?;
    let asked = path(&mut Within::new(&browser, PATIENCE))?;
    let Some(path) = asked else {
        return answer(&mut browser, "400 Bad Request", "text/plain", "only GET\n");
    };
    if path == LIVE {
        return stream(&mut browser, stage);
    }
    match FILES.iter().find(|(known, ..)| *known == path) {
        Some((_, kind, text)) => answer(&mut browser, "200 OK", kind, text),
        None => answer(&mut browser, "404 Not Found", "text/plain", "the page is at /\n"),
    }
}

/// Sends what is new for as long as the browser takes it. A message is made when the one
/// before it was taken: a slow browser gets fewer of them.
fn stream(browser: &mut TcpStream, stage: &Stage) -> io::Result<()> {
    answer_events(browser)?;
    let mut known = Known::default();
    loop {
        let message = {
            let scene = stage.after(known.version, AT_MOST);
            known.catch_up(&scene, Instant::now())
        };
        let event = format!("data: {message}\n\n");
        browser.write_all(event.as_bytes())?;
        thread::sleep(AT_LEAST);
    }
}
