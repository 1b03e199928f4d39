"""Runs the cases of against-fmpy: python against-fmpy.py STEADFAST FOLDER."""

import csv
import ctypes
import glob
import math
import os
import re
import subprocess
import sys
import zipfile
from fractions import Fraction

import fmpy
import fmpy.fmi2
import fmpy.fmi3
import fmpy.util
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
STARTS = (0.0, 2.5)
# Seconds since 1970. FMPy's simulate_fmu compares times with a relative tolerance of 1e-9, which is 1.7 s
# there, so this start is compared with the functions of FMPy that call an FMU.
ABSOLUTE = 1.7e9
# Outputs of the tests' FMUs that count completed steps of an integrator, which FMPy reports only to FMUs
# that need it.
COMPLETED = ("steps", "steps64")
# Cases that differ, with the reason.
KNOWN = {
    "Stair": "FMPy steps back in time, to an event of the model that was due before a start time of 2.5 s",
}


def allow_missing_functions():
    """Lets FMPy load FMUs of this project's tests, which lack functions that are never called."""
    found = ctypes.CDLL.__getattr__

    def get(library, name):
        try:
            return found(library, name)
        except AttributeError:
            if not name.startswith("fmi"):
                raise
            return ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 3)

    ctypes.CDLL.__getattr__ = get


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


def numbers(description, causality):
    return [v for v in description.modelVariables if v.causality == causality and v.type in NUMBERS]


def elements(variable):
    """Returns how many elements a variable has; None if it is not an array."""
    return math.prod(d.variable.start if isinstance(d.variable.start, int) else int(d.variable.start)
                     for d in variable.dimensions) if variable.dimensions else None


def settable(inputs):
    """Returns the inputs that FMPy 0.3.32 can set: no array that is discrete, and of one type only those of one size."""
    chosen = []
    for v in sorted(inputs, key=lambda v: not v.dimensions):
        is_continuous = v.type.startswith(("Float", "Real")) and v.variability == "continuous"
        if (is_continuous or not v.dimensions) and all(elements(v) == elements(c) for c in chosen if c.type == v.type):
            chosen.append(v)
    return chosen


def columns(variables):
    """Returns the names of the columns in which Steadfast records variables."""
    for v in variables:
        count = elements(v)
        yield from [v.name] if count is None else (f"{v.name}[{at + 1}]" for at in range(count))


