#!/usr/bin/env python3
"""Opens histories that somebody made to do harm, with every command that reads one: views that never end in
place of tables, texts of hundreds of megabytes, timelines that claim millions of samples in a few bytes. Each
ends with an answer or an error, within ten seconds and one gigabyte.

    hostile_stores.py REPTRACE [-v]
"""

import os
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile

REPTRACE = sys.argv[1]
SECONDS, MEGABYTES = 10, 1024

COMMANDS = [
    ["history", "list", "STORE", "--output", "ndjson"],
    ["history", "list", "STORE", "--output", "table"],
    ["history", "workouts", "STORE", "--output", "ndjson"],
    ["history", "show", "STORE", "1"],
    ["history", "statistics", "STORE", "curl"],
    ["history", "export", "STORE", "--output", "csv"],
    ["history", "export", "STORE", "--samples", "--output", "csv"],
    ["history", "changes", "STORE"],
    ["history", "exercises", "STORE"],
    ["history", "plans", "STORE"],
    ["history", "patterns", "STORE"],
    ["history", "verify", "STORE"],
    ["history", "backup", "STORE", "NEW.sqlite"],
    ["history", "correct", "STORE", "1", "--reps", "5"],
    ["history", "recount", "STORE"],
    ["history", "delete", "STORE", "1"],
    ["plot", "STORE#1", "-o", "NEW.html"],
    ["report", "STORE", "-o", "NEW.html"],
    ["explain", "STORE#1"],
    ["inspect", "STORE#1"],
    ["stream", "--store", "STORE"],
    ["process", "RECORDING", "--store", "STORE"],
]
#: Those that change the store work on a copy of it.
WRITING = [["history", "correct"], ["history", "recount"], ["history", "delete"], ["stream", "--store"],
           ["process", "RECORDING"]]


# Timelines


def varint(number):
    found = bytearray()
    while True:
        found.append(number & 0x7F | (0x80 if number > 0x7F else 0))
        number >>= 7
        if not number:
            return bytes(found)


def crc_table():
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
        table.append(value)
    return table


TABLE = crc_table()


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ TABLE[(crc ^ byte) & 0xFF]
    return struct.pack("<I", crc ^ 0xFFFFFFFF)


def samples_section(rows, channels):
    """Constants, in blocks of 65,536 rows."""
    block_rows = 65_536
    head = varint(rows) + bytes([0, 0, 0, 0]) + varint(block_rows) + bytes([len(channels)])
    for channel in channels:
        head += bytes([channel, 0])
    constant = struct.pack("<d", 1.0)
    block = b"".join(bytes([1]) + varint(8) for _ in channels) + constant * len(channels)
    count = (rows + block_rows - 1) // block_rows
    if count == 1:
        return head + block
    entry = struct.pack("<I", len(block)) + crc32c(block) + struct.pack("<dd", 1, 1)
    section = head + entry * count
    return section + crc32c(section) + block * count


def counted_set(reps):
    """A set whose table of reps claims so many."""
    columns = b""
    left = reps
    while left > 0:
        columns += (bytes([1]) + varint(8) + struct.pack("<d", 1.0)) * 3
        left -= 65_536
    return bytes([0]) + struct.pack("<ddd", 1, 2, 0.5) + varint(reps) + columns + varint(0)


def timeline(sections):
    directory = b"".join(
        struct.pack("<H", kind) + len(payload).to_bytes(6, "little") + crc32c(payload)
        for kind, payload in sections)
    start = b"\x89RTL\r\n\x1a\n" + bytes([1, 0]) + struct.pack("<H", len(sections))
    return start + crc32c(start + directory) + directory + b"".join(p for _, p in sections)


# Stores


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT {} FROM n"


def view(table):
    def apply(db):
        columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
        db.execute("PRAGMA legacy_alter_table = ON")
        db.execute("PRAGMA foreign_keys = OFF")
        for name, in db.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?",
                (table,)).fetchall():
            db.execute(f"DROP TRIGGER {name}")
        db.execute(f"ALTER TABLE {table} RENAME TO kept")
        db.execute(f"CREATE VIEW {table} AS " + ENDLESS.format(
            ", ".join(f'i AS "{column}"' for column in columns)))

    return apply


