"""Counting recordings and live signals."""

from __future__ import annotations

import dataclasses
import operator
import os
import sys
from collections.abc import Iterator, Mapping
from ctypes import byref, c_int
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from . import _native, _recordings, _samples, _sets
from ._samples import Frame
from ._sets import CountedSet, FoundSet, Rep, Sets


@dataclass(frozen=True, slots=True)
class Hints:
    """Prior knowledge of a set. Everything is optional.

    Attributes
    ----------
    exercise : str, optional
        A name such as ``"curl"``. Unknown names have no effect.
    expected_period : float, optional
        Typical duration of a rep, in seconds.
    target_reps : int, optional
        The intended number of reps.
    minimum_reps : int, optional
        Minimum number of reps in a set.
    alternating : bool, optional
        True if left and right alternate.
    """

    exercise: str | None = None
    expected_period: float | None = None
    target_reps: int | None = None
    minimum_reps: int | None = None
    alternating: bool | None = None

    def _struct(self) -> _native.HintsStruct:
        if not isinstance(self.exercise, str | None):
            raise TypeError(f"exercise is {self.exercise!r}; expected a name")
        if not isinstance(self.expected_period, Real | None):
            raise TypeError(f"expected_period is {self.expected_period!r}; expected seconds")
        return _native.HintsStruct(
            exercise=_native.text(self.exercise),
            expected_period=self.expected_period or 0.0,
            target_reps=_reps("target_reps", self.target_reps),
            minimum_reps=_reps("minimum_reps", self.minimum_reps),
            alternating=0 if self.alternating is None else (1 if self.alternating else -1),
        )


def _reps(name: str, value: Any) -> int:
    try:
        reps = 0 if value is None else operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}; expected a whole number") from None
    if not 0 <= reps < 2**32:
        raise ValueError(f"{name} is {reps}; expected 0 to {2**32 - 1}")
    return reps


def _hints(value: Hints | Mapping[str, Any] | None) -> Hints:
    """Normalizes a caller's hints."""
    if value is None or isinstance(value, Hints):
        return value or Hints()
    if not isinstance(value, Mapping):
        raise TypeError(f"hints is {value!r}; expected Hints, or a mapping such as {{'exercise': 'curl'}}")
    known = [field.name for field in dataclasses.fields(Hints)]
    for name in value:
        if name not in known:
            raise ValueError(f"no hint is called {name!r}; expected one of {known}")
    return Hints(**value)


def check_set_options(set_probability: float | None, set_prior: float | None) -> None:
    """Raise an error for values that are not probabilities, including NaN."""
    if set_probability is not None and not (isinstance(set_probability, Real) and 0 <= set_probability <= 1):
        raise ValueError(f"set_probability is {set_probability!r}; expected 0 to 1")
    if set_prior is not None and not (isinstance(set_prior, Real) and 0 < set_prior < 1):
        raise ValueError(f"set_prior is {set_prior!r}; expected between 0 and 1")


def hints_pointer(
    hints: Hints | Mapping[str, Any] | None,
    set_probability: float | None = None,
    set_prior: float | None = None,
) -> Any:
    """Checks hints, probability and prior, and converts them for the library."""
    check_set_options(set_probability, set_prior)
    if hints is None and set_probability is None and set_prior is None:
        return None
    struct = _hints(hints)._struct()
    if set_probability is not None:
        # The library interprets zero as the default.
        struct.set_probability = set_probability or sys.float_info.min
    struct.set_prior = set_prior or 0.0
    return byref(struct)


