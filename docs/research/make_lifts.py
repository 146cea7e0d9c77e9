#!/usr/bin/env python3
"""Writes simulated barbell lifts as a MetaMotion on the wrist would record them (vertical-velocity.md).

    docs/research/make_lifts.py FOLDER
    reptrace evaluate FOLDER/labels.csv --recordings FOLDER/recordings

A bar goes down, stops, and comes up again, 3 to 10 times, by 0.35 to 0.65 m; the wrist tilts by 3 to 30 degrees
meanwhile. The lifter walks to the bar, lifts it off, and walks away. Independent of `reptrace generate`, whose wrists
tilt by at least 25 degrees in a squat. Needs NumPy.
"""

import argparse
import functools
import pathlib

import numpy as np

import simulated_wrist as wrist
from simulated_wrist import RATE, minimum_jerk, turns

TILTS = (3, 6, 10, 18, 30)
# Seconds of the stop below and of the pause above, from and to.
PAUSES = {"touch": ((0, 0.1), (0.05, 0.4)), "mixed": ((0, 0.5), (0.2, 1.5)), "long": ((0, 0.8), (0.8, 3.5))}
SETS_OF_A_KIND = 16

random = np.random.default_rng(5)
wander = functools.partial(wrist.wander, random)


def way(reps, pause):
    """How far down the bar is, from 0 to 1, and the samples before the first rep and after the last."""
    stop, rest = PAUSES[pause]
    lowering, lifting = random.uniform(0.8, 1.8), random.uniform(0.7, 1.6)
    before, after = int(random.uniform(2, 7) * RATE), int(random.uniform(1.5, 5) * RATE)
    parts = [np.zeros(before)]
    for i in range(reps):
        tired = 1 + 0.5 * i / max(1, reps - 1) * random.uniform(0, 1)
        depth = random.normal(1, 0.04)
        parts += [
            depth * minimum_jerk(lowering * random.uniform(0.85, 1.15)),
            np.full(int(random.uniform(*stop) * RATE), depth),
            depth * (1 - minimum_jerk(lifting * tired * random.uniform(0.9, 1.15))),
            np.zeros(int(random.uniform(*rest) * RATE))]
    return np.concatenate([*parts, np.zeros(after)]), before, after


def lift(reps, tilt, pause):
    """Acceleration with gravity (g) and rotation rate (deg/s) in the device's frame, samples × 3 each."""
    s, before, after = way(reps, pause)
    n = len(s)
    t = np.arange(n) / RATE
    height = -random.uniform(0.35, 0.65) * s + wander(n, 0.004, 1)
    forward = random.normal(0, 0.06) * s + wander(n, 0.01, 0.5)
    pitch = np.radians(tilt) * s + wander(n, np.radians(1.2), 0.5) + wander(n, np.radians(0.4), 3)
    roll = wander(n, np.radians(1.2), 0.4) + np.radians(tilt) / 4 * random.normal() * s
    yaw = wander(n, np.radians(1.5), 0.4)
    for a, b in ((0, before - int(1.2 * RATE)), (n - after + int(0.8 * RATE), n)):
        if b - a > RATE:
            steps = np.zeros(n)
            steps[a:b] = np.hanning(b - a) ** 0.3
            height = height + 0.012 * steps * np.sin(2 * np.pi * random.uniform(1.2, 1.9) * t + random.uniform(0, 6))
            forward = forward + 0.3 * np.cumsum(steps) / RATE
            pitch = pitch + steps * wander(n, np.radians(6), 0.8)
            roll = roll + steps * wander(n, np.radians(6), 0.8)
    off = np.zeros(n)
    off[max(0, before - int(1.3 * RATE)):] = 0.05
    smooth = np.hanning(int(0.35 * RATE))
    height = height + np.convolve(off, smooth / smooth.sum(), "same")
    own = np.stack([np.zeros(n), *(np.gradient(np.gradient(x)) * RATE**2 for x in (forward, height))], 1)
    attitude = turns(2, yaw) @ turns(1, roll) @ turns(0, pitch) @ wrist.mounting(random)
    acceleration, rate = wrist.readings(attitude, wrist.smoothed(own))
    return acceleration, np.degrees(rate + random.normal(0, 0.015, 3))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    folder = parser.parse_args().folder
    (folder / "recordings").mkdir(parents=True, exist_ok=True)
    labels = ["recording,reps"]
    for tilt in TILTS:
        for pause in PAUSES:
            for _ in range(SETS_OF_A_KIND):
                reps = int(random.choice([3, 4, 5, 5, 5, 6, 8, 10, 10]))
                name = f"lift{len(labels):03d}-{tilt}deg-{pause}"
                labels.append(f"{name},{reps}")
                wrist.write_meta_motion(folder / "recordings", name, lift(reps, tilt, pause), random)
    (folder / "labels.csv").write_text("\n".join(labels) + "\n")


if __name__ == "__main__":
    main()
