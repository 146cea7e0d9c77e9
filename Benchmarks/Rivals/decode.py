#!/usr/bin/env python3
"""Decodes the benchmarks' inputs with Python's libraries.

`chunks FILE`: one JSON chunk per line, each decoded by orjson into a numpy array. `csv FILE`: pandas'
C reader. The checksum is the sum of the last column.
"""

import itertools
import operator
import os
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(__file__))
from rival import optional, serve, versions  # noqa: E402

orjson, pandas = optional("orjson"), optional("pandas")

KEYS = (
    "timestamp", "accelerationX", "accelerationY", "accelerationZ", "rotationX", "rotationY",
    "rotationZ", "gravityX", "gravityY", "gravityZ", "roll", "pitch", "yaw",
)  # fmt: skip
VALUES = operator.itemgetter(*KEYS)


def contents(path, files={}):
    """Returns the lines of a file, read outside the measured time."""
    if path not in files:
        with open(path, "rb") as file:
            files[path] = file.read().splitlines()
    return files[path]


def total(value):
    return value, {}


def chunks(path):
    """Returns an array of columns for each chunk, in the fastest of five ways tried."""
    lines, loads = contents(path), orjson.loads

    def work():
        sum_of_last = 0.0
        for line in lines:
            samples = loads(line)["samples"]
            values = itertools.chain.from_iterable(map(VALUES, samples))
            columns = np.fromiter(values, np.float64, 13 * len(samples)).reshape(-1, 13).T
            sum_of_last += float(columns[12].sum())
        return sum_of_last

    return work, total


def csv(path):
    read = pandas.read_csv
    return lambda: float(read(path, engine="c")["yaw"].sum()), total


if __name__ == "__main__":
    serve(versions(orjson=orjson, numpy=np, pandas=pandas), {"chunks": chunks, "csv": csv})
