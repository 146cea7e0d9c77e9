#!/usr/bin/env python3
"""Counts recordings on a real Spark cluster and compares every row with `reptrace process`.

    check_cluster.py REPTRACE [--recordings N]

Starts a standalone master and two workers as processes of their own, counts N synthetic recordings (50)
and a damaged one as paths, as binary files and as rows of samples, kills a worker in the middle of a
job, writes Parquet and reads it with DuckDB. Needs pyspark, DuckDB, the package `reptrace` and Java.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import duckdb
import pyspark
import reptrace
from pyspark.sql import SparkSession
from reptrace.spark import count_recordings, count_samples

SPARK = Path(pyspark.__file__).parent


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Cluster:
    """A master and two workers on this machine, gone when the block ends."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.address = f"spark://127.0.0.1:{self.port}"
        self.processes: list[subprocess.Popen[bytes]] = []

    def start(self, name: str, kind: str, *arguments: str) -> None:
        command = [str(SPARK / "bin/spark-class"), f"org.apache.spark.deploy.{kind}", *arguments]
        environment = {
            "SPARK_HOME": str(SPARK),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_WORKER_DIR": str(self.folder / name),
        }
        with (self.folder / f"{name}.log").open("wb") as log:
            self.processes.append(
                subprocess.Popen(
                    command, stdout=log, stderr=log, env=os.environ | environment, start_new_session=True
                )
            )

    def __enter__(self) -> Cluster:
        try:
            master = ["--host", "127.0.0.1", "--port", str(self.port)]
            self.start("master", "master.Master", *master, "--webui-port", str(free_port()))
            self.wait_for_master()
            for number in (1, 2):
                worker = ["--cores", "1", "--memory", "1g", "--webui-port", str(free_port())]
                self.start(f"worker{number}", "worker.Worker", *worker, self.address)
        except BaseException as error:
            self.__exit__(type(error))
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        for process in reversed(self.processes):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if kind is not None:
            for log in sorted(self.folder.glob("*.log")):
                print(f"== {log.name}", *log.read_text().splitlines()[-15:], sep="\n", file=sys.stderr)

    def wait_for_master(self) -> None:
        end = time.monotonic() + 180
        while True:
            try:
                return socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.2)

    def processor_seconds(self) -> float:
        """Of the workers and everything that they run and ran."""
        # Python's processes leave their worker's group, but not its session.
        sessions = {process.pid for process in self.processes[1:]}
        ticks = 0
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                # After the name: state, parent, group, session, …, own user and system time, that of ended children.
                fields = stat.read_text().rpartition(")")[2].split()
                if int(fields[3]) in sessions:
                    ticks += sum(map(int, fields[11:15]))
        return ticks / os.sysconf("SC_CLK_TCK")

    def kill_worker(self) -> None:
        """Kills a worker with everything that it runs, as a machine that loses its power."""
        os.killpg(self.processes[2].pid, signal.SIGKILL)


