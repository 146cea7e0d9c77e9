"""Writes finished sets to a central history in PostgreSQL (docs/sync.md), from which devices receive them."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ._central_rows import CentralRows, Values, object_name

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row

#: Maximum values that a history accepts (`HistoryRules`).
_AT_MOST = {"reps": 100_000, "targetReps": 999, "weight": 2000}
#: Steps that are written before the sets of their batch.
_STARTS = ("startWorkout", "startExercise")


def sink(address: str, output: str | None = None) -> Callable[[DataFrame, int], None]:
    """Return a function for ``foreachBatch`` that writes finished sets to a central history.

    Parameters
    ----------
    address : str
        As for psycopg, without a password. The login needs the role ``reptrace_writer``, and
        ``BYPASSRLS``.
    output : str, optional
        A folder in which all rows are written as Parquet, in a folder per batch.

    Notes
    -----
    A person is a role of the database: the rows' ``person``, else the ``userId`` of the session. Sets
    without a person are not written. A batch that was already written is skipped.
    """

    def write(rows: DataFrame, batch: int) -> None:
        query = rows.sparkSession.sparkContext.getLocalProperty("sql.streaming.queryId") or ""
        rows.persist()
        try:
            if output:
                rows.write.mode("overwrite").partitionBy("kind").parquet(f"{output}/batch={batch}")
            kept = rows.where("kind IN ('recording', 'samples', 'step')").repartition("person", "session")
            kept.sortWithinPartitions("person", "session", "number").foreachPartition(
                lambda partition: _write(address, query, batch, partition)
            )
        finally:
            rows.unpersist()

    return write


def _write(address: str, query: str, batch: int, rows: Iterator[Row]) -> None:
    import psycopg

    sessions = itertools.groupby(rows, lambda row: (row["person"], row["session"]))
    first = next(sessions, None)
    if first is None:
        return
    with psycopg.connect(address) as connection:
        for (person, session), group in itertools.chain([first], sessions):
            for name, results, blobs in _by_person(person, group):
                _Writer(connection, name).write((f"{person}/{session}", query, batch), results, blobs)
                connection.commit()


def _by_person(person: str, rows: Iterator[Row]) -> Iterator[tuple[str, list[Values], dict[str, bytes]]]:
    """Returns the results of a session by the role of their owner, with the samples of all."""
    results: dict[str, list[Values]] = {}
    blobs = {}
    for row in rows:
        if row["kind"] == "samples":
            blobs[row["digest"]] = bytes(row["timeline"])
        else:
            result = json.loads(row["message"])
            results.setdefault(person or result.get("userId", ""), []).append(result)
    for name, own in results.items():
        # Longer names are not roles: PostgreSQL would truncate them.
        if name and "\0" not in name and len(name.encode()) < 64:
            yield name, own, blobs


def _is_allowed(name: str, value: Any) -> bool:
    """Returns whether a history accepts a member of a step; devices would reject others."""
    if name == "exerciseName":
        return len(value.strip()) <= 100 and "\0" not in value
    return 0 <= value <= _AT_MOST[name] if name in _AT_MOST else name != "unixTime" or abs(value) < 1e11


class _Writer(CentralRows):
    """Writes results of a person in one transaction."""

    def write(self, batch: tuple[str, str, int], results: list[Values], blobs: dict[str, bytes]) -> None:
        self.begin()
        is_new = self.one(
            """INSERT INTO reptrace.stream_batch AS b VALUES (%s, %s, %s, %s)
               ON CONFLICT (account_id, session) DO UPDATE SET query = excluded.query, batch = excluded.batch
               WHERE b.query <> excluded.query OR b.batch < excluded.batch RETURNING true""",
            self.account, *batch,
        )  # fmt: skip
        if is_new is None:
            return
        for result in results:
            if result.get("step") in _STARTS:
                self.step(result)
        # Only the last revision.
        last = {result["stream"]: result for result in results if "recording" in result}
        for result in last.values():
            self.recording(result, blobs)
        for result in results:
            if result.get("step", "startWorkout") not in _STARTS:
                self.step(result)
        self.end()

    def recording(self, result: Values, blobs: dict[str, bytes]) -> None:
        session = result.get("sessionId") or result["recording"]
        exercise = f"{session}/{result.get('exerciseId', '')}"
        owner = result.get("sessionId", "") if "setId" in result else ""
        name = object_name(owner, result["recording"])
        if self.is_deleted((4, session), (5, exercise), (7, name)):
            return
        began = result.get("unixTime")
        length = (result.get("lastTime") or 0) - (result.get("firstTime") or 0)
        over = None if began is None else began + length
        self.workout(session, result.get("sessionId"), began, over)
        for blob in {segment["digest"] for segment in result["segments"]}:
            self.connection.execute(
                "INSERT INTO reptrace.timeline_blob (account_id, digest, size, data) VALUES (%s, %s, %s, %s) "
                "ON CONFLICT DO NOTHING",
                (self.account, blob, len(blobs[blob]), blobs[blob]),
            )
        keys = [object_name(owner, one["key"]) for one in result["sets"]]
        if keys:
            self.exercise(session, result.get("exerciseId", ""), {})
        for key, one in zip(keys, result["sets"], strict=True):
            if not self.is_deleted((6, key)):
                self.set(key, exercise, result, one)
        segments = []
        for one in result["segments"]:
            segment = {"digest": one["digest"], "byteCount": one["size"], "firstSample": one["firstSample"],
                       "sampleCount": one["samples"]}  # fmt: skip
            if "set" in one:
                found = result["sets"][one["set"]]
                segment |= {"set": keys[one["set"]], "position": one["set"] + 1}
                segment |= {"clockStart": found.get("start"), "clockEnd": found.get("end")}
            segments.append(segment)
        values = {
            "workout": session, "digest": result["digest"], "name": result["name"],
            "sample_count": result["samples"], "deleted_sample_count": 0,
            "clock": int(result["clock"] == "unix"), "first_time": result.get("firstTime"),
            "last_time": result.get("lastTime"), "start_time": began,
            "is_lossless": int(result["isLossless"]), "segments": json.dumps(segments),
        }  # fmt: skip
        self.upsert("recording", name, values)
        if "setId" not in result:
            self.remove_earlier(session, name, values, keys)

    def workout(self, key: str, session: str | None, began: float | None, over: float | None) -> None:
        values = {"session_id": session, "date": began, "end_time": over}
        self.upsert("workout_history", key, values, keeps=("date",), grows=("end_time",))

    def exercise(self, session: str, own: str, values: Values) -> None:
        key = f"{session}/{own}"
        order = self.order("history_exercise", "workout", session, key)
        row = {"workout": session, "exercise_key": own, "exercise_id": own or None, "order": order}
        self.upsert("history_exercise", key, row | values, keeps=("start_time", "completed"))

    def step(self, step: Values) -> None:
        """Applies a step: begins and ends of workouts and exercises, and changes to sets."""
        kind, session, date = step["step"], step["sessionId"], step.get("unixTime")
        if kind == "noteStart":
            step = {name: value for name, value in step.items() if _is_allowed(name, value)}
        if self.is_deleted((4, session)) or not all(itertools.starmap(_is_allowed, step.items())):
            return
        if kind in _STARTS:
            self.workout(session, session, date, None)
        if kind == "startExercise":
            values = {"name": step.get("exerciseName", "").strip() or None}
            self.exercise(session, step["exerciseId"], values | {"start_time": date, "completed": 0})
        elif kind == "endExercise" and self.exists("history_exercise", f"{session}/{step.get('exerciseId')}"):
            values = {"end_time": date, "completed": 1}
            self.upsert("history_exercise", f"{session}/{step['exerciseId']}", values)
        elif kind == "endWorkout" and self.exists("workout_history", session):
            values = {"end_time": date, "status": "completed"}
            self.upsert("workout_history", session, values, grows=("end_time",))
        elif kind in ("noteStart", "endSet", "correctSet"):
            name = object_name(session, step["setId"])
            known = self.one(
                "SELECT key, exercise, corrected_reps FROM reptrace.history_set "
                "WHERE account_id = %s AND key IN (%s, %s, %s)",
                self.account, name, name.upper(), name.lower(),
            )  # fmt: skip
            if known is None:
                return
            key, exercise, corrected = known
            if kind == "correctSet":
                self.correct(key, exercise, corrected, step)
                return
            values = {"target_reps": step.get("targetReps"), "weight": step.get("weight")}
            if corrected is None and "reps" in step:
                values |= {"corrected_reps": step["reps"], "corrected_at": date or time.time()}
            self.upsert("history_set", key, values, keeps=("target_reps", "weight"))

    def correct(self, key: str, exercise: str, corrected: int | None, step: Values) -> None:
        """Writes a person's correction. Without a count and an exercise, it removes the corrected count."""
        reps, named = step.get("reps"), step.get("exerciseId") or step.get("exerciseName", "").strip()
        if (reps is not None or not named) and reps != corrected:
            values = {"corrected_reps": reps, "corrected_at": step.get("unixTime") or time.time()}
            self.upsert("history_set", key, values, clears=("corrected_reps",))
        place = self.place(exercise, step) if named else exercise
        if place != exercise:
            # The last of its sets.
            order = self.order("history_set", "exercise", place, "")
            self.upsert("history_set", key, {"exercise": place, "order": order})

    def place(self, exercise: str, step: Values) -> str:
        """Returns the corrected exercise in the workout of another one; creates it if it is missing."""
        identity, name = step.get("exerciseId"), step.get("exerciseName", "").strip()
        session, found = self.one(
            """SELECT workout, (SELECT key FROM reptrace.history_exercise e
                 WHERE (e.account_id, e.workout) = (o.account_id, o.workout)
                   AND %s IN (exercise_id, name, exercise_key)
                 ORDER BY exercise_id IS NULL, "order" LIMIT 1)
               FROM reptrace.history_exercise o WHERE account_id = %s AND key = %s""",
            identity or name, self.account, exercise,
        )  # fmt: skip
        if found:
            if identity and name:
                self.upsert("history_exercise", found, {"name": name})
            return str(found)
        # From the person's other workouts, or the catalog.
        known = self.one(
            """SELECT exercise_id, name, template FROM reptrace.history_exercise
               WHERE account_id = %s AND %s IN (exercise_id, name)
               UNION ALL SELECT NULL, name, key FROM reptrace.exercise_template
               WHERE account_id = %s AND %s IN (key, template_id, name) LIMIT 1""",
            self.account, identity or name, self.account, identity or name,
        ) or (None, None, None)  # fmt: skip
        own = known[0] or identity or name
        values = {"exercise_id": known[0] or identity, "template": known[2]}
        self.exercise(session, own, values | {"name": (identity and name) or known[1] or own})
        return f"{session}/{own}"

    def set(self, key: str, exercise: str, result: Values, one: Values) -> None:
        # One that a person or a message has moved stays there.
        exercise = self.one(
            """SELECT coalesce((SELECT exercise FROM reptrace.history_set
                 WHERE account_id = %s AND key = %s AND stamps ->> 'exercise' IS NOT NULL), %s)""",
            self.account, key, exercise,
        )[0]  # fmt: skip
        values = {
            "exercise": exercise, "set_id": result.get("setId"),
            "order": self.order("history_set", "exercise", exercise, key), "cause": one["cause"],
            "detected_reps": one["reps"], "confidence": one["confidence"], "detector": result["detector"],
            "start_time": one.get("unixStart"), "end_time": one.get("unixEnd"),
            "timestamp": one.get("unixEnd"),
        }  # fmt: skip
        self.upsert("history_set", key, values)

    def remove_earlier(self, session: str, name: str, values: Values, keys: list[str]) -> None:
        """Removes versions of this recording from before late samples arrived, found by its samples."""
        for (old,) in self.connection.execute(
            """SELECT key FROM reptrace.recording WHERE account_id = %s AND workout = %s AND key = digest
               AND key <> %s AND clock = %s AND first_time <= %s AND last_time >= %s""",
            (self.account, session, name, values["clock"], values["last_time"], values["first_time"]),
        ).fetchall():
            for (key,) in self.connection.execute(
                "SELECT set_key FROM reptrace.timeline_segment WHERE account_id = %s AND recording = %s "
                "AND set_key IS NOT NULL",
                (self.account, old),
            ).fetchall():
                if key not in keys:
                    self.remove("history_set", key)
            self.remove("recording", old)
