"""The tire in numba.

This is the fastest of the variants in benches/README.md. Opposite masses share an
iteration. Each force is computed once and carried to the next iteration, which LLVM turns
into a vector splice. The state is updated in place, which halves the memory traffic of two
copies. There are eight separate arrays, because numba marks the arrays of a `prange` as not
aliasing, and this loop is vectorised only then. Indices are unsigned, because a signed one
could be negative, and would be tested.

Each thread owns a stretch of both halves, with `depth` ghost cells at its ends. With a
depth of 1, a step is one pass. With more, `depth` steps are done tile by tile in the cache,
each step is shifted one cell to the left, and ghost cells are computed redundantly.
"""

import math

import numpy as np
from numba import njit, prange, set_num_threads

from tire_model import coefficients, from_rows, to_rows

FAST = {"fastmath": True, "error_model": "numpy", "cache": True}

# Cells of a tile: 256 KiB in f64, which fits in the second-level cache with the other data.
TILE = 4096


@njit(inline="always", **FAST)
def spring_damper(k, pull, dx, dy, du, dv):
    along = k.stiffness - pull * (k.one / math.sqrt(dx * dx + (dy * dy + k.tiny)))
    return along * dx + k.damping * du, along * dy + k.damping * dv


@njit(inline="always", **FAST)
def rail(k, x, y, u, v, t, i):
    j = i + np.uint64(1)
    dx, dy, du, dv = x[t, j] - x[t, i], y[t, j] - y[t, i], u[t, j] - u[t, i], v[t, j] - v[t, i]
    return spring_damper(k, k.rail, dx, dy, du, dv)


@njit(inline="always", **FAST)
def advance(k, x, y, u, v, t, i, fx, fy):
    below, falling = y[t, i] + v[t, i], v[t, i] - k.gravity + fy
    x[t, i] += u[t, i]
    u[t, i] += fx
    y[t, i] = max(below, k.zero)
    v[t, i] = max(falling, falling * k.rebound) if below < k.zero else falling


@njit(parallel=True, **FAST)
def solve(k, xa, ya, ua, va, xb, yb, ub, vb, carried, depth, steps):
    """Does `steps` steps, at most `depth`, of all stretches."""
    for t in prange(xa.shape[0]):
        first, last = depth - steps, xa.shape[1] - 1 - (depth - steps)
        for tile in range(first, last + steps, TILE):
            for s in range(steps):
                begin, end = max(first + s + 1, tile - s), min(tile + TILE - s, last - s)
                if begin >= end:
                    continue
                before = np.uint64(begin - 1)
                if begin == first + s + 1:
                    pax, pay = rail(k, xa, ya, ua, va, t, before)
                    pbx, pby = rail(k, xb, yb, ub, vb, t, before)
                else:
                    pax, pay = carried[t, s, 0], carried[t, s, 1]
                    pbx, pby = carried[t, s, 2], carried[t, s, 3]
                for c in range(end - begin):
                    i = np.uint64(c) + np.uint64(begin)
                    ax, ay = rail(k, xa, ya, ua, va, t, i)
                    bx, by = rail(k, xb, yb, ub, vb, t, i)
                    dx, dy = xb[t, i] - xa[t, i], yb[t, i] - ya[t, i]
                    du, dv = ub[t, i] - ua[t, i], vb[t, i] - va[t, i]
                    sx, sy = spring_damper(k, k.spoke, dx, dy, du, dv)
                    advance(k, xa, ya, ua, va, t, i, (ax - pax) + sx, (ay - pay) + sy)
                    advance(k, xb, yb, ub, vb, t, i, (bx - pbx) - sx, (by - pby) - sy)
                    pax, pay, pbx, pby = ax, ay, bx, by
                carried[t, s, 0], carried[t, s, 1] = pax, pay
                carried[t, s, 2], carried[t, s, 3] = pbx, pby


@njit(**FAST)
def exchange(a, b, depth):
    """Fills the ghost cells; where the ring closes, its halves cross."""
    stretches, m = a.shape[0], a.shape[1] - 2 * depth
    for t in range(stretches):
        after = (t + 1) % stretches
        following = (a, b) if after else (b, a)
        for own, other in ((a, following[0]), (b, following[1])):
            own[t, m + depth :] = other[after, depth : 2 * depth]
            other[after, :depth] = own[t, m : m + depth]


@njit(**FAST)
def run(k, xa, ya, ua, va, xb, yb, ub, vb, carried, depth, steps):
    while steps > 0:
        exchange(xa, xb, depth)
        exchange(ya, yb, depth)
        exchange(ua, ub, depth)
        exchange(va, vb, depth)
        now = min(depth, steps)
        solve(k, xa, ya, ua, va, xb, yb, ub, vb, carried, depth, now)
        steps -= now


class Solver:
    """A ring; its number of masses is a multiple of twice the number of threads."""

    def __init__(self, masses, real, threads, depth):
        set_num_threads(threads)
        self.coefficients, self.depth = coefficients(masses, real), depth
        padded = (threads, masses // 2 // threads + 2 * depth)
        self.rows = [np.zeros(padded, real) for _ in range(8)]
        self.carried = np.zeros((threads, depth, 4), real)

    def load(self, state):
        for row, half in zip(self.rows, to_rows(state, len(self.carried))):
            row[:, self.depth : -self.depth] = half

    def state(self):
        return from_rows([row[:, self.depth : -self.depth] for row in self.rows])

    def run(self, steps):
        run(self.coefficients, *self.rows, self.carried, self.depth, steps)
