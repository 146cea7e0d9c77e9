"""Stored timelines: samples and a counted set as compressed bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from ctypes import byref, c_int
from dataclasses import dataclass
from typing import Any

import pandas as pd

from . import _native, _samples, _sets
from ._samples import Frame
from ._sets import CountedSet


@dataclass(frozen=True)
class Timeline:
    """The content of a timeline.

    Attributes
    ----------
    samples : DataFrame
        A row per sample, in the source's units (``metadata["units"]``), so that every value is bit for bit
        the stored one.
    set : CountedSet or None
        The set, with times in seconds on the samples' clock; None in a timeline of rest.
    metadata : dict
        ``clock``, ``units``, ``origin``, ``unixTime``, ids, ``phases``, ``provenance``.
    """

    samples: pd.DataFrame
    set: CountedSet | None
    metadata: dict[str, Any]


def decode_timeline(data: bytes) -> Timeline:
    """Decode a timeline (docs/timeline-format.md).

    Raises
    ------
    UndecodableError
        If the bytes are damaged.
    """
    data = bytes(data)
    handle = _native.Handle("timeline")
    _native.call("timeline_decode", data, len(data), byref(handle.pointer))
    metadata = json.loads(_native.library.reptrace_timeline_metadata(handle.pointer))
    columns = dict(_native.lent_columns(handle, "timeline_column"))
    struct, has_set = _native.SetStruct(), c_int()
    _native.call("timeline_set", handle.pointer, byref(struct), byref(has_set))
    counted = _sets.counted_set(struct) if has_set.value else None
    return Timeline(pd.DataFrame(columns, copy=False), counted, metadata)


def encode_timeline(
    data: Frame,
    *,
    set: CountedSet | None = None,
    units: Mapping[str, str] | None = None,
    lossless: bool = True,
    clock: str | None = None,
) -> bytes:
    """Encode samples, and a set in them, as a timeline.

    Parameters
    ----------
    data : DataFrame or mapping of arrays
        As in `count`.
    set : CountedSet, optional
        Times in seconds on the samples' clock.
    units : mapping, optional
        As in `count`.
    lossless : bool
        True to keep every value bit for bit; otherwise within 1 µs, 1e-4 g, 1e-4 rad/s, 1e-4 rad and 0.1 µT.
    clock : str, optional
        Origin of times: ``device``, or ``unix`` for seconds since 1970. By default ``unix`` for dates, else
        the clock in ``data.attrs``, as `read` and `History.samples` set it, else ``device``.
    """
    data = _samples.frame(data)
    if clock is None:
        dated = _samples.has_dates(data)
        clock = "unix" if dated else getattr(data, "attrs", {}).get("clock", "device")
    native_units = _samples.units(units, clock)
    columns = _samples.columns(data, units=native_units)
    samples = _native.SampleStruct(columns, native_units, _samples.phases(data))
    struct = None
    if set is not None:
        struct = _native.SetStruct(
            cause=_native.CAUSES.index(set.cause), start=set.start, end=set.end,
            confidence=set.confidence, reps=_reps(set.reps), rep_count=len(set.reps),
            partial_reps=_reps(set.partial_reps), partial_rep_count=len(set.partial_reps),
        )  # fmt: skip
    handle = _native.Handle("bytes")
    _native.call(
        "timeline_encode", samples.pointer, None if struct is None else byref(struct),
        c_int(0 if lossless else 1), byref(handle.pointer),
    )  # fmt: skip
    return _native.content(handle)


def _reps(reps: tuple[_sets.Rep, ...]) -> Any:
    array = (_native.RepStruct * max(1, len(reps)))()
    for struct, rep in zip(array, reps, strict=False):
        struct.start, struct.end, struct.confidence = rep.start, rep.end, rep.confidence
    return array
