#!/usr/bin/env python3
"""Checks of reptrace-ingest from outside, with real clients.

    check_ingest.py SERVER LOAD REPTRACE [--full] [--only CHECK]...

SERVER is reptrace-ingest, LOAD the client IngestLoad. It needs websockets and schemathesis from PyPI. Each check
prints a line of Markdown; the program exits with 1 if one did not hold.
"""

import argparse
import asyncio
import concurrent.futures
import csv
import glob
import gzip
import hashlib
import http.client
import io
import json
import os
import random
import re
import resource
import shutil
import signal
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import websockets

ADA, BEA = "token-of-ada", "token-of-bea"


class Server:
    """A server on a port of its own, which can be killed and started again."""

    def __init__(self, options, folder, *extra, people=()):
        self.folder = Path(folder)
        self.tokens = self.folder / "tokens.txt"
        self.tokens.write_text(f"{ADA} ada\n{BEA} bea\n" + "".join(f"{t} {p}\n" for t, p in people))
        self.program, self.extra, self.port, self.scheme = options.server, extra, 0, "http"
        self.start()

    def start(self):
        self.log = open(self.folder / "server.log", "ab")
        self.process = subprocess.Popen(
            [self.program, "--data", self.folder / "data", "--tokens", self.tokens,
             "--listen", f"127.0.0.1:{self.port}", *self.extra],
            stderr=subprocess.PIPE, stdout=self.log)  # fmt: skip
        for line in self.process.stderr:
            found = re.search(rb"listening on port (\d+)", line)
            self.log.write(line)
            if found:
                self.port = int(found[1])
                break
        else:
            raise AssertionError(f"the server did not start: {(self.folder / 'server.log').read_text()[-500:]}")
        threading.Thread(target=shutil.copyfileobj, args=(self.process.stderr, self.log), daemon=True).start()

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=60)

    @property
    def megabytes(self):
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.kill()

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def request(self, method, path, body=None, token=ADA, connection=None, **headers):
        """Status, headers and body of a response."""
        own = connection or self.connect()
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            fields["Authorization"] = "Bearer " + token
        own.request(method, path, body, fields)
        response = own.getresponse()
        content = response.read()
        if not connection:
            own.close()
        return response.status, response.headers, content

    def post(self, body, token=ADA, path="/v1/chunks", kind="application/json", **headers):
        status, _, content = self.request("POST", path, body, token, Content_Type=kind, **headers)
        return status, json.loads(content)

    def sets(self, token=ADA):
        return json.loads(self.request("GET", "/v1/sets?limit=1000", token=token)[2])

    def samples(self, key, token=ADA):
        status, _, content = self.request("GET", f"/v1/sets/{quoted(key)}/samples", token=token)
        assert status == 200, status
        return list(csv.DictReader(io.StringIO(content.decode())))

    def live(self, token=ADA, after=None):
        query = "" if after is None else f"?after={after}"
        return websockets.connect(
            f"ws://127.0.0.1:{self.port}/v1/live{query}",
            additional_headers={"Authorization": "Bearer " + token})  # fmt: skip


def until(holds, seconds=10):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it does not come to hold"
        time.sleep(0.02)


def quoted(key):
    return key.replace("%", "%25").replace("/", "%2F")


def workouts(options, folder, count, seed, sets=2):
    """Lines of synthetic workouts, a list for each."""
    subprocess.run(
        [options.reptrace, "generate", "-o", folder, "--count", str(count), "--seed", str(seed),
         "--format", "ndjson", "--sets", str(sets), "--rest", "5"],
        check=True, stderr=subprocess.DEVNULL)  # fmt: skip
    return [Path(file).read_bytes().splitlines() for file in sorted(glob.glob(f"{folder}/recordings/*.ndjson"))]


def ends(lines):
    """The end of the workout of these lines."""
    session = json.loads(lines[0])["sessionId"]
    return json.dumps({"type": "endWorkout", "sessionId": session, "timestamp": 1.8e9}).encode()


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
        # What is refused is told for each message; the others are kept.
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


def multipart(parts):
    boundary = "----part-of-a-test"
    text = "".join(
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n{content}\r\n'
        for name, content in parts)
    return text + f"--{boundary}--\r\n", boundary


def undisturbed(options, folder, workouts):
    """Reps and samples of each set, as `reptrace stream` has them."""
    store = folder / "undisturbed.sqlite"
    for lines in workouts:
        subprocess.run([options.reptrace, "stream", "--store", store], input=b"\n".join(lines) + b"\n", check=True,
                       capture_output=True)  # fmt: skip
    rows = subprocess.run([options.reptrace, "history", "list", store, "--output", "ndjson"], check=True,
                          capture_output=True).stdout.splitlines()  # fmt: skip
    return {row["setId"]: (row["reps"], row["samples"]) for row in map(json.loads, rows) if "setId" in row}


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
                # Whatever the body says.
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


