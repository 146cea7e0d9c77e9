#!/usr/bin/env python3
"""Writes the measured figures as a page of tables: `write_page.py RESULTS PAGE`.

RESULTS is the folder with the lines of JSON of a run. `tools/results.py` copies the tables into the
documentation. `write_page.py --summary RESULTS` prints only the ratios.
"""

import json
import math
import platform
import subprocess
import sys
from datetime import datetime, timezone
from importlib import metadata
from pathlib import Path

PACKAGES = ("lz4", "numba", "numpy", "orjson", "pandas", "pcodec", "pyarrow", "scipy", "zstandard")
GROUPS = {
    "decoding": "Decoding", "formats": "Decoding: every format, as recorders write it",
    "filters": "Filters", "detector": "Counting", "blob": "Timelines",
    "store": "Store", "end to end": "The command, end to end",
}  # fmt: skip
FIGURES = {
    "bytesPerSample": "bytes a sample", "bytesPerSampleWanted": "wanted at most",
    "exactPercent": "% exact", "peakMB": "MB at most", "seconds": "s",
    "coresBusy": "cores busy", "serialPercent": "% serial (by Amdahl's law)",
}  # fmt: skip


def run(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def version(package):
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "(missing)"


def machine():
    info = Path("/proc/cpuinfo")
    names = [line.split(":", 1)[1].strip() for line in info.read_text().splitlines()
             if line.startswith("model name")] if info.exists() else []  # fmt: skip
    memory = ""
    meminfo = Path("/proc/meminfo")
    if meminfo.exists():
        memory = f", {int(meminfo.read_text().split()[1]) / 2**20:.0f} GiB"
    return f"{len(names) or '?'} × {names[0] if names else platform.processor()}{memory}"


def number(value):
    if not isinstance(value, (int, float)) or not math.isfinite(value):
        return str(value)
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def exponent(points):
    logs = [(math.log(p["x"]), math.log(p["y"])) for p in points if p["x"] > 0 and p["y"] > 0]
    if len(logs) < 2:
        return math.nan
    mean_x = sum(x for x, _ in logs) / len(logs)
    mean_y = sum(y for _, y in logs) / len(logs)
    variance = sum((x - mean_x) ** 2 for x, _ in logs)
    return sum((x - mean_x) * (y - mean_y) for x, y in logs) / variance


def ours(result):
    return result["entries"][0]


def verdict(entry):
    return "met" if entry["ratio"] >= entry["wanted"] else "**not met**"


def contest(result):
    lines = [f"**{result['title']}**"]
    if result.get("wantedRate"):
        met = "met" if ours(result)["rate"] >= result["wantedRate"] else "**not met**"
        lines[0] += f" (wanted: {number(result['wantedRate'])} {result['unit']}/s: {met})"
    first = "the first row is" if result["group"] == "end to end" else "ours is"
    lines += ["", f"| | {result['unit']}/s | {first} … times as fast | |", "|---|---|---|---|"]
    for entry in result["entries"]:
        ratio = ""
        if entry.get("ratio") is not None:
            ratio = f"**{number(entry['ratio'])}** ({number(entry['lowestRatio'])} to {number(entry['highestRatio'])})"
            if entry["ratio"] < 1:
                ratio += ", the rival wins"
            if entry.get("wanted"):
                ratio += f"; wanted {number(entry['wanted'])}: {verdict(entry)}"
        facts = ", ".join(
            f"{number(value)} {FIGURES.get(name, name)}"
            for name, value in sorted(entry.get("figures", {}).items())
        )
        lines.append(f"| {entry['name']} | {number(entry['rate'])} | {ratio} | {facts} |")
    lines.append("")
    sizes = [(e["figures"]["bytesPerSample"], e["name"]) for e in result["entries"]
             if "bytesPerSample" in e.get("figures", {})]  # fmt: skip
    if result["group"] == "blob" and len(sizes) > 1:
        smaller = [name for size, name in sizes[1:] if size < sizes[0][0]]
        lines += [f"Smaller than ours: {', '.join(smaller) or 'none'}.", ""]
    return lines


def summary(contests):
    """Returns one table of all rivals, and the contests that one wins."""
    lines = ["| work | rival | ours is … times as fast | right counts, ours : theirs |",
             "|---|---|---|---|"]  # fmt: skip
    wins, wishes = [], []
    for result in contests:
        if result["group"] == "floors":
            continue
        if result.get("wantedRate"):
            rate = ours(result)["rate"]
            met = "met" if rate >= result["wantedRate"] else "**not met**"
            wishes.append(
                f"- {result['title']}: {number(rate)} {result['unit']}/s, wanted "
                f"{number(result['wantedRate'])}: {met}")
        size = ours(result).get("figures", {})
        if "bytesPerSampleWanted" in size:
            met = "met" if size["bytesPerSample"] <= size["bytesPerSampleWanted"] else "**not met**"
            wishes.append(
                f"- {result['title']}: {size['bytesPerSample']:.2f} bytes a sample, wanted at most "
                f"{size['bytesPerSampleWanted']}: {met}")
        for entry in result["entries"][1:]:
            if entry.get("ratio") is None:
                continue
            if result["group"] == "end to end" or entry["name"].startswith("RepTrace"):
                continue  # variants of ours, not rivals
            a, b = (e.get("figures", {}).get("exactPercent") for e in (ours(result), entry))
            right = "" if a is None or b is None else f"{a:.0f} % : {b:.0f} %"
            lines.append(
                f"| {result['title']} | {entry['name']} | {number(entry['ratio'])} | {right} |")
            if entry["ratio"] < 1:
                facts = f" (right counts, ours : theirs {right})" if right else ""
                wins.append(f"- {result['title']}: {entry['name']}, {number(1 / entry['ratio'])} times as "
                            f"fast as ours{facts}")  # fmt: skip
        for entry in result["entries"][1:]:
            if entry.get("wanted"):
                wishes.append(
                    f"- {result['title']}, against {entry['name']}: {number(entry['ratio'])} times, wanted "
                    f"{number(entry['wanted'])}: {verdict(entry)}")
    lines += ["", "Where a rival is faster:", "", *(wins or ["- nowhere"]), ""]
    absent = [f"- {result['title']}: {name} ({why})" for result in contests
              for name, why in sorted(result.get("leftOut", {}).items())]  # fmt: skip
    if absent:
        lines += ["Left out of this run:", "", *absent, ""]
    lines += ["What was wanted:", "", *wishes, ""]
    return lines


def floor(result):
    """Returns a path and the unavoidable parts of its work, each as a fraction of its time."""
    name = result["title"].removeprefix("floor: ")
    is_path = ours(result)["name"].startswith("RepTrace")
    lines = []
    for entry in result["entries"]:
        share = f"{100 * entry['ratio']:.1f} %" if is_path and entry.get("ratio") else ""
        lines.append(f"| {name} | {entry['name']} | {number(entry['rate'])} {result['unit']}/s | {share} |")
        name = ""
    return lines


def instructions():
    """Returns the committed figures of the regression gate, if there are any."""
    figures = Path(__file__).resolve().parent.parent / ".ci/instruction-counts.txt"
    rows = [line.split() for line in figures.read_text().splitlines()] if figures.exists() else []
    rows = [row for row in rows if len(row) == 2 and row[1].isdigit()]
    if not rows:
        return []
    return ["## Instructions of the hot paths", "", "On small fixed inputs, under callgrind, as committed "
            "(`.ci/instruction-counts.txt`).", "", "| path | instructions |", "|---|---|",
            *(f"| {name} | {int(count):,} |" for name, count in rows), ""]  # fmt: skip


def when():
    commit = run("git", "rev-parse", "--short", "HEAD")
    changed = run("git", "status", "--porcelain", "--untracked-files=no", "--", ":/Sources", ":/Benchmarks")
    changes = " with changes" if changed else ""
    return f"Measured {datetime.now(timezone.utc):%Y-%m-%d %H:%M} UTC at commit {commit}{changes}."


def page(results):
    contests = [r for r in results if "entries" in r]
    curves = [r for r in results if "curve" in r]
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    swift = (run("swift", "--version").splitlines() or [""])[0]
    load = Path("/proc/loadavg").read_text().split()[0] if Path("/proc/loadavg").exists() else "?"
    lines = [
        when(),
        "",
        f"- Machine: {machine()}; {platform.platform()}; load {load} at the end of the run.",
        f"- {swift}",
        f"- Python {platform.python_version()}: {versions}; simdjson {run('dpkg-query', '-W', '-f=${Version}', 'libsimdjson-dev') or '?'}.",
        "",
    ]
    lines += ["## At a glance", "", *summary(contests)]
    for group, title in GROUPS.items():
        part = [r for r in contests if r["group"] == group]
        if part:
            lines += [f"## {title}", ""]
            for result in part:
                lines += contest(result)
    for table in (r for r in results if "table" in r):
        lines += [f"## {table['table'].capitalize()}", "",
                  "| " + " | ".join(table["columns"]) + " |",
                  "|" + "---|" * len(table["columns"])]  # fmt: skip
        for row in table["rows"]:
            row = row + [""] * (len(table["columns"]) - len(row))
            lines.append("| " + " | ".join(row) + " |")
        lines.append("")
    lines += instructions()
    floors = [r for r in contests if r["group"] == "floors"]
    if floors:
        lines += [
            "## Distance to the floor", "",
            "Beside each path, parts of its work that no program can leave out, run alone with everything",
            "else taken away. The share is that of our path's time which the part takes; what is left is the",
            "distance.", "",
            "| path | part | speed | share of ours |", "|---|---|---|---|",
        ]  # fmt: skip
        for result in floors:
            lines += floor(result)
        lines.append("")
    if curves:
        lines += ["## Scaling", "", "The exponent is that of a power law fitted to the points.", ""]
        lines += ["| | exponent | points |", "|---|---|---|"]
        for curve in curves:
            points = "; ".join(
                f"{number(p['x'])} {curve['x']}: {number(p['y'])} {curve['y']}"
                for p in curve["points"]
            )
            lines.append(f"| {curve['curve']} | {exponent(curve['points']):.2f} | {points} |")
        lines.append("")
    return "\n".join(lines)


def timelines(contests):
    """Returns the size of timelines, and the speed of writing and reading them."""
    lines = ["| | bytes a sample | wanted at most | encode, MB/s | wanted | decode, MB/s | wanted |",
             "|---|---|---|---|---|---|---|"]  # fmt: skip
    found = {r["title"]: r for r in contests if r["group"] == "blob"}
    for precision in ("lossless", "within 1e-4"):
        row = [precision]
        for work in ("encode", "decode"):
            result = next((r for title, r in found.items() if f", {work}, {precision}" in title), None)
            if result is None:
                return []
            figures = ours(result)["figures"]
            if work == "encode":
                row += [f"{figures['bytesPerSample']:.2f}", f"{figures['bytesPerSampleWanted']}"]
            row += [number(ours(result)["rate"]), number(result["wantedRate"])]
        lines.append("| " + " | ".join(row) + " |")
    return lines


def main():
    only_summary = sys.argv[1] == "--summary"
    folder = Path(sys.argv[2 if only_summary else 1])
    results = []
    for name in ("contests.ndjson", "end-to-end.ndjson", "profile.ndjson"):
        if (folder / name).exists():
            results += [json.loads(line) for line in (folder / name).read_text().splitlines()]
    if only_summary:
        print("\n".join(summary([r for r in results if "entries" in r])))
        return
    sizes = timelines([r for r in results if "entries" in r])
    target = Path(sys.argv[2])
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("\n".join([page(results), *(["## Timelines, sizes and speeds", "", *sizes, ""] if sizes else [])]))


if __name__ == "__main__":
    main()
