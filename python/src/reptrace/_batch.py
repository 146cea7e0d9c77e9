"""Counting many recordings at once."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from ctypes import POINTER, byref, c_double, c_size_t
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy.typing as npt
import pandas as pd

from . import _counting, _native, _recordings, _samples, _sets
from ._counting import Hints
from ._errors import NotFoundError, UndecodableError
from ._samples import Frame
from ._sets import FoundSet, Sets
from ._tables import FLOAT, INT, TEXT, table

RECORDING_COLUMNS = {
    "recording": TEXT, "samples": INT, "duration": FLOAT, "sets": INT, "reps": INT, "warnings": TEXT,
    "error": TEXT,
}  # fmt: skip
#: Figures of docs/analysis.md.
SET_FIGURES = (
    "consistency", "range", "tempoControl", "intensity", "slowdown", "rotationLoss", "velocityLoss",
    "rangeLoss",
)  # fmt: skip
REP_FIGURES = (
    "concentricTime", "eccentricTime", "farPause", "pauseAfter", "rangeOfMotion", "relativeRange",
    "peakRotationRate", "meanRotationRate", "similarity", "restAfter", "rotationRange", "meanConcentricSpeed",
)  # fmt: skip

Result = TypeVar("Result")
Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]


@dataclass(frozen=True, eq=False, repr=False)
class CountedRecordings:
    """Tables of counted recordings. Times are seconds from each recording's first sample.

    Attributes
    ----------
    recordings : DataFrame
        A row per recording, including those without sets and unreadable ones: recording, samples, duration
        (s), sets, reps, warnings, error.
    sets : DataFrame
        A row per set: set (its name in all tables), recording, number (in its recording), cause, start,
        end, reps, confidence. `analyse` adds the figures of a set.
    reps : DataFrame
        A row per rep: set, recording, rep, start, end, duration, confidence. `analyse` adds the figures of
        a rep.
    """

    recordings: pd.DataFrame
    sets: pd.DataFrame
    reps: pd.DataFrame

    def __repr__(self) -> str:
        failed = self.recordings["error"].notna().sum()
        return (
            f"CountedRecordings({len(self.recordings)} recordings, {len(self.sets)} sets, "
            f"{len(self.reps)} reps" + (f", {failed} cannot be read)" if failed else ")")
        )

    def _repr_html_(self) -> str:
        return _sets.html(self.sets)


def count_all(
    paths: Paths,
    *,
    workers: int | None = None,
    declared: bool = False,
    hints: Hints | Mapping[str, Any] | None = None,
    set_probability: float | None = None,
    set_prior: float | None = None,
    format: str | None = None,
    dates: str | None = None,
    columns: str | os.PathLike[str] | None = None,
) -> CountedRecordings:
    """Count many recordings at once, as ``reptrace process`` does.

    Parameters
    ----------
    paths : path or paths
        Files, and folders that are searched recursively.
    workers : int, optional
        Number of recordings that are counted concurrently; the number of processors by default.
    declared, hints, set_probability, set_prior : optional
        As in `count`, for all recordings.
    format, dates, columns : optional
        As in `read`.

    Returns
    -------
    CountedRecordings

    Raises
    ------
    RepTraceError
        If no recording can be read. If only some cannot, there is a warning and they have an ``error``.

    Examples
    --------
    >>> counted = reptrace.count_all("recordings")
    >>> counted.sets.merge(counted.reps, on="set", suffixes=("", "_rep"))
    """
    options = (workers, declared, hints, set_probability, set_prior, format, dates, columns)
    return _counted_files(paths, False, *options)


def analyse(
    data: Frame | Paths,
    *,
    rate: float | None = None,
    time: npt.ArrayLike | str | None = None,
    units: Mapping[str, str] | None = None,
    workers: int | None = None,
    declared: bool = False,
    hints: Hints | Mapping[str, Any] | None = None,
    set_probability: float | None = None,
    set_prior: float | None = None,
    format: str | None = None,
    dates: str | None = None,
    columns: str | os.PathLike[str] | None = None,
) -> CountedRecordings:
    """Count samples or recordings, and analyze the movement of each rep.

    Parameters
    ----------
    data : samples as of `count`, path, or paths
        What to count.
    rate, time, units : optional
        As in `count`, for samples.
    workers, declared, hints, set_probability, set_prior, format, dates, columns : optional
        As in `count_all`.

    Returns
    -------
    CountedRecordings
        ``reps`` has the figures of the file ``reps.csv`` that ``reptrace process --out`` writes: tempo, range
        of motion, similarity, … (docs/analysis.md). ``sets`` has consistency, range, tempoControl,
        intensity, slowdown, rotationLoss, velocityLoss, rangeLoss. NaN if the data cannot support a
        figure.

    Examples
    --------
    >>> analysed = reptrace.analyse("recordings")
    >>> analysed.reps.groupby("set")["concentricTime"].mean()
    """
    if _is_paths(data):
        if rate is not None or time is not None or units is not None:
            raise ValueError("a file tells its times and units itself")
        options = (workers, declared, hints, set_probability, set_prior, format, dates, columns)
        return _counted_files(data, True, *options)  # type: ignore[arg-type]
    found, origin = _counting.found_in_samples(
        data, rate, time, units, declared, hints, set_probability, set_prior
    )
    native_units = _samples.units(units)
    times = _samples.seconds(
        _samples.columns(_samples.frame(data), rate, time, native_units)["timestamp"], native_units
    )
    one = _Outcome(_counting.recording_name(data))
    one.add(found, origin, is_analysed=True)
    one.row = (
        one.name, len(times), float(times.max() - times.min()) if len(times) else 0.0, len(one.sets),
        len(one.reps), None, None,
    )  # fmt: skip
    return _tables([one], is_analysed=True)


def _is_paths(data: Any) -> bool:
    return isinstance(data, str | os.PathLike) or (
        isinstance(data, Iterable)
        and not isinstance(data, Mapping | pd.DataFrame)
        and not hasattr(data, "dtype")
        and not hasattr(data, "to_pandas")
    )


def path_list(paths: Paths) -> list[str]:
    """Normalizes a path or paths to a list."""
    some = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    for path in some:
        if not isinstance(path, str | os.PathLike):
            raise TypeError(f"a path is {path!r}; expected the name of a file or folder")
    return [os.fspath(path) for path in some]


def in_parallel(work: Callable[[int], Result], count: int, workers: int | None) -> list[Result]:
    """Returns the results of `work` for 0, 1, …, on threads: the library releases the interpreter lock."""
    if workers is None:
        workers = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not isinstance(workers, int) or workers < 1:
        raise ValueError(f"workers is {workers!r}; expected a whole number from 1")
    if min(workers, count) < 2:
        return [work(index) for index in range(count)]
    with ThreadPoolExecutor(min(workers, count)) as pool:
        return list(pool.map(work, range(count)))


class _Outcome:
    """The rows of one recording, or of an input that is not a recording."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.row: tuple[Any, ...] = ()
        self.sets: list[tuple[Any, ...]] = []
        self.reps: list[tuple[Any, ...]] = []

    def add(self, found: list[FoundSet], origin: float, is_analysed: bool) -> None:
        counted = Sets([one.counted for one in found], origin, self.name)
        analyses = [one.analysis() for one in found] if is_analysed else []
        self.sets = [(key, self.name, *rest) for key, *rest in counted.set_rows()]
        self.reps = [(key, self.name, *rest) for key, *rest in counted.rep_rows()]
        if is_analysed:
            self.sets = [
                (*row, *map(figures.get, SET_FIGURES))
                for row, figures in zip(self.sets, analyses, strict=True)
            ]
            of_reps = [figures for analysis in analyses for figures in analysis["reps"]]
            self.reps = [
                (*row, *map(figures.get, REP_FIGURES))
                for row, figures in zip(self.reps, of_reps, strict=True)
            ]


