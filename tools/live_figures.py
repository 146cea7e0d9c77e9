#!/usr/bin/env python3
"""Measures the delay of announced reps and writes the table: `live_figures.py REPTRACE PAGE [DATASETS]`.

Streams the available labeled recordings with `reptrace evaluate --live`. `results.py` copies the page
into docs/results.json.
"""

import json
import subprocess
import sys
import tempfile
from datetime import datetime, timezone
from pathlib import Path

from datasets import DATA, ROOT, hours, selected

SYNTHETIC = ("--count", "40", "--seed", "5", "--sets", "1")
HEAD = ["recordings", "sets", "first rep after, s", "second after, s", "first rep at most 0.7 s late, %",
        "at most 0.5 s late, %", "within 0.5 s, %", "count right, %", "corrections a set"]  # fmt: skip
FOUND_HEAD = [*HEAD, "announced for nothing", "an hour"]
#: Rows in which nobody exercises, so that no set can be declared.
REST = ("daily life, accelerometer alone", "daily life, gyroscope and accelerometer")


def rows(data, made):
    """Returns (name, folder, filters) of the streamed recordings."""
    every = [
        ("watch-gym", data / "watch-gym", ()),
        ("carawatch, session 1", data / "carawatch", ("session=1", "activity=Crunch,Jumpingjack,Pullup,Lunge,"
                                                      "Pushup,Squat,Boxing,Skippingrope")),
        ("pt-wrist, three sets of ten a file", data / "pt-wrist-test", ()),
        ("synthetic", made, ()),
        (REST[0], data / "wharf-daily", ()),
        (REST[1], data / "spsw-daily", ()),
    ]  # fmt: skip
    return [one for one in every if (one[1] / "labels.csv").is_file()]


def figures(reptrace, folder, filters):
    where = [part for one in filters for part in ("--where", one)]
    output = subprocess.run(
        [reptrace, "evaluate", folder / "labels.csv", "--recordings", folder / "recordings", "--live",
         "--output", "json", *where], capture_output=True, text=True, check=True).stdout  # fmt: skip
    return json.loads(output)


def cells(name, part):
    """Returns the figures of declared or of found sets; empty if there are none."""

    def text(key, digits, scale=1):
        # Adding 0.0 avoids "-0.0".
        return f"{round(scale * part[key], digits) + 0.0:.{digits}f}" if part.get(key) is not None else ""

    soon = 100 * part["firstRepsWithin700Milliseconds"] / part["sets"] if part["sets"] else None
    return [name, str(part["sets"]), text("firstRepMedianSeconds", 1), text("secondRepMedianSeconds", 1),
            "" if soon is None else f"{soon:.0f}", text("repsAtMostHalfSecondLate", 0, 100),
            text("repsWithinHalfSecond", 0, 100), text("countRight", 0, 100), text("correctionsPerSet", 2)]  # fmt: skip


def table(lines):
    """Returns the lines of a table, beginning with its head."""
    head, *body = ("| " + " | ".join(line) + " |" for line in lines)
    return [head, "|" + "---|" * len(lines[0]), *body]


def page(reptrace, data, made):
    declared, found = [HEAD], [FOUND_HEAD]
    for name, folder, filters in rows(data, made):
        one = figures(reptrace, folder, filters)
        if name not in REST:
            declared.append(cells(name, one["declared"]))
        duration = hours(folder, {row["recording"] for row in selected(folder / "labels.csv", filters)})
        found.append([*cells(name, one["found"]), str(one["falseSets"]), f"{one['falseSets'] / duration:.0f}"])
    git = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True)
    return "\n".join([
        "# Live", "",
        f"Measured {datetime.now(timezone.utc):%Y-%m-%d} at commit {git.stdout.strip() or 'unknown'}.", "",
        "## Declared sets", "", *table(declared), "", "## Found sets", "", *table(found), "",
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
