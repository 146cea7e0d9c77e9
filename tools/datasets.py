"""The labeled folders for fitting and judging the counter, and the grouping of their recordings."""

import csv
import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared/datasets"


@dataclass(frozen=True)
class Dataset:
    folder: Path
    #: The device; its recordings are left out together.
    device: str
    #: An expression whose first group in a recording's name is its person or day.
    group: str = "()"
    #: Values of the column `activity` that are not exercise, regardless of `reps`.
    rest: tuple = ()
    #: Weight of each window in the fit.
    weight: float = 1.0
    #: The name if it differs from the folder's.
    called: str = ""

    @property
    def name(self):
        return self.called or self.folder.name

    def group_of(self, recording):
        found = re.search(self.group, recording)
        return found[1] if found else ""


REAL = (
    Dataset(DATA / "watch-gym", "watch-gym", r"^(\d{6})"),
    Dataset(DATA / "carawatch", "carawatch", r"-(P\d+)-", ("Walking", "Typing")),
    Dataset(DATA / "pt-wrist-test", "pt-wrist", r"^(s\d+)"),
    Dataset(DATA / "pt-wrist-template", "pt-wrist", r"^(s\d+)"),
    Dataset(DATA / "gymbud", "gymbud", r"^(.*?)_\d{8}"),
    Dataset(DATA / "spar", "spar", r"^(p\d+)"),
    Dataset(DATA / "wisdm-daily", "wisdm-daily", r"^(\d+)"),
    Dataset(DATA / "wharf-daily", "wharf-daily", r"-(\w+)$"),
    Dataset(DATA / "spsw-daily", "spsw-daily", r"^(s\d+)"),
)


def present(datasets=REAL):
    return [one for one in datasets if (one.folder / "labels.csv").is_file()]


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def placed(folder, labels, target):
    """Writes labels with spans on the recordings' own clocks, as `reptrace evaluate` expects them. Spans that end
    before a recording's first time stamp are relative to it. Stamps since 1970 are in milliseconds."""
    rows, begins = read(folder / labels), {}
    for row in rows:
        name = row["recording"]
        if not row.get("start") or not row.get("end"):
            continue
        if name not in begins:
            begins[name] = first_stamp(folder / f"recordings/{name}.csv")
        if float(row["end"]) < begins[name]:
            for column in ("start", "end"):
                row[column] = f"{float(row[column]) + begins[name]:.3f}"
    with open(target, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return target


def hours(folder, names):
    """Returns the duration of recordings in hours, from the first column of their first and last line."""
    total = 0.0
    for name in names:
        lines = [line.split(",")[0] for line in (folder / f"recordings/{name}.csv").read_text().splitlines()]
        times = [float(value) for value in lines if re.fullmatch(r"[-+0-9.eE]+", value)]
        seconds = times[-1] - times[0] if times else 0.0
        # Stamps in milliseconds since 1970 are greater than any time in seconds.
        total += seconds / (1000 if times and times[0] > 1e11 else 1)
    return total / 3600


def selected(labels, conditions):
    """Returns the rows of labels that match `--where` conditions: COLUMN=VALUE,VALUE."""
    pairs = [condition.split("=") for condition in conditions]
    return [row for row in read(labels) if all(row[column] in values.split(",") for column, values in pairs)]


def first_stamp(path):
    """Returns the time of the first line that begins with a number, in seconds; 0 if there is none."""
    if path.is_file():
        with open(path) as file:
            for line in file:
                cell = line.split(",")[0]
                if re.fullmatch(r"[0-9]+(\.[0-9]*)?", cell):
                    return float(cell) / (1000 if float(cell) > 1e11 else 1)
    return 0.0
