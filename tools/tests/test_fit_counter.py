"""`fit-counter` from end to end, with a fake command. Run by `python3 -m unittest discover -s tools/tests`."""

import contextlib
import importlib.machinery
import importlib.util
import io
import json
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

TOOLS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOOLS))

try:
    import counter_fit as fits
except ImportError:
    fits = None

FAKE = """#!{python}
import csv, random, sys
from pathlib import Path

SCORE = {score!r}
arguments = sys.argv[1:]
after = lambda name: arguments[arguments.index(name) + 1]
if arguments[0] == "generate":
    folder = Path(after("-o"))
    (folder / "recordings").mkdir(parents=True)
    with open(folder / "labels.csv", "w") as file:
        file.write("recording,start,end,reps\\n")
        for i in range(40):
            file.write(f"s{{i}},10,40,{{5 + i % 4}}\\n")
    sys.exit()
rows = list(csv.DictReader(open(arguments[1])))
mode = after("--mode")
columns = ["swing", "speed", "irregular", "steadiness", "bounce", "unmeasured", "steps", "evenness",
           "run_reps", "step_peak", "pause_max", "posture_beside", "move_beside"]
with open(after("--segmentations"), "w") as file:
    out = csv.writer(file)
    out.writerow(["recording", "mode", "stretch", "begin", "end", "row", "reps", "period", "first", "last", *SCORE, *columns])
    for row in rows:
        source = random.Random(row["recording"])
        reps = int(row["reps"])
        for count in range(max(2, reps - 2), reps + 3):
            fit = -abs(count - reps) * source.random()
            features = [fit / 4, 2 + fit, 0.1 * count, 0.1, -fit, -fit, 0.5, 0.2]
            wide = 0.5 if reps else 0.05
            out.writerow([row["recording"], mode, 0, 8, 42, 0, count, 3 if reps else 1.1, 10, 40, *features,
                          wide, 0.1, 0.1, 0.5, 0.2, 1, 0.5, 0.8, count, 0.1, 0, 0.5, 0.6])
"""


@unittest.skipIf(fits is None, "NumPy or SciPy is missing")
class FitCounter(unittest.TestCase):
    def setUp(self):
        loader = importlib.machinery.SourceFileLoader("fit_counter", str(TOOLS / "fit-counter"))
        spec = importlib.util.spec_from_loader("fit_counter", loader)
        self.tool = importlib.util.module_from_spec(spec)
        loader.exec_module(self.tool)
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.program = self.folder / "reptrace"
        self.program.write_text(FAKE.format(python=sys.executable, score=list(fits.SCORE)))
        self.program.chmod(0o755)
        rest = self.folder / "rest"
        (rest / "recordings").mkdir(parents=True)
        lines = [f"walk{i},0" for i in range(20)]
        (rest / "labels.csv").write_text("\n".join(["recording,reps", *lines]) + "\n")
        totals = self.folder / "totals"
        (totals / "recordings").mkdir(parents=True)
        lines = [f"t{i},{6 + i % 3}" for i in range(12)]
        (totals / "labels.csv").write_text("\n".join(["recording,reps", *lines]) + "\n")

    def run_tool(self, *arguments):
        output = io.StringIO()
        with (
            mock.patch.object(sys, "argv", ["fit-counter", str(self.program), *map(str, arguments)]),
            mock.patch.object(self.tool.datasets, "present", lambda: []),
            mock.patch.object(self.tool, "WEIGHTS", self.tool.datasets.ROOT / "Weights.swift"),
            contextlib.redirect_stdout(output),
            contextlib.redirect_stderr(io.StringIO()),
        ):
            self.tool.main()
        return json.loads(output.getvalue())

    def test_fits_folders_of_spans_totals_and_rest(self):
        folds = self.folder / "folds"
        found = self.run_tool(
            f"rest={self.folder / 'rest'}", f"other={self.folder / 'totals'}", "--folds", folds)  # fmt: skip
        self.assertEqual(list(found["score"]), list(fits.SCORE))
        self.assertEqual(list(found["gate"]), list(fits.GATE))
        for name, sign in (fits.SCORE | fits.GATE).items():
            weight = (found["score"] | found["gate"])[name]
            self.assertGreaterEqual(weight * sign, 0, name)
        self.assertGreater(found["score"]["qmean"], 0)
        self.assertLess(found["gate"]["gait"], 0)
        names = sorted(path.name for path in folds.iterdir())
        self.assertEqual(names, ["without-other.json", "without-rest.json"])

    def test_folders_with_the_same_name_are_read_separately(self):
        for name, count in (("alice", 3), ("bob", 5)):
            folder = self.folder / name / "recs"
            (folder / "recordings").mkdir(parents=True)
            lines = [f"{name}{i},{6 + i},10,40" for i in range(count)]
            (folder / "labels.csv").write_text("\n".join(["recording,reps,start,end", *lines]) + "\n")
        wanted = self.tool.extras([f"{name}={self.folder / name / 'recs'}" for name in ("alice", "bob")], [])
        self.assertEqual([one.name for one in wanted], ["alice", "bob"])
        dumps = self.folder / "dumps"
        dumps.mkdir()
        for dataset, names in zip(wanted, ({f"alice{i}" for i in range(3)}, {f"bob{i}" for i in range(5)})):
            given, recordings = self.tool.gather(self.program, dataset, dumps)
            self.assertEqual({one.recording for one in given}, names)
            self.assertEqual({one.recording for *_, parts in recordings for one in parts}, names)

    def test_rejects_ambiguous_folders(self):
        totals = self.folder / "totals"
        for folders, reason in (
            ([f"a={totals}", f"a={self.folder / 'rest'}"], "another folder is called a"),
            ([f"synthetic={totals}"], "another folder is called synthetic"),
            ([str(totals)], "expected NAME=FOLDER"),
            ([f"={totals}"], "expected NAME=FOLDER"),
            ([f"a/b={totals}"], "expected NAME=FOLDER"),
            (["a="], "expected NAME=FOLDER"),
            ([f"a={self.folder}"], "labels.csv in FOLDER"),
        ):
            with self.assertRaisesRegex(SystemExit, reason):
                self.run_tool(*folders)

    def test_writes_swift_that_names_every_weight_once(self):
        weights = fits.Weights(fits.np.arange(8.0), fits.np.arange(float(len(fits.GATE))))
        text = self.tool.swift(weights)
        self.assertIn("SIMD8(0, 1, 2, 3, 4, 5, 6, 7)", text)
        self.assertIn("[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]", text)
        self.assertTrue(text.startswith("// Written by tools/fit-counter. Do not edit."))


if __name__ == "__main__":
    unittest.main()
