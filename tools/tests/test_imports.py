"""Every module of the package imports only the modules that it declares, and so only those before it."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TARGET = re.compile(r'\n    \.(?:target|executableTarget)\(\s*name: "(\w+)"(.*?)(?=\n    \.\w+\(|\n  \],\n)', re.S)
IMPORT = re.compile(r"^\s*(?:@\w+ )?import (\w+)", re.M)


class ImportsTest(unittest.TestCase):
    def test_every_import_is_declared(self):
        modules = {folder.name for folder in (ROOT / "Sources").iterdir()}
        targets = TARGET.findall((ROOT / "Package.swift").read_text())
        self.assertGreater(len(targets), 12)
        for name, body in targets:
            imported = {
                module
                for file in (ROOT / "Sources" / name).rglob("*.swift")
                for module in IMPORT.findall(file.read_text())
            }
            declared = set(re.findall(r'"(\w+)"', body)) | {name}
            self.assertEqual(imported & modules - declared, set(), f"{name} imports what it does not declare")


if __name__ == "__main__":
    unittest.main()
