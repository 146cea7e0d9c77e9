#!/usr/bin/env python3
"""Writes the page on the accuracy of counts: `accuracy.py REPTRACE PAGE [--accept]`.

This is the protocol for judging a change to the counter. Every available data set is counted three
times: with the committed weights (in sample), with weights that `fit-counter` fitted without the
counted people or days, and with weights fitted without the whole device. A change is accepted on the
left-out columns. `--accept` also writes the count of each recording to accuracy-results.csv, with the
commit; the next run compares itself with that, set by set.

Counts the fixtures, synthetic recordings from a fixed seed, and the real recordings in
`../shared/datasets` if present. Standard library only; `fit-counter` needs SciPy.
"""

import argparse
import csv
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path

from datasets import DATA, REAL, ROOT, hours, placed, selected
from judgment import Result, by_recording, calibration, exact_interval, interval, paired, percent

RESULTS = ROOT / "tools/accuracy-results.csv"
#: The begin of the first line of the results; the commit follows.
ACCEPTED = "# Accepted at commit "
SIX = "activity=Crunch,Jumpingjack,Pullup,Lunge,Pushup,Squat"
COLUMNS = ("in sample", "people or days left out", "device left out")
SYNTHETIC = ("--count", "300", "--seed", "99")
#: The rows for which other operating points of the gate are counted.
OPERATING_ROWS = ("watch-gym, found, rest recorded", "carawatch, files of session 1",
                  "carawatch, files of session 2", "daily activities, smartwatch",
                  "daily life, accelerometer alone")  # fmt: skip
#: Values of `DetectorConfiguration.setProbability`.
SET_PROBABILITIES = ("0.3", "0.4", "0.5", "0.6", "0.7")
#: The row whose false sets are listed by activity.
DAILY = "daily activities, smartwatch"


@dataclass(frozen=True)
class Row:
    """A part of a data set: one row of the tables."""

    name: str
    folder: Path
    mode: str = "found"
    where: tuple = ()
    labels: str = "labels.csv"
    #: The device's name in `fit-counter`; empty if no fit uses it.
    device: str = ""
    #: True if nobody exercises, so that every counted rep is false.
    rest: bool = False
    #: True if some recordings begin with a set, within a second: without their begin a rep is missing.
    begins_at_once: bool = False
    arguments: tuple = ()
    #: The labels with their spans on the recordings' clocks.
    placed: Path | None = None


def rows(made, data=DATA):
    """Returns the rows whose folder is present. `made`: a folder for synthetic recordings and for labels."""
    synthetic = made / "synthetic"
    gym, other = data / "watch-gym", data / "carawatch"
    every = [
        Row("watch-gym, given, raters sure", gym, "given", ("certain=yes",), device="watch-gym"),
        Row("watch-gym, found, rest recorded", gym, where=("confirmed=yes",), device="watch-gym"),
        Row("carawatch, bouts, given", other, "given", labels="bouts.csv", device="carawatch"),
        Row("carawatch, files of session 1", other, where=(SIX, "session=1"), device="carawatch",
            begins_at_once=True),
        Row("carawatch, files of session 2", other, where=(SIX, "session=2"), device="carawatch",
            begins_at_once=True),
        Row("carawatch, boxing and rope", other, where=("activity=Boxing,Skippingrope",),
            device="carawatch", begins_at_once=True),
        Row("pt-wrist, three sets of ten a file", data / "pt-wrist-test", device="pt-wrist",
            begins_at_once=True),
        Row("pt-wrist, three sets of three a file", data / "pt-wrist-template", device="pt-wrist",
            begins_at_once=True),
        Row("gymbud, sets of 20 to 100", data / "gymbud", device="gymbud", begins_at_once=True),
        Row("spar, shoulder exercises, a set a file", data / "spar", device="spar", begins_at_once=True),
        Row("synthetic, ordinary, found", synthetic, where=("difficulty=ordinary",),
            device="synthetic"),
        Row("synthetic, hard, found", synthetic, where=("difficulty=hard",), device="synthetic"),
        Row("synthetic, ordinary, given", synthetic, "given", ("difficulty=ordinary",),
            device="synthetic"),
        Row("synthetic, hard, given", synthetic, "given", ("difficulty=hard",), device="synthetic"),
        Row("fixtures, found", ROOT / "fixtures", begins_at_once=True),
        Row(DAILY, data / "wisdm-daily", device="wisdm-daily", rest=True),
        Row("daily life, accelerometer alone", data / "wharf-daily", device="wharf-daily", rest=True),
        Row("daily life, gyroscope and accelerometer", data / "spsw-daily", device="spsw-daily",
            rest=True),
        Row("the same without its gyroscope", data / "spsw-daily", device="spsw-daily", rest=True,
            arguments=("--without", "gyroscope")),
        Row("walking and typing (carawatch)", other, where=("activity=Walking,Typing",),
            device="carawatch", rest=True),
    ]  # fmt: skip
    present = [row for row in every if (row.folder / row.labels).is_file()]
    return [replace(row, placed=on_clocks(row, made)) for row in present]


