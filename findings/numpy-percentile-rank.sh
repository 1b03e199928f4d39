#!/usr/bin/env bash
# numpy 2.4.6: percentile(x, 99.9) and quantile(x, 0.999) are different samples.
#
# Behaviour: by the method `inverted_cdf`, the 99.9th percentile of 1, 2, ..., 1000 k is 999 k. `quantile` returns it;
# `percentile` returns the next higher sample for 196 of 199 sizes k: it divides 99.9 by 100, and the quotient is a
# little above 0.999. Only 33, 66 and 132 thousand samples escape by their own rounding.
# Matters: tails of latency are judged at 99.9 %. On a heavy tail the next rank may be twice as late, and two scripts
# that differ only in the name of the function disagree. Use `quantile`, or check the rank.
source "$(dirname "$0")/lib.sh"
python_packages numpy==2.4.6

expect "percentile is right for [33, 66, 132]; quantile is wrong for []" "$(python << 'PY'
import numpy as np

sizes = range(1, 200)
samples = {k: np.arange(1, 1000 * k + 1) for k in sizes}
right = [k for k in sizes if np.percentile(samples[k], 99.9, method="inverted_cdf") == 999 * k]
wrong = [k for k in sizes if np.quantile(samples[k], 0.999, method="inverted_cdf") != 999 * k]
print(f"percentile is right for {right}; quantile is wrong for {wrong}")
PY
)"
