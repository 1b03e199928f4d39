//! Serves browsers: the page's files, and a stream of news.

use std::io::{self, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crate::message::Known;
use crate::request::{Request, Within, answer, answer_events, request};
use crate::scene::Stage;
use crate::silent::Silent;

/// The files of the page: path, type, text.
const FILES: &[(&str, &str, &str)] = &[
    ("/", "text/html", include_str!("../page/index.html")),
    ("/style.css", "text/css", include_str!("../page/style.css")),
    ("/watch.js", "text/javascript", include_str!("../page/watch.js")),
    ("/tire.js", "text/javascript", include_str!("../page/tire.js")),
    ("/chart.js", "text/javascript", include_str!("../page/chart.js")),
];
const LIVE: &str = "/live";

/// The most browsers at a time; a page keeps one connection open.
const MOST: usize = 32;
/// Time after which a browser is disconnected if it has sent no request, or accepts no data.
const PATIENCE: Duration = Duration::from_secs(5);
/// Shortest time between two messages.
const AT_LEAST: Duration = Duration::from_millis(15);
/// Longest time between two messages, so that the page can count silence.
const AT_MOST: Duration = Duration::from_millis(500);

/// Serves the page of a tire forever.
pub fn serve(listener: &TcpListener, stage: &Arc<Stage>) {
    let stage = Arc::clone(stage);
    serve_each(listener, move |mut browser, asked| attend(&mut browser, &asked, &stage));
}

/// Serves each browser forever, in a separate thread: `attend` answers its request.
pub fn serve_each(
    listener: &TcpListener,
    attend: impl Fn(TcpStream, Request) -> io::Result<()> + Send + Sync + 'static,
) {
    let attend = Arc::new(attend);
    // Each thread holds one copy, which counts the browsers.
    let served = Arc::new(());
    let silent = Arc::new(Silent::default());
    for (number, browser) in (0..).zip(listener.incoming()) {
        let Ok(mut browser) = browser else {
            // For example, no file descriptors are left; this may improve after a while.
            thread::sleep(AT_MOST);
            continue;
        };
        if Arc::strong_count(&served) > MOST && !silent.end_oldest() {
            continue;
        }
        silent.add(number, &browser);
        let (attend, served, silent) =
            (Arc::clone(&attend), Arc::clone(&served), Arc::clone(&silent));
        // If no thread can be started, the browser is disconnected, as one above the limit is.
        let _ = rt::thread::start("browser", move || {
            // A browser that leaves is not an error.
            let heard = hear(&mut browser);
            silent.remove(number);
            if let Ok(Some(asked)) = heard {
                let _ = attend(browser, asked);
            }
            drop(served);
        });
    }
}

/// Reads a browser's request. `None` if there is nothing else to answer.
fn hear(browser: &mut TcpStream) -> io::Result<Option<Request>> {
    browser.set_write_timeout(Some(PATIENCE))?;
    browser.set_nodelay(true)?;
    let address = browser.local_addr()?;
    let Some(asked) = request(&mut Within::new(browser, PATIENCE))? else {
        answer(browser, "400 Bad Request", "text/plain", "only GET\n")?;
        return Ok(None);
    };
    if !asked.is_for(address) {
        let text = format!("the page is at http://{address}/\n");
        answer(browser, "403 Forbidden", "text/plain", &text)?;
        return Ok(None);
    }
    Ok(Some(asked))
}

fn attend(browser: &mut TcpStream, asked: &Request, stage: &Stage) -> io::Result<()> {
    if asked.path == LIVE {
        return stream(browser, stage);
    }
    match FILES.iter().find(|(known, ..)| *known == asked.path) {
        Some((_, kind, text)) => answer(browser, "200 OK", kind, text),
        None => answer(browser, "404 Not Found", "text/plain", "the page is at /\n"),
    }
}

/// Sends news as long as the browser accepts it. Each message is built after the previous one was
/// accepted, so a slow browser gets fewer messages.
fn stream(browser: &mut TcpStream, stage: &Stage) -> io::Result<()> {
    answer_events(browser)?;
    let mut known = Known::default();
    loop {
        let message = {
            let scene = stage.after(known.version, AT_MOST);
            known.catch_up(&scene, Instant::now())
        };
        browser.write_all(format!("data: {message}\n\n").as_bytes())?;
        thread::sleep(AT_LEAST);
    }
}
