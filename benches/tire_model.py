"""The product's balanced tire (docs/tire.md), its initial state, and checks for every solver.

A state is an array of four rows, x, y, u, v: positions in metres, displacements in
metres per step. The coefficients include step and mass, as in the product.
"""

from typing import NamedTuple

import numpy as np

RADIUS, DROP, GRAVITY, STEP = 0.3, 1.0, 9.81, 0.01
MASS, STIFFNESS, DAMPING, RESTITUTION = 0.001, 1.0, 0.015, 0.5

# Steps of the checks: the lowest mass reaches the floor in step 46; by step 50 the rounding
# errors are still too small to matter.
FALLING, BOUNCING, SETTLING = 40, 50, 600
TOLERANCE = {"f64": 1e-9, "f32": 1e-4}
REALS = {"f64": np.float64, "f32": np.float32}


class Coefficients(NamedTuple):
    """The constants of the inner loop, all of one floating-point type."""

    stiffness: float
    damping: float
    gravity: float
    rebound: float
    tiny: float
    rail: float
    spoke: float
    zero: float
    one: float


def coefficients(masses, real):
    """Returns the coefficients of a ring; `rail` and `spoke` are stiffness times rest length."""
    stiffness = STIFFNESS / MASS * STEP**2
    spoke = stiffness * 2 * RADIUS
    values = (
        stiffness,
        DAMPING / MASS * STEP,
        GRAVITY * STEP**2,
        -RESTITUTION,
        1e-30,
        spoke * np.sin(np.pi / masses),
        spoke,
        0,
        1,
    )
    return Coefficients(*map(real, values))


def start(masses, real):
    """Returns the round ring at rest, with its lowest point DROP above the floor."""
    angle = 2 * np.pi * np.arange(masses) / masses
    still = np.zeros(masses)
    rows = [RADIUS * np.cos(angle), RADIUS * np.sin(angle) + RADIUS + DROP, still, still]
    return np.array(rows, real)


def to_rows(state, stretches):
    """Returns the rows of each half of the ring, first half first, cut into stretches."""
    return state.reshape(4, 2, stretches, -1).swapaxes(0, 1).reshape(8, stretches, -1)


def from_rows(rows):
    """Returns the state: the inverse of `to_rows`."""
    return np.reshape(rows, (2, 4, -1)).swapaxes(0, 1).reshape(4, -1)


def reference(state, k, steps):
    """The model in plain numpy: slow, but short enough to check by reading."""

    def spring(other, length):
        dx, dy, du, dv = other - state
        along = k.stiffness - length / np.sqrt(dx * dx + dy * dy + k.tiny)
        return np.array([along * dx + k.damping * du, along * dy + k.damping * dv])

    for _ in range(steps):
        rail = spring(np.roll(state, -1, axis=1), k.rail)
        spoke = spring(np.roll(state, state.shape[1] // 2, axis=1), k.spoke)
        fx, fy = rail - np.roll(rail, 1, axis=1) + spoke
        x, y, u, v = state
        below, falling = y + v, v - k.gravity + fy
        rebounding = np.maximum(falling, falling * k.rebound)
        v = np.where(below < 0, rebounding, falling)
        state = np.array([x + u, np.maximum(below, k.zero), u + fx, v])
    return state


def energy(state, k):
    """Returns the kinetic, potential and elastic energy per mass, in m^2 per step^2."""
    x, y, u, v = state = state.astype(np.float64)

    def stretch(other, length):
        dx, dy, _, _ = other - state
        return k.stiffness / 2 * (np.hypot(dx, dy) - length / k.stiffness) ** 2

    rails = stretch(np.roll(state, -1, axis=1), float(k.rail))
    spokes = stretch(np.roll(state, x.size // 2, axis=1), float(k.spoke)) / 2
    return np.mean((u * u + v * v) / 2 + k.gravity * y + rails + spokes)


def check(solver, masses, precision):
    """Returns what is wrong with a solver, or None."""
    real, tolerance = REALS[precision], TOLERANCE[precision]
    k, first = coefficients(masses, real), start(masses, real)

    def after(steps):
        solver.load(first)
        solver.run(steps)
        return solver.state()

    # The closed form of explicit Euler in free fall, where the springs stay at rest length.
    fallen = np.array([[0], [FALLING * (FALLING - 1) / 2], [0], [FALLING]])
    error = np.abs(after(FALLING) - (first - fallen * float(k.gravity))).max()
    if not error < tolerance:
        return f"free fall is {error:.1e} off its closed form"
    error = np.abs(after(BOUNCING) - reference(first, k, BOUNCING)).max()
    if not error < tolerance:
        return f"{error:.1e} off plain numpy after {BOUNCING} steps"
    # Explicit Euler may add at most (g h)^2 / 2 in each step of the free fall.
    most = energy(first, k) + BOUNCING * float(k.gravity) ** 2 / 2
    for steps in range(100, SETTLING + 1, 100):
        if not energy(after(steps), k) < most:
            return f"its energy grew within {steps} steps"
    return None
