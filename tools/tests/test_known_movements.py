"""Run by `python3 -m unittest discover -s tools/tests`; skipped where NumPy is missing."""

import collections
import contextlib
import datetime
import importlib.machinery
import importlib.util
import io
import sqlite3
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

with contextlib.suppress(ImportError):
    import numpy as np

TOOLS = Path(__file__).resolve().parent.parent


@unittest.skipIf(importlib.util.find_spec("numpy") is None, "NumPy is missing")
class KnownMovements(unittest.TestCase):
    def setUp(self):
        loader = importlib.machinery.SourceFileLoader("known_movements", str(TOOLS / "known-movements"))
        spec = importlib.util.spec_from_loader("known_movements", loader)
        self.tool = importlib.util.module_from_spec(spec)
        loader.exec_module(self.tool)
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def run_tool(self, action, *names):
        for name in names:
            (self.folder / name).touch()
        errors = io.StringIO()
        arguments = ["known-movements", "reptrace", action, "--recordings", str(self.folder)]
        with mock.patch.object(sys, "argv", arguments), contextlib.redirect_stderr(errors):
            with self.assertRaises(SystemExit):
                self.tool.main()
        return errors.getvalue()

    def test_patterns_are_read_and_written_in_the_tables_of_the_schema(self):
        store = self.folder / "store.sqlite"
        with contextlib.closing(sqlite3.connect(store)) as database:
            database.executescript((TOOLS.parent / "Sources/HistoryStorage/Schema/Schema.sql").read_text())
        example = bytes(self.tool.EXAMPLE_BYTES)
        known = {"curl": (b"\4\0Curl", [(example, 0.0)])}
        self.tool.write_learned(store, known)
        self.assertEqual(self.tool.learned(store), known)

    def test_names_contain_day_and_exercise(self):
        recording = Path("011224_APULL_W61_S1_R12.csv")
        self.assertEqual(self.tool.day(recording), datetime.date(2024, 12, 1))
        self.assertEqual(self.tool.exercise(recording), "APULL")

    def test_other_names_are_rejected(self):
        for name in ("curls.csv", "991324_APULL.csv", "1_2.csv"):
            self.assertIn(f"{name}: expected a name such as", self.run_tool("evaluate", name))
            (self.folder / name).unlink()

    def test_one_day_is_not_enough_to_fit(self):
        self.assertIn("two days or more", self.run_tool("fit", "011224_A_1.csv", "011224_A_2.csv"))

    def test_one_day_has_no_fractions(self):
        page = self.tool.page(self.tool.report([], collections.Counter()))
        self.assertIn("| none, for each set with its exercise left out | 0 of 0 |", page)

    def test_a_day_is_recognized_with_weights_of_other_days(self):
        tool, generator = self.tool, np.random.default_rng(1)
        means = generator.normal(size=(3, tool.PHASES, 3, 3))

        def example(exercise, day):
            values = means[exercise] + generator.normal(0, 0.1, means[0].shape)
            return bytes(28) + values.astype("<f4").tobytes(), (day + 0.5) * 86_400

        known = {
            str(exercise): (b"", [example(exercise, day) for day in range(4) for _ in range(2)])
            for exercise in range(3)}
        self.assertEqual(tool.right_left_out(known), [True] * 24)
        alone = {key: (name, examples[:2]) for key, (name, examples) in known.items()}
        self.assertEqual(tool.right_left_out(alone), [])

    def test_a_set_without_a_candidate_counts(self):
        sure = {"name": "curl", "probability": 0.9, "none": 0.1}
        span = {"recording": "011224_curl_1.csv", "start": 1, "end": 9}
        results = [{**span, "exerciseCandidate": sure}, span]
        known = {name: (b"", [(b"", 0.0)]) for name in ("curl", "row")}
        recordings = [self.folder / "011224_curl_1.csv"]
        with (
            mock.patch.object(self.tool, "process", lambda *_: results),
            mock.patch.object(self.tool, "learned", lambda _: known),
            mock.patch.object(self.tool, "write_learned"),
            mock.patch.object(self.tool.shutil, "copy"),
        ):
            report = self.tool.report(*self.tool.evaluate("reptrace", recordings, self.folder))
        self.assertEqual(report["likeliestRight"], {"right": 1, "of": 2, "share": 0.5})
        self.assertEqual(report["noneRight"], {"right": 1, "of": 2, "share": 0.5})
        self.assertEqual(report["confusions"], [])

    def test_sets_outside_the_label_are_not_exercise(self):
        recordings = self.folder / "recordings"
        (self.folder / "labels.csv").write_text("recording,start,end\ncurl,10,20.5\n")
        spans = self.tool.labelled([recordings / "curl.csv"])
        for name, start, end, expected in [
            ("curl", 9, 21, True), ("curl", 5, 15, True), ("curl", 4, 15, False), ("curl", 30, 40, False),
            ("row", 30, 40, True),
        ]:
            result = {"recording": f"recordings/{name}.csv", "start": start, "end": end}
            self.assertEqual(self.tool.is_within(result, spans), expected, result)


if __name__ == "__main__":
    unittest.main()
