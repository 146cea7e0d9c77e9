#!/usr/bin/env python3
"""Writes the diagram of imports into docs/architecture.md, from Package.swift: `tools/module_diagram.py`.

An arrow is an import. Implied imports are omitted: a module that imports RepDetection also imports Motion.
"""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/architecture.md"
TARGET = re.compile(r'\n    \.(?:target|executableTarget)\(\s*name: "(\w+)"(.*?)(?=\n    \.\w+\(|\n  \],\n)', re.S)
DIAGRAM = re.compile(r"```mermaid\n.*?```\n", re.S)
#: A program for a CI gate.
LEFT_OUT = "HotPaths"


def targets():
    """Returns the body of each target's declaration, by name, without tests."""
    return dict(TARGET.findall((ROOT / "Package.swift").read_text()))


def imports():
    """Returns the declared Swift modules of each Swift module."""
    modules = {name for name in targets() if any((ROOT / "Sources" / name).rglob("*.swift"))} - {LEFT_OUT}
    return {
        name: set(re.findall(r'"(\w+)"', body)) & modules - {name} for name, body in targets().items() if name in modules
    }


def without_implied(graph):
    """Returns the graph without the edges implied by longer paths."""

    def reached(name):
        return {name}.union(*(reached(other) for other in graph[name]))

    return {
        name: {one for one in direct if not any(one in reached(other) for other in direct - {one})}
        for name, direct in graph.items()
    }


def diagram():
    lines = [
        f"  {name} --> {' & '.join(sorted(direct))}" for name, direct in without_implied(imports()).items() if direct
    ]
    return "\n".join(["```mermaid", "graph BT", *lines, "```", ""])


if __name__ == "__main__":
    PAGE.write_text(DIAGRAM.sub(lambda _: diagram(), PAGE.read_text(), count=1))
