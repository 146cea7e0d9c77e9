"""Finished sets into a central history in PostgreSQL (docs/sync.md), from where devices get them."""

from __future__ import annotations

import itertools
import json
import secrets
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row

_Values = dict[str, Any]

#: The tables that are written, with the numbers of their entities, and the columns that merge as one field
#: (`SyncEntity` and `SyncTable` of the library); other columns are a field each.
_ENTITIES = {"workout_history": 4, "history_exercise": 5, "history_set": 6, "recording": 7}
_FIELDS: dict[str, dict[str, tuple[str, ...]]] = {
    "history_exercise": {"workout": ("workout", "exercise_key")},
    "history_set": {
        "count": ("detected_reps", "confidence", "detector"),
        "correction": ("corrected_reps", "corrected_at"),
        "time": ("start_time", "end_time", "timestamp"),
    },
    "recording": {
        "samples": (
            "digest", "name", "sample_count", "deleted_sample_count", "clock", "first_time", "last_time",
            "start_time", "is_lossless", "segments",
        )
    },
}  # fmt: skip
#: A copy of the history that only writes.
_DEVICE = secrets.token_hex(8)


def sink(address: str, output: str | None = None) -> Callable[[DataFrame, int], None]:
    """A function for ``foreachBatch`` that writes finished sets into a central history.

    Parameters
    ----------
    address : str
        As psycopg takes it, without a password. The login needs the right to write everybody's rows
        (``BYPASSRLS``), and ``reptrace_user``.
    output : str, optional
        A folder that gets all rows as Parquet, a folder for each batch.

    Notes
    -----
    A person is a role of the database: the rows' ``person``, else the ``userId`` of the session. Sets of
    nobody are not written. A batch that comes again changes nothing, for it says what is there.
    """

    def write(rows: DataFrame, batch: int) -> None:
        rows.persist()
        try:
            if output:
                rows.write.mode("overwrite").partitionBy("kind").parquet(f"{output}/batch={batch}")
            kept = rows.where("kind IN ('recording', 'samples', 'step')").repartition("person", "session")
            kept.sortWithinPartitions("person", "session", "number").foreachPartition(
                lambda partition: _write(address, partition)
            )
        finally:
            rows.unpersist()

    return write


def _write(address: str, rows: Iterator[Row]) -> None:
    import psycopg

    groups = itertools.groupby(rows, lambda row: (row["person"], row["session"]))
    first = next(groups, None)
    if first is None:
        return
    with psycopg.connect(address) as connection:
        for (person, _), group in itertools.chain([first], groups):
            _Writer(connection).write(person, list(group))
            connection.commit()


