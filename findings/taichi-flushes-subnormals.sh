#!/usr/bin/env bash
# taichi 1.7.4: init changes the arithmetic of the whole Python process, and reset does not undo it.
#
# Behaviour: `ti.init(arch=ti.cpu)` makes the calling thread treat subnormal numbers as zero. From then on plain Python
# (`1e-300 / 1e10`), `math.exp(-720)` and NumPy return 0. `ti.reset()` keeps that, and threads that start later inherit it.
# Matters: a controller or a reference model in the same process computes other values after the import of a solver, and
# runs faster where it decays towards zero: what was measured is not what runs without taichi.
source "$(dirname "$0")/lib.sh"
python_packages numpy==2.4.6 taichi==1.7.4

expect "before: kept kept kept
after init: zero zero zero
after reset: zero zero zero
in a new thread: zero zero zero" "$(python << 'PY' | grep -v "^\[Taichi\]"
import math
import threading

import numpy as np
import taichi as ti

tiny = float("1e-300")


def show(when):
    values = tiny / 1e10, math.exp(-720), np.float64(tiny) / 1e10
    print(f"{when}:", *("kept" if value > 0 else "zero" for value in values), flush=True)


show("before")
ti.init(arch=ti.cpu, log_level=ti.ERROR)
show("after init")
ti.reset()
show("after reset")
later = threading.Thread(target=show, args=["in a new thread"])
later.start()
later.join()
PY
)"
