use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

fn encoded(datagram: &Datagram) -> Vec<u8> {
    let mut bytes = Vec::new();
    datagram.encode(&mut bytes);
    assert!(bytes.len() <= MOST_BYTES, "{} bytes", bytes.len());
    bytes
}

fn totals() -> impl Strategy<Value = Totals> {
    any::<[u64; 6]>().prop_map(|[a, b, c, d, e, f]| Totals {
        executed: a,
        missed: b,
        skipped: c,
        untold: d,
        frames_due: e,
        frames_sent: f,
    })
}

fn steps() -> impl Strategy<Value = Steps> {
    let times = any::<(u64, u32, u32)>().prop_map(|(due_ns, delay_ns, run_ns)| StepTimes {
        due_ns,
        delay_ns,
        run_ns,
    });
    let all = (totals(), 0..u64::MAX / 2, vec(times, 0..=MOST_STEPS));
    all.prop_map(|(totals, first, times)| Steps { totals, first, times })
}

fn about() -> impl Strategy<Value = About> {
    let numbers = (1..u64::MAX, any::<u64>(), 1..u64::MAX, any::<u64>());
    let texts = vec("\\PC{0,60}", 5);
    (numbers, any::<u32>(), texts).prop_map(|(numbers, threads, texts)| About {
        period_ns: numbers.0,
        periods: numbers.1,
        step_ns: numbers.2,
        size: numbers.3,
        threads,
        model: texts[0].clone(),
        solver: texts[1].clone(),
        precision: texts[2].clone(),
        policy: texts[3].clone(),
        unit: texts[4].clone(),
    })
}

fn shape() -> impl Strategy<Value = Shape> {
    let position = || [-9f32..9.0, 0f32..9.0];
    let place = (position(), 0f32..5.0).prop_map(|(position, force)| Place { position, force });
    let hub = proptest::option::of(position());
    let all = (any::<u64>(), hub, vec(place, 0..=MOST_PLACES));
    all.prop_map(|(step, hub, places)| Shape { step, hub, places })
}

fn news() -> impl Strategy<Value = News> {
    prop_oneof![
        about().prop_map(News::About),
        shape().prop_map(News::Shape),
        steps().prop_map(News::Steps),
        totals().prop_map(News::End),
    ]
}

fn close(a: [f32; 2], b: [f32; 2]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() < 2e-4)
}

/// Compares news, with a tolerance for the rounding of positions and forces.
fn same(sent: &News, read: &News) -> bool {
    match (sent, read) {
        (News::Shape(sent), News::Shape(read)) => {
            let hubs = match (sent.hub, read.hub) {
                (Some(sent), Some(read)) => close(sent, read),
                (sent, read) => sent == read,
            };
            let mut places = sent.places.iter().zip(&read.places);
            hubs && sent.step == read.step
                && sent.places.len() == read.places.len()
                && places
                    .all(|(a, b)| close(a.position, b.position) && (a.force - b.force).abs() < 1e-4)
        }
        (sent, read) => sent == read,
    }
}

proptest! {
    #[test]
    fn every_datagram_is_read_back(run: u64, news in news()) {
        let sent = Datagram { run, news };
        let read = Datagram::decode(&encoded(&sent)).unwrap();
        prop_assert!(read.run == run && same(&sent.news, &read.news), "{read:?}");
    }

    #[test]
    fn what_is_damaged_is_refused(
        news in news(), place: prop::sample::Index, flip in 1u8..,
    ) {
        let mut bytes = encoded(&Datagram { run: 1, news });
        let cut = place.index(bytes.len());
        prop_assert!(Datagram::decode(&bytes[..cut]).is_err());
        bytes[cut] ^= flip;
        prop_assert!(Datagram::decode(&bytes).is_err());
    }

    /// Content with a correct checksum is either read or refused.
    #[test]
    fn nonsense_with_a_correct_checksum_does_no_harm(kind: u8, body in vec(any::<u8>(), 0..1500)) {
        let mut bytes = Vec::new();
        let mut w = Writer::new(&mut bytes);
        w.bytes(&MAGIC);
        w.u8(VERSION);
        w.u8(kind % 6);
        w.bytes(&body);
        w.checksum();
        if let Ok(read) = Datagram::decode(&bytes) {
            prop_assert!(encoded(&read).len() <= MOST_BYTES);
        }
    }
}

#[test]
fn other_things_are_named() {
    assert_eq!(Datagram::decode(b"hello"), Err(Refused::Stranger));
    assert_eq!(Datagram::decode(b"SFWATCH\x09..."), Err(Refused::Version(9)));
    assert_eq!(Datagram::decode(b"SFWATCH\x02"), Err(Refused::Damaged));
}
