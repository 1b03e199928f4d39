"""Starting the program, and reading what it stored."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import threading
from pathlib import Path
from typing import Any

from ._results import Results


class SteadfastError(Exception):
    """The program refused its input or failed; the text is its own line."""


def program() -> str:
    """Returns the path of the program: $STEADFAST_PROGRAM, or that of this environment, of this user, or
    from the PATH.

    Raises SteadfastError if there is none.
    """
    chosen = os.environ.get("STEADFAST_PROGRAM")
    if chosen:
        return chosen
    schemes = [sysconfig.get_default_scheme(), f"{os.name}_user"]
    folders = [sysconfig.get_path("scripts", scheme) for scheme in schemes]
    found = shutil.which("steadfast", path=os.pathsep.join(folders)) or shutil.which("steadfast")
    if found is None:
        raise SteadfastError("the program `steadfast` is not installed here: pip install the wheel of this module")
    return found


def read(*stores: str | os.PathLike[str]) -> Results:
    """Returns every run of results files, such as those of `run --store FILE`.

    Raises SteadfastError if a file cannot be read.
    """
    paths = [Path(store).resolve() for store in stores]
    report = json.loads(_output("report", "--json", "--", *map(str, paths)))
    return Results(report["runs"], lambda: _tracks(paths))


def run(*arguments: str, store: str | os.PathLike[str] | None = None) -> Results:
    """Makes runs as `steadfast run ARGUMENTS` does, and returns them; prints progress and messages to
    standard error. Runs that are INVALID are returned too: see `valid`.

    arguments: words of the command line, such as "wakeup", "--seconds", "10".
    store: the results file that keeps the runs; without one, a temporary file does.

    Raises SteadfastError if the program refuses the arguments or cannot measure.
    """
    with tempfile.TemporaryDirectory(prefix="steadfast-") as folder:
        path = Path(store if store is not None else Path(folder, "results.db")).resolve()
        printed = _output("run", *arguments, "--store", str(path), "--json", shows_messages=True)
        made = {json.loads(line)["run_id"] for line in printed.splitlines()}
        results = read(path).only(made)
        if store is None:
            results.load_samples()
        return results


def _tracks(stores: list[Path]) -> list[tuple[dict[str, Any], str]]:
    """Returns what the kept samples of each track are about, and their CSV."""
    tracks = []
    with tempfile.TemporaryDirectory(prefix="steadfast-") as folder:
        for number, store in enumerate(stores):
            out = Path(folder, str(number))
            try:
                _output("store", "export", "--samples", "--out", str(out), "--", str(store))
            except SteadfastError as error:
                if "--keep-samples" not in str(error):
                    raise
            for about in sorted(out.glob("*.json")):
                tracks.append((json.loads(about.read_text()), about.with_suffix(".csv").read_text()))
    return tracks


# Exit codes of runs that were made: all conditions held, or a limit was broken, or runs are INVALID.
_MADE = (0, 1)


def _output(*words: str, shows_messages: bool = False) -> str:
    """Returns what the program prints; its messages are also shown if wanted."""
    started = subprocess.Popen(
        [program(), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", errors="replace"
    )
    messages: list[str] = []

    def listen() -> None:
        for line in started.stderr or ():
            messages.append(line)
            if shows_messages:
                sys.stderr.write(line)

    listener = threading.Thread(target=listen)
    listener.start()
    with started:
        try:
            printed = started.stdout.read() if started.stdout else ""
        except BaseException:  # An interrupted run ends itself, and keeps what it measured.
            started.send_signal(signal.SIGINT)
            raise
        finally:
            listener.join()
    if started.returncode not in _MADE:
        refusal = next((line for line in reversed(messages) if line.startswith("error: ")), "".join(messages[-1:]))
        raise SteadfastError(refusal.removeprefix("error: ").strip() or f"`steadfast {words[0]}` ended without a message")
    return printed
