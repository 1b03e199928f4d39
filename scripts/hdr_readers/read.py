"""Prints what Python's hdrhistogram finds in a log: tag, number of values, quantiles in percent (the arguments).

The library takes the rank nearest to the share of all values. Here it is asked for the first that covers the share.
"""

import math
import sys

from hdrh.log import HistogramLogReader
from hdrh.histogram import HdrHistogram

path, *shares = sys.argv[1:]
reader = HistogramLogReader(path, HdrHistogram(1, 3_600_000_000_000, 3))
while (histogram := reader.get_next_interval_histogram()) is not None:
    count = histogram.get_total_count()
    ranks = [math.ceil(round(float(share) * count / 100, 6)) for share in shares]
    values = [histogram.get_value_at_percentile(100 * rank / count) for rank in ranks]
    print(histogram.get_tag(), count, *values)
