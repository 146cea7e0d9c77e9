#!/usr/bin/env python3
"""Writes simulated exercises of physiotherapy, three bouts of five a file (small-movements.md).

    docs/research/make_bouts.py FOLDER
    reptrace evaluate FOLDER/labels.csv --recordings FOLDER/recordings

An arm of two segments moves from the shoulder, the elbow and the forearm, at 50 Hz with a unit strapped on anyhow, in
2 to 6 s a rep with stops of up to 1.5 and 2.5 s. Between the bouts the arm stays or hangs down for 3 to 12 s.
Independent of `reptrace generate`. Needs NumPy.
"""

import argparse
import functools
import pathlib

import numpy as np

import simulated_wrist as wrist
from simulated_wrist import RATE, minimum_jerk, turns

# Of the simulated samples every fourth is written: 50 Hz.
KEPT = 4
# Seconds of the stop at the far end and of the pause after a rep, from and to.
STOPS = {"touch": ((0, 0.15), (0, 0.3)), "mixed": ((0, 0.6), (0, 1.2)), "long": ((0.5, 1.5), (0.8, 2.5))}
FILES_OF_A_KIND = 6
# What is held while a bout lasts, and what moves in a rep, in degrees: flexion and abduction of the shoulder, turn of
# the upper arm, flexion of the elbow, pronation, and turn of the arm about the vertical.
JOINTS = ("flexion", "abduction", "turn", "elbow", "pronation", "sweep")
EXERCISES = {
    "curl": ({"pronation": 70}, {"elbow": 125, "flexion": 4}),
    "raise": ({"pronation": 30}, {"flexion": 140}),
    "abduction": ({"pronation": 30}, {"abduction": 95}),
    "rotation": ({"elbow": 80, "turn": -35}, {"turn": 75}),
    "pronation": ({"elbow": 80, "pronation": -60}, {"pronation": 130}),
    "sweep": ({"flexion": 85}, {"sweep": 80}),
    "reach": ({"elbow": 115, "flexion": -10}, {"elbow": -85, "flexion": 70}),
    "diagonal": ({}, {"flexion": 110, "abduction": 35, "pronation": 60}),
    "press": ({"elbow": 125, "flexion": 25}, {"elbow": -110, "flexion": 120}),
    "squeeze": ({"elbow": 75, "flexion": 20, "turn": -30}, {"elbow": 10, "flexion": -8, "turn": -7}),
}

random = np.random.default_rng(7)


def way(bouts, stops):
    """How far out the arm is, and how far in the posture that the bouts begin in, from 0 to 1."""
    stop, rest = STOPS[stops]
    out, back = random.uniform(0.8, 2.2, 2)
    drops, gap = random.random() < 0.5, random.uniform(3, 12)
    far, posture = [], []

    def add(far_part, posture_part):
        far.append(far_part + np.zeros(len(posture_part)))
        posture.append(posture_part)

    def hold(seconds, share=0.0, posture=1.0):
        add(share, np.full(int(seconds * RATE), posture))

    hold(random.uniform(1.5, 5), posture=0)
    for index, reps in enumerate(bouts):
        if index == 0 or drops:
            add(0, minimum_jerk(random.uniform(0.8, 1.5)))
            hold(random.uniform(0.3, 1.5))
        for _ in range(reps):
            share = random.normal(1, 0.06)
            for line, (least, most) in ((minimum_jerk(out * random.uniform(0.85, 1.18)), stop),
                                        (1 - minimum_jerk(back * random.uniform(0.85, 1.18)), rest)):
                add(share * line, np.ones(len(line)))
                hold(random.uniform(least, most), share if line[0] < 0.5 else 0)
        hold(random.uniform(0.3, 1))
        if index == len(bouts) - 1 or drops:
            add(0, 1 - minimum_jerk(random.uniform(0.8, 1.5)))
        hold(gap * random.uniform(0.8, 1.2), posture=posture[-1][-1].round())
    return np.concatenate(far), np.concatenate(posture)


def record(exercise, course, side, random=random):
    """Acceleration with gravity (g) and rotation rate (rad/s) in the unit's frame, samples × 3 each."""
    far, posture = course
    n = len(far)
    wander = functools.partial(wrist.wander, random)
    held, moved = EXERCISES[exercise]
    size = random.uniform(0.75, 1.1)
    angle = {
        joint: np.radians(held.get(joint, 0)) * posture + np.radians(moved.get(joint, 0)) * size * far
        + wander(n, np.radians(1.5), 0.4) for joint in JOINTS}
    upper = (turns(2, -side * angle["sweep"]) @ turns(1, -side * (angle["abduction"] + 0.1))
             @ turns(0, angle["flexion"]) @ turns(2, -side * angle["turn"]))
    lower = upper @ turns(0, angle["elbow"] + 0.14)
    place = upper @ np.array([0, 0, -0.3]) + lower @ np.array([0, 0, -0.24])
    place += np.stack([wander(n, 0.006, 0.5), wander(n, 0.008, 0.5), wander(n, 0.002, 0.8)], 1)
    own = np.stack([np.gradient(np.gradient(x)) * RATE**2 for x in place.T], 1)
    attitude = lower @ turns(2, side * angle["pronation"]) @ wrist.mounting(random)
    acceleration, rate = wrist.readings(attitude, wrist.smoothed(own))
    return (acceleration + random.normal(0, 0.006, (n, 3)) + random.normal(0, 0.015, 3),
            rate + random.normal(0, 0.012, (n, 3)) + random.normal(0, 0.012, 3))


def write(path, acceleration, rate, kept):
    """Writes every so many samples."""
    with open(path, "w") as file:
        columns = [f"{sensor}{axis}" for sensor in ("totalAcceleration", "rotation") for axis in "XYZ"]
        file.write(",".join(["timestamp", *columns]) + "\n")
        for i in range(0, len(rate), kept):
            numbers = ",".join(f"{x:.4f}" for x in (*acceleration[i], *rate[i]))
            file.write(f"{i / RATE:.3f},{numbers}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    folder = parser.parse_args().folder
    (folder / "recordings").mkdir(parents=True, exist_ok=True)
    labels = ["recording,reps,exercise"]
    for exercise in EXERCISES:
        for stops in STOPS:
            for index in range(FILES_OF_A_KIND):
                name = f"bouts{len(labels):03d}-{exercise}-{stops}"
                labels.append(f"{name},15,{exercise}")
                acceleration, rate = record(exercise, way((5, 5, 5), stops), 1 if index % 2 else -1)
                write(folder / "recordings" / f"{name}.csv", acceleration, rate, KEPT)
    (folder / "labels.csv").write_text("\n".join(labels) + "\n")


if __name__ == "__main__":
    main()
