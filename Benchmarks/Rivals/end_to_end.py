#!/usr/bin/env python3
"""Measures the command as a user runs it: samples per second, peak memory, cores, scaling.

    end_to_end.py REPTRACE RESULTS.ndjson [--quick]

Each run is a separate process; its start and output are included. Contestants run in turn, and the
median is reported. Every section has a time budget, after which no further round begins.
"""

import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
REAL = HERE.parent.parent.parent / "shared/datasets/watch-gym/recordings"
GENERATED = HERE.parent / ".build/data/recordings"


def rounds(repetitions, budget):
    """Yields up to a number of rounds within the time budget, but at least one."""
    begin = time.perf_counter()
    for done in range(repetitions):
        spent = time.perf_counter() - begin
        if done > 0 and spent * (done + 1) / done > budget:
            return
        yield done


class Launcher:
    """A small process that starts the others, because the peak memory reported for a process includes
    its parent's memory when it was started."""

    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--launch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True,
        )  # fmt: skip

    def run(self, command, stdin):
        print(json.dumps([command, stdin]), file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())


def launch():
    """The launcher's loop: runs the command of each line, and reports its time and memory."""
    for line in sys.stdin:
        command, stdin = json.loads(line)
        with open(stdin) as source, tempfile.TemporaryFile() as output:
            start = time.perf_counter()
            process = subprocess.Popen(
                command, stdin=source, stdout=output, stderr=subprocess.DEVNULL
            )
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - start
            process.returncode = os.waitstatus_to_exitcode(status)
            output.seek(0)
            text = output.read().decode()
        print(json.dumps([process.returncode, seconds, usage.ru_maxrss / 1024, text,
                          usage.ru_utime + usage.ru_stime]), flush=True)  # fmt: skip


def run(command, cores=None, stdin=os.devnull, launcher=[]):
    """Returns seconds, peak resident megabytes, standard output and processor seconds of one run."""
    if cores is not None:
        command = ["taskset", "-c", ",".join(map(str, cores)), *command]
    if not launcher:
        launcher.append(Launcher())
    status, *result = launcher[0].run(list(map(str, command)), str(stdin))
    if status not in (0, 1):
        raise SystemExit(f"{command} ended with {status}")
    return result


def samples_in(paths):
    return sum(path.read_bytes().count(b"\n") - 1 for path in paths)


def exponent(points):
    logs = [(math.log(x), math.log(y)) for x, y in points if x > 0 and y > 0]
    mean_x = statistics.mean(x for x, _ in logs)
    mean_y = statistics.mean(y for _, y in logs)
    variance = sum((x - mean_x) ** 2 for x, _ in logs)
    return sum((x - mean_x) * (y - mean_y) for x, y in logs) / variance if variance else math.nan


class Results:
    def __init__(self, path):
        self.file = open(path, "w")

    def add(self, **result):
        print(json.dumps(result), file=self.file, flush=True)

    def contest(self, title, unit, amount, runs, names, figures=None, wanted=None):
        """Measures `runs`, which return seconds by contestant, in turn; the first is the reference."""
        medians = [statistics.median(seconds) for seconds in runs]
        print(title)
        entries = []
        for name, seconds, middle, extra in zip(
            names, runs, medians, figures or [{}] * len(names)
        ):
            ratios = sorted(b / a for a, b in zip(runs[0], seconds))
            entry = {
                "name": name, "rate": amount / middle, "bestRate": amount / min(seconds),
                "figures": {"seconds": middle, **extra},
            }  # fmt: skip
            if seconds is not runs[0]:
                entry |= {
                    "ratio": statistics.median(ratios), "lowestRatio": ratios[0],
                    "highestRatio": ratios[-1],
                }  # fmt: skip
                if wanted:
                    entry["wanted"] = wanted
            entries.append(entry)
            facts = ", ".join(f"{k} {v:.4g}" for k, v in entry["figures"].items())
            print(f"  {name:40} {entry['rate']:12.0f} {unit}/s   {facts}")
        print()
        self.add(
            group="end to end", title=title, unit=unit, repetitions=len(runs[0]), entries=entries
        )

    def curve(self, name, x, y, points):
        print(f"{name}: {y} grows as {x} to the power {exponent(points):.2f}")
        for a, b in points:
            print(f"  {a:g} {x}: {b:.4g} {y}")
        print()
        self.add(
            group="scaling", curve=name, x=x, y=y, points=[{"x": a, "y": b} for a, b in points]
        )


