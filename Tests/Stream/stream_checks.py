#!/usr/bin/env python3
"""Checks of `reptrace stream` from outside: kills, load, a slow reader.

  stream_checks.py kills REPTRACE [--kills N] [--seed N]
  stream_checks.py load REPTRACE [--sets N] [--seconds N] [--store]
  stream_checks.py slow REPTRACE
  stream_checks.py curves REPTRACE [--scale F] [--only WHAT]
  stream_checks.py recovery REPTRACE [--hours N]
  stream_checks.py restart REPTRACE [--sets N] [--seconds N]
  stream_checks.py exits REPTRACE [--runs N]
  stream_checks.py soak REPTRACE [--watches N] [--seconds N]

Each prints a short summary in Markdown and exits with 1 if a check did not hold.
"""
import argparse, collections, concurrent.futures, glob, json, math, os, random, re, resource, select, signal, sqlite3, subprocess, sys
import tempfile, threading, time


def generate(reptrace, folder, count, seed, sets=1, extra=()):
    """Lines of synthetic workouts, a list for each."""
    subprocess.run(
        [reptrace, "generate", "-o", folder, "--count", str(count), "--seed", str(seed),
         "--format", "ndjson", "--sets", str(sets), "--rest", "5", *extra],
        check=True, stderr=subprocess.DEVNULL)
    files = sorted(glob.glob(os.path.join(folder, "recordings", "*.ndjson")))
    return [open(f, "rb").read().splitlines() for f in files]


def interleave(workouts, rng):
    rest = [iter(w) for w in workouts]
    while rest:
        source = rng.choice(rest)
        line = next(source, None)
        if line is None:
            rest.remove(source)
        else:
            yield line


def contents(store):
    """What a store holds, without what depends on the way there."""
    db = sqlite3.connect(store)
    left = db.execute("SELECT count(*) FROM journal_set WHERE state <> 1").fetchone()[0]
    left += db.execute("SELECT count(*) FROM journal_event").fetchone()[0]
    recordings = db.execute(
        "SELECT key, hex(digest), sampleCount, firstTime, lastTime FROM recording ORDER BY key"
    ).fetchall()
    sets = db.execute(
        "SELECT key, setId, position, cause, detectedReps, confidence, clockStart, clockEnd"
        " FROM workout_set ORDER BY key").fetchall()
    return left, recordings, sets


def exported(reptrace, store):
    """Every sample of every recording, in the order of their names."""
    db = sqlite3.connect(store)
    rows = db.execute("SELECT key, number FROM (SELECT key, row_number() OVER (ORDER BY id)"
                      " AS number FROM workout_set) ORDER BY key").fetchall()
    result = {}
    for key, number in rows:
        result[key] = subprocess.run(
            [reptrace, "history", "export", store, str(number), "--samples", "--output", "csv"],
            check=True, capture_output=True).stdout
    return result


