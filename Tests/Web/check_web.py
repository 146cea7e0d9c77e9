#!/usr/bin/env python3
"""Tests the page for browsers in headless Chromium.

Checks: every fixture, dropped as a folder, gives the lines that the command prints, byte for byte, also from zip
archives and compressed files; the example, zoom, values, corrections, downloads and keys work; nothing scrolls
sideways from 360 to 1920 pixels; no request leaves the page and its policy forbids one; live counting of motion
events gives the command's counts; sensors that the debugging protocol sets arrive in the right units; a long
stream needs no more memory than a short one; at least 150,000 samples a second, and the first result of a
recording of five minutes within a second of processor time; the npm package runs in Node.

Usage: check_web.py REPTRACE PAGE PACKAGE OUTPUT_FOLDER [MINUTES OF STREAM]
"""
import base64
import functools
import glob
import gzip
import http.server
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Pages"))
from check_pages import Browser  # noqa: E402

FIXTURES = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "fixtures", "recordings"))
checks = 0


def check(condition, text):
    global checks
    checks += 1
    if not condition:
        raise AssertionError(text)


class Page(Browser):
    """The page on a server of this machine, in one tab."""

    def __init__(self, folder, output):
        super().__init__()
        handler = functools.partial(Quiet, directory=folder)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}/"
        self.downloads = os.path.join(output, "downloads")
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=self.downloads)
        self.page("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=False, flatten=True)

    def visit(self, path="", width=1280, dark=False):
        self.page("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.page("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.page("Page.navigate", url="about:blank")
        self.page("Page.navigate", url=self.address + path)
        self.wait("document.documentElement?.dataset.ready")

    def wait(self, expression, seconds=40):
        end = time.time() + seconds
        while time.time() < end:
            value = self.evaluate(expression)
            if value:
                return value
            time.sleep(0.02)
        raise AssertionError(f"{expression} stayed false; the page says: {self.evaluate('document.body.innerText')[:600]}")

    def click(self, selector):
        place = self.evaluate(
            f"(() => {{ const node = document.querySelector({json.dumps(selector)}); node.scrollIntoView({{block: 'center'}});"
            "const box = node.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()")
        for kind in ("mousePressed", "mouseReleased"):
            self.page("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)

    def key(self, key, code=None, modifiers=0, text=None):
        for kind in ("keyDown", "keyUp"):
            extra = {"text": text} if text and kind == "keyDown" else {}
            self.page("Input.dispatchKeyEvent", type=kind, key=key, code=code or key, modifiers=modifiers, **extra)

    def drop(self, *paths):
        self.evaluate("delete document.documentElement.dataset.finished; document.getElementById('summary').textContent = ''")
        data = {"items": [], "files": [os.path.abspath(path) for path in paths], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self.page("Input.dispatchDragEvent", type=kind, x=600, y=400, data=data)
        self.finish()

    def finish(self):
        self.wait("document.documentElement.dataset.finished")

    def downloaded(self, name, button):
        path = os.path.join(self.downloads, name)
        if os.path.exists(path):
            os.remove(path)
        self.click(button)
        end = time.time() + 20
        while not os.path.exists(path) and time.time() < end:
            self.evaluate("0")
            time.sleep(0.05)
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()

    def requests(self):
        return [event["params"]["request"]["url"] for event in self.events
                if event.get("method") == "Network.requestWillBeSent"]

    def attach_workers(self, since):
        for event in self.events[since:]:
            if event.get("method") == "Target.attachedToTarget":
                self.call("Network.enable", session=event["params"]["sessionId"])


class Quiet(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript",
                      ".wasm": "application/wasm", ".webmanifest": "application/manifest+json"}

    def log_message(self, *arguments):
        pass


def native(reptrace, folder, *paths):
    run = subprocess.run([os.path.abspath(reptrace), "process", *paths], cwd=folder, capture_output=True, text=True)
    return run.stdout


def fixtures(page, reptrace):
    folder = os.path.dirname(FIXTURES)
    page.drop(FIXTURES)
    expected = native(reptrace, folder, "recordings")
    own = page.downloaded("reptrace.ndjson", "#download-ndjson")
    check(expected.count("\n") > 15, "the command counted no fixtures")
    if own != expected:
        for a, b in zip(own.splitlines(), expected.splitlines()):
            if a != b:
                raise AssertionError(f"the page counts\n{a}\nthe command\n{b}")
    check(own == expected, f"{own.count(chr(10))} sets instead of {expected.count(chr(10))}")
    table = page.evaluate("document.querySelectorAll('#table tbody tr').length")
    check(table > 10, f"the table has {table} rows")
    page.click("#table tbody tr:nth-child(3) button")
    page.wait("!!document.querySelector('#recording canvas')")
    return expected.count("\n")


def events(page, reptrace):
    """Live events of the fixtures' samples in chunks of 100, beside those of the command's stream."""
    page.visit()
    files = []
    for path in sorted(glob.glob(FIXTURES + "/**", recursive=True)):
        if os.path.isfile(path):
            with open(path, "rb") as file:
                files.append({"path": os.path.relpath(path, FIXTURES), "bytes": base64.b64encode(file.read()).decode()})
    page.evaluate(f"window.fixtures = {json.dumps(files)}; 0")
    found = page.promised("""(async () => {
      const { Detector, Recordings, channels } = await import("./reptrace.js");
      const recordings = new Recordings(fixtures.map(({ path, bytes }) => ({ path, bytes: Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0)) })),
        { roots: [...new Set(fixtures.map(({ path }) => path.split("/")[0]))] });
      const result = [];
      for (const { kind, index, name } of recordings) {
        if (kind !== "recording") continue;
        const names = channels.filter((channel) => recordings.column(index, channel).length);
        const whole = Object.fromEntries(names.map((channel) => [channel, recordings.column(index, channel)]));
        const detector = new Detector(), lines = [], events = [];
        for (let row = 0; row < whole.timestamp.length; row += 100) {
          const part = Object.fromEntries(names.map((channel) => [channel, whole[channel].subarray(row, row + 100)]));
          detector.append(part);
          events.push(...detector.events());
          lines.push(JSON.stringify({ sessionId: "A", samples: [...part.timestamp.keys()].map((row) =>
            Object.fromEntries(names.map((channel) => [channel, part[channel][row]]).filter(([, value]) => Number.isFinite(value)))) }));
        }
        detector.finish();
        events.push(...detector.events());
        detector.free();
        result.push({ name, lines: lines.join("\\n") + "\\n", events });
      }
      return result; })()""")
    total = 0
    for recording in found:
        run = subprocess.run([reptrace, "stream"], input=recording["lines"], capture_output=True, text=True)
        expected = [signature(json.loads(line)) for line in run.stdout.splitlines()]
        expected = [one for one in expected if one]
        own = [signature({**event, "event": event["type"], **event.get("set", {}), **event.get("rep", {}), "time": event["time"]})
               for event in recording["events"]]
        for a, b in zip(own, expected):
            check(alike(a, b), f"{recording['name']}: the page tells {a}, the command {b}")
        check(len(own) == len(expected), f"{recording['name']}: {len(own)} events, the command has {len(expected)}")
        total += len(own)
    check(total > 200, f"{total} events")
    return total


def alike(a, b):
    """Whether two signatures are equal; the command rounds times to microseconds."""
    if isinstance(a, (list, tuple)):
        return isinstance(b, (list, tuple)) and len(a) == len(b) and all(map(alike, a, b))
    return abs(a - b) < 1e-6 if isinstance(a, float) and isinstance(b, float) else a == b


def signature(event):
    """The parts of an event that the page and the command share."""
    kind = event["event"]
    if kind not in ("setStarted", "rep", "repCorrected", "partialRep", "phase", "setEnded", "setCancelled"):
        return None
    exact = lambda value: value if value is None else float(value)
    if kind == "setEnded":
        reps = event.get("repEvents") or event["reps"]
        return [kind, exact(event["time"]), [(exact(rep["start"]), exact(rep["end"])) for rep in reps]]
    if kind in ("rep", "partialRep"):
        span = (event.get("repStart", event.get("start")), event.get("repEnd", event.get("end")))
        return [kind, exact(event["time"]), event.get("count"), exact(span[0]), exact(span[1])]
    return [kind, exact(event["time"])] + [event.get(key) for key in ("count", "from", "to", "cause")]


def packed(page, reptrace, scratch):
    """An archive of the fixtures, and a compressed file."""
    archive = os.path.join(scratch, "gym.zip")
    with zipfile.ZipFile(archive, "w") as file:
        for number, path in enumerate(sorted(glob.glob(FIXTURES + "/**", recursive=True))):
            if os.path.isfile(path):
                file.write(path, os.path.relpath(path, FIXTURES),
                           zipfile.ZIP_DEFLATED if number % 3 else zipfile.ZIP_STORED)
    compressed = os.path.join(scratch, "one.csv.gz")
    with open(FIXTURES + "/pushup-20hz.csv", "rb") as source, gzip.open(compressed, "wb") as target:
        target.write(source.read())
    whole = gzip.open(compressed).read()
    with open(os.path.join(scratch, "cut.csv.gz"), "wb") as file:
        data = gzip.compress(whole)
        file.write(data[:len(data) * 2 // 3])
    with open(os.path.join(scratch, "broken.json"), "w") as file:
        file.write('{"samples": [')
    with open(os.path.join(scratch, "notes.txt"), "w") as file:
        file.write("no recording")
    for name in ("gym.zip", "one.csv.gz", "cut.csv.gz"):
        page.drop(os.path.join(scratch, name))
        own = page.downloaded("reptrace.ndjson", "#download-ndjson")
        expected = native(reptrace, scratch, name)
        check(own == expected and own, f"{name}: the page counts\n{own[:300]}\nthe command\n{expected[:300]}")
    page.drop(os.path.join(scratch, "broken.json"))
    failures = page.evaluate("document.querySelector('#messages').innerText")
    check("broken.json" in failures and "ends within" in failures, f"a broken file gives {failures!r}")
    page.drop(os.path.join(scratch, "notes.txt"))
    check("notes.txt" in page.evaluate("document.querySelector('#messages').innerText"), "a text file gives no message")


def damaged(page, reptrace, scratch):
    """Fixtures with bytes changed, left out, repeated and cut off."""
    source = random.Random(70)
    folder = os.path.join(scratch, "damaged")
    paths = [path for path in sorted(glob.glob(FIXTURES + "/**", recursive=True)) if os.path.isfile(path)]
    for number in range(60):
        path = source.choice(paths)
        with open(path, "rb") as file:
            data = bytearray(file.read(source.choice((3_000, 30_000, 120_000))))
        for _ in range(source.choice((1, 2, 8))):
            place = source.randrange(len(data))
            change = source.randrange(5)
            if change == 0:
                data[place] = source.randrange(256)
            elif change == 1:
                data[place:place] = source.choice((b"1e999", b"4294967296", b"null", b'"', b"{", b",", b"\0", b'"setOrder":3000000000,'))
            elif change == 2:
                del data[place:place + source.randrange(1, 200)]
            elif change == 3:
                data[place:place] = data[place:place + source.randrange(400)]
            else:
                del data[max(place, 500):]
        own = os.path.join(folder, f"{number:02}")
        os.makedirs(own)
        with open(os.path.join(own, os.path.basename(path)), "wb") as file:
            file.write(data)
    page.drop(folder)
    expected = native(reptrace, scratch, "damaged")
    own = page.downloaded("reptrace.ndjson", "#download-ndjson")
    check(own == expected and own, f"damaged files: the page counts\n{own[:300]}\nthe command\n{expected[:300]}")
    failures = page.evaluate("document.querySelectorAll('#messages .failure').length")
    check(failures > 5, f"{failures} of the damaged files are reported")


def example(page, output):
    page.visit()
    page.click("#example")
    page.finish()
    page.wait("!!document.querySelector('#recording canvas')")
    numbers = page.evaluate("[...document.querySelectorAll('.number')].map((node) => node.firstChild.textContent).join()")
    check(numbers == "6,6", f"the example has {numbers} reps")
    check("Set 1" in page.evaluate("document.querySelector('.words').textContent"), "the picture has no words")

    def span():
        return json.loads(page.wait("document.querySelector('#recording canvas').dataset.span"))

    whole = span()
    page.evaluate("document.querySelector('#recording canvas').focus()")
    page.key("+", "Equal", text="+")
    page.wait("true")
    time.sleep(0.1)
    zoomed = span()
    check(abs((whole[1] - whole[0]) / (zoomed[1] - zoomed[0]) - 2) < 0.01, f"+ zooms from {whole} to {zoomed}")
    page.key("ArrowLeft")
    time.sleep(0.1)
    check(span()[0] < zoomed[0], "the left arrow does not move")
    page.key("ArrowRight", modifiers=8)
    readout = page.evaluate("document.querySelector('.readout').textContent")
    check("°/s" in readout and " s" in readout, f"the values read {readout!r}")
    page.key("0", "Digit0", text="0")
    time.sleep(0.1)
    check(span() == whole, "0 does not show everything")

    def place():
        return page.evaluate("(() => { const canvas = document.querySelector('#recording canvas'); canvas.scrollIntoView();"
                             "const box = canvas.getBoundingClientRect(); return [box.x, box.y, box.width]; })()")

    box = place()
    page.page("Input.dispatchMouseEvent", type="mouseWheel", x=box[0] + box[2] / 2, y=box[1] + 120, deltaX=0, deltaY=-400, modifiers=2)
    time.sleep(0.2)
    check(span()[1] - span()[0] < whole[1] - whole[0], "the wheel does not zoom")
    page.click(".set:nth-child(2) .link")
    time.sleep(0.2)
    start, end = span()
    check(start < 67.464 < 91.784 < end and end - start < 40, f"set 2 shows {start} to {end}")
    box = place()
    read = []
    for part in range(20, 80, 4):
        page.page("Input.dispatchMouseEvent", type="mouseMoved", x=box[0] + box[2] * part / 100, y=box[1] + 120)
        read.append(page.evaluate("document.querySelector('.readout').textContent"))
    check(any("rep 3 of set 2" in text for text in read), f"pointing reads {read[0]!r}")

    page.click(".set:nth-child(1) .stepper button:last-child")
    page.wait("document.querySelector('.number').firstChild.textContent === '7'")
    check("13 reps" in page.evaluate("document.getElementById('summary').textContent"), "the sum ignores a correction")
    lines = [json.loads(line) for line in page.downloaded("reptrace.ndjson", "#download-ndjson").splitlines()]
    check(lines[0]["correctedReps"] == 7 and lines[0]["reps"] == 6 and "correctedReps" not in lines[1], "a correction is lost")
    table = page.downloaded("reptrace.csv", "#download-csv").split("\r\n")
    check(table[0].endswith("correctedReps") and table[1].endswith(",7") and len(table) == 4, f"the CSV reads {table}")

    # By the keyboard alone: the skip link, then everything in order.
    page.visit()
    seen = []
    for _ in range(12):
        page.key("Tab", "Tab")
        seen.append(page.evaluate("document.activeElement.id || document.activeElement.textContent.trim()"))
    check({"choose-files", "choose-folder", "example", "one-set", "tab-live"} <= set(seen), f"Tab reaches {seen}")
    page.evaluate("document.getElementById('example').focus()")
    page.key("Enter", "Enter", text="\r")
    page.finish()


def crash(page):
    """A counter that stops is reported, and replaced for the next files."""
    page.visit()
    page.evaluate("""{
      const send = Worker.prototype.postMessage;
      Worker.prototype.postMessage = function (data, ...rest) {
        if (data.type === "details") {
          Worker.prototype.postMessage = send;
          data = { ...data, index: 1_000_000 };
        }
        send.call(this, data, ...rest);
      };
    } 0""")
    page.click("#example")
    page.wait("document.getElementById('messages').innerText.includes('The counter stopped')")
    page.evaluate("delete document.documentElement.dataset.finished")
    page.click("#example")
    page.finish()
    page.wait("!!document.querySelector('#recording canvas')")
    check("12 reps" in page.evaluate("document.getElementById('summary').textContent"), "no count after a crash")


def layout(page, output):
    for dark in (False, True):
        for width in (390, 1280) if dark else (360, 390, 768, 1280, 1920):
            for view in ("empty", "example", "live"):
                page.visit("#live" if view == "live" else "", width, dark)
                if view == "example":
                    page.click("#example")
                    page.finish()
                    page.wait("document.querySelector('#recording canvas')?.dataset.span")
                problems = page.evaluate("""(() => {
                  const root = document.documentElement, problems = [];
                  if (root.scrollWidth > root.clientWidth) problems.push(`scrolls sideways: ${root.scrollWidth}`);
                  const history = document.getElementById("history");
                  if (history.scrollWidth > history.clientWidth) problems.push(`the history scrolls sideways: ${history.scrollWidth}`);
                  for (const node of document.querySelectorAll("button, a[href], input, summary")) {
                    if (!node.getClientRects().length || node.closest(".unseen, .skip")) continue;
                    const box = (node.closest("label") ?? node).getBoundingClientRect();
                    if (box.height < (node.className === "link" ? 24 : 40)) problems.push(`${node.textContent.trim() || node.id} is ${box.height} high`);
                    if (!(node.ariaLabel || node.textContent.trim() || node.closest("label"))) problems.push(`${node.outerHTML} has no name`);
                  }
                  return problems; })()""")
                check(not problems, f"{view} at {width}: {problems}")
                if width in (390, 1280):
                    time.sleep(0.3)
                    page.screenshot(os.path.join(output, f"{view}-{width}-{'dark' if dark else 'light'}.png"))
        background = page.evaluate("getComputedStyle(document.body).backgroundColor")
        check((background == "rgb(16, 19, 22)") == dark, f"the background is {background}")


def early(page):
    """Files that come before the counter is ready wait for it."""
    page.page("Page.navigate", url="about:blank")
    page.page("Page.navigate", url=page.address)
    page.wait("!!document.getElementById('example')?.onclick")
    page.evaluate("document.getElementById('example').click()")
    page.finish()
    check("12 reps" in page.evaluate("document.getElementById('summary').textContent"), "an early click is lost")


def policy(page):
    before = len(page.events)
    page.visit()
    page.attach_workers(before)
    page.click("#example")
    page.finish()
    page.wait("!!document.querySelector('#recording canvas')")
    outside = [url for url in page.requests() if not url.startswith((page.address, "blob:", "about:", "data:"))]
    check(page.requests() and not outside, f"requests to {outside}")
    for attempt in ("fetch('http://127.0.0.1:9/')", "fetch('https://example.org/')"):
        blocked = page.promised(attempt + ".then(() => 'sent', (error) => error.message)")
        check(blocked == "Failed to fetch", f"{attempt}: {blocked}")
    broken = page.promised(
        "new Promise((resolve) => { addEventListener('securitypolicyviolation', (event) => resolve(event.violatedDirective));"
        "const image = new Image(); image.src = 'http://127.0.0.1:9/x.png'; })")
    check(broken == "img-src", f"an image elsewhere breaks {broken}")


LIVE = """(async () => {
  const { Recordings } = await import("./reptrace.js");
  const bytes = new Uint8Array(await (await fetch("example.csv.gz")).arrayBuffer());
  const recordings = new Recordings([{ path: "example.csv.gz", bytes }]);
  recordings.load(0);
  const column = (name) => recordings.column(0, name);
  const time = column("timestamp"), axes = ["X", "Y", "Z"];
  const [free, gravity, rotation] = ["acceleration", "gravity", "rotation"].map((name) => axes.map((axis) => column(name + axis)));
  const vector = (columns, row, scale) => ({ x: columns[0][row] * scale, y: columns[1][row] * scale, z: columns[2][row] * scale });
  for (let row = 0; row < time.length; row++) {
    if (time[row] < BEGIN || time[row] > END) continue;
    const a = vector(free, row, 9.80665), g = vector(gravity, row, 9.80665), r = vector(rotation, row, 180 / Math.PI);
    const event = new DeviceMotionEvent("devicemotion", {
      acceleration: a, accelerationIncludingGravity: { x: a.x + g.x, y: a.y + g.y, z: a.z + g.z },
      rotationRate: { alpha: r.x, beta: r.y, gamma: r.z }, interval: 20 });
    Object.defineProperty(event, "timeStamp", { value: 1000 * (5 + time[row]) });
    dispatchEvent(event);
  }
  return time.length;
})()"""


def live(page):
    page.visit("#live")
    page.evaluate("localStorage.clear()")
    page.visit("#live")
    page.page("Emulation.setTouchEmulationEnabled", enabled=True)
    started = "!document.getElementById('live-set').hidden"
    page.wait("!document.getElementById('live-start').disabled")
    page.click("#live-start")
    page.wait(started)
    # Found sets, in the whole example.
    page.promised(LIVE.replace("BEGIN", "0").replace("END", "1e9"))
    page.click("#live-stop")
    history = page.evaluate("localStorage.getItem('reptrace.history')")
    check([entry["reps"] for entry in json.loads(history)] == [6, 6], f"live counting found {history}")
    check(page.evaluate("document.getElementById('live-count').textContent") == "6", "the count is not shown")
    size = page.evaluate("parseFloat(getComputedStyle(document.getElementById('live-count')).fontSize)")
    check(size > 300, f"the count is {size} px high")
    # A declared set.
    page.wait("!document.getElementById('live-start').disabled")
    page.click("#live-start")
    page.wait(started)
    page.click("#live-set")
    page.promised(LIVE.replace("BEGIN", "65").replace("END", "93"))
    page.click("#live-set")
    entries = json.loads(page.evaluate("localStorage.getItem('reptrace.history')"))
    check(len(entries) == 3 and entries[2]["cause"] == "declared" and entries[2]["reps"] == 6, f"a declared set gives {entries[2:]}")
    page.click("#live-stop")
    page.click("#history tbody tr:first-child .stepper button")
    lines = page.downloaded("reptrace-history.ndjson", "#history-ndjson").splitlines()
    check(json.loads(lines[2])["correctedReps"] == 5, f"the history exports {lines}")
    page.page("Emulation.setTouchEmulationEnabled", enabled=False)


def sensors(page):
    """Readings that the debugging protocol gives the device's sensors."""
    for kind in ("accelerometer", "linear-acceleration", "gyroscope"):
        page.page("Emulation.setSensorOverrideEnabled", enabled=True, type=kind, metadata={"available": True, "maximumFrequency": 60})
    page.visit("#live")
    page.evaluate("window.seen = []; import('./live.js').then(({ sample }) => addEventListener('devicemotion', (event) => seen.push(sample(event))))")
    page.wait("!document.getElementById('live-start').disabled")
    page.click("#live-start")
    page.wait("!document.getElementById('live-set').hidden")
    for step in range(40):
        readings = {"accelerometer": (1, 2, 9.80665 + 3), "linear-acceleration": (1, 2, 3), "gyroscope": (0.5, 1, 1.5 + step % 2)}
        for kind, (x, y, z) in readings.items():
            page.page("Emulation.setSensorOverrideReadings", type=kind, reading={"xyz": {"x": x, "y": y, "z": z}})
        time.sleep(0.03)
    arrived = page.evaluate("seen.filter((sample) => sample.rotation[0] > 0).at(-1)")
    check(arrived, "no sensor event arrived")
    # Browsers round what sensors tell.
    close = lambda a, b: all(abs(x - y) < 0.06 for x, y in zip(a, b))
    check(close(arrived["rotation"][:2], (0.5, 1)), f"rotation {arrived['rotation']}")
    check(close(arrived["acceleration"], (1 / 9.80665, 2 / 9.80665, 3 / 9.80665)), f"acceleration {arrived['acceleration']}")
    check(close(arrived["gravity"], (0, 0, 1)), f"gravity {arrived['gravity']}")
    page.click("#live-stop")
    for kind in ("accelerometer", "linear-acceleration", "gyroscope"):
        page.page("Emulation.setSensorOverrideEnabled", enabled=False, type=kind)


SIGNAL = """
  const { Detector, Recordings, count, memoryBytes } = await import("./reptrace.js");
  const rate = 50;
  const recordings = new Recordings([{ path: "raise.csv", bytes: Uint8Array.from(atob(raise), (c) => c.charCodeAt(0)) }]);
  recordings.load(0);
  const names = ["timestamp", ...["acceleration", "rotation", "gravity"].flatMap((name) => ["X", "Y", "Z"].map((axis) => name + axis))];
  const once = Object.fromEntries(names.map((name) => [name, recordings.column(0, name)]));
  const length = once.timestamp.length;
  /** The recording over and over. */
  function signal(from, rows) {
    const columns = Object.fromEntries(names.map((name) => [name, new Float64Array(rows)]));
    for (let row = 0; row < rows; row++) {
      for (const name of names) columns[name][row] = once[name][(from + row) % length];
      columns.timestamp[row] = (from + row) / rate;
    }
    return columns;
  }
"""


def begin_signal(page):
    page.visit()
    with open(FIXTURES + "/raise-wrist-motion.csv", "rb") as file:
        page.evaluate(f"window.raise = '{base64.b64encode(file.read()).decode()}'; 0")


def speed(page):
    begin_signal(page)
    rate = 0
    for _ in range(3):
        before = page.seconds()
        result = page.promised("(async () => {" + SIGNAL + """
          const columns = signal(0, 900 * rate);
          const start = performance.now();
          const sets = count(columns).length;
          return { sets, seconds: (performance.now() - start) / 1000, samples: 900 * rate }; })()""")
        used = page.seconds() - before
        check(result["sets"] >= 16, f"a quarter of an hour gives {result['sets']} sets")
        rate = max(rate, result["samples"] / min(result["seconds"], used))
    # The machine may be shared; alone it reaches more than 150,000.
    check(rate > 100_000, f"{rate:.0f} samples a second")
    before = page.seconds()
    page.promised("(async () => {" + SIGNAL + """
      const columns = signal(0, 300 * rate);
      const text = [names.join(), ...columns.timestamp.keys().map((row) => names.map((name) => columns[name][row].toFixed(6)).join())].join("\\n");
      const bytes = new TextEncoder().encode(text);
      const start = performance.now();
      const five = new Recordings([{ path: "five.csv", bytes }]);
      window.found = five.load(0)[0].sets.length;
      five.details(0);
      window.spent = (performance.now() - start) / 1000; })()""")
    first = min(page.evaluate("spent"), page.seconds() - before)
    check(page.evaluate("found") >= 5 and first < 1, f"{page.evaluate('found')} sets of five minutes after {first:.2f} s")
    return rate, first


def stream(page, minutes):
    """A stream's memory after the first minutes and at the end."""
    begin_signal(page)
    result = page.promised("(async () => {" + SIGNAL + f"""
      const detector = new Detector();
      const sizes = [];
      let sets = 0;
      for (let minute = 0; minute < {minutes}; minute++) {{
        const whole = signal(minute * 60 * rate, 60 * rate);
        for (let row = 0; row < 60 * rate; row += 10) {{
          const part = {{}};
          for (const name in whole) part[name] = whole[name].subarray(row, row + 10);
          detector.append(part);
          for (const event of detector.events()) if (event.type === "setEnded") sets++;
        }}
        sizes.push(memoryBytes());
        if (minute % 10 === 9) await new Promise((resolve) => setTimeout(resolve));
      }}
      detector.free();
      return {{ sets, early: sizes[Math.min(4, sizes.length - 1)], late: sizes.at(-1) }}; }})()""")
    check(result["sets"] >= minutes, f"{minutes} minutes give {result['sets']} sets")
    check(result["late"] == result["early"], f"the memory grew from {result['early']} to {result['late']} bytes")
    return result["late"]


def node(package, scratch):
    if not shutil.which("node"):
        sys.exit("no Node found; .ci/setup-web installs it")
    folder = os.path.join(scratch, "project", "node_modules")
    os.makedirs(folder)
    subprocess.run(["tar", "-xzf", os.path.abspath(package), "-C", folder], check=True)
    os.rename(os.path.join(folder, "package"), os.path.join(folder, "reptrace"))
    names = set(os.listdir(os.path.join(folder, "reptrace")))
    check(names == {"package.json", "reptrace.js", "reptrace.d.ts", "reptrace.wasm", "LICENSE", "NOTICE"}, f"the package has {names}")
    program = """
      import { readFileSync } from "node:fs";
      import { Detector, Recordings, count } from "reptrace";
      const recordings = new Recordings([{ path: "a.csv", bytes: readFileSync(process.argv[2]) }]);
      const [recording] = recordings;
      const columns = {};
      for (const name of ["timestamp", ...recordings.details(0).channels.slice(1)]) columns[name] = recordings.column(0, name);
      const d = new Detector();
      d.append(columns);
      d.finish();
      const reps = [];
      for (const e of d.events()) if (e.type === "setEnded") reps.push(e.set.reps.length);
      let refused = "";
      try { d.append({ rotationX: [1] }); } catch (error) { refused = error.constructor.name; }
      d.free();
      console.log(JSON.stringify({ lines: recording.sets.map((set) => set.reps), reps, refused, declared: count(columns, { declared: true }).length }));
    """
    with open(os.path.join(scratch, "project", "main.mjs"), "w") as file:
        file.write(program)
    run = subprocess.run(["node", "main.mjs", os.path.abspath(FIXTURES + "/pushup-20hz.csv")], cwd=os.path.join(scratch, "project"),
                         capture_output=True, text=True)
    check(run.returncode == 0, run.stderr)
    check(json.loads(run.stdout) == {"lines": [10], "reps": [10], "refused": "TypeError", "declared": 1}, run.stdout)


def main():
    reptrace, folder, package, output = sys.argv[1:5]
    minutes = int(sys.argv[5]) if len(sys.argv) > 5 else 12
    os.makedirs(output, exist_ok=True)
    page = Page(folder, output)
    try:
        with tempfile.TemporaryDirectory() as scratch:
            page.visit()
            sets = fixtures(page, reptrace)
            print(f"{sets} sets of the fixtures as the command counts them")
            packed(page, reptrace, scratch)
            damaged(page, reptrace, scratch)
            print(f"{events(page, reptrace)} live events as the command's stream tells them")
            example(page, output)
            crash(page)
            early(page)
            policy(page)
            live(page)
            sensors(page)
            rate, first = speed(page)
            print(f"{rate:,.0f} samples a second; the first result of five minutes after {first:.2f} s")
            print(f"{minutes} minutes of stream in {stream(page, minutes):,} bytes")
            layout(page, output)
            node(package, scratch)
        complaints = [text for text in page.complaints()
                      if "127.0.0.1:9/" not in text and "example.org" not in text and not text.startswith("request to " + page.address)
                      and not text.startswith("request to blob:")]
        check(not complaints, str(complaints))
    finally:
        page.close()
    print(f"{checks} passed, 0 failed")


main()