def cores(results, reptrace, paths, repetitions, budget):
    """Compares one core with two, in turn."""
    available = sorted(os.sched_getaffinity(0))
    if len(available) < 2:
        return
    command = [reptrace, "process", *paths, "--output", "ndjson"]
    run(command)
    one, two, memory, busy = [], [], 0.0, []
    for _ in rounds(repetitions, budget):
        seconds, _, single, _ = run(command, available[:1])
        one.append(seconds)
        seconds, peak, double, processor = run(command, available[:2])
        two.append(seconds)
        busy.append(processor / seconds)
        memory = max(memory, peak)
        assert single == double, "the answer depends on the number of cores"
    ratio = statistics.median(b / a for a, b in zip(two, one))
    results.contest(
        f"process, {len(paths)} recordings", "samples", samples_in(map(Path, paths)), [two, one],
        ["two cores", "one core"],
        [{"peakMB": memory, "coresBusy": statistics.median(busy)},
         {"serialPercent": 100 * max(0.0, 2 / ratio - 1)}],
        wanted=1.8,
    )  # fmt: skip


def recordings(results, reptrace, paths, counts, budget):
    times, memory = [], []
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        for count in counts:
            if times and (time.perf_counter() - begin) + 2 * times[-1][1] * count / times[-1][0] > budget:
                break
            part = Path(folder) / str(count)
            part.mkdir()
            for index in range(count):
                shutil.copy(paths[index % len(paths)], part / f"{index}.csv")
            runs = [run([reptrace, "process", str(part), "--output", "ndjson"]) for _ in range(2)]
            times.append((count, min(one[0] for one in runs)))
            memory.append((count, max(one[1] for one in runs)))
            shutil.rmtree(part)
    results.curve("process, time", "recordings", "s", times)
    results.curve("process, peak memory", "recordings", "MB", memory)


def samples(results, reptrace, paths, counts, budget):
    """Writes one long recording: the rows of recordings, with a continuous clock."""
    header, rows, last = None, [], 0.0
    while len(rows) < max(counts):
        for path in paths:
            lines = path.read_text().splitlines()
            header = header or lines[0]
            if lines[0] != header:
                continue
            first = None
            for line in lines[1:]:
                stamp, rest = line.split(",", 1)
                first = float(stamp) if first is None else first
                rows.append(f"{last + float(stamp) - first:.6f},{rest}")
            last = float(rows[-1].split(",", 1)[0]) + 0.02
    times, memory = [], []
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        for count in counts:
            if times and (time.perf_counter() - begin) + 2 * times[-1][1] * count / times[-1][0] > budget:
                break
            path = Path(folder) / "long.csv"
            path.write_text("\n".join([header, *rows[:count]]) + "\n")
            runs = [run([reptrace, "process", str(path), "--output", "ndjson"]) for _ in range(2)]
            times.append((count, min(one[0] for one in runs)))
            memory.append((count, max(one[1] for one in runs)))
    results.curve("process one recording, time", "samples", "s", times)
    results.curve("process one recording, peak memory", "samples", "MB", memory)


def chunks(path, number):
    """Converts a CSV recording to lines of chunk objects, as a separate session without declared sets."""
    lines = path.read_text().splitlines()
    names = [n.removeprefix("wristMotion_").replace("rotationRate", "rotation") for n in lines[0].split(",")]
    keep = [
        (index, name) for index, name in enumerate(names)
        if name in ("timestamp", "roll", "pitch", "yaw")
        or name.startswith(("acceleration", "rotation", "gravity"))
    ]  # fmt: skip
    rows = [line.split(",") for line in lines[1:]]
    for start in range(0, len(rows), 100):
        samples = ",".join(
            "{" + ",".join(f'"{name}":{row[index]}' for index, name in keep if row[index]) + "}"
            for row in rows[start : start + 100]
        )
        yield f'{{"sessionId":"{number:08d}-0000-4000-8000-000000000000","samples":[{samples}]}}\n'


