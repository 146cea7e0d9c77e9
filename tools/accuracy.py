#!/usr/bin/env python3
"""Writes the page on how right the counts are: `accuracy.py REPTRACE PAGE`.

Counts the fixtures, 300 synthetic recordings from a fixed seed, and the real recordings in
`../shared/datasets` where they are. Of those, only exercises and counts are shown, no recording's
name. Standard library only.
"""

import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared/datasets"
FAILURES_SHOWN = 15


def interval(successes, count):
    """Wilson's 95 % interval of a proportion."""
    if count == 0:
        return 0.0, 1.0
    z, p = 1.959964, successes / count
    middle = (p + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(p * (1 - p) / count + z * z / (4 * count * count))
    return max(0.0, middle - half), min(1.0, middle + half)


def share(successes, count):
    low, high = interval(successes, count)
    return f"{100 * successes / max(1, count):.0f} % ({100 * low:.0f} to {100 * high:.0f})"


class Reptrace:
    def __init__(self, program):
        self.program = os.path.abspath(program)

    def evaluate(self, folder, mode, rate=None, where=(), labels="labels.csv"):
        command = [
            self.program, "evaluate", str(folder / labels), "--recordings",
            str(folder / "recordings"), "--mode", mode, "--output", "json",
        ]  # fmt: skip
        if rate:
            command += ["--rate", str(rate)]
        for condition in where:
            command += ["--where", condition]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode not in (0, 1):
            raise SystemExit(f"{' '.join(command)}: {result.stderr}")
        return json.loads(result.stdout)


def overview_row(name, report):
    total = report["total"]
    ghosts = report.get("ghostRepsPer10Minutes")
    calibration = report.get("calibration") or {}
    edges = [report.get(edge, {}).get("medianAbsoluteSeconds") for edge in ("setStart", "setEnd")]
    return (
        f"| {name} | {total['sets']} | {share(total['exact'], total['sets'])} "
        f"| {share(total['withinOne'], total['sets'])} | {total['meanAbsoluteError']:.2f} "
        f"| {'' if ghosts is None else f'{ghosts:.1f}'} "
        f"| {'' if None in edges else f'{edges[0]:.2f} / {edges[1]:.2f} s'} "
        f"| {calibration.get('meanConfidence', float('nan')):.2f} |"
    )


def exercises(report):
    lines = ["| exercise | sets | exact (95 %) | within one (95 %) |", "|---|---|---|---|"]
    for name, total in sorted(report["exercises"].items()):
        if total["sets"]:
            lines.append(
                f"| {name} | {total['sets']} | {share(total['exact'], total['sets'])} "
                f"| {share(total['withinOne'], total['sets'])} |"
            )
    return lines + [""]


def reliability(sets):
    """Of the sets by confidence, how many counts were right."""
    sure = [one for one in sets if one.get("confidence") is not None]
    if not sure:
        return ["No set has a confidence.", ""]
    groups = [[] for _ in range(5)]
    for one in sure:
        groups[min(4, int(5 * one["confidence"]))].append(one)
    lines = ["| confidence | sets | mean confidence | exact (95 %) |", "|---|---|---|---|"]
    for index, group in enumerate(groups):
        if group:
            right = sum(one["exact"] for one in group)
            mean = statistics.mean(one["confidence"] for one in group)
            lines.append(
                f"| {0.2 * index:.1f} to {0.2 * index + 0.2:.1f} | {len(group)} | {mean:.2f} "
                f"| {share(right, len(group))} |"
            )
    right = statistics.mean(one["exact"] for one in sure)
    mean = statistics.mean(one["confidence"] for one in sure)
    brier = statistics.mean((one["confidence"] - one["exact"]) ** 2 for one in sure)
    constant = right * (1 - right)
    area = auroc(sure)
    lines += [
        "",
        f"All: mean confidence {mean:.3f}, exact {right:.3f}. Brier score {brier:.3f}, of a constant "
        f"confidence {constant:.3f}"
        + (f" ({100 * abs(1 - brier / constant):.0f} % {'below' if brier <= constant else 'above'})"
           if constant else "")
        + ("" if area is None else f"; AUROC for being exact {area:.2f}") + ".",
    ]  # fmt: skip
    return lines + [""]


def auroc(sets):
    """How often a right count has more confidence than a wrong one."""
    right = [one["confidence"] for one in sets if one["exact"]]
    wrong = [one["confidence"] for one in sets if not one["exact"]]
    if not right or not wrong:
        return None
    return statistics.mean((a > b) + 0.5 * (a == b) for a in right for b in wrong)


def rep_times(report):
    """How well reps are placed, where the truth says when they were."""
    begin, end = report.get("repStart"), report.get("repEnd")
    if not begin or not begin.get("count"):
        return []
    lines = [
        f"Begin and end of {begin['count']} reps: {begin['medianAbsoluteSeconds']:.2f} and "
        f"{end['medianAbsoluteSeconds']:.2f} s off (median), {begin['p90AbsoluteSeconds']:.2f} and "
        f"{end['p90AbsoluteSeconds']:.2f} s (90th percentile). Missed {report['repsMissed']}, "
        f"invented {report['repsInvented']}.",
    ]  # fmt: skip
    each = report.get("repCalibration")
    if each:
        lines.append(
            f"Confidence of single reps: mean {each['meanConfidence']:.3f}, right "
            f"{each['exactRate']:.3f}, expected calibration error {each['expectedCalibrationError']:.3f}."
        )
    return lines + [""]


def failures(report, names):
    """The wrong counts, the most confident first: those do the most harm."""
    wrong = [one for one in report["sets"] if not one["exact"]]
    wrong.sort(key=lambda one: -(one.get("confidence") or 0))
    if not wrong:
        return ["None.", ""]
    lines = [f"| {'recording | ' if names else ''}exercise | true | counted | confidence |",
             f"|{'---|' if names else ''}---|---|---|---|"]  # fmt: skip
    for one in wrong[:FAILURES_SHOWN]:
        name = f"{one['recording']} | " if names else ""
        confidence = one.get("confidence")
        lines.append(
            f"| {name}{one.get('exercise', '')} | {one['reps']} | {one['counted']} "
            f"| {'not found' if confidence is None else f'{confidence:.2f}'} |"
        )
    if len(wrong) > FAILURES_SHOWN:
        lines += ["", f"… and {len(wrong) - FAILURES_SHOWN} more."]
    return lines + [""]


# Latency ---------------------------------------------------------------------------------------


def stream_lines(path, session):
    """A CSV recording as lines of chunks, without a declared set."""
    lines = path.read_text().splitlines()
    names = [n.removeprefix("wristMotion_").replace("rotationRate", "rotation")
             for n in lines[0].split(",")]  # fmt: skip
    wanted = [(i, n) for i, n in enumerate(names)
              if n in ("timestamp", "roll", "pitch", "yaw")
              or n.startswith(("acceleration", "rotation", "gravity"))]  # fmt: skip
    rows = [line.split(",") for line in lines[1:]]
    for start in range(0, len(rows), 100):
        samples = ",".join(
            "{" + ",".join(f'"{n}":{row[i]}' for i, n in wanted if row[i]) + "}"
            for row in rows[start : start + 100]
        )
        yield f'{{"sessionId":"{session}","samples":[{samples}]}}\n'


def latencies(reptrace, folder):
    """Seconds from a rep's end to its event: of the reps known when a set is recognised, and of
    those counted along."""
    paths = sorted((folder / "recordings").glob("*.csv"))
    readable = [p for p in paths if {"wristMotion_accelerationX", "accelerationX"}
                & set(p.open().readline().strip().split(","))][:60]  # fmt: skip

    def one(numbered):
        number, path = numbered
        text = "".join(stream_lines(path, f"{number:08d}-0000-4000-8000-000000000000"))
        output = subprocess.run(
            [reptrace.program, "stream"], input=text, capture_output=True, text=True
        ).stdout
        started, along, recognised = [], [], None
        for line in output.splitlines():
            event = json.loads(line)
            if event["event"] == "setStarted":
                recognised = event["time"]
            elif event["event"] == "rep" and "repEnd" in event:
                late = event["time"] - event["repEnd"]
                (started if event["time"] == recognised else along).append(late)
        return started, along

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(one, enumerate(readable)))
    return len(readable), [sum((f[i] for f in found), []) for i in (0, 1)]


