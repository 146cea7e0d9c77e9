"""The loop that all rivals in Python share.

A rival is a process that keeps running between commands, so that everything is warm. It prints `ready`
and its libraries' versions. Then it answers each line on standard input, the name of a task and its
arguments, with a line: the processor time of the task in seconds, as the mean of runs of at least 20 ms
together, a checksum of the result, and figures as `name=value`. If the task cannot be done, the line is
`failed` with the reason.
"""

import gc
import importlib
import sys
import time
import traceback

import numpy as np


#: As in Contest.swift.
MINIMUM_SECONDS = 0.02


class Missing(Exception):
    """A library that is not installed."""


class Absent:
    """Stands in for a missing library, and raises `Missing` when it is used."""

    def __init__(self, name):
        self._name = name

    def __bool__(self):
        return False

    def __getattr__(self, _):
        raise Missing(f"{self._name} is not installed")


def optional(name):
    """Imports a module, or returns a stand-in, so that a missing library does not disable other rivals."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return Absent(name)


def versions(**libraries):
    return ", ".join(f"{name} {library.__version__}" for name, library in libraries.items() if library)


def load(path, cache={}):
    """Returns the sets in a file: for each the numbers of columns and of rows as 64-bit integers, then the
    columns as Doubles."""
    if path not in cache:
        data = np.fromfile(path, np.uint64)
        sets, position = [], 0
        while position < len(data):
            columns, rows = int(data[position]), int(data[position + 1])
            position += 2
            values = data[position : position + columns * rows].view(np.float64)
            sets.append(values.reshape(columns, rows).copy())
            position += columns * rows
        cache[path] = sets
    return cache[path]


def serve(versions, works):
    """Answers commands until the input ends.

    `works`: by name, a function of the arguments that prepares and returns two functions: the task, which
    is timed, and one that computes the checksum and a dictionary of figures from its result.
    """
    gc.disable()
    print("ready", versions, flush=True)
    for command in sys.stdin:
        name, *arguments = command.split()
        try:
            answer = answer_to(works[name], arguments)
        except Missing as error:
            answer = f"failed {error}"
        except Exception as error:
            traceback.print_exc()
            answer = f"failed {type(error).__name__}: {' '.join(str(error).split())}"
        gc.collect()
        print(answer, flush=True)


def answer_to(prepare, arguments):
    work, judge = prepare(*arguments)
    start = time.process_time()
    runs, seconds = 0, 0.0
    while seconds < MINIMUM_SECONDS:
        result = work()
        runs += 1
        seconds = time.process_time() - start
    seconds /= runs
    checksum, figures = judge(result)
    return " ".join([repr(seconds), repr(float(checksum)), *(f"{k}={v!r}" for k, v in figures.items())])
