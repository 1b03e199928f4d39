#!/usr/bin/env bash
# hdrhistogram 0.10.8 (Python), hdr-histogram-js 3.0.1 and hdrhistogram 7.6.0 (Rust): a value that is recorded zero times
# is the maximum.
#
# Behaviour: after one value of 50, and 900 recorded with a count of 0, the maximum is 900, although one value is counted
# and the 100th percentile is 50. Written to a log and read again, the same histogram has the maximum 50. Go says 50 at
# once.
# Matters: files of cyclictest and rtla have a line for each bin, most of them with a count of 0. Who records each line
# with its count gets the end of the histogram as the worst latency, whatever was measured, and another one from the log.
source "$(dirname "$0")/lib.sh"
python_packages hdrhistogram==0.10.8
node_packages hdr-histogram-js@3.0.1

expect "Python: 1 value, p100 50, maximum 900; read again 50" "$(python << 'PY'
from hdrh.histogram import HdrHistogram

bins = HdrHistogram(1, 1_000, 3)
for value, count in ((50, 1), (900, 0)):
    bins.record_value(value, count)
again = HdrHistogram.decode(bins.encode())
print(
    f"Python: {bins.get_total_count()} value, p100 {bins.get_value_at_percentile(100)}, "
    f"maximum {bins.get_max_value()}; read again {again.get_max_value()}"
)
PY
)"
expect "JavaScript: 1 value, p100 50, maximum 900; read again 50" "$(node_program << 'JS'
const hdr = require("hdr-histogram-js");
const bins = hdr.build({
  lowestDiscernibleValue: 1, highestTrackableValue: 1000, numberOfSignificantValueDigits: 3,
});
for (const [value, count] of [[50, 1], [900, 0]]) bins.recordValueWithCount(value, count);
const again = hdr.decodeFromCompressedBase64(hdr.encodeIntoCompressedBase64(bins));
console.log(
  `JavaScript: ${bins.totalCount} value, p100 ${bins.getValueAtPercentile(100)}, ` +
    `maximum ${bins.maxValue}; read again ${again.maxValue}`,
);
JS
)"
mkdir -p "$folder/rust/src"
cat > "$folder/rust/Cargo.toml" << 'TOML'
[package]
name = "finding"
edition = "2021"
[dependencies]
hdrhistogram = "=7.6.0"
TOML
cat > "$folder/rust/src/main.rs" << 'RUST'
use hdrhistogram::serialization::{Deserializer, Serializer, V2Serializer};
use hdrhistogram::Histogram;

fn main() {
    let mut bins = Histogram::<u64>::new_with_bounds(1, 1000, 3).unwrap();
    for (value, count) in [(50, 1), (900, 0)] {
        bins.record_n(value, count).unwrap();
    }
    let mut bytes = Vec::new();
    V2Serializer::new().serialize(&bins, &mut bytes).unwrap();
    let again: Histogram<u64> = Deserializer::new().deserialize(&mut &bytes[..]).unwrap();
    let (count, p100, max) = (bins.len(), bins.value_at_quantile(1.0), bins.max());
    println!("Rust: {count} value, p100 {p100}, maximum {max}; read again {}", again.max());
}
RUST
expect "Rust: 1 value, p100 50, maximum 900; read again 50" "$(cd "$folder/rust" && cargo run --quiet)"
cat > "$folder/main.go" << 'GO'
package main

import (
	"fmt"

	"github.com/HdrHistogram/hdrhistogram-go"
)

func main() {
	bins := hdrhistogram.New(1, 1000, 3)
	_ = bins.RecordValues(50, 1)
	_ = bins.RecordValues(900, 0)
	fmt.Printf("Go: %d value, p100 %d, maximum %d\n", bins.TotalCount(), bins.ValueAtPercentile(100), bins.Max())
}
GO
expect "Go: 1 value, p100 50, maximum 50" "$(cd "$folder" && {
  go mod init finding && go get github.com/HdrHistogram/hdrhistogram-go@v1.4.0
} > go.log 2>&1 && go run .)"
