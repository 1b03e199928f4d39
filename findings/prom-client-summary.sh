#!/usr/bin/env bash
# prom-client 15.1.3: a Summary reports a p90 that no value is near.
#
# Behaviour: 999 observations of 5 and one of 1000. The median, the p90 and the p99 are all 5. The Summary (by the
# package tdigest) says 5.995, 801.995 and 981.095: it interpolates between the centre of 999 equal values and the
# single large one.
# Matters: this is the shape of every periodic loop with a rare stall. The metric shows one wake-up in ten as late.
source "$(dirname "$0")/lib.sh"
node_packages prom-client@15.1.3

expect "0.5: 5.995, 0.9: 801.995, 0.99: 981.095" "$(node_program << 'JS'
const { Summary } = require("prom-client");
const summary = new Summary({ name: "late", help: "lateness", percentiles: [0.5, 0.9, 0.99] });
for (let period = 0; period < 999; period += 1) summary.observe(5);
summary.observe(1000);
summary.get().then(({ values }) => {
  const quantiles = values.filter(({ labels }) => labels.quantile !== undefined);
  console.log(quantiles.map(({ labels, value }) => `${labels.quantile}: ${value}`).join(", "));
});
JS
)"