def on_clocks(row, made):
    target = made / f"{row.folder.name}-{row.labels}"
    return target if target.is_file() else placed(row.folder, row.labels, target)


def group(row, recording):
    """Returns the person or day of a recording; "" if the data set has no groups."""
    return next((one.group_of(recording) for one in REAL if one.folder == row.folder), "")


# Counting ------------------------------------------------------------------------------------------


class Reptrace:
    def __init__(self, program):
        self.program = os.path.abspath(program)

    def run(self, *arguments):
        done = subprocess.run([self.program, *arguments], capture_output=True, text=True)
        # Status 1: some recordings could not be read.
        if done.returncode not in (0, 1):
            raise SystemExit(f"{' '.join(map(str, (self.program, *arguments)))}: {done.stderr}")
        return done.stdout

    def evaluate(self, row, labels=None, weights=None, arguments=()):
        """Returns the JSON object of `evaluate` for a row."""
        command = ["evaluate", str(labels or row.placed), "--output", "json",
                   "--recordings", str(row.folder / "recordings"), "--mode", row.mode]  # fmt: skip
        for condition in row.where:
            command += ["--where", condition]
        if weights:
            command += ["--weights", str(weights)]
        return json.loads(self.run(*command, *row.arguments, *arguments))


def results(report):
    """Returns the sets of a report of `evaluate`, numbered within their recording."""
    seen = defaultdict(int)
    found = []
    for one in report["sets"]:
        name = one["recording"]
        found.append(
            Result(name, seen[name], one["reps"], one["counted"], one.get("confidence")))  # fmt: skip
        seen[name] += 1
    return found


def split_labels(row, folder):
    """Writes the labels of a row to one file per group: {group: file}."""
    with open(row.placed, newline="") as file:
        reader = csv.DictReader(file)
        parts = defaultdict(list)
        for line in reader:
            parts[group(row, line["recording"])].append(line)
    files = {}
    for name, lines in parts.items():
        files[name] = Path(folder) / f"{row.device}-{name}-{row.labels}"
        with open(files[name], "w", newline="") as file:
            writer = csv.DictWriter(file, reader.fieldnames)
            writer.writeheader()
            writer.writerows(lines)
    return files


def judged(reptrace, row, weights):
    """Returns a row's results in each column: (results, report or None).

    `weights`: {(device, group): file}, group "" for the whole device; empty without folds."""
    report = reptrace.evaluate(row)
    columns = {COLUMNS[0]: (results(report), report)}
    if (row.device, "") in weights:
        other = reptrace.evaluate(row, weights=weights[row.device, ""])
        columns[COLUMNS[2]] = (results(other), other)
    with tempfile.TemporaryDirectory() as folder:
        parts = split_labels(row, folder)
        known = {name: weights[row.device, name] for name in parts if name and (row.device, name) in weights}
        if known:
            found = []
            for name, file in sorted(known.items()):
                if selected(parts[name], row.where):
                    found += results(reptrace.evaluate(row, parts[name], file))
            columns[COLUMNS[1]] = (found, None)
    return columns


# Committed results ---------------------------------------------------------------------------------


def committed(path=RESULTS):
    """Returns the commit of the last accepted run, or "", and its results:
    {(row, column): {(recording, index): exact}}."""
    before, commit = defaultdict(dict), ""
    if path.is_file():
        with open(path, newline="") as file:
            commit = file.readline().removeprefix(ACCEPTED).strip()
            for line in csv.DictReader(file):
                for column in COLUMNS:
                    if line[column]:
                        key = line["recording"], int(line["set"])
                        before[line["row"], column][key] = int(line[column]) == int(line["reps"])
    return commit, before


