"""Tables whose columns and types do not depend on their rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

#: The type of texts: `object`, or `str` since pandas 3.
TEXT: Any = pd.Series(["text"]).dtype
FLOAT = "float64"
INT = "int64"
#: Integers, some of which may be missing.
OPTIONAL_INT = "Int64"
#: Seconds since 1970, converted to dates in UTC with microseconds: doubles cannot represent nanoseconds.
DATE = "date"


def table(columns: Mapping[str, Any], rows: Iterable[Sequence[Any]]) -> pd.DataFrame:
    """Returns a table of rows, with the types that `columns` gives by name."""
    rows = list(rows)
    values = list(zip(*rows, strict=True)) if rows else [()] * len(columns)
    return pd.DataFrame(
        {name: _column(kind, one) for (name, kind), one in zip(columns.items(), values, strict=True)}
    )


def _column(kind: Any, values: Sequence[Any]) -> pd.Series[Any]:
    if kind != DATE:
        column: pd.Series[Any] = pd.Series(list(values), dtype=kind)
        return column
    seconds = np.array(values, dtype=np.float64)
    dates = np.full(len(seconds), np.datetime64("NaT"), dtype="datetime64[us]")
    known = np.isfinite(seconds)
    dates[known] = np.round(seconds[known] * 1e6).astype(np.int64).astype("datetime64[us]")
    return pd.Series(pd.DatetimeIndex(dates, tz="UTC"))
