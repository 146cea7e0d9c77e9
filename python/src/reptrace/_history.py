"""Reading the history that ``process --store`` and ``stream --store`` write."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from types import TracebackType
from typing import Any

import pandas as pd

from ._errors import NotFoundError, RepTraceError, UndecodableError
from ._timelines import Timeline, decode_timeline

#: What SQLite files of RepTrace carry in their header ("RepT").
_APPLICATION_ID = 0x52657054

_SETS = """
    SELECT s.key AS id, w.key AS workout, e.name AS exercise, r.name AS recording, s.position AS "set",
      s.cause, s.actualReps AS reps, s.detectedReps AS "detectedReps", s.correctedReps,
      s.confidence, s.weight, coalesce(s.startTime, s.timestamp) AS date, s.clockStart AS start,
      s.clockEnd AS end, u.name AS user, s.id AS row
    FROM historySet s
    JOIN historyExercise e ON e.id = s.exerciseId
    JOIN workoutHistory w ON w.id = e.workoutId
    JOIN user u ON u.id = s.userId
    LEFT JOIN recording r ON r.id = s.recordingId
    ORDER BY date IS NULL, date, s.id
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
        connection = sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)
        self._connection = connection
        try:
            # A store that somebody sent runs nothing of its own.
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA cell_size_check = ON")
            connection.execute("PRAGMA query_only = ON")
            found = connection.execute("PRAGMA application_id").fetchone()[0]
        except sqlite3.DatabaseError as error:
            self.close()
            raise UndecodableError(f"{file}: {error}") from error
        if found != _APPLICATION_ID:
            self.close()
            raise UndecodableError(f"{file}: not a history of RepTrace")

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
        return frame.drop(columns="row").set_index("id")

    def workouts(self) -> pd.DataFrame:
        """A row per workout: id, user, date (UTC), exercises, sets, reps."""
        frame = self._frame(_WORKOUTS)
        frame["date"] = _dates(frame["date"])
        return frame.set_index("id")

    def reps(self) -> pd.DataFrame:
        """A row per rep of every set that a machine counted.

        Columns: set (id), rep, start, end, duration (s on the samples' clock), confidence.
        """
        rows: list[tuple[Any, ...]] = []
        for key, blob in self._query(
            "SELECT s.key, b.data FROM historySet s JOIN timelineSegment g ON g.setId = s.id"
            " JOIN timelineBlob b ON b.segmentId = g.id ORDER BY s.id"
        ):
            counted = self._decode(key, blob).set
            for number, rep in enumerate(counted.reps if counted else (), 1):
                rows.append((key, number, rep.start, rep.end, rep.duration, rep.confidence))
        names = ["set", "rep", "start", "end", "duration", "confidence"]
        return pd.DataFrame(rows, columns=names)

    def timeline(self, set_id: str) -> Timeline:
        """The stored timeline of a set.

        Parameters
        ----------
        set_id : str
            An id of `sets`.
        """
        found = self._query(
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
        timeline.samples.attrs = dict(timeline.metadata)
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

    def _query(self, sql: str, arguments: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        if self._connection is None:
            raise RepTraceError(f"{self.path}: the history is closed")
        try:
            return self._connection.execute(sql, arguments).fetchall()
        except sqlite3.DatabaseError as error:
            raise UndecodableError(f"{self.path}: {error}") from error

    def _frame(self, sql: str) -> pd.DataFrame:
        if self._connection is None:
            raise RepTraceError(f"{self.path}: the history is closed")
        try:
            cursor = self._connection.execute(sql)
            rows = cursor.fetchall()
        except sqlite3.DatabaseError as error:
            raise UndecodableError(f"{self.path}: {error}") from error
        return pd.DataFrame(rows, columns=[column[0] for column in cursor.description])


def _dates(unix_times: pd.Series[float]) -> pd.Series[pd.Timestamp]:
    """A double of seconds since 1970 tells microseconds, not nanoseconds."""
    return pd.to_datetime(unix_times, unit="s", utc=True).dt.round("us")
