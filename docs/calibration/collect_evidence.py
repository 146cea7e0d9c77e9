#!/usr/bin/env python3
"""Gathers what counts rest on, for fit_confidence.py.

    python3 collect_evidence.py REPTRACE DATASETS OUT

Runs `reptrace evaluate --evidence` over the real recordings in DATASETS (watch-gym, carawatch), as
they are and with sensors taken away or at other rates, and over 500 synthetic ones of each of two seeds, and writes

    evidence.csv    real recordings: numbers instead of names of recordings, days and people
    synthetic.csv   synthetic recordings (seed 1 to fit, seed 2 to judge)
    reps.csv        their reps, found and true
"""
import csv, itertools, subprocess, sys, tempfile
from pathlib import Path

SIX = "Crunch,Jumpingjack,Pullup,Lunge,Pushup,Squat"
VARIANTS = {
    "plain": [],
    "20hz": ["--rate", "20"],
    "12.5hz": ["--rate", "12.5"],
    "no-attitude": ["--without", "attitude"],
    "no-gyroscope": ["--without", "attitude", "gyroscope"],
}
SYNTHETIC = 500


def evaluate(reptrace, arguments, reps=False):
    with tempfile.TemporaryDirectory() as folder:
        sets, events = Path(folder, "sets.csv"), Path(folder, "reps.csv")
        subprocess.run(
            [reptrace, "evaluate", *arguments, "--output", "csv", "--evidence", sets]
            + (["--rep-evidence", events] if reps else []),
            check=True, stdout=subprocess.DEVNULL)
        rows = list(csv.DictReader(open(sets)))
        return (rows, list(csv.DictReader(open(events)))) if reps else rows


def main():
    reptrace, datasets, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    out.mkdir(parents=True, exist_ok=True)
    numbers = {}

    def number(kind, name):
        return numbers.setdefault(kind, {}).setdefault(name, len(numbers[kind]) + 1)

    real = []
    for variant, options in VARIANTS.items():
        gym, cara = datasets / "watch-gym", datasets / "carawatch"
        runs = [
            ("watch-gym", gym, ["--mode", "given", "--where", "certain=yes"]),
            ("watch-gym", gym, ["--mode", "found", "--where", "confirmed=yes"]),
            ("carawatch", cara, ["--mode", "found", "--where", f"activity={SIX}", "--by", "person,session"]),
        ]
        for source, folder, arguments in runs:
            rows = evaluate(reptrace, [folder / "labels.csv", "--recordings", folder / "recordings", *arguments, *options])
            for row in rows:
                name = row.pop("recording")
                # The first six letters of a gym recording's name are its day.
                group = row.pop("person", name[:6])
                real.append({"source": source, "variant": variant, "group": number("group", (source, group)),
                             "recording": number("recording", (source, name)), "session": row.pop("session", ""), **row})
    save(out / "evidence.csv", real)

    synthetic, reps = [], []
    for seed, mode in itertools.product((1, 2), ("given", "found")):
        rows, events = evaluate(reptrace, ["--synthetic", str(SYNTHETIC), "--seed", str(seed), "--mode", mode], reps=True)
        for row in rows:
            # Recordings are numbered: 00012-curl-hard.
            index = int(row.pop("recording")[:5]) + 10 ** 5 * seed
            synthetic.append({"source": f"synthetic{seed}", "variant": row.pop("rate"), "group": index % 20,
                              "recording": index, "session": row.pop("difficulty"),
                              **{k: v for k, v in row.items() if k not in ("style", "faults")}})
        for row in events:
            row["recording"] = int(row["recording"][:5]) + 10 ** 5 * seed
            reps.append({"source": f"synthetic{seed}", **row})
    save(out / "synthetic.csv", synthetic)
    save(out / "reps.csv", reps)


def save(path, rows):
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"{path}: {len(rows)} rows", file=sys.stderr)


main()
