"""Runs one Python solver in a separate, pinned process; started by against_python.py.

Prints mass updates per second. With 0 steps, checks the solver and prints `right` or what is
wrong.
"""

import argparse
import os
import time

# Steps that `numba-tiled` does in one pass through memory, as the product's `fused` does.
DEPTH = 32


def numba(depth):
    def create(*setup):
        import tire_numba

        return tire_numba.Solver(*setup, depth)

    return create


def taichi(*setup):
    import tire_taichi

    return tire_taichi.Solver(*setup)


SOLVERS = {"numba": numba(1), "numba-tiled": numba(DEPTH), "taichi": taichi}


def rate(solver, first, steps):
    """Returns mass updates per second, after a first run that compiles and touches all memory."""
    solver.load(first)
    solver.run(DEPTH)
    solver.load(first)
    begin = time.perf_counter()
    solver.run(steps)
    return first.shape[1] * steps / (time.perf_counter() - begin)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("solver", choices=SOLVERS)
    parser.add_argument("masses", type=int)
    parser.add_argument("precision")
    parser.add_argument("steps", type=int)
    parser.add_argument("cpus", type=int, nargs="+")
    options = parser.parse_args()
    # This must come before numba and taichi start their threads, which inherit the CPUs.
    os.sched_setaffinity(0, options.cpus)
    import tire_model

    real = tire_model.REALS[options.precision]
    solver = SOLVERS[options.solver](options.masses, real, len(options.cpus))
    if options.steps:
        first = tire_model.start(options.masses, real)
        print(rate(solver, first, options.steps))
    else:
        print(tire_model.check(solver, options.masses, options.precision) or "right")


if __name__ == "__main__":
    main()
