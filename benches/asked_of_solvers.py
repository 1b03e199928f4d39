#!/usr/bin/env python3
"""Holds what `steadfast bench tire` measured against what this project asks of its solvers.

    benches/asked_of_solvers.py steadfast-bench/report.json
"""

import json
import sys

AT_LEAST = {
    "simd against semaphore, 57 000 masses, f64, all cores": 50,
    "simd against semaphore, 57 000 masses, f32, all cores": 120,
    "fused against simd, 10 000 000 masses, f64, all cores": 3,
    "fused at 10 000 000 masses against itself at 57 000, f64, all cores": 0.9,
    "simd of the arithmetic ceiling, 5900 masses, f64, one thread": 0.75,
    "simd of the arithmetic ceiling, 57 000 masses, f64, all cores": 0.6,
}


def judged(benchmark):
    """The verdict on each ratio; the names must be those of the report."""
    measured = {ratio["what"]: ratio["measured"] for ratio in benchmark["answers"]}
    for what, least in AT_LEAST.items():
        ratio = measured[what]
        met = ratio is not None and ratio >= least
        shown = "not measured" if ratio is None else f"{ratio:.3g}"
        print(f"{'met' if met else 'short':5}  {shown:>12} of {least:<4}  {what}")
        yield met


def main(path):
    with open(path, encoding="utf-8") as report:
        document = json.load(report)
    for machine in document["machines"]:
        if machine["cores"] != 2 or "avx512f" not in machine["instruction_sets"]:
            print("asked of two cores with AVX-512 alone: this machine is another one")
    verdicts = [met for benchmark in document["benchmarks"] for met in judged(benchmark)]
    return 0 if verdicts and all(verdicts) else 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