def accept(table, commit, path=RESULTS):
    """Writes the results at a commit: only names of recordings and counts."""
    with open(path, "w", newline="") as file:
        file.write(f"{ACCEPTED}{commit}\n")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["row", "recording", "set", "reps", *COLUMNS])
        for row, columns in table:
            if row.rest:
                continue
            counted = {column: {(r.recording, r.index): r.counted for r in found}
                       for column, (found, _) in columns.items()}  # fmt: skip
            for one in columns[COLUMNS[0]][0]:
                key = one.recording, one.index
                writer.writerow([row.name, one.recording, one.index, one.reps,
                                 *(counted.get(c, {}).get(key, "") for c in COLUMNS)])  # fmt: skip


# The page ------------------------------------------------------------------------------------------


def cell(found):
    return f"{percent(found):.1f} / {percent(found, 'within_one'):.1f}" if found else ""


def strictest(columns):
    """Returns the last available column, which decides."""
    return next(c for c in reversed(COLUMNS) if c in columns)


def count_lines(table, before):
    lines = [
        "| exact / within one, % | sets | " + " | ".join(COLUMNS) + " | 90 % of exact | change |",
        "|---|---|---|---|---|---|---|",
    ]
    pools = defaultdict(list)
    for row, columns in table:
        if row.rest:
            continue
        last = strictest(columns)
        found = columns[last][0]
        low, high = exact_interval(found)
        change = paired(found, earlier(before, row, last))
        lines.append(
            f"| {row.name} | {len(found)} | "
            + " | ".join(cell(columns.get(c, ([], None))[0]) for c in COLUMNS)
            + f" | {low:.0f} to {high:.0f} | {change_text(change)} |"
        )
        for column in columns:
            pools[column].append((row, columns[column][0]))
    for title, real in (("**all of these**", False), ("**real recordings**", True)):
        cells, tail = [], "| |"
        for column in COLUMNS:
            parts = [(row, found) for row, found in pools.get(column, [])
                     if not real or (row.folder.parent == DATA)]  # fmt: skip
            found = pooled(parts)
            cells.append(cell(found))
            if found:
                low, high = exact_interval(found)
                change = paired(found, pooled_before(parts, before, column))
                tail = f"| {low:.0f} to {high:.0f} | {change_text(change)} |"
                size = len(found)
        if any(cells):
            lines.append(f"| {title} | {size} | " + " | ".join(cells) + f" {tail}")
    return lines + [""]


def pooled(parts):
    """Returns all results of rows, with the row in the index, because a set may be in several rows."""
    return [Result(r.recording, (row.name, r.index), r.reps, r.counted, r.confidence)
            for row, found in parts for r in found]  # fmt: skip


def pooled_before(parts, before, column):
    return {(recording, (row.name, index)): exact
            for row, _ in parts
            for (recording, index), exact in earlier(before, row, column).items()}  # fmt: skip


def earlier(before, row, column):
    """Returns the accepted results of a row. Rows without fitted weights have only the first column."""
    return before.get((row.name, column)) or before.get((row.name, COLUMNS[0]), {})


def change_text(change):
    return "" if change is None else f"{change[0]:+.1f} ({change[1]:+.1f} to {change[2]:+.1f})"


def confidence_lines(table):
    lines = [
        "| mean minus exact / Brier gain, % / AUROC | " + " | ".join(COLUMNS) + " |",
        "|---|---|---|---|",
    ]
    pools = defaultdict(list)

    def text(found):
        one = calibration(found) if found else None
        if one is None:
            return ""
        return (f"{one.bias:+.3f} / {'–' if one.gain is None else f'{one.gain:+.0f}'} / "
                f"{'–' if one.auroc is None else f'{one.auroc:.2f}'}")  # fmt: skip

    for row, columns in table:
        if row.rest:
            continue
        lines.append(f"| {row.name} | "
                     + " | ".join(text(columns.get(c, ([], None))[0]) for c in COLUMNS) + " |")  # fmt: skip
        for column in columns:
            pools[column].append((row, columns[column][0]))
    for title, real in (("**all of these**", False), ("**real recordings**", True)):
        cells = [text(pooled([p for p in pools.get(c, []) if not real or p[0].folder.parent == DATA]))
                 for c in COLUMNS]  # fmt: skip
        if any(cells):
            lines.append(f"| {title} | " + " | ".join(cells) + " |")
    return lines + [""]


