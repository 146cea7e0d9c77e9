#!/usr/bin/env python3
"""Writes golden.json beside this file: what SciPy and NumPy give for the detector's filters and
transforms. Run with scipy 1.17 and numpy 2.4; the file is committed."""
import json, os
import numpy as np
from scipy import signal

rng = np.random.default_rng(7)
x = np.cumsum(rng.normal(size=200)) * 0.1 + 0.7
filters = []
for corner, rate in [(5.0, 50.0), (0.35, 25.0), (0.6, 25.0), (1.0, 25.0), (1.7, 25.0), (3.0, 25.0)]:
    b, a = signal.butter(2, corner, fs=rate)
    y, _ = signal.lfilter(b, a, x, zi=signal.lfilter_zi(b, a) * x[0])
    filters.append(dict(corner=corner, rate=rate, b=list(b), a=list(a), output=list(y)))

matrices = []
for n in (3, 9):
    m = rng.normal(size=(4 * n, n)) @ np.diag(np.linspace(0.3, 2, n))
    c = np.cov(m.T)
    values, vectors = np.linalg.eigh(c)
    order = np.argsort(values)[::-1]
    vectors = vectors[:, order]
    vectors = vectors * np.sign(vectors[np.argmax(np.abs(vectors), 0), np.arange(n)])
    matrices.append(dict(order=n, matrix=list(c.ravel()), values=list(values[order]),
                         vectors=[list(vectors[:, i]) for i in range(n)]))

t = np.arange(400) / 25
wave = np.sin(2 * np.pi * 0.4 * t) + 0.05 * np.sin(2 * np.pi * 5 * t)
spread = float(np.percentile(wave, 95) - np.percentile(wave, 5))
peaks, _ = signal.find_peaks(wave, prominence=0.35 * spread)
json.dump(dict(input=list(x), filters=filters, matrices=matrices, wave=list(wave), spread=spread,
               maxima=[int(p) for p in peaks]),
          open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden.json"), "w"))
