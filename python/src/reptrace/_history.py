"""Reading the history that ``process --store`` and ``stream --store`` write."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import pandas as pd

from ._errors import NotFoundError, RepTraceError, UndecodableError, UnreadableError
from ._sets import REP_COLUMNS
from ._tables import DATE, FLOAT, INT, OPTIONAL_INT, TEXT, table
from ._timelines import Timeline, decode_timeline

#: The application id in the header of RepTrace's SQLite files ("RepT").
_APPLICATION_ID = 0x52657054

_SETS = """
    SELECT o.set_key AS "set", w.key AS workout, o.exercise, o.recording, s.position AS number, s.cause,
      o.reps, o.counted_reps AS "detectedReps", o.corrected_reps AS "correctedReps", o.confidence,
      o.weight, coalesce(s.startTime, s.timestamp, w.date) AS date, s.clockStart AS start,
      s.clockEnd AS end, o.user
    FROM set_overview o
    JOIN workout_set s ON s.id = o.set_id
    JOIN workout_exercise e ON e.id = s.exerciseId
    JOIN workout w ON w.id = e.workoutId
    ORDER BY s.id
"""
_REPS = """
    SELECT s.key AS "set", r.number AS rep, r.clock_start AS start, r.clock_end AS end, r.duration,
      r.confidence
    FROM rep r JOIN workout_set s ON s.id = r.set_id
    ORDER BY r.set_id, r.number
"""
_WORKOUTS = """
    SELECT w.key AS workout, u.name AS user, w.date, count(DISTINCT e.id) AS exercises,
      count(s.id) AS sets, coalesce(sum(s.actualReps), 0) AS reps
    FROM workout w
    JOIN user u ON u.id = w.userId
    LEFT JOIN workout_exercise e ON e.workoutId = w.id
    LEFT JOIN workout_set s ON s.exerciseId = e.id
    WHERE w.status IS NOT 'active'
    GROUP BY w.id ORDER BY w.date IS NULL, w.date, w.id
"""


_SET_COLUMNS = {
    "set": TEXT, "workout": TEXT, "exercise": TEXT, "recording": TEXT, "number": OPTIONAL_INT, "cause": TEXT,
    "reps": OPTIONAL_INT, "detectedReps": OPTIONAL_INT, "correctedReps": OPTIONAL_INT, "confidence": FLOAT,
    "weight": FLOAT, "date": DATE, "start": FLOAT, "end": FLOAT, "user": TEXT,
}  # fmt: skip
_WORKOUT_COLUMNS = {
    "workout": TEXT, "user": TEXT, "date": DATE, "exercises": INT, "sets": INT, "reps": INT,
}  # fmt: skip


class History:
    """A store, read-only.

    Reads with Python's own ``sqlite3``. The native library does not contain SQLite, because two copies in
    one process would break each other's file locks. Other programs may write at the same time.

    Parameters
    ----------
    path : path
        A store, as ``reptrace process --store`` writes it.

    Raises
    ------
    NotFoundError
        If the file does not exist.
    UnreadableError
        If it cannot be opened.
    UndecodableError
        If the file is not a history of RepTrace.

    Examples
    --------
    >>> with reptrace.History("gym.sqlite") as history:
    ...     sets = history.sets()
    ...     samples = history.samples(sets["set"].iloc[0])
    ...     reps = sets.merge(history.reps(), on="set", suffixes=("", "_rep"))
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._connection: sqlite3.Connection | None = None
        file = Path(path)
        if not file.exists():
            raise NotFoundError(f"{file}: no such file")
        self.path = file
        try:
            connection = sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)
            self._connection = connection
            # A store from an untrusted source must not run functions of its schema.
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA cell_size_check = ON")
            connection.execute("PRAGMA query_only = ON")
            found = connection.execute("PRAGMA application_id").fetchone()[0]
            views = connection.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'rep'").fetchone()[0]
        except sqlite3.DatabaseError as error:
            self.close()
            kind = UnreadableError if isinstance(error, sqlite3.OperationalError) else UndecodableError
            raise kind(f"{file}: {error}") from error
        if found != _APPLICATION_ID:
            self.close()
            raise UndecodableError(f"{file}: not a history of RepTrace")
        if not views:
            self.close()
            raise UndecodableError(
                f"{file}: written by an older version; `reptrace history list` brings it up to date"
            )

    def __enter__(self) -> History:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self.close()

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        if getattr(self, "_connection", None) is not None:
            self._connection.close()  # type: ignore[union-attr]
            self._connection = None

    def sets(self) -> pd.DataFrame:
        """Return a row per set, in order of date.

        Columns: set (its id, in all tables and for `samples`), workout, exercise, recording, number (in the
        recording), cause, reps (a person's count if there is one), detectedReps, correctedReps, confidence
        (that detectedReps is exactly right), weight (kg), date (UTC), start, end (s on the samples' clock),
        user.
        """
        return self._table(_SETS, _SET_COLUMNS).sort_values("date", kind="stable", ignore_index=True)

    def workouts(self) -> pd.DataFrame:
        """Return a row per workout: workout (the id in `sets`), user, date (UTC), exercises, sets, reps."""
        return self._table(_WORKOUTS, _WORKOUT_COLUMNS)

    def reps(self) -> pd.DataFrame:
        """Return a row per rep of every set that a machine counted.

        Columns: set (as in `sets`), rep, start, end, duration (s on the samples' clock), confidence.
        """
        return self._table(_REPS, REP_COLUMNS)

    def timeline(self, set_id: str) -> Timeline:
        """Return the stored timeline of a set.

        Parameters
        ----------
        set_id : str
            A value of ``set`` in `sets`.
        """
        found = self._execute(
            "SELECT b.data FROM workout_set s JOIN segment g ON g.setId = s.id"
            " JOIN blob b ON b.segmentId = g.id WHERE s.key = ?",
            (set_id,),
        )
        if not found:
            raise KeyError(f"{self.path}: no set {set_id!r} with samples")
        if len(found) > 1:
            raise RepTraceError(f"{self.path}: several people have a set {set_id!r}")
        return self._decode(set_id, found[0][0])

    def samples(self, set_id: str) -> pd.DataFrame:
        """Return the samples of a set, bit for bit as they were stored, in the units of their source.

        The first column, ``set``, is as in `sets`. ``DataFrame.attrs`` contains the timeline's metadata.
        """
        timeline = self.timeline(set_id)
        samples = timeline.samples
        samples.insert(0, "set", pd.Series([set_id] * len(samples), dtype=TEXT))
        samples.attrs.update(timeline.metadata)
        return samples

    def to_parquet(self, out: str | os.PathLike[str]) -> None:
        """Write ``sets``, ``reps`` and ``samples`` as Parquet into a folder (`reptrace.parquet`)."""
        from .parquet import history_to_parquet

        history_to_parquet(self, out)

    def _decode(self, key: str, blob: bytes) -> Timeline:
        try:
            return decode_timeline(blob)
        except RepTraceError as error:
            raise UndecodableError(f"{self.path}: set {key}: {error}") from error

    def _execute(self, sql: str, arguments: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        if self._connection is None:
            raise RepTraceError(f"{self.path}: the history is closed")
        try:
            return self._connection.execute(sql, arguments).fetchall()
        except sqlite3.DatabaseError as error:
            raise UndecodableError(f"{self.path}: {error}") from error

    def _table(self, sql: str, columns: Mapping[str, Any]) -> pd.DataFrame:
        return table(columns, self._execute(sql))
