"""Runs the cases of against-fmpy: python against-fmpy.py STEADFAST FOLDER."""

import csv
import glob
import math
import os
import re
import subprocess
import sys
import zipfile

import fmpy
import numpy

MODEST = "--policy other --memory unlocked --idle-states leave --beside --quiet".split()
# Relative distance of two numbers that are computed in the same way from times that differ by a rounding.
EQUAL = 1e-9

# Inputs over time for the variables of that type: a step, a ramp, and words of the other types.
INPUTS = {
    "Real": (0.0, 1.5, 2.5), "Float64": (0.0, 1.5, 2.5), "Float32": (0.0, 0.5, 2.5),
    "Integer": (0, 1, 2), "Int32": (0, 1, 2), "Int64": (0, 1, 2), "Int8": (0, 1, 2), "UInt8": (0, 1, 2),
    "Int16": (0, 1, 2), "UInt16": (0, 1, 2), "UInt32": (0, 1, 2), "UInt64": (0, 1, 2),
    "Boolean": (0, 1, 0), "Enumeration": (1, 2, 1),
}
NUMBERS = set(INPUTS)
# FMPy compares times with a relative tolerance of 1e-9, which is 1.7 s for seconds since 1970: later
# start times cannot be compared with it.
STARTS = (0.0, 2.5)
# Cases that differ, with the reason.
KNOWN = {
    "Stair": "FMPy steps back in time, to an event of the model that was due before a start time of 2.5 s",
}


def with_start(fmu, start, folder):
    """Returns a copy of an FMU that begins at another time."""
    copy = os.path.join(folder, f"start-{os.path.basename(fmu)}")
    with zipfile.ZipFile(fmu) as old, zipfile.ZipFile(copy, "w") as new:
        for item in old.infolist():
            if item.filename in new.namelist():
                continue
            data = old.read(item)
            if item.filename == "modelDescription.xml":
                text = re.sub(r'\s(startTime|stopTime)="[^"]*"', "", data.decode())
                new_start = f'<DefaultExperiment startTime="{start!r}"'
                data = text.replace("<DefaultExperiment", new_start).encode()
            new.writestr(item, data)
    return copy


def scalars(description, causality):
    return [v for v in description.modelVariables
            if v.causality == causality and v.type in NUMBERS and not v.dimensions]


def write_inputs(path, variables, start, step, steps):
    """Writes a file whose values change at a step in the middle; continuous ones also form a ramp."""
    times = [start, start + steps // 2 * step, start + steps // 2 * step, start + steps * step]
    with open(path, "w") as file:
        print("time", *(v.name for v in variables), sep=",", file=file)
        for row, time in enumerate(times):
            values = (INPUTS[v.type][(0, 0, 1, 2)[row]] for v in variables)
            print(repr(time), *values, sep=",", file=file)


def ours(steadfast, fmu, interface, rate, steps, inputs, folder):
    record = os.path.join(folder, "out.csv")
    if os.path.exists(record):
        os.remove(record)
    command = [steadfast, "run", "model", "--fmu", fmu, "--interface", interface, "--mode", "real-fast",
               "--rate", f"{rate}Hz", "--seconds", repr(math.ceil(steps / rate)), "--record", record, *MODEST]
    command += ["--input", inputs] if inputs else []
    done = subprocess.run(command, capture_output=True, text=True)
    if not os.path.exists(record):
        return None, [line for line in done.stdout.splitlines() if line.startswith(("Cause", "error"))]
    with open(record) as file:
        lines = [line for line in file if not line.startswith("#")]
    return list(csv.DictReader(lines)), None


def theirs(fmu, kind, start, step, steps, inputs, outputs):
    signals = numpy.genfromtxt(inputs, delimiter=",", names=True, deletechars="") if inputs else None
    try:
        return fmpy.simulate_fmu(
            fmu, start_time=start, stop_time=start + steps * step, step_size=step, output_interval=step,
            fmi_type=kind, solver="Euler", input=signals, output=outputs, validate=False, set_stop_time=False,
            record_events=False), None
    except Exception as error:
        return None, str(error).splitlines()[:1]


def number(text):
    return {"true": 1.0, "false": 0.0}.get(text, None) if text in ("true", "false") else float(text)


def differing(found, expected, outputs):
    """Returns how many rows are compared, how many differ in a bit, and the first that differs by more."""
    rows, bits, first = min(len(found), len(expected)), 0, None
    for at in range(rows):
        for name in outputs:
            own, other = number(found[at][name]), float(expected[name][at])
            bits += own != other
            if abs(own - other) > EQUAL * max(1.0, abs(own), abs(other)) and first is None:
                first = (at, found[at]["time"], name, own, other)
    return rows, bits, first


def main():
    steadfast, folder = sys.argv[1:]
    compared = failed = 0
    for fmu in sorted(glob.glob(f"{folder}/fmi?/fmus/*.fmu")):
        description = fmpy.read_model_description(fmu, validate=False)
        outputs = [v.name for v in scalars(description, "output")]
        inputs = scalars(description, "input")
        kinds = [("CoSimulation", "co-simulation", description.coSimulation),
                 ("ModelExchange", "model-exchange", description.modelExchange)]
        for kind, interface, offered in kinds:
            fixed = getattr(offered, "fixedInternalStepSize", None) if offered else None
            rates = {1.0 / float(fixed)} if fixed and kind == "CoSimulation" else {100.0, 60.0, 1000.0}
            for rate in sorted(rates) if offered and outputs else []:
                for start in STARTS:
                    rate, steps = round(rate, 6), 50
                    copy = with_start(fmu, start, folder)
                    table = f"{folder}/inputs.csv" if inputs else None
                    if inputs:
                        write_inputs(table, inputs, start, 1 / rate, steps)
                    found, why = ours(steadfast, copy, interface, rate, steps, table, folder)
                    expected, why_not = theirs(copy, kind, start, 1 / rate, steps, table, outputs)
                    name = f"{description.modelName} FMI {description.fmiVersion} {kind} {rate:g}Hz from {start:g}"
                    if found is None or expected is None:
                        print(f"{name}: not run: ours {why}, FMPy {why_not}")
                        continue
                    there = [name for name in outputs if name in found[0]]
                    rows, bits, first = differing(found, expected, there)
                    compared += rows
                    known = KNOWN.get(description.modelName) if first and start and kind == "ModelExchange" else None
                    failed += first is not None and known is None
                    print(f"{name}: {rows} rows, {len(outputs)} outputs, {bits} other bits, first different: {first} {known or ''}")
    print(f"{compared} rows compared, {failed} cases differ")
    sys.exit(failed > 0)


main()