def count(
    data: Frame | str | os.PathLike[str],
    *,
    rate: float | None = None,
    time: npt.ArrayLike | str | None = None,
    units: Mapping[str, str] | None = None,
    declared: bool = False,
    hints: Hints | Mapping[str, Any] | None = None,
    set_probability: float | None = None,
    set_prior: float | None = None,
) -> Sets:
    """Find the sets of a recording and count their reps.

    Parameters
    ----------
    data : DataFrame, mapping of arrays, structured array, table of pyarrow or polars, or path
        Rows may be in any order. Columns are named as `read` names them (``accelerationX``,
        ``rotationX``, ``gravityX``, ``totalAccelerationX``, ``roll``, …). Other columns are ignored. A
        column ``phase`` contains ``"execution"``, ``"rest"`` or None. A column ``setId`` declares sets:
        rows with the same id are one set, rows without an id are rest. A path is counted as by
        ``reptrace process``; it must contain one recording.
    rate : float, optional
        Samples per second, for data without times.
    time : array or str, optional
        The time of each sample, or the name of its column. By default the column ``timestamp`` or
        ``time``, or an index of times. Dates are converted to seconds since 1970; those without a zone
        are in UTC.
    units : mapping, optional
        Units that differ from seconds, g, rad/s and rad: ``time`` (``s``, ``ms``, ``us``, ``ns``),
        ``acceleration``, ``totalAcceleration``, ``gravity`` (``g``, ``m/s2``), ``rotation`` (``rad/s``,
        ``deg/s``), ``attitude`` (``rad``, ``deg``).
    declared : bool
        True if the data contain exactly one set, perhaps with a few seconds before and after it.
    hints : Hints or mapping, optional
        Prior knowledge, such as ``{"exercise": "curl"}``.
    set_probability : float, optional
        Minimum probability for movements to be a set, 0 to 1. A lower one finds more sets and more false
        positives. Declared sets are always counted.
    set_prior : float, optional
        Prior probability that a repeated movement is a set, between 0 and 1: about 0.5 in workouts (default
        0.53), 0.05 over whole days.

    Returns
    -------
    Sets
        Times in seconds from the first sample.

    Raises
    ------
    ValueError
        If the columns, times, units, hints or probability are invalid, or times or gravity are implausible
        in the given unit.
    TypeError
        If an argument has the wrong type.
    RepTraceError
        If a path cannot be read.

    Notes
    -----
    Float64 columns are not copied in Python, and the interpreter lock is released while counting.

    Examples
    --------
    >>> sets = reptrace.count("set.csv", declared=True)
    >>> sets[0].count, round(sets[0].confidence, 2)
    (12, 0.98)
    """
    if isinstance(data, str | os.PathLike):
        if rate is not None or time is not None or units is not None:
            raise ValueError("a file tells its times and units itself")
        recording = _recordings.open_one(data)
        found = found_in_recording(recording, declared, hints, set_probability, set_prior)
        return Sets(
            [one.counted for one in found], recording.metadata.get("origin", 0.0), recording.metadata["name"]
        )
    found, origin = found_in_samples(data, rate, time, units, declared, hints, set_probability, set_prior)
    return Sets([one.counted for one in found], origin, recording_name(data))


def recording_name(data: Any) -> str:
    """Returns the name that `read` gave to samples."""
    return str(getattr(data, "attrs", {}).get("name", ""))


