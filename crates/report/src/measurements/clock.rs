//! The cost of measuring.

use analysis::survey::on_all;

use crate::document::Block;
use crate::sections::general;
use crate::sections::measured::Measured;

const MEASUREMENT: &str = "clock_overhead";

pub(super) const SECTION: Measured = Measured {
    id: "clock",
    title: "Cost of a stamp",
    introduction: "The same loop with and without stamps. The times are differences of \
                   consecutive stamps; the stamp cost is the difference of the two loops. It is \
                   contained in every latency of this report and never subtracted.",
    measurements: &[MEASUREMENT],
    blocks: |analysis| {
        let series = on_all(&analysis.systems, MEASUREMENT);
        vec![Block::Table(general::table(&series))]
    },
};
