#!/usr/bin/env python3
"""SciPy's filters. `whole FILE`, `blocks FILE`, `peaks FILE`: rows of eight 32-bit values."""

import os
import sys

import numpy as np
import scipy
from scipy import signal

sys.path.insert(0, os.path.dirname(__file__))
from rival import serve  # noqa: E402

SOS = signal.butter(2, 1.0, fs=25.0, output="sos")


def load(path, cache={}):
    if path not in cache:
        # Channels in rows, each contiguous: the fastest layout for SciPy.
        cache[path] = np.ascontiguousarray(np.fromfile(path, np.float32).reshape(-1, 8).T)
    return cache[path]


def start(x):
    return signal.sosfilt_zi(SOS)[:, None, :] * x[None, :, :1]


def energy(y):
    return np.square(y, dtype=np.float64).sum()


def whole(path):
    x = load(path)
    sos, state = SOS.astype(np.float32), start(x).astype(np.float32)
    return lambda: signal.sosfilt(sos, x, zi=state)[0], lambda y: (energy(y), {})


def blocks(path):
    x = load(path).astype(np.float64)

    def work():
        state, total = start(x), 0.0
        for begin in range(0, x.shape[1], 256):
            y, state = signal.sosfilt(SOS, x[:, begin : begin + 256], zi=state)
            total += energy(y)
        return total

    return work, lambda total: (total, {})


def peaks(path):
    x = load(path)

    def work():
        return sum(
            len(signal.find_peaks(s, prominence=0.6)[0]) for row in x for s in (row, -row)
        )

    return work, lambda count: (count, {})


if __name__ == "__main__":
    serve(
        f"scipy {scipy.__version__}, numpy {np.__version__}",
        {"whole": whole, "blocks": blocks, "peaks": peaks},
    )
