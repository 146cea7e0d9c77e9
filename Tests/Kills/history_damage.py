#!/usr/bin/env python3
"""Flips bits in a history's files, cuts them, and runs every command on what is left: an error or the
right answer, never a trap, a wait of more than ten seconds, or a wrong value without a word.

    history_damage.py REPTRACE RECORDING [MUTATIONS] [SEED]
"""

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

REPTRACE, RECORDING = sys.argv[1], sys.argv[2]
MUTATIONS = int(sys.argv[3]) if len(sys.argv) > 3 else 5000
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else 15
LONGEST = 10.0
SUFFIXES = ("", "-wal", "-shm", "-journal")

# Each with the store's path in place of STORE. Those that write work on a copy of their own.
READS = [
    ["list", "STORE", "--output", "ndjson"],
    ["workouts", "STORE", "--output", "ndjson"],
    ["show", "STORE", "1", "--output", "ndjson"],
    ["export", "STORE", "--samples", "--output", "csv"],
    ["changes", "STORE"],
    ["exercises", "STORE"],
    ["plans", "STORE"],
    ["verify", "STORE"],
]
WRITES = [
    ["correct", "STORE", "1", "--reps", "5"],
    ["recount", "STORE"],
    ["delete", "STORE", "1"],
]


def run(arguments, store):
    command = [REPTRACE, "history", *[store if a == "STORE" else a for a in arguments]]
    begin = time.monotonic()
    try:
        result = subprocess.run(command, capture_output=True, timeout=60)
        return result.returncode, result.stdout, result.stderr, time.monotonic() - begin
    except subprocess.TimeoutExpired:
        return None, b"", b"", time.monotonic() - begin


def listing(store):
    return run(["list", "STORE", "--output", "ndjson"], store)[:2]


def copy(source, target):
    for suffix in SUFFIXES:
        if os.path.exists(target + suffix):
            os.remove(target + suffix)
        if os.path.exists(source + suffix):
            shutil.copy(source + suffix, target + suffix)


def mutate(path, chance):
    """One flip, some flips close together, or a cut; what was done, as text."""
    size = os.path.getsize(path)
    with open(path, "r+b") as file:
        kind = chance.random()
        if kind < 0.12:
            length = chance.randrange(size)
            file.truncate(length)
            return f"cut to {length}"
        places = [chance.randrange(size)]
        if kind < 0.25:
            places += [min(size - 1, places[0] + chance.randrange(64)) for _ in range(3)]
        bits = []
        for place in places:
            file.seek(place)
            byte = file.read(1)[0]
            bit = chance.randrange(8)
            file.seek(place)
            file.write(bytes([byte ^ 1 << bit]))
            bits.append(f"{place}.{bit}")
        return "flip " + " ".join(bits)


def make(folder):
    """A store that was closed, and one whose program was killed, with its log."""
    closed = os.path.join(folder, "closed.sqlite")
    subprocess.run([REPTRACE, "process", RECORDING, "--store", closed], capture_output=True, check=True)
    subprocess.run([REPTRACE, "history", "rehearse", closed, "--workouts", "2"],
                   capture_output=True, check=True)
    killed = os.path.join(folder, "killed.sqlite")
    copy(closed, killed)
    process = subprocess.Popen(
        [REPTRACE, "history", "rehearse", killed, "--workouts", "1000", "--prefix", "K"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    for _ in range(20):
        process.stdout.readline()
    process.kill()
    process.wait()
    return closed, killed


def main():
    chance = random.Random(SEED)
    failures, errors, right, longest = [], 0, 0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        sources = make(folder)
        expected = {}
        for source in sources:
            for arguments in READS + WRITES:
                work = os.path.join(folder, "expected.sqlite")
                copy(source, work)
                answer = run(arguments, work)
                after = listing(work) if arguments in WRITES else None
                expected[source, tuple(arguments)] = (answer[0], answer[1], after)
                if answer[0] != 0:
                    failures.append(f"undamaged: {arguments} {answer}")
        work = os.path.join(folder, "work.sqlite")
        damaged = os.path.join(folder, "damaged.sqlite")
        for number in range(MUTATIONS):
            source = sources[number % 2]
            copy(source, damaged)
            suffix = "-wal" if number % 4 == 1 and os.path.exists(source + "-wal") else ""
            what = f"{number}: {os.path.basename(source)}{suffix} " + mutate(damaged + suffix, chance)
            # Every read command in turn, and now and then one that writes.
            commands = [READS[number % len(READS)], READS[(number // 8) % len(READS)]]
            if number % 5 == 0:
                commands.append(WRITES[number // 5 % len(WRITES)])
            for arguments in commands:
                copy(damaged, work)
                status, output, message, seconds = run(arguments, work)
                longest = max(longest, seconds)
                where = f"{what}: {' '.join(arguments)}"
                if status is None or seconds > LONGEST:
                    failures.append(f"{where}: {seconds:.1f} s")
                elif status < 0 or status > 100:
                    failures.append(f"{where}: status {status} {message[-200:]!r}")
                elif status != 0:
                    errors += 1
                    if not message and arguments[0] != "verify":
                        failures.append(f"{where}: status {status} without a word")
                else:
                    right += 1
                    _, wanted, after = expected[source, tuple(arguments)]
                    if output != wanted:
                        failures.append(f"{where}: another answer without a word")
                    elif after is not None:
                        now = listing(work)
                        if now[0] == 0 and now != after:
                            failures.append(f"{where}: another history afterwards")
        print(f"- {MUTATIONS} damaged histories (seed {SEED}): {len(failures)} failures, {errors} errors, "
              f"{right} right answers, the longest command {longest:.1f} s")
    for failure in failures[:40]:
        print(failure, file=sys.stderr)
    sys.exit(1 if failures else 0)


main()
