#!/usr/bin/env python3
"""Writes simulated exercises of physiotherapy at several tempos, three bouts a file (varied-bouts.md).

    docs/research/make_varied_bouts.py FOLDER SEED
    reptrace evaluate FOLDER/labels.csv --recordings FOLDER/recordings

The arm of make_bouts.py. The first of three bouts of 3, 5 or 10 reps takes its time, the second is fast, the third goes
less far; the arm may stop for up to 4 s in a rep and 3 s after it. Every other file has 25 Hz. Needs NumPy.
"""

import argparse
import pathlib

import make_bouts as bouts
import numpy as np
from simulated_wrist import RATE, minimum_jerk

# Seconds of the stop at the far end and of the pause after a rep, from and to.
STOPS = {"touch": ((0, 0.15), (0, 0.3)), "mixed": ((0, 0.8), (0.1, 1.5)), "hold": ((1, 4), (0.5, 3))}


def way(random, counts, stops):
    """How far out the arm is, and how far in the posture that the bouts begin in, from 0 to 1."""
    stop, rest = STOPS[stops]
    out, back = random.uniform(0.8, 2, 2)
    drops, gap = random.random() < 0.25, random.uniform(2, 8)
    far, posture = [], []

    def add(far_part, posture_part):
        far.append(far_part + np.zeros(len(posture_part)))
        posture.append(posture_part)

    def hold(seconds, share=0.0, posture=1.0):
        add(share, np.full(max(int(seconds * RATE), 1), posture))

    hold(random.uniform(0.5, 5), posture=0)
    fast, small = random.uniform(0.35, 0.6), random.uniform(0.35, 0.7)
    for index, reps in enumerate(counts):
        tempo = fast if index == 1 else random.uniform(0.85, 1.15)
        stopping = 0.25 if index == 1 else 1
        if index == 0 or drops:
            add(0, minimum_jerk(random.uniform(0.8, 1.5)))
            hold(random.uniform(0.3, 1.5))
        for _ in range(reps):
            share = (small if index == 2 else 1) * random.normal(1, 0.06)
            line = minimum_jerk(max(0.3, out * tempo * random.uniform(0.8, 1.25)))
            add(share * line, np.ones(len(line)))
            hold(stopping * random.uniform(*stop), share)
            line = 1 - minimum_jerk(max(0.3, back * tempo * random.uniform(0.8, 1.25)))
            add(share * line, np.ones(len(line)))
            hold(stopping * random.uniform(*rest))
        hold(random.uniform(0.3, 1))
        is_last = index == len(counts) - 1
        if is_last or drops:
            add(0, 1 - minimum_jerk(random.uniform(0.8, 1.5)))
        hold(random.uniform(0.5, 4) if is_last else gap * random.uniform(0.8, 1.2), posture=posture[-1][-1].round())
    return np.concatenate(far), np.concatenate(posture)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("seed", type=int)
    options = parser.parse_args()
    random = np.random.default_rng(options.seed)
    (options.folder / "recordings").mkdir(parents=True, exist_ok=True)
    labels = ["recording,reps,exercise"]
    for reps in (3, 5, 10):
        for stops in STOPS:
            for exercise in (name for name in bouts.EXERCISES if name != "squeeze"):
                for index in range(2):
                    name = f"v{len(labels):03d}-{exercise}-{reps}-{stops}"
                    labels.append(f"{name},{3 * reps},{exercise}")
                    course = way(random, (reps, reps, reps), stops)
                    acceleration, rate = bouts.record(exercise, course, 1 if index else -1, random)
                    bouts.write(options.folder / "recordings" / f"{name}.csv", acceleration, rate, 8 if index else 4)
    (options.folder / "labels.csv").write_text("\n".join(labels) + "\n")


if __name__ == "__main__":
    main()
