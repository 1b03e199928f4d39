#!/usr/bin/env bash
# FMPy 0.3.32: a run that starts at absolute time ends before its stop time, silently.
#
# Behaviour: 10 s in steps of 0.5 s of the same FMU (FMI 2.0, Co-Simulation). From 0 s there are 21 rows, the last at
# 10 s. From 1.7e9 s, the number of seconds since 1970, there are 18, the last 1.5 s before the stop time: FMPy ends a
# run when its time is close to the stop time by a relative tolerance of 1e-9, which is 1.7 s there.
# Matters: co-simulations with real equipment count in absolute time. A recorded test loses its last seconds, and no
# error and no warning says so.
source "$(dirname "$0")/lib.sh"
python_packages fmpy==0.3.32 numpy==2.4.6

model clock '<ScalarVariable name="now" valueReference="0" causality="output" initial="calculated"><Real/></ScalarVariable>' \
  '<Outputs><Unknown index="1"/></Outputs><InitialUnknowns><Unknown index="1"/></InitialUnknowns>' << 'C'
#include <stddef.h>
static double now;
int fmi2SetupExperiment(void *model, int has_tolerance, double tolerance, double start, int has_stop, double stop) {
  now = start;
  return 0;
}
int fmi2GetReal(void *model, const unsigned *of, size_t count, double *values) {
  for (size_t at = 0; at < count; at++) values[at] = now;
  return 0;
}
int fmi2DoStep(void *model, double from, double step, int keep) {
  now = from + step;
  return 0;
}
C

export FMU=$folder/clock
expect "from 0 s: 21 rows, the last 0.0 s before the stop time
from 1700000000 s: 18 rows, the last 1.5 s before the stop time" "$(python << 'PY'
import os

import fmpy

for start in (0.0, 1.7e9):
    stop = start + 10
    rows = fmpy.simulate_fmu(os.environ["FMU"], start_time=start, stop_time=stop, step_size=0.5, output_interval=0.5)
    left = stop - rows["time"][-1]
    print(f"from {start:.0f} s: {len(rows)} rows, the last {left:.1f} s before the stop time")
PY
)"
