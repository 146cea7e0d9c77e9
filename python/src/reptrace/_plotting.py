"""Plots of a recording and its sets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from . import _samples
from ._samples import Frame
from ._sets import CountedSet, Sets

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: The axes of a quantity by its display name, its name in `units`, and its default unit.
_GROUPS = {
    ("rotation", "rotation", "rad/s"): ("rotationX", "rotationY", "rotationZ"),
    ("acceleration", "acceleration", "g"): ("accelerationX", "accelerationY", "accelerationZ"),
    ("acceleration with gravity", "totalAcceleration", "g"): (
        "totalAccelerationX", "totalAccelerationY", "totalAccelerationZ",
    ),
    ("gravity", "gravity", "g"): ("gravityX", "gravityY", "gravityZ"),
}  # fmt: skip


def plot(
    sets: Sets | CountedSet,
    samples: Frame | None = None,
    *,
    rate: float | None = None,
    time: npt.ArrayLike | str | None = None,
    units: Mapping[str, str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw sets with their reps, over a signal if one is given.

    Parameters
    ----------
    sets : Sets or CountedSet
        The result of `count`, or one of its sets.
    samples : samples as of `count`, optional
        The counted samples. The first of rotation, acceleration and gravity that they have is drawn, in its
        own unit.
    rate, time, units : optional
        As in `count`.
    ax : matplotlib Axes, optional
        The axes to draw on; a new figure by default.

    Returns
    -------
    Axes
        Reps with a higher confidence are darker. Times are seconds from the first sample.
    """
    import matplotlib.pyplot as pyplot

    if ax is None:
        _, ax = pyplot.subplots(figsize=(10, 3), layout="constrained")
    every = [sets] if isinstance(sets, CountedSet) else list(sets)
    if samples is not None:
        native_units = _samples.units(units)
        columns = _samples.columns(_samples.frame(samples), rate, time, native_units)
        rows = _samples.order(columns["timestamp"])
        if rows is not None:
            columns = {name: values[rows] for name, values in columns.items()}
        seconds = _samples.seconds(columns["timestamp"], native_units)
        for quantity, names in _GROUPS.items():
            if all(name in columns for name in names) and len(seconds):
                for name in names:
                    ax.plot(seconds - seconds[0], columns[name], linewidth=0.8, label=name[-1].lower())
                ax.set_ylabel(f"{quantity[0]} ({(units or {}).get(quantity[1], quantity[2])})")
                ax.legend(loc="upper right", ncols=3, frameon=False)
                break
    for counted in every:
        for number, rep in enumerate(counted.reps, 1):
            shade = 0.08 + 0.22 * float(np.clip(rep.confidence, 0, 1))
            ax.axvspan(rep.start, rep.end, color="tab:green", alpha=shade, linewidth=0)
            ax.text(
                (rep.start + rep.end) / 2, 1.0, str(number), ha="center", va="bottom",
                transform=ax.get_xaxis_transform(), fontsize="small",
            )  # fmt: skip
    ax.set_title(
        ", ".join(f"{s.count} reps ({s.confidence:.0%} sure)" for s in every) or "no set",
        loc="left", pad=16,
    )  # fmt: skip
    ax.set_xlabel("time (s)")
    return ax
