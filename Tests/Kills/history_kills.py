#!/usr/bin/env python3
"""Kills a program that lives through workouts at random moments, fills its disk, takes its rights,
and runs it twice at once. After each: the database is sound, and every acknowledged fact is in it.

    history_kills.py REPTRACE [KILLS]
"""

import json
import os
import random
import resource
import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time

REPTRACE = sys.argv[1]
KILLS = int(sys.argv[2]) if len(sys.argv) > 2 else 300


def rehearse(store, workouts, prefix="R", **options):
    return subprocess.Popen(
        [REPTRACE, "history", "rehearse", store, "--workouts", str(workouts), "--prefix", prefix],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def acks(output):
    """The acknowledged steps; a line that was cut off acknowledges nothing."""
    lines = output.split("\n")[:-1]
    return [json.loads(line) for line in lines if line]


def check(store, facts):
    """What is wrong with a store in which these steps have been acknowledged."""
    db = sqlite3.connect(store)
    wrong = []
    if db.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
        wrong.append("integrity")
    if db.execute("PRAGMA foreign_key_check").fetchall():
        wrong.append("foreign keys")

    def one(sql, *values):
        row = db.execute(sql, values).fetchone()
        return row[0] if row else None

    ended, deleted, corrected, done = set(), set(), {}, set()
    for fact in facts:
        if fact["ack"] in ("end", "close"):
            ended.add(fact["key"])
        elif fact["ack"] == "delete":
            deleted.add(fact["key"])
        elif fact["ack"] in ("endSet", "correct"):
            corrected[fact["key"]] = fact["reps"]
        if fact["ack"] == "endSet":
            done.add("-".join(fact["key"].split("-")[:2]))
    for fact in facts:
        kind, key = fact["ack"], fact["key"]
        workout = key.split("/")[0] if "/" in key else "-".join(key.split("-")[:2])
        status = one("SELECT status FROM workout WHERE key = ?", workout)
        is_current = status == "active"
        is_history = status is not None and not is_current
        if kind == "user":
            if one("SELECT count(*) FROM user WHERE uuid = ?", key) != 1:
                wrong.append(f"user {key}")
        elif kind == "startWorkout":
            # One that was closed before anything was done leaves nothing.
            if workout in done and not (is_history or is_current):
                wrong.append(f"workout {key}")
        elif kind == "end":
            if not is_history or is_current:
                wrong.append(f"workout {key} has not ended")
        elif kind in ("save", "endSet", "correct"):
            # A deletion may have happened that was not acknowledged any more.
            gone = one("SELECT count(*) FROM deleted_samples WHERE setKey = ?", key)
            if key in deleted or gone:
                continue
            reps = one("SELECT correctedReps FROM workout_set WHERE key = ?", key)
            # The step after the last acknowledged one may have been a correction.
            if kind != "save" and reps not in (corrected[key], 9):
                wrong.append(f"set {key} has {reps} reps instead of {corrected[key]}")
            if one("SELECT sampleCount FROM recording WHERE key = ?", key) != 500:
                wrong.append(f"samples of {key}")
        elif kind == "delete":
            if one("SELECT count(*) FROM workout_set WHERE key = ?", key) != 0:
                wrong.append(f"set {key} is still there")
    db.close()
    return wrong


def verify(store):
    run = subprocess.run([REPTRACE, "history", "verify", store], capture_output=True, text=True)
    return [] if run.returncode == 0 else [f"verify: {run.stdout}{run.stderr}"]


def time_of_birth(folder):
    """Seconds in which a store is made and a workout saved, on this machine now."""
    with tempfile.TemporaryDirectory(dir=folder) as own:
        began = time.monotonic()
        rehearse(os.path.join(own, "timed.sqlite"), 1).communicate()
        return time.monotonic() - began


def killed(folder, store, is_time, seconds, meanwhile=lambda: None):
    """The steps that a program acknowledged until it was killed: so long after something had come
    about, which it is asked for again and again. A clock alone would, on a busy machine, only ever
    kill what has not begun."""
    path = os.path.join(folder, "said")
    with open(path, "w") as said:
        process = subprocess.Popen(
            [REPTRACE, "history", "rehearse", store, "--workouts", "1000", "--prefix", "R"],
            stdout=said, stderr=subprocess.DEVNULL)
    while not is_time(path) and process.poll() is None:
        time.sleep(0.001)
    time.sleep(seconds)
    meanwhile()
    process.kill()
    process.wait()
    with open(path) as said:
        return acks(said.read())


def steps(path):
    with open(path) as said:
        return said.read().count("\n")


def kills(folder):
    chance = random.Random(6)
    failures, acknowledged = [], 0
    store, facts = os.path.join(folder, "kills.sqlite"), []
    birth = time_of_birth(folder)
    for number in range(KILLS):
        if number % 10 == 0:
            for suffix in ("", "-wal", "-shm"):
                if os.path.exists(store + suffix):
                    os.remove(store + suffix)
            facts = []
        count = chance.randrange(0, 150)
        new = killed(folder, store, lambda said: steps(said) >= count, chance.uniform(0, birth / 4))
        facts += new
        acknowledged += len(new)
        if os.path.exists(store):
            # Each file is its owner's alone, whatever the moment.
            for suffix in ("", "-wal", "-shm"):
                if os.path.exists(store + suffix):
                    mode = stat.S_IMODE(os.stat(store + suffix).st_mode)
                    if mode != 0o600:
                        failures.append(f"kill {number}: {suffix or 'database'} has mode {mode:o}")
            if facts:
                failures += [f"kill {number}: {wrong}" for wrong in check(store, facts)]
        # A file that was being made when the first kill came is no history yet.
        if number % 10 == 9 and facts:
            failures += [f"kill {number}: {wrong}" for wrong in verify(store)]
    print(f"- {KILLS} kills -9 of a workout: {len(failures)} failures, {acknowledged} acknowledged steps")
    return failures


def births(folder):
    """Kills while a store is created, with a reader at the same moment: nothing is left, or a store."""
    chance = random.Random(7)
    failures, empty = [], 0
    birth = time_of_birth(folder)
    for number in range(KILLS):
        store = os.path.join(folder, f"birth{number}.sqlite")
        readers = []

        def read():
            readers.append(subprocess.Popen(
                [REPTRACE, "history", "list", store], stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL))

        # From its start, from its first page, from the first step that it acknowledged.
        is_time, longest = (
            (lambda said: True, birth),
            (lambda said: os.path.exists(store) and os.path.getsize(store) > 0, birth / 4),
            (lambda said: steps(said) > 0, birth / 4),
        )[number % 3]
        facts = killed(folder, store, is_time, chance.uniform(0, longest), meanwhile=read)
        readers[0].wait()
        listing = subprocess.run(
            [REPTRACE, "history", "list", store], capture_output=True, text=True)
        if listing.returncode != 0:
            empty += 1
            if facts or not any(word in listing.stderr for word in ("empty", "no such file")):
                failures.append(f"birth {number}: {listing.stderr.strip()}")
        output, errors = rehearse(store, 1).communicate()
        if os.path.exists(store):
            failures += [f"birth {number}: {wrong}"
                         for wrong in check(store, facts + acks(output)) + verify(store)]
        for name in os.listdir(folder):
            if name.startswith(f"birth{number}."):
                os.remove(os.path.join(folder, name))
    print(f"- {KILLS} kills -9 at birth: {len(failures)} failures, {empty} left nothing")
    return failures


def limited(folder):
    """Files may grow to so many bytes: as on a full disk, writing fails at some point."""
    failures = []
    for size in (0, 40_000, 200_000, 500_000, 700_000, 1_000_000):
        store = os.path.join(folder, f"limited{size}.sqlite")
        process = rehearse(store, 60, preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_FSIZE, (size, size)))
        output, errors = process.communicate()
        message = errors.strip()
        if process.returncode not in (73, 74) or not message or len(message.splitlines()) > 1:
            failures.append(f"limit {size}: status {process.returncode}, {message!r}")
        facts = acks(output)
        if facts:
            failures += [f"limit {size}: {wrong}" for wrong in check(store, facts) + verify(store)]
            # With room again it goes on where it was.
            again = rehearse(store, 12)
            output, errors = again.communicate()
            if again.returncode != 0:
                failures.append(f"limit {size}, afterwards: {errors}")
            failures += [f"limit {size}, afterwards: {wrong}"
                         for wrong in check(store, facts + acks(output))]
    print(f"- files limited in size: {len(failures)} failures; it said: {message}")
    return failures


