"""Run by `python3 -m unittest discover -s tools/tests`."""

import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import live_figures  # noqa: E402

NOTHING = {"sets": 0, "reps": 0, "firstRepsWithin700Milliseconds": 0}
SOME = {"sets": 4, "reps": 40, "firstRepMedianSeconds": -0.04, "secondRepMedianSeconds": 0.26,
        "firstRepsWithin700Milliseconds": 3, "repsAtMostHalfSecondLate": 0.9, "repsWithinHalfSecond": 0.8,
        "countRight": 0.7, "correctionsPerSet": 0.25}  # fmt: skip


class LiveFigures(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        for name, labels in (
            ("carawatch", "recording,session,activity,reps\na,1,Squat,9\nb,2,Squat,9\nc,1,Typing,0\n"),
            ("spsw-daily", "recording,reps\na,0\n"),
        ):
            (self.folder / name / "recordings").mkdir(parents=True)
            (self.folder / name / "labels.csv").write_text(labels)
            for recording in "abc":
                (self.folder / f"{name}/recordings/{recording}.csv").write_text("time,x\n0,0\n1800,0\n")

    def test_rest_is_a_row_of_found_sets_only(self):
        def figures(reptrace, folder, filters):
            part = NOTHING if folder.name == "spsw-daily" else SOME
            return {"declared": part, "found": part, "falseSets": 2}

        with mock.patch.object(live_figures, "figures", figures):
            page = live_figures.page("reptrace", self.folder, self.folder)
        declared, found = (part.splitlines() for part in page.split("## Declared sets")[1].split("## Found sets"))
        some = "| carawatch, session 1 | 4 | 0.0 | 0.3 | 75 | 90 | 80 | 70 | 0.25 |"
        self.assertEqual(declared[4:6], [some, ""])
        # Half an hour: only one of the recordings passes the filters.
        self.assertEqual(found[4], some + " 2 | 4 |")
        self.assertEqual(found[5].split(" | "),
                         ["| daily life, gyroscope and accelerometer", "0", *[""] * 7, "2", "4 |"])  # fmt: skip
        self.assertEqual({line.count("|") for line in found[2:6]}, {12})


if __name__ == "__main__":
    unittest.main()