def boundary_lines(table):
    """Returns the errors of begins and ends of sets, and the false counts beside them."""
    lines = [
        "| as strictly as there are weights for | begin / end off, median s | false reps an hour of rest |",
        "|---|---|---|",
    ]
    for row, columns in table:
        report = next((r for c in reversed(COLUMNS) if c in columns
                       for r in (columns[c][1],) if r is not None), None)  # fmt: skip
        if row.rest or report is None:
            continue
        edges = [report.get(edge, {}).get("medianAbsoluteSeconds") for edge in ("setStart", "setEnd")]
        false = report.get("ghostReps")
        if None in edges and not false:
            continue
        rest = report.get("restSeconds", 0) / 3600
        lines.append(
            f"| {row.name} | {'' if None in edges else f'{edges[0]:.2f} / {edges[1]:.2f}'} "
            f"| {'' if false is None or rest == 0 else f'{false / rest:.0f} ({false} in {rest:.1f} h)'} |"
        )
    return lines + [""]


def false_reps_an_hour(row, found):
    """Returns false reps per hour of recordings without exercise, with the 90 % interval."""
    reps = by_recording(found, lambda r: r.counted)
    scale = len(found) / hours(row.folder, reps)
    low, high = interval(reps)
    return scale * statistics.fmean(r.counted for r in found), scale * low, scale * high


def rest_lines(table):
    lines = ["| false reps an hour | hours | " + " | ".join(COLUMNS) + " |", "|---|---|---|---|---|"]
    for row, columns in table:
        if not row.rest:
            continue
        duration = hours(row.folder, {r.recording for r in columns[COLUMNS[0]][0]})
        cells = []
        for column in COLUMNS:
            found = columns.get(column, ([], None))[0]
            if not found:
                cells.append("")
                continue
            rate, low, high = false_reps_an_hour(row, found)
            cells.append(f"{rate:.0f} ({low:.0f} to {high:.0f})")
        lines.append(f"| {row.name} | {duration:.1f} | " + " | ".join(cells) + " |")
    return lines + [""]


def false_sets_an_hour(row, sets):
    """Returns false sets per hour of recordings without exercise, with the 90 % interval. `sets`: of a report."""
    found = defaultdict(list)
    for one in sets:
        found[one["recording"]].append(one["setsFound"])
    scale = len(sets) / hours(row.folder, found)
    low, high = interval(found)
    return scale * statistics.fmean(one["setsFound"] for one in sets), scale * low, scale * high


def activity_lines(table):
    """Returns false sets per hour of each daily activity."""
    row, columns = next(((row, columns) for row, columns in table if row.name == DAILY), (None, {}))
    shown = [c for c in (COLUMNS[0], COLUMNS[2]) if c in columns]
    if not shown:
        return []
    lines = ["| false sets an hour | " + " | ".join(shown) + " |", "|---|" + "---|" * len(shown)]
    sets = {column: columns[column][1]["sets"] for column in shown}
    activities = sorted({one["exercise"] for one in sets[shown[0]]})
    for title, chosen in [*((a, {a}) for a in activities), ("**all of these**", set(activities))]:
        cells = []
        for column in shown:
            part = [one for one in sets[column] if one["exercise"] in chosen]
            cells.append("{:.1f} ({:.1f} to {:.1f})".format(*false_sets_an_hour(row, part)))
        lines.append(f"| {title} | " + " | ".join(cells) + " |")
    return lines + [""]


def variant_lines(reptrace, table):
    """Returns the counts with less information: other rates, fewer sensors."""
    variants = [("as recorded", ()), ("50 Hz", ("--rate", "50")), ("25 Hz", ("--rate", "25")),
                ("12.5 Hz", ("--rate", "12.5")), ("no attitude", ("--without", "attitude")),
                ("no gyroscope either", ("--without", "attitude", "gyroscope"))]  # fmt: skip
    wanted = ("watch-gym, given, raters sure", "watch-gym, found, rest recorded",
              "carawatch, files of session 1", "carawatch, files of session 2",
              "synthetic, ordinary, found", "fixtures, found")  # fmt: skip
    lines = ["| exact / within one, %, in sample | " + " | ".join(n for n, _ in variants) + " |",
             "|---|" + "---|" * len(variants)]  # fmt: skip
    for row, columns in table:
        if row.name not in wanted:
            continue
        cells = [cell(columns[COLUMNS[0]][0])]
        for _, arguments in variants[1:]:
            cells.append(cell(results(reptrace.evaluate(row, arguments=arguments))))
        lines.append(f"| {row.name} | " + " | ".join(cells) + " |")
    return lines + [""]