def latency_lines(found):
    count, kinds = found
    lines = [
        f"{count} recordings as streams. Seconds from a rep's end to the sample that caused its event: what",
        "the detector waits for, not what transport and computing add.", "",
        "| reps | number | median | 90th percentile | within 0.5 s (95 %) |", "|---|---|---|---|---|",
    ]  # fmt: skip
    for name, values in zip(("before the set was recognised", "counted along"), kinds):
        if values:
            values = sorted(values)
            late = values[min(len(values) - 1, int(0.9 * len(values)))]
            soon = sum(value <= 0.5 for value in values)
            lines.append(
                f"| {name} | {len(values)} | {statistics.median(values):.2f} s | {late:.2f} s "
                f"| {share(soon, len(values))} |"
            )
    return lines + [""]


# The page --------------------------------------------------------------------------------------

HEAD = (
    "| | sets | exact (95 %) | within one (95 %) | mean error | ghost reps in 10 min "
    "| set's start / end | mean confidence |\n|---|---|---|---|---|---|---|---|"
)


def section(title, runs, rates, detailed, names, latency=None):
    """`runs`: (name, report); `rates`: the same at rates of sampling; the detailed one is shown by
    exercise, confidence and failure."""
    lines = [f"## {title}", "", HEAD, *(overview_row(name, report) for name, report in runs), ""]
    if rates:
        lines += ["### By sampling rate", "", HEAD]
        lines += [*(overview_row(name, report) for name, report in rates), ""]
    lines += ["### By exercise", "", *exercises(detailed)]
    lines += ["### Reliability of the confidence", "", *reliability(detailed["sets"])]
    times = rep_times(detailed)
    if times:
        lines += ["### Times of reps", "", *times]
    if latency is not None:
        lines += ["### Latency of rep events", "", *latency_lines(latency)]
    lines += ["### Wrong counts", "", *failures(detailed, names)]
    return lines


