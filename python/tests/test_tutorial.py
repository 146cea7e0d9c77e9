"""Every cell of the tutorial and of the README runs."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from conftest import ROOT

PAGES = ["tutorial.md", "README.md"]


@pytest.mark.parametrize("page", PAGES)
def test_every_cell_runs(page, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib").use("Agg")
    os.symlink(ROOT / "fixtures", tmp_path / "fixtures")
    monkeypatch.chdir(tmp_path)
    text = (Path(__file__).resolve().parents[1] / page).read_text()
    cells = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    assert cells
    names: dict[str, object] = {}
    for number, cell in enumerate(cells, 1):
        exec(compile(cell, f"{page}, cell {number}", "exec"), names)
    if "exact" in names:
        assert names["exact"] > 0.7
