"""Results as plain records, and as frames of pandas or polars."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Collection
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

Record = dict[str, Any]


@dataclass(frozen=True)
class Track:
    """The kept samples of one thread, or of another source, of a run."""

    run_id: str
    name: str
    attributes: dict[str, Any]
    """Facts such as `t0_ns`, the start on the clock of the samples."""
    columns: dict[str, list[int]]
    """Whole numbers by name, such as `woke_ns`; the name ends in the unit. Columns may differ in length."""


class Results:
    """Runs, in the order in which they were made."""

    def __init__(self, runs: list[Record], tracks: Callable[[], list[tuple[Record, str]]]) -> None:
        self.runs = runs
        """One record per run, as the program's JSON has it (docs/schema/report-2.json)."""
        self._load = tracks
        self._tracks: list[Track] | None = None

    @property
    def rows(self) -> list[Record]:
        """One flat record per row: `run_id`, `measurement`, `row` (its label), conditions that were requested,
        parameters as `parameter_...`, figures as the JSON has them, and intervals as `p99_lower_ns`."""
        return [_flat(run, row) for run in self.runs for row in run["rows"]]

    @property
    def histograms(self) -> list[Record]:
        """One record per bin: `run_id`, `measurement`, `row`, `from_ns`, `to_ns`, `count`."""
        return [
            {"run_id": run["run_id"], "measurement": run["measurement"], "row": row["label"], **bar}
            for run in self.runs
            for row in run["rows"]
            for bar in row.get("histogram") or []
        ]

    @property
    def tracks(self) -> list[Track]:
        """The kept samples of runs that were made with `--keep-samples`."""
        self.load_samples()
        return self._tracks or []

    @property
    def samples(self) -> list[Record]:
        """One record per kept sample: `run_id`, `track`, `index`, and a value per column that has one."""
        return [
            {"run_id": track.run_id, "track": track.name, "index": index}
            | {name: values[index] for name, values in track.columns.items() if index < len(values)}
            for track in self.tracks
            for index in range(max(map(len, track.columns.values()), default=0))
        ]

    def frame(self, records: str = "rows", library: str | None = None) -> Any:
        """Returns the records `rows`, `histograms`, `samples` or `runs` as a data frame.

        library: "pandas" or "polars"; by default the first of them that is installed.

        Raises ImportError if it is not installed, ValueError for other records.
        """
        if records not in ("rows", "histograms", "samples", "runs"):
            raise ValueError(f"there are no records `{records}`: use rows, histograms, samples or runs")
        library = library or next(filter(find_spec, ("pandas", "polars")), "pandas")
        listed = getattr(self, records)
        if library == "polars":
            import polars

            return polars.DataFrame(listed, infer_schema_length=None)
        if library == "pandas":
            import pandas

            series = {name: pandas.Series(column, dtype=_type(column)) for name, column in _columns(listed).items()}
            return pandas.DataFrame(series)
        raise ValueError(f"there are no frames of `{library}`: use pandas or polars")

    def only(self, run_ids: Collection[str]) -> Results:
        """Returns these runs alone."""
        runs = [run for run in self.runs if run["run_id"] in run_ids]
        return Results(runs, self._load)

    def load_samples(self) -> None:
        """Reads the kept samples now, for when the file will change or disappear."""
        if self._tracks is None:
            mine = {run["run_id"] for run in self.runs}
            self._tracks = [_track(about, text) for about, text in self._load() if about["run_id"] in mine]

    def __len__(self) -> int:
        return len(self.runs)

    def __repr__(self) -> str:
        measured = ", ".join(sorted({run["measurement"] for run in self.runs}))
        return f"<Results: {len(self.runs)} runs of {measured}>"


def _flat(run: Record, row: Record) -> Record:
    # A file of another tool states no conditions.
    requested = (run["conditions"] or {"requested": {}})["requested"]
    flat = {"run_id": run["run_id"], "measurement": run["measurement"], "row": row["label"]}
    flat |= {name: run[name] for name in ("started_utc", "tool_version", "machine_id", "valid")}
    flat |= {name: value for name, value in requested.items() if _is_plain(value)}
    if run["conditions"]:
        flat["loads"] = "+".join(map(str, requested.get("loads") or []))
    flat |= {f"parameter_{name}": value for name, value in run["parameters"].items()}
    flat |= {name: value for name, value in row.items() if name != "label" and _is_plain(value)}
    for quantile, interval in ((row.get("claims") or {}).get("quantiles") or {}).items():
        stem, _, unit = quantile.rpartition("_")
        flat |= {f"{stem}_{end}_{unit}": interval[f"{end}_ns"] for end in ("lower", "upper")}
    return flat


def _columns(records: list[Record]) -> dict[str, list[Any]]:
    names = dict.fromkeys(name for record in records for name in record)
    return {name: [record.get(name) for record in records] for name in names}


def _type(column: list[Any]) -> str | None:
    """Returns pandas' type for whole numbers of which some are missing, which would otherwise become floats."""
    kinds = set(map(type, column))
    return "Int64" if kinds == {int, type(None)} else None


def _is_plain(value: Any) -> bool:
    return not isinstance(value, (dict, list))


def _track(about: Record, text: str) -> Track:
    lines = csv.reader(io.StringIO(text))
    names = next(lines, [])
    columns: dict[str, list[int]] = {name: [] for name in names}
    for line in lines:
        for name, value in zip(names, line):
            if value:
                columns[name].append(int(value))
    return Track(about["run_id"], about["track"], about["attributes"], columns)