def write_inputs(path, variables, start, step, steps, has_ramp):
    """Writes a file whose values change at a step in the middle; continuous ones also form a ramp, if there is one."""
    times = [start, start + steps // 2 * step, start + steps // 2 * step, start + steps * step]
    with open(path, "w") as file:
        print("time", *(v.name for v in variables), sep=",", file=file)
        for row, time in enumerate(times):
            values = ([INPUTS[v.type][(0, 0, 1, 1 + has_ramp)[row]]] * (elements(v) or 1) for v in variables)
            print(repr(time), *(" ".join(map(str, value)) for value in values), sep=",", file=file)


def ours(steadfast, fmu, interface, rate, steps, inputs, substeps, folder):
    record = os.path.join(folder, "out.csv")
    if os.path.exists(record):
        os.remove(record)
    command = [steadfast, "run", "model", "--fmu", fmu, "--interface", interface, "--mode", "real-fast",
               "--rate", f"{rate}Hz", "--seconds", repr(math.ceil(steps / rate)), "--record", record, *MODEST]
    command += ["--input", inputs] if inputs else []
    command += ["--substeps", str(substeps)] if substeps > 1 else []
    done = subprocess.run(command, capture_output=True, text=True)
    if not os.path.exists(record):
        return None, [line for line in done.stdout.splitlines() if line.startswith(("Cause", "error"))]
    with open(record) as file:
        lines = [line for line in file if not line.startswith("#")]
    return list(csv.DictReader(lines)), None


def theirs(fmu, kind, start, step, steps, signals, substeps, outputs):
    try:
        rows = fmpy.simulate_fmu(
            fmu, start_time=start, stop_time=start + steps * step, step_size=step / substeps,
            output_interval=step / substeps, fmi_type=kind, solver="Euler", input=signals, output=outputs,
            validate=False, set_stop_time=False, record_events=False)
    except Exception as error:
        return None, str(error).splitlines()[:1]
    return [{name: value for output in outputs for name, value in named(output, row[output])} for row in rows[::substeps]], None


def named(name, value):
    """Returns the columns of an output in a row of FMPy."""
    elements = numpy.atleast_1d(value)
    return [(name, value)] if numpy.ndim(value) == 0 else [(f"{name}[{at + 1}]", one) for at, one in enumerate(elements)]


def called(fmu, description, start, rate, steps, variables, outputs):
    """Steps an FMU for Co-Simulation by FMPy's functions, with a ramp in its first input from the start."""
    folder = fmpy.extract(fmu)
    identifier = description.coSimulation.modelIdentifier
    is_two = description.fmiVersion == "2.0"
    slave = (fmpy.fmi2.FMU2Slave if is_two else fmpy.fmi3.FMU3Slave)(
        guid=description.guid, modelIdentifier=identifier, unzipDirectory=folder, instanceName="plant")
    time = lambda at: float(Fraction(start) + at / Fraction(rate))
    end = time(steps)
    set_input = slave.setReal if is_two else slave.setFloat64
    ramp = lambda at: [(time(at) - start) / (end - start) * 2.5]
    reader = {"Real": "getReal", "Integer": "getInteger", "Boolean": "getBoolean", "Float64": "getFloat64",
              "Int32": "getInt32"}
    read = lambda: {v.name: getattr(slave, reader[v.type])([v.valueReference])[0] for v in outputs}
    slave.instantiate()
    if is_two:
        slave.setupExperiment(startTime=start)
        slave.enterInitializationMode()
    else:
        slave.enterInitializationMode(startTime=start)
    set_input([variables[0].valueReference], ramp(0))
    slave.exitInitializationMode()
    rows = [read()]
    for at in range(steps):
        set_input([variables[0].valueReference], ramp(at))
        slave.doStep(currentCommunicationPoint=time(at), communicationStepSize=float(1 / Fraction(rate)))
        rows.append(read())
    slave.terminate()
    slave.freeInstance()
    return rows, end


def compare_absolute(steadfast, fmu, description, folder):
    """Compares a run from seconds since 1970; returns the number of rows, and whether they differ."""
    inputs, outputs = numbers(description, "input"), numbers(description, "output")
    outputs = [v for v in outputs if v.type in ("Real", "Integer", "Float64", "Int32") and not v.dimensions]
    rate, steps = 60.0, 50
    copy = with_start(fmu, ABSOLUTE, folder)
    expected, end = called(copy, description, ABSOLUTE, rate, steps, inputs, outputs)
    with open(f"{folder}/inputs.csv", "w") as file:
        print(f"time,{inputs[0].name}\n{ABSOLUTE!r},0\n{end!r},2.5", file=file)
    found, why = ours(steadfast, copy, "co-simulation", rate, steps, f"{folder}/inputs.csv", 1, folder)
    name = f"{description.modelName} FMI {description.fmiVersion} CoSimulation {rate:g}Hz from {ABSOLUTE:g}"
    if found is None:
        print(f"{name}: not run: ours {why}")
        return 0, True
    rows, bits, first = differing(found, expected, [v.name for v in outputs])
    print(f"{name}: {rows} rows, {len(outputs)} outputs, {bits} other bits, first different: {first}")
    return rows, first is not None


def number(text):
    return {"true": 1.0, "false": 0.0}.get(text, None) if text in ("true", "false") else float(text)


def differing(found, expected, outputs):
    """Returns how many rows are compared, how many differ in a bit, and the first that differs by more."""
    rows, bits, first = min(len(found), len(expected)), 0, None
    for at in range(rows):
        for name in outputs:
            own, other = number(found[at][name]), float(expected[at][name])
            bits += own != other
            if abs(own - other) > EQUAL * max(1.0, abs(own), abs(other)) and first is None:
                first = (at, found[at]["time"], name, own, other)
    return rows, bits, first


def main():
    steadfast, folder = sys.argv[1:]
    allow_missing_functions()
    compared = failed = 0
    own = sorted(glob.glob(f"{folder}/own/*.fmu"))
    for fmu in sorted(glob.glob(f"{folder}/fmi?/fmus/*.fmu")) + own:
        description = fmpy.read_model_description(fmu, validate=False)
        outputs, inputs = numbers(description, "output"), settable(numbers(description, "input"))
        if fmu in own and description.coSimulation:
            rows, differs = compare_absolute(steadfast, fmu, description, folder)
            compared, failed = compared + rows, failed + differs
        names = [v.name for v in outputs]
        kinds = [("CoSimulation", "co-simulation", description.coSimulation),
                 ("ModelExchange", "model-exchange", description.modelExchange)]
        for kind, interface, offered in kinds:
            fixed = getattr(offered, "fixedInternalStepSize", None) if offered else None
            rates = {1.0 / float(fixed)} if fixed and kind == "CoSimulation" else {100.0, 60.0, 1000.0}
            substeps = 3 if fmu in own and kind == "ModelExchange" else 1
            for rate in sorted(rates) if offered and outputs else []:
                for start in STARTS:
                    rate, steps = round(rate, 6), 50
                    copy = with_start(fmu, start, folder)
                    table = f"{folder}/inputs.csv" if inputs else None
                    if inputs:
                        # FMPy sets inputs in each substep, Steadfast in each step.
                        write_inputs(table, inputs, start, 1 / rate, steps, substeps == 1)
                    signals = fmpy.util.read_csv(table) if inputs else None
                    found, why = ours(steadfast, copy, interface, rate, steps, table, substeps, folder)
                    expected, why_not = theirs(copy, kind, start, 1 / rate, steps, signals, substeps, names)
                    name = f"{description.modelName} FMI {description.fmiVersion} {kind} {rate:g}Hz from {start:g}"
                    if found is None or expected is None:
                        print(f"{name}: not run: ours {why}, FMPy {why_not}")
                        continue
                    there = [name for name in columns(outputs) if name in found[0] and
                             not (kind == "ModelExchange" and name in COMPLETED and fmu in own)]
                    rows, bits, first = differing(found, expected, there)
                    compared += rows
                    known = KNOWN.get(description.modelName) if first and start and kind == "ModelExchange" else None
                    failed += first is not None and known is None
                    print(f"{name}: {rows} rows, {len(there)} outputs, {bits} other bits, first different: {first} {known or ''}")
    print(f"{compared} rows compared, {failed} cases differ")
    sys.exit(failed > 0)


main()