def full_disk(folder):
    """A small file system, where one may be mounted."""
    mount = os.path.join(folder, "small")
    os.mkdir(mount)
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", mount], capture_output=True)
    if mounted.returncode != 0:
        print("- full disk: not run, no file system may be mounted here")
        return []
    failures = []
    try:
        store = os.path.join(mount, "full.sqlite")
        process = rehearse(store, 100)
        output, errors = process.communicate()
        if process.returncode != 74 or "full" not in errors:
            failures.append(f"full disk: status {process.returncode}, {errors!r}")
        failures += [f"full disk: {wrong}" for wrong in check(store, acks(output))]
        print(f"- full disk: {len(failures)} failures; it said: {errors.strip()}")
    finally:
        subprocess.run(["umount", mount])
    return failures


def read_only(folder):
    """As another user than root, who may write anything."""
    store = os.path.join(folder, "readonly.sqlite")
    process = rehearse(store, 3)
    facts = acks(process.communicate()[0])
    failures = []
    os.chmod(folder, 0o755)
    # Where that user can reach it.
    command_copy = shutil.copy(REPTRACE, os.path.join(folder, "reptrace"))
    os.chmod(command_copy, 0o755)
    nobody = 65534
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(store + suffix):
            os.chown(store + suffix, nobody, nobody)
            os.chmod(store + suffix, 0o400)

    def drop():
        if os.getuid() == 0:
            os.setgid(nobody)
            os.setuid(nobody)

    for command, statuses in ((["rehearse", store, "--workouts", "9"], (73, 74)),
                              (["list", store, "--output", "ndjson"], (0,)),
                              (["verify", store], (0,))):
        run = subprocess.run([command_copy, "history", *command], capture_output=True, text=True,
                             preexec_fn=drop, cwd=folder)
        if run.returncode not in statuses:
            failures.append(f"read only, {command[0]}: {run.returncode}, {run.stderr.strip()}")
        elif run.returncode:
            message = run.stderr.strip()
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(store + suffix):
            os.chmod(store + suffix, 0o600)
    failures += [f"read only: {wrong}" for wrong in check(store, facts)]
    print(f"- read-only store: {len(failures)} failures"
          + ("" if failures else f"; it said: {message}"))
    return failures


def two_writers(folder):
    store = os.path.join(folder, "two.sqlite")
    processes = [rehearse(store, 10, prefix) for prefix in ("A", "B")]
    results = [process.communicate() for process in processes]
    failures = [f"two writers: {errors}" for process, (_, errors) in zip(processes, results)
                if process.returncode != 0]
    facts = [fact for output, _ in results for fact in acks(output)]
    failures += [f"two writers: {wrong}" for wrong in check(store, facts) + verify(store)]
    print(f"- two writers at once: {len(failures)} failures, {len(facts)} acknowledged steps")
    return failures


with tempfile.TemporaryDirectory() as folder:
    failures = []
    for test in (kills, births, limited, full_disk, read_only, two_writers):
        failures += test(folder)
for failure in failures[:20]:
    print(failure, file=sys.stderr)
sys.exit(1 if failures else 0)