def run_whole(reptrace, lines, store):
    done = subprocess.run([reptrace, "stream", "--store", store], input=b"\n".join(lines) + b"\n",
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    assert done.returncode == 0, done.returncode


def run_divided(reptrace, lines, store, first, how, delay, seen, extra=()):
    """Feeds lines from `first` on until the run ends: by `kill -9` or SIGTERM after `delay` seconds,
    by the end of the input after some lines ("end"), or after all of them (None).

    `seen` takes the events with a number. Returns the number of lines that need not be sent again,
    and whether it ended by itself after all of them."""
    process = subprocess.Popen([reptrace, "stream", "--store", store, *extra],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
    last = len(lines)
    if how == "end":
        last = min(last, first + 1 + int(delay * 20))

    def feed():
        try:
            for line in lines[first:last]:
                process.stdin.write(line + b"\n")
            process.stdin.close()
        except (BrokenPipeError, ValueError):
            pass

    feeder = threading.Thread(target=feed, daemon=True)
    signaled = []

    def end():
        if process.poll() is None:
            signaled.append(how)
            process.send_signal(signal.SIGKILL if how == "kill" else signal.SIGTERM)

    timer = threading.Timer(delay, end) if how in ("kill", "term") else None
    feeder.start()
    if timer:
        timer.start()
    acked = 0
    for output in process.stdout:
        if output.endswith(b"\n"):
            event = json.loads(output)
            if event["event"] == "ack":
                acked = max(acked, event["line"])
            if "number" in event:
                told = seen.setdefault(event["number"], output)
                assert told == output, "two events of one number"
    status = process.wait()
    if timer:
        timer.cancel()
    feeder.join()
    wanted = {"kill": (0, -signal.SIGKILL), "term": (0, -signal.SIGTERM)}.get(how, (0,))
    assert status in wanted, (how, status)
    if not signaled:
        return last, last == len(lines)
    return first + acked, False


def kills(options):
    rng = random.Random(options.seed)
    done = rounds = resumed = events = 0
    while done < options.kills and rounds < 10 + options.kills:
        with tempfile.TemporaryDirectory() as folder:
            # Every third round is of sessions that are long enough for snapshots.
            workouts = generate(
                options.reptrace, folder, 6, rng.randrange(1 << 30), sets=9 if rounds % 3 == 2 else 2)
            # What has come late once comes late always: some chunks change places, some come twice.
            for workout in workouts:
                for _ in range(len(workout) // 8):
                    a = rng.randrange(len(workout) - 3)
                    b = a + rng.randrange(1, 3)
                    if b"samples" in workout[a] and b"samples" in workout[b]:
                        workout[a], workout[b] = workout[b], workout[a]
                    if b"samples" in workout[a] and rng.random() < 0.3:
                        workout.insert(b, workout[a])
            # Half of them are sessions in which nothing is declared.
            for index in range(0, len(workouts), 2):
                workouts[index] = undeclared(workouts[index])
            lines = list(interleave(workouts, rng))
            whole = os.path.join(folder, "whole.sqlite")
            began = time.monotonic()
            run_whole(options.reptrace, lines, whole)
            duration = time.monotonic() - began
            expected, samples = contents(whole), exported(options.reptrace, whole)
            rounds += 1
            store = os.path.join(folder, "divided.sqlite")
            first, seen = 0, {}
            for _ in range(min(options.kills - done, 8)):
                delay = rng.uniform(0.0, 1.0) ** 2 * duration
                how = rng.choice(["kill", "kill", "term", "end"])
                first, ended = run_divided(
                    options.reptrace, lines, store, first, how, delay, seen)
                done += not ended
                resumed += first > 0
                if ended:
                    break
            first, ended = run_divided(options.reptrace, lines, store, first, None, 0, seen)
            if contents(store) != expected:
                got = contents(store)
                print(f"after {done} ends the store differs: {got[0]} left in the journal,",
                      [pair for pair in zip(expected[2], got[2]) if pair[0] != pair[1]][:3],
                      len(expected[1]), len(got[1]))
                return 1
            if exported(options.reptrace, store) != samples:
                print("the samples differ")
                return 1
            if sorted(seen) != list(range(1, len(seen) + 1)):
                print("events were lost:", sorted(set(range(1, max(seen))) - set(seen))[:9])
                return 1
            events += len(seen)
            assert os.stat(store).st_mode & 0o777 == 0o600
    print(f"{done} runs ended at random moments under load by `kill -9`, SIGTERM or the end of the "
          f"input, in {rounds} rounds; {resumed} restarts went on in the middle. Each time the final "
          "store equalled that of an undisturbed run: sets, counts, confidence, and every sample. "
          f"None of {events} events about sets was lost.")
    return 0 if done >= options.kills else 1


def undeclared(lines):
    """The chunks alone, without the ids of sets."""
    result = []
    for line in lines:
        if b'"samples"' not in line:
            continue
        chunk = json.loads(line)
        for field in ("setId", "exerciseId", "phase"):
            chunk.pop(field, None)
        result.append(json.dumps(chunk, separators=(",", ":")).encode())
    return result


def processor_time(pid):
    return open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[11:13]


def memory(pid, figure="VmHWM"):
    for line in open(f"/proc/{pid}/status"):
        if line.startswith(figure):
            return int(line.split()[1]) * 1024
    return 0


def load(options):
    """Many sets interleaved, from binary chunk lines made once and given other ids."""
    with tempfile.TemporaryDirectory() as folder:
        extra = ["--rate", "50", "--faults", "none", "--difficulty", "ordinary"]
        workouts = generate(options.reptrace, folder, 8, 7, extra=extra)
        chunks = []
        for workout in workouts:
            own = [line for line in workout if b'"samples"' in line]
            set_id = json.loads(own[len(own) // 2])["setId"].encode()
            session = json.loads(own[0])["sessionId"].encode()
            chunks.append((own, set_id, session))
        per_set = options.seconds // 2
        path = os.path.join(folder, "store.sqlite")
        command = [options.reptrace, "stream"] + (["--store", path] if options.store else [])
        command += ["--workers", str(options.workers)]
        output = open(os.path.join(folder, "events"), "wb")
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=output,
                                   stderr=subprocess.PIPE)
        time.sleep(1)
        base = memory(process.pid, "VmRSS")
        samples = 0
        began = time.monotonic()
        peak = 0
        for round_ in range(per_set):
            for number in range(options.sets):
                own, set_id, session = chunks[number % len(chunks)]
                if round_ >= len(own):
                    continue
                line = own[round_]
                line = line.replace(set_id, b"SET-%08d" % number)
                line = line.replace(session, b"SESSION-%08d" % number)
                process.stdin.write(line + b"\n")
                samples += line.count(b'"timestamp"')
        process.stdin.flush()
        fed = time.monotonic() - began
        while True:
            used, idle_since = processor_time(process.pid), time.monotonic()
            time.sleep(0.5)
            if processor_time(process.pid) == used:
                break
        live = memory(process.pid, "VmRSS") - base
        peak = memory(process.pid)
        idle = time.monotonic() - idle_since
        process.stdin.close()
        while process.poll() is None:
            try:
                peak = max(peak, memory(process.pid))
            except FileNotFoundError:
                pass
            time.sleep(0.05)
        seconds = time.monotonic() - began - idle
        kept = int(re.search(r"in (\d+) bytes", process.stderr.read().decode()).group(1))
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        output.close()
        ended = {}
        for line in open(os.path.join(folder, "events")):
            event = json.loads(line)
            if event["event"] == "setEnded":
                ended[event["setId"]] = event["reps"]
        ok = len(ended) == options.sets and process.returncode == 0
        cpu = usage.ru_utime + usage.ru_stime
        print(f"{options.sets} sets interleaved{' with a store' if options.store else ''}, "
              f"{samples} samples in chunks of JSON, {options.workers} workers: {seconds:.1f} s "
              f"({samples / seconds:.0f} samples/s), {fed:.1f} s until all was read, {cpu:.1f} s of "
              f"CPU ({samples / cpu:.0f} samples/s a core); "
              f"peak memory {peak / 1e6:.0f} MB, {peak / options.sets / 1024:.0f} KiB a set "
              f"({peak / samples:.0f} bytes a sample), everything included; before the end "
              f"{(live - kept) / options.sets / 1024:.0f} KiB of live state a set beside its packed "
              f"samples ({kept / samples:.0f} bytes a sample). "
              f"{len(ended)} sets ended.")
        return 0 if ok else 1


def slow(options):
    """Nobody reads the output for a while: input is held up, memory stays bounded, nothing is lost."""
    with tempfile.TemporaryDirectory() as folder:
        workouts = generate(options.reptrace, folder, 4, 11)
        lines = [line for workout in workouts for line in workout]
        lines += [b"nonsense " + str(n).encode() for n in range(300_000)]
        process = subprocess.Popen([options.reptrace, "stream"], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        sent = [0]

        def feed():
            for line in lines:
                process.stdin.write(line + b"\n")
                sent[0] += 1
            process.stdin.close()

        feeder = threading.Thread(target=feed, daemon=True)
        feeder.start()
        time.sleep(2)
        held, peak = sent[0], memory(process.pid)
        events = process.stdout.read().splitlines()
        feeder.join()
        status = process.wait()
        errors = sum(b'"event":"error"' in event for event in events)
        for event in events:
            json.loads(event)
        print(f"Nobody read for 2 s: {held} of {len(lines)} lines were taken, peak memory "
              f"{peak / 1e6:.0f} MB; then all {errors} errors came, status {status}.")
        return 0 if held < len(lines) and errors == 300_000 and status == 0 and peak < 3e8 else 1


def chunk_line(session, set_id, start, count, rate=50.0, phase=None):
    """A chunk of a wrist that turns to and fro, one rep in two seconds."""
    samples = []
    for index in range(count):
        time_ = start + index / rate
        samples.append(
            '{"timestamp":%.4f,"rotationX":%.4f,"rotationY":0.01,"rotationZ":-0.02,'
            '"accelerationX":0.01,"accelerationY":%.4f,"accelerationZ":0.03,'
            '"gravityX":0,"gravityY":%.4f,"gravityZ":%.4f}'
            % (time_, 3 * math.sin(math.pi * time_), 0.02 * math.cos(7 * time_),
               -math.cos(time_ % 2), math.sin(time_ % 2)))
    ids = '"sessionId":"%s",' % session + ('"setId":"%s",' % set_id if set_id else "")
    ids += '"phase":"%s",' % phase if phase else ""
    return ('{%s"samples":[%s]}' % (ids, ",".join(samples))).encode()


def timed(reptrace, lines, *options):
    """Runs a stream over lines that a generator makes. Returns seconds of the process's CPU time, its
    peak memory, and its events by name."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen([reptrace, "stream", *options], stdin=subprocess.PIPE,
                                   stdout=output, stderr=subprocess.DEVNULL)
        for line in lines:
            process.stdin.write(line + b"\n")
        process.stdin.close()
        _, status, usage = os.wait4(process.pid, 0)
        assert status == 0, status
        output.seek(0)
        events = collections.Counter(
            re.match(rb'{"event":"(\w+)"', line).group(1).decode() for line in output)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, events


def open_sets(count):
    yield b'{"type":"startWorkout","sessionId":"s"}'
    for number in range(count):
        yield b'{"type":"startSet","sessionId":"s","setId":"%d"}' % number
        yield chunk_line("s", str(number), number, 5)


def many_ids(count):
    for number in range(count):
        yield chunk_line("s%d" % number, str(number), number, 1)


def many_chunks(count):
    for number in range(count):
        yield chunk_line("s", None, number / 10, 5)


def long_set(samples):
    for start in range(0, samples, 500):
        yield chunk_line("s", "a", start / 50, min(500, samples - start))


def late_chunks(count):
    """Half of the chunks come after the set has ended."""
    for number in range(0, count, 2):
        yield chunk_line("s", "a", number / 2, 25)
    yield b'{"type":"endSet","sessionId":"s","setId":"a"}'
    for number in range(1, count, 2):
        yield chunk_line("s", "a", number / 2, 25)


CURVES = {
    "open sets of one session": (open_sets, (10_000, 20_000, 40_000), ("--live-sets", "50000")),
    "ids": (many_ids, (250_000, 500_000, 1_000_000), ()),
    "chunks of a session": (many_chunks, (25_000, 50_000, 100_000), ()),
    "samples of a set": (long_set, (1_250_000, 2_500_000, 5_000_000), ()),
    "chunks of a set, half of them late": (late_chunks, (2_000, 4_000, 8_000), ()),
}


def curves(options):
    """What a message costs does not grow with what came before."""
    ok = True
    print("| what | number | s of CPU | µs each | peak MB |")
    print("|---|---|---|---|---|")
    for name in options.only or CURVES:
        make, counts, extra = CURVES[name]
        for store in (False, True):
            each = []
            for count in counts:
                count = max(8, int(count * options.scale))
                with tempfile.TemporaryDirectory() as folder:
                    path = ("--store", os.path.join(folder, "store.sqlite")) if store else ()
                    seconds, peak, _ = timed(options.reptrace, make(count), *extra, *path)
                each.append(seconds / count)
                print(f"| {name}{', with a store' if store else ''} | {count} | {seconds:.1f} | "
                      f"{1e6 * seconds / count:.1f} | {peak:.0f} |", flush=True)
            # Four times as many, and a logarithm's worth more each at most.
            ok &= each[-1] < 1.6 * each[0] + 20e-6
    return 0 if ok else 1


class Stream:
    """A running stream whose events are read as they come."""

    def __init__(self, reptrace, store):
        self.began = time.monotonic()
        self.times = collections.defaultdict(list)
        self.ended = {}
        self.process = subprocess.Popen(
            [reptrace, "stream", "--store", store], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            event = json.loads(line)
            name = "recovered" if event.get("recovered") else event["event"]
            self.times[name].append(time.monotonic() - self.began)
            if name in ("setEnded", "setRevised"):
                self.ended[(event["sessionId"], event.get("setId"))] = event["reps"]

    def send(self, lines):
        """Sends lines; returns when, in seconds since the start."""
        sent = time.monotonic() - self.began
        self.process.stdin.write(b"".join(line + b"\n" for line in lines))
        self.process.stdin.flush()
        return sent

    def wait(self, name, count):
        """Until so many events of a name have come; returns when the last one did."""
        while len(self.times[name]) < count:
            assert self.reader.is_alive(), f"{len(self.times[name])} of {count} {name}"
            time.sleep(0.001)
        return self.times[name][count - 1]

    def end(self):
        self.process.stdin.close()
        self.reader.join()
        assert self.process.wait() == 0


def recovery(options):
    """Takes up a set of some hours after `kill -9`."""
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "store.sqlite")
        total = int(options.hours * 3600 * 50)
        process = subprocess.Popen([options.reptrace, "stream", "--store", store],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL)

        def feed():
            for line in long_set(total):
                process.stdin.write(line + b"\n")
            process.stdin.flush()

        feeder = threading.Thread(target=feed, daemon=True)
        feeder.start()
        acked = 0
        for line in process.stdout:
            if b'"event":"ack"' in line:
                acked += 1
                if acked == (total + 499) // 500:
                    break
        live = memory(process.pid)
        process.kill()
        process.wait()
        journal = os.path.getsize(store) + os.path.getsize(store + "-wal")
        after = Stream(options.reptrace, store)
        announced = after.wait("recovered", 1)
        sent = after.send([chunk_line("s", "a", total / 50, 500)])
        seconds = after.wait("ack", 1) - sent
        recovered = memory(after.process.pid)
        after.end()
        assert len(after.ended) == 1
        print(f"A set of {options.hours:g} h, {total} samples, under way: {live / 1e6:.0f} MB at most; the "
              f"store and its log {journal / 1e6:.0f} MB. After `kill -9` it is announced in {announced:.2f} s, "
              f"and its next chunk acknowledged in {seconds:.2f} s, with {recovered / 1e6:.0f} MB at most.")
        return 0 if recovered < 150e6 else 1


def restart(options):
    """Thousands of sets under way at `kill -9`: how soon the next run is there for them."""
    with tempfile.TemporaryDirectory() as folder:
        extra = ["--rate", "50", "--faults", "none", "--difficulty", "ordinary"]
        workouts = generate(options.reptrace, folder, 8, 7, extra=extra)
        rounds = []
        for number in range(options.sets):
            own = [line for line in workouts[number % len(workouts)] if b'"samples"' in line]
            ids = json.loads(own[len(own) // 2])
            own = [line.replace(ids["setId"].encode(), b"SET-%08d" % number)
                   .replace(ids["sessionId"].encode(), b"SESSION-%08d" % number)
                   for line in own[:options.seconds // 2]]
            for index, line in enumerate(own):
                if index == len(rounds):
                    rounds.append([])
                rounds[index].append(line)
        rounds = [lines for lines in rounds if len(lines) == options.sets]
        whole = Stream(options.reptrace, os.path.join(folder, "whole.sqlite"))
        for lines in rounds:
            whole.send(lines)
        whole.end()

        store = os.path.join(folder, "store.sqlite")
        before = Stream(options.reptrace, store)
        for lines in rounds[:-1]:
            before.send(lines)
        before.wait("ack", options.sets * (len(rounds) - 1))
        before.process.kill()
        before.process.wait()
        after = Stream(options.reptrace, store)
        announced = after.wait("recovered", options.sets)
        used = sum(int(ticks) for ticks in processor_time(after.process.pid))
        used /= os.sysconf("SC_CLK_TCK")
        last = rounds[-1]
        sent = after.send(last[:1])
        first = after.wait("ack", 1) - sent
        delays = []
        for number in range(1, 101):
            sent = after.send([last[number]])
            delays.append(after.wait("ack", number + 1) - sent)
        sent = after.send(last[101:])
        rest = after.wait("ack", options.sets) - sent
        peak = memory(after.process.pid)
        after.end()
        delays.sort()
        print(f"{options.sets} sets under way at `kill -9`, each of {len(rounds) - 1} chunks: "
              f"{announced:.2f} s after the start ({used:.2f} s of CPU) all are announced and input is taken. "
              f"The next chunk of one is acknowledged after {1000 * first:.0f} ms, of another 100, one by one, after "
              f"{1000 * delays[50]:.0f} ms (median; {1000 * delays[-1]:.0f} ms at most), of all others "
              f"at once after {rest:.1f} s; {peak / 1e6:.0f} MB at most.")
        if after.ended != whole.ended or len(whole.ended) != options.sets:
            print("The counts are not those of the undivided stream.")
            return 1
        # Not the time on the clock, which others on the machine share.
        return 0 if used < 2 else 1


def exits(options):
    """Short runs with a store, by the thousand, some at a time: each ends by itself, with status 0."""
    # Since glibc 2.34 MALLOC_CHECK_ needs the library.
    environment = {**os.environ, "MALLOC_CHECK_": "3", "LD_PRELOAD": "libc_malloc_debug.so.0"}
    line = chunk_line("s", "a", 0, 50) + b"\n"
    with tempfile.TemporaryDirectory() as folder:

        def hundred(first):
            """The statuses of a hundred runs with one store."""
            store = os.path.join(folder, "store%d.sqlite" % first)
            return [
                subprocess.run([options.reptrace, "stream", "--store", store],
                               input=line if number % 2 else b"", env=environment,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
                for number in range(first, min(first + 100, options.runs))]

        with concurrent.futures.ThreadPoolExecutor(2 * os.cpu_count()) as pool:
            statuses = collections.Counter(
                status for some in pool.map(hundred, range(0, options.runs, 100)) for status in some)
    failed = {status: count for status, count in statuses.items() if status != 0}
    print(f"{statuses.total()} runs of a moment with a store: {sum(failed.values())} did not end well"
          f"{f' {failed}' if failed else ''}.")
    return 1 if failed else 0


def read_metrics(path):
    """The figures of a file in Prometheus' text format; nothing where it is not there yet."""
    figures = {}
    if os.path.exists(path):
        for line in open(path):
            if not line.startswith("#"):
                name, value = line.rsplit(" ", 1)
                figures[name] = float(value)
    return figures


def watch_lines(lines, rng):
    """One watch's lines: a recording's under ids of its own, some chunks late, twice, or lost."""
    ids = {}

    def another(match):
        return match[1] + ids.setdefault(match[2], b"%032x" % rng.getrandbits(128)) + b'"'

    lines = [re.sub(rb'("(?:sessionId|setId)":")([^"]*)"', another, line) for line in lines]
    lines = [line for line in lines if b'"samples"' not in line or rng.random() > 0.02]
    for index in range(len(lines) - 4):
        late = index + rng.randrange(1, 4)
        if rng.random() < 0.05 and all(b'"samples"' in lines[k] for k in (index, late)):
            lines[index], lines[late] = lines[late], lines[index]
    return [line for line in lines
            for _ in range(2 if b'"samples"' in line and rng.random() < 0.03 else 1)]


def soak(options):
    """Thousands of watches at once, while the process is killed every few seconds."""
    rng = random.Random(options.seed)
    began, rounds, killed, watches, told = time.monotonic(), 0, 0, 0, 0
    while time.monotonic() - began < options.seconds:
        rounds += 1
        with tempfile.TemporaryDirectory() as folder:
            made = generate(options.reptrace, os.path.join(folder, "made"), 40, rng.randrange(1 << 30))
            sources = [watch_lines(made[k % len(made)], rng) for k in range(options.watches)]
            inputs = os.path.join(folder, "watches")
            os.mkdir(inputs)
            for index, lines in enumerate(sources):
                with open(os.path.join(inputs, f"{index}.ndjson"), "wb") as file:
                    file.write(b"\n".join(lines) + b"\n")
            expected = {}
            processed = subprocess.run(
                [options.reptrace, "process", inputs, "--output", "ndjson"], check=True,
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
            for line in processed.splitlines():
                found = json.loads(line)
                if found.get("cause") == "declared":
                    expected[found["setId"]] = found["reps"]
            lines = list(interleave(sources, rng))
            store, metrics = (os.path.join(folder, name) for name in ("s.sqlite", "metrics.prom"))
            # How long an end may take on a busy machine is not what is looked at.
            extra = ["--metrics", metrics, "--log-level", "info", "--drain-seconds", "300"]
            seen, first, finished = {}, 0, False
            while not finished:
                is_over = time.monotonic() - began >= options.seconds
                first, finished = run_divided(
                    options.reptrace, lines, store, first,
                    None if is_over else rng.choice(["kill", "kill", "term"]), rng.uniform(2, 6),
                    seen, extra)
                killed += not finished
                finished = finished or first >= len(lines)
            run_whole(options.reptrace, [], store)
            figures = read_metrics(metrics)
            assert figures, "no metrics were written"
            told += len(seen)
            db = sqlite3.connect(store)
            counted = dict(db.execute(
                "SELECT setId, detectedReps FROM workout_set WHERE cause = 'declared'"))
            wrong = {key for key in expected if counted.get(key) != expected[key]}
            sent = len({sample for line in lines if b'"samples"' in line
                        for sample in unique_samples(line)})
            kept = db.execute("SELECT sum(sampleCount) FROM recording").fetchone()[0]
            watches += len(sources)
            if wrong or counted.keys() != expected.keys() or kept != sent:
                print(f"{len(wrong)} of {len(expected)} sets differ from `process`; "
                      f"{kept} of {sent} samples are in the history")
                return 1
    print(f"{watches} watches, {options.watches} at once, with late, repeated and lost chunks; "
          f"{killed} times killed or told to end. {told} events, none of them in two wordings; every set "
          "counted as `process` counts it, and every sample in the history once.")
    return 0


def unique_samples(line):
    chunk = json.loads(line)
    return [(chunk.get("sessionId"), chunk.get("setId"), sample["timestamp"])
            for sample in chunk["samples"]]


CHECKS = {"kills": kills, "load": load, "slow": slow, "curves": curves, "recovery": recovery,
          "restart": restart, "exits": exits, "soak": soak}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("check", choices=sorted(CHECKS))
    parser.add_argument("reptrace")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sets", type=int, default=5000)
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--store", action="store_true")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--only", action="append", choices=sorted(CURVES))
    parser.add_argument("--hours", type=float, default=8.0)
    parser.add_argument("--runs", type=int, default=20_000)
    parser.add_argument("--watches", type=int, default=2000)
    options = parser.parse_args()
    sys.exit(CHECKS[options.check](options))


main()
