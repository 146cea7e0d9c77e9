#!/usr/bin/env python3
"""Draws how a synthetic set is counted: `tools/counter_picture.py REPTRACE docs/counting.svg`."""

import csv
import json
import math
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEIGHTS = ROOT / "Sources/RepDetection/Scoring/CounterWeights+Fitted.swift"
FEATURES = "score,qmean,log_n,log_t2,partial,half2,postures,qmin_lo".split(",")
SET = "--seed 7 --exercise lateralRaise --reps 6 --sets 1 --difficulty hard --name set".split()
#: One of the corner frequencies at which turning points are searched, in Hz.
CORNER = 0.6
WIDTH, LEFT, END_OF_TIME, RIGHT = 860, 12, 744, 848
BLUE, ORANGE, GREY = "#2a6f97", "#d1603d", "#8a8f98"


def rows(path):
    with open(path) as file:
        return list(csv.DictReader(file))


def weights():
    text = WEIGHTS.read_text()
    temperature = float(re.search(r"temperature: ([\d.]+)", text)[1])
    return [temperature * float(one) for one in re.search(r"SIMD8\(([^)]*)\)", text)[1].split(",")]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def principal_axis(vectors):
    """Returns the principal axis, by power iteration on the sums of products."""
    sums = [[sum(v[i] * v[j] for v in vectors) for j in range(3)] for i in range(3)]
    axis = [1.0, 1.0, 1.0]
    for _ in range(50):
        axis = [dot(row, axis) for row in sums]
        length = math.sqrt(dot(axis, axis))
        axis = [one / length for one in axis]
    return axis


def low_passed(values, interval):
    """Filters with two poles forwards and two backwards, without delay."""
    share = 1 - math.exp(-2 * math.pi * CORNER * interval)
    for _ in range(4):
        state = values[0]
        smooth = []
        for value in values:
            state += share * (value - state)
            smooth.append(state)
        values = smooth[::-1]
    return values


def turning(samples):
    """Returns times from the first sample, and the rotation about its principal axis, raw and low-passed."""
    rotation = [[float(row[name]) for name in ("rotationX", "rotationY", "rotationZ")] for row in samples]
    axis = principal_axis(rotation)
    times = [float(row["timestamp"]) - float(samples[0]["timestamp"]) for row in samples]
    signal = [dot(axis, one) for one in rotation]
    return times, signal, low_passed(signal, times[1])


class Drawing:
    def __init__(self, first, last):
        self.first, self.last, self.parts = first, last, []

    def x(self, seconds):
        return LEFT + (seconds - self.first) / (self.last - self.first) * (END_OF_TIME - LEFT)

    def text(self, x, y, text, kind="", anchor="start"):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">{text}</text>')

    def line(self, values, middle, scale, color, width):
        points = " ".join(f"{self.x(t):.1f},{middle - scale * v:.1f}" for t, v in values)
        self.parts.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="{width}"/>')

    def box(self, begin, end, y, height, color, opacity=1.0):
        begin = max(begin, self.first)
        width = max(self.x(end) - self.x(begin) - 1, 1)
        self.parts.append(
            f'<rect x="{self.x(begin):.1f}" y="{y:.1f}" width="{width:.1f}" height="{height}" rx="2" '
            f'fill="{color}" fill-opacity="{opacity:.2f}"/>'
        )

    def svg(self, height):
        style = (
            "text{font:12px sans-serif;fill:#444}.title{font-weight:600;font-size:13px;fill:#222}"
            "@media(prefers-color-scheme:dark){text{fill:#bbb}.title{fill:#eee}}"
        )
        body = "\n".join(self.parts)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
            f'aria-label="How a set of six reps is counted"><style>{style}</style>\n{body}\n</svg>\n'
        )


def main(reptrace, picture):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def run(*arguments):
            return subprocess.run([reptrace, *arguments], check=True, capture_output=True, text=True).stdout

        run("generate", "-o", folder, *SET)
        recording = folder / "recordings/set.csv"
        found = json.loads(run("process", recording, "--output", "json"))[0]
        run("evaluate", folder / "labels.csv", "--recordings", folder / "recordings", "--segmentations",
            folder / "all.csv", "--output", "json")  # fmt: skip
        samples = rows(recording)
        windows = rows(folder / "all.csv")
    times, signal, smooth = turning(samples)
    origin = float(samples[0]["timestamp"])
    heaviest = Counter(row["stretch"] for row in windows).most_common(1)[0][0]
    windows = [row for row in windows if row["stretch"] == heaviest]
    scores = [dot((float(row[name]) for name in FEATURES), weights()) for row in windows]
    chances = [math.exp(score - max(scores)) for score in scores]
    chances = [chance / sum(chances) for chance in chances]

    reps = found["repEvents"]
    drawing = Drawing(found["start"] - 10, found["end"] + 7)
    shown = [i for i, time in enumerate(times) if drawing.first < time < drawing.last]
    scale = 34 / max(abs(signal[i]) for i in shown)

    drawing.text(LEFT, 18, "1. The signal: how the wrist turns, from 50 samples a second of each sensor", "title")
    drawing.line([(times[i], signal[i]) for i in shown], 62, scale, GREY, 1)

    drawing.text(LEFT, 124, f"2. Candidates: turning points of the signal below {CORNER} Hz, one of 30 such signals", "title")
    drawing.line([(times[i], smooth[i]) for i in shown], 168, scale * 1.4, BLUE, 1.5)
    for i in shown:
        if (smooth[i] - smooth[i - 1]) * (smooth[i + 1] - smooth[i]) < 0:
            drawing.parts.append(
                f'<circle cx="{drawing.x(times[i]):.1f}" cy="{168 - scale * 1.4 * smooth[i]:.1f}" r="3" fill="{ORANGE}"/>'
            )

    drawing.text(
        LEFT, 230, f"3. Segmentations: {len(windows)} ways to read the window; the most probable one of each count", "title"
    )
    best = {}
    for place in sorted(range(len(windows)), key=lambda i: -chances[i]):
        best.setdefault(int(windows[place]["reps"]), place)
    y = 242
    for count, place in list(best.items())[:4]:
        begin, end = (float(windows[place][name]) - origin for name in ("first", "last"))
        if count == found["reps"]:
            for rep in reps:
                drawing.box(rep["start"], rep["end"], y, 13, BLUE)
        else:
            drawing.box(begin, end, y, 13, GREY, 0.45)
        drawing.text(RIGHT, y + 11, f"{count} reps, {100 * chances[place]:.2g} %", anchor="end")
        y += 19

    counts = Counter()
    for row, chance in zip(windows, chances):
        counts[int(row["reps"])] += chance
    y += 26
    drawing.text(LEFT, y, "4. The count: each probability is the sum over the segmentations with that many reps", "title")
    y += 14
    for count in sorted(count for count, _ in counts.most_common(4)):
        width = 420 * counts[count]
        color = BLUE if count == found["reps"] else GREY
        drawing.parts.append(f'<rect x="70" y="{y}" width="{max(width, 1):.1f}" height="13" rx="2" fill="{color}"/>')
        drawing.text(62, y + 11, f"{count} reps", anchor="end")
        drawing.text(78 + width, y + 11, f"{100 * counts[count]:.2g} %")
        y += 19
    Path(picture).write_text(drawing.svg(y + 8))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
