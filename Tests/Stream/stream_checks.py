#!/usr/bin/env python3
"""Checks of `reptrace stream` from outside: kills, load, a slow reader.

  stream_checks.py kills REPTRACE [--kills N] [--seed N]
  stream_checks.py load REPTRACE [--sets N] [--seconds N] [--store]
  stream_checks.py slow REPTRACE

Each prints a short summary in Markdown and exits with 1 if a check did not hold.
"""
import argparse, glob, json, os, random, re, resource, select, signal, sqlite3, subprocess, sys
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
    left = db.execute("SELECT count(*) FROM journalSet").fetchone()[0]
    recordings = db.execute(
        "SELECT key, hex(digest), sampleCount, firstTime, lastTime FROM recording ORDER BY key"
    ).fetchall()
    sets = db.execute(
        "SELECT key, setId, position, cause, detectedReps, confidence, clockStart, clockEnd"
        " FROM historySet ORDER BY key").fetchall()
    return left, recordings, sets


def exported(reptrace, store):
    """Every sample of every recording, in the order of their names."""
    db = sqlite3.connect(store)
    rows = db.execute("SELECT key, number FROM (SELECT key, row_number() OVER (ORDER BY id)"
                      " AS number FROM historySet) ORDER BY key").fetchall()
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


def run_killed(reptrace, lines, store, first, delay):
    """Feeds lines from `first` on and kills after `delay` seconds.

    Returns the number of lines that need not be sent again, and whether it ended by itself."""
    process = subprocess.Popen([reptrace, "stream", "--store", store], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def feed():
        try:
            for line in lines[first:]:
                process.stdin.write(line + b"\n")
            process.stdin.close()
        except (BrokenPipeError, ValueError):
            pass

    feeder = threading.Thread(target=feed, daemon=True)
    killer = threading.Timer(delay, process.kill) if delay is not None else None
    feeder.start()
    if killer:
        killer.start()
    acked = 0
    for output in process.stdout:
        if output.endswith(b"\n"):
            event = json.loads(output)
            if event["event"] == "ack":
                acked = max(acked, event["line"])
    status = process.wait()
    if killer:
        killer.cancel()
    feeder.join()
    return first + acked, status == 0


def kills(options):
    rng = random.Random(options.seed)
    done = rounds = resumed = 0
    while done < options.kills:
        with tempfile.TemporaryDirectory() as folder:
            workouts = generate(options.reptrace, folder, 6, rng.randrange(1 << 30), sets=2)
            # What has come late once comes late always: some chunks change places, some come twice.
            for workout in workouts:
                for _ in range(len(workout) // 8):
                    a = rng.randrange(len(workout) - 3)
                    b = a + rng.randrange(1, 3)
                    if b"samples" in workout[a] and b"samples" in workout[b]:
                        workout[a], workout[b] = workout[b], workout[a]
                    if b"samples" in workout[a] and rng.random() < 0.3:
                        workout.insert(b, workout[a])
            lines = list(interleave(workouts, rng))
            whole = os.path.join(folder, "whole.sqlite")
            began = time.monotonic()
            run_whole(options.reptrace, lines, whole)
            duration = time.monotonic() - began
            expected, samples = contents(whole), exported(options.reptrace, whole)
            rounds += 1
            store = os.path.join(folder, "killed.sqlite")
            first = 0
            for _ in range(min(options.kills - done, 8)):
                delay = rng.uniform(0.0, 1.0) ** 2 * duration
                first, ended = run_killed(options.reptrace, lines, store, first, delay)
                done += 1
                resumed += first > 0
                if ended:
                    break
            first, ended = run_killed(options.reptrace, lines, store, first, None)
            if not ended or contents(store) != expected:
                got = contents(store)
                print(f"after {done} kills the store differs: {got[0]} left in the journal,",
                      [pair for pair in zip(expected[2], got[2]) if pair[0] != pair[1]][:3],
                      len(expected[1]), len(got[1]))
                return 1
            if exported(options.reptrace, store) != samples:
                print("the samples differ")
                return 1
            assert os.stat(store).st_mode & 0o777 == 0o600
    print(f"{done} kills with `kill -9` at random moments under load, in {rounds} rounds; "
          f"{resumed} restarts went on behind an acknowledged line. Each time the final store "
          "equalled that of an undisturbed run: sets, counts, confidence, and every sample.")
    return 0


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
        lines += [b"nonsense " + str(n).encode() for n in range(100_000)]
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
        return 0 if held < len(lines) and errors == 100_000 and status == 0 and peak < 3e8 else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("check", choices=["kills", "load", "slow"])
    parser.add_argument("reptrace")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sets", type=int, default=5000)
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--store", action="store_true")
    options = parser.parse_args()
    sys.exit({"kills": kills, "load": load, "slow": slow}[options.check](options))


main()