def children_seconds() -> float:
    """Processor time of the programs that this one started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def process(command: str, paths: list[Path], *options: str) -> dict[str, list[dict]]:
    found = subprocess.run(
        [command, "process", *map(str, paths), "--output", "ndjson", *options],
        capture_output=True,
        text=True,
    )
    lines: dict[str, list[dict]] = {str(path): [] for path in paths}
    for text in found.stdout.splitlines():
        line = json.loads(text)
        lines[line["recording"]].append(line)
    return lines


def compare(name: str, rows: list, expected: dict[str, list[dict]], bad: str | None) -> None:
    """Every row as `process` prints it, one for a recording without a set, and the damaged one as an error."""
    errors = [row for row in rows if row["error"] is not None]
    assert [row["recording"] for row in errors] == ([bad] if bad else []), f"{name}: {errors}"
    assert all(Path(row["recording"]).name in row["error"] for row in errors), errors
    found: dict[str, list] = {path: [] for path in expected}
    for row in rows:
        if row["error"] is None:
            found[row["recording"]].append(row)
    for path, lines in expected.items():
        mine = sorted(found[path], key=lambda row: row["number"] or 0)
        if not lines:
            assert [(row["set"], row["reps"]) for row in mine] == [(None, 0)], f"{name}: {path}"
            continue
        assert len(mine) == len(lines), f"{name}: {path}: {len(mine)} sets, expected {len(lines)}"
        for row, line in zip(mine, lines, strict=True):
            assert row["reps"] == line["reps"], f"{name}: {path}"
            for key in ("start", "end", "confidence"):
                assert abs(row[key] - line[key]) < 1e-3, f"{name}: {path}: {key}"
    print(f"- {name}: {sum(map(len, expected.values()))} sets of {len(expected)} recordings equal")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("reptrace")
    parser.add_argument("--recordings", type=int, default=50)
    options = parser.parse_args()
    os.environ["PYSPARK_PYTHON"] = sys.executable
    with tempfile.TemporaryDirectory(prefix="reptrace-cluster-") as name:
        folder = Path(name)
        subprocess.run(
            [options.reptrace, "generate", "-o", folder / "made", "--count", str(options.recordings),
             "--seed", "22", "--format", "csv", "--faults", "none"],
            check=True, capture_output=True,
        )  # fmt: skip
        paths = sorted((folder / "made/recordings").rglob("*.csv"))
        began, used = time.monotonic(), children_seconds()
        expected = process(options.reptrace, paths)
        alone, alone_processor = time.monotonic() - began, children_seconds() - used
        frames = [reptrace.read(path)["timestamp"] for path in paths]
        recorded_seconds = sum(times.iloc[-1] - times.iloc[0] for times in frames)
        bad = folder / "made/recordings/damaged.csv"
        bad.write_bytes(b"\x00\x01 this is no recording\n" * 9)
        with Cluster(folder) as cluster:
            spark = (
                SparkSession.builder.master(cluster.address)
                .appName("reptrace check")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.ui.enabled", "false")
                .config("spark.ui.showConsoleProgress", "false")
                .config("spark.executor.memory", "700m")
                .config("spark.python.worker.reuse", "true")
                .config("spark.sql.shuffle.partitions", "8")
                .getOrCreate()
            )
            spark.sparkContext.setLogLevel("ERROR")
            inputs = [str(path) for path in [*paths, bad]]

            # The workers are up then. A probability that is chosen arrives there.
            for probability in (0.0, 1.0):
                first = count_recordings(spark, map(str, paths[:10]), set_probability=probability)
                rows = first.sets.collect()
                lines = process(options.reptrace, paths[:10], "--set-probability", str(probability))
                compare(f"sets from {probability} on", rows, lines, None)
            began, used = time.monotonic(), cluster.processor_seconds()
            rows = count_recordings(spark, inputs).sets.collect()
            cluster_seconds = time.monotonic() - began
            cluster_processor = cluster.processor_seconds() - used
            compare("paths", rows, expected, str(bad))

            files = spark.read.format("binaryFile").load(str(folder / "made/recordings/*.csv"))
            rows = [
                dict(row.asDict(), recording=row["recording"].removeprefix("file:"))
                for row in count_recordings(spark, files).sets.collect()
            ]
            compare("binary files", rows, expected, str(bad))

            some = paths[: min(10, len(paths))]
            import pandas as pd

            samples = pd.concat(
                [reptrace.read(path).assign(recording=str(path)) for path in some]
                + [pd.DataFrame({"recording": [str(bad)], "timestamp": [float("nan")]})]
            )
            samples = samples.drop(columns=["phase", "setId"], errors="ignore").sample(frac=1, random_state=1)
            rows = count_samples(spark.createDataFrame(samples)).sets.collect()
            assert [row["recording"] for row in rows if row["error"]] == [str(bad)]
            counts = {(row["recording"], row["number"]): row["reps"] for row in rows if row["set"]}
            wanted = {
                (str(path), number): line["reps"]
                for path in some
                for number, line in enumerate(expected[str(path)], 1)
            }
            assert counts == wanted, "rows of samples"
            print(f"- rows of samples: {len(wanted)} sets of {len(some)} recordings equal")

            none = count_samples(spark.createDataFrame(samples), set_probability=1).sets.collect()
            assert sorted((row["recording"], row["reps"]) for row in none if not row["error"]) == [
                (str(path), 0) for path in some
            ]

            killer = threading.Timer(max(0.5, cluster_seconds / 3), cluster.kill_worker)
            killer.start()
            counted = count_recordings(spark, inputs * 2)
            rows = counted.sets.collect()
            killer.join()
            half = {}
            for row in rows:
                half.setdefault((row["recording"], row["set"]), row)
            assert len(rows) == 2 * len(half), "rows were lost or came twice"
            compare("a worker killed in the middle", list(half.values()), expected, str(bad))

            out = folder / "out"
            result = count_recordings(spark, inputs)
            result.sets.write.parquet(str(out / "sets"))
            result.reps.write.parquet(str(out / "reps"))
            [(sets, reps)] = duckdb.sql(
                f"SELECT count(set), sum(reps) FROM '{out}/sets/*.parquet'"
            ).fetchall()
            [(rep_rows,)] = duckdb.sql(f"SELECT count(*) FROM '{out}/reps/*.parquet'").fetchall()
            assert sets == sum(map(len, expected.values())) and reps == rep_rows
            print(f"- Parquet, read by DuckDB: {sets} sets, {rep_rows} reps")
            spark.stop()
        hours = recorded_seconds / 3600
        each = cluster_processor / hours
        print(
            f"- {len(paths)} recordings, {hours:.2f} hours: the command takes {alone:.1f} s and "
            f"{alone_processor:.1f} s of processor time on {os.cpu_count()} cores, the cluster {cluster_seconds:.1f} s "
            f"and {cluster_processor:.1f} s: {cluster_processor / alone_processor:.1f} times as much"
        )
        print(
            f"- a recorded hour costs {each:.2f} core-seconds on the cluster: 10 million hours take "
            f"{each * 1e7 / 3600:,.0f} core-hours, {each * 1e7 / 3600 / 1000:,.1f} hours on 1,000 cores"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
