#!/usr/bin/env python3
"""The simple rival: counts reps with SciPy's filters and `find_peaks`. The gravity direction's
principal axis, its period by autocorrelation, a zero-phase low-pass at 1.6 times its frequency,
peaks; the larger count of both polarities. It does not search for sets.

`given FILE` counts given sets, from arrays: ten columns, then in every row the true count,
begin and end of the set. `whole FILE` counts each whole recording as one set.
`live FILE` counts whole recordings as they arrive: the last 30 s from scratch every ten samples.
`incremental FILE` does the same incrementally: every ten samples a causal `sosfilt` over
three signals with its state, and `find_peaks` in the last 30 s of the most active one; the period,
and with it the corner, once a second.
`recofit FILE` and `ulift FILE` count the given sets by these papers' methods (`counters.py`), between
the labeled begin and end.
`files LIST` reads CSV files with pandas' C reader, cuts the sets out and counts them; a line of the
list is a path, the begin and the end in seconds, and the true count.
"""

import math
import os
import sys

import numpy as np
import scipy
from scipy import signal

sys.path.insert(0, os.path.dirname(__file__))
import counters  # noqa: E402
from rival import load, optional, serve, versions  # noqa: E402

pd = optional("pandas")


def principal(x):
    x = x - x.mean(axis=1, keepdims=True)
    _, vectors = np.linalg.eigh(x @ x.T)
    return vectors[:, -1] @ x


def period(x, rate):
    """Returns the period in seconds, from the first high peak of the autocorrelation; 0 if there is none."""
    n = len(x)
    size = scipy.fft.next_fast_len(2 * n, real=True)
    spectrum = scipy.fft.rfft(x, size)
    correlation = scipy.fft.irfft(spectrum * spectrum.conj(), size)[:n]
    correlation /= correlation[0] or 1
    low, high = int(0.5 * rate), min(int(9 * rate), n - 1)
    peaks, _ = signal.find_peaks(correlation[: high + 1], height=0.1)
    peaks = peaks[peaks >= low]
    if len(peaks) == 0:
        return 0.0
    strong = peaks[correlation[peaks] >= 0.8 * correlation[peaks].max()]
    return strong[0] / rate


def count(m):
    """Returns the number of reps in ten columns."""
    if m.shape[1] < 50:
        return 0
    rate = 1 / np.median(np.diff(m[0]))
    x = principal(m[7:10])
    seconds = period(x, rate)
    if seconds == 0:
        return 0
    sos = signal.butter(2, min(1.6 / seconds, 0.45 * rate), fs=rate, output="sos")
    y = signal.sosfiltfilt(sos, x)
    low, high = np.percentile(y, (5, 95))
    options = {"prominence": 0.35 * (high - low), "distance": max(1, int(0.5 * seconds * rate))}
    return max(len(signal.find_peaks(s, **options)[0]) for s in (y, -y))


def judge(truths):
    def exact(counts):
        right = sum(a == b for a, b in zip(counts, truths))
        return 0.0, {"exactPercent": 100.0 * float(right) / max(1, len(truths))}

    return exact


def usable(m):
    return m[:, np.isfinite(m[:10]).all(axis=0)]


def given(path):
    sets = [usable(m) for m in load(path)]
    return lambda: [count(m) for m in sets], judge([m[10, 0] for m in sets])


def published(counter):
    """Counts acceleration with gravity by a counter of counters.py."""

    def task(path):
        sets = [usable(m) for m in load(path)]
        cut = [m[:, (m[0] >= m[11, 0]) & (m[0] <= m[12, 0])] for m in sets]
        signals = [counters.resampled(m[0], m[1:4] + m[7:10]) for m in cut]
        return lambda: [counter(x) for x in signals], judge([m[10, 0] for m in sets])

    return task


def live(path):
    sets = [usable(m) for m in load(path)]

    def follow(m):
        seen = 0
        for end in range(10, m.shape[1] + 10, 10):
            begin = np.searchsorted(m[0], m[0, min(end, m.shape[1]) - 1] - 30)
            seen = max(seen, count(m[:, begin:end]))
        return seen

    return lambda: [follow(m) for m in sets], judge([m[10, 0] for m in sets])


def incremental(path):
    """Counts with the same latency at the lowest cost that is possible with SciPy."""
    sets = [usable(m) for m in load(path)]

    def follow(m):
        rate = 1 / np.median(np.diff(m[0]))
        x = m[7:10]
        kept, held = int(30 * rate), int(rate) // 10 * 10
        y = np.empty_like(x)
        sos, state, seconds, axis, seen = None, None, 1.0, 0, 0
        for begin in range(0, x.shape[1], 10):
            end = min(begin + 10, x.shape[1])
            if sos is None or begin % held == 0:
                recent = x[:, max(0, end - kept) : end]
                axis = int(np.argmax(recent.var(axis=1)))
                signal_ = recent[axis] - recent[axis].mean()
                seconds = period(signal_, rate) if len(signal_) > 50 else 1.0
                corner = min(1.6 / (seconds or 1.0), 0.45 * rate)
                sos = signal.butter(2, corner, fs=rate, output="sos")
                if state is None:
                    state = signal.sosfilt_zi(sos)[:, None, :] * x[None, :, :1]
            y[:, begin:end], state = signal.sosfilt(sos, x[:, begin:end], zi=state)
            part = y[axis, max(0, end - kept) : end]
            height = part.max() - part.min()
            if height > 0.1 and seconds:
                peaks, _ = signal.find_peaks(
                    part, prominence=0.35 * height, distance=max(1, int(0.5 * seconds * rate)))
                seen = max(seen, len(peaks))
        return seen

    return lambda: [follow(m) for m in sets], judge([m[10, 0] for m in sets])


WANTED = ["timestamp"] + [f"{q}{a}" for q in ("acceleration", "rotation", "gravity") for a in "XYZ"]


def wanted(name):
    name = name.removeprefix("wristMotion_").replace("rotationRate", "rotation")
    return name if name in WANTED else None


def read(name, begin=-math.inf, end=math.inf):
    """Reads ten rows of a CSV file, from begin to end."""
    frame = pd.read_csv(name, engine="c", usecols=lambda c: wanted(c) is not None)
    frame.columns = [wanted(c) for c in frame.columns]
    m = frame[WANTED].to_numpy(np.float64).T
    return usable(m[:, (m[0] >= float(begin)) & (m[0] <= float(end))])


def files(path):
    with open(path) as file:
        rows = [line.rstrip("\n").split("\t") for line in file]

    return lambda: [count(read(*row[:3])) for row in rows], judge([int(row[3]) for row in rows])


if __name__ == "__main__":
    serve(
        versions(scipy=scipy, numpy=np, pandas=pd),
        {
            "given": given,
            "whole": given,
            "recofit": published(counters.recofit),
            "ulift": published(counters.ulift),
            "live": live,
            "incremental": incremental,
            "files": files,
        },
    )
