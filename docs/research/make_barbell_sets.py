#!/usr/bin/env python3
"""Writes simulated barbell sets with all that a lifter does around them (vertical-velocity.md).

    docs/research/make_barbell_sets.py FOLDER [SEED]
    reptrace evaluate FOLDER/labels.csv --recordings FOLDER/recordings --by lift
    reptrace evaluate FOLDER/sets.csv --recordings FOLDER/recordings --by lift --mode given

Squats, bench presses, deadlifts, rows and presses of 3 to 10 reps, as a MetaMotion on the wrist would record them.
The lifter walks to the bar, takes it up, walks with it where that is usual, lifts, puts it back and walks away. The
sensor has an offset and errors of scale. Needs NumPy.
"""

import argparse
import pathlib

import numpy as np

import simulated_wrist as wrist
from simulated_wrist import EPOCH, RATE, minimum_jerk, turns

SETS_OF_A_LIFT = 40
# Seconds between two reps, from and to.
PAUSES = [(0.05, 0.4), (0.2, 1.5), (0.2, 1.5), (0.8, 3.5)]
# Pitch of the forearm where the arm hangs, degrees.
HANGING = 70


class Lifter:
    """Where the wrist goes, move by move: forward, sideways and up in m, pitch, roll and yaw in degrees."""

    AXES = ("forward", "sideways", "up", "pitch", "roll", "yaw")

    def __init__(self, random):
        self.random, self.uniform = random, random.uniform
        self.at = dict.fromkeys(self.AXES, 0.0) | {"pitch": HANGING}
        self.way = []
        self.reps = []

    def move(self, seconds, to=None, **by):
        """One movement: `to` a posture, and `by` so much."""
        start = [self.at[axis] for axis in self.AXES]
        self.at |= to or {}
        for axis, change in by.items():
            self.at[axis] += change
        end = [self.at[axis] for axis in self.AXES]
        self.way.append(start + np.outer(minimum_jerk(seconds), np.subtract(end, start)))

    def rest(self, least, most):
        self.move(self.uniform(least, most) + 0.01)

    def walk(self, least, most, swing):
        """Some steps, the arm swinging by so many degrees to each side."""
        steps = self.random.integers(least, most)
        if steps == 0:
            return
        count = int(steps * self.uniform(0.5, 0.65) * RATE)
        phase = np.linspace(0, 2 * np.pi * steps, count) + self.uniform(0, 2 * np.pi)
        edge = np.arange(count) / (0.35 * RATE)
        ease = np.clip(np.minimum(edge, edge[::-1]), 0, 1)
        ease = ease * ease * (3 - 2 * ease)
        way = np.tile([self.at[axis] for axis in self.AXES], (count, 1))
        way[:, 0] += np.cumsum(self.uniform(0.7, 1.2) * ease * (1 + 0.12 * np.sin(phase + 1))) / RATE
        way[:, 1] += 0.02 * ease * np.sin(phase / 2)
        way[:, 2] += self.uniform(0.012, 0.025) * ease * np.cos(phase)
        way[:, 3] += swing * ease * np.sin(phase / 2)
        way[:, 4] += self.uniform(2, 8) * ease * np.sin(phase / 2 + self.uniform(-1, 1))
        self.at["forward"] = way[-1, 0]
        self.way.append(way)

    def seconds(self):
        return sum(map(len, self.way)) / RATE

    def lift(self, reps, up, tilt, out, back, stop, pause, forward=0.0):
        """Reps that go `up` m (or down) and back, and slow down."""
        for rep in range(reps):
            slower = 1 + 0.5 * rep / max(1, reps - 1) * self.uniform(0, 1)
            # It is the way up that tires.
            out_slower, back_slower = (slower, 1) if up > 0 else (1, slower)
            home, begin = dict(self.at), self.seconds()
            self.move(
                out * out_slower * self.uniform(0.87, 1.13), up=up * self.random.normal(1, 0.04),
                pitch=tilt * self.random.normal(1, 0.12), forward=forward * self.random.normal(1, 0.3))
            self.rest(*stop)
            self.move(back * back_slower * self.uniform(0.87, 1.13), to=home)
            self.reps.append((begin, self.seconds()))
            if rep + 1 < reps:
                self.rest(*pause)


