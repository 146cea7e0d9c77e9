#!/usr/bin/env python3
"""Writes features.json beside this file: the segmentations of one row of candidates and their
features, computed from their definitions (docs/counter.md) with NumPy, one segmentation at a time."""
import json, os
import numpy as np

PHASES, Q, RATE = 16, 3, 25.0
rng = np.random.default_rng(11)
STEPS = 150
t = np.arange(STEPS * Q)
phase = np.cumsum(1 + 0.15 * np.sin(t / 90)) * 2 * np.pi / (14 * Q)
frames = np.stack([np.sin((k % 3 + 1) * phase + k) * (1 - 0.08 * k) for k in range(8)], 1)
frames *= (1 + 0.3 * np.sin(t / 60))[:, None]
frames += 0.15 * rng.normal(size=frames.shape)
grid = frames.reshape(STEPS, Q, 8).mean(1).astype(np.float32)
gravity = np.stack([np.sin(0.5 * np.sin(phase / 2)), np.cos(0.5 * np.sin(phase / 2)), 0.2 * np.sin(t / 70)], 1)
# The last candidates turn and tilt the wrist less: one a little, one so little that it is a partial rep.
rate = np.where(t < 115 * Q, 1.0, np.where(t < 131 * Q, 0.7, 0.4))
rotation = np.stack([1.5 * rate * np.cos(phase), 0.4 * np.sin(phase), 0.1 * np.cos(t / 50)], 1)
gravity[:, 0] *= np.where(t < 115 * Q, 1.0, np.where(t < 131 * Q, 0.7, 0.4))
segments = [(3, 15), (16, 29), (30, 43), (44, 57), (57, 69), (70, 82), (83, 94), (104, 116), (117, 130), (131, 143)]
kinds = [1, 0, 0, 0, 0, 0, 0, 0, 1, 1]  # 0 found, 1 outside; 2 partial is for the library to see


def shape(s, e, phases, values=grid):
    p = np.clip(s + (e - s) * np.arange(phases) / (phases - 1), 0, len(values) - 1)
    at = np.minimum(p.astype(int), len(values) - 2)
    y = values[at] + (values[at + 1] - values[at]) * (p - at)[:, None]
    y = y - y.mean(0)
    total = (y**2).sum()
    return (y / np.sqrt(total)).astype(np.float64), total / phases


shapes = [shape(s, e, PHASES) for s, e in segments]
found = [i for i, k in enumerate(kinds) if k == 0]
typical = np.median([segments[i][1] - segments[i][0] for i in found])
part = typical * (PHASES / 2 - 1) / (PHASES - 1)


def angle(a, b):
    return np.arccos(np.clip(a @ b / (np.sqrt((a @ a) * (b @ b)) + 1e-9), -1, 1))


def half(s, e, other, energy):
    if s < 0 or e > STEPS - 1:
        return 0.0
    y, strength = shape(s, e, PHASES // 2)
    other = other - other.mean(0)
    return max((y * other).sum() / np.sqrt((other**2).sum()), 0) * np.sqrt(min(strength / energy, 1))


def frame(step):
    return int(np.clip(np.floor((step + 0.5) * Q), 0, len(gravity) - 1))


def extents(i):
    a, b = frame(segments[i][0]), frame(segments[i][1])
    turned = np.sqrt((rotation[a:b] ** 2).sum(1)).sum() / RATE
    tilted = max(angle(gravity[a], gravity[k]) for k in range(a, b))
    return np.log(turned + 0.02), np.log(tilted + 0.03)


def openness(i):
    return angle(*(gravity[frame(step)] for step in segments[i])) / (np.exp(extents(i)[1]) + 0.12)


usual = np.median([extents(i) for i in found], 0)
partial = {i for i in range(len(segments)) if min(usual - extents(i)) > np.log(1 / 0.6)}


def features(members):
    Y = [shapes[i][0] for i in members]
    total = sum(Y)
    loo = np.array([(y * (total - y)).sum() / np.sqrt(((total - y) ** 2).sum()) for y in Y])
    lengths = np.array([segments[i][1] - segments[i][0] for i in members], float)
    length, energy = np.median(lengths), np.median([shapes[i][1] for i in members])
    first, last = members[0], members[-1]
    usual = np.median([extents(i) for i in members], 0)
    short = sum(max(0, min(usual - extents(i))) for i in (first, last))
    h = half(segments[first][0] - part, segments[first][0], total[8:], energy) ** 2
    h += half(segments[last][1], segments[last][1] + part, total[:8], energy) ** 2
    g = lambda step: gravity[frame(step)]
    begins = np.array([g(segments[i][0]) for i in members])
    middles = np.array([g((segments[i][0] + segments[i][1]) / 2) for i in members])
    far = np.median(middles, 0)
    reach = angle(np.median(begins, 0), far) + 0.15
    postures = min(angle(middles[0], far) / reach, 3) + min(angle(middles[-1], far) / reach, 3)
    postures += 3 * np.mean([openness(i) ** 2 for i in members])
    seconds = Q / RATE
    return [(np.maximum(loo, 0) ** 2 * lengths).sum() * seconds, -np.log(1.02 - loo.mean()), np.log(len(members)),
            np.log(length * seconds / 2.5) ** 2, short, h, postures, max(0, 1.3 + np.log(1.02 - max(loo.min(), -0.9)))]


result = []
for a in range(0, found[0] + 3):
    for b in range(found[-1] - 2, len(segments)):
        members = [i for i in range(a, b + 1) if i not in partial]
        if b > a and {a, b} <= set(members):
            result.append(dict(first=a, last=b, count=len(members), features=[float(v) for v in features(members)]))
json.dump(dict(framesPerStep=Q, components=[[round(float(v), 6) for v in row] for row in grid],
               gravity=[[round(float(v), 6) for v in row] for row in gravity],
               rotation=[[round(float(v), 6) for v in row] for row in rotation],
               segments=segments, kinds=kinds, segmentations=result),
          open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "features.json"), "w"))
