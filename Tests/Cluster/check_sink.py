"""A stream of parsed columns into a real PostgreSQL server, and from there to devices by `reptrace sync`."""

from __future__ import annotations

import json
import os
import shlex
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psycopg

from reptrace.spark import main as spark_command

ROOT = Path(__file__).resolve().parents[2]
START = 1_750_000_000
SCHEMA = """person string, arrival timestamp, sequence long, type string, sessionId string, exerciseId string,
  exerciseName string, setId string, userId string, phase string, timestamp double, setOrder int, reps int,
  weight double, targetReps int, heartRate double, calories double, samples array<struct<{samples}>>,
  metadata struct<type: string, count: int, sampleCount: int, timestamp: double, setOrder: int, exerciseIndex: int>"""

Message = dict[str, Any]


def messages_of(sessions: dict[str, list[str]]) -> tuple[dict[str, list[list[Message]]], list[Message]]:
    """The sessions of each person, and corrections of Alice's."""
    chosen = [[json.loads(line) for line in lines] for lines in list(sessions.values())[:5]]
    for session in chosen:
        for message in session:
            message["sessionId"] = session[0]["sessionId"]
    declared, bobs, _, found, silent = chosen
    for message in declared:
        if message.get("type") == "startSet":
            message |= {"weight": 20.5, "targetReps": 6}
        elif message.get("type") == "endSet":
            message |= {"weight": 22.5, "reps": 9}
    # Bob calls his session as Alice hers, and names himself.
    for message in bobs:
        message["sessionId"] = declared[0]["sessionId"]
    bobs[0]["userId"] = "bob"
    # A history allows neither a negative count nor a name with U+0000: both are left out, and the query continues.
    for message in bobs:
        if message.get("type") == "startExercise":
            message["exerciseName"] = "a\0b"
        elif message.get("type") == "endSet":
            message |= {"reps": -1, "weight": 20}
    # The time-out ends the last set. Its correction has to wait until then.
    last = max(index for index, message in enumerate(silent) if message.get("type") == "endSet")
    silent = [message for message in silent[:last] if message.get("type") != "endExercise"]
    date = 1_760_000_000.5

    def correction(session: list[Message], index: int, **values: Any) -> Message:
        sets = [one["setId"] for one in session if one.get("type") == "startSet"]
        return {"type": "correctSet", "sessionId": session[0]["sessionId"], "setId": sets[index],
                "timestamp": date, **values}  # fmt: skip

    corrections = [
        correction(declared, 0),
        correction(declared, 0, exerciseName="Kettlebell swing"),
        # Spelled as another program does.
        correction(declared, 0, exerciseName="Kettlebell swing")
        | {"sessionId": declared[0]["sessionId"].lower()},
        correction(silent, -1, reps=12),
        correction(silent, 0, exerciseId="row", exerciseName="Row"),
    ]
    return {"alice": [declared, found, silent], "bob": [bobs]}, corrections


def write_input(folder: Path, persons: dict[str, list[list[Message]]], corrections: list[Message]) -> None:
    """Three files: the first halves of all sessions, the second, and the corrections with a last message."""
    parts: list[list[tuple[str, Message]]] = [[], [], [("alice", message) for message in corrections]]
    for person, sessions in persons.items():
        for session in sessions:
            for index, message in enumerate(session):
                parts[2 * index // len(session)].append((person, message))
    parts[2].append(("carol", {"type": "startWorkout", "sessionId": "last"}))
    folder.mkdir()
    sequence = 0
    for number, part in enumerate(parts):
        with (folder / f"{number}.json").open("w") as file:
            for person, message in part:
                sequence += 1
                # The last message ends the sessions that are silent.
                arrival = START + sequence / 10 + 7200 * (message["sessionId"] == "last")
                stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(arrival))
                named = {} if "bob" in person else {"person": person}
                row = named | {"arrival": stamp, "sequence": sequence} | message
                file.write(json.dumps(row) + "\n")
        os.utime(folder / f"{number}.json", (START + number, START + number))


def stored(store: Path) -> list[tuple[Any, ...]]:
    with sqlite3.connect(store) as db:
        return db.execute(
            """SELECT w.sessionId, s.key, s.detectedReps, s.confidence, s.correctedReps, s.weight, s.targetReps,
                 s."order", lower(hex(r.digest)), r.sampleCount, e.exerciseId, e.name
               FROM workout_set s JOIN workout_exercise e ON e.id = s.exerciseId JOIN workout w ON w.id = e.workoutId
               LEFT JOIN recording r ON r.id = s.recordingId ORDER BY w.sessionId, s.key"""
        ).fetchall()


