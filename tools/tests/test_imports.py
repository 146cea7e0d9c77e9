"""Tests that every module imports only its declared dependencies."""

import re
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from module_diagram import PAGE, ROOT, diagram, targets, without_implied

IMPORT = re.compile(r"^\s*(?:@\w+ )?import (\w+)", re.M)


class ImportsTest(unittest.TestCase):
    def test_every_import_is_declared(self):
        modules = {folder.name for folder in (ROOT / "Sources").iterdir()}
        self.assertGreater(len(targets()), 12)
        for name, body in targets().items():
            imported = {
                module
                for file in (ROOT / "Sources" / name).rglob("*.swift")
                for module in IMPORT.findall(file.read_text())
            }
            declared = set(re.findall(r'"(\w+)"', body)) | {name}
            self.assertEqual(imported & modules - declared, set(), f"{name} imports what it does not declare")

    def test_the_docs_show_the_imports(self):
        self.assertIn(diagram(), PAGE.read_text(), "tools/module_diagram.py writes the diagram")

    def test_implied_imports_are_left_out(self):
        graph = {"a": set(), "b": {"a"}, "c": {"a", "b"}}
        self.assertEqual(without_implied(graph), {"a": set(), "b": {"a"}, "c": {"b"}})


if __name__ == "__main__":
    unittest.main()