def check_live(options, folder):
    """Events come at once, and are resumed by number."""
    made = workouts(options, folder / "made", 3, 41)
    delays = []
    with Server(options, folder) as server:

        async def run():
            connection = server.connect()
            numbers = []
            for lines in made:
                async with server.live() as socket:
                    first = True
                    for line in lines:
                        started = time.monotonic()
                        status, _, _ = await asyncio.to_thread(
                            server.request, "POST", "/v1/chunks", line, ADA, connection,
                            Content_Type="application/json")  # fmt: skip
                        assert status == 200
                        while True:
                            try:
                                event = json.loads(await asyncio.wait_for(socket.recv(), 0.03))
                            except asyncio.TimeoutError:
                                break
                            numbers.append(event["number"])
                            if event["event"] == "rep" and first:
                                first = False
                                delays.append(time.monotonic() - started)
                            if event["event"] == "setEnded":
                                first = True
            # From the beginning, and from the middle, also after a kill.
            server.kill()
            server.start()
            for after in (0, numbers[len(numbers) // 2]):
                async with server.live(after=after) as socket:
                    again = []
                    while not again or again[-1] < numbers[-1]:
                        again.append(json.loads(await asyncio.wait_for(socket.recv(), 10))["number"])
                    wanted = [number for number in numbers if number > after]
                    assert [number for number in again if number <= numbers[-1]] == wanted, (again[:5], wanted[:5])
            try:
                async with server.live(token="nobody"):
                    raise AssertionError("a stranger follows events")
            except websockets.InvalidStatus as refusal:
                assert refusal.response.status_code == 401
            # SIGTERM ends live connections with "going away".
            async with server.live() as socket:
                ending = asyncio.create_task(asyncio.to_thread(server.stop))
                try:
                    await socket.recv()
                except websockets.ConnectionClosed as closed:
                    assert closed.rcvd.code == 1001, closed
                assert await ending == 0

        asyncio.run(run())
    middle, most = statistics.median(delays), max(delays)
    assert middle <= 0.1, delays
    return (f"first reps {middle * 1000:.0f} ms after their chunk was sent (median of {len(delays)}, "
            f"at most {most * 1000:.0f} ms)")  # fmt: skip


def check_limits(options, folder):
    """Large bodies, slow senders, idle sockets and eager clients cost bounded memory."""
    extra = ("--request-seconds", "2", "--idle-seconds", "4", "--rate", "5", "--burst", "20")
    chunk = json.dumps({"sessionId": "s", "setId": "a", "samples": [{"timestamp": 1 + i / 50, "rotationX": 0.1} for i in range(100)]})
    with Server(options, folder, *extra) as server:
        assert server.post(chunk)[0] == 200
        before = most = server.megabytes

        def answer_to(head, pieces):
            """The status line after as much of a body as the server takes."""
            nonlocal most
            with socket.create_connection(("127.0.0.1", server.port), timeout=30) as own:
                own.sendall(head.encode())
                try:
                    for piece in pieces:
                        own.sendall(piece)
                        most = max(most, server.megabytes)
                except OSError:
                    pass
                answer = b""
                try:
                    while piece := own.recv(1 << 16):
                        answer += piece
                except OSError:
                    pass
                return answer.split(b"\r\n")[0]

        head = f"POST /v1/chunks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {ADA}\r\nContent-Type: application/json\r\n"
        megabyte = b" " * (1 << 20)
        assert b"413" in answer_to(head + f"Content-Length: {1 << 30}\r\n\r\n", (megabyte for _ in range(1024)))
        chunked = (b"100000\r\n" + megabyte + b"\r\n" for _ in range(1024))
        assert b"413" in answer_to(head + "Transfer-Encoding: chunked\r\n\r\n", chunked)
        assert server.post(gzip.compress(bytes(1 << 28)), Content_Encoding="gzip")[0] == 413
        most = max(most, server.megabytes)

        def slowly():
            for _ in range(40):
                time.sleep(0.1)
                yield b" "

        started = time.monotonic()
        assert b"408" in answer_to(head + "Content-Length: 1000\r\n\r\n", slowly())
        assert time.monotonic() - started < 8
        # Sockets that say nothing, or not all of a head, are closed.
        resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
        idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(1000)]
        for own in idle[::2]:
            own.sendall(b"POST /v1/chunks HTTP/1.1\r\nHost:")
        assert server.request("GET", "/healthz", token=None)[0] == 200
        most = max(most, server.megabytes)

        def connections():
            return int(re.search(r"reptrace_ingest_connections (\d+)", server.request(
                "GET", "/metrics", token=None)[2].decode())[1])  # fmt: skip

        assert connections() >= 1000
        until(lambda: connections() < 5, 20)
        for own in idle:
            own.close()
        statuses = [server.request("GET", "/v1/sets", token=BEA) for _ in range(60)]
        refused = [headers for status, headers, _ in statuses if status == 429]
        assert refused and all(int(headers["Retry-After"]) >= 1 for headers in refused)
        assert server.request("GET", "/v1/sets", token=ADA)[0] == 200
        assert most - before < 300, (before, most)
        assert server.stop() == 0
    return f"at most {most:.0f} MB (from {before:.0f}) through bodies of 1 GB, a gzip bomb, a slow sender and 1,000 idle sockets"


def check_tls(options, folder):
    """TLS, with a certificate of its own."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", folder / "key.pem", "-out",
         folder / "cert.pem", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"],
        check=True, capture_output=True)  # fmt: skip
    trust = ssl.create_default_context(cafile=folder / "cert.pem")
    with Server(options, folder, "--certificate", folder / "cert.pem", "--key", folder / "key.pem") as server:
        server.connect = lambda: http.client.HTTPSConnection("localhost", server.port, timeout=30, context=trust)
        assert server.request("GET", "/v1/sets")[0] == 200

        async def follow():
            async with websockets.connect(f"wss://localhost:{server.port}/v1/live", ssl=trust,
                                          additional_headers={"Authorization": "Bearer " + ADA}) as socket:  # fmt: skip
                chunk = {"sessionId": "s", "setId": "a", "samples": [{"timestamp": 1, "rotationX": 0.1}]}
                await asyncio.to_thread(server.post, json.dumps(chunk))
                return json.loads(await asyncio.wait_for(socket.recv(), 5))

        assert asyncio.run(follow())["event"] == "setStarted"
        assert server.stop() == 0
    return "HTTPS and WSS"


def check_schema(options, folder):
    """Requests that schemathesis makes from the OpenAPI document."""
    with Server(options, folder, "--rate", "100000", "--burst", "100000") as server:
        done = subprocess.run(
            ["schemathesis", "run", f"http://127.0.0.1:{server.port}/v1/openapi.json", "-H", f"Authorization: Bearer {ADA}",
             "--max-examples", "200" if options.full else "15", "--phases", "examples,coverage,fuzzing",
             "--checks", "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance",
             "--exclude-path", "/v1/live", "--no-color", "--seed", "7"],
            capture_output=True, text=True, cwd=folder)  # fmt: skip
        assert server.process.poll() is None, "the server ended"
        assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-500:]
        found = re.search(r"(\d[\d,]*) generated", done.stdout)
        assert server.stop() == 0
    return f"{found[1] if found else 'all'} requests of schemathesis: no 500, and answers as described"


def check_load(options, folder):
    """2,000 watches for a minute, and again through ten kills; fewer in the short form."""
    watches, chunks, interval, kills = (2000, 30, 2.0, 10) if options.full else (200, 3, 2.0, 2)
    summary = []
    for count in (0, kills):
        shutil.rmtree(folder / "data", ignore_errors=True)
        people = [(f"watch-{number}", f"wearer-{number}") for number in range(watches)]
        with Server(options, folder, "--shards", "2", people=people) as server:
            load = subprocess.Popen(
                [options.load, "--port", str(server.port), "--watches", str(watches), "--chunks", str(chunks),
                 "--interval", str(interval)], stdout=subprocess.PIPE)  # fmt: skip
            for kill in range(count):
                time.sleep(chunks * interval / (count + 1))
                server.kill()
                server.start()
            report = json.loads(load.communicate()[0])
            assert load.returncode == 0, report
            most = server.megabytes

            def verify(number):
                rows = server.samples(f"load-{number}/set", f"watch-{number}")
                assert len(rows) == 100 * chunks, (number, len(rows))
                assert {float(row["magneticFieldX"]) for row in rows} == {100000.0 + number}, number
                assert [float(row["timestamp"]) for row in rows] == sorted(float(row["timestamp"]) for row in rows)

            with concurrent.futures.ThreadPoolExecutor(8) as pool:
                list(pool.map(verify, range(watches)))
            assert server.stop() == 0
        if count == 0:
            if options.full:
                assert report["within250ms"] >= 0.99, report
            summary.append(
                f"{watches} watches, {report['acknowledged']} chunks: {report['within250ms']:.2%} acknowledged within 250 ms "
                f"(median {report['median'] * 1000:.0f} ms, 99 % {report['p99'] * 1000:.0f} ms), {most:.0f} MB")
        else:
            summary.append(f"{count} kills: none lost, none mixed ({report['statuses'].get('0', 0)} requests sent again)")
    return "; ".join(summary)


CHECKS = {
    "answers": check_answers, "kills": check_kills, "people": check_people, "live": check_live,
    "limits": check_limits, "tls": check_tls, "schema": check_schema, "load": check_load,
}  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("server")
    parser.add_argument("load")
    parser.add_argument("reptrace")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--only", action="append", choices=CHECKS)
    options = parser.parse_args()
    for name in ("server", "load", "reptrace"):
        setattr(options, name, os.path.realpath(getattr(options, name)))
    failed = False
    # The short form's server is built without TLS.
    names = options.only or [name for name in CHECKS if options.full or name != "tls"]
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            began = time.monotonic()
            try:
                print(f"- {name}: {CHECKS[name](options, Path(folder))} ({time.monotonic() - began:.0f} s)", flush=True)
            except Exception as failure:
                failed = True
                log = Path(folder) / "server.log"
                print(f"- {name}: FAILED: {type(failure).__name__}: {failure}", flush=True)
                print(log.read_text()[-2000:] if log.exists() else "", file=sys.stderr)
    sys.exit(failed)


if __name__ == "__main__":
    main()
