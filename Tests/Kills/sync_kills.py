#!/usr/bin/env python3
"""Ends devices and a PostgreSQL server in mid-sync at random moments, and cuts their connections. In the
end every copy is the same and sound, every acknowledged edit is in it, and a further sync does nothing.

    sync_kills.py REPTRACE [INTERRUPTIONS]

The server is that of `.ci/postgres start`, whose variables are in the environment.
"""

import collections
import json
import math
import os
import pathlib
import random
import socket
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading
import time

REPTRACE = sys.argv[1]
INTERRUPTIONS = int(sys.argv[2]) if len(sys.argv) > 2 else 200
PLACE = os.environ["REPTRACE_POSTGRES"]
SERVER = os.environ["REPTRACE_POSTGRES_FOLDER"]
CONTROL = str(pathlib.Path(__file__).resolve().parents[2] / ".ci/postgres")
DEVICES = 3
#: Interruptions between two comparisons of all copies.
STRETCH = 20

chance = random.Random(24)
failures = []
counts = collections.Counter()


class Proxy:
    """Passes bytes on to the server until it cuts all connections."""

    def __init__(self):
        host, port = PLACE.split("/")[0].split(":")
        self.server = (host, int(port))
        self.open = set()
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            device, _ = self.listener.accept()
            try:
                server = socket.create_connection(self.server, timeout=5)
            except OSError:
                device.close()
                continue
            server.settimeout(None)
            with self.lock:
                self.open |= {device, server}
            for source, target in ((device, server), (server, device)):
                threading.Thread(target=self.pass_on, args=(source, target), daemon=True).start()

    def pass_on(self, source, target):
        try:
            while data := source.recv(65536):
                target.sendall(data)
        except OSError:
            pass
        with self.lock:
            for end in {source, target} & self.open:
                self.open.remove(end)
                # Whoever waits in recv wakes up.
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
                end.close()

    def cut(self):
        with self.lock:
            for end in self.open:
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass


class Device:
    def __init__(self, folder, number, address, environment):
        self.number = number
        self.store = os.path.join(folder, f"device{number}.sqlite")
        self.address = address
        self.environment = environment
        self.folder = folder

    def run(self, *arguments):
        return subprocess.run(
            [REPTRACE, *arguments], capture_output=True, text=True).returncode == 0

    def start_sync(self):
        return subprocess.Popen(
            [REPTRACE, "sync", self.store, self.address], env=self.environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def end_sync(self, process, may_give_up=False):
        """What it did; nothing where it failed, which it must not.

        Where the server was away, the sync may have given up: that is a later sync's business."""
        output, errors = process.communicate(timeout=120)
        if process.returncode == 75 and may_give_up:
            counts["gave up"] += 1
            return None
        if process.returncode != 0:
            failures.append(f"a sync ended with {process.returncode}: {errors.strip()}")
            return None
        report = json.loads(output)
        if report["refused"]:
            failures.append(f"refused: {report['refused'][:2]}")
        return report

    def sync(self):
        return self.end_sync(self.start_sync())

    def query(self, sql):
        database = sqlite3.connect(self.store)
        try:
            return database.execute(sql).fetchall()
        finally:
            database.close()


class Truth:
    """What was acknowledged, in its true order."""

    def __init__(self):
        self.reps = {}
        self.deleted = set()
        self.made = set()
        self.edits = 0

    def workout(self, device):
        """A device counts new recordings."""
        folder = tempfile.mkdtemp(dir=device.folder)
        keys = []
        for number in range(chance.randint(1, 4)):
            key = f"X{len(self.made) + number}"
            session = f"W{len(self.made) // 8}"
            speed, noise = chance.uniform(2, 4), random.Random(chance.random())
            samples = [
                {"timestamp": 1 + i / 50, "rotationX": 2 * math.sin(i / 50 * speed),
                 "rotationY": noise.uniform(-0.1, 0.1), "rotationZ": noise.uniform(-0.1, 0.1)}
                for i in range(chance.randint(400, 2000))]
            with open(os.path.join(folder, f"{key}.json"), "w") as file:
                json.dump({"sessionId": session, "exerciseId": "curl", "setId": key,
                           "samples": samples}, file)
            keys.append(f"{session}/{key}")
        if device.run("process", folder, "--store", device.store):
            self.made.update(keys)
            self.edits += len(keys)
        else:
            failures.append("recordings could not be counted")

    def edit(self, device):
        keys = [key for key, in device.query("SELECT globalKey FROM workout_set ORDER BY globalKey")]
        if not keys or chance.random() < 0.15:
            return self.workout(device)
        key = chance.choice(keys)
        if chance.random() < 0.08:
            if device.run("history", "delete", device.store, key):
                self.deleted.add(key)
                self.edits += 1
        else:
            reps = chance.randint(1, 900)
            if device.run("history", "correct", device.store, key, "--reps", str(reps)):
                self.reps[key] = reps
                self.edits += 1

    def check(self, device):
        rows = dict(device.query("SELECT globalKey, correctedReps FROM workout_set"))
        for key in self.made:
            if key in self.deleted:
                if key in rows:
                    failures.append(f"{key} was deleted, and device {device.number} has it")
            elif key not in rows:
                failures.append(f"{key} is lost on device {device.number}")
            elif rows[key] != self.reps.get(key):
                failures.append(f"{key} has {rows[key]} reps on device {device.number}, and not "
                                f"{self.reps.get(key)}")


def contents(device):
    """All that copies must have in common."""
    return [
        device.query(
            "SELECT globalKey, correctedReps, correctedAt, detectedReps, confidence, weight, startTime "
            "FROM workout_set ORDER BY 1"),
        device.query("SELECT key, sessionId, date, endTime FROM workout ORDER BY 1"),
        device.query(
            "SELECT r.globalKey, hex(r.digest), r.sampleCount, g.position, b.data FROM recording r "
            "JOIN segment g ON g.recordingId = r.id "
            "JOIN blob b ON b.segmentId = g.id ORDER BY 1, 4"),
    ]


def compare(devices, truth):
    """Everybody syncs until nobody has anything to do."""
    for _ in range(DEVICES + 2):
        reports = [device.sync() for device in devices]
        if all(report and report["sent"] + report["received"] == 0 for report in reports):
            break
    else:
        failures.append("the copies do not come to rest")
    if any(report and report["roundTrips"] != 1 for report in reports):
        failures.append("a sync with nothing to do cost more than one round trip")
    first = contents(devices[0])
    for device in devices:
        if contents(device) != first:
            failures.append(f"devices 0 and {device.number} differ")
        truth.check(device)
        if not device.run("history", "verify", device.store):
            failures.append(f"device {device.number} is damaged")


def control(command):
    subprocess.run([CONTROL, command, SERVER], check=True, capture_output=True)


def interrupt(devices, proxy, delay):
    """One sync, or two at once, and what comes between.

    Whether the interruption came before they had ended."""
    syncing = chance.sample(devices, chance.choice([1, 1, 2]))
    running = [device.start_sync() for device in syncing]
    kind = chance.choices(
        ["device killed", "connections cut", "server killed", "server restarted"],
        [110, 50, 20, 20])[0]
    time.sleep(delay)
    if all(process.poll() is not None for process in running):
        for device, process in zip(syncing, running):
            device.end_sync(process)
        return False
    counts[kind] += 1
    if kind == "device killed":
        running[0].kill()
        running[0].communicate()
        syncing, running = syncing[1:], running[1:]
    elif kind == "connections cut":
        proxy.cut()
    else:
        control("kill" if kind == "server killed" else "stop")
        control("resume")
    for device, process in zip(syncing, running):
        device.end_sync(process, may_give_up=True)
    return True


def main():
    # In memory where the system has such a place: what is killed is programs, not power.
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        proxy = Proxy()
        passwords = os.path.join(folder, "pgpass")
        password = pathlib.Path(SERVER, "password").read_text().strip()
        with os.fdopen(os.open(passwords, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            file.write(f"127.0.0.1:*:*:*:{password}\n")
        environment = {**os.environ, "PGPASSFILE": passwords}
        admin = f"postgresql://admin@{PLACE}"
        subprocess.run([REPTRACE, "sync", "--init", admin], env=environment, check=True, capture_output=True)
        subprocess.run(
            ["psql", "-q", "-d", admin, "-c", "GRANT reptrace_user TO alice",
             "-c", "DELETE FROM reptrace.account"], env=environment, check=True)
        address = f"postgresql://alice@127.0.0.1:{proxy.port}/{PLACE.split('/')[1]}"
        devices = [Device(folder, number, address, environment) for number in range(DEVICES)]
        truth = Truth()
        longest = 0.0
        for device in devices:
            for _ in range(3):
                truth.workout(device)
            began = time.monotonic()
            device.sync()
            longest = max(longest, time.monotonic() - began)
        number = 0
        while number < INTERRUPTIONS and not failures:
            for _ in range(chance.randint(1, 4)):
                truth.edit(chance.choice(devices))
            if not interrupt(devices, proxy, chance.uniform(0, longest)):
                # Sooner the next time.
                longest *= 0.9
                continue
            longest *= 1.03
            number += 1
            if number % STRETCH == 0 or number == INTERRUPTIONS:
                compare(devices, truth)
        # A new device begins with all there is.
        devices.append(Device(folder, DEVICES, address, environment))
        compare(devices, truth)
        kinds = ", ".join(f"{kind} {counts[kind]}" for kind in (
            "device killed", "connections cut", "server killed", "server restarted"))
        print(f"- {number} interruptions of syncs with a PostgreSQL server in mid-sync "
              f"({kinds}): {len(failures)} failures. {truth.edits} acknowledged edits of "
              f"{len(truth.made)} sets are in all {len(devices)} copies, which are the same bit for bit")
    for failure in failures[:20]:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


sys.exit(main())