def cut_lines(reptrace, table, weights):
    """Returns the counts of given sets with decreasing margins, with weights fitted without the device if available."""
    margins = ("2", "1", "0.5", "0.25", "0", "-0.25")
    lines = ["| exact / within one, % | " + " | ".join(f"{m} s" for m in margins) + " |",
             "|---|" + "---|" * len(margins)]  # fmt: skip
    for row, _ in table:
        if row.mode != "given":
            continue
        cells = [cell(results(reptrace.evaluate(row, weights=weights.get((row.device, "")),
                                                arguments=(f"--margin={margin}",))))
                 for margin in margins]  # fmt: skip
        lines.append(f"| {row.name} | " + " | ".join(cells) + " |")
    return lines + [""]


def later_lines(reptrace, table, weights):
    """Returns the counts of recordings that begin later, with weights fitted without the device if available. They
    should not differ, but results depend on the instants at which a running signal is searched."""
    starts = ("0", "0.5", "1", "1.5")
    lines = ["| exact, % | " + " | ".join(f"{s} s" for s in starts) + " | mean |", "|---|" + "---|" * (len(starts) + 1)]
    for row, _ in table:
        if row.mode == "given" or row.rest or row.begins_at_once:
            continue
        exact = [percent(results(reptrace.evaluate(row, weights=weights.get((row.device, "")),
                                                   arguments=(f"--skip={start}",))))
                 for start in starts]  # fmt: skip
        cells = [f"{value:.1f}" for value in (*exact, statistics.fmean(exact))]
        lines.append(f"| {row.name} | " + " | ".join(cells) + " |")
    return lines + [""]


def operating_lines(reptrace, table, weights):
    """Returns the counts with other set probabilities, with weights fitted without the device if available."""
    shown = [row for row, _ in table if row.name in OPERATING_ROWS]
    if not shown:
        return []
    heads = [f"{row.name}, {'false reps an hour' if row.rest else 'exact, %'}" for row in shown]
    lines = ["| a set from a probability of | " + " | ".join(heads) + " |", "|---|" + "---|" * len(heads)]
    for probability in SET_PROBABILITIES:
        cells = []
        for row in shown:
            found = results(reptrace.evaluate(row, weights=weights.get((row.device, "")),
                                              arguments=("--set-probability", probability)))  # fmt: skip
            cells.append(f"{false_reps_an_hour(row, found)[0]:.0f}" if row.rest else f"{percent(found):.1f}")
        lines.append(f"| {probability} | " + " | ".join(cells) + " |")
    return lines + [""]


def reliability_lines(found):
    edges = (0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0001)
    lines = ["| confidence | counts | mean confidence | exact, % |", "|---|---|---|---|"]
    for low, high in zip(edges, edges[1:]):
        part = [r for r in found if r.confidence is not None and low <= r.confidence < high]
        if part:
            mean = statistics.fmean(r.confidence for r in part)
            lines.append(f"| {low:g} to {min(high, 1):g} | {len(part)} | {mean:.2f} | {percent(part):.0f} |")
    return lines + [""]


def wrong_lines(table):
    """Returns the wrong counts of public recordings, the most confident first."""
    wrong = [(row.name, one) for row, columns in table if not row.rest and row.folder.parent != DATA
             for one in columns[COLUMNS[0]][0] if not one.exact]  # fmt: skip
    wrong.sort(key=lambda pair: -(pair[1].confidence or 0))
    lines = ["| row | recording | true | counted | confidence |", "|---|---|---|---|---|"]
    for name, one in wrong[:15]:
        sure = "not found" if one.confidence is None else f"{one.confidence:.2f}"
        lines.append(f"| {name} | {one.recording} | {one.reps} | {one.counted} | {sure} |")
    return lines + [""]


