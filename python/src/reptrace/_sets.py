"""Counted sets and reps."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from ctypes import byref
from dataclasses import dataclass, field
from typing import Any, overload

import pandas as pd

from . import _native
from ._tables import FLOAT, INT, TEXT, table

SET_COLUMNS = {
    "set": TEXT, "number": INT, "cause": TEXT, "start": FLOAT, "end": FLOAT, "reps": INT, "confidence": FLOAT,
}  # fmt: skip
REP_COLUMNS = {
    "set": TEXT, "rep": INT, "start": FLOAT, "end": FLOAT, "duration": FLOAT, "confidence": FLOAT,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rep:
    """A repetition.

    Attributes
    ----------
    start, end : float
        Times at which the wrist leaves its starting posture and is back, in seconds.
    confidence : float
        Probability that this is a rep.
    """

    start: float
    end: float
    confidence: float

    @property
    def duration(self) -> float:
        """Duration, in seconds."""
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class CountedSet:
    """A set with its reps.

    Attributes
    ----------
    cause : str
        ``"declared"`` if the caller or the recording declared the set, else ``"detected"``.
    start, end : float
        Begin of the first rep and end of the last, in seconds.
    reps : tuple of Rep
        In order of time.
    confidence : float
        Calibrated probability that ``len(reps)`` is exactly right.
    partial_reps : tuple of Rep
        Movements that fall short of a rep; not counted.
    """

    cause: str
    start: float
    end: float
    reps: tuple[Rep, ...]
    confidence: float
    partial_reps: tuple[Rep, ...] = field(default=())

    @property
    def count(self) -> int:
        """Number of reps."""
        return len(self.reps)

    def _repr_html_(self) -> str:
        return Sets([self])._repr_html_()


class Sets:
    """The sets of a recording, in order of time: a sequence of `CountedSet`.

    Times are seconds from the recording's first sample, as ``reptrace process`` prints them.

    Attributes
    ----------
    origin : float
        The time of the first sample on the recording's own clock, in seconds.
    recording : str
        The recording's name; empty for arrays.
    """

    def __init__(self, sets: Sequence[CountedSet], origin: float = 0.0, recording: str = "") -> None:
        self._sets = tuple(sets)
        self._numbers: Sequence[int] = range(1, len(self._sets) + 1)
        self.origin = origin
        self.recording = recording

    def __len__(self) -> int:
        return len(self._sets)

    @overload
    def __getitem__(self, index: int) -> CountedSet: ...
    @overload
    def __getitem__(self, index: slice) -> Sets: ...
    def __getitem__(self, index: int | slice) -> CountedSet | Sets:
        if isinstance(index, slice):
            some = Sets(self._sets[index], self.origin, self.recording)
            some._numbers = self._numbers[index]
            return some
        return self._sets[index]

    def __iter__(self) -> Iterator[CountedSet]:
        return iter(self._sets)

    def __repr__(self) -> str:
        counts = ", ".join(f"{s.count} reps at {s.start:.1f} s" for s in self._sets)
        return f"Sets({counts})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sets) and self._sets == other._sets

    def __hash__(self) -> int:
        return hash(self._sets)

    def _repr_html_(self) -> str:
        return html(self.to_frame())

    def to_frame(self) -> pd.DataFrame:
        """Return a row per set: set, number, cause, start, end, reps, confidence.

        ``set`` names the set in all tables: ``RECORDING#NUMBER``, or the number alone for arrays.
        """
        return table(SET_COLUMNS, self.set_rows())

    @property
    def reps(self) -> pd.DataFrame:
        """A row per rep: set, rep, start, end, duration, confidence."""
        return table(REP_COLUMNS, self.rep_rows())

    def set_rows(self) -> Iterator[tuple[Any, ...]]:
        """Returns the rows of `to_frame`."""
        for number, s in zip(self._numbers, self._sets, strict=True):
            key = set_key(self.recording, number)
            yield key, number, s.cause, s.start, s.end, s.count, s.confidence

    def rep_rows(self) -> Iterator[tuple[Any, ...]]:
        """Returns the rows of `reps`."""
        for number, s in zip(self._numbers, self._sets, strict=True):
            key = set_key(self.recording, number)
            for index, rep in enumerate(s.reps, 1):
                yield key, index, rep.start, rep.end, rep.duration, rep.confidence


def set_key(recording: str, number: int) -> str:
    """Returns the name of a set in all tables."""
    return f"{recording}#{number}" if recording else str(number)


def html(frame: pd.DataFrame) -> str:
    """Returns a table for a notebook, without row numbers."""
    return frame.to_html(index=False, float_format="{:.3f}".format, na_rep="", border=0, max_rows=20)


@dataclass(frozen=True, slots=True)
class FoundSet:
    """A set in the library's memory.

    Attributes
    ----------
    counted : CountedSet
        The set, with times from the recording's first sample.
    """

    owner: _native.Handle
    index: int
    counted: CountedSet

    def analysis(self) -> dict[str, Any]:
        """Returns the figures of the set, and under ``reps`` those of each rep."""
        text = _native.Handle("bytes")
        _native.call("sets_analyze", self.owner.pointer, self.index, byref(text.pointer))
        figures: dict[str, Any] = json.loads(_native.content(text))
        return figures


def counted_set(struct: _native.SetStruct, origin: float = 0.0) -> CountedSet:
    """Converts a set of the library; times are relative to `origin`."""

    def reps(first: Any, count: int) -> tuple[Rep, ...]:
        return tuple(
            Rep(first[i].start - origin, first[i].end - origin, first[i].confidence) for i in range(count)
        )

    return CountedSet(
        cause=_native.CAUSES[struct.cause],
        start=struct.start - origin,
        end=struct.end - origin,
        reps=reps(struct.reps, struct.rep_count),
        confidence=struct.confidence,
        partial_reps=reps(struct.partial_reps, struct.partial_rep_count),
    )


def found_sets(handle: _native.Handle, origin: float) -> list[FoundSet]:
    """Returns all sets of a `reptrace_sets`."""
    sets = []
    for index in range(_native.library.reptrace_sets_size(handle.pointer)):
        struct = _native.SetStruct()
        _native.call("sets_get", handle.pointer, index, byref(struct))
        sets.append(FoundSet(handle, index, counted_set(struct, origin)))
    return sets
