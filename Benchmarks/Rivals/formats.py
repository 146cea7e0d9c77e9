#!/usr/bin/env python3
"""Reads recordings in the formats of recorders: `FORMAT LIST`.

LIST is a file with one path per line. JSON is decoded by orjson into arrays of columns, CSV by
pandas' C reader, which reads only the columns of motion. The checksum is the sum of the rotation
rate about x.
"""

import itertools
import operator
import os
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(__file__))
from rival import optional, serve, versions  # noqa: E402

orjson, pd = optional("orjson"), optional("pandas")

XYZ = "XYZ"
FLAT = ["timestamp", *(f"{q}{a}" for q in ("acceleration", "rotation", "gravity") for a in XYZ),
        "roll", "pitch", "yaw"]  # fmt: skip
WATCH = ["capturedAt", *FLAT[1:10], "attitudeRoll", "attitudePitch", "attitudeYaw"]
FLAT_VALUES, WATCH_VALUES = operator.itemgetter(*FLAT), operator.itemgetter(*WATCH)


def array(samples, values, width=13):
    flat = itertools.chain.from_iterable(map(values, samples))
    return np.fromiter(flat, np.float64, width * len(samples)).reshape(-1, width).T


def nested(sample):
    a, r, g, t = (sample[k] for k in ("acceleration", "rotation", "gravity", "attitude"))
    return (sample["timestamp"], a["x"], a["y"], a["z"], r["x"], r["y"], r["z"], g["x"], g["y"],
            g["z"], t["roll"], t["pitch"], t["yaw"])  # fmt: skip


def objects(path, format):
    with open(path, "rb") as file:
        data = file.read()
    if format == "ndjson":
        return [orjson.loads(line) for line in data.splitlines() if line]
    return [orjson.loads(data)]


def json_work(format, paths):
    values = {"nested-chunks": nested, "watch-app": WATCH_VALUES}.get(format, FLAT_VALUES)

    def work():
        total = 0.0
        for path in paths:
            for one in objects(path, format):
                samples = one if isinstance(one, list) else one.get("samples")
                if samples:
                    total += float(array(samples, values)[4].sum())
        return total

    return work


def is_motion(name):
    words = ("accel", "rotation", "gravity", "quaternion", "roll", "pitch", "yaw", "axis", "epoch",
             "timestamp", "seconds_elapsed", "time")  # fmt: skip
    lower = name.lower()
    if lower in ("x", "y", "z"):
        return True
    return any(w in lower for w in words) and "txt" not in lower and "time (" not in lower


def rotation(format, path, frame):
    base = os.path.basename(path)
    if format == "headerless":
        return frame[4]
    if format in ("sensor-folder", "metamotion"):
        if "Gyroscope" not in base:
            return None
        return frame[next(c for c in frame.columns if c == "x" or c.startswith("x-axis"))]
    for name in ("rotationX", "rotationRateX", "wristMotion_rotationRateX",
                 "motionRotationRateX(rad/s)"):  # fmt: skip
        if name in frame.columns:
            return frame[name]
    raise KeyError(format)


def csv_work(format, paths):
    def work():
        total = 0.0
        for path in paths:
            if format == "headerless":
                frame = pd.read_csv(path, engine="c", header=None)
            else:
                frame = pd.read_csv(path, engine="c", usecols=is_motion)
            column = rotation(format, path, frame)
            if column is not None:
                total += float(column.sum())
        return total

    return work


JSON = ("chunks", "nested-chunks", "watch-app", "ndjson")


def prepare(format):
    def start(list_path):
        with open(list_path) as file:
            paths = file.read().splitlines()
        work = json_work(format, paths) if format in JSON else csv_work(format, paths)
        return work, lambda total: (total, {})

    return start


FORMATS = JSON + ("csv", "sensor-logger", "wrist-motion", "sensor-folder", "sensorlog",
                  "metamotion", "headerless")  # fmt: skip

if __name__ == "__main__":
    serve(
        versions(orjson=orjson, pandas=pd, numpy=np),
        {format: prepare(format) for format in FORMATS},
    )
