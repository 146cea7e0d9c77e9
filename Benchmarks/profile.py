#!/usr/bin/env python3
"""Reports where each hot path spends its time.

    profile.py PROGRAM RESULTS.ndjson [SECONDS]

runs our side of a contest of PROGRAM (ReptraceBenchmarks) under `perf`, limited to the path itself:
once to count instructions and cycles, once to sample where they are spent. Without `perf` it prints a
message and writes nothing.

    profile.py --costs PROGRAM PAGE.md [SECONDS]

writes the cost per sample of each hot path of PROGRAM (HotPaths), for the documentation.

    profile.py --hot-path PROGRAM [NAME]

prints the functions in which a path of PROGRAM (HotPaths) spends its instructions and, where `perf` can count
them, its cycles, and the instructions of the costliest function. Without a name it lists the paths.
"""

import collections
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile

import write_page

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
LISTED = 25
#: On current processors.
CYCLES_A_MULTIPLICATION = 3
INSTRUCTIONS_A_CYCLE = 6
UNITS = {"chunks": "chunk", "samples": "sample"}


def perf(arguments, program, words, seconds, folder):
    """Returns the output of the program and of perf."""
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
    """Returns a function's name without irrelevant parts."""
    name = re.sub(r"^((closure #\d+ (@.*? )?in )|static |generic specialization <.*?> of |merged )+", "", name)
    name = re.sub(r"^(generic |function signature |merged |partial apply |specialized |specialization |<.*?> of |of |for |closure #\d+ .*? in )*", "", name)
    name = re.sub(r"\(.*\)( .*)?$", "", name)
    name = re.sub(r"<.*>", "", name)
    return name.strip()[:70] or "?"


def can_count():
    """Returns whether perf can count instructions here; a virtual machine may hide the counters."""
    if not shutil.which("perf"):
        return False
    command = ["perf", "stat", "-x", ";", "-e", "instructions:u", "true"]
    counted = subprocess.run(command, capture_output=True, text=True)
    return counted.returncode == 0 and counted.stderr[:1].isdigit()


def callgrind(program, name, folder):
    """Returns the cost of each instruction of a hot path: {function: {address: instructions}}."""
    out = os.path.join(folder, "callgrind.out")
    # Valgrind needs the names of functions, but cannot read all of the compiler's debug information.
    bare = os.path.join(folder, "program")
    subprocess.run(["strip", "--strip-debug", "-o", bare, program], check=True)
    subprocess.run(
        ["valgrind", "--tool=callgrind", "--collect-atstart=no", "--toggle-collect=*7hotPath*", "--dump-instr=yes",
         "--compress-strings=no", "--compress-pos=no", f"--callgrind-out-file={out}", bare, name],
        capture_output=True, check=True, env={**os.environ, "SWIFT_BACKTRACE": "enable=no"},
    )  # fmt: skip
    costs, isCalled, function = collections.defaultdict(collections.Counter), False, ""
    with open(out, errors="replace") as lines:
        for line in lines:
            if line.startswith("fn="):
                function = line[3:].strip()
            elif line.startswith("calls="):
                isCalled = True  # The next line is the cost of the called function.
            elif line.startswith("0x"):
                if not isCalled:
                    fields = line.split()
                    costs[function][int(fields[0], 16)] += int(fields[-1])
                isCalled = False
    return costs, bare


def figures(program, name, seconds=0):
    """Returns a hot path's output: samples, bytes moved, and the nanoseconds of its fastest run."""
    output = subprocess.run([program, name, str(seconds)], capture_output=True, text=True, check=True).stdout
    return [int(field) for field in output.split()]