def texts(table, column, length, where="TRUE"):
    """Texts of so many bytes, which no checksum covers: as if another program had written them."""

    def change(db):
        db.execute(f"UPDATE {table} SET \"{column}\" = replace(hex(zeroblob(?)), '0', 'x'), "
                   f"checksum = NULL WHERE {where}", (length // 2,))

    return change


def blob(*sections):
    data = timeline(list(sections))

    def change(db):
        db.execute("UPDATE blob SET data = ?", (data,))
        db.execute("UPDATE segment SET byteCount = ?, checksum = NULL", (len(data),))

    return change


ALL = range(13)
STORES = {
    "sets that never end": view("workout_set"),
    "people that never end": view("user"),
    "a trigger that never ends": lambda db: db.execute(
        "CREATE TRIGGER surprise AFTER UPDATE ON workout_set BEGIN INSERT INTO deleted_samples (userId, recordingKey, firstSample) "
        + ENDLESS.format("1, 'x', i") + "; END"),
    "a name of 300 MB": texts("workout_exercise", "name", 300_000_000, "id = 1"),
    "a name of 260 MB": texts("workout_exercise", "name", 260_000_000, "id = 1"),
    "names of 60 MB": texts("workout_exercise", "name", 60_000_000),
    "detectors of 100 MB": texts("workout_set", "detector", 100_000_000),
    "ids of 100 MB": texts("workout_set", "setId", 100_000_000),
    "recordings with names of 200 MB": texts("recording", "name", 200_000_000),
    "a person with a name of 200 MB": texts("user", "name", 200_000_000, "id = 1"),
    "20 million samples in 47 KB": blob((1, samples_section(20_000_000, ALL))),
    "5 million samples in 12 KB": blob((1, samples_section(5_000_000, ALL))),
    "33 million samples of two columns": blob((1, samples_section(33_000_000, (0, 4)))),
    "10 million reps": blob((1, samples_section(4000, ALL)), (4, counted_set(10_000_000))),
}


def run(arguments, folder, store):
    names = {"STORE": store, "STORE#1": store + "#1", "RECORDING": os.path.join(folder, "recording.json")}
    for name in ("NEW.html", "NEW.sqlite"):
        names[name] = os.path.join(folder, name)
        if os.path.exists(names[name]):
            os.remove(names[name])
    process = subprocess.Popen(
        [REPTRACE, *[names.get(argument, argument) for argument in arguments]],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    words = process.stderr.read(1_000_000)
    process.stderr.close()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = usage.ru_utime + usage.ru_stime
    return os.waitstatus_to_exitcode(status), seconds, usage.ru_maxrss / 1024, words


def main():
    failures, runs, slowest, largest = [], 0, 0.0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        recordings = os.path.join(folder, "made")
        subprocess.run([REPTRACE, "generate", "-o", recordings, "--count", "2", "--seed", "3", "--sets", "2"],
                       check=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        base = os.path.join(folder, "base.sqlite")
        subprocess.run([REPTRACE, "process", recordings, "--store", base], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(os.path.join(folder, "recording.json"), "w") as file:
            file.write('{"samples":[%s]}' % ",".join(
                '{"timestamp":%g,"rotationX":%g}' % (1 + i / 50, i % 7) for i in range(500)))
        hostile, used = os.path.join(folder, "hostile.sqlite"), os.path.join(folder, "used.sqlite")
        for name in STORES:
            # In a process of its own: the most memory of a process begins with that of whoever starts it.
            subprocess.run([sys.executable, __file__, "--make", name, base, hostile], check=True)
            for arguments in COMMANDS:
                store = hostile
                if arguments[:2] in WRITING:
                    shutil.copy(hostile, used)
                    store = used
                status, seconds, megabytes, words = run(arguments, folder, store)
                runs += 1
                slowest, largest = max(slowest, seconds), max(largest, megabytes)
                what = f"{name}: {' '.join(arguments)}: status {status}, {seconds:.1f} s, {megabytes:.0f} MB"
                if "-v" in sys.argv:
                    print(what, words[:100], flush=True)
                if status < 0 or status > 128 or seconds > SECONDS or megabytes > MEGABYTES:
                    failures.append(what)
                elif len(words) > 100_000:
                    failures.append(f"{what}: it said {len(words)} bytes")
                for suffix in ("", "-wal", "-shm"):
                    if os.path.exists(used + suffix):
                        os.remove(used + suffix)
    print(f"{runs} runs of {len(COMMANDS)} commands on {len(STORES)} hostile histories: {len(failures)} did not end "
          f"with an answer or an error within {SECONDS} s of processor time and {MEGABYTES} MB; the slowest took "
          f"{slowest:.1f} s, the largest {largest:.0f} MB.")
    for failure in failures:
        print(f"- {failure}")
    return 1 if failures else 0


def make(name, base, hostile):
    shutil.copy(base, hostile)
    db = sqlite3.connect(hostile, isolation_level=None)
    db.execute("PRAGMA journal_mode = DELETE")
    STORES[name](db)
    db.execute("PRAGMA journal_mode = WAL")
    db.close()
    return 0


sys.exit(make(*sys.argv[2:]) if sys.argv[1] == "--make" else main())
