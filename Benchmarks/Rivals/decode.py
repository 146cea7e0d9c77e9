#!/usr/bin/env python3
"""Decodes what the benchmarks decode, with Python's libraries, on command.

Lines on standard input name the work and its file: `chunks FILE` (a JSON chunk a line, decoded by
orjson into a numpy array a chunk) or `csv FILE` (pandas' C reader). For each line, one line comes
back: the seconds that the work took of the processor, and the sum of the last column.
The process lives on between commands, so that everything is warm.
"""

import gc
import itertools
import operator
import sys
import time

import numpy
import orjson
import pandas

KEYS = (
    "timestamp", "accelerationX", "accelerationY", "accelerationZ", "rotationX", "rotationY",
    "rotationZ", "gravityX", "gravityY", "gravityZ", "roll", "pitch", "yaw",
)  # fmt: skip
VALUES = operator.itemgetter(*KEYS)
files = {}


def contents(path):
    """The lines of a file, read before the clock starts."""
    if path not in files:
        with open(path, "rb") as file:
            files[path] = file.read().splitlines()
    return files[path]


def chunks(path):
    """An array of columns for each chunk, in the quickest of five ways tried."""
    total = 0.0
    for line in contents(path):
        chunk = orjson.loads(line)
        samples = chunk["samples"]
        values = itertools.chain.from_iterable(map(VALUES, samples))
        columns = numpy.fromiter(values, numpy.float64, 13 * len(samples)).reshape(-1, 13).T
        total += float(columns[12].sum())
    return total


def csv(path):
    frame = pandas.read_csv(path, engine="c")
    return float(frame["yaw"].sum())


WORK = {"chunks": chunks, "csv": csv}
gc.disable()
print("ready", orjson.__version__, numpy.__version__, pandas.__version__, flush=True)
for command in sys.stdin:
    name, path = command.rstrip("\n").split(" ", 1)
    if name == "chunks":
        contents(path)
    start = time.process_time()
    total = WORK[name](path)
    seconds = time.process_time() - start
    gc.collect()
    print(repr(seconds), repr(total), flush=True)
