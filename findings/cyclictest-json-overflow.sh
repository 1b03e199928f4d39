#!/usr/bin/env bash
# cyclictest 2.4: its JSON has no samples beyond the histogram, and does not say that there were any.
#
# Behaviour: `--histogram 1 --json FILE` counts latencies below 1 us, which no machine reaches. The text of the run has a
# line "# Histogram Overflows: 00100". The JSON of the same run has an empty histogram, and no field for the overflow:
# only `cycles` shows that 100 samples are missing. Two of its keys end in a colon that is part of the name, and version
# 2.4 is written as 2.40.
# Matters: quantiles computed from the JSON's histogram leave out exactly the longest latencies. Whoever reads such files
# has to compare the sum of the bins with `cycles`.
source "$(dirname "$0")/lib.sh"
debian_packages rt-tests=2.4-1 libnuma1

"$folder/usr/bin/cyclictest" --policy=other --quiet --loops 100 --interval 1000 --histogram 1 --json "$folder/run.json" \
  > "$folder/text"
keys=$(RUN=$folder/run.json python3 - << 'E'
import json, os
run = json.load(open(os.environ["RUN"]))
thread = run["thread"]["0"]
print(f"JSON: cycles {thread['cycles']}, histogram {thread['histogram']}; other keys:", *sorted(thread.keys() - {"cycles", "histogram"}))
print("keys with a colon:", *sorted(key for key in run if key.endswith(":")), "version", run["rt_test_version:"])
E
)
expect "text: # Histogram Overflows: 00100
JSON: cycles 100, histogram {}; other keys: avg cpu max min node
keys with a colon: cmdline: rt_test_version: version 2.40" "text: $(grep Overflows "$folder/text" | xargs)
$keys"