# A lift and what is done around it. `lower` and `raise_`: s that a rep's way down and up take; `pause`: s between two
# reps, from and to.


def squat(one, reps, lower, raise_, pause):
    one.move(one.uniform(0.7, 1.3), up=0.6, pitch=one.uniform(-150, -110), roll=one.uniform(-30, 30))
    one.rest(0.5, 2.5)
    one.move(one.uniform(0.5, 1), up=-one.uniform(0.05, 0.15))
    one.rest(0.2, 1.5)
    one.move(one.uniform(0.5, 1), up=one.uniform(0.1, 0.2))
    one.walk(2, 4, one.uniform(1, 4))
    one.rest(0.8, 4)
    one.lift(reps, -one.uniform(0.4, 0.65), one.uniform(2, 22), lower, raise_, (0, 0.4), pause)
    one.rest(0.5, 3)
    one.walk(2, 4, one.uniform(1, 4))
    one.move(one.uniform(0.4, 0.9), up=-one.uniform(0.05, 0.15))


def bench_press(one, reps, lower, raise_, pause):
    one.move(one.uniform(0.8, 1.5), up=-0.4, pitch=-40)
    one.rest(0.5, 2)
    one.move(one.uniform(0.7, 1.3), up=0.9, pitch=one.uniform(-120, -100), roll=one.uniform(-20, 20))
    one.rest(0.7, 3)
    one.move(one.uniform(0.3, 0.6), up=one.uniform(0.02, 0.07))
    one.move(one.uniform(0.5, 1), forward=one.uniform(0.08, 0.2))
    one.rest(0.5, 2.5)
    one.lift(reps, -one.uniform(0.28, 0.45), one.uniform(2, 18), lower, raise_, (0, 0.5), pause,
             forward=one.uniform(-0.1, 0.1))  # fmt: skip
    one.rest(0.3, 2)
    one.move(one.uniform(0.5, 0.9), forward=-one.uniform(0.08, 0.2))
    one.move(one.uniform(0.2, 0.5), up=-one.uniform(0.03, 0.08))
    one.rest(0.3, 1.5)
    one.move(one.uniform(0.7, 1.2), to={"up": -0.4, "pitch": 60, "roll": 0})


def deadlift(one, reps, lower, raise_, pause):
    height, tilt = one.uniform(0.45, 0.6), one.uniform(3, 20)
    # The hand is turned to the bar before the lifter bends down to it, or meanwhile.
    turn = one.random.normal(60, 20)
    is_turned = one.uniform(0, 1) < 0.4
    if is_turned:
        one.move(one.uniform(0.3, 0.6), yaw=turn)
        one.rest(0.3, 1)
    one.move(one.uniform(1, 2), up=-height, pitch=tilt * one.uniform(0.5, 1.5), yaw=0 if is_turned else turn)
    one.rest(0.5, 4)
    floor = (0, 0.3) if one.uniform(0, 1) < 0.5 else (0.3, 2.5)
    one.lift(reps, height, -tilt, raise_, 0.85 * lower, (0.2, 1.2), floor)
    one.rest(0.2, 1.2)
    one.move(one.uniform(0.8, 1.5), to={"pitch": HANGING}, up=height, yaw=0 if is_turned else -turn)


def row(one, reps, lower, raise_, pause):
    height = one.uniform(0.45, 0.6)
    one.move(one.uniform(1, 2), up=-height)
    one.rest(0.5, 3)
    one.move(one.uniform(1, 1.6), up=height)
    one.rest(0.3, 2)
    one.move(one.uniform(0.7, 1.4), up=-one.uniform(0.2, 0.35), pitch=one.uniform(0, 20))
    one.rest(0.3, 2)
    one.lift(reps, one.uniform(0.25, 0.4), one.uniform(10, 45), 0.7 * raise_, 0.7 * lower, (0, 0.3),
             (pause[0], min(pause[1], 1.5)), forward=one.uniform(0, 0.1))  # fmt: skip
    one.rest(0.3, 1.5)
    one.move(one.uniform(0.7, 1.3), to={"pitch": HANGING}, up=0.25)
    one.rest(0.2, 1)
    one.move(one.uniform(0.8, 1.5), up=-height)
    one.rest(0.3, 1)
    one.move(one.uniform(0.8, 1.3), to={"up": 0})


