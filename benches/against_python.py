#!/usr/bin/env python3
"""Compares the tire's solvers with the same model in tuned numba and taichi.

    python -m venv venv && venv/bin/pip install numba taichi numpy
    cargo build --release
    venv/bin/python benches/against_python.py

Needs Linux, libgomp (Debian: libgomp1), and CPython 3.10 to 3.13: taichi has no wheel for
3.14. Tested with CPython 3.12.1, numba 0.68.1, llvmlite 0.50.0, numpy 2.5.5 and taichi 1.7.4.
Run it on a machine that does nothing else: threads that wait for each other lose most if
they share a CPU. The script prints a table and writes nothing else.
"""

import argparse
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
OURS = ("simd", "fused")
THEIRS = ("numba", "numba-tiled", "taichi")
# The processor that numba compiles for; taichi has no such option.
HELD = {"best": None, "avx2": "haswell", "avx512": "skylake-avx512"}
# Solvers that do several steps in one pass through memory. A model with an input or output
# at every step cannot use them.
TILED = ("fused", "numba-tiled")


class Failure(Exception):
    """An error: one line for the user, and the exit code."""

    def __init__(self, line, code):
        super().__init__(line)
        self.code = code


def main():
    options = arguments()
    require(options)
    with tempfile.TemporaryDirectory() as cache:
        environment = settings(options.cpus, cache, options.instructions)
        for solver in THEIRS:
            check(options, environment, solver)
        for masses in options.masses:
            table(options, masses, medians(options, environment, masses))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    path = HERE.parent / "target/release/steadfast"
    add("--steadfast", metavar="PATH", default=path, help="binary (default: target/release)")
    masses = [57_000, 1_000_000, 10_000_000]
    add("--masses", metavar="N", type=int, nargs="+", default=masses, help="sizes of the ring")
    add("--cpus", metavar="CPU", type=int, nargs="+", default=[0, 1], help="one thread on each")
    add("--precision", choices=("f64", "f32"), default="f64")
    add("--instructions", choices=HELD, default="best", help="limit for all solvers except taichi")
    add("--rounds", metavar="N", type=int, default=5, help="runs of each solver (default: 5)")
    add("--updates", metavar="N", type=float, default=1e9, help="masses times steps, per run")
    return parser.parse_args()


def require(options):
    """Checks everything that can be checked before anything is measured."""
    missing = [name for name in ("numpy", "numba", "taichi") if not importlib.util.find_spec(name)]
    if missing:
        names = " ".join(missing)
        raise Failure(f"{sys.executable} lacks {names}; in a venv: pip install {names}", 2)
    if not os.access(options.steadfast, os.X_OK):
        raise Failure(f"cannot run {options.steadfast}; build it: cargo build --release", 2)
    absent = set(options.cpus) - os.sched_getaffinity(0)
    if absent or len(set(options.cpus)) < len(options.cpus):
        raise Failure(f"--cpus must name different CPUs of {sorted(os.sched_getaffinity(0))}", 2)
    if options.rounds < 1 or not 1 <= options.updates < 1e15:
        raise Failure("--rounds and --updates must be at least 1", 2)
    # Both halves are cut into equal stretches, none shorter than the ghost cells of numba-tiled.
    multiple, least = 4 * len(options.cpus), 64 * len(options.cpus)
    for masses in options.masses:
        if masses % multiple or masses < least:
            raise Failure(f"--masses: {masses} is not a multiple of {multiple} of at least {least}", 2)


def settings(cpus, cache, instructions):
    """Returns the environment of the Python solvers: threads are pinned and wait without sleep."""
    threads = str(len(cpus))
    ours = {
        "NUMBA_NUM_THREADS": threads,
        "NUMBA_CACHE_DIR": cache,
        "OMP_NUM_THREADS": threads,
        "OMP_PLACES": ",".join(f"{{{cpu}}}" for cpu in cpus),
        "OMP_PROC_BIND": "true",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    # This is numba's fastest threading layer; users may set another in their environment.
    theirs = {"NUMBA_THREADING_LAYER": "omp", "OMP_WAIT_POLICY": "active"}
    held = HELD[instructions]
    return theirs | os.environ | ours | ({"NUMBA_CPU_NAME": held, "NUMBA_CPU_FEATURES": ""} if held else {})


def output(command, environment=None):
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip() or "nothing").splitlines()[-1]
        raise Failure(f"{' '.join(command)}: exit code {done.returncode}: {said}", 1)
    # Taichi prints a greeting to standard output before the result.
    return done.stdout.rstrip("\n").split("\n")[-1]


def python(options, environment, solver, masses, steps):
    words = [solver, masses, options.precision, steps, *options.cpus]
    return output([sys.executable, str(HERE / "worker.py"), *map(str, words)], environment)


def check(options, environment, solver):
    """Checks a solver on a ring in which each thread has several tiles."""
    wrong = python(options, environment, solver, 40_000 * len(options.cpus), 0)
    if wrong != "right":
        raise Failure(f"{solver} is wrong: {wrong}", 1)


def steadfast(options, solver, masses, steps):
    words = {
        "--mode": "real-fast",
        "--solver": solver,
        "--precision": options.precision,
        "--instructions": options.instructions,
        "--masses": masses,
        "--threads": len(options.cpus),
        "--cpus": ",".join(map(str, options.cpus)),
        "--steps": steps,
    }
    command = [str(options.steadfast), "run", "tire", "--json"]
    command += [str(word) for pair in words.items() for word in pair]
    return json.loads(output(command))["mass_updates_per_s"]


def medians(options, environment, masses):
    """Returns the median of mass updates per second of every solver; each round runs all in turn."""
    # Only whole tiles, of 32 steps each.
    steps = max(1, round(options.updates / masses / 32)) * 32
    runs = {solver: [] for solver in (*OURS, *THEIRS)}
    for _ in range(options.rounds):
        for solver in OURS:
            runs[solver].append(steadfast(options, solver, masses, steps))
        for solver in THEIRS:
            runs[solver].append(float(python(options, environment, solver, masses, steps)))
    return {solver: statistics.median(rates) for solver, rates in runs.items()}


def table(options, masses, rates):
    threads = len(options.cpus)
    print(
        f"\n{masses} masses, {options.precision}, {options.instructions} instructions, "
        f"{threads} threads, median of {options.rounds}"
    )
    print(f"{'solver':12} {'M updates/s':>12} {'simd /':>8} {'fused /':>8}")
    for solver, rate in rates.items():
        ratios = " ".join(f"{rates[ours] / rate:8.2f}" for ours in OURS)
        print(f"{solver:12} {rate / 1e6:12.0f} {ratios}")
    for ours in OURS:
        # A solver that can stop at every step is also compared with only those that can.
        groups = {"all": THEIRS, "one step per pass": [s for s in THEIRS if s not in TILED]}
        for name, group in groups.items():
            best = max(group, key=rates.get)
            ratio = rates[ours] / rates[best]
            print(f"{ours} is {ratio:.2f} times the best of Python ({name}): {best}")
    sys.stdout.flush()


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        print(f"against_python: {failure}", file=sys.stderr)
        sys.exit(failure.code)
    except KeyboardInterrupt:
        sys.exit(130)
