#!/usr/bin/env python3
"""Measures the effect of halving and doubling each setting of the detector: `tools/settings.py REPTRACE [PAGE]`.

Counts the real recordings with the weights of .ci/folds that were fitted without their device, and streams those of
watch-gym. Results are stored in .build/settings.ndjson: an interrupted run resumes, and a changed program starts over.
Writes the table into the page, by default docs/research/counter-settings.md.
"""

import hashlib
import json
import math
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import datasets

ROOT = datasets.ROOT
SOURCES = ROOT / "Sources"
FILES = (
    ("", SOURCES / "RepDetection/DetectorConfiguration.swift"),
    ("frontEnd.", SOURCES / "MotionFrames/FrontEndConfiguration.swift"),
    ("search.", SOURCES / "TemplateSearch/TemplateSearchConfiguration.swift"),
    ("search.amplitudes.", SOURCES / "MotionFrames/TypicalAmplitudes.swift"),
    ("provisional.", SOURCES / "RepDetection/Live/ProvisionalConfiguration.swift"),
)
SETTING = re.compile(r"^  (?:package|public) var (\w+)(?:: (Float|Double))? = ([\d.]+)$", re.M)
KEPT = ROOT / ".build/settings.ndjson"
PAGE = ROOT / "docs/research/counter-settings.md"
TABLE = re.compile(r"(<!-- settings -->\n).*?(<!-- end -->)", re.S)
EXERCISES = "activity=Crunch,Jumpingjack,Pullup,Lunge,Pushup,Squat,Boxing,Skippingrope"
#: Data set, labels, mode, filters.
RUNS = (
    ("watch-gym", "labels.csv", "given", ()),
    ("carawatch", "bouts.csv", "given", ()),
    ("watch-gym", "labels.csv", "found", ()),
    ("carawatch", "labels.csv", "found", (EXERCISES,)),
    ("pt-wrist-test", "labels.csv", "found", ()),
    ("pt-wrist-template", "labels.csv", "found", ()),
    ("gymbud", "labels.csv", "found", ()),
    ("spar", "labels.csv", "found", ()),
    ("wharf-daily", "labels.csv", "found", ()),
)
FIGURES = ("given", "found", "false", "soon declared", "soon found")


def settings():
    """Returns (name, default value, whether it is an integer) of every number in the configuration."""
    return [
        (prefix + name, float(value), not kind and "." not in value)
        for prefix, file in FILES
        for name, kind, value in SETTING.findall(file.read_text())
    ]


def changed(value, factor, is_whole):
    """Returns the value times a factor; half of an odd integer is rounded up."""
    return math.floor(value * factor + 0.5) if is_whole else value * factor


def evaluate(reptrace, folder, labels, *arguments):
    done = subprocess.run(
        [reptrace, "evaluate", labels, "--recordings", folder / "recordings", "--output", "json", *arguments],
        capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode not in (0, 1):
        raise ValueError(done.stderr.strip())
    return json.loads(done.stdout)


def figures(reptrace, change, placed):
    """Returns exact given and found sets, false sets, and percent of reps announced within half a second."""
    result = dict.fromkeys(FIGURES, 0)
    by_name = {one.name: one for one in datasets.present()}
    for name, labels, mode, filters in RUNS:
        one = by_name[name]
        weights = ["--weights", ROOT / f".ci/folds/without-{one.device}.json"]
        where = [part for text in filters for part in ("--where", text)]
        report = evaluate(
            reptrace, one.folder, placed[name, labels], "--mode", mode, *weights, *where, *change
        )  # fmt: skip
        counted = [each for each in report["sets"] if each["reps"] > 0]
        result[mode] += sum(each["exact"] for each in counted)
        result["false"] += sum(each.get("setsFound", 0) for each in report["sets"] if each["reps"] == 0)
        result["false"] += report.get("ghostSets", 0)
    gym = by_name["watch-gym"]
    live = evaluate(reptrace, gym.folder, gym.folder / "labels.csv", "--live", *change)
    for kind in ("declared", "found"):
        result[f"soon {kind}"] = round(100 * live[kind].get("repsAtMostHalfSecondLate", 0), 1)
    return result


def measured(reptrace):
    """Returns the figures by setting and factor; ("", 1) is the default configuration."""
    digest = hashlib.sha256(Path(reptrace).read_bytes()).hexdigest()
    known = {}
    if KEPT.exists():
        for line in map(json.loads, KEPT.read_text().splitlines()):
            if line["program"] == digest:
                known[line["setting"], line["factor"]] = line["figures"]
    folder = KEPT.with_suffix("")
    folder.mkdir(exist_ok=True)
    placed = {
        (name, labels): datasets.placed(datasets.DATA / name, labels, folder / f"{name}-{labels}")
        for name, labels, *_ in RUNS
    }
    todo = [("", 1, [])]
    for name, value, is_whole in settings():
        for factor in (0.5, 2):
            todo.append((name, factor, ["--setting", f"{name}={changed(value, factor, is_whole):g}"]))
    todo = [one for one in todo if one[:2] not in known]
    with open(KEPT, "a") as file, ThreadPoolExecutor(2) as workers:
        for (name, factor, _), answer in zip(todo, workers.map(lambda one: figures(reptrace, one[2], placed), todo)):
            known[name, factor] = answer
            file.write(json.dumps({"program": digest, "setting": name, "factor": factor, "figures": answer}) + "\n")
            file.flush()
    return known


def table(known):
    """Returns the page's table: changes relative to the default configuration."""
    usual = known["", 1]
    lines = [
        f"Usual: {usual['given']} given and {usual['found']} found sets exact, {usual['false']} false sets; "
        f"{usual['soon declared']} % of declared and {usual['soon found']} % of found sets' reps at most 0.5 s late.",
        "",
        "| setting | value | half: given | found | false | in time declared, % | in time found, % | double: given | found | false | in time declared, % | in time found, % |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for name, value, _ in settings():
        cells = [f"`{name}`", f"{value:g}"]
        for factor in (0.5, 2):
            for key in FIGURES:
                change = round(known[name, factor][key] - usual[key], 1)
                cells.append(f"{change:+g}" if change else "")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join([*lines, ""])


def main(reptrace, page=PAGE):
    text = table(measured(reptrace))
    page = Path(page)
    page.write_text(TABLE.sub(lambda found: found[1] + text + found[2], page.read_text(), count=1))


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