def chunk_files(results, reptrace, paths, counts):
    """Folders of small files: 25 samples of a recording of their own in each."""
    whole = []
    for path in paths:
        first = json.loads(next(chunks(path, 0)))
        whole.append({"samples": first["samples"][:25]})
    times, memory = [], []
    for count in counts:
        with tempfile.TemporaryDirectory() as folder:
            for index in range(count):
                part = Path(folder) / f"{index // 1000}"
                part.mkdir(exist_ok=True)
                chunk = {"sessionId": f"{index:08d}-0000-4000-8000-000000000000"}
                (part / f"{index}.json").write_text(json.dumps(chunk | whole[index % len(whole)]))
            seconds, peak, _, _ = run([reptrace, "process", folder, "--output", "ndjson"])
            times.append((count, seconds))
            memory.append((count, peak))
    results.curve("process chunk files, time", "files", "s", times)
    results.curve("process chunk files, peak memory", "files", "MB", memory)


def stream(results, reptrace, paths, repetitions, budget):
    commands = subprocess.run([reptrace, "--help"], capture_output=True, text=True).stdout
    if "\n  stream " not in commands:
        print("this version has no `stream`\n")
        return
    with tempfile.TemporaryDirectory() as folder:
        # Many concurrent sessions, with their chunks in turn.
        path = Path(folder) / "chunks.ndjson"
        sessions = [chunks(path, number) for number, path in enumerate(paths)]
        count = samples_in(paths)
        with open(path, "w") as file:
            while sessions:
                sessions = [s for s in sessions if (line := next(s, None)) and file.write(line)]
        variants = [("stream", []), ("stream with a store", ["--store", f"{folder}/s.sqlite"])]
        runs, peaks = [[] for _ in variants], [0.0] * len(variants)
        for _ in rounds(repetitions, budget):
            for index, (_, options) in enumerate(variants):
                for file in Path(folder).glob("s.sqlite*"):
                    file.unlink()
                seconds, peak, output, _ = run([reptrace, "stream", *options], stdin=path)
                assert '"setStarted"' in output, "no set was found in the stream"
                runs[index].append(seconds)
                peaks[index] = max(peaks[index], peak)
    results.contest(
        f"stream, {len(paths)} sessions at once", "samples", count, runs,
        [name for name, _ in variants], [{"peakMB": peak} for peak in peaks],
    )  # fmt: skip


def store(results, reptrace, paths, repetitions, budget):
    """Measures `process` alone and with each kind of store."""
    variants = [("process", [])] + [
        (f"process --store, {precision}", ["--store", "STORE", "--timeline", precision])
        for precision in ("lossless", "bounded")
    ]
    runs, sizes = [[] for _ in variants], [{} for _ in variants]
    count = samples_in(map(Path, paths))
    with tempfile.TemporaryDirectory() as folder:
        for _ in rounds(repetitions, budget):
            for index, (_, options) in enumerate(variants):
                for file in Path(folder).glob("s.sqlite*"):
                    file.unlink()
                options = [o if o != "STORE" else f"{folder}/s.sqlite" for o in options]
                seconds, peak, _, _ = run([reptrace, "process", *paths, *options])
                runs[index].append(seconds)
                sizes[index] = {"peakMB": peak}
                if options:
                    size = os.path.getsize(f"{folder}/s.sqlite")
                    sizes[index]["bytesPerSample"] = size / count
    results.contest(
        f"process with a store, {len(paths)} recordings", "samples", count, runs,
        [name for name, _ in variants], sizes,
    )  # fmt: skip


def main():
    if sys.argv[1:] == ["--launch"]:
        return launch()
    reptrace, target, *options = sys.argv[1:]
    quick = "--quick" in options
    folder = REAL if REAL.is_dir() else GENERATED
    paths = sorted(folder.glob("*.csv"))[: 12 if quick else None]
    names = [str(path) for path in paths]
    results = Results(target)
    scale = 0.2 if quick else 1.0
    cores(results, reptrace, names, 2 if quick else 10, 80 * scale)
    store(results, reptrace, names, 2 if quick else 5, 50 * scale)
    stream(results, reptrace, paths, 2 if quick else 3, 50 * scale)
    recordings(results, reptrace, paths, [1, 8] if quick else [1, 4, 16, 64, 256], 40 * scale)
    chunk_files(results, reptrace, paths, [1000, 4000] if quick else [2500, 10_000, 40_000])
    samples(
        results, reptrace, paths, [3000, 30_000] if quick else [3000, 30_000, 300_000], 40 * scale
    )


if __name__ == "__main__":
    main()
