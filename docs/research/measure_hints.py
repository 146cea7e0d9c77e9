#!/usr/bin/env python3
"""What each hint is worth: exact counts without it and with it.

    python3 measure_hints.py REPTRACE DATASETS [COUNT [SEED]]

Runs `reptrace evaluate --hints` over the real recordings in DATASETS (watch-gym, carawatch) and over COUNT
(200) synthetic ones of SEED (77), and prints a table for docs/research/rule-based-counter.md. The labels of watch-gym
call exercises by short codes; they are given their names here.
"""
import csv, json, subprocess, sys, tempfile
from pathlib import Path

SIX = "Crunch,Jumpingjack,Pullup,Lunge,Pushup,Squat"
NAMES = {
    "30DBP": "incline dumbbell bench press", "45DBP": "incline dumbbell bench press", "APULL": "assisted pull up",
    "CGCR": "close grip cable row", "DLR": "dumbbell lateral raise", "DSP": "dumbbell overhead press",
    "DWC": "dumbbell wrist curl", "IDBC": "incline dumbbell bicep curl", "MGTBR": "t-bar row",
    "MIBP": "machine incline bench press", "MSP": "machine overhead press", "MTE": "machine triceps extension",
    "NGCR": "narrow grip cable row", "PREC": "preacher curl", "SACLR": "single arm cable lateral raise",
    "SAOCTE": "single arm overhead cable triceps extension", "SBLP": "straight bar pulldown",
}
HINTS = ["exercise", "sides", "period", "target", "minimum", "patterns"]


def run(reptrace, arguments):
    out = subprocess.run([reptrace, "evaluate", *map(str, arguments), "--output", "json"],
                         check=True, capture_output=True, text=True).stdout
    report = json.loads(out)
    total, ghosts = report["total"], report.get("ghostReps")
    return total["exact"], total["withinOne"], total["sets"], ghosts


def cell(with_hint, rest):
    exact, within, sets, ghosts = with_hint
    return f"{exact} / {within}" + (f" ({ghosts})" if rest and ghosts is not None else "")


def main():
    reptrace, datasets = sys.argv[1], Path(sys.argv[2])
    count, seed = (sys.argv[3:] + ["200", "77"][len(sys.argv) - 3:])[:2]
    with tempfile.TemporaryDirectory() as folder:
        named = Path(folder, "labels.csv")
        rows = list(csv.DictReader(open(datasets / "watch-gym/labels.csv")))
        for row in rows: row["exercise"] = NAMES.get(row["exercise"], row["exercise"])
        with open(named, "w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        gym = [named, "--recordings", datasets / "watch-gym/recordings"]
        cara = [datasets / "carawatch/labels.csv", "--recordings", datasets / "carawatch/recordings", "--mode", "found"]
        made = ["--synthetic", count, "--seed", seed]
        columns = {
            "gym, given": (gym + ["--mode", "given", "--where", "certain=yes"], False),
            "gym, found": (gym + ["--mode", "found", "--where", "confirmed=yes"], True),
            "gym, found, 20 Hz": (gym + ["--mode", "found", "--where", "confirmed=yes", "--rate", "20"], True),
            "session 1": (cara + ["--where", f"activity={SIX}", "--where", "session=1"], False),
            "session 2": (cara + ["--where", f"activity={SIX}", "--where", "session=2"], False),
            "synthetic, given": (made + ["--mode", "given"], False),
            "synthetic, found": (made + ["--mode", "found"], True),
        }
        table = {hint: [] for hint in ["none", *HINTS]}
        sizes = []
        for name, (arguments, rest) in columns.items():
            for hint in table:
                if hint == "patterns" and "--synthetic" in arguments:
                    table[hint].append("")
                    continue
                result = run(reptrace, arguments + ([] if hint == "none" else ["--hints", hint]))
                table[hint].append(cell(result, rest))
            sizes.append(f"{name} ({result[2]})")
            print(name, file=sys.stderr)
    print("| hint | " + " | ".join(sizes) + " |\n|---|" + "---|" * len(sizes))
    for hint, cells in table.items(): print(f"| {hint} | " + " | ".join(cells) + " |")


main()
