"""Samples in the formats of callers: frames, mappings of arrays, units by name."""

from __future__ import annotations

import os
from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from . import _native

#: Alternative names of channels.
ALIASES = {
    "time": "timestamp",
    "t": "timestamp",
    **{f"userAcceleration{axis}": f"acceleration{axis}" for axis in "XYZ"},
    **{f"rotationRate{axis}": f"rotation{axis}" for axis in "XYZ"},
    **{f"attitude{name.capitalize()}": name for name in ("roll", "pitch", "yaw")},
}

_CLOCKS = ("device", "unix")
_TIME_UNITS = ("s", "ms", "us", "ns")
_STANDARD_GRAVITY = 9.80665
_PER_SECOND = (1.0, 1e3, 1e6, 1e9)
_UNITS: dict[str, tuple[str, tuple[str, ...]]] = {
    "time": ("time", _TIME_UNITS),
    "acceleration": ("user_acceleration", ("g", "m/s2")),
    "totalAcceleration": ("total_acceleration", ("g", "m/s2")),
    "gravity": ("gravity", ("g", "m/s2")),
    "rotation": ("rotation_rate", ("rad/s", "deg/s")),
    "attitude": ("attitude", ("rad", "deg")),
}

Frame = pd.DataFrame | Mapping[str, npt.ArrayLike]


def frame(data: Any) -> Frame:
    """Converts samples to a frame with named columns."""
    if isinstance(data, pd.DataFrame | Mapping):
        return data
    if isinstance(data, np.ndarray) and data.dtype.names:
        return {name: data[name] for name in data.dtype.names}
    if hasattr(data, "to_pandas"):  # pyarrow, polars
        return frame(data.to_pandas())
    expected = "expected a DataFrame, or a mapping of names such as 'rotationX' to arrays"
    if isinstance(data, np.ndarray):
        raise TypeError(f"an array of shape {data.shape} has no names of columns; {expected}")
    if isinstance(data, list | tuple) and all(isinstance(one, str | os.PathLike) for one in data):
        raise TypeError(f"{expected}; several paths are for count_all")
    raise TypeError(f"samples are a {type(data).__name__}; {expected}")


def units(names: Mapping[str, str] | None, clock: str = "device") -> _native.Units:
    """Converts units by name for the library."""
    if not isinstance(names, Mapping | None):
        raise TypeError(f"units is {names!r}; expected a mapping such as {{'time': 'ms'}}")
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
    """Returns the motion columns of a frame under their own names, the time first.

    A frame whose index is the time needs no column for it.
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
        found[channel] = _values(values, str(name))
    count = len(next(iter(found.values()), ()))
    if rate is not None:
        if not (isinstance(rate, Real) and np.isfinite(rate) and rate > 0):
            raise ValueError(f"rate is {rate!r}; expected samples per second")
        found["timestamp"] = np.arange(count) / rate
    elif isinstance(time, str):
        if time not in data:
            raise ValueError(f"no column is called {time!r}, which time names")
        found["timestamp"] = _values(data[time], time)
    elif time is not None:
        found["timestamp"] = _values(time, "time")
    elif "timestamp" not in found and isinstance(data, pd.DataFrame):
        index = data.index
        if isinstance(index, pd.DatetimeIndex | pd.TimedeltaIndex):
            found["timestamp"] = _values(index, "the index")
        elif index.name in ("time", "timestamp") or pd.api.types.is_float_dtype(index.dtype):
            found["timestamp"] = index.to_numpy(dtype=np.float64)
    if "timestamp" not in found:
        raise ValueError("no times: give rate, time, or a column 'timestamp'")
    if units is not None and units.time and _kind(_times(data, rate, time)) in ("m", "M"):
        raise ValueError("dates and durations are taken in seconds; leave out the unit of time")
    if len(found) == 1 and len(found["timestamp"]):
        raise ValueError(
            f"no motion among the columns {[str(name) for name in data]}; expected some of "
            f"{list(_native.CHANNELS[1:])} (reptrace.read names those of files so)"
        )
    return {"timestamp": found.pop("timestamp"), **found}


def check_gravity(columns: Mapping[str, _native.FloatArray], native_units: _native.Units) -> None:
    """Raise an error if the length of accelerations is that of gravity in another unit than the given one."""
    for quantity in ("gravity", "totalAcceleration"):
        axes = [columns[name] for axis in "XYZ" if (name := quantity + axis) in columns]
        if len(axes) < 3 or len({values.shape for values in axes}) > 1:
            continue
        lengths = np.hypot(np.hypot(axes[0], axes[1]), axes[2])
        known = lengths[np.isfinite(lengths)]
        field, names = _UNITS[quantity]
        said = getattr(native_units, field)
        usual, in_other = (1.0, _STANDARD_GRAVITY) if said == 0 else (_STANDARD_GRAVITY, 1.0)
        length = float(np.median(known)) if len(known) else usual
        if 0.7 * in_other < length < 1.3 * in_other:
            raise ValueError(
                f"{quantity} is usually {length:.3g} {names[said]} long, expected {usual:.3g}; it looks like "
                f"{names[1 - said]}: pass units={{'{quantity}': '{names[1 - said]}'}}"
            )


def seconds(times: _native.FloatArray, native_units: _native.Units) -> _native.FloatArray:
    """Returns times in seconds."""
    return times / _PER_SECOND[native_units.time]


def has_dates(data: Frame) -> bool:
    """Returns whether the times of a frame are dates."""
    return _kind(_times(data)) == "M"


def _times(data: Frame, rate: float | None = None, time: npt.ArrayLike | str | None = None) -> Any:
    """Returns the caller's times; None if a rate is given instead."""
    if rate is not None:
        return None
    if time is not None:
        return data[time] if isinstance(time, str) else time
    for name, values in data.items():
        if ALIASES.get(str(name), str(name)) == "timestamp":
            return values
    return getattr(data, "index", None)


