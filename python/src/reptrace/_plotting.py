"""A picture of a recording and its sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ._sets import CountedSet, Sets

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_GROUPS = (
    ("rotation (rad/s)", ("rotationX", "rotationY", "rotationZ")),
    ("acceleration (g)", ("accelerationX", "accelerationY", "accelerationZ")),
    ("acceleration with gravity (g)",
     ("totalAccelerationX", "totalAccelerationY", "totalAccelerationZ")),
    ("gravity (g)", ("gravityX", "gravityY", "gravityZ")),
)  # fmt: skip


def plot(sets: Sets | CountedSet, samples: pd.DataFrame | None = None, *, ax: Axes | None = None) -> Axes:
    """Draw sets with their reps, over a signal where one is given.

    Parameters
    ----------
    sets : Sets or CountedSet
        What `count` returned; or a single set of it.
    samples : DataFrame, optional
        What was counted. The first of rotation, acceleration and gravity that it has is drawn.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if left out.

    Returns
    -------
    Axes
        Reps are shaded the darker the surer they are. Seconds from the first sample.
    """
    import matplotlib.pyplot as pyplot

    if ax is None:
        _, ax = pyplot.subplots(figsize=(10, 3), layout="constrained")
    every = [sets] if isinstance(sets, CountedSet) else list(sets)
    if samples is not None and len(samples):
        time = samples["timestamp"].to_numpy()
        for label, names in _GROUPS:
            if all(name in samples for name in names):
                for name in names:
                    ax.plot(time - time[0], samples[name], linewidth=0.8, label=name[-1].lower())
                ax.set_ylabel(label)
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
