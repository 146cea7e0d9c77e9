import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import results  # noqa: E402

PAGE = """# Accuracy

Measured 2026-11-22 at commit abc1234.

- Machine: 2 × Processor.

## Counts

| | sets | exact |
|---|---|---|
| gym | 86 | **97 %** |
| home | 9 | 33 % |
"""


class ResultsTests(unittest.TestCase):
    def setUp(self):
        self.file = {"accuracy": results.section(PAGE)}

    def test_a_page_is_converted_to_a_section(self):
        self.assertEqual(
            self.file["accuracy"],
            {"date": "2026-11-22", "commit": "abc1234", "machine": "2 × Processor",
             "tables": {"Counts": [["", "sets", "exact"], ["gym", "86", "**97 %**"], ["home", "9", "33 %"]]}},
        )  # fmt: skip

    def test_marks_are_filled_from_the_file(self):
        def filled(mark):
            return results.render(f"a <!-- results: {mark} -->old<!-- end --> b", self.file)

        self.assertIn("-->97 %<!-- end --> b", filled("accuracy > Counts > gym > exact"))
        self.assertIn("|gym|86|**97 %**|\n|home", filled("accuracy > Counts"))
        only = filled("accuracy > Counts > rows home > columns ; exact")
        self.assertIn("||exact|\n|---|---|\n|home|33 %|\n<!--", only)
        self.assertIn("2026-11-22 at commit abc1234, on 2 × Processor.", filled("accuracy"))
        anywhere = {"counts": results.section(PAGE.replace("- Machine: 2 × Processor.", ""))}
        self.assertEqual(results.region(anywhere, "counts"),
                         "Measured on 2026-11-22 at commit abc1234; the same on every machine.")  # fmt: skip
        self.assertEqual(results.render(only, self.file), only)

    def test_an_unknown_mark_is_an_error(self):
        for mark in ("speed", "accuracy > Other", "accuracy > Counts > gym > reps", "accuracy > Counts > pool > sets"):
            with self.assertRaises(results.ResultsError):
                results.region(self.file, mark)

    def test_a_figure_that_differs_from_the_file_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "docs").mkdir()
            (root / "docs/results.json").write_text(json.dumps(self.file))
            page = root / "README.md"
            page.write_text("<!-- results: accuracy > Counts > gym > exact -->97 %<!-- end -->")
            self.assertEqual(results.differences(root), [])
            page.write_text("<!-- results: accuracy > Counts > gym > exact -->98 %<!-- end -->")
            self.assertEqual(len(results.differences(root)), 1)
            page.write_text("<!-- results: accuracy > Counts > gym > exact -->97 %")
            self.assertEqual(len(results.differences(root)), 1)

    def test_the_pages_match_the_file(self):
        self.assertEqual(results.differences(), [])

    def test_a_check_without_a_result_is_listed(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / ".ci/full").mkdir(parents=True)
            for name in ("kills", "scale"):
                (Path(folder) / ".ci/full" / name).touch()
            held = {"kills": {"verdict": "held", "commit": "abc", "date": "2026-11-21"}}
            self.assertEqual(
                results.check_table(held, Path(folder)).splitlines()[2:],
                ["|kills|held|abc|2026-11-21|", "|scale|not run|||"])  # fmt: skip

    def test_a_check_without_a_result_is_marked(self):
        self.assertEqual(results.region({"checks": {}}, "checks > history-kills"), "\nNot run.\n")
        with self.assertRaises(results.ResultsError):
            results.region({"checks": {}}, "checks > no-such-check")

    def test_a_long_check_keeps_its_verdict(self):
        held = results.check_section("## kills\n\nFAILED at commit abc with changes, 2026-11-21, 12 s.\n\n- 3 of 4\n")
        self.assertEqual(
            held, {"verdict": "FAILED", "commit": "abc with changes", "date": "2026-11-21",
                   "text": "- 3 of 4"})  # fmt: skip


if __name__ == "__main__":
    unittest.main()
