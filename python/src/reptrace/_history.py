"""Reading the history that ``process --store`` and ``stream --store`` write."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from types import TracebackType
from typing import Any

import pandas as pd

from ._errors import NotFoundError, RepTraceError, UndecodableError, UnreadableError
from ._timelines import Timeline, decode_timeline

#: What SQLite files of RepTrace carry in their header ("RepT").
_APPLICATION_ID = 0x52657054

_SETS = """
    SELECT o.set_key AS id, w.key AS workout, o.exercise, o.recording, s.position AS "set", s.cause,
      o.reps, o.counted_reps AS "detectedReps", o.corrected_reps AS "correctedReps", o.confidence,
      o.weight, coalesce(s.startTime, s.timestamp, w.date) AS date, s.clockStart AS start,
      s.clockEnd AS end, o.user
    FROM set_overview o
    JOIN historySet s ON s.id = o.set_id
    JOIN historyExercise e ON e.id = s.exerciseId
    JOIN workoutHistory w ON w.id = e.workoutId
    ORDER BY s.id
"""
_REPS = """
    SELECT s.key AS "set", r.number AS rep, r.clock_start AS start, r.clock_end AS end, r.duration,
      r.confidence
    FROM rep r JOIN historySet s ON s.id = r.set_id
    ORDER BY r.set_id, r.number
"""
_WORKOUTS = """
    SELECT w.key AS id, u.name AS user, w.date, count(DISTINCT e.id) AS exercises,
      count(s.id) AS sets, coalesce(sum(s.actualReps), 0) AS reps
    FROM workoutHistory w
    JOIN user u ON u.id = w.userId
    LEFT JOIN historyExercise e ON e.workoutId = w.id
    LEFT JOIN historySet s ON s.exerciseId = e.id
    GROUP BY w.id ORDER BY w.date IS NULL, w.date, w.id
"""


class History:
    """A store, read-only.

    Reads through Python's own ``sqlite3``; the native library links no SQLite, so that no two of them
    ever hold locks on one file. Other programs may write at the same time.

    Parameters
    ----------
    path : path
        A store, as ``reptrace process --store`` writes it.

    Raises
    ------
    NotFoundError
        Where there is no such file.
    UnreadableError
        Where it cannot be opened.
    UndecodableError
        Where the file is no history of RepTrace.

    Examples
    --------
    >>> with reptrace.History("gym.sqlite") as history:
    ...     sets = history.sets()
    ...     samples = history.samples(sets.index[0])
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
            # A store that somebody sent runs nothing of its own.
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
        """A row per set, in order of date.

        The index ``id`` names the set for `samples` and for ``reptrace history``. Columns: workout,
        exercise, recording, set (its number in the recording), cause, reps (a person's count where
        there is one), detectedReps, correctedReps, confidence (that detectedReps is exactly right),
        weight (kg), date (UTC), start, end (s on the samples' clock), user.
        """
        frame = self._frame(_SETS)
        frame["date"] = _dates(frame["date"])
        return frame.sort_values("date", kind="stable").set_index("id")

    def workouts(self) -> pd.DataFrame:
        """A row per workout: id, user, date (UTC), exercises, sets, reps."""
        frame = self._frame(_WORKOUTS)
        frame["date"] = _dates(frame["date"])
        return frame.set_index("id")

    def reps(self) -> pd.DataFrame:
        """A row per rep of every set that a machine counted.

        Columns: set (id), rep, start, end, duration (s on the samples' clock), confidence.
        """
        return self._frame(_REPS)

    def timeline(self, set_id: str) -> Timeline:
        """The stored timeline of a set.

        Parameters
        ----------
        set_id : str
            An id of `sets`.
        """
        _, found = self._execute(
            "SELECT b.data FROM historySet s JOIN timelineSegment g ON g.setId = s.id"
            " JOIN timelineBlob b ON b.segmentId = g.id WHERE s.key = ?",
            (set_id,),
        )
        if not found:
            raise KeyError(f"{self.path}: no set {set_id!r} with samples")
        if len(found) > 1:
            raise RepTraceError(f"{self.path}: several people have a set {set_id!r}")
        return self._decode(set_id, found[0][0])

    def samples(self, set_id: str) -> pd.DataFrame:
        """The samples of a set, bit for bit as they were stored, in the units of their source.

        ``DataFrame.attrs`` holds the timeline's metadata.
        """
        timeline = self.timeline(set_id)
        timeline.samples.attrs.update(timeline.metadata)
        return timeline.samples

    def to_parquet(self, out: str | os.PathLike[str]) -> None:
        """Write ``sets``, ``reps`` and ``samples`` as Parquet into a folder (`reptrace.parquet`)."""
        from .parquet import history_to_parquet

        history_to_parquet(self, out)

    def _decode(self, key: str, blob: bytes) -> Timeline:
        try:
            return decode_timeline(blob)
        except RepTraceError as error:
            raise UndecodableError(f"{self.path}: set {key}: {error}") from error

    def _execute(self, sql: str, arguments: tuple[Any, ...] = ()) -> tuple[list[str], list[tuple[Any, ...]]]:
        """The names of the columns, and the rows."""
        if self._connection is None:
            raise RepTraceError(f"{self.path}: the history is closed")
        try:
            cursor = self._connection.execute(sql, arguments)
            return [column[0] for column in cursor.description], cursor.fetchall()
        except sqlite3.DatabaseError as error:
            raise UndecodableError(f"{self.path}: {error}") from error

    def _frame(self, sql: str) -> pd.DataFrame:
        names, rows = self._execute(sql)
        return pd.DataFrame(rows, columns=names)


def _dates(unix_times: pd.Series[float]) -> pd.Series[pd.Timestamp]:
    """A double of seconds since 1970 tells microseconds, not nanoseconds."""
    return pd.to_datetime(unix_times, unit="s", utc=True).dt.round("us")