def press(one, reps, lower, raise_, pause):
    one.move(one.uniform(0.7, 1.3), up=0.4, pitch=one.uniform(-155, -125), roll=one.uniform(-20, 20))
    one.rest(0.5, 2)
    one.move(one.uniform(0.4, 0.8), up=one.uniform(0.04, 0.1))
    one.walk(1, 4, one.uniform(1, 4))
    one.rest(0.5, 3)
    one.lift(reps, one.uniform(0.4, 0.6), one.uniform(2, 20), raise_, 0.8 * lower, (0.05, 1), pause,
             forward=one.uniform(-0.05, 0.1))  # fmt: skip
    one.rest(0.4, 2)
    one.walk(1, 4, one.uniform(1, 4))
    one.move(one.uniform(0.4, 0.8), up=-0.07)


LIFTS = {"squat": squat, "bench": bench_press, "deadlift": deadlift, "row": row, "press": press}


def recording(lift, reps, random):
    """Begin and end of the reps, s; acceleration with gravity (g) and rotation rate (deg/s), samples × 3."""
    one = Lifter(random)
    one.rest(0.2, 1.5)
    one.walk(0, 7, one.uniform(8, 25))
    one.rest(0.2, 1)
    pause = PAUSES[random.integers(len(PAUSES))]
    lift(one, reps, one.uniform(0.8, 1.8), one.uniform(0.7, 1.6), pause)
    one.rest(0.2, 1)
    one.move(one.uniform(0.7, 1.2), to={"pitch": HANGING, "roll": 0, "up": 0})
    one.walk(0, 7, one.uniform(8, 25))
    one.rest(0.2, 1.2)
    way = np.concatenate(one.way)
    for axis, noises in enumerate((
            [(0.008, 0.5)], [(0.006, 0.5)], [(0.005, 0.8), (0.0007, 4)],
            [(1.2, 0.5), (0.4, 3)], [(1.5, 0.4), (0.4, 3)], [(2, 0.4)])):  # fmt: skip
        for deviation, hz in noises:
            way[:, axis] += wrist.wander(random, len(way), deviation, hz)
    own = wrist.smoothed(np.gradient(np.gradient(way[:, [1, 0, 2]], axis=0), axis=0) * RATE**2)
    pitch, roll, yaw = np.radians(way[:, 3:]).T
    attitude = turns(2, yaw) @ turns(1, roll) @ turns(0, pitch) @ wrist.mounting(random)
    acceleration, rate = wrist.readings(attitude, own)
    acceleration = acceleration * random.normal(1, 0.02, 3) + random.normal(0, 0.04, 3)
    return one.reps, acceleration, np.degrees(rate + random.normal(0, 0.015, 3))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    options = parser.parse_args()
    random = np.random.default_rng(options.seed)
    (options.folder / "recordings").mkdir(parents=True, exist_ok=True)
    files, sets = ["recording,reps,lift"], ["recording,reps,lift,start,end"]
    for name, lift in LIFTS.items():
        for _ in range(SETS_OF_A_LIFT):
            reps = int(random.choice([3, 4, 5, 5, 5, 5, 6, 8, 10, 10, 10]))
            file = f"{name}{len(files):03d}"
            spans, *signals = recording(lift, reps, random)
            files.append(f"{file},{reps},{name}")
            sets.append(f"{files[-1]},{EPOCH + spans[0][0]:.3f},{EPOCH + spans[-1][1]:.3f}")
            wrist.write_meta_motion(options.folder / "recordings", file, signals, random)
    (options.folder / "labels.csv").write_text("\n".join(files) + "\n")
    (options.folder / "sets.csv").write_text("\n".join(sets) + "\n")


if __name__ == "__main__":
    main()