def found_in_samples(
    data: Any, rate: float | None, time: npt.ArrayLike | str | None, units: Mapping[str, str] | None,
    declared: bool, hints: Hints | Mapping[str, Any] | None, set_probability: float | None,
    set_prior: float | None,
) -> tuple[list[FoundSet], float]:  # fmt: skip
    """Count samples as `count` does; return the sets in order of time, and the first sample's time."""
    hint = hints_pointer(hints, set_probability, set_prior)
    data = _samples.frame(data)
    native_units = _samples.units(units)
    columns = _samples.columns(data, rate, time, native_units)
    phases = _samples.phases(data)
    ids = None if declared or "setId" not in data else np.asarray(data["setId"], dtype=object)
    for name, values in (("phase", phases), ("setId", ids)):
        if values is not None and len(values) != len(columns["timestamp"]):
            raise ValueError(f"{len(values)} values of {name} for {len(columns['timestamp'])} samples")
    rows = _samples.order(columns["timestamp"])
    if rows is not None and len({values.shape for values in columns.values()}) == 1:
        columns = {name: values[rows] for name, values in columns.items()}
        phases = None if phases is None else phases[rows]
        ids = None if ids is None else ids[rows]
    times = columns["timestamp"]
    _samples.check_steps(times, native_units)
    _samples.check_gravity(columns, native_units)
    origin = float(_samples.seconds(times[:1], native_units)[0]) if len(times) else 0.0
    sets: list[FoundSet] = []
    for rows in _declared_rows(ids):
        part = columns if rows is None else {name: values[rows] for name, values in columns.items()}
        samples = _native.SampleStruct(
            part, native_units, phases if rows is None or phases is None else phases[rows]
        )
        handle = _native.Handle("sets")
        _native.call(
            "sets_count", samples.pointer, c_int(declared or rows is not None), hint, byref(handle.pointer)
        )
        sets += _sets.found_sets(handle, origin)
    return sorted(sets, key=lambda one: one.counted.start), origin


def found_in_recording(
    recording: _recordings.OpenRecording, declared: bool, hints: Hints | Mapping[str, Any] | None,
    set_probability: float | None, set_prior: float | None,
) -> list[FoundSet]:  # fmt: skip
    """Count an open recording as ``reptrace process`` does."""
    handle = _native.Handle("sets")
    _native.call(
        "recording_count", recording.owner.pointer, recording.index, c_int(declared),
        hints_pointer(hints, set_probability, set_prior), byref(handle.pointer),
    )  # fmt: skip
    return _sets.found_sets(handle, recording.metadata.get("origin", 0.0))


