#!/usr/bin/env python3
"""Checks of reptrace-ingest from outside, with real clients.

    check_ingest.py SERVER LOAD REPTRACE [--full] [--only CHECK]...

SERVER is reptrace-ingest, LOAD the client IngestLoad. It needs websockets and schemathesis from PyPI. Each check
prints a line of Markdown; the program exits with 1 if one did not hold.
"""

import argparse
import asyncio
import concurrent.futures
import gzip
import http.client
import json
import os
import re
import resource
import shutil
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import websockets
from data_checks import check_answers, check_kills, check_people
from ingest_server import ADA, BEA, Server, until, workouts


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
