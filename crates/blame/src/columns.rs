//! Rows of numbers as the columns of a track.

use record::Track;

pub(crate) fn rows<const N: usize>(
    track: &Track,
    names: [&str; N],
) -> impl Iterator<Item = [i64; N]> {
    let columns = names.map(|name| track.values(name));
    let count = columns.iter().map(|column| column.len()).min().unwrap_or(0);
    (0..count).map(move |row| columns.map(|column| column[row]))
}

pub(crate) fn track<const N: usize>(
    name: &str,
    names: [&str; N],
    rows: impl Iterator<Item = [i64; N]>,
) -> Track {
    let mut columns = [const { Vec::new() }; N];
    for row in rows {
        for (column, value) in columns.iter_mut().zip(row) {
            column.push(value);
        }
    }
    let columns = names.into_iter().zip(columns);
    columns.fold(Track::new(name), |track, (name, values)| track.column(name, values))
}
