"""The published counters of Benchmarks/Rivals; skipped where SciPy is missing."""

import sys
import unittest
from pathlib import Path

try:
    import numpy as np

    sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "Benchmarks/Rivals"))
    import counters
except ImportError:
    counters = None


def swings(count, seconds=2.0, noise=0.02):
    """Returns the acceleration of a wrist that turns to and fro, with a second of rest on both sides."""
    source = np.random.default_rng(3)
    n, rest = int(count * seconds * counters.RATE), int(counters.RATE)
    angle = 0.5 * (1 - np.cos(2 * np.pi * count * np.arange(n) / n))
    angle = np.concatenate([np.zeros(rest), angle, np.zeros(rest)])
    x = np.stack([np.sin(angle), np.zeros(len(angle)), np.cos(angle)], 1)
    return x + noise * source.normal(size=x.shape)


@unittest.skipIf(counters is None, "SciPy is missing")
class RivalCounters(unittest.TestCase):
    def test_even_swings_are_counted(self):
        for name, count in counters.COUNTERS.items():
            for reps, seconds in ((6, 2.0), (12, 1.2), (9, 3.0)):
                with self.subTest(counter=name, reps=reps):
                    self.assertLessEqual(abs(count(swings(reps, seconds)) - reps), 1)

    def test_a_short_signal_has_no_reps(self):
        for count in counters.COUNTERS.values():
            self.assertEqual(count(np.zeros((20, 3))), 0)

    def test_the_period_is_the_highest_peak_of_the_autocorrelation(self):
        x = np.sin(2 * np.pi * np.arange(1000) / (1.6 * counters.RATE))
        self.assertAlmostEqual(counters.best_lag(counters.autocorrelation(x)) % 1.6, 0, delta=0.05)

    def test_of_two_near_peaks_the_higher_remains(self):
        kept = counters.thinned(np.array([0, 10, 40]), np.array([1.0, 2.0, 0.5]), np.full(3, 20.0))
        self.assertEqual(kept, [1, 2])


if __name__ == "__main__":
    unittest.main()
