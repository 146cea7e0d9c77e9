#!/usr/bin/env python3
"""Measures the sync with a center in PostgreSQL: a first sync of 100,000 sets, one of samples, and one
without changes.

    sync_figures.py REPTRACE [SETS]

The server is started by `.ci/postgres start`, whose variables are in the environment.
"""

import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

REPTRACE = sys.argv[1]
SETS = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
PLACE = os.environ["REPTRACE_POSTGRES"]
ADMIN = f"postgresql://admin@{PLACE}"


def sync(store, role):
    """Syncs; returns the report and the duration in seconds."""
    began = time.monotonic()
    output = subprocess.run(
        [REPTRACE, "sync", store, f"postgresql://{role}@{PLACE}"], check=True, stdout=subprocess.PIPE).stdout
    return json.loads(output), time.monotonic() - began


def both_ways(folder, name, role):
    """Sends everything from one device and receives it on another."""
    sent, sending = sync(os.path.join(folder, f"{name}.sqlite"), role)
    received, receiving = sync(os.path.join(folder, f"{name}-copy.sqlite"), role)
    # Both already have the person's profile.
    if sent["sent"] - received["received"] > 1 or sent["sentBytes"] != received["receivedBytes"]:
        sys.exit(f"sent {sent}, received {received}")
    return sent, sending, receiving


def record(folder, count=40, rows=20_000):
    """Writes recordings with noise that compresses as badly as a sensor's."""
    os.mkdir(folder)
    noise = random.Random(3)
    for number in range(count):
        samples = [
            {"timestamp": 1 + i / 50, "rotationX": round(2 * math.sin(i / 16), 4) + noise.gauss(0, 0.1),
             "rotationY": noise.gauss(0, 0.1), "rotationZ": noise.gauss(0, 0.1),
             "accelerationX": noise.gauss(0, 0.1), "accelerationY": noise.gauss(0, 0.1),
             "accelerationZ": noise.gauss(0, 0.1)} for i in range(rows)]
        with open(os.path.join(folder, f"{number}.json"), "w") as file:
            json.dump({"sessionId": "W", "exerciseId": "curl", "setId": f"X{number}",
                       "samples": samples}, file)


with tempfile.TemporaryDirectory() as folder:
    subprocess.run([REPTRACE, "sync", "--init", ADMIN], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["psql", "-q", "-d", ADMIN, "-c", "GRANT reptrace_user TO alice, bob",
                    "-c", "DELETE FROM reptrace.account"], check=True)

    # Every tenth set is the local person's, and each workout has ten.
    subprocess.run(
        [REPTRACE, "history", "benchmark", os.path.join(folder, "sets.sqlite"), "--workouts", str(SETS)],
        check=True, stdout=subprocess.DEVNULL)
    sent, sending, receiving = both_ways(folder, "sets", "alice")
    rows = sent["sent"]
    print(f"- First sync of {SETS:,} sets, {rows:,} rows in all with their workouts, exercises and "
          f"recordings: sent in {sending:.0f} s, {rows / sending:,.0f} rows/s; received by another "
          f"device in {receiving:.0f} s, {rows / receiving:,.0f} rows/s.")

    record(os.path.join(folder, "recordings"))
    subprocess.run(
        [REPTRACE, "process", os.path.join(folder, "recordings"), "--store",
         os.path.join(folder, "samples.sqlite")], check=True, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    sent, sending, receiving = both_ways(folder, "samples", "bob")
    megabytes = sent["sentBytes"] / 1e6
    print(f"- Samples of 40 sets, {megabytes:.1f} MB: sent at {megabytes / sending:.1f} MB/s, received at "
          f"{megabytes / receiving:.1f} MB/s.")

    idle = [sync(os.path.join(folder, "sets.sqlite"), "alice") for _ in range(20)]
    if any(report["roundTrips"] != 1 or report["sent"] or report["received"] for report, _ in idle):
        sys.exit(f"a sync with nothing to do did something: {idle}")
    milliseconds = statistics.median(seconds for _, seconds in idle) * 1000
    print(f"- A sync of these {SETS:,} sets with nothing to do: one round trip, {milliseconds:.0f} ms with "
          "the start of the program and the login.")
