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
    return middle - half, middle + half


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
    return (
        f"| {name} | {total['sets']} | {share(total['exact'], total['sets'])} "
        f"| {share(total['withinOne'], total['sets'])} | {total['meanAbsoluteError']:.2f} "
        f"| {'' if ghosts is None else f'{ghosts:.1f}'} "
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


def reliability(report):
    """Of the sets by confidence, how many counts were right."""
    groups = [[] for _ in range(5)]
    for one in report["sets"]:
        if one.get("confidence") is not None:
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
    calibration = report.get("calibration")
    if calibration:
        lines += ["", f"Brier score {calibration['brier']:.3f}; of a constant confidence "
                  f"{calibration['brierOfConstant']:.3f}."]  # fmt: skip
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
    those counted along. None where this version cannot stream."""
    commands = subprocess.run([reptrace.program, "--help"], capture_output=True, text=True).stdout
    paths = sorted((folder / "recordings").glob("*.csv"))[:60]
    if "\n  stream " not in commands or not paths:
        return None
    started, along = [], []
    for number, path in enumerate(paths):
        if "wristMotion" not in path.read_text()[:300] and "accelerationX" not in path.read_text()[:300]:
            continue
        text = "".join(stream_lines(path, f"{number:08d}-0000-4000-8000-000000000000"))
        output = subprocess.run(
            [reptrace.program, "stream"], input=text, capture_output=True, text=True
        ).stdout
        recognised = None
        for line in output.splitlines():
            event = json.loads(line)
            if event["event"] == "setStarted":
                recognised = event["time"]
            elif event["event"] == "rep" and "repEnd" in event:
                late = event["time"] - event["repEnd"]
                (started if event["time"] == recognised else along).append(late)
    return started, along


def latency_lines(found):
    if found is None:
        return ["This version cannot stream: not measured.", ""]
    lines = ["| reps | number | median | 90th percentile |", "|---|---|---|---|"]
    for name, values in zip(("before the set was recognised", "counted along"), found):
        if values:
            values = sorted(values)
            late = values[min(len(values) - 1, int(0.9 * len(values)))]
            lines.append(f"| {name} | {len(values)} | {statistics.median(values):.2f} s | {late:.2f} s |")
    return lines + [""]


# The page --------------------------------------------------------------------------------------

HEAD = "| | sets | exact (95 %) | within one (95 %) | mean error | ghost reps in 10 min | mean confidence |\n|---|---|---|---|---|---|---|"


def section(title, runs, detailed, names, latency):
    """`runs`: (name, report); the detailed one is shown by exercise, confidence and failure."""
    lines = [f"## {title}", "", HEAD, *(overview_row(name, report) for name, report in runs), ""]
    lines += ["### By exercise", "", *exercises(detailed)]
    lines += ["### Reliability of the confidence", "", *reliability(detailed)]
    if latency is not False:
        lines += ["### Latency of rep events", "", *latency_lines(latency)]
    lines += ["### Wrong counts", "", *failures(detailed, names)]
    return lines


def main():
    reptrace, target = Reptrace(sys.argv[1]), Path(sys.argv[2])
    git = lambda *a: subprocess.run(["git", *a], cwd=ROOT, capture_output=True, text=True).stdout.strip()  # noqa: E731
    commit = git("rev-parse", "--short", "HEAD")
    if git("status", "--porcelain", "--untracked-files=no"):
        commit += " with changes"
    lines = [
        "# Accuracy", "",
        "How often the counts are right, with 95 % intervals (Wilson's). Written by `make accuracy`;",
        "nothing on this page is typed by hand. *Given*: the set is cut out with two seconds on both",
        "sides. *Found*: whole recordings, the set to be found, the exercise unknown.", "",
        f"Measured {datetime.now(timezone.utc):%Y-%m-%d} at commit {commit}.", "",
    ]  # fmt: skip

    fixtures = ROOT / "fixtures"
    runs = [("found", reptrace.evaluate(fixtures, "found")),
            ("given", reptrace.evaluate(fixtures, "given")),
            ("found, at 20 Hz", reptrace.evaluate(fixtures, "found", 20))]  # fmt: skip
    lines += section("Fixtures (anyone can run these)", runs, runs[0][1], True, False)

    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder)
        subprocess.run(
            [reptrace.program, "generate", "-o", folder, "--count", "300", "--seed", "99"],
            check=True, capture_output=True,
        )  # fmt: skip
        runs = [("found", reptrace.evaluate(made, "found"))]
        for rate in (50, 25, 20):
            runs.append((f"found, at {rate} Hz", reptrace.evaluate(made, "found", rate)))
        runs.append(("given", reptrace.evaluate(made, "given")))
        lines += section(
            "300 synthetic recordings (`reptrace generate --count 300 --seed 99`)", runs,
            runs[0][1], True, latencies(reptrace, made),
        )  # fmt: skip

    if DATA.is_dir():
        gym, cara = DATA / "watch-gym", DATA / "carawatch"
        sure, confirmed = ["certain=yes"], ["confirmed=yes"]
        runs = [("given, both raters sure", reptrace.evaluate(gym, "given", where=sure)),
                ("given, at 20 Hz", reptrace.evaluate(gym, "given", 20, sure)),
                ("given, all, also where raters doubt", reptrace.evaluate(gym, "given")),
                ("found, rest around the set", reptrace.evaluate(gym, "found", where=confirmed)),
                ("found, at 25 Hz", reptrace.evaluate(gym, "found", 25, confirmed)),
                ("found, at 20 Hz", reptrace.evaluate(gym, "found", 20, confirmed))]  # fmt: skip
        lines += section(
            "watch-gym: one wearer of an Apple Watch, 20 exercises", runs, runs[3][1], False,
            latencies(reptrace, gym),
        )
        runs = []
        for session, text in (("1", "short clean bouts"), ("2", "bouts among distractions")):
            where = ["kind=gym", f"session={session}"]
            for rate in (None, 20):
                name = f"session {session}, {text}" + (f", at {rate} Hz" if rate else "")
                runs.append((name, reptrace.evaluate(cara, "found", rate, where)))
        both = reptrace.evaluate(cara, "found", None, ["kind=gym"])
        lines += section(
            "carawatch: another watch without attitude, several people", runs, both, False, False
        )
        lines += ["The thresholds were chosen while looking at these two: expect less on others.", ""]
    else:
        lines += ["The real recordings are not here: their part of the page is missing.", ""]
    target.write_text("\n".join(lines).rstrip() + "\n")
    print(f"wrote {target}")


if __name__ == "__main__":
    main()