def _counted_files(
    paths: Paths, is_analysed: bool, workers: int | None, declared: bool,
    hints: Hints | Mapping[str, Any] | None, set_probability: float | None, set_prior: float | None,
    format: str | None, dates: str | None, columns: str | os.PathLike[str] | None,
) -> CountedRecordings:  # fmt: skip
    some = path_list(paths)
    # Check options once rather than in every worker.
    _counting.hints_pointer(hints, set_probability, set_prior)
    inputs = _native.Handle("inputs")
    _native.call(
        "inputs_open", _native.texts(some), len(some), byref(_recordings.reading(format, dates, columns)),
        byref(inputs.pointer),
    )  # fmt: skip

    def work(index: int) -> list[_Outcome]:
        owner = _native.Handle("recordings")
        _native.call("inputs_load", inputs.pointer, index, byref(owner.pointer))
        recordings, failures = _recordings.opened(owner)
        outcomes = []
        for recording in recordings:
            one = _Outcome(recording.metadata["name"])
            found = _counting.found_in_recording(recording, declared, hints, set_probability, set_prior)
            one.add(found, recording.metadata.get("origin", 0.0), is_analysed)
            one.row = (
                one.name, recording.metadata["samples"], _duration(recording), len(one.sets),
                len(one.reps), "; ".join(recording.metadata["warnings"]) or None, None,
            )  # fmt: skip
            outcomes.append(one)
        return outcomes + [_failed(failure["path"], failure["message"]) for failure in failures]

    size = _native.library.reptrace_inputs_size(inputs.pointer)
    outcomes = [one for some in in_parallel(work, size, workers) for one in some]
    for path in some:
        folder = os.path.join(path, "")
        names = (one.name for one in outcomes)
        if os.path.isdir(path) and not any(f"{name}/".startswith(folder) for name in names):
            outcomes.append(_failed(path, "expected recordings, found none"))
    errors = [f"{one.name}: {one.row[-1]}" for one in outcomes if one.row[-1] is not None]
    if errors and len(errors) == len(outcomes):
        kind = UndecodableError if any(map(os.path.exists, some)) else NotFoundError
        raise kind("; ".join(errors[:3]) + (f"; {len(errors) - 3} more" if len(errors) > 3 else ""))
    for error in errors:
        warnings.warn(error, stacklevel=3)
    return _tables(outcomes, is_analysed)