def page(reptrace, table, accepted, commit, weights, variants=True):
    accepted_commit, before = accepted
    strict = [(row, columns[strictest(columns)][0]) for row, columns in table if not row.rest]
    lines = [
        "# Accuracy", "",
        "How right the counts are. Written by `make accuracy`; nothing on this page is typed by hand.", "",
        "*Given*: the set is cut out with 2 s on both sides. *Found*: whole recordings, the sets to be",
        "found, the exercise unknown; *files*: the sum of a file's sets against its label. *In sample*: the",
        "weights as they are, fitted to these recordings too. *People or days left out*: each recording is",
        "counted with weights fitted without its people or its day. *Device left out*: with weights fitted",
        "without any recording of that device: **what to expect on a device that nobody has tuned for**.",
        "Which figures describe a rep was chosen with all of these in view, so expect a little less still.", "",
        "Intervals (90 %) come from drawing recordings anew. *Change*: exact counts now minus those of the",
        "results accepted last (`tools/accuracy-results.csv`), paired set by set, in the strictest column; where",
        "those were not fitted, against what they counted in sample.", "",
        f"Measured {datetime.now(timezone.utc):%Y-%m-%d} at commit {commit}.", "",
        "## Results accepted last", "",
        "| | commit |", "|---|---|", f"| accepted last | {accepted_commit or 'none'} |", "",
        "## Counts", "", *count_lines(table, before),
        "## False reps where nobody exercises", "", *rest_lines(table),
        "## False sets of daily activities", "", *activity_lines(table),
        "## Begin and end of sets, and what is counted beside them", "", *boundary_lines(table),
        "## Confidence", "",
        "Mean confidence minus the share of exact counts; by how much the Brier score is below a constant",
        "confidence's; how often a right count has more confidence than a wrong one.", "",
        *confidence_lines(table),
        "All rows together, in the strictest column:", "", *reliability_lines(pooled(strict)),
        "## Sets cut tightly", "",
        "Given sets with so much of the recording left on both sides; less than 0 s cuts into them:", "",
        *cut_lines(reptrace, table, weights),
        "## Recordings that begin later", "",
        "Whole recordings without their first seconds:", "",
        *later_lines(reptrace, table, weights),
    ]  # fmt: skip
    if variants:
        lines += ["## Operating points", "", *operating_lines(reptrace, table, weights)]
        lines += ["## With less to go by", "", *variant_lines(reptrace, table)]
    lines += ["## Wrong counts of recordings that anyone can make", "", *wrong_lines(table)]
    if not DATA.is_dir():
        lines += ["The real recordings are not here: their part of the page is missing.", ""]
    return "\n".join(lines).rstrip() + "\n"


def fold_weights(folder):
    """Returns {(device, group): file} of the weights that `fit-counter` wrote for each fold."""
    if folder is None:
        return {}
    found = {}
    for path in sorted(Path(folder).glob("without-*.json")):
        device, _, part = path.stem.removeprefix("without-").partition("@")
        found[device, part] = path
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("reptrace")
    parser.add_argument("page", type=Path)
    parser.add_argument("--folds", type=Path, help="the folder of weights that fit-counter wrote")
    parser.add_argument("--accept", action="store_true", help="commit these results as the next comparison")
    parser.add_argument("--quick", action="store_true",
                        help="without other operating points, other rates and fewer sensors")  # fmt: skip
    options = parser.parse_args()
    reptrace, began = Reptrace(options.reptrace), time.monotonic()
    weights = fold_weights(options.folds)
    git = lambda *a: subprocess.run(["git", *a], cwd=ROOT, capture_output=True, text=True).stdout.strip()  # noqa: E731
    commit = git("rev-parse", "--short", "HEAD")
    if git("status", "--porcelain", "--untracked-files=no", "--", "Sources", "Package.swift"):
        commit += " with changes"
    with tempfile.TemporaryDirectory() as made:
        made = Path(made)
        reptrace.run("generate", "-o", str(made / "synthetic"), *SYNTHETIC)
        table = []
        for row in rows(made):
            table.append((row, judged(reptrace, row, weights)))
            print(f"accuracy: {row.name}, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
        options.page.write_text(page(reptrace, table, committed(), commit, weights, not options.quick))
    if options.accept:
        accept(table, commit)
    print(f"wrote {options.page}")


if __name__ == "__main__":
    main()
