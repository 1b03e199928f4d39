#!/usr/bin/env bash
# jax 0.10.2 on a CPU: jit changes results, and subnormal numbers are zero in both.
#
# Behaviour: with 64-bit floats enabled, `v * v - 1` without jit equals NumPy in all of 57000 elements; with jit it
# differs in many thousands (the count depends on the processor), because multiplication and subtraction are fused. And
# `1e-310 * 1.0` is 0, `1e-310 == 0` is true and `exp(-720)` is 0, where NumPy in the same process keeps 2.03e-313.
# Matters: a model is often checked without jit and run with it. A bitwise comparison with recorded outputs fails, and a
# decay that approaches zero ends earlier than in other tools (which is faster: subnormal numbers are slow).
source "$(dirname "$0")/lib.sh"
python_packages numpy==2.4.6 jax==0.10.2

expect "without jit: 0 differ; with jit: over 1000 differ; JAX: 0.0 True 0.0; NumPy keeps it: True" "$(python << 'PY'
import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)
values = np.random.default_rng(1).uniform(0.5, 2.0, 57_000)


def step(v):
    return v * v - 1.0


exact, eager, jitted = step(values), np.array(step(jnp.array(values))), np.array(jax.jit(step)(jnp.array(values)))
many = "over 1000" if (exact != jitted).sum() > 1000 else (exact != jitted).sum()
tiny = jnp.array([1e-310])
flushed = f"{(tiny * 1.0)[0]} {(tiny == 0)[0]} {jnp.exp(jnp.array([-720.0]))[0]}"
kept = np.exp(-720.0) > 0
print(f"without jit: {(exact != eager).sum()} differ; with jit: {many} differ; JAX: {flushed}; NumPy keeps it: {kept}")
PY
)"
