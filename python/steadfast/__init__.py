"""Steadfast from Python: run measurements, read results, and attach a model.

    import steadfast
    results = steadfast.run("wakeup", "--seconds", "10")
    results = steadfast.read("results.db")
    results.rows                # plain records; results.frame("rows") with pandas or polars
    model = steadfast.attach(inputs=1, outputs=1)

Needs Python 3.9 or later and no other package.
"""

from ._model import attach
from ._program import SteadfastError, program, read, run
from ._results import Results, Track

__all__ = ["Results", "SteadfastError", "Track", "attach", "program", "read", "run"]
