#!/usr/bin/env python3
"""Times the way from NDJSON into a history, and checks that all of it is there.

    history_ingest.py REPTRACE [SETS]
"""

import json
import math
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time

REPTRACE = sys.argv[1]
SETS = int(sys.argv[2]) if len(sys.argv) > 2 else 400
CHUNKS, ROWS = 20, 100


def lines():
    """Sets of 40 seconds: chunks as the watch sends them, with six decimals."""
    samples = []
    for row in range(CHUNKS * ROWS):
        t = row / 50
        angle = (1 - math.cos(math.pi * t)) / 2 * 2
        noise = math.sin(row * 12.9898) * 0.01
        samples.append({
            "accelerationX": round(noise, 6), "accelerationY": round(noise * 0.7, 6),
            "accelerationZ": round(-noise * 0.3, 6),
            "rotationX": round(math.pi * math.sin(math.pi * t) + noise, 6),
            "rotationY": round(noise, 6), "rotationZ": round(-noise, 6),
            "gravityX": 0.0, "gravityY": round(-math.cos(angle), 6),
            "gravityZ": round(math.sin(angle), 6), "roll": round(noise, 6),
            "pitch": round(angle, 6), "yaw": round(-noise, 6)})
    for number in range(SETS):
        ids = {"sessionId": f"S{number // 20}", "exerciseId": f"E{number % 5}",
               "setId": f"X{number}"}
        for chunk in range(CHUNKS):
            rows = [{"timestamp": round(number * 90 + (chunk * ROWS + row) / 50, 6),
                     **samples[chunk * ROWS + row]} for row in range(ROWS)]
            yield json.dumps({**ids, "phase": "execution", "samples": rows},
                             separators=(",", ":"))
        yield json.dumps({"type": "endSet", **ids})


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


with tempfile.TemporaryDirectory() as folder:
    source = os.path.join(folder, "stream.ndjson")
    with open(source, "w") as file:
        for line in lines():
            file.write(line + "\n")
    count = SETS * CHUNKS * ROWS
    print(f"- {SETS} sets, {count} samples, {os.path.getsize(source) / 1e6:.0f} MB of NDJSON")
    for name, arguments in (("process --store", ["process", source]), ("stream --store", ["stream"])):
        store = os.path.join(folder, name.split()[0] + ".sqlite")
        begin, used = time.monotonic(), processor_time()
        with open(source) as file, open(os.path.join(folder, "output"), "w") as output:
            run = subprocess.run([REPTRACE, *arguments, "--store", store], stdin=file,
                                 stdout=output, stderr=subprocess.PIPE, text=True)
        # Where others keep the machine busy, the processor time is the shorter one.
        seconds = min(time.monotonic() - begin, processor_time() - used)
        db = sqlite3.connect(store)
        stored = db.execute("SELECT sum(sampleCount) FROM recording").fetchone()[0]
        sets = db.execute("SELECT count(*) FROM workout_set").fetchone()[0]
        db.close()
        print(f"- {name}: {count / seconds:,.0f} samples/s, durable (limit 300,000)")
        if run.returncode or stored != count or sets != SETS or count / seconds < 300_000:
            print(f"{name}: status {run.returncode}, {stored} samples, {sets} sets, {run.stderr}",
                  file=sys.stderr)
            sys.exit(1)
