"""Tests that every cell of the tutorial and of the README runs."""

from __future__ import annotations

import json
import os
import re

import nbclient
import nbformat
import pytest
from conftest import ROOT


def test_the_tutorial_runs_and_counts_better_than_peaks():
    notebook = nbformat.read(ROOT / "python/tutorial.ipynb", as_version=4)
    nbformat.validate(notebook)
    notebook.cells.append(nbformat.v4.new_code_cell("print(summary.to_json())"))
    nbclient.NotebookClient(
        notebook, timeout=300, resources={"metadata": {"path": ROOT / "python"}}
    ).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert sum("image/png" in output.get("data", {}) for output in outputs) == 2
    summary = json.loads(outputs[-1]["text"])
    assert summary["exact"]["reptrace"] > 0.7
    assert summary["mean absolute error"]["reptrace"] < summary["mean absolute error"]["peaks"]


def test_every_cell_of_the_readme_runs(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib").use("Agg")
    os.symlink(ROOT / "fixtures", tmp_path / "fixtures")
    monkeypatch.chdir(tmp_path)
    cells = re.findall(r"```python\n(.*?)```", (ROOT / "python/README.md").read_text(), flags=re.DOTALL)
    assert cells
    names: dict[str, object] = {}
    for number, cell in enumerate(cells, 1):
        exec(compile(cell, f"README.md, cell {number}", "exec"), names)
