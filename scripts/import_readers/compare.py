"""Compares the figures that a tool printed into a file with those of a report of the imported file.

compare.py FILE REPORT.json [--nsecs]. It reads the file by its own rules; exit code 1 if a figure differs.
"""

import json
import re
import sys
from decimal import Decimal

path, report = sys.argv[1:3]
text = open(path, encoding="utf-8").read()
rows = json.load(open(report, encoding="utf-8"))["runs"][0]["rows"]
compared = 0


def same(what, printed, unit, imported):
    """Compares a printed number, times the unit in nanoseconds, with the imported one."""
    global compared
    compared += 1
    if Decimal(printed) * unit != Decimal(str(imported)):
        sys.exit(f"{path}: {what} is printed as {printed}, but imported as {imported}")


def same_bins(row, printed, unit):
    """Compares the filled bins, which are pairs of texts."""
    global compared
    expected = {int(value) * unit: int(count) for value, count in printed if int(count)}
    found = {value: count for value, count in row.get("file_bins", []) if count}
    compared += len(expected)
    if expected != found:
        sys.exit(f"{path}: bins of {row['label']} are printed as {expected}, but imported as {found}")


def of_json(file):
    sysinfo = file.get("sysinfo", {})
    unit = 1 if file.get("resolution_in_ns", sysinfo.get("resolution_in_ns")) == 1 else 1000
    threads = file.get("thread") or file["cpu"]
    assert len(threads) == len(rows)
    for row, (number, thread) in zip(rows, sorted(threads.items(), key=lambda item: int(item[0]))):
        for name, fact in [("min", "file_min_ns"), ("avg", "file_mean_ns"), ("max", "file_max_ns")]:
            same(f"{name} of {number}", str(thread[name]), unit, row[fact])
        samples = thread.get("cycles", thread.get("count"))
        if samples is not None:
            same(f"samples of {number}", str(samples), 1, row["file_samples"])
        same_bins(row, thread.get("histogram", {}).items(), unit)


def columns(begin):
    """Returns the words after the first line that begins so."""
    line = next((line for line in text.splitlines() if line.strip().startswith(begin)), None)
    return line.strip()[len(begin) :].replace("(us)", "").replace("(sec)", "").split() if line else None


def of_table(names, bins, unit):
    """Compares a table with a column per row, and lines of bins with a count per column."""
    for place, row in enumerate(rows):
        for begin, fact, factor in names:
            printed = columns(begin)
            if printed and printed[place] != "-":
                same(f"{begin} column {place}", printed[place], factor, row[fact])
        same_bins(row, [(value, counts.split()[place]) for value, counts in bins], unit)


def of_lines(unit):
    """Compares the last line of each thread."""
    lines = re.findall(r"T:\s*(\d+) .*?C:\s*(\d+) Min:\s*(\d+) Act:.*?Avg:\s*([\d.]+) Max:\s*(\d+)", text)
    newest = {int(number): figures for number, *figures in lines}
    assert len(newest) == len(rows)
    for row, (number, (cycles, low, mean, high)) in zip(rows, sorted(newest.items())):
        same(f"cycles of {number}", cycles, 1, row["file_samples"])
        for printed, fact in [(low, "file_min_ns"), (mean, "file_mean_ns"), (high, "file_max_ns")]:
            same(f"{fact} of {number}", printed, unit, row[fact])


def of_top(unit):
    printed = re.findall(r"^\s*(\d+) #(\d+)\s*\|(.*)$", text, re.MULTILINE)
    cells = [(count, table.split()) for _, count, tables in printed for table in tables.split("|")]
    assert len(cells) == len(rows)
    for row, (count, (_, low, mean, high)) in zip(rows, cells):
        same(row["label"], count, 1, row["file_samples"])
        for printed, fact in [(low, "file_min_ns"), (mean, "file_mean_ns"), (high, "file_max_ns")]:
            same(row["label"], printed, unit, row[fact])


unit = 1 if "--nsecs" in sys.argv or "nanoseconds (ns)" in text else 1000
if text.lstrip().startswith("{"):
    of_json(json.loads(text))
elif "# Min Latencies:" in text:
    names = [
        ("# Min Latencies:", "file_min_ns", unit),
        ("# Avg Latencies:", "file_mean_ns", unit),
        ("# Max Latencies:", "file_max_ns", unit),
        ("# Histogram Overflows:", "beyond_bins", 1),
    ]
    of_table(names, re.findall(r"^(\d{6,}) ([\d\s]+?)$", text, re.MULTILINE), unit)
elif "Counter Freq:" in text:
    names = [
        ("Minimum:", "file_min_ns", 1000),
        ("Average:", "file_mean_ns", 1000),
        ("Maximum:", "file_max_ns", 1000),
    ]
    of_table(names, re.findall(r"^\s*(\d+) \(us\):\s*([\d ]+)", text, re.MULTILINE), 1000)
elif "# RTLA" in text:
    names = [
        ("min:", "file_min_ns", unit),
        ("avg:", "file_mean_ns", unit),
        ("max:", "file_max_ns", unit),
        ("over:", "beyond_bins", 1),
        ("count:", "file_samples", 1),
    ]
    of_table(names, re.findall(r"^(\d+)\s+([\d ]+)$", text, re.MULTILINE), unit)
elif "Timer Latency" in text:
    of_top(unit)
else:
    of_lines(unit)
print(f"  {path}: {compared} figures are the same")