def hot_path(program, name):
    samples = figures(program, name)[0]
    with tempfile.TemporaryDirectory() as folder:
        costs, bare = callgrind(program, name, folder)
        totals = sorted(((sum(cost.values()), function) for function, cost in costs.items()), reverse=True)
        whole = sum(total for total, _ in totals)
        print(f"{name}: {samples} samples, {whole / samples:,.0f} instructions a sample")
        names = demangled([function for _, function in totals[:LISTED]])
        for (total, _), shown in zip(totals, names):
            print(f"{100 * total / whole:6.1f} % {total / samples:10,.1f}  {shown[:110]}")
        addresses = costs[totals[0][1]]
        print(f"\n{names[0]}, instruction by instruction, in executions a sample:")
        dump = subprocess.run(
            ["objdump", "-d", "--no-show-raw-insn", bare, f"--start-address={min(addresses)}",
             f"--stop-address={max(addresses) + 1}"], capture_output=True, text=True, check=True)  # fmt: skip
        for line in dump.stdout.splitlines():
            match = re.match(r"\s*([0-9a-f]+):\s+(.*)", line)
            if match:
                count = addresses[int(match[1], 16)] / samples
                print(f"{f'{count:.1f}' if count else '':>10}  {match[1]}  {match[2]}")
        if not can_count():
            print("profile: no cycles, as this machine hides its counters from perf", file=sys.stderr)
            return
        data = os.path.join(folder, "perf.data")
        subprocess.run(["perf", "record", "-q", "-e", "cycles:u", "-o", data, program, name, "3"], check=True)
        print("\ncycles, preparation included:")
        for function, share in report(data).most_common(LISTED):
            print(f"{share:6.1f} %  {function}")


def costs(program, page, seconds):
    """Returns a table of every path with the cost per sample and its lower bound."""
    bytes_moved, nanoseconds = figures(program, "copy", seconds)[1:]
    bandwidth = bytes_moved / nanoseconds
    multiplications, _, nanoseconds = figures(program, "multiply", seconds)
    cycle = nanoseconds / multiplications / CYCLES_A_MULTIPLICATION
    lines = [
        write_page.when(), "", f"- Machine: {write_page.machine()}; {platform.platform()}.", "",
        "**Cost of a sample**", "",
        "| path | instructions | cycles | bytes moved | cycles at six instructions a cycle "
        "| cycles to move the bytes |",
        "|---|---|---|---|---|---|",
    ]  # fmt: skip
    for name in subprocess.run([program], capture_output=True, text=True, check=True).stdout.split():
        samples, bytes_moved, nanoseconds = figures(program, name, seconds)
        with tempfile.TemporaryDirectory() as folder:
            counted, _ = callgrind(program, name, folder)
        instructions = sum(sum(cost.values()) for cost in counted.values())
        row = [instructions, nanoseconds / cycle, bytes_moved, instructions / INSTRUCTIONS_A_CYCLE,
               bytes_moved / bandwidth / cycle]  # fmt: skip
        lines.append(f"| {name} | " + " | ".join(f"{value / samples:,.0f}" for value in row) + " |")
        print(lines[-1], flush=True)
    with open(page, "w") as file:
        print("\n".join(lines), file=file)


def report(data):
    """Returns the fraction of each function in a perf recording, in percent."""
    text = subprocess.run(
        ["perf", "report", "-i", data, "--no-children", "--stdio", "-q", "-F", "overhead,symbol",
         "--no-demangle", "-g", "none"],
        capture_output=True, text=True,
    ).stdout  # fmt: skip
    shares, names = [], []
    for line in text.splitlines():
        match = re.match(r"\s*([\d.]+)%\s+\[\S\]\s+(\S+)", line)
        if match:
            shares.append(float(match[1]))
            names.append(match[2])
    total = collections.Counter()
    for share, name in zip(shares, demangled(names)):
        total[brief(name)] += share
    return total


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
    total = report(data)
    instructions, cycles = counts.get("instructions", 0), counts.get("cycles", 0)
    row = [
        title,
        f"{instructions / float(amount):,.0f} per {UNITS.get(unit, unit)}" if instructions else "",
        f"{instructions / cycles:.2f}" if cycles else "",
        "; ".join(f"{name} {share:.0f} %" for name, share in total.most_common(SHOWN)),
    ]
    print("  ".join(row), flush=True)
    return row


def main():
    if sys.argv[1] == "--hot-path":
        if len(sys.argv) < 4:
            sys.exit(subprocess.run([sys.argv[2]]).returncode)
        return hot_path(*sys.argv[2:4])
    if sys.argv[1] == "--costs":
        return costs(*sys.argv[2:4], float(sys.argv[4]) if len(sys.argv) > 4 else 2.0)
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
