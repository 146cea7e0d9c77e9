"""Reading recorded files."""

from __future__ import annotations

import json
import os
import warnings
from ctypes import byref
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from . import _native
from ._errors import RepTraceError

_STANDARD_UNITS = {
    "time": "s", "userAcceleration": "g", "totalAcceleration": "g", "gravity": "g",
    "rotationRate": "rad/s", "attitude": "rad", "magneticField": "uT",
}  # fmt: skip
_PER_STANDARD_UNIT = {
    "s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9, "g": 1.0, "m/s2": 9.80665, "rad/s": 1.0,
    "deg/s": 180 / np.pi, "rad": 1.0, "deg": 180 / np.pi, "uT": 1.0,
}  # fmt: skip
_QUANTITIES = (
    ("time", 1), ("userAcceleration", 3), ("rotationRate", 3), ("gravity", 3), ("attitude", 3),
    ("magneticField", 3), ("quaternion", 4), ("totalAcceleration", 3),
)  # fmt: skip
_QUANTITY_OF = dict(zip(_native.CHANNELS, [name for name, n in _QUANTITIES for _ in range(n)], strict=True))


@dataclass(frozen=True, slots=True)
class OpenRecording:
    """A recording in the library's memory."""

    owner: _native.Handle
    index: int
    metadata: dict[str, Any]


def reading(format: str | None, dates: str | None, columns: str | os.PathLike[str] | None) -> _native.Reading:
    """Converts options of reading for the library."""
    return _native.Reading(
        format=_native.text(format), dates=_native.text(dates), columns=_native.text(columns)
    )


def opened(owner: _native.Handle) -> tuple[list[OpenRecording], list[dict[str, str]]]:
    """Returns the recordings of a `reptrace_recordings`, and the failures: path and message."""
    about = json.loads(_native.library.reptrace_recordings_metadata(owner.pointer))
    size = _native.library.reptrace_recordings_size(owner.pointer)
    recordings = [
        OpenRecording(
            owner, index,
            json.loads(_native.library.reptrace_recording_metadata(owner.pointer, index)),
        )
        for index in range(size)
    ]  # fmt: skip
    return recordings, about["failures"]


def _open(
    path: str | os.PathLike[str], format: str | None, dates: str | None,
    columns: str | os.PathLike[str] | None, stacklevel: int = 3,
) -> list[OpenRecording]:  # fmt: skip
    owner = _native.Handle("recordings")
    _native.call(
        "recordings_open", _native.text(path), byref(reading(format, dates, columns)), byref(owner.pointer)
    )
    recordings, failures = opened(owner)
    for failure in failures:
        warnings.warn(f"{failure['path']}: {failure['message']}", stacklevel=stacklevel)
    return recordings


def open_one(
    path: str | os.PathLike[str], format: str | None = None, dates: str | None = None,
    columns: str | os.PathLike[str] | None = None,
) -> OpenRecording:  # fmt: skip
    """Opens the only recording of a path."""
    found = _open(path, format, dates, columns, stacklevel=4)
    if len(found) != 1:
        names = ", ".join(one.metadata["name"] for one in found[:5]) or "none"
        raise RepTraceError(
            f"{os.fspath(path)}: expected one recording, found {len(found)} ({names}); use read_all"
        )
    return found[0]


def frame(recording: OpenRecording) -> pd.DataFrame:
    """Returns the samples of a recording in standard units."""
    units = recording.metadata["units"]
    columns: dict[str, Any] = {"timestamp": np.zeros(0)}
    for name, values in _native.lent_columns(recording.owner, "recording_column", recording.index):
        unit = units.get(_QUANTITY_OF[name], "")
        scale = _PER_STANDARD_UNIT.get(unit, 1.0)
        columns[name] = values if scale == 1.0 else values / scale
    result = pd.DataFrame(columns, copy=False)
    phases = np.full(len(result), None, dtype=object)
    set_ids = np.full(len(result), None, dtype=object)
    known: set[str] = set()
    number = 0
    for part in recording.metadata["parts"]:
        for first, count, phase in part["phases"]:
            phases[first : first + count] = phase
        if part["declared"]:
            number += 1
            first, count = part["firstRow"], part["rowCount"]
            # A unique name: sets without an id, or with the same id in two sessions, are different sets.
            set_id = part.get("setId") or f"set {number}"
            while set_id in known:
                set_id = f"{set_id} ({number})"
            known.add(set_id)
            set_ids[first : first + count] = set_id
    if (phases != np.array(None)).any():
        result["phase"] = phases
    if (set_ids != np.array(None)).any():
        result["setId"] = set_ids
    result.attrs = {key: value for key, value in recording.metadata.items() if key not in ("parts", "units")}
    result.attrs["units"] = dict(_STANDARD_UNITS)
    result.attrs["unitsOfSource"] = units
    return result


def read(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    dates: str | None = None,
    columns: str | os.PathLike[str] | None = None,
) -> pd.DataFrame:
    """Read one recording, in any format that ``reptrace process`` reads.

    Parameters
    ----------
    path : path
        A file, or a folder with the files of one recording.
    format, dates, columns : optional
        The values of the command's options ``--format``, ``--dates`` and ``--columns``.

    Returns
    -------
    DataFrame
        A row per sample in order of time: ``timestamp`` (s), ``accelerationX`` … (g, without
        gravity), ``totalAccelerationX`` … (g), ``rotationX`` … (rad/s), ``gravityX`` … (g), ``roll``,
        ``pitch``, ``yaw`` (rad), ``quaternionW`` …, ``magneticFieldX`` … (µT); NaN where a sensor has no
        reading. ``phase`` and ``setId`` if the source has them. A declared set without an id is ``set 1``,
        ``set 2``, … by its position among the sets; the position is appended to a repeated id.
        ``DataFrame.attrs`` contains ``name``, ``origin`` (the first time, s), ``clock``, ``unixTime``, ids,
        ``units``, ``unitsOfSource``, ``warnings`` and ``notes``.

    Raises
    ------
    RepTraceError
        `NotFoundError`, `UnreadableError` or `UndecodableError`; also if the path contains several
        recordings.
    """
    return frame(open_one(path, format, dates, columns))


def read_all(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    dates: str | None = None,
    columns: str | os.PathLike[str] | None = None,
) -> dict[str, pd.DataFrame]:
    """Read every recording of a folder; return frames as of `read`, by name.

    There is a warning for each file that cannot be read.
    """
    return {recording.metadata["name"]: frame(recording) for recording in _open(path, format, dates, columns)}
