"""Finished sets into a real PostgreSQL server, and from there to a device by `reptrace sync`."""

from __future__ import annotations

import os
import shlex
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import psycopg
from reptrace import Session
from reptrace._spark_postgres import _Writer
from reptrace._spark_stream import _rows

ROOT = Path(__file__).resolve().parents[2]


def results(messages: list[str]) -> list[dict[str, Any]]:
    """The rows of a session as `count_stream` has them."""
    session = Session()
    session.feed([message.encode() for message in messages])
    session._finish(forget=True)
    rows = [row for line, one in session.take() for row in _rows(line, one)]
    return [row for row in rows if row["kind"] in ("recording", "samples", "step")]


def counts(store: Path) -> list[tuple[Any, ...]]:
    with sqlite3.connect(store) as db:
        return db.execute(
            """SELECT w.sessionId, s.key, s.detectedReps, s.confidence, s.correctedReps, s.weight, s.targetReps,
                 lower(hex(r.digest)), r.sampleCount, e.exerciseId
               FROM workout_set s JOIN workout_exercise e ON e.id = s.exerciseId JOIN workout w ON w.id = e.workoutId
               LEFT JOIN recording r ON r.id = s.recordingId ORDER BY w.sessionId, s.key"""
        ).fetchall()


def skip(reason: str) -> None:
    print(f"- PostgreSQL: not checked, {reason}", flush=True)
    if os.environ.get("CI"):
        sys.exit(1)


def check(command: str, sessions: dict[str, list[str]], stored: Path) -> None:
    """Writes sessions twice, syncs a device, and compares it with what `reptrace stream --store` has stored."""
    if not any(Path("/usr/lib/postgresql").glob("*/bin/initdb")):
        return skip("there is no server")
    with tempfile.TemporaryDirectory(prefix="reptrace-sink-", dir="/dev/shm") as name:
        folder = Path(name)
        folder.chmod(0o755)
        server = folder / "server"
        said = subprocess.run(
            [ROOT / ".ci/postgres", "start", server], check=True, capture_output=True, text=True
        )
        environment = dict(os.environ)
        for line in said.stdout.splitlines():
            variable, value = line.removeprefix("export ").split("=", 1)
            environment[variable] = shlex.split(value)[0]
        os.environ["PGPASSFILE"] = environment["PGPASSFILE"]
        place = environment["REPTRACE_POSTGRES"]
        try:
            found = subprocess.run(
                [command, "sync", "--init", f"postgresql://admin@{place}"],
                capture_output=True,
                env=environment,
                text=True,
            )
            if found.returncode == 69:
                return skip("this reptrace was built without it")
            found.check_returncode()
            with psycopg.connect(f"postgresql://admin@{place}") as connection:
                connection.execute("GRANT reptrace_user TO alice")
                connection.commit()
                positions = []
                for _ in range(2):
                    for messages in sessions.values():
                        _Writer(connection).write("alice", results(messages))
                        connection.commit()
                    positions += connection.execute("SELECT position FROM reptrace.account").fetchall()
            assert positions[0] == positions[1], "what came again changed something"
            device = folder / "alice.sqlite"
            synced = subprocess.run(
                [command, "sync", device, f"postgresql://alice@{place}"],
                env=environment,
                capture_output=True,
                text=True,
            )
            assert synced.returncode == 0, synced
            written = {session.upper() for session in sessions}
            expected = [one for one in counts(stored) if one[0].upper() in written]
            mine = counts(device)
            assert mine == expected, (
                f"{[one for one in mine if one not in expected][:2]}, expected {[one for one in expected if one not in mine][:2]}"
            )
            subprocess.run([command, "history", "verify", device], check=True, capture_output=True)
            print(
                f"- PostgreSQL: {len(mine)} sets written twice, and brought to a device by `reptrace sync`",
                flush=True,
            )
        finally:
            subprocess.run([ROOT / ".ci/postgres", "stop", server], check=True)