class Clock:
    def __init__(self):
        self.began = time.monotonic()

    def note(self, what):
        print(f"accuracy: {what}, {time.monotonic() - self.began:.0f} s", file=sys.stderr, flush=True)


def main():
    reptrace, target = Reptrace(sys.argv[1]), Path(sys.argv[2])
    clock = Clock()
    git = lambda *a: subprocess.run(["git", *a], cwd=ROOT, capture_output=True, text=True).stdout.strip()  # noqa: E731
    commit = git("rev-parse", "--short", "HEAD")
    if git("status", "--porcelain", "--untracked-files=no", "--", "Sources", "Package.swift"):
        commit += " with changes"
    lines = [
        "# Accuracy", "",
        "How often the counts are right, with 95 % intervals (Wilson's). Written by `make accuracy`;",
        "nothing on this page is typed by hand. *Given*: the set is cut out with two seconds on both",
        "sides. *Found*: whole recordings, the set to be found, the exercise unknown. Ghost reps are",
        "those counted where no set is. A set's start and end: median absolute error.", "",
        f"Measured {datetime.now(timezone.utc):%Y-%m-%d} at commit {commit}.", "",
    ]  # fmt: skip

    def at(folder, rates, where=()):
        return [(f"found, at {rate} Hz", reptrace.evaluate(folder, "found", rate, where))
                for rate in rates]  # fmt: skip

    fixtures = ROOT / "fixtures"
    found = reptrace.evaluate(fixtures, "found")
    runs = [("found", found), ("given", reptrace.evaluate(fixtures, "given"))]
    lines += section(
        "Fixtures (anyone can run these)", runs, at(fixtures, (50, 25, 20, 12.5)), found, True,
        latencies(reptrace, fixtures),
    )  # fmt: skip
    clock.note("fixtures")
    pooled = []

    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder)
        subprocess.run(
            [reptrace.program, "generate", "-o", folder, "--count", "300", "--seed", "99"],
            check=True, capture_output=True,
        )  # fmt: skip
        clock.note("300 synthetic recordings written")
        found = reptrace.evaluate(made, "found")
        runs = [("found", found), ("given", reptrace.evaluate(made, "given"))]
        lines += section(
            "300 synthetic recordings (`reptrace generate --count 300 --seed 99`)", runs,
            at(made, (50, 25, 20, 12.5)), found, True, latencies(reptrace, made),
        )  # fmt: skip
        clock.note("synthetic recordings")

    if DATA.is_dir():
        gym, cara = DATA / "watch-gym", DATA / "carawatch"
        sure, confirmed = ["certain=yes"], ["confirmed=yes"]
        found = reptrace.evaluate(gym, "found", where=confirmed)
        given = reptrace.evaluate(gym, "given", where=sure)
        runs = [("given, both raters sure", given),
                ("given, all, also where raters doubt", reptrace.evaluate(gym, "given")),
                ("found, rest around the set", found)]  # fmt: skip
        rates = [("given, both raters sure, at 20 Hz", reptrace.evaluate(gym, "given", 20, sure))]
        rates += at(gym, (25, 20, 12.5), confirmed)
        lines += section(
            "watch-gym: one wearer of an Apple Watch, 20 exercises, 50 Hz", runs, rates, found, False,
            latencies(reptrace, gym),
        )
        pooled += given["sets"] + found["sets"]
        clock.note("watch-gym")
        runs, rates, sets = [], [], []
        for session, text in (("1", "short clean bouts"), ("2", "bouts among distractions")):
            six = "activity=Crunch,Jumpingjack,Pullup,Lunge,Pushup,Squat"
            for where, name in (
                ([six, f"session={session}"], f"session {session}, {text}, six gym exercises"),
                (["kind=gym", f"session={session}"], f"session {session}, all exercises"),
            ):
                report = reptrace.evaluate(cara, "found", None, where)
                runs.append((name, report))
                if where[0] == six:
                    sets += report["sets"]
                    rates += [(f"{name}, at {rate} Hz", reptrace.evaluate(cara, "found", rate, where))
                              for rate in (50, 20)]  # fmt: skip
        both = reptrace.evaluate(cara, "found", None, ["kind=gym"])
        lines += section(
            "carawatch: another watch without attitude, several people, about 100 Hz", runs, rates,
            both, False,
        )
        pooled += sets
        lines += [
            "## Confidence, pooled", "",
            "Both data sets: watch-gym given and found, and the six gym exercises of carawatch.", "",
            *reliability(pooled),
            "The thresholds were chosen while looking at these two: expect less on others.", "",
        ]  # fmt: skip
        clock.note("carawatch")
    else:
        lines += ["The real recordings are not here: their part of the page is missing.", ""]
    target.write_text("\n".join(lines).rstrip() + "\n")
    print(f"wrote {target}")


if __name__ == "__main__":
    main()