def _declared_rows(ids: npt.NDArray[np.object_] | None) -> list[npt.NDArray[np.intp] | None]:
    """Returns the rows of each set that ids declare; only None if they declare none."""
    if ids is None:
        return [None]
    codes, names = pd.factorize(pd.Series(ids))
    return [np.flatnonzero(codes == code) for code in range(len(names))] or [None]


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a `Detector`. Times are seconds on the samples' clock.

    Attributes
    ----------
    kind : str
        ``"setStarted"``, ``"rep"``, ``"repCorrected"``, ``"partialRep"``, ``"phase"``,
        ``"setEnded"`` or ``"setCancelled"``.
    time : float
        Time of the sample that caused the event.
    count : int, optional
        Number of reps in the set so far (``rep``, ``repCorrected``).
    rep : Rep, optional
        The rep (``rep``, ``partialRep``).
    set : CountedSet, optional
        The final set (``setEnded``).
    start : float, optional
        Begin of the first rep (``setStarted``).
    cause : str, optional
        ``"declared"`` or ``"detected"`` (``setStarted``).
    phase : str, optional
        The new phase, ``"execution"`` or ``"rest"`` (``phase``).
    """

    kind: str
    time: float
    count: int | None = None
    rep: Rep | None = None
    set: CountedSet | None = None
    start: float | None = None
    cause: str | None = None
    phase: str | None = None


_KINDS = (
    "", "setStarted", "rep", "repCorrected", "partialRep", "phase", "setEnded", "setCancelled",
)  # fmt: skip


#: Number of samples after which a detector checks the unit of time.
_CHECKED_TIMES = 50


class Detector:
    """Counts as samples arrive.

    Parameters
    ----------
    finds_sets : bool
        True to search for sets while none is declared.
    units : mapping, optional
        As in `count`; of all samples that follow.
    hints : Hints or mapping, optional
        Prior knowledge of all sets.
    set_probability, set_prior : float, optional
        As in `count`.

    Notes
    -----
    Use a detector from one thread at a time.

    Examples
    --------
    >>> detector = reptrace.Detector()
    >>> for chunk in chunks:
    ...     for event in detector.append(chunk):
    ...         print(event.kind, event.count)
    >>> events = detector.finish()
    """

    def __init__(
        self,
        *,
        finds_sets: bool = True,
        units: Mapping[str, str] | None = None,
        hints: Hints | Mapping[str, Any] | None = None,
        set_probability: float | None = None,
        set_prior: float | None = None,
    ) -> None:
        self._units = _samples.units(units)
        self._first_times = np.zeros(0)
        self._handle = _native.Handle("detector")
        _native.call(
            "detector_create", c_int(finds_sets), hints_pointer(hints, set_probability, set_prior),
            byref(self._handle.pointer),
        )  # fmt: skip

    def append(self, data: Frame, *, time: npt.ArrayLike | str | None = None) -> list[Event]:
        """Append samples, in order of time, and return the resulting events.

        Raises
        ------
        ValueError
            As for `count`; also if samples are not in order.
        """
        data = _samples.frame(data)
        columns = _samples.columns(data, None, time, self._units)
        first_times = self._first_times
        if len(first_times) < _CHECKED_TIMES:
            first_times = np.concatenate([first_times, columns["timestamp"]])
            if len(first_times) >= _CHECKED_TIMES:
                _samples.check_steps(first_times, self._units)
        samples = _native.SampleStruct(columns, self._units, _samples.phases(data))
        _native.call("detector_append", self._handle.pointer, samples.pointer)
        self._first_times = first_times
        return list(self._events())

    def begin_set(self, hints: Hints | Mapping[str, Any] | None = None) -> list[Event]:
        """Declare a set that begins with the next sample."""
        _native.call("detector_begin_set", self._handle.pointer, hints_pointer(hints))
        return list(self._events())

    def end_set(self) -> list[Event]:
        """End the declared set; the last event is its ``setEnded``."""
        _native.call("detector_end_set", self._handle.pointer)
        return list(self._events())

    def finish(self) -> list[Event]:
        """End the signal, and reset the detector."""
        self._first_times = np.zeros(0)
        _native.call("detector_finish", self._handle.pointer)
        return list(self._events())

    def snapshot(self) -> bytes:
        """Return the detector's state, from which `restore` resumes.

        Some tens of KiB, and the frames of the set under way. They contain health data.
        """
        state = _native.Handle("bytes")
        _native.call("detector_snapshot", self._handle.pointer, byref(state.pointer))
        return _native.content(state)

    @classmethod
    def restore(cls, snapshot: bytes, *, units: Mapping[str, str] | None = None) -> Detector:
        """Resume from a snapshot, with the hints that the detector had.

        Parameters
        ----------
        snapshot : bytes
            The result of `snapshot`. The checksum detects accidental damage, not tampering: pass only bytes
            that your own program stored.
        units : mapping, optional
            As in `count`; of all samples that follow.

        Raises
        ------
        UndecodableError
            If it is damaged, or from a version with a different state. Count the samples again.
        """
        detector = cls.__new__(cls)
        detector._units = _samples.units(units)
        detector._first_times = np.zeros(0)
        detector._handle = _native.Handle("detector")
        snapshot = bytes(snapshot)
        _native.call("detector_restore", snapshot, len(snapshot), byref(detector._handle.pointer))
        return detector

    def _events(self) -> Iterator[Event]:
        struct, taken = _native.EventStruct(), c_int()
        while True:
            _native.call("detector_take_event", self._handle.pointer, byref(struct), byref(taken))
            if not taken.value:
                return
            kind = _KINDS[struct.kind]
            event: dict[str, Any] = {}
            if kind == "setStarted":
                event = {"start": struct.start, "cause": _native.CAUSES[struct.cause]}
            if kind in ("rep", "repCorrected"):
                event["count"] = int(struct.count)
            if kind in ("rep", "partialRep"):
                event["rep"] = Rep(struct.rep.start, struct.rep.end, struct.rep.confidence)
            if kind == "phase":
                event["phase"] = _native.PHASES[struct.to_phase]
            if kind == "setEnded":
                event["set"] = _sets.counted_set(struct.set)
            yield Event(kind, struct.time, **event)
