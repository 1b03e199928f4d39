#!/usr/bin/env bash
# mujoco 4.0.0: `while data.time < end` makes one step too many for some ends.
#
# Behaviour: `data.time` is the sum of its steps of 0.002 s, not a multiple of the step. It is 2.0000000000000013 after
# 1000 steps, so `time == 2.0` is never true; and the usual loop makes 500 steps for 1 s, 1000 for 2 s, 1501 for 3 s, and
# again exactly 5000 for 10 s.
# Matters: a simulation that is paced by its own time makes one period more than its hardware, for some durations only,
# and a comparison step by step with another run is off by one. Count steps; compute the time as n * step.
source "$(dirname "$0")/lib.sh"
python_packages mujoco==4.0.0

expect "after 1000 steps: 2.0000000000000013; steps for 1, 2, 3, 10 s: [500, 1000, 1501, 5000]" "$(python << 'PY'
import mujoco

SLIDER = "<mujoco><worldbody><body><joint type='slide'/><geom size='.1'/></body></worldbody></mujoco>"
model = mujoco.MjModel.from_xml_string(SLIDER)


def steps(end):
    data, count = mujoco.MjData(model), 0
    while data.time < end:
        mujoco.mj_step(model, data)
        count += 1
    return count


data = mujoco.MjData(model)
for _ in range(1000):
    mujoco.mj_step(model, data)
print(f"after 1000 steps: {data.time!r}; steps for 1, 2, 3, 10 s: {[steps(end) for end in (1, 2, 3, 10)]}")
PY
)"
