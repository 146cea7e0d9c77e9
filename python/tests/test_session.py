"""Sessions of a stream, compared with the command."""

from __future__ import annotations

import json
import subprocess

import numpy as np
import pytest
from conftest import RECORDINGS

import reptrace

STREAMS = ["deadlift-ndjson.ndjson", "row-lost-chunks.ndjson"]


def messages(name):
    return (RECORDINGS / name).read_bytes().splitlines()


def run(lines, size=None, keep=None):
    """Returns all results of a session that is saved after each batch."""
    session, results = reptrace.Session(), []
    for first in range(0, len(lines), size or len(lines)):
        results += session.append(lines[first : first + (size or len(lines))])
        if keep:
            session = keep(session)
    return results + session.finish()


def restored(session):
    return reptrace.Session.restore(session.snapshot())


def in_parts():
    """Saves a session like Spark: a head, and consecutive messages."""
    messages = b""

    def keep(session):
        nonlocal messages
        saved = session.save()
        messages = saved.messages if saved.replaces else messages + saved.messages
        return reptrace.Session.restore(saved.head + messages)

    return keep


def by_kind(results):
    """Returns events, recordings and steps, each in order; the numbers count them all."""
    assert [result["number"] for result in results] == list(range(1, len(results) + 1))
    bare = [{key: value for key, value in result.items() if key != "number"} for result in results]
    return [[one for one in bare if kind in one] for kind in ("event", "recording", "step")]


@pytest.mark.parametrize("name", STREAMS)
def test_events_equal_the_command(command, name):
    lines = messages(name)
    said = subprocess.run([command, "stream"], input=b"\n".join(lines), capture_output=True, check=True)
    events, recordings, _ = by_kind(run(lines, 7, restored))
    assert events == [json.loads(line) for line in said.stdout.splitlines()]
    assert recordings


@pytest.mark.parametrize("name", STREAMS)
@pytest.mark.parametrize("size", [1, 10])
def test_results_do_not_depend_on_batches_and_restores(name, size):
    lines = messages(name)
    whole = by_kind(run(lines))
    assert by_kind(run(lines, size)) == whole
    assert by_kind(run(lines, size, restored)) == whole
    assert by_kind(run(lines, size, in_parts())) == whole


def test_every_sample_is_returned():
    lines = messages("deadlift-ndjson.ndjson")
    results = run(lines, 5, in_parts())
    times = [
        sample["timestamp"] for line in lines for sample in json.loads(line).get("samples", ())
    ]  # fmt: skip
    last = {result["stream"]: result for result in results if "recording" in result}
    found = [
        reptrace.decode_timeline(segment["timeline"]).samples["timestamp"]
        for result in last.values()
        for segment in result["segments"]
    ]
    assert sorted(np.concatenate(found)) == sorted(set(times))
    sets = [one for result in last.values() for one in result["sets"]]
    assert sets and all(one["reps"] == len(one["repEvents"]) for one in sets)


def test_invalid_messages_are_errors_and_the_session_continues():
    lines = messages("deadlift-ndjson.ndjson")
    bad = [b"", b"{", b'{"samples":[{"timestamp":"x"}]}', b"\xff\xfe", "∞", b"R" * 40]
    results = run(bad + lines)
    kinds = [result["event"] for result in results[:5]]
    assert kinds == ["error"] * 5
    events = [result for result in results if result.get("event") == "setEnded"]
    assert [one["reps"] for one in events] == [
        one["reps"] for one in run(lines) if one.get("event") == "setEnded"
    ]


def test_an_ended_session_rejects_late_messages():
    lines = messages("deadlift-ndjson.ndjson")
    session = reptrace.Session()
    session.append(lines[: len(lines) // 2])
    assert not session.idle
    session.finish(forget=True)
    assert session.idle
    assert len(session.snapshot()) < 30_000
    late = restored(session).append([line for line in lines[: len(lines) // 2] if b'"samples"' in line])
    assert {result.get("kind") for result in late} == {"tooLate"}


def test_a_correction_of_any_set_is_a_step():
    lines = messages("deadlift-ndjson.ndjson")
    ended = reptrace.Session()
    ended.append(lines)
    ended.finish(forget=True)
    set_id = next(json.loads(line)["setId"] for line in lines if b'"setId"' in line)
    correction = {"type": "correctSet", "sessionId": json.loads(lines[0])["sessionId"], "setId": set_id}
    for session in (restored(ended), reptrace.Session()):
        for said in ({"reps": 7}, {"exerciseName": "Row"}, {}):
            results = session.append([json.dumps(correction | said)])
            assert [result.get("step") for result in results] == ["correctSet"], results
            assert said.items() <= results[0].items()


def test_damaged_snapshots_are_rejected():
    session = reptrace.Session()
    session.append(messages("deadlift-ndjson.ndjson")[:9])
    snapshot = session.snapshot()
    flipped = snapshot[:99] + b"?" + snapshot[100:]
    for other in [b"", b"none", snapshot[:-1], snapshot[:50], snapshot + b"0", flipped]:
        with pytest.raises(reptrace.UndecodableError):
            reptrace.Session.restore(other)
    version = snapshot.replace(b"0.1.0", b"9.1.0", 1)
    with pytest.raises(reptrace.UndecodableError, match=r"of RepTrace 9\.1\.0.*before an upgrade"):
        reptrace.Session.restore(version)
    # A different probability is a different detector.
    with pytest.raises(reptrace.UndecodableError):
        reptrace.Session.restore(snapshot, set_probability=0.9)


def test_invalid_options_are_rejected():
    for options in ({"ended_sets": 0}, {"set_probability": 2}, {"gap_wait": float("nan")}):
        with pytest.raises(ValueError):
            reptrace.Session(**options)
