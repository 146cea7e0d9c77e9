#!/usr/bin/env python3
"""Measures how soon reps are told and writes the table: `live_figures.py REPTRACE PAGE [DATASETS]`.

Streams the labelled recordings that are present, as `reptrace evaluate --live` does. `results.py` takes
the page over into docs/results.json.
"""

import json
import subprocess
import sys
import tempfile
from datetime import datetime, timezone
from pathlib import Path

from datasets import DATA, ROOT

SYNTHETIC = ("--count", "40", "--seed", "5", "--sets", "1")
HEAD = ["recordings", "sets", "first rep after, s", "second after, s", "at most 0.5 s late, %",
        "within 0.5 s, %", "count right, %",
        "corrections a set"]  # fmt: skip


def rows(data, made):
    """(name, folder, filters) of what is streamed."""
    every = [
        ("watch-gym", data / "watch-gym", ()),
        ("carawatch, session 1", data / "carawatch", ("session=1", "activity=Crunch,Jumpingjack,Pullup,Lunge,"
                                                      "Pushup,Squat,Boxing,Skippingrope")),
        ("pt-wrist, three sets of ten a file", data / "pt-wrist-test", ()),
        ("synthetic", made, ()),
    ]  # fmt: skip
    return [one for one in every if (one[1] / "labels.csv").is_file()]


def figures(reptrace, folder, filters):
    where = [part for one in filters for part in ("--where", one)]
    output = subprocess.run(
        [reptrace, "evaluate", folder / "labels.csv", "--recordings", folder / "recordings", "--live",
         "--output", "json", *where], capture_output=True, text=True, check=True).stdout  # fmt: skip
    return json.loads(output)


def line(name, part):
    def seconds(key):
        # + 0.0: no "-0.0".
        return f"{round(part[key], 1) + 0.0:.1f}" if part.get(key) is not None else ""

    cells = [name, str(part["sets"]), seconds("firstRepMedianSeconds"), seconds("secondRepMedianSeconds"),
             f"{100 * part['repsAtMostHalfSecondLate']:.0f}", f"{100 * part['repsWithinHalfSecond']:.0f}", f"{100 * part['countRight']:.0f}",
             f"{part['correctionsPerSet']:.2f}"]  # fmt: skip
    return "| " + " | ".join(cells) + " |"


def page(reptrace, data, made):
    found = [(name, figures(reptrace, folder, filters)) for name, folder, filters in rows(data, made)]
    git = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True)
    head = ["| " + " | ".join(HEAD) + " |", "|" + "---|" * len(HEAD)]
    return "\n".join([
        "# Live", "",
        f"Measured {datetime.now(timezone.utc):%Y-%m-%d} at commit {git.stdout.strip() or 'unknown'}.", "",
        "## Declared sets", "", *head, *(line(name, one["declared"]) for name, one in found), "",
        "## Found sets", "", *head, *(line(name, one["found"]) for name, one in found), "",
    ])  # fmt: skip


def main():
    reptrace, target = sys.argv[1], Path(sys.argv[2])
    data = Path(sys.argv[3]) if len(sys.argv) > 3 else DATA
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as made:
        subprocess.run([reptrace, "generate", "-o", made, *SYNTHETIC], check=True, capture_output=True)
        target.write_text(page(reptrace, data, Path(made)))
    print(f"wrote {target}")


if __name__ == "__main__":
    main()