def skip(reason: str) -> None:
    print(f"- PostgreSQL: not checked, {reason}", flush=True)
    if os.environ.get("CI"):
        sys.exit(1)


def check(command: str, sessions: dict[str, list[str]]) -> None:
    """Runs the stream in the active Spark session, and compares devices with what `reptrace stream` stores."""
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
        try:
            found = subprocess.run(
                [command, "sync", "--init", f"postgresql://admin@{environment['REPTRACE_POSTGRES']}"],
                capture_output=True,
                env=environment,
                text=True,
            )
            if found.returncode == 69:
                return skip("this reptrace was built without it")
            found.check_returncode()
            _check(command, sessions, folder, environment)
        finally:
            subprocess.run([ROOT / ".ci/postgres", "stop", server], check=True)


def _check(command: str, sessions: dict[str, list[str]], folder: Path, environment: dict[str, str]) -> None:
    place, passwords = environment["REPTRACE_POSTGRES"], environment["PGPASSFILE"]

    def run(*arguments: Any, input: str = "") -> None:
        done = subprocess.run(
            [command, *map(str, arguments)], env=environment, capture_output=True, text=True, input=input
        )
        assert done.returncode == 0, done

    def sync(person: str) -> list[tuple[Any, ...]]:
        run("sync", folder / f"{person}.sqlite", f"postgresql://{person}@{place}")
        return stored(folder / f"{person}.sqlite")

    persons, corrections = messages_of(sessions)
    write_input(folder / "input", persons, corrections)
    samples = sorted(
        {key for one in persons["alice"][0] for sample in one.get("samples", ()) for key in sample}
    )
    arguments = [
        "stream", "--format", "json", "--schema", SCHEMA.format(samples=", ".join(f"{key}: double" for key in samples)),
        "--input", folder / "input/*.json", "--option", "maxFilesPerTrigger=1", "--person", "person",
        "--time", "arrival", "--order", "sequence", "--late", "1 minute", "--silence", "5 minutes",
        "--postgres", f"postgresql://stream@{place}?passfile={passwords}",
        "--checkpoint", folder / "checkpoint", "--once",
    ]  # fmt: skip
    arguments = list(map(str, arguments))
    with psycopg.connect(f"postgresql://admin@{place}?passfile={passwords}", autocommit=True) as connection:
        password = Path(passwords).read_text().strip().split(":")[-1]
        connection.execute(f"CREATE ROLE stream LOGIN BYPASSRLS PASSWORD '{password}'")
        connection.execute("GRANT reptrace_writer TO stream; GRANT reptrace_user TO alice, bob")

        def positions() -> list[tuple[Any, ...]]:
            return connection.execute("SELECT role, position FROM reptrace.account ORDER BY 1").fetchall()

        # In two runs: the corrections come after a restart.
        late = (folder / "input/2.json").rename(folder / "late")
        spark_command(arguments)
        late.rename(folder / "input/2.json")
        spark_command(arguments)
        for person, own in persons.items():
            store = folder / f"{person}-expected.sqlite"
            own[0][0].pop("userId", None)
            lines = [json.dumps(message) for session in own for message in session]
            lines += map(json.dumps, corrections if person == "alice" else [])
            run("stream", "--store", store, input="\n".join(lines))
            mine, expected = sync(person), stored(store)
            assert mine == expected, (
                f"{person}: {[one for one in mine if one not in expected]}, "
                f"expected {[one for one in expected if one not in mine]}"
            )
        # A person's edit, and the last batch again, as after a driver that died before it committed it.
        device = folder / "alice.sqlite"
        edited = next(one for one in stored(device) if one[4] == 12)
        run("history", "edit", device, edited[1], "--reps", "13")
        sync("alice")
        before = positions()
        commits = folder / "checkpoint/commits"
        last = max(int(path.name) for path in commits.glob("[0-9]*"))
        for name in (f"{last}", f".{last}.crc"):
            (commits / name).unlink()
        spark_command(arguments)
        assert positions() == before, f"what came again changed something: {positions()}, before {before}"
        sets = sync("alice")
        assert [one[4] for one in sets if one[1] == edited[1]] == [13], sets
        run("history", "verify", device)
    count = sum(len(stored(folder / f"{person}.sqlite")) for person in persons)
    print(
        f"- PostgreSQL, from parsed columns: {count} sets of {len(persons)} people, corrected and written again, "
        "brought to their devices by `reptrace sync`",
        flush=True,
    )
