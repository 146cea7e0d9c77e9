"""Samples as callers have them: frames, mappings of arrays, units by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from . import _native

#: What callers may call a channel besides its own name.
ALIASES = {
    "time": "timestamp",
    "t": "timestamp",
    **{f"userAcceleration{axis}": f"acceleration{axis}" for axis in "XYZ"},
    **{f"rotationRate{axis}": f"rotation{axis}" for axis in "XYZ"},
    **{f"attitude{name.capitalize()}": name for name in ("roll", "pitch", "yaw")},
}

_CLOCKS = ("device", "unix")
_TIME_UNITS = ("s", "ms", "us", "ns")
_UNITS: dict[str, tuple[str, tuple[str, ...]]] = {
    "time": ("time", _TIME_UNITS),
    "acceleration": ("user_acceleration", ("g", "m/s2")),
    "totalAcceleration": ("total_acceleration", ("g", "m/s2")),
    "gravity": ("gravity", ("g", "m/s2")),
    "rotation": ("rotation_rate", ("rad/s", "deg/s")),
    "attitude": ("attitude", ("rad", "deg")),
}

Frame = pd.DataFrame | Mapping[str, npt.ArrayLike]


def units(names: Mapping[str, str] | None, clock: str = "device") -> _native.Units:
    """Units by name, as the library takes them."""
    if clock not in _CLOCKS:
        raise ValueError(f"clock is {clock!r}; expected one of {list(_CLOCKS)}")
    result = _native.Units(clock=_CLOCKS.index(clock))
    for quantity, unit in (names or {}).items():
        if quantity not in _UNITS:
            raise ValueError(f"no quantity is called {quantity!r}; expected one of {list(_UNITS)}")
        field, known = _UNITS[quantity]
        if unit not in known:
            raise ValueError(f"{quantity} cannot be in {unit!r}; expected one of {list(known)}")
        setattr(result, field, known.index(unit))
    return result


def columns(
    data: Frame,
    rate: float | None = None,
    time: npt.ArrayLike | str | None = None,
    units: _native.Units | None = None,
) -> dict[str, _native.FloatArray]:
    """The motion columns of a frame under their own names, the time first.

    A frame with a time as its index needs no column of it.
    """
    if rate is not None and time is not None:
        raise ValueError("give rate or time, not both")
    found: dict[str, _native.FloatArray] = {}
    for name, values in data.items():
        channel = ALIASES.get(str(name), str(name))
        if channel not in _native.CHANNELS:
            continue
        if channel in found:
            raise ValueError(f"two columns are {channel}")
        found[channel] = _values(values)
    count = len(next(iter(found.values()), ()))
    if rate is not None:
        if not (np.isfinite(rate) and rate > 0):
            raise ValueError(f"rate is {rate}; expected samples per second")
        found["timestamp"] = np.arange(count) / rate
    elif isinstance(time, str):
        found["timestamp"] = _values(data[time])
    elif time is not None:
        found["timestamp"] = _values(time)
    elif "timestamp" not in found and isinstance(data, pd.DataFrame):
        index = data.index
        if isinstance(index, pd.DatetimeIndex | pd.TimedeltaIndex):
            found["timestamp"] = _values(index)
        elif index.name in ("time", "timestamp") or pd.api.types.is_float_dtype(index.dtype):
            found["timestamp"] = index.to_numpy(dtype=np.float64)
    if "timestamp" not in found:
        raise ValueError("no times: give rate, time, or a column 'timestamp'")
    if units is not None and units.time and _kind(_times(data, rate, time)) in ("m", "M"):
        raise ValueError("dates and durations are taken in seconds; leave out the unit of time")
    if len(found) == 1 and len(found["timestamp"]):
        raise ValueError(
            f"no motion among the columns {[str(name) for name in data]}; expected some of "
            f"{list(_native.CHANNELS[1:])}"
        )
    return {"timestamp": found.pop("timestamp"), **found}


def has_dates(data: Frame) -> bool:
    """Whether the times of a frame are dates."""
    return _kind(_times(data)) == "M"


def _times(data: Frame, rate: float | None = None, time: npt.ArrayLike | str | None = None) -> Any:
    """The times as the caller has them, None for those of a rate."""
    if rate is not None:
        return None
    if time is not None:
        return data[time] if isinstance(time, str) else time
    for name, values in data.items():
        if ALIASES.get(str(name), str(name)) == "timestamp":
            return values
    return getattr(data, "index", None)


def _kind(values: Any) -> str:
    """The letter that numpy gives to the type of a column: "M" for dates, "m" for durations."""
    return str(getattr(getattr(values, "dtype", None), "kind", ""))


def _values(values: Any) -> _native.FloatArray:
    """A column as an array of doubles, dates as seconds since 1970: batches of one signal fit together."""
    kind = _kind(values)
    if kind == "M":
        values = pd.DatetimeIndex(pd.to_datetime(values, utc=True)) - pd.Timestamp(0, tz="UTC")
    if kind in ("m", "M"):
        values = pd.TimedeltaIndex(values).total_seconds()
    return np.asarray(values, dtype=np.float64)


def phases(data: Frame) -> npt.NDArray[np.uint8] | None:
    """The column `phase` of a frame, as the library takes it."""
    if "phase" not in data:
        return None
    numbers = {name: number for number, name in enumerate(_native.PHASES)}
    result = np.zeros(len(data["phase"]), dtype=np.uint8)  # type: ignore[arg-type]
    for row, name in enumerate(np.asarray(data["phase"], dtype=object)):
        if name in ("execution", "rest"):
            result[row] = numbers[name]
        elif not (name is None or name != name or name is pd.NA):
            raise ValueError(f"phase {row} is {name!r}; expected 'execution', 'rest' or None")
    return result
