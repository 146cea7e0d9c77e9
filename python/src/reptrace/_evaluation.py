"""Accuracy of counts."""

from __future__ import annotations

import csv
import io
import json
import os
import warnings
from collections.abc import Mapping, Sequence
from ctypes import byref
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from . import _counting, _native, _recordings, _sets
from ._batch import in_parallel
from ._counting import Hints
from ._errors import NotFoundError, RepTraceError, UndecodableError
from ._tables import FLOAT, INT, TEXT, table

_SETS = {
    "recording": TEXT, "exercise": TEXT, "reps": INT, "counted": INT, "exact": "bool", "confidence": FLOAT,
    "startError": FLOAT, "endError": FLOAT,
}  # fmt: skip
_ACCURACY = {
    "sets": INT, "exact": INT, "withinOne": INT, "inRange": INT, "exactRate": FLOAT, "withinOneRate": FLOAT,
    "meanAbsoluteError": FLOAT,
}  # fmt: skip
_TIMES = {"count": INT, "medianAbsoluteSeconds": FLOAT, "medianSeconds": FLOAT, "p90AbsoluteSeconds": FLOAT}
_BINS = {"count": INT, "meanConfidence": FLOAT, "exactRate": FLOAT, "low": FLOAT, "high": FLOAT}
_MODES = ("found", "given")


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation:
    """The figures of ``reptrace evaluate``.

    Attributes
    ----------
    sets : DataFrame
        A row per labeled set, with the index of its row in the labels (in a file: from 0): recording,
        exercise, reps (as labeled), counted, exact, confidence, startError, endError (s, positive if
        late).
    accuracy : DataFrame
        By exercise, and in the last row ``total``: sets, exact, withinOne, inRange, exactRate,
        withinOneRate, meanAbsoluteError.
    by : dict of DataFrames
        The same by the requested columns.
    times : DataFrame
        Errors of setStart, setEnd, repStart and repEnd, if the labels have these times: count,
        medianAbsoluteSeconds, medianSeconds, p90AbsoluteSeconds.
    calibration : DataFrame
        Confidence and observed rate, in bins with equal numbers of sets: count, meanConfidence, exactRate,
        low and high (the central 90 % of the rate).
    rep_calibration : DataFrame
        The same for the confidence of reps, if the labels have rep_times.
    figures : Series
        The other figures by their names in the command's JSON: setsFound, setsMissed, ghostReps, ghostSets,
        restSeconds, repsMissed, repsInvented, brier, auroc, expectedCalibrationError, ….
    """

    sets: pd.DataFrame
    accuracy: pd.DataFrame
    by: dict[str, pd.DataFrame]
    times: pd.DataFrame
    calibration: pd.DataFrame
    rep_calibration: pd.DataFrame
    figures: pd.Series[float]

    def __repr__(self) -> str:
        total = self.accuracy.loc["total"]
        return (
            f"Evaluation({total['exact']:.0f} of {total['sets']:.0f} sets exact, "
            f"{total['withinOne']:.0f} within one)"
        )

    def _repr_html_(self) -> str:
        return _sets.html(self.accuracy.reset_index())


