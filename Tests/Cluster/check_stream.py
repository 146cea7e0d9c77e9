#!/usr/bin/env python3
"""Counts interleaved sessions on a real Spark cluster and compares sets and samples with `reptrace stream`.

    check_stream.py REPTRACE [--sessions N] [--kills SECONDS]

Messages are shuffled, repeated, late and bad; some sets are declared and some found; some sessions end by a
message and some by silence. With --kills a worker is killed every SECONDS, and the driver once. Needs pyspark,
the package `reptrace` and Java.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import pyarrow.parquet
from check_cluster import Cluster, free_port
from check_rows import check as check_rows
from check_rows import check_refusals
from check_sink import check as check_sink

import reptrace

SCHEMA = "session string, arrival timestamp, sequence long, value string"
MESSAGES_A_FILE = 400
WATERMARK, SILENCE = "1 minute", "5 minutes"
START = 1_750_000_000
IDENTITY = re.compile(r'"(setId|phase)":"[^"]*",')


def generated(command: str, folder: Path, count: int) -> dict[str, list[str]]:
    """Messages of sessions, in order. In every fourth session nothing is declared."""
    options = ["--format", "ndjson", "--faults", "none", "--reps", "5", "--rest", "6", "--seed", "44"]
    subprocess.run(
        [command, "generate", "-o", folder, "--count", str(count), *options], check=True, capture_output=True
    )
    sessions = {}
    for number, path in enumerate(sorted((folder / "recordings").glob("*.ndjson"))):
        lines = path.read_text().splitlines()
        session = json.loads(lines[0])["sessionId"]
        if number % 4 == 3:
            lines = [
                IDENTITY.sub("", line[:400]) + line[400:]
                for line in lines
                if not re.search(r'"type":"(startSet|endSet|updatePhase)"', line[:60])
            ]
        if number % 5 == 4:
            # It falls silent.
            lines = [line for line in lines if '"type":"endWorkout"' not in line[:60]]
        sessions[session] = lines
    return sessions


def is_chunk(message: str) -> bool:
    return '"samples":[' in message[:400]


def delivered(messages: list[str], chance: random.Random) -> list[str]:
    """The messages of a session as they arrive."""
    places: list[tuple[float, str]] = []
    for index, message in enumerate(messages):
        if not is_chunk(message):
            places.append((index, message))
            continue
        places.append((index + chance.uniform(0, 8), message))
        if chance.random() < 0.1:
            places.append((index + chance.uniform(0, 20), message))
        if chance.random() < 0.01:
            places.append((index, message[: len(message) // 2]))
    return [message for _, message in sorted(places, key=lambda place: place[0])]


def write_input(sessions: dict[str, list[str]], folder: Path) -> tuple[int, int]:
    """Writes files of rows in order of arrival; returns the numbers of messages and of bad ones."""
    chance = random.Random(45)
    rows = []
    bad = 0
    for session, messages in sessions.items():
        start = chance.uniform(0, 6 * len(sessions))
        for index, message in enumerate(delivered(messages, chance)):
            rows.append((start + index / 2, session, message))
            bad += is_chunk(message) and not message.endswith("}")
    rows.sort()
    # Its time ends the sessions that are silent.
    rows.append((rows[-1][0] + 7200, "last", '{"type":"startWorkout","sessionId":"last"}'))
    folder.mkdir()
    for number, first in enumerate(range(0, len(rows), MESSAGES_A_FILE)):
        with (folder / f"{number:05}.json").open("w") as file:
            for sequence, (arrival, session, value) in enumerate(
                rows[first : first + MESSAGES_A_FILE], first
            ):
                stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(START + arrival))
                row = {"session": session, "arrival": f"{stamp}.{int(arrival % 1 * 1000):03}Z",
                       "sequence": sequence, "value": value}  # fmt: skip
                file.write(json.dumps(row) + "\n")
            if number == 1:
                # A row without a message, and one that Spark cannot parse: it has no time either.
                file.write(json.dumps(row | {"value": None}) + '\n{"session":\n')
                bad += 2
        # Spark takes files in order of their times.
        os.utime(folder / f"{number:05}.json", (START + number, START + number))
    return len(rows), bad


def expected(command: str, sessions: dict[str, list[str]], folder: Path) -> dict[tuple[str, str], Any]:
    """What `reptrace stream` stores of each recording: the digest and number of its samples, and its sets."""
    store = folder / "expected.sqlite"
    lines = "\n".join(line for messages in sessions.values() for line in messages)
    subprocess.run(
        [command, "stream", "--store", store], input=lines.encode(), check=True, stdout=subprocess.DEVNULL
    )
    found = {}
    with sqlite3.connect(store) as db:
        for number, session, key, digest, samples in db.execute(
            """SELECT r.id, w.sessionId, r.key, lower(hex(r.digest)), r.sampleCount
               FROM recording r JOIN workout w ON w.id = r.workoutId"""
        ):
            sets = db.execute(
                """SELECT key, detectedReps, confidence, clockStart, clockEnd FROM workout_set
                   WHERE recordingId = ? AND detectedReps IS NOT NULL ORDER BY position""",
                [number],
            ).fetchall()
            found[session.upper(), key] = (digest, samples, sets)
    return found


def read_output(folder: Path) -> list[dict[str, Any]]:
    """The rows of the files that were committed: those of a task that was killed are not."""
    log = folder / "_spark_metadata"
    batches = sorted((path for path in log.iterdir() if path.name[0] != "."), key=lambda path: int(path.stem))
    compacted = [index for index, path in enumerate(batches) if path.suffix == ".compact"]
    rows: list[dict[str, Any]] = []
    for path in batches[compacted[-1] if compacted else 0 :]:
        for line in path.read_text().splitlines()[1:]:
            name = json.loads(line)["path"].removeprefix("file://")
            kind = re.search(r"kind=(\w+)", name)
            assert kind
            for row in pyarrow.parquet.ParquetFile(name).read().to_pylist():
                rows.append(row | {"kind": kind[1]})
    return rows


def compare(name: str, rows: list[dict[str, Any]], wanted: dict[tuple[str, str], Any], bad: int) -> None:
    """Each set once as `reptrace stream` has it, each sample once, and no row twice or missing."""
    numbers = defaultdict(set)
    places = set()
    for row in rows:
        place = (row["session"], row["number"], row["kind"], row["position"])
        assert place not in places, f"{name}: {place} came twice"
        places.add(place)
        numbers[row["session"]].add(row["number"])
    for session, found in numbers.items():
        assert found == set(range(1, max(found) + 1)), f"{name}: rows of {session} are missing"
    last: dict[tuple[str, str], int] = {}
    for row in rows:
        if row["kind"] == "recording":
            key = (row["session"], row["key"])
            last[key] = max(last.get(key, 0), row["number"])
    answers: dict[tuple[str, str], Any] = {}
    samples = 0
    for row in rows:
        if row["number"] != last.get((row["session"], row["key"])):
            continue
        answer = answers.setdefault((row["session"], row["recording"]), [None, 0, {}, 0])
        if row["kind"] == "recording":
            answer[0], answer[1] = row["digest"], row["samples"]
        elif row["kind"] == "set":
            answer[2][row["position"]] = (
                row["set"],
                row["reps"],
                row["confidence"],
                row["start"],
                row["end"],
            )
            assert len(row["repEvents"]) == row["reps"]
        else:
            answer[3] += len(reptrace.decode_timeline(row["timeline"]).samples)
    for (session, key), (digest, count, sets) in wanted.items():
        answer = answers.pop((session, key), None)
        assert answer, f"{name}: {session} {key} is missing"
        assert (answer[0], answer[1], answer[3]) == (digest, count, count), (
            f"{name}: samples of {session} {key}: {answer}, expected {digest}, {count}; "
            f"{[row['error'] for row in rows if row['session'] == session and row['error']]}"
        )
        mine = [answer[2][position] for position in sorted(answer[2])]
        assert mine == sets, f"{name}: {session} {key}: {mine}, expected {sets}"
        samples += count
    assert not answers, f"{name}: more than expected: {list(answers)[:3]}"
    errors = [row for row in rows if row["kind"] == "error"]
    assert len(errors) == bad and bad > 0, f"{name}: {len(errors)} errors of {bad} bad messages"
    assert all(row["error"] for row in errors)
    sets = sum(len(answer[2]) for answer in wanted.values())
    sessions = len({session for session, _ in wanted})
    print(f"- {name}: {sets} sets of {sessions} sessions equal, {samples} samples once each, "
          f"{len(rows)} rows, {bad} bad messages told", flush=True)  # fmt: skip


CONFIGURATION = {
    "spark.driver.host": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.executor.memory": "700m",
    "spark.sql.shuffle.partitions": "4",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled": "true",
}


def boundary(sessions: dict[str, list[str]], samples: int) -> None:
    """Prints how fast a process of Python is with batches of ten seconds that are kept each time."""
    lines = [[message.encode() for message in messages] for messages in sessions.values()]
    heads, states = [], []
    seconds = []
    for _ in range(3):
        began = time.process_time()
        for messages in lines:
            session, kept = reptrace.Session(), 0
            for first in range(0, len(messages), 20):
                session.append(messages[first : first + 20])
                saved = session.save()
                kept = len(saved.messages) + (0 if saved.replaces else kept)
                heads.append(len(saved.head))
                states.append(len(saved.head) + kept)
            session.finish()
        seconds.append(time.process_time() - began)
    print(
        f"- a core counts {samples / min(seconds):,.0f} samples/s behind the boundary of Python, in batches of "
        f"20 messages, each time with its state; the state of a session is {max(states) / 1e3:.0f} KB at most, of "
        f"which {max(heads) / 1e3:.0f} KB are written anew with each batch",
        flush=True,
    )


def connect(cluster: Cluster) -> Any:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(cluster.address).appName("reptrace stream")
    for key, value in CONFIGURATION.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def figures(spark: Any, cluster: Cluster, source: Path, folder: Path, messages: int, samples: int) -> None:
    """Counts in this process, and prints times and sizes."""
    from reptrace.spark import count_stream

    chunks = spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 4).json(str(source))
    rows = count_stream(chunks, time="arrival", order="sequence", late=WATERMARK, silence=SILENCE)
    used, began = cluster.processor_seconds(), time.monotonic()
    query = (
        rows.writeStream.format("parquet")
        .option("path", str(folder / "rows"))
        .option("checkpointLocation", str(folder / "checkpoint"))
        .partitionBy("kind")
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    seconds, used = time.monotonic() - began, cluster.processor_seconds() - used
    progress = [one for one in query.recentProgress if one["numInputRows"]]
    times = sorted(one["durationMs"]["triggerExecution"] / 1000 for one in progress)
    kept = [one["stateOperators"][0]["customMetrics"] for one in progress]
    size = max(int(one.get("rocksdbTotalBytesWritten", 0)) for one in kept)
    print(
        f"- {messages} messages with {samples} samples in {len(progress)} batches: {seconds:.1f} s, "
        f"{used:.1f} s of the workers' processor time, {samples / used:,.0f} samples a core-second; a batch takes "
        f"{statistics.median(times):.2f} s (median), {times[-1]:.2f} s (longest); "
        f"at most {size / 1e6:.2f} MB of state written in a batch",
        flush=True,
    )


class KilledCluster(Cluster):
    """A cluster whose workers come back."""

    def replace_worker(self, number: int) -> None:
        os.killpg(self.processes[number].pid, signal.SIGKILL)
        self.processes[number].wait()
        name = f"worker{number}-{time.monotonic():.0f}"
        arguments = ["--cores", "1", "--memory", "1g", "--webui-port", str(free_port())]
        self.start(name, "worker.Worker", *arguments, self.address)
        self.processes[number] = self.processes.pop()


def run_killed(cluster: KilledCluster, source: Path, folder: Path, interval: float) -> tuple[int, int]:
    """Runs the command, kills a worker every so often and the driver once, and starts it again."""
    # Workers are killed more often than tasks fail by themselves.
    configuration = CONFIGURATION | {
        "spark.task.maxFailures": "100",
        "spark.stage.maxConsecutiveAttempts": "100",
    }
    submit = [f"--conf {key}={value}" for key, value in configuration.items()]
    environment = os.environ | {
        "PYSPARK_SUBMIT_ARGS": f"--master {cluster.address} {' '.join(submit)} pyspark-shell"
    }
    command = [
        sys.executable, "-m", "reptrace.spark", "stream", "--format", "json", "--schema", SCHEMA, "--input", source,
        "--option", "maxFilesPerTrigger=2", "--time", "arrival", "--order", "sequence", "--late", WATERMARK,
        "--silence", SILENCE, "--output", folder / "rows", "--checkpoint", folder / "checkpoint", "--once",
    ]  # fmt: skip
    kills = drivers = 0
    while True:
        with (folder.parent / f"driver{drivers}.log").open("wb") as log:
            driver = subprocess.Popen(
                list(map(str, command)), env=environment, stdout=log, stderr=log, start_new_session=True
            )
            next_kill = time.monotonic() + interval
            while driver.poll() is None:
                time.sleep(0.5)
                if time.monotonic() < next_kill:
                    continue
                next_kill = time.monotonic() + interval
                if kills == 1 and not drivers:
                    os.killpg(driver.pid, signal.SIGKILL)
                    driver.wait()
                    drivers += 1
                    break
                cluster.replace_worker(1 + kills % 2)
                kills += 1
            else:
                if driver.returncode:
                    said = Path(log.name).read_text().splitlines()
                    reasons = [line for line in said if "Error" in line or "Exception" in line]
                    sys.exit("\n".join(["the driver failed:", *reasons[:20]]))
                return kills, drivers


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("reptrace")
    parser.add_argument("--sessions", type=int, default=40)
    parser.add_argument("--kills", type=float, metavar="SECONDS")
    options = parser.parse_args()
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_MASTER_OPTS"] = "-Dspark.deploy.maxExecutorRetries=-1"
    with tempfile.TemporaryDirectory(prefix="reptrace-stream-") as name:
        folder = Path(name)
        sessions = generated(options.reptrace, folder / "made", options.sessions)
        wanted = expected(options.reptrace, sessions, folder)
        messages, bad = write_input(sessions, folder / "input")
        samples = sum(answer[1] for answer in wanted.values())
        boundary(sessions, samples)
        (folder / "plain").mkdir()
        with Cluster(folder / "plain") as cluster:
            spark = connect(cluster)
            check_rows(spark)
            figures(spark, cluster, folder / "input", folder / "plain", messages, samples)
            compare("shuffled, repeated and late", read_output(folder / "plain/rows"), wanted, bad)
            check_refusals(folder / "plain/rows")
            check_sink(options.reptrace, sessions)
            spark.stop()
        if options.kills:
            (folder / "killed").mkdir()
            with KilledCluster(folder / "killed") as cluster:
                kills, drivers = run_killed(cluster, folder / "input", folder / "killed", options.kills)
                rows = read_output(folder / "killed/rows")
                compare(f"{kills} kills of a worker and {drivers} of the driver", rows, wanted, bad)
    return 0


if __name__ == "__main__":
    sys.exit(main())