class _Writer:
    """Writes the results of a session in one transaction."""

    def __init__(self, connection: Any) -> None:
        self.connection = connection
        self.position = 0
        self.stamps = itertools.count()

    def one(self, query: str, *values: Any) -> Any:
        return self.connection.execute(query, values).fetchone()

    def write(self, person: str, rows: list[Row]) -> None:
        results = [json.loads(row["message"]) for row in rows if row["kind"] != "samples"]
        person = person or next((one["userId"] for one in results if one.get("userId")), "")
        if not person:
            return
        if not self.one("SELECT 1 FROM reptrace.account WHERE role = %s", person):
            self.connection.execute(
                "INSERT INTO reptrace.account (role) VALUES (%s) ON CONFLICT DO NOTHING", (person,)
            )
        # Held until the end of the transaction: one writer at a time.
        self.account, self.position, latest = self.one(
            "SELECT id, position, latest FROM reptrace.account WHERE role = %s FOR UPDATE", person
        )
        self.milliseconds = max(int(time.time() * 1000), latest)
        blobs = {row["digest"]: bytes(row["timeline"]) for row in rows if row["kind"] == "samples"}
        # Of what was revised the last answer.
        last = {result["stream"]: result for result in results if "recording" in result}
        for result in last.values():
            self.recording(result, blobs)
        self.steps([result for result in results if "step" in result])
        self.connection.execute(
            "UPDATE reptrace.account SET position = %s, latest = greatest(latest, %s) WHERE id = %s",
            (self.position, self.milliseconds, self.account),
        )

    def recording(self, result: _Values, blobs: dict[str, bytes]) -> None:
        session = result.get("sessionId") or result["recording"]
        exercise = f"{session}/{result.get('exerciseId', '')}"
        owner = result.get("sessionId", "") if "setId" in result else ""
        name = _name(owner, result["recording"])
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
        keys = [_name(owner, one["key"]) for one in result["sets"]]
        if keys:
            self.exercise(session, result.get("exerciseId"), None)
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

    def exercise(self, session: str, exercise: str | None, name: str | None) -> None:
        key = f"{session}/{exercise or ''}"
        order = self.order("history_exercise", "workout", session, key)
        values = {"workout": session, "exercise_key": exercise or "", "exercise_id": exercise}
        self.upsert("history_exercise", key, values | {"name": name, "order": order})

    def steps(self, steps: list[_Values]) -> None:
        """Writes what messages say beside samples, of what is there: the last word of each."""
        said: dict[tuple[str, str], _Values] = {}
        for step in steps:
            session, date = step["sessionId"], step.get("unixTime")
            if self.is_deleted((4, session)):
                continue
            if step["step"] == "startExercise":
                self.workout(session, session, date, None)
                self.exercise(session, step["exerciseId"], step.get("exerciseName"))
            elif step["step"] == "endWorkout":
                said["workout_history", session] = {"end_time": date, "status": "completed"}
            if step.get("setId"):
                values = said.setdefault(("history_set", _name(session, step["setId"])), {})
                for name, member in (("target_reps", "targetReps"), ("weight", "weight")):
                    if member in step:
                        values[name] = step[member]
                if "reps" in step:
                    values |= {"corrected_reps": step["reps"], "corrected_at": date}
        for (table, key), values in said.items():
            if values and self.exists(table, key):
                self.upsert(table, key, values, grows=("end_time",))

    def exists(self, table: str, key: str) -> bool:
        query = f"SELECT 1 FROM reptrace.{table} WHERE account_id = %s AND key = %s"
        return self.one(query, self.account, key) is not None

    def set(self, key: str, exercise: str, result: _Values, one: _Values) -> None:
        values = {
            "exercise": exercise, "set_id": result.get("setId"),
            "order": self.order("history_set", "exercise", exercise, key), "cause": one["cause"],
            "detected_reps": one["reps"], "confidence": one["confidence"], "detector": result["detector"],
            "start_time": one.get("unixStart"), "end_time": one.get("unixEnd"),
            "timestamp": one.get("unixEnd"),
        }  # fmt: skip
        self.upsert("history_set", key, values)

    def is_deleted(self, *names: tuple[int, str]) -> bool:
        """Whether a person deleted any of some objects: it stays so."""
        return any(
            self.one(
                "SELECT 1 FROM reptrace.tombstone "
                "WHERE account_id = %s AND entity = %s AND key = %s AND deleted",
                self.account, entity, key,
            )
            for entity, key in names
        )  # fmt: skip

    def order(self, table: str, column: str, parent: str, key: str) -> int:
        """The place of an object in its parent: the one that it has, or the last."""
        return int(
            self.one(
                f'SELECT coalesce((SELECT "order" FROM reptrace.{table} WHERE account_id = %s AND key = %s), '
                f'(SELECT max("order") + 1 FROM reptrace.{table} '
                f"WHERE account_id = %s AND {column} = %s), 0)",
                self.account, key, self.account, parent,
            )[0]
        )  # fmt: skip

    def stamp(self) -> str:
        return f"{self.milliseconds << 16 | next(self.stamps):016x}{_DEVICE}"

    def upsert(
        self, table: str, key: str, values: _Values, keeps: tuple[str, ...] = (), grows: tuple[str, ...] = ()
    ) -> None:
        """Writes a row where it says something new, with a stamp for each field that changed."""
        columns = ", ".join(f'"{name}"' for name in values)
        known = self.one(
            f"SELECT stamps, {columns} FROM reptrace.{table} WHERE account_id = %s AND key = %s",
            self.account, key,
        )  # fmt: skip
        stamp = self.stamp()
        if known is None:
            stamps, changed = {"": stamp}, values
        else:
            stamps, old = dict(known[0]), dict(zip(values, known[1:], strict=True))
            if old.get("segments") is not None:
                old["segments"] = json.dumps(old["segments"])
            changed = {
                name: value
                for name, value in values.items()
                if value is not None
                and value != old[name]
                and not (name in keeps and old[name] is not None)
                and not (name in grows and old[name] is not None and old[name] >= value)
            }
            stamps |= dict.fromkeys((_field(table, name) for name in changed), stamp)
        if not changed:
            return
        self.position += 1
        row = changed | {
            "stamps": json.dumps(stamps), "change_number": self.position, "changed_by": _DEVICE,
        }  # fmt: skip
        if known is None:
            row |= {"account_id": self.account, "key": key}
            names = ", ".join(f'"{name}"' for name in row)
            self.connection.execute(
                f"INSERT INTO reptrace.{table} ({names}) VALUES ({', '.join(['%s'] * len(row))})",
                [*row.values()],
            )
        else:
            names = ", ".join(f'"{name}" = %s' for name in row)
            self.connection.execute(
                f"UPDATE reptrace.{table} SET {names} WHERE account_id = %s AND key = %s",
                [*row.values(), self.account, key],
            )

    def remove_earlier(self, session: str, name: str, values: _Values, keys: list[str]) -> None:
        """Removes what this recording was before samples came late: its samples name it."""
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

    def remove(self, table: str, key: str) -> None:
        """Removes a row as a machine does: a person's later word counts."""
        self.position += 1
        self.connection.execute(
            f"DELETE FROM reptrace.{table} WHERE account_id = %s AND key = %s", (self.account, key)
        )
        self.connection.execute(
            """INSERT INTO reptrace.tombstone VALUES (%s, %s, %s, false, '', true, %s, true, %s, %s)
               ON CONFLICT (account_id, entity, key) DO UPDATE SET removed = true, is_gone = true,
                 removed_stamp = excluded.removed_stamp, change_number = excluded.change_number,
                 changed_by = excluded.changed_by""",
            (self.account, _ENTITIES[table], key, self.stamp(), self.position, _DEVICE),
        )


def _name(session: str, key: str) -> str:
    """The name of a set or recording among a person's: `SESSION/KEY`, or a key alone."""
    if session:
        return f"{session.replace('%', '%25').replace('/', '%2F')}/{key}"
    return f"/{key}" if "/" in key else key


def _field(table: str, column: str) -> str:
    """The field that a column belongs to, as stamps name it."""
    for field, columns in _FIELDS.get(table, {}).items():
        if column in columns:
            return field
    first, *others = column.split("_")
    return first + "".join(other.capitalize() for other in others)
