"""A reptrace-ingest to be checked, and workouts to send."""

import csv
import glob
import http.client
import io
import json
import re
import shutil
import signal
import subprocess
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
