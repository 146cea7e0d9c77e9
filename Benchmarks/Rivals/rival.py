"""The loop that all rivals in Python share.

A rival is a process that lives on between commands, so that everything is warm. It says `ready`
and its libraries' versions, then answers each line on standard input, the name of a work and its
arguments, with a line: the seconds that the work took of a processor's time, a checksum of the result,
and figures as `name=value`.
"""

import gc
import sys
import time

import numpy as np


def load(path, cache={}):
    """The sets in a file: for each the numbers of columns and of rows as 64-bit integers, then the
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
    """`works`: by name, a function of the arguments that prepares and returns two functions: the
    work, which is timed, and what makes the checksum and a dictionary of figures from its result.
    """
    gc.disable()
    print("ready", versions, flush=True)
    for command in sys.stdin:
        name, *arguments = command.split()
        work, judge = works[name](*arguments)
        start = time.process_time()
        result = work()
        seconds = time.process_time() - start
        checksum, figures = judge(result)
        del result
        gc.collect()
        print(repr(seconds), repr(float(checksum)), *(f"{k}={v!r}" for k, v in figures.items()),
              flush=True)  # fmt: skip
