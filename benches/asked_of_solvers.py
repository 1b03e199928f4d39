#!/usr/bin/env python3
"""Compares the ratios that `steadfast bench tire` measured with this project's targets.

    benches/asked_of_solvers.py steadfast-bench/report.json
"""

import json
import sys

AVX512 = {
    "simd against semaphore, 57 000 masses, f64, all cores": 50,
    "simd against semaphore, 57 000 masses, f32, all cores": 120,
    "fused against simd, 10 000 000 masses, f64, all cores": 3,
    "fused at 10 000 000 masses against itself at 57 000, f64, all cores": 0.9,
    "simd of the arithmetic ceiling, 5900 masses, f64, one thread": 0.75,
    "simd of the arithmetic ceiling, 57 000 masses, f64, all cores": 0.6,
}
AVX2 = {
    "simd of the arithmetic ceiling, 5900 masses, f64, one thread": 0.75,
    "simd of the arithmetic ceiling, 57 000 masses, f64, all cores": 0.65,
}
AT_LEAST = {"avx512": AVX512, "avx2": AVX2}


def judged(benchmark):
    """Prints and yields the verdict on each ratio; the names above must be those of the report."""
    for answer in benchmark["answers"]:
        what, ratio, instructions = answer["what"], answer["measured"], answer["instructions"]
        least = AT_LEAST.get(instructions, {}).get(what)
        if least is None:
            continue
        met = ratio is not None and ratio >= least
        shown = "not measured" if ratio is None else f"{ratio:.3g}"
        print(f"{'met' if met else 'short':5}  {shown:>12} of {least:<4}  {what} ({instructions})")
        yield met


def main(path):
    with open(path, encoding="utf-8") as report:
        document = json.load(report)
    for machine in document["machines"]:
        if machine["cores"] != 2:
            print("the targets are for two cores; this machine has more or fewer")
    verdicts = [met for benchmark in document["benchmarks"] for met in judged(benchmark)]
    return 0 if verdicts and all(verdicts) else 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
