"""Checks that messages are kept, once, and for their person alone."""

import asyncio
import gzip
import hashlib
import http.client
import json
import random
import re
import shutil
import signal
import subprocess
import threading
import time
from pathlib import Path

from ingest_server import ADA, BEA, Server, ends, multipart, quoted, undisturbed, until, workouts


def check_answers(options, folder):
    """Formats of bodies, and what is answered."""
    lines = workouts(options, folder / "made", 1, 11, sets=3)[0]
    lines.append(ends(lines))
    chunks = [line for line in lines if b'"samples"' in line]
    one = json.loads(chunks[0])
    with Server(options, folder) as server:
        assert server.request("GET", "/healthz", token=None)[0] == 200
        assert server.request("GET", "/readyz", token=None)[0] == 200
        assert server.request("GET", "/v1/sets", token=None)[0] == 401
        assert server.request("GET", "/v1/sets", token="nobody")[0] == 401
        assert server.request("GET", "/v1/nothing")[0] == 404
        assert server.request("DELETE", "/v1/sets")[0] == 405
        # The app's file: a bare array, with its ids in headers, then with a sidecar.
        array = json.dumps(one["samples"])
        ids = {"X_Session_Id": "plain", "X_Set_Id": "a", "X_Chunk_Id": "c1", "X_Phase": "execution"}
        status, answers = server.post(array, **ids)
        assert status == 200 and answers[0]["event"] == "ack" and answers[0]["chunkId"] == "c1", answers
        form, boundary = multipart([("1.json", array), ("1.metadata.json", json.dumps(
            {"sessionId": "plain", "setId": "b", "phase": "execution", "type": "sensorData"}))])
        status, answers = server.post(form, kind=f"multipart/form-data; boundary={boundary}")
        assert status == 200 and answers[0]["setId"] == "b", answers
        # Whole workouts as NDJSON, compressed, twice: repetitions change nothing.
        body = gzip.compress(b"\n".join(lines))
        for _ in range(2):
            status, answers = server.post(body, kind="application/x-ndjson", Content_Encoding="gzip")
            acked = {answer["line"] for answer in answers if answer["event"] == "ack"}
            assert status == 200 and acked == set(range(1, len(lines) + 1)), (status, answers[:3])
        sets = [one for one in server.sets() if one["sessionId"] != "plain"]
        assert len(sets) == 3 and all(one["reps"] > 0 for one in sets), sets
        expected = undisturbed(options, folder, [lines])
        assert {one["setId"]: one["reps"] for one in sets} == {key: reps for key, (reps, _) in expected.items()}
        # Each set as JSON, as CSV, as a picture.
        key = quoted(sets[0]["key"])
        full = json.loads(server.request("GET", f"/v1/sets/{key}")[2])
        assert len(full["repEvents"]) == full["reps"]
        assert server.request("GET", f"/v1/sets/{key}", Accept="text/csv")[2].startswith(b"key,")
        assert server.request("GET", "/v1/sets", Accept="text/csv")[2].count(b"\n") == len(server.sets()) + 1
        assert b"<svg" in server.request("GET", f"/v1/sets/{key}/plot")[2]
        # Pages.
        _, headers, content = server.request("GET", "/v1/sets?limit=2")
        following = re.search("<(.*)>", headers["Link"])[1]
        rest = json.loads(server.request("GET", following)[2])
        assert [one["key"] for one in json.loads(content) + rest] == [one["key"] for one in server.sets()][: 2 + len(rest)]
        # Binary frames, one without ids.
        (folder / "chunks").mkdir()
        (folder / "chunks/1.json").write_text(json.dumps({**one, "sessionId": "frames"}))
        (folder / "chunks/2.json").write_text(json.dumps({"samples": one["samples"]}))
        make = Path(__file__).resolve().parents[2] / "fixtures/make-frames.py"
        frames = subprocess.run([make, folder / "chunks"], check=True, capture_output=True).stdout
        status, answers = server.post(frames, kind="application/octet-stream", X_Session_Id="frames", X_Set_Id="c")
        assert status == 200 and answers[1]["setId"] == "c" and answers[1]["sessionId"] == "frames", answers
        assert server.post(frames[:-3], kind="application/octet-stream", X_Session_Id="frames")[0] == 400
        # Each refused message gets an error; the others are kept.
        status, answers = server.post(chunks[0] + b"\nnonsense\n" + chunks[1], kind="application/x-ndjson")
        assert status == 422 and [answer["event"] for answer in answers] == ["ack", "error", "ack"], answers
        assert server.post(array)[0] == 422  # No session.
        assert server.post("", kind="application/json")[0] == 400
        assert server.post("x", kind="text/plain")[0] == 415
        assert server.post(b"x", Content_Encoding="gzip")[0] == 400
        metrics = server.request("GET", "/metrics", token=None)[2].decode()
        assert 'reptrace_ingest_requests_total{route="/v1/chunks",status="200"}' in metrics
        assert 'reptrace_stream_chunks_total{shard="0"}' in metrics
        # SIGHUP reads the tokens again.
        server.tokens.write_text("sha256:" + hashlib.sha256(b"new").hexdigest() + " ada\n")
        server.process.send_signal(signal.SIGHUP)
        until(lambda: server.request("GET", "/v1/sets", token="new")[0] == 200)
        assert server.request("GET", "/v1/sets", token=ADA)[0] == 401
        assert server.stop() == 0
    return f"{len(lines)} messages in 5 formats; the same counts as `reptrace stream`"


