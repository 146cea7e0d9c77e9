"""Rows of the central schema in PostgreSQL (docs/sync.md), with the stamps by which copies are merged."""

from __future__ import annotations

import itertools
import json
import secrets
import time
from typing import Any

Values = dict[str, Any]

#: The written tables, with the numbers of their entities, and the columns that merge as one field
#: (`SyncEntity` and `SyncTable` of the library). Each other column is a field of its own.
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
#: The id of this process as a copy of the history that only writes.
_DEVICE = secrets.token_hex(8)


class CentralRows:
    """The rows of a person, in one transaction at a time."""

    def __init__(self, connection: Any, person: str) -> None:
        self.connection = connection
        self.person = person
        self.position = 0
        self.stamps = itertools.count()

    def one(self, query: str, *values: Any) -> Any:
        return self.connection.execute(query, values).fetchone()

    def begin(self) -> None:
        """Finds or creates the person's account, and locks it until the end of the transaction."""
        self.connection.execute(
            "INSERT INTO reptrace.account (role) VALUES (%s) ON CONFLICT DO NOTHING", (self.person,)
        )
        self.account, self.position, latest = self.one(
            "SELECT id, position, latest FROM reptrace.account WHERE role = %s FOR UPDATE", self.person
        )
        self.milliseconds = max(int(time.time() * 1000), latest + 1)

    def end(self) -> None:
        self.connection.execute(
            "UPDATE reptrace.account SET position = %s, latest = greatest(latest, %s) WHERE id = %s",
            (self.position, self.milliseconds, self.account),
        )

    def exists(self, table: str, key: str) -> bool:
        query = f"SELECT 1 FROM reptrace.{table} WHERE account_id = %s AND key = %s"
        return self.one(query, self.account, key) is not None

    def is_deleted(self, *names: tuple[int, str]) -> bool:
        """Returns whether a person deleted any of some objects, which is permanent."""
        return any(
            self.one(
                "SELECT 1 FROM reptrace.tombstone "
                "WHERE account_id = %s AND entity = %s AND key = %s AND deleted",
                self.account, entity, key,
            )
            for entity, key in names
        )  # fmt: skip

    def order(self, table: str, column: str, parent: str, key: str) -> int:
        """Returns the position of an object in its parent: its current one, or the last."""
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
        self, table: str, key: str, values: Values, keeps: tuple[str, ...] = (),
        grows: tuple[str, ...] = (), clears: tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        """Writes a row if it differs from the stored one, with a stamp for each changed field."""
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
                if (value is not None or name in clears)
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

    def remove(self, table: str, key: str) -> None:
        """Removes a row on behalf of a machine, so that a person's later change prevails."""
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


def object_name(session: str, key: str) -> str:
    """Returns the person's name for a set or recording: `SESSION/KEY`, or a key alone."""
    if session:
        return f"{session.replace('%', '%25').replace('/', '%2F')}/{key}"
    return f"/{key}" if "/" in key else key


def _field(table: str, column: str) -> str:
    """Returns the field that a column belongs to, as stamps name it."""
    for field, columns in _FIELDS.get(table, {}).items():
        if column in columns:
            return field
    first, *others = column.split("_")
    return first + "".join(other.capitalize() for other in others)
