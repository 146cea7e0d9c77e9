#!/usr/bin/env python3
"""Puts what was measured into a page: `write_page.py RESULTS PAGE`.

RESULTS is the folder with the lines of JSON of a run. In PAGE everything between the two marks is
replaced; what a person wrote around them stays.
"""

import json
import math
import platform
import subprocess
import sys
from datetime import datetime, timezone
from importlib import metadata
from pathlib import Path

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
PACKAGES = ("lz4", "numpy", "orjson", "pandas", "pcodec", "pyarrow", "scipy", "zstandard")
GROUPS = {
    "decoding": "Decoding", "filters": "Filters", "detector": "Counting", "blob": "Timelines",
    "store": "Store", "end to end": "The command, end to end",
}  # fmt: skip
FIGURES = {
    "bytesPerSample": "bytes a sample", "bytesPerSampleWanted": "wanted at most",
    "exactPercent": "% exact", "peakMB": "MB at most", "seconds": "s",
}  # fmt: skip


def run(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


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


def contest(result):
    lines = [f"**{result['title']}**"]
    if result.get("wantedRate"):
        lines[0] += f" (wanted: {number(result['wantedRate'])} {result['unit']}/s)"
    lines += ["", f"| | {result['unit']}/s | ours is … times as fast | |", "|---|---|---|---|"]
    for entry in result["entries"]:
        ratio = ""
        if entry.get("ratio") is not None:
            ratio = f"**{number(entry['ratio'])}** ({number(entry['lowestRatio'])} to {number(entry['highestRatio'])})"
            if entry["ratio"] < 1:
                ratio += ", the rival wins"
            if entry.get("wanted"):
                met = "met" if entry["ratio"] >= entry["wanted"] else "NOT met"
                ratio += f"; wanted {number(entry['wanted'])}: {met}"
        facts = ", ".join(
            f"{number(value)} {FIGURES.get(name, name)}"
            for name, value in sorted(entry.get("figures", {}).items())
        )
        lines.append(f"| {entry['name']} | {number(entry['rate'])} | {ratio} | {facts} |")
    return lines + [""]


def page(results):
    contests = [r for r in results if "entries" in r]
    curves = [r for r in results if "curve" in r]
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in PACKAGES)
    swift = (run("swift", "--version").splitlines() or [""])[0]
    commit = run("git", "rev-parse", "--short", "HEAD")
    if run("git", "status", "--porcelain", "--untracked-files=no"):
        commit += " with changes"
    load = Path("/proc/loadavg").read_text().split()[0] if Path("/proc/loadavg").exists() else "?"
    lines = [
        f"Measured {datetime.now(timezone.utc):%Y-%m-%d %H:%M} UTC at commit {commit}.",
        "",
        f"- Machine: {machine()}; {platform.platform()}; load {load} at the end of the run.",
        f"- {swift}",
        f"- Python {platform.python_version()}: {versions}; simdjson {run('dpkg-query', '-W', '-f=${Version}', 'libsimdjson-dev') or '?'}.",
        "",
    ]
    for group, title in GROUPS.items():
        part = [r for r in contests if r["group"] == group]
        if part:
            lines += [f"## {title}", ""]
            for result in part:
                lines += contest(result)
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


def main():
    folder, target = Path(sys.argv[1]), Path(sys.argv[2])
    results = []
    for name in ("contests.ndjson", "end-to-end.ndjson"):
        results += [json.loads(line) for line in (folder / name).read_text().splitlines()]
    text = target.read_text()
    before, rest = text.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    target.write_text(f"{before}{BEGIN}\n\n{page(results)}\n{END}{after}")


if __name__ == "__main__":
    main()