def check_kills(options, folder):
    """An acknowledged message survives `kill -9`, and a message that is sent again counts once."""
    rng = random.Random(5)
    count, kills = (12, 10) if options.full else (4, 3)
    made = workouts(options, folder / "made", count, 21)
    for lines in made:
        lines.append(ends(lines))
    people = [(f"t{index}", f"person-{index}") for index in range(count)]
    with Server(options, folder, "--shards", "2", people=people) as server:
        done, lock = [], threading.Lock()
        sent = 0

        def send(index):
            nonlocal sent
            token = people[index][0]
            position = 0
            while position < len(made[index]):
                # Sometimes several at once.
                body = b"\n".join(made[index][position : position + rng.choice([1, 1, 1, 4])])
                try:
                    status, answers = server.post(body, token, kind="application/x-ndjson")
                except (OSError, http.client.HTTPException, json.JSONDecodeError):
                    time.sleep(0.05)
                    continue
                if status in (429, 503):
                    time.sleep(0.1)
                    continue
                assert status == 200, (status, answers)
                position += body.count(b"\n") + 1
                with lock:
                    sent += 1
            done.append(index)

        threads = [threading.Thread(target=send, args=(index,)) for index in range(count)]
        total = sum(len(lines) for lines in made)
        for thread in threads:
            thread.start()
        for round in range(kills):
            while sent < total * (round + 1) / (kills + 3) / 2 and any(thread.is_alive() for thread in threads):
                time.sleep(0.002)
            time.sleep(rng.random() * 0.05)
            server.kill()
            server.start()
        for thread in threads:
            thread.join()
        assert len(done) == count
        expected = undisturbed(options, folder, made)
        for index in range(count):
            own = {one["setId"]: (one["reps"], one["samples"]) for one in server.sets(people[index][0])}
            ids = {json.loads(line).get("setId") for line in made[index]} - {None}
            assert own == {key: expected[key] for key in ids}, (own, {key: expected[key] for key in ids})
        assert server.stop() == 0
    return f"{kills} kills while {count} people sent {total} messages: sets and samples equal the undisturbed stream's"


def check_people(options, folder):
    """Two people with each other's ids see nothing of each other."""
    lines = workouts(options, folder / "made", 1, 31)[0]
    chunks = [line for line in lines if b'"samples"' in line]
    for shards in ("1", "8"):
        shutil.rmtree(folder / "data", ignore_errors=True)
        with Server(options, folder, "--shards", shards) as server:

            async def follow():
                async with server.live(BEA, after=0) as socket:
                    await asyncio.to_thread(send)
                    try:
                        return await asyncio.wait_for(socket.recv(), 0.5)
                    except asyncio.TimeoutError:
                        return None

            def send():
                for line in lines:
                    assert server.post(line, ADA)[0] == 200
                for line in chunks + [ends(lines)]:
                    status, answers = server.post(line, BEA)
                    assert status == 422 and answers[0]["kind"] == "ambiguousSession", answers
                # The token decides, not the body.
                session = json.loads(lines[0])["sessionId"]
                claim = {"type": "startWorkout", "sessionId": session, "userId": "bea", "timestamp": 1.8e9}
                assert server.post(json.dumps(claim), ADA)[0] == 200
                assert server.post(json.dumps(claim), BEA)[0] == 422
                assert server.post(ends(lines), ADA)[0] == 200

            assert asyncio.run(follow()) is None, "an event of another person"
            sets = server.sets(ADA)
            assert sets and not server.sets(BEA)
            for one in sets:
                for name in (one["key"], one["setId"]):
                    for more in ("", "/samples", "/plot"):
                        assert server.request("GET", f"/v1/sets/{quoted(name)}{more}", token=BEA)[0] == 404
                        assert server.request("GET", f"/v1/sets/{quoted(name)}{more}", token=ADA)[0] == 200
            assert not [one for number in range(1, 9) for one in [server.request("GET", f"/v1/sets/{number}")] if one[0] != 404]
    return "ids of another's session are refused, its sets not found, its events not told, with 1 and 8 shards"
