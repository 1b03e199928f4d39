#!/usr/bin/env bash
# hdr-histogram-js 3.0.1: adding empty histograms raises the maximum.
#
# Behaviour: with a lowest value of 1000, the maximum of a histogram with the single value 1500 is 2011, the upper end
# of its bin. Each `add` of another histogram, even an empty one, takes that end as a value and raises it again by up to
# 511: after 10000 additions of an empty histogram the maximum of 1000000 is 6110511.
# Matters: who merges the histograms of many intervals, most of them quiet, reports a worst case six times too long.
source "$(dirname "$0")/lib.sh"
node_packages hdr-histogram-js@3.0.1

expect "one value of 1500: 2011; 1000000 after 10000 empty ones: 6110511" "$(node_program << 'JS'
const { build } = require("hdr-histogram-js");
const empty = () =>
  build({ lowestDiscernibleValue: 1000, highestTrackableValue: 1e9, numberOfSignificantValueDigits: 3 });
const single = empty();
single.recordValue(1500);
const total = empty();
total.recordValue(1000000);
const quiet = empty();
for (let interval = 0; interval < 10000; interval += 1) total.add(quiet);
console.log(`one value of 1500: ${single.maxValue}; 1000000 after 10000 empty ones: ${total.maxValue}`);
JS
)"
