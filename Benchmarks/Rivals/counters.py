#!/usr/bin/env python3
"""Published counters, reimplemented from their papers, on the same given sets as RepTrace:

    counters.py REPTRACE PAGE      writes a page for tools/results.py

- RecoFit (Morris, Saponas, Guillory, Kelner: RecoFit, CHI 2014): an elliptic band-pass of 0.15 to 11 Hz, the first
  principal component, peaks from high to low, those within 0.75 of a period of a higher one removed, the period by
  autocorrelation around each, and peaks below half of the 40th percentile.
- uLift (Lim, Oh, Choi: uLift, IEEE Access 12, 2024): the period by the weighted sum of the axes' autocorrelations, then
  the peaks of the strongest axis that are about a period apart.
- `find_peaks`: SciPy's peaks of the first principal component below 3 Hz.

They get only the acceleration with gravity between the labeled begin and end, which is easiest for them; RepTrace also
gets 2 s on both sides. Choices that a paper does not specify are marked "open". RecoFit knew the exercise, and with it
the limits of the period; here both use 0.5 to 6 s.
"""

import argparse
import csv
import json
import subprocess
import sys
import tempfile
from datetime import datetime, timezone
from pathlib import Path

import numpy as np
from scipy import signal

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import datasets  # noqa: E402

RATE = 50.0
SHORTEST, LONGEST = 0.5, 6.0
#: Ripple and attenuation in dB and the order are open.
BAND = signal.ellip(2, 0.5, 40, (0.15, 11), "bandpass", fs=RATE, output="sos")
SMOOTH = signal.butter(2, 3, fs=RATE, output="sos")


def resampled(times, rows):
    """Returns acceleration at 50 Hz, a column per axis."""
    grid = np.arange(times[0], times[-1], 1 / RATE)
    return np.stack([np.interp(grid, times, row) for row in rows], 1)


def principal(x):
    x = x - x.mean(0)
    _, vectors = np.linalg.eigh(x.T @ x)
    return x @ vectors[:, -1]


def autocorrelation(x):
    """Returns the autocorrelation from lag 0, relative to the power: of equal peaks the first is the highest."""
    x = x - x.mean()
    sums = signal.correlate(x, x, mode="full", method="fft")[len(x) - 1 :]
    return sums / max(sums[0], 1e-12)


def best_lag(correlation):
    """Returns the lag of the highest peak between the shortest and longest period, in seconds, or None."""
    low, high = int(SHORTEST * RATE), min(int(LONGEST * RATE), int(0.75 * len(correlation)))
    peaks, _ = signal.find_peaks(correlation[: high + 1])
    peaks = peaks[peaks >= low]
    return peaks[correlation[peaks].argmax()] / RATE if len(peaks) else None


def thinned(peaks, heights, distances):
    """Returns peaks from high to low, without those nearer to a higher one than its distance."""
    kept = []
    for i in np.argsort(-heights):
        if all(abs(peaks[i] - peaks[j]) >= distances[j] for j in kept):
            kept.append(i)
    return sorted(kept)


def recofit(x):
    if len(x) < RATE:
        return 0
    y = principal(signal.sosfiltfilt(BAND, x, axis=0))

    def count(y):
        peaks, _ = signal.find_peaks(y)
        if len(peaks) == 0:
            return 0, 0.0
        kept = thinned(peaks, y[peaks], np.full(len(peaks), SHORTEST * RATE))
        peaks = peaks[kept]
        # The window of the local autocorrelation is open: the longest period on both sides.
        around = int(LONGEST * RATE)
        periods = [best_lag(autocorrelation(y[max(0, p - around) : p + around])) or SHORTEST for p in peaks]
        peaks = peaks[thinned(peaks, y[peaks], 0.75 * RATE * np.array(periods))]
        limit = 0.5 * np.percentile(y[peaks], 40)
        strong = y[peaks] >= limit
        return int(strong.sum()), float(y[peaks][strong].mean())

    # The sign of the component is open: the one with the higher peaks.
    return max((count(y), count(-y)), key=lambda pair: pair[1])[0]


def ulift(x):
    if len(x) < RATE:
        return 0
    y = signal.sosfiltfilt(SMOOTH, x, axis=0)
    weights = y.var(0)
    period = best_lag(sum(w * autocorrelation(column) for w, column in zip(weights / max(weights.sum(), 1e-12), y.T)))
    if period is None:
        return 0
    axis = y[:, weights.argmax()]
    # Distance and prominence are open.
    options = {"distance": max(1, int(0.6 * period * RATE)), "prominence": 0.5 * axis.std()}
    return max(len(signal.find_peaks(one, **options)[0]) for one in (axis, -axis))


def plain(x):
    if len(x) < RATE:
        return 0
    y = signal.sosfiltfilt(SMOOTH, principal(x))
    return len(signal.find_peaks(y, prominence=y.std(), distance=int(SHORTEST * RATE))[0])


