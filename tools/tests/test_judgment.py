"""Run by `python3 -m unittest discover -s tools/tests`."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from accuracy import (  # noqa: E402
    COLUMNS,
    DAILY,
    OPERATING_ROWS,
    Row,
    accept,
    activity_lines,
    committed,
    false_reps_an_hour,
    operating_lines,
    pooled,
    strictest,
)
from judgment import Result, auroc, calibration, exact_interval, interval, paired, percent  # noqa: E402


def result(recording, reps, counted, confidence=None, index=0):
    return Result(recording, index, reps, counted, confidence)


class Figures(unittest.TestCase):
    def test_exact_and_within_one(self):
        found = [result("a", 10, 10), result("b", 10, 11), result("c", 10, 12)]
        self.assertAlmostEqual(percent(found), 100 / 3)
        self.assertAlmostEqual(percent(found, "within_one"), 200 / 3)

    def test_intervals_are_bootstrapped_over_recordings(self):
        # A hundred sets of one recording are one observation.
        sets = {"a": [100.0] * 100, "b": [0.0]}
        low, high = interval(sets)
        self.assertEqual((low, high), (0.0, 100.0))
        self.assertEqual(interval(sets), interval(sets), "reproducible")

    def test_no_results_have_no_interval(self):
        self.assertNotEqual(exact_interval([])[0], exact_interval([])[0])

    def test_paired_difference_uses_shared_sets_only(self):
        before = {("a", 0): False, ("b", 0): True}
        found = [result("a", 5, 5), result("b", 5, 5), result("c", 5, 4)]
        mean, low, high = paired(found, before)
        self.assertAlmostEqual(mean, 50)
        self.assertLessEqual(low, mean)
        self.assertGreaterEqual(high, mean)
        self.assertIsNone(paired(found, {}))

    def test_auroc_counts_ties_as_half(self):
        self.assertEqual(auroc([(0.9, True), (0.1, False)]), 1)
        self.assertEqual(auroc([(0.5, True), (0.5, False)]), 0.5)
        self.assertAlmostEqual(auroc([(0.9, True), (0.5, False), (0.5, True), (0.2, False)]), 0.875)
        self.assertIsNone(auroc([(0.5, True)]))

    def test_calibration_of_a_constant_gains_nothing(self):
        found = [result("a", 5, 5, 0.5), result("b", 5, 6, 0.5), result("c", 5, 0)]
        one = calibration(found)
        self.assertEqual((one.count, one.bias, one.gain), (2, 0, 0))
        self.assertIsNone(calibration([result("a", 5, 0)]))


class CommittedResults(unittest.TestCase):
    def test_accepted_results_are_read_back(self):
        row = Row("row, one", Path("nowhere"))
        columns = {COLUMNS[0]: ([result("a", 5, 5), result("a", 6, 7, index=1)], None),
                   COLUMNS[2]: ([result("a", 5, 4), result("a", 6, 6, index=1)], None)}  # fmt: skip
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "results.csv"
            self.assertEqual(committed(path), ("", {}))
            accept([(row, columns)], "abc1234 with changes", path)
            commit, before = committed(path)
        self.assertEqual(commit, "abc1234 with changes")
        self.assertEqual(before["row, one", COLUMNS[0]], {("a", 0): True, ("a", 1): False})
        self.assertEqual(before["row, one", COLUMNS[2]], {("a", 0): False, ("a", 1): True})
        self.assertNotIn(("row, one", COLUMNS[1]), before)
        self.assertEqual(strictest(columns), COLUMNS[2])

    def test_a_set_counts_once_in_each_row(self):
        rows = [Row("one", Path("x")), Row("two", Path("x"))]
        found = pooled([(row, [result("a", 5, 5)]) for row in rows])
        self.assertEqual(len({(r.recording, r.index) for r in found}), 2)


class Rates(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.folder / "recordings").mkdir()
        for name in "ab":
            # A quarter of an hour; `b` has stamps in milliseconds since 1970.
            begin, unit = (0, 1) if name == "a" else (1.6e12, 1000)
            lines = ["time,x", *(f"{begin + 450 * unit * i:.0f},0" for i in range(3))]
            (self.folder / f"recordings/{name}.csv").write_text("\n".join(lines) + "\n")

    def test_false_reps_are_per_counted_hour(self):
        row = Row("daily", self.folder, rest=True)
        self.assertEqual(false_reps_an_hour(row, [result("a", 0, 3), result("b", 0, 3)]), (12, 12, 12))
        self.assertEqual(false_reps_an_hour(row, [result("b", 0, 3)])[0], 12)

    def test_false_sets_are_listed_by_activity(self):
        sets = [{"recording": "a", "exercise": "soup", "setsFound": 3},
                {"recording": "b", "exercise": "walking", "setsFound": 1}]  # fmt: skip
        row = Row(DAILY, self.folder, rest=True)
        lines = activity_lines([(row, {COLUMNS[0]: ([], {"sets": sets})})])
        self.assertEqual(lines[2], "| soup | 12.0 (12.0 to 12.0) |")
        self.assertEqual(lines[3], "| walking | 4.0 (4.0 to 4.0) |")
        self.assertEqual(lines[4].split("(")[0], "| **all of these** | 8.0 ")
        self.assertEqual(activity_lines([]), [])

    def test_operating_points_use_weights_without_the_device(self):
        rows = [Row(name, self.folder, device="one", rest=name.startswith("daily")) for name in OPERATING_ROWS]
        asked = []

        class Fake:
            def evaluate(self, row, labels=None, weights=None, arguments=()):
                asked.append((weights, *arguments))
                likely = float(arguments[1]) < 0.5
                return {"sets": [{"recording": "a", "reps": 0 if row.rest else 5, "counted": 5 if likely else 0}]}

        table = [(row, {}) for row in [Row("another", self.folder), *rows]]
        lines = operating_lines(Fake(), table, {("one", ""): "w.json"})
        self.assertTrue(lines[0].endswith("| daily life, accelerometer alone, false reps an hour |"))
        self.assertEqual(lines[2], "| 0.3 | 100.0 | 100.0 | 100.0 | 20 | 20 |")
        self.assertEqual(lines[6], "| 0.7 | 0.0 | 0.0 | 0.0 | 0 | 0 |")
        self.assertEqual(set(asked[:5]), {("w.json", "--set-probability", "0.3")})
        self.assertEqual(len(asked), 25)


if __name__ == "__main__":
    unittest.main()
