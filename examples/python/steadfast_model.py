"""A Python program as a model: steadfast run model --program 'python3 plant.py'

    model = steadfast_model.attach(inputs=1, outputs=1)
    while model.wait():
        model.outputs[0] = 2 * model.inputs[0]  # from model.time_s to model.time_s + model.h_s
        model.done()

The layout and the protocol are those of steadfast_model.h. Needs Linux on x86-64 or 64-bit Arm.
"""

import ctypes
import mmap
import os
import platform
import signal

MOST_VALUES = 480
VERSION = 1
STEP = 1

_SYS_FUTEX = {"x86_64": 202, "aarch64": 98}[platform.machine()]
_FUTEX_WAIT, _FUTEX_WAKE = 0, 1
_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True)


class _Shared(ctypes.Structure):
    _fields_ = [
        ("version", ctypes.c_uint32),
        ("input_count", ctypes.c_uint32),
        ("output_count", ctypes.c_uint32),
        ("attached", ctypes.c_uint32),
        ("_padding_1", ctypes.c_char * 48),
        ("asked", ctypes.c_uint32),
        ("what", ctypes.c_uint32),
        ("step", ctypes.c_uint64),
        ("time_s", ctypes.c_double),
        ("h_s", ctypes.c_double),
        ("_padding_2", ctypes.c_char * 32),
        ("answered", ctypes.c_uint32),
        ("status", ctypes.c_uint32),
        ("_padding_3", ctypes.c_char * 120),
        ("inputs", ctypes.c_double * MOST_VALUES),
        ("outputs", ctypes.c_double * MOST_VALUES),
    ]


class Model:
    """A model that is attached, with its shared memory."""

    def __init__(self, shared):
        self._shared = shared
        self.inputs, self.outputs = shared.inputs, shared.outputs

    @property
    def step(self):
        """The number of the step, from 0."""
        return self._shared.step

    @property
    def time_s(self):
        """The model time at which the step starts, in seconds."""
        return self._shared.time_s

    @property
    def h_s(self):
        """The length of the step in model time, in seconds."""
        return self._shared.h_s

    def wait(self):
        """Waits for a step; returns False at the end. Empty requests, which measure the round trip, are answered here."""
        shared = self._shared
        while True:
            last = shared.answered
            while shared.asked == last:
                _libc.syscall(_SYS_FUTEX, self._address("asked"), _FUTEX_WAIT, last, None, None, 0)
            if shared.what != 0:
                return shared.what == STEP
            self.done()

    def done(self, status=0):
        """Answers a request; any status other than 0 means that the step failed."""
        self._shared.status = status
        self._wake("answered", self._shared.asked)

    def _address(self, field):
        return ctypes.c_void_p(ctypes.addressof(self._shared) + getattr(_Shared, field).offset)

    def _wake(self, field, value):
        setattr(self._shared, field, value)
        # The system call is also the barrier that makes earlier writes visible.
        _libc.syscall(_SYS_FUTEX, self._address(field), _FUTEX_WAKE, 1, None, None, 0)


def attach(inputs, outputs):
    """Attaches to the process that started this program, and ends with it.

    Raises RuntimeError if the program was not started as a model, ValueError for more than 480 values.
    """
    if max(inputs, outputs) > MOST_VALUES:
        raise ValueError(f"at most {MOST_VALUES} inputs and {MOST_VALUES} outputs")
    descriptor = os.environ.get("STEADFAST_MODEL")
    if descriptor is None:
        raise RuntimeError("start it with: steadfast run model --program 'python3 FILE.py'")
    shared = _Shared.from_buffer(mmap.mmap(int(descriptor), 8192))
    if shared.version != VERSION:
        raise RuntimeError(f"version {shared.version} of the interface is not supported")
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    shared.input_count, shared.output_count = inputs, outputs
    model = Model(shared)
    model._wake("attached", 1)
    return model