COUNTERS = {"RecoFit": recofit, "uLift": ulift, "`find_peaks`": plain}


# Recordings --------------------------------------------------------------------------------------


def acceleration(path):
    """Returns times in seconds and three rows of acceleration with gravity."""
    with open(path) as file:
        names = file.readline().strip().split(",")
    has_names = not names[0][:1].isdigit()
    values = np.genfromtxt(path, delimiter=",", skip_header=int(has_names))
    values = values[np.isfinite(values[:, :4]).all(1)]
    if not has_names:  # ms, m/s²
        rows = values[:, 1:4].T
        times = values[:, 0] / 1000
    else:
        column = {name.split("_")[-1]: values[:, i] for i, name in enumerate(names)}
        times = column["timestamp"]
        if "totalAccelerationX" in column:
            rows = np.stack([column[f"totalAcceleration{axis}"] for axis in "XYZ"])
        else:
            rows = np.stack([column[f"acceleration{axis}"] + column[f"gravity{axis}"] for axis in "XYZ"])
    order = np.argsort(times, kind="stable")
    return times[order], rows[:, order]


def span(path):
    times, _ = acceleration(path)
    return {"start": times[0], "end": times[-1]}


def reptrace_counts(reptrace, labels, recordings, weights):
    command = [reptrace, "evaluate", labels, "--recordings", recordings, "--mode", "given", "--output", "json"]
    done = subprocess.run([*command, "--weights", weights], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(f"counters: {done.stderr}")
    return [one["counted"] for one in json.loads(done.stdout)["sets"]]


def row(title, reptrace, labels, rows, recordings, device):
    """Returns a row of the page: exact and within one of each counter."""
    with open(labels, "w", newline="") as file:
        writer = csv.DictWriter(file, ["recording", "start", "end", "reps"], extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    weights = ROOT / f".ci/folds/without-{device}.json"
    counts = {"RepTrace": reptrace_counts(reptrace, labels, recordings, weights)}
    counts |= {name: [] for name in COUNTERS}
    read = {}
    for one in rows:
        name = one["recording"]
        if name not in read:
            read = {name: acceleration(recordings / f"{name}.csv")}
        times, values = read[name]
        inside = (times >= float(one["start"])) & (times <= float(one["end"]))
        x = resampled(times[inside], values[:, inside])
        for counter, count in COUNTERS.items():
            counts[counter].append(count(x))
    true = np.array([int(one["reps"]) for one in rows])
    cells = []
    for found in counts.values():
        off = np.abs(np.array(found) - true)
        cells.append(f"{100 * np.mean(off == 0):.1f} / {100 * np.mean(off <= 1):.1f}")
    return f"| {title} | {len(rows)} | " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("reptrace", type=Path)
    parser.add_argument("page", type=Path)
    options = parser.parse_args()
    reptrace, page = options.reptrace.resolve(), options.page
    if not reptrace.is_file():
        parser.error(f"{reptrace}: no such program")
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    lines = []
    with tempfile.TemporaryDirectory() as made:
        made = Path(made)
        labels = made / "labels.csv"
        gym, other = datasets.DATA / "watch-gym", datasets.DATA / "carawatch"
        if gym.is_dir():
            sure = [one for one in datasets.read(gym / "labels.csv") if one["certain"] == "yes"]
            lines.append(row("watch-gym, raters sure", reptrace, labels, sure, gym / "recordings", "watch-gym"))
        if other.is_dir():
            bouts = datasets.read(datasets.placed(other, "bouts.csv", made / "bouts.csv"))
            lines.append(row("carawatch, bouts", reptrace, labels, bouts, other / "recordings", "carawatch"))
        shoulder = datasets.DATA / "spar"
        if shoulder.is_dir():
            whole = [one | span(shoulder / f"recordings/{one['recording']}.csv")
                     for one in datasets.read(shoulder / "labels.csv")]  # fmt: skip
            lines.append(row("spar, whole recordings", reptrace, labels, whole, shoulder / "recordings", "spar"))
        subprocess.run([reptrace, "generate", "-o", made / "synthetic", "--count", "300", "--seed", "99"],
                       check=True, capture_output=True)  # fmt: skip
        sets = datasets.read(made / "synthetic/labels.csv")
        for difficulty in ("ordinary", "hard"):
            chosen = [one for one in sets if one["difficulty"] == difficulty]
            lines.append(row(f"synthetic, {difficulty}", reptrace, labels, chosen, made / "synthetic/recordings", "synthetic"))
    titles = ["exact / within one, %", "sets", "RepTrace, device left out", *COUNTERS]
    head = ["| " + " | ".join(titles) + " |", "|" + "---|" * len(titles)]
    page.write_text("\n".join(["# Counters", "", f"Measured {datetime.now(timezone.utc):%Y-%m-%d} at commit {commit}.", "",
                               "## Given sets", "", *head, *lines, ""]))  # fmt: skip
    print("\n".join([*head, *lines]))


if __name__ == "__main__":
    main()
