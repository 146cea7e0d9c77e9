"""What was counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from ctypes import byref
from dataclasses import dataclass, field
from typing import Any, overload

import pandas as pd

from . import _native


@dataclass(frozen=True, slots=True)
class Rep:
    """A repetition.

    Attributes
    ----------
    start, end : float
        When the wrist leaves its starting posture, and when it is back, in seconds.
    confidence : float
        The probability that this is a rep.
    """

    start: float
    end: float
    confidence: float

    @property
    def duration(self) -> float:
        """Seconds from start to end."""
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class CountedSet:
    """A set with its reps.

    Attributes
    ----------
    cause : str
        ``"declared"`` where the caller or the recording said that there is a set, else
        ``"detected"``.
    start, end : float
        Seconds: begin of the first rep, end of the last.
    reps : tuple of Rep
        In order of time.
    confidence : float
        The calibrated probability that ``len(reps)`` is exactly right.
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
        """How many reps were counted."""
        return len(self.reps)


class Sets(Sequence[CountedSet]):
    """The sets of a recording, in order of time.

    Times are seconds from the recording's first sample, as ``reptrace process`` prints them.

    Attributes
    ----------
    origin : float
        The time of the first sample on the recording's own clock, in seconds.
    """

    def __init__(self, sets: Sequence[CountedSet], origin: float = 0.0) -> None:
        self._sets = tuple(sets)
        self.origin = origin

    def __len__(self) -> int:
        return len(self._sets)

    @overload
    def __getitem__(self, index: int) -> CountedSet: ...
    @overload
    def __getitem__(self, index: slice) -> Sets: ...
    def __getitem__(self, index: int | slice) -> CountedSet | Sets:
        if isinstance(index, slice):
            return Sets(self._sets[index], self.origin)
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

    def to_frame(self) -> pd.DataFrame:
        """A row per set: set, cause, start, end, reps, confidence."""
        rows = [
            (number, s.cause, s.start, s.end, s.count, s.confidence) for number, s in enumerate(self._sets, 1)
        ]
        names = ["set", "cause", "start", "end", "reps", "confidence"]
        return pd.DataFrame(rows, columns=names)

    @property
    def reps(self) -> pd.DataFrame:
        """A row per rep: set, rep, start, end, duration, confidence."""
        rows = [
            (number, index, rep.start, rep.end, rep.duration, rep.confidence)
            for number, s in enumerate(self._sets, 1)
            for index, rep in enumerate(s.reps, 1)
        ]
        names = ["set", "rep", "start", "end", "duration", "confidence"]
        return pd.DataFrame(rows, columns=names)


def counted_set(struct: _native.SetStruct, origin: float = 0.0) -> CountedSet:
    """A set of the library, its times from `origin` on."""

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


def counted_sets(handle: _native.Handle, origin: float) -> Sets:
    """All sets of a `reptrace_sets`."""
    sets = []
    for index in range(_native.library.reptrace_sets_size(handle.pointer)):
        struct = _native.SetStruct()
        _native.call("sets_get", handle.pointer, index, byref(struct))
        sets.append(counted_set(struct, origin))
    return Sets(sets, origin)
