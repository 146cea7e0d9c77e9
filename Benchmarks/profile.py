#!/usr/bin/env python3
"""Where each hot path spends its time: `profile.py PROGRAM RESULTS.ndjson [SECONDS]`.

Runs our side of a contest of PROGRAM (ReptraceBenchmarks) under `perf`, which looks at nothing but
the path itself: once to count instructions and cycles, once to sample where they are spent.
Without `perf` nothing is written, and it says so.
"""

import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

PATHS = [
    ("JSON chunks", ["decoding", "keys in order"]),
    ("JSON chunks, keys shuffled", ["decoding", "order of its own"]),
    ("CSV", ["decoding", "CSV"]),
    ("binary frames", ["decoding", "binary frames"]),
    ("counting, live", ["detector", "live"]),
    ("counting, sets given", ["detector", "arrays in memory"]),
    ("timeline, encode, lossless", ["blob", "encode", "lossless"]),
    ("timeline, encode, within 1e-4", ["blob", "encode", "1e-4"]),
    ("timeline, decode, lossless", ["blob", "decode", "lossless"]),
    ("timeline, decode, within 1e-4", ["blob", "decode", "1e-4"]),
    ("store, insert", ["store", "insert"]),
    ("store, read timelines", ["store", "read the timelines"]),
]
SHOWN = 5
UNITS = {"chunks": "chunk", "samples": "sample"}


def perf(arguments, program, words, seconds, folder):
    """What the program and perf printed."""
    control = os.path.join(folder, "control")
    if not os.path.exists(control):
        os.mkfifo(control)
    result = subprocess.run(
        ["perf", *arguments, "-D", "-1", f"--control=fifo:{control}", "--", program, "--ours",
         str(seconds), *words],
        capture_output=True, text=True, env={**os.environ, "PERF_CONTROL": control},
    )  # fmt: skip
    if result.returncode != 0:
        raise RuntimeError(result.stderr.strip().splitlines()[-1:])
    return result.stdout, result.stderr


def demangled(names):
    if not shutil.which("swift"):
        return names
    output = subprocess.run(
        ["swift", "demangle", "--simplified"], input="\n".join(names), capture_output=True, text=True
    ).stdout.splitlines()
    return output if len(output) == len(names) else names


def brief(name):
    """A function's name without what no reader needs."""
    name = re.sub(r"^((closure #\d+ (@.*? )?in )|static |generic specialization <.*?> of |merged )+", "", name)
    name = re.sub(r"^(generic |function signature |merged |partial apply |specialized |specialization |<.*?> of |of |for |closure #\d+ .*? in )*", "", name)
    name = re.sub(r"\(.*\)( .*)?$", "", name)
    name = re.sub(r"<.*>", "", name)
    return name.strip()[:70] or "?"


def profile(title, program, words, seconds, folder):
    output, counted = perf(
        ["stat", "-x", ";", "-e", "instructions:u,cycles:u"], program, words, seconds, folder)
    amount, unit = output.strip().split("\t")[-2:]
    counts = {}
    for line in counted.splitlines():
        fields = line.split(";")
        if len(fields) > 2 and fields[0].isdigit():
            counts[fields[2].split(":")[0]] = int(fields[0])
    data = os.path.join(folder, "perf.data")
    perf(["record", "-q", "-F", "2000", "-e", "cycles:u", "-o", data], program, words, seconds, folder)
    report = subprocess.run(
        ["perf", "report", "-i", data, "--no-children", "--stdio", "-q", "-F", "overhead,symbol",
         "--no-demangle", "-g", "none"],
        capture_output=True, text=True,
    ).stdout  # fmt: skip
    shares, names = [], []
    for line in report.splitlines():
        match = re.match(r"\s*([\d.]+)%\s+\[\S\]\s+(\S+)", line)
        if match:
            shares.append(float(match[1]))
            names.append(match[2])
    total = collections.Counter()
    for share, name in zip(shares, demangled(names)):
        total[brief(name)] += share
    instructions, cycles = counts.get("instructions", 0), counts.get("cycles", 0)
    row = [
        title,
        f"{instructions / float(amount):,.0f} per {UNITS.get(unit, unit)}",
        f"{instructions / cycles:.2f}" if cycles else "",
        "; ".join(f"{name} {share:.0f} %" for name, share in total.most_common(SHOWN)),
    ]
    print("  ".join(row), flush=True)
    return row


def main():
    program, target = sys.argv[1:3]
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 1.0
    open(target, "w").close()
    if not shutil.which("perf"):
        print("profile: no `perf` here; where the time goes is not measured", file=sys.stderr)
        return
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for title, words in PATHS:
            try:
                rows.append(profile(title, program, words, seconds, folder))
            except (RuntimeError, ValueError, OSError) as error:
                print(f"profile: {title}: {error}", file=sys.stderr)
    if rows:
        with open(target, "w") as file:
            columns = ["path", "instructions", "instructions a cycle", "where the cycles go"]
            print(json.dumps({"group": "profile", "table": "where the time goes", "columns": columns,
                              "rows": rows}), file=file)  # fmt: skip


if __name__ == "__main__":
    main()