def _failed(path: str, message: str) -> _Outcome:
    one = _Outcome(path)
    one.row = (path, 0, None, 0, 0, None, message)
    return one


def _duration(recording: _recordings.OpenRecording) -> float:
    values, count = POINTER(c_double)(), c_size_t()
    _native.call("recording_column", recording.owner.pointer, recording.index, 0, byref(values), byref(count))
    if not values:
        return 0.0
    per_second = _recordings._PER_STANDARD_UNIT[recording.metadata["units"]["time"]]
    return float(values[count.value - 1] - values[0]) / per_second


def _tables(outcomes: list[_Outcome], is_analysed: bool) -> CountedRecordings:
    set_figures = dict.fromkeys(SET_FIGURES if is_analysed else (), FLOAT)
    rep_figures = dict.fromkeys(REP_FIGURES if is_analysed else (), FLOAT)
    return CountedRecordings(
        table(RECORDING_COLUMNS, (one.row for one in outcomes)),
        table(
            _with_recording(_sets.SET_COLUMNS) | set_figures, (row for one in outcomes for row in one.sets)
        ),
        table(
            _with_recording(_sets.REP_COLUMNS) | rep_figures, (row for one in outcomes for row in one.reps)
        ),
    )


def _with_recording(columns: Mapping[str, Any]) -> dict[str, Any]:
    """Inserts the recording's name after that of the set."""
    return {"set": TEXT, "recording": TEXT, **columns}