def _kind(values: Any) -> str:
    """Returns numpy's letter for the type of a column: "M" for dates, "m" for durations."""
    return str(getattr(getattr(values, "dtype", None), "kind", ""))


def _values(values: Any, name: str) -> _native.FloatArray:
    """Returns a column as doubles, dates as seconds since 1970, so that batches of a signal fit together."""
    if _kind(values) in ("O", ""):
        # Python's dates and numbers, and lists.
        values = pd.Series(np.asarray(values)).infer_objects()
    kind = _kind(values)
    try:
        if kind == "M":
            values = pd.DatetimeIndex(pd.to_datetime(values, utc=True)) - pd.Timestamp(0, tz="UTC")
        if kind in ("m", "M"):
            values = pd.TimedeltaIndex(values).total_seconds()
        if isinstance(getattr(values, "dtype", None), pd.api.extensions.ExtensionDtype):
            return np.asarray(values.to_numpy(dtype=np.float64, na_value=np.nan))
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        wanted = "numbers or dates (pandas.to_datetime)" if name in _TIMES else "numbers"
        raise ValueError(f"{name}: expected {wanted}: {error}") from error


_TIMES = ("time", "timestamp", "t", "the index")


def order(times: _native.FloatArray) -> npt.NDArray[np.intp] | None:
    """Returns the order of rows by time; None if they are sorted, or if some times are missing."""
    if times.ndim != 1 or not np.isfinite(times).all() or (np.diff(times) >= 0).all():
        return None
    return np.argsort(times, kind="stable")


def check_steps(times: _native.FloatArray, native_units: _native.Units) -> None:
    """Raise an error if the sampling rate is implausible, as with times in another unit than the given one.

    Parameters
    ----------
    times : array
        Times of samples. Their order is checked elsewhere.
    """
    steps = np.diff(times)
    if len(steps) < 2 or not (np.isfinite(steps) & (steps >= 0)).all():
        return
    unit, per_second = _TIME_UNITS[native_units.time], _PER_SECOND[native_units.time]
    if not steps.any():
        raise ValueError(f"all times are {times[0]:g}; expected the time of each sample")
    step = float(np.median(steps[steps > 0]))
    mean = float(steps.mean())  # Sensors may deliver in bursts.
    if step < per_second and mean > 1e-4 * per_second:
        return
    likely = [
        name for name, per in zip(_TIME_UNITS, _PER_SECOND, strict=True) if 1e-3 * per <= step <= 0.5 * per
    ]
    hint = f"; these look like {likely[0]}: pass units={{'time': '{likely[0]}'}}" if likely else ""
    raise ValueError(f"times are {step:g} {unit} apart; expected 2 to 1000 samples per second{hint}")


def phases(data: Frame) -> npt.NDArray[np.uint8] | None:
    """Converts the column `phase` of a frame for the library."""
    if "phase" not in data:
        return None
    numbers = {name: number for number, name in enumerate(_native.PHASES)}
    result = np.zeros(len(np.asarray(data["phase"])), dtype=np.uint8)
    for row, name in enumerate(np.asarray(data["phase"], dtype=object)):
        if name in ("execution", "rest"):
            result[row] = numbers[name]
        elif not (name is None or name != name or name is pd.NA):
            raise ValueError(f"phase {row} is {name!r}; expected 'execution', 'rest' or None")
    return result