def evaluate(
    labels: pd.DataFrame | Mapping[str, Sequence[Any]] | str | os.PathLike[str],
    recordings: str | os.PathLike[str],
    *,
    mode: str = "found",
    rate: float | None = None,
    margin: float = 2.0,
    by: str | Sequence[str] = (),
    workers: int | None = None,
    hints: Hints | Mapping[str, Any] | None = None,
    set_probability: float | None = None,
    format: str | None = None,
    dates: str | None = None,
    columns: str | os.PathLike[str] | None = None,
) -> Evaluation:
    """Count labeled recordings and compare with the labels, as ``reptrace evaluate`` does.

    Parameters
    ----------
    labels : DataFrame, mapping of columns, or path of a CSV file
        A row per set: ``recording`` (a file's name, with or without its ending), ``reps``, and optionally
        ``start``, ``end`` (s, in the recording's own time), ``exercise`` or ``activity``, ``rep_times``
        (``start-end;start-end;…``), ``reps_low``, ``reps_high``, and others. Filter a DataFrame first to
        evaluate some.
    recordings : path
        The folder of the recordings, searched recursively.
    mode : str
        ``found``: whole recordings are counted and their sets matched by overlap. ``given``: each labeled
        set is cut out with the margin on both sides and counted as one set.
    rate : float, optional
        Resample every recording to this rate in Hz first.
    margin : float
        Seconds around a given set.
    by : str or list of str
        Columns of the labels to break the counts down by.
    workers, hints, set_probability, format, dates, columns : optional
        As in `count_all`.

    Returns
    -------
    Evaluation

    Raises
    ------
    RepTraceError
        If the labels are invalid, or no recording can be evaluated. If only some cannot, there are warnings.

    Examples
    --------
    >>> evaluation = reptrace.evaluate("labels.csv", "recordings")
    >>> evaluation.accuracy
    """
    if mode not in _MODES:
        raise ValueError(f"mode is {mode!r}; expected one of {list(_MODES)}")
    if isinstance(labels, Mapping):
        labels = pd.DataFrame(labels)
    text, row_of_line = _csv(labels) if isinstance(labels, pd.DataFrame) else (_text(labels), None)
    by = [by] if isinstance(by, str) else list(by)
    options = _native.EvaluationOptions(mode=_MODES.index(mode), rate=rate or 0.0, margin=margin)
    evaluation = _native.Handle("evaluation")
    hint = _counting.hints_pointer(hints, set_probability)
    reading = _recordings.reading(format, dates, columns)
    try:
        _native.call(
            "evaluation_open", _native.text(text), _native.text(recordings), byref(options), hint,
            byref(reading), byref(evaluation.pointer),
        )  # fmt: skip
    except UndecodableError as error:
        raise UndecodableError(f"{'the labels' if row_of_line is not None else labels}: {error}") from None
    in_parallel(
        lambda index: _native.call("evaluation_count", evaluation.pointer, index),
        _native.library.reptrace_evaluation_size(evaluation.pointer),
        workers,
    )
    content = _native.Handle("bytes")
    _native.call("evaluation_report", evaluation.pointer, _native.texts(by), len(by), byref(content.pointer))
    found = json.loads(_native.content(content))
    if not found["report"]["sets"]:
        raise RepTraceError("; ".join(found["failures"][:3]) or "the labels have no rows")
    for message in [*found["failures"], *found["warnings"]]:
        warnings.warn(message, stacklevel=2)
    return _evaluation(found["report"], by, row_of_line)


def _text(path: str | os.PathLike[str]) -> str:
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise NotFoundError(f"{os.fspath(path)}: no such file") from None
    except UnicodeDecodeError:
        raise UndecodableError(f"{os.fspath(path)}: expected UTF-8 text") from None


def _csv(labels: pd.DataFrame) -> tuple[str, dict[int, Any]]:
    """Returns labels as CSV for the library, and the index of the row that begins in each line."""
    texts = []
    row_of_line = {}
    line = 1
    values = labels.astype(object).where(labels.notna(), "").to_numpy().tolist()
    for index, row in [(None, list(labels.columns)), *zip(labels.index, values, strict=True)]:
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerow(row)
        texts.append(out.getvalue())
        row_of_line[line] = index
        line += texts[-1].count("\n")
    return "".join(texts), row_of_line


def _evaluation(report: dict[str, Any], by: list[str], row_of_line: dict[int, Any] | None) -> Evaluation:
    def frame(columns: dict[str, Any], rows: Mapping[str, dict[str, Any]], name: str) -> pd.DataFrame:
        values = table(columns, ([row.get(column) for column in columns] for row in rows.values()))
        return values.set_index(pd.Index(list(rows), name=name, dtype=TEXT))

    sets = table(_SETS, ([one.get(column) for column in _SETS] for one in report["sets"]))
    lines = [one["line"] for one in report["sets"]]
    sets.index = pd.Index([line - 2 if row_of_line is None else row_of_line[line] for line in lines])
    for column in by:
        if not report[f"by:{column}"]:
            raise ValueError(f"the labels have no values in a column {column!r} to break down by")

    def bins(name: str) -> pd.DataFrame:
        return table(_BINS, ([one.get(key) for key in _BINS] for one in report.get(name, {}).get("bins", [])))

    scalars = {
        name: value
        for name, value in [*report.items(), *report.get("calibration", {}).items()]
        if isinstance(value, int | float) and name not in ("count", "rateHz")
    }
    times = ("setStart", "setEnd", "repStart", "repEnd")
    return Evaluation(
        sets=sets,
        accuracy=frame(_ACCURACY, report["exercises"] | {"total": report["total"]}, "exercise"),
        by={column: frame(_ACCURACY, report[f"by:{column}"], column) for column in by},
        times=frame(_TIMES, {name: report[name] for name in times if name in report}, "time"),
        calibration=bins("calibration"),
        rep_calibration=bins("repCalibration"),
        figures=pd.Series(scalars, dtype=FLOAT),
    )
