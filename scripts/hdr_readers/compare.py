"""Compares what several readers find in NUMBER.hlog with the rows of NUMBER.json. Arguments: NUMBER, readers."""

import json
import subprocess
import sys

SHARES = {"50": "p50_ns", "90": "p90_ns", "99": "p99_ns", "99.9": "p999_ns", "99.99": "p9999_ns"}

number, *readers = sys.argv[1:]
with open(f"{number}.json", encoding="utf-8") as file:
    rows = [row for line in file for row in json.loads(line)["rows"] if row["p50_ns"] is not None]
differ = 0
for reader in readers:
    words = [*reader.split(), f"{number}.hlog", *SHARES]
    found = subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()
    differ += len(found) != len(rows)
    for row, line in zip(rows, found):
        tag, count, *values = line.split()
        # The program has the exact extremes; a bin's value is its upper edge.
        cut = [min(max(int(value), row["min_ns"]), row["max_ns"]) for value in values]
        own = [row[name] for name in SHARES.values()]
        if int(count) + row["early"] != row["count"] or cut != own:
            differ += 1
            print(f"{tag}: {reader} finds {count} values, {cut}; the program {row['count']}, {own}")
print(f"{number}: {len(rows)} rows, {len(readers)} readers, {differ} differ")
sys.exit(differ > 0)
