"""Run by `python3 -m unittest discover -s tools/tests`; skipped where NumPy and SciPy are missing."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

try:
    import numpy as np

    import counter_fit as fits
except ImportError:
    fits = None

COLUMNS = ["reps", "period", "first", "last", "swing", "bounce", "steps", "speed", "steadiness", "irregular",
           "unmeasured", "evenness", "run_reps", "step_peak", "pause_max", "posture_beside", "move_beside"]  # fmt: skip


def window(counts, features, true=None, recording="a", **columns):
    n = len(counts)
    values = {name: np.full(n, float(columns.get(name, 0.5))) for name in COLUMNS}
    values["reps"] = np.array(counts, float)
    for i, name in enumerate(fits.SCORE):
        values[name] = np.array(features, float)[:, i]
    return fits.Window(recording, "device", "", "found", 0, 0.0, 10.0, np.array(counts), np.array(features, float),
                        values, true)  # fmt: skip


def random_windows(count, weights, seed=1):
    """Returns windows whose true count is drawn from the model."""
    source = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        counts = source.integers(3, 9, 40)
        features = source.normal(size=(40, len(fits.SCORE)))
        one = window(counts, features)
        p = fits.probabilities(one, weights)
        one.true = int(counts[source.choice(40, p=p)])
        made.append(one)
    return made


@unittest.skipIf(fits is None, "NumPy or SciPy is missing")
class Score(unittest.TestCase):
    def test_recovers_the_weights_that_generated_the_counts(self):
        true = np.array([3.0, 2.0, 1.0, -2.0, -3.0, -1.0, -2.0, -1.5])
        found = fits.fit_score(random_windows(1500, true))
        np.testing.assert_allclose(found, true, atol=0.5)

    def test_weights_keep_their_sign(self):
        true = np.array([-3.0, 2.0, 1.0, 2.0, -3.0, -1.0, -2.0, -1.5])
        found = fits.fit_score(random_windows(300, true))
        self.assertEqual(found[0], 0)
        self.assertEqual(found[3], 0)

    def test_the_sum_over_segmentations_decides(self):
        features = np.zeros((4, len(fits.SCORE)))
        features[0, 0] = 0.5
        of_count, best = fits.posterior(window([5, 6, 6, 6], features), np.ones(len(fits.SCORE)))
        self.assertEqual(of_count.argmax(), 6)
        self.assertIn(best, (1, 2, 3))
        self.assertAlmostEqual(of_count.sum(), 1)

    def test_gradient_of_a_total_matches_its_likelihood(self):
        source = np.random.default_rng(3)
        parts = [source.integers(2, 6, 7) for _ in range(3)]
        scores = [source.normal(size=7) for _ in parts]
        gates = [0.7, 0.9, 0.4]

        def likelihood(flat):
            regions, at, slope, p = [], 0, np.zeros(21), []
            for counts, gate in zip(parts, gates):
                one = np.exp(flat[at : at + 7])
                p.append(one / one.sum())
                regions.append((at, at + 7, counts, gate))
                at += 7
            return fits.total_likelihood(8, regions, np.concatenate(p), slope, 1.0), slope

        flat = np.concatenate(scores)
        _, slope = likelihood(flat)
        for i in range(21):
            step = np.zeros(21)
            step[i] = 1e-5
            change = (likelihood(flat + step)[0] - likelihood(flat - step)[0]) / 2e-5
            self.assertAlmostEqual(change, -slope[i], places=5)

    def test_an_impossible_total_changes_nothing(self):
        slope = np.zeros(2)
        value = fits.total_likelihood(50, [(0, 2, np.array([3, 4]), 0.9)], np.array([0.5, 0.5]), slope, 1.0)
        self.assertEqual((value, list(slope)), (0.0, [0.0, 0.0]))


@unittest.skipIf(fits is None, "NumPy or SciPy is missing")
class Gate(unittest.TestCase):
    def one(self, **columns):
        features = np.zeros((2, len(fits.SCORE)))
        features[:, 1] = columns.pop("qmean", 2.5)
        return window([8, 8], features, **columns)

    def test_walking_is_recognized_by_pace_and_short_travel(self):
        walk = dict(period=1.12, swing=0.06, bounce=0.18, steps=0.0, unmeasured=1)
        slow = dict(walk, period=3.0)
        wide = dict(walk, swing=1.5)
        gait = [fits.movement(self.one(**c), 0)["gait"] for c in (walk, slow, wide)]
        self.assertGreater(gait[0], 0.8)
        self.assertLess(max(gait[1:]), 0.1)

    def test_with_a_gyroscope_walking_has_two_steps_per_swing(self):
        swing = dict(period=1.12, steadiness=0.98, bounce=0.1, speed=np.log(1.0), unmeasured=0)
        walk, pushup = (fits.movement(self.one(**swing, steps=steps), 0)["gait"] for steps in (0.9, 0.0))
        self.assertGreater(walk, 0.8)
        self.assertEqual(pushup, 0)
        two_strides = fits.movement(self.one(**{**swing, "period": 2.24}, steps=0.9), 0)["gait"]
        self.assertAlmostEqual(two_strides, walk)

    def test_few_movements_with_rests_are_less_probable(self):
        paused = {n: fits.movement(self.one(run_reps=n, evenness=0.25), 0)["paused"] for n in (2, 3, 4, 9)}
        self.assertLess(paused[2], paused[3])
        self.assertLess(paused[3], fits.movement(self.one(run_reps=3, evenness=0.8), 0)["paused"])
        self.assertEqual([paused[4], paused[9]], [0, 0])

    def test_missing_surroundings_are_uninformative(self):
        source = np.random.default_rng(7)
        names = list(fits.GATE)
        rows = []
        for k in range(600):
            x = source.normal(size=len(names))
            x[0] = 1
            is_set = k % 2 == 0
            x[names.index("posture_beside")] = 0.54 + (0.3 if is_set else -0.3)
            if is_set and k % 4 == 0:
                x[[names.index(name) for name in fits.BESIDE]] = np.nan
            rows.append(("device", x, float(is_set)))
        gate = fits.fit_gate(rows)
        self.assertGreater(gate[names.index("posture_beside")], 1)
        unknown = np.zeros(len(names))
        unknown[0] = 1
        unknown[[names.index(name) for name in fits.BESIDE]] = np.nan
        self.assertLess(abs(fits.with_beside(unknown) @ gate), 0.5)

    def test_separates_and_keeps_signs(self):
        source = np.random.default_rng(5)
        rows = []
        for _ in range(400):
            x = source.normal(size=len(fits.GATE))
            x[0] = 1
            # `reach` has the wrong sign, which the fit must not use.
            rows.append(("device", x, float(2 * x[1] - 2 * x[3] + source.normal() > 0)))
        found = dict(zip(fits.GATE, fits.fit_gate(rows)))
        self.assertGreater(found["qmean"], 0.5)
        self.assertEqual(found["reach"], 0)


@unittest.skipIf(fits is None, "NumPy or SciPy is missing")
class Dump(unittest.TestCase):
    def test_last_segmentations_are_used_and_poor_ones_omitted(self):
        header = ["recording", "mode", "stretch", "begin", "end", "row", "reps", "period", "first", "last", *fits.SCORE]
        lines = [",".join(header)]
        for index, begin, reps, score in ((0, 0, 5, 0), (1, 0.5, 6, 0), (1, 0.5, 7, -2), (2, 30, 4, 0)):
            values = ["a", "found", index, begin, begin + 20, 0, reps, 2, begin, begin + 20, score] + [0] * 7
            lines.append(",".join(map(str, values)))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "dump.csv"
            path.write_text("\n".join(lines) + "\n")
            found = fits.read_dump(path)
        self.assertEqual([list(s.counts) for s in found], [[6], [4]])

    def test_found_windows_get_the_count_of_the_only_overlapping_set(self):
        features = np.zeros((1, len(fits.SCORE)))
        made = [window([5], features, first=a, last=b) for a, b in ((0, 10), (20, 30), (40, 60), (62, 70))]
        fits.label(made, [(1, 9, 5), (41, 50, 4), (52, 69, 7)])
        self.assertEqual([s.true for s in made], [5, 0, None, None])
        self.assertEqual([s.is_set for s in made], [True, False, True, True])

    def test_windows_between_reps_are_not_labeled(self):
        features = np.zeros((1, len(fits.SCORE)))
        made = [window([5], features, first=a, last=b) for a, b in ((0, 40), (15, 22), (38, 50))]
        self.assertEqual(fits.outermost(made), [made[0], made[2]])


if __name__ == "__main__":
    unittest.main()
