"""The tire in taichi.

This is the fastest of the variants in benches/README.md. A parallel loop over as many
stretches as threads contains a serial loop over cells: taichi calls the body of a parallel
loop once per index, and so never vectorises it. Each force is computed once and carried,
and the state is updated in place. Each of the eight rows is a field of one dimension,
because LLVM cannot tell the indices of more dimensions apart. A kernel does eight steps.
"""

import numpy as np
import taichi as ti

from tire_model import coefficients, from_rows, to_rows

STEPS_A_KERNEL = 8


class Solver:
    """A ring; its number of masses is a multiple of twice the number of threads."""

    def __init__(self, masses, real, threads):
        self.real, self.shape = real, (threads, masses // 2 // threads)
        kind = ti.f64 if real is np.float64 else ti.f32
        ti.init(
            arch=ti.cpu,
            default_fp=kind,
            fast_math=True,
            cpu_max_num_threads=threads,
            offline_cache=False,
            log_level=ti.ERROR,
        )
        cells = self.shape[0] * (self.shape[1] + 2)
        self.rows = [ti.field(kind, shape=cells) for _ in range(8)]
        self.kernels = kernels(self.rows, coefficients(masses, real), *self.shape)

    def load(self, state):
        for row, half in zip(self.rows, to_rows(state, self.shape[0])):
            row.from_numpy(np.pad(half, ((0, 0), (1, 1))).ravel())

    def state(self):
        stretches = (row.to_numpy().reshape(self.shape[0], -1) for row in self.rows)
        return from_rows([stretch[:, 1:-1] for stretch in stretches])

    def run(self, steps):
        one, several = self.kernels
        for _ in range(steps // STEPS_A_KERNEL):
            several()
        for _ in range(steps % STEPS_A_KERNEL):
            one()
        ti.sync()


def kernels(rows, k, stretches, length):
    """Returns kernels for one step and for several, with coefficients and sizes as constants."""
    stiffness, damping, gravity, rebound, tiny, rail_pull, spoke_pull, *_ = map(float, k)
    pitch = length + 2

    @ti.func
    def spring_damper(pull, dx, dy, du, dv):
        along = stiffness - pull * (1.0 / ti.sqrt(dx * dx + (dy * dy + tiny)))
        return along * dx + damping * du, along * dy + damping * dv

    @ti.func
    def rail(x: ti.template(), y: ti.template(), u: ti.template(), v: ti.template(), i):
        j = i + 1
        return spring_damper(rail_pull, x[j] - x[i], y[j] - y[i], u[j] - u[i], v[j] - v[i])

    @ti.func
    def advance(x: ti.template(), y: ti.template(), u: ti.template(), v: ti.template(), i, fx, fy):
        # A `+=` would be atomic.
        below, falling = y[i] + v[i], v[i] - gravity + fy
        x[i] = x[i] + u[i]
        u[i] = u[i] + fx
        y[i] = ti.max(below, 0.0)
        v[i] = ti.select(below < 0, ti.max(falling, falling * rebound), falling)

    @ti.func
    def solve():
        xa, ya, ua, va, xb, yb, ub, vb = ti.static(*rows)
        ti.loop_config(block_dim=1)
        for t in range(stretches):
            before = t * pitch
            pax, pay = rail(xa, ya, ua, va, before)
            pbx, pby = rail(xb, yb, ub, vb, before)
            for i in range(before + 1, before + 1 + length):
                ax, ay = rail(xa, ya, ua, va, i)
                bx, by = rail(xb, yb, ub, vb, i)
                dx, dy, du, dv = xb[i] - xa[i], yb[i] - ya[i], ub[i] - ua[i], vb[i] - va[i]
                sx, sy = spring_damper(spoke_pull, dx, dy, du, dv)
                advance(xa, ya, ua, va, i, (ax - pax) + sx, (ay - pay) + sy)
                advance(xb, yb, ub, vb, i, (bx - pbx) - sx, (by - pby) - sy)
                pax, pay, pbx, pby = ax, ay, bx, by

    @ti.func
    def exchange():
        """Fills the ghost cells; where the ring closes, its halves cross."""
        ti.loop_config(serialize=True)
        for t in range(stretches):
            end, after = t * pitch + length, (t + 1) % stretches * pitch
            for q in ti.static(range(4)):
                a, b = ti.static(rows[q], rows[q + 4])
                if after == 0:
                    a[end + 1], b[0] = b[1], a[end]
                    b[end + 1], a[0] = a[1], b[end]
                else:
                    a[end + 1], a[after] = a[after + 1], a[end]
                    b[end + 1], b[after] = b[after + 1], b[end]

    def kernel(steps):
        @ti.kernel
        def run():
            for _ in ti.static(range(steps)):
                exchange()
                solve()

        return run

    return kernel(1), kernel(STEPS_A_KERNEL)
