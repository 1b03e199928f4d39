#!/usr/bin/env bash
# jitterdebugger 0.3.1: the key "cpu" of its results.json has numbers of threads, not of CPUs.
#
# Behaviour: with `--affinity 1`, one thread runs on CPU 1, as the text says (`A: 1`). The JSON of the same run has the
# figures of that thread under `cpu` 0. Threads are numbered from 0 in the order of their CPUs.
# Matters: a comparison of isolated CPUs by these keys compares other CPUs than were measured, and CPU 0 seems to have been
# measured with others. The CPUs are known only from the command that was typed.
source "$(dirname "$0")/lib.sh"
debian_packages jitterdebugger=0.3.1+git20200117.b90ff3a-4

"$folder/usr/bin/jitterdebugger" --affinity 1 --duration 1s --output "$folder/run" --verbose > "$folder/text" 2> "$folder/log"
keys=$(RUN=$folder/run/results.json python3 - << 'E'
import json, os
run = json.load(open(os.environ["RUN"]))
print("JSON: cpu", *run["cpu"])
E
)
expect "text: A: 1
JSON: cpu 0" "text: $(grep --text --only-matching 'A: [0-9]*' "$folder/text" | sort --unique)
$keys"
