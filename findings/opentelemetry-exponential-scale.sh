#!/usr/bin/env bash
# opentelemetry-sdk 1.45.2 (Python): one outlier makes an exponential histogram coarse for good, also for older values.
#
# Behaviour: 1 to 1000 us, recorded in seconds with the default of 160 buckets, have scale 4: buckets 4.4 % wide. One
# more value of 10 s, a stall, makes it scale 2: all buckets, those of the thousand earlier values too, are 18.9 % wide.
# Matters: in a histogram of wake-ups every machine has such a stall at some time; from then on p50 and p99 move by up
# to a fifth although nothing but the worst value has changed, and a comparison with an earlier export shows a difference.
source "$(dirname "$0")/lib.sh"
python_packages opentelemetry-sdk==1.45.2

expect "scale 4, buckets 4.4 % wide
scale 2, buckets 18.9 % wide" "$(python << 'PY'
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.metrics.view import ExponentialBucketHistogramAggregation, View

reader = InMemoryMetricReader()
view = View(instrument_name="late", aggregation=ExponentialBucketHistogramAggregation())
late = MeterProvider(metric_readers=[reader], views=[view]).get_meter("loop").create_histogram("late")


def show():
    metric = reader.get_metrics_data().resource_metrics[0].scope_metrics[0].metrics[0]
    scale = metric.data.data_points[0].scale
    print(f"scale {scale}, buckets {2 ** 2 ** -scale * 100 - 100:.1f} % wide")


for micros in range(1, 1001):
    late.record(micros * 1e-6)
show()
late.record(10.0)
show()
PY
)"
