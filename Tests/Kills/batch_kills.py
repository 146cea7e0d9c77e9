#!/usr/bin/env python3
"""Kills `process --out --resume` at random moments and goes on, until it was killed KILLS times: each time
the tables equal those of an undisturbed run. Among the inputs are archives that are broken, empty, or
unpack to 4 GiB.

    batch_kills.py REPTRACE [KILLS] [RECORDINGS] [SEED]
"""

import csv
import gzip
import io
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

REPTRACE = sys.argv[1]
KILLS, RECORDINGS, SEED = (int(sys.argv[at]) if len(sys.argv) > at else standard
                           for at, standard in ((2, 30), (3, 120), (4, 22)))  # fmt: skip
BOMB_BYTES = 4 << 30
MOST_MEGABYTES = 500
#: What must fail, by what its message says.
HOSTILE = {
    "broken.zip": "damaged", "empty.csv.gz": "", "nothing.csv.gz": "", "bomb.csv.gz": "",
    "bomb.zip/zeros.csv": "unpacks to",
}  # fmt: skip


def write_inputs(folder):
    subprocess.run(
        [REPTRACE, "generate", "-o", folder / "made", "--count", str(RECORDINGS), "--seed", str(SEED),
         "--format", "csv"], check=True, capture_output=True)  # fmt: skip
    inputs = folder / "made/recordings"
    one = next(inputs.rglob("*.csv")).read_bytes()
    with zipfile.ZipFile(inputs / "good.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("one.csv", one)
    (inputs / "broken.zip").write_bytes((inputs / "good.zip").read_bytes()[:-40])
    (inputs / "empty.csv.gz").write_bytes(b"")
    (inputs / "nothing.csv.gz").write_bytes(gzip.compress(b""))
    piece = bytes(1 << 24)
    with gzip.open(inputs / "bomb.csv.gz", "wb", compresslevel=1) as bomb:
        for _ in range(BOMB_BYTES // len(piece)):
            bomb.write(piece)
    with zipfile.ZipFile(inputs / "bomb.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        with archive.open("zeros.csv", "w", force_zip64=True) as bomb:
            for _ in range(BOMB_BYTES // len(piece)):
                bomb.write(piece)
    return inputs


def process(inputs, out, *options):
    return subprocess.Popen(
        [REPTRACE, "process", inputs, "--out", out, *options],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)  # fmt: skip


def tables(out):
    """All tables, without the one column that differs from run to run: the time taken."""
    head, *rows = csv.reader(io.StringIO((out / "recordings.csv").read_text()))
    at = head.index("secondsTaken")
    recordings = [row[:at] + row[at + 1 :] for row in [head, *rows]]
    return [recordings, *((out / name).read_bytes() for name in ("sets.csv", "reps.csv", "manifest.json"))]


def check_hostile(out):
    rows = {row["recording"]: row for row in csv.DictReader((out / "recordings.csv").open())}
    for name, words in HOSTILE.items():
        found = [row for path, row in rows.items() if path.endswith(name)]
        assert len(found) == 1, f"{name}: {len(found)} rows"
        assert found[0]["status"] == "failed" and words in found[0]["message"], f"{name}: {found[0]}"
    assert any(path.endswith("good.zip/one.csv") and row["status"] == "ok" for path, row in rows.items())


def main():
    random.seed(SEED)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        inputs = write_inputs(folder)
        whole = folder / "whole"
        began = time.monotonic()
        run = process(inputs, whole)
        run.communicate()
        seconds = time.monotonic() - began
        assert run.returncode == 1, f"status {run.returncode}: some inputs must fail"
        check_hostile(whole)
        # Of the largest program so far: making the recordings took less.
        megabytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        assert megabytes < MOST_MEGABYTES, f"{megabytes:.0f} MB"
        expected = tables(whole)

        kills, rounds, resumed = 0, 0, 0
        while kills < KILLS:
            rounds += 1
            out = folder / "killed"
            shutil.rmtree(out, ignore_errors=True)
            while True:
                run = process(inputs, out, "--resume")
                try:
                    errors = run.communicate(timeout=random.uniform(0, seconds / 4))[1]
                except subprocess.TimeoutExpired:
                    if kills < KILLS:
                        os.kill(run.pid, signal.SIGKILL)
                        kills += 1
                        run.communicate()
                        continue
                    errors = run.communicate()[1]
                assert run.returncode == 1, f"status {run.returncode}: {errors[-500:]}"
                resumed += "of an earlier run" in errors
                break
            assert tables(out) == expected, f"round {rounds}: the tables differ"
    print(f"{kills} kills with `kill -9` at random moments of a batch of {RECORDINGS} recordings, in {rounds} "
          f"rounds; {resumed} rounds ended by taking over what a killed run had finished. Each time the tables "
          f"equalled those of an undisturbed run. A broken zip, two empty gzip files and two files that unpack "
          f"to {BOMB_BYTES >> 30} GiB became rows with their reason, in {megabytes:.0f} MB of memory.")  # fmt: skip


if __name__ == "__main__":
    main()
