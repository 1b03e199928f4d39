#!/usr/bin/env bash
# hdrhistogram 0.10.8 (Python) and hdr-histogram-js 3.0.1: the same correction, different counts.
#
# Behaviour: a loop is due every 1 ms, and one step ends 2.5 ms after its due time. So the next two are late by
# 1.5 ms and 0.5 ms. With the expected interval of 1 ms, Python's `record_corrected_value` adds both; JavaScript's
# `recordValueWithExpectedInterval` adds only 1.5 ms: it leaves out what is late by less than one interval (as the
# libraries for Java, Go and Rust do).
# Matters: in a loop that skips periods, every stall ends with such a period. Histograms of the same samples from two
# languages cannot be compared, and the quantiles below the stall differ.
source "$(dirname "$0")/lib.sh"
python_packages hdrhistogram==0.10.8
node_packages hdr-histogram-js@3.0.1

expect "Python: 3 values" "$(python << 'PY'
from hdrh.histogram import HdrHistogram

histogram = HdrHistogram(1, 10_000_000_000, 3)
histogram.record_corrected_value(2_500_000, 1_000_000)
print(f"Python: {histogram.total_count} values")
PY
)"
expect "JavaScript: 2 values" "$(node_program << 'JS'
const histogram = require("hdr-histogram-js").build({
  lowestDiscernibleValue: 1, highestTrackableValue: 1e10, numberOfSignificantValueDigits: 3,
});
histogram.recordValueWithExpectedInterval(2500000, 1000000);
console.log(`JavaScript: ${histogram.totalCount} values`);
JS
)"
