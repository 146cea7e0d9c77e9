"""The labelled folders that the counter is fitted to and judged by, and how their recordings belong together."""

import csv
import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared/datasets"


@dataclass(frozen=True)
class Dataset:
    folder: Path
    #: Recordings of one device are left out together.
    device: str
    #: The first group of this expression in a recording's name: its person or its day.
    group: str = "()"
    #: Values of the column `activity` that are no exercise, whatever `reps` says.
    rest: tuple = ()
    #: What each of its stretches weighs in the fit.
    weight: float = 1.0

    @property
    def name(self):
        return self.folder.name

    def group_of(self, recording):
        found = re.search(self.group, recording)
        return found[1] if found else ""


REAL = (
    Dataset(DATA / "watch-gym", "watch-gym", r"^(\d{6})"),
    Dataset(DATA / "carawatch", "carawatch", r"-(P\d+)-", ("Walking", "Typing")),
    Dataset(DATA / "pt-wrist-test", "pt-wrist", r"^(s\d+)"),
    Dataset(DATA / "pt-wrist-template", "pt-wrist", r"^(s\d+)"),
    Dataset(DATA / "gymbud", "gymbud", r"^(.*?)_\d{8}"),
    Dataset(DATA / "wharf-daily", "wharf-daily", r"-(\w+)$"),
    Dataset(DATA / "spsw-daily", "spsw-daily", r"^(s\d+)"),
)


def present(datasets=REAL):
    return [one for one in datasets if (one.folder / "labels.csv").is_file()]


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))
