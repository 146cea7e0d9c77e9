#!/usr/bin/env python3
"""Renders plots and reports in headless Chromium at two widths and checks them.

Checks: no message on the console, no alert, no sideways scrolling, no label outside of its
picture, no two labels of a picture over each other, panning and zooming works, lines break only at
gaps however far one zooms, axes follow the zoom, the crosshair tells values, lines can be switched
off, buttons have names and are large enough to touch, text contrasts with its ground, pages are a few
screens long on a phone and hide nothing in a scroller, tables can be sorted, sets unfold, a report is
printed on two pages, one of 200 sets is under 5 MB, one of 400 stored sets is written in 5 s, and pages
open in under a second and zoom in under 0.1 s.

Usage: check_pages.py REPTRACE OUTPUT_FOLDER
"""
import base64
import csv
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import time

WIDTHS = (1280, 390)
HOSTILE = "</script><script>alert(1)</script>"


# ---------------------------------------------------------------- recordings

def smooth(u):
    return u * u * u * (10 + u * (6 * u - 15))


def turn(q, axis, angle):
    w, x, y, z = q
    s, c = math.sin(angle / 2), math.cos(angle / 2)
    a, b, d = (s * v for v in axis)
    return (w * c - x * a - y * b - z * d, w * a + x * c + y * d - z * b,
            w * b - x * d + y * c + z * a, w * d + x * b - y * a + z * c)


class Scene:
    """Angles of a hinge over time, sampled as a watch would."""

    def __init__(self, seed, noise=0.02):
        self.random = random.Random(seed)
        self.noise = noise
        self.keys = [(0.0, 0.0)]
        self.gaps = []

    def hold(self, seconds):
        self.keys.append((self.keys[-1][0] + seconds, self.keys[-1][1]))

    def move(self, angle, seconds):
        self.keys.append((self.keys[-1][0] + seconds, angle))

    def fidget(self, seconds):
        end = self.keys[-1][0] + seconds
        while self.keys[-1][0] < end:
            self.move(self.random.uniform(-25, 25), self.random.uniform(0.4, 1.6))
        self.move(0, 0.6)

    def reps(self, count, span=110, out=1.1, back=1.6, far=0.2, rest=0.3, tire=0.0):
        for index in range(count):
            slow = 1 + tire * index / max(count - 1, 1)
            jitter = lambda: self.random.uniform(0.95, 1.05)
            self.move(span * jitter() / (1 + (slow - 1) / 3), out * slow * jitter())
            if far:
                self.hold(far)
            self.move(0, back * jitter())
            if rest:
                self.hold(rest * jitter())

    def angle(self, t, hint=[0]):
        keys = self.keys
        i = min(hint[0], len(keys) - 2)
        while i > 0 and t < keys[i][0]:
            i -= 1
        while i < len(keys) - 2 and t >= keys[i + 1][0]:
            i += 1
        hint[0] = i
        (t0, a0), (t1, a1) = keys[i], keys[i + 1]
        u = min(max((t - t0) / (t1 - t0), 0), 1) if t1 > t0 else 1
        return a0 + (a1 - a0) * smooth(u)

    def rows(self, rate=50):
        axis = (0.1, 0.95, 0.2958)
        r = self.random
        for k in range(int(self.keys[-1][0] * rate)):
            t = k / rate
            if any(a < t < b for a, b in self.gaps):
                continue
            angle = math.radians(self.angle(t))
            speed = math.radians(self.angle(t + 0.002) - self.angle(t - 0.002)) / 0.004
            w, x, y, z = turn((0.92, 0.23, 0.0, 0.31), axis, angle)
            gravity = (-2 * (x * z - w * y), -2 * (y * z + w * x), -(1 - 2 * (x * x + y * y)))
            noise = lambda size: r.uniform(-size, size)
            yield ([t] + [noise(self.noise * 2) for _ in range(3)]
                   + [a * speed + noise(self.noise) for a in axis] + list(gravity))


COLUMNS = ["timestamp"] + [n + a for n in ("acceleration", "rotation", "gravity") for a in "XYZ"]


def write(scene, path):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(COLUMNS)
        for row in scene.rows():
            out.writerow([f"{v:.6f}" for v in row])


def scenes():
    def scene(seed, noise=0.02):
        s = Scene(seed, noise)
        s.fidget(6)
        s.hold(3)
        return s

    s = scene(1); s.reps(10); s.hold(5); yield "clean", s
    s = scene(2, 0.35); s.reps(8); s.hold(5); yield "noisy", s
    s = scene(3); s.reps(5); s.hold(6); s.reps(4); s.hold(6); yield "pause", s
    s = scene(4); s.reps(5); s.move(35, 0.6); s.move(0, 0.7); s.reps(3); s.move(40, 0.7)
    s.move(0, 0.8); s.hold(5); yield "partials", s
    s = scene(5); s.reps(9); s.hold(5); s.gaps = [(16, 19), (27, 28.2)]; yield "drop-out", s
    s = scene(6); s.reps(8); s.hold(20); s.fidget(10); s.hold(4); s.reps(6, span=70); s.hold(8)
    yield "two bouts", s
    s = scene(7); s.reps(40, out=0.4, back=0.5, far=0, rest=0); s.hold(5); yield "fast", s
    s = scene(8); s.reps(9, tire=0.9); s.fidget(5); yield "tired", s
    s = Scene(9); s.hold(40); yield "no set", s
    s = scene(10); s.reps(6); s.hold(5)
    yield "x</script><script>alert(1)<" + "/script>\"'><img src=x onerror=alert(2)>", s


def hour():
    s = Scene(11)
    for index in range(40):
        s.fidget(20)
        s.hold(25)
        s.reps(10)
        s.hold(8)
    return s


def three_hours():
    """Sets and rests; a gap of 4 s after one hour, and none elsewhere."""
    s = Scene(13)
    for index in range(150):
        s.fidget(10)
        s.hold(30)
        s.reps(9)
        s.hold(5)
    s.gaps = [(3600, 3604)]
    return s


def chunks(path):
    """A session of chunks with phases, heart rate and hostile ids."""
    s = Scene(12)
    s.hold(2)
    s.reps(8)
    s.hold(3)
    rows = list(s.rows())
    ids = {"sessionId": HOSTILE, "exerciseId": HOSTILE,
           "setId": "6B1D3F8A-0000-4000-8000-0000000000AA"}
    with open(path, "w") as file:
        for start in range(0, len(rows), 100):
            samples = [dict(zip(COLUMNS, row)) for row in rows[start:start + 100]]
            file.write(json.dumps(
                {**ids, "phase": "execution", "samples": samples, "metadata": {"note": HOSTILE}})
                + "\n")


def team(reptrace, run, folder):
    """A history of two people, who train two exercises for half a year with growing loads."""
    made, store = os.path.join(folder, "made"), os.path.join(folder, "team.sqlite")
    labels = os.path.join(folder, "team.csv")
    with open(labels, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["recording", "exercise", "user", "date", "weight", "set"])
        for number, exercise in enumerate(("squat", "row")):
            run("generate", "-o", os.path.join(made, exercise), "--exercise", exercise, "--count",
                "200", "--sets", "1", "--seed", str(number + 1), "--faults", "none", "--rest", "5")
            names = sorted(os.listdir(os.path.join(made, exercise, "recordings")))
            for k, name in enumerate(names):
                day = time.gmtime(1.78e9 + k // 8 * 7 * 86400 + k % 2 * 86400)
                out.writerow([
                    name[:-4], exercise, "Anna" if k % 2 else "Ben",
                    time.strftime("%Y-%m-%d 18:", day) + f"{k % 8 * 5 + number:02}",
                    40 + k // 16 * 2.5 - k // 2 % 4 // 2 * 5, k // 2 % 4 + 1])
    run("process", made, "--labels", labels, "--store", store)
    listed = subprocess.run([reptrace, "history", "list", store, "--user", "*", "--output", "ndjson"],
                            capture_output=True, text=True).stdout.splitlines()
    for line, reps in zip(listed, ("9", "4")):
        run("history", "correct", store, json.loads(line)["set"], "--reps", reps)
    return store


# ---------------------------------------------------------------- browser

class Browser:
    """Chromium over its DevTools pipe: messages of JSON, ended by a zero byte."""

    def __init__(self):
        name = next((n for n in ("chromium", "chromium-browser", "google-chrome")
                     if shutil.which(n)), None)
        if not name:
            sys.exit("no Chromium found; .ci/setup-pages installs it")
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()

        def place():
            # Out of the way first: either may be 3 or 4 already.
            a, b = os.dup(to_browser), os.dup(from_browser)
            a, b = os.dup2(a, 20), os.dup2(b, 21)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(
            [name, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--remote-debugging-pipe", "about:blank"],
            preexec_fn=place, close_fds=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.next = 0
        self.events = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.page(domain + ".enable")
        # Processor time of the page's thread: what the page costs, however busy the machine is.
        self.page("Performance.enable", timeDomain="threadTicks")

    def read(self):
        while b"\0" not in self.buffer:
            data = os.read(self.input, 1 << 20)
            if not data:
                raise RuntimeError("the browser ended")
            self.buffer += data
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def send(self, method, session, params):
        self.next += 1
        message = {"id": self.next, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.output, data):]
        return self.next

    def call(self, method, session=None, **params):
        number = self.send(method, session, params)
        while True:
            answer = self.read()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)
            if answer.get("method") == "Page.javascriptDialogOpening":
                self.alerts += 1
                # Left open it would keep the page from answering.
                self.send("Page.handleJavaScriptDialog", answer.get("sessionId"), {"accept": True})

    alerts = 0

    def page(self, method, **params):
        return self.call(method, session=self.session, **params)

    def evaluate(self, expression):
        answer = self.page("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(str(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def promised(self, expression):
        answer = self.page("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(str(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def seconds(self):
        """Processor time that the page's thread spent on tasks so far."""
        metrics = self.page("Performance.getMetrics")["metrics"]
        return next(m["value"] for m in metrics if m["name"] == "TaskDuration")

    def open(self, path, width, dark=False):
        """Opens a page; gives the processor time until it is laid out, in seconds."""
        self.events = []
        self.page("Emulation.setDeviceMetricsOverride", width=width, height=900,
                  deviceScaleFactor=1, mobile=False)
        self.page("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.page("Page.navigate", url="file://" + "".join(
            c if c.isalnum() or c in "/-_." else f"%{ord(c):02X}" for c in os.path.abspath(path)))
        while self.evaluate("document.readyState") != "complete":
            time.sleep(0.01)
        self.evaluate("document.documentElement.getBoundingClientRect().height")
        # The count begins anew with every page.
        return self.seconds()

    def complaints(self):
        """What the console, the policy and the network said."""
        result = []
        for event in self.events:
            method, params = event.get("method"), event.get("params", {})
            if method == "Runtime.consoleAPICalled":
                result.append("console: " + str(params.get("args")))
            elif method == "Runtime.exceptionThrown":
                result.append("exception: " + str(params.get("exceptionDetails", {}).get("text")))
            elif method == "Log.entryAdded":
                result.append("log: " + params["entry"]["text"])
            elif method == "Page.javascriptDialogOpening":
                result.append("an alert opened")
            elif method == "Network.requestWillBeSent":
                url = params["request"]["url"]
                if not url.startswith(("file:", "data:")):
                    result.append("request to " + url)
        return result

    def screenshot(self, path):
        height = min(self.evaluate("document.documentElement.scrollHeight"), 6000)
        width = self.evaluate("document.documentElement.clientWidth")
        data = self.page("Page.captureScreenshot", captureBeyondViewport=True,
                         clip={"x": 0, "y": 0, "width": width, "height": height, "scale": 1})
        with open(path, "wb") as file:
            file.write(base64.b64decode(data["data"]))

    def pdf(self, path):
        """Prints the page; returns the number of sheets of A4."""
        data = base64.b64decode(self.page(
            "Page.printToPDF", paperWidth=8.27, paperHeight=11.69, preferCSSPageSize=True,
            printBackground=True)["data"])
        with open(path, "wb") as file:
            file.write(data)
        return len(re.findall(rb"/Type\s*/Page\b", data))

    def close(self):
        try:
            self.call("Browser.close")
        except (RuntimeError, OSError):
            pass
        self.process.wait(timeout=20)


LAYOUT = """
(function () {
  var problems = [], root = document.documentElement;
  if (root.scrollWidth > root.clientWidth + 1)
    problems.push("the page scrolls sideways: " + root.scrollWidth + " > " + root.clientWidth);
  document.querySelectorAll("svg").forEach(function (svg, number) {
    if (!svg.getClientRects().length) return;
    var frame = svg.getBoundingClientRect(), texts = [];
    svg.querySelectorAll("text").forEach(function (text) {
      if (!text.textContent) return;
      var box = text.getBoundingClientRect(), name = JSON.stringify(text.textContent);
      if (box.left < frame.left - .5 || box.right > frame.right + .5 ||
          box.top < frame.top - .5 || box.bottom > frame.bottom + .5)
        problems.push("picture " + number + ": clipped label " + name);
      texts.forEach(function (other) {
        var across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
        var down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
        if (across > 1 && down > 3)
          problems.push("picture " + number + ": " + name + " over " + other.name);
      });
      texts.push({box: box, name: name});
    });
  });
  document.querySelectorAll("h1,h2,h3,p,dd,td,button").forEach(function (n) {
    if (n.getClientRects().length && n.scrollWidth > n.clientWidth + 1 && n.clientWidth)
      problems.push("clipped text " + JSON.stringify(n.textContent.slice(0, 40)));
  });
  // Light and dark: text of at least 4.5 to 1.
  function light(color) {
    var c = color.match(/[0-9.]+/g).map(Number).slice(0, 3).map(
      v => v / 255 <= 0.03928 ? v / 255 / 12.92 : Math.pow((v / 255 + 0.055) / 1.055, 2.4));
    return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
  }
  function ground(n) {
    for (; n; n = n.parentElement) {
      var color = getComputedStyle(n).backgroundColor;
      if (!/rgba\\(.*, 0\\)/.test(color)) return color;
    }
    return "rgb(255,255,255)";
  }
  var seen = {};
  document.querySelectorAll(".report *").forEach(function (n) {
    if (n.closest("svg") || !n.getClientRects().length || ![].some.call(n.childNodes, c => c.nodeType === 3 && c.data.trim())) return;
    var pair = [getComputedStyle(n).color, ground(n)];
    if (seen[pair]) return;
    seen[pair] = true;
    var a = light(pair[0]), b = light(pair[1]);
    var ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) problems.push("contrast " + ratio.toFixed(1) + ": " + JSON.stringify(n.textContent.slice(0, 30)));
    // Nothing of a report hides in a scroller.
    if (n.scrollWidth > n.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(n).overflowX)) problems.push("a scroller");
  });
  if (document.querySelectorAll("body img, body iframe, body object").length)
    problems.push("an element that came from the input");
  return problems.slice(0, 12);
})()
"""


# Runs in a page with a plot; each finding is a text.
PLOT = """
(async function () {
  var problems = [], svg = document.querySelector(".figure svg.plot");
  var frame = () => new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)));
  var key = (name, shift) => svg.dispatchEvent(
    new KeyboardEvent("keydown", {key: name, shiftKey: !!shift, bubbles: true}));
  if (!svg) return ["no live plot"];
  if (Math.abs(svg.getBoundingClientRect().width - svg.parentElement.clientWidth) > 2)
    problems.push("the plot is not as wide as there is room");
  var panels = svg.querySelectorAll("g.panel:not([data-fixed])");
  var axes = () => [].map.call(panels, n => n.querySelector("g.gridlines").textContent);
  // How much of a panel's height its lines take.
  var filled = panel => {
    var heights = [];
    panel.querySelectorAll("path[data-s]").forEach(n => (n.getAttribute("d") || "")
      .replace(/([ML][^ ]+ |V)([-0-9.]+)/g, (_, before, y) => heights.push(+y)));
    return (Math.max(...heights) - Math.min(...heights)) / (panel.dataset.y0 - panel.dataset.y1);
  };
  var before = axes();
  for (var i = 0; i < 6; i++) key("+");
  await frame();
  // The same axis is right where the same range is seen.
  axes().forEach((axis, i) => {
    if (axis === before[i] && filled(panels[i]) < 0.6)
      problems.push("the vertical axis of " + panels[i].dataset.title + " does not follow the zoom");
  });
  key("ArrowRight", true);
  await frame();
  if (!/^At /.test(document.querySelector(".status").textContent)) problems.push("no crosshair");
  if (![].some.call(svg.querySelectorAll(".readout"), n => n.textContent))
    problems.push("no values under the crosshair");
  key("Escape");
  var box = document.querySelector(".channels input"), line = svg.querySelector("path[data-s]");
  if (!box) problems.push("no line can be switched off");
  else {
    box.click(); await frame();
    if (line.getAttribute("d")) problems.push("a line that is switched off is drawn");
    box.click(); await frame();
  }
  document.querySelectorAll(".tools button").forEach(function (n) {
    if (!n.getAttribute("aria-label") && !/[a-z]{3}/.test(n.textContent))
      problems.push("a button without a name");
    var r = n.getBoundingClientRect();
    if (innerWidth < 760 && r.width && (r.width < 44 || r.height < 44))
      problems.push("a button of " + Math.round(r.width) + " x " + Math.round(r.height));
  });
  // Screen readers pass no keys to an image.
  if (svg.getAttribute("role") !== "application") problems.push("keys that some cannot use");
  var words = document.getElementById(svg.getAttribute("aria-describedby"));
  if (!words || !/set/.test(words.textContent)) problems.push("no description in words");
  key("0");
  await frame();
  return problems;
})()
"""

# Uses the table of all sets in a report as a person does.
REPORT = """
(async function () {
  var problems = [], table = document.querySelector("table.sets");
  if (!table) return ["no table of sets"];
  var rows = () => [...table.tBodies], shown = () => rows().filter(r => r.getClientRects().length);
  var more = table.nextElementSibling && table.nextElementSibling.querySelector("button");
  if (shown().length > 12) problems.push(shown().length + " rows are shown at first");
  if (rows().length > 12 && !(more && more.getClientRects().length)) problems.push("rows without a way to them");
  // Sorts by confidence, with the title or, on a phone, with the list.
  var heads = [...table.tHead.rows[0].cells], place = heads.findIndex(h => h.textContent.startsWith("Confidence"));
  var select = document.querySelector(".sorting select"), button = heads[place].querySelector("button");
  var values = () => rows().map(r => +r.rows[0].cells[place].dataset.v);
  for (var up of [true, false]) {
    if (select.getClientRects().length) {
      select.value = place + (up ? "+" : "-");
      select.dispatchEvent(new Event("change"));
    } else if (button.getClientRects().length) button.click();
    else problems.push("no way to sort");
    var v = values();
    if (v.some((x, i) => i && (up ? x < v[i - 1] : x > v[i - 1]))) problems.push("not sorted");
    if (heads[place].getAttribute("aria-sort") !== (up ? "ascending" : "descending")) problems.push("the order is not announced");
  }
  // Leads from a notice to its set and unfolds it.
  var notice = document.querySelector(".notices li"), jump = notice && notice.querySelector("button");
  if (notice && !jump) problems.push("a notice that leads nowhere");
  var toggle = jump || shown()[0].querySelector(".toggle");
  toggle.click();
  await new Promise(r => setTimeout(r, 100));
  var row = jump ? rows().find(r => r.dataset.row === notice.dataset.row) : shown()[0];
  var drawn = [].some.call(row.querySelectorAll("tr.more path[data-s]"), n => (n.getAttribute("d") || "").length > 20);
  if (!drawn || !row.querySelector(".figure").getClientRects().length) problems.push("an unfolded plot is empty");
  if (row.querySelector(".toggle").getAttribute("aria-expanded") !== "true") problems.push("unfolding is not announced");
  row.querySelector(".toggle").click();
  if (row.querySelector("tr.more").getClientRects().length) problems.push("a plot stays unfolded");
  document.querySelectorAll("button, select").forEach(function (n) {
    var box = n.getBoundingClientRect();
    if (!box.width) return;
    if (!(n.getAttribute("aria-label") || n.textContent).trim()) problems.push("a button without a name");
    if (innerWidth < 700 && (box.height < 43 || box.width < 43)) problems.push("too small to touch: " + n.textContent);
  });
  return problems.slice(0, 8);
})()
"""

# Zooms into windows of one minute of a long recording and looks for broken lines.
BREAKS = """
(async function () {
  var svg = document.querySelector(".figure svg.plot"), problems = [];
  var frame = () => new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)));
  var key = name => svg.dispatchEvent(new KeyboardEvent("keydown", {key: name, bubbles: true}));
  for (var i = 0; i < 7; i++) key("+");
  for (var step = 0; step < 40; step++) {
    key("ArrowRight");
    await frame();
    // A window without a gap, in which something other than the movement of sets is drawn.
    var gap = [].some.call(svg.querySelectorAll("path.gap"), n => n.getAttribute("d"));
    svg.querySelectorAll("g.panel:not([data-fixed]) path[data-s]").forEach(function (n) {
      var runs = (n.getAttribute("d").match(/M/g) || []).length;
      if (!gap && runs > 1) problems.push("a line is torn " + (runs - 1) + " times");
    });
  }
  key("0");
  await frame();
  return problems.slice(0, 3);
})()
"""


# ---------------------------------------------------------------- checks

def main():
    reptrace, folder = sys.argv[1], sys.argv[2]
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    pages = []
    problems = []

    def run(*arguments):
        done = subprocess.run([reptrace, *arguments], capture_output=True, text=True)
        if done.returncode:
            problems.append(f"{' '.join(arguments)}: status {done.returncode}: {done.stderr.strip()}")
        return done.returncode == 0

    recordings = os.path.join(folder, "recordings")
    for number, (name, scene) in enumerate(scenes(), 1):
        path = os.path.join(recordings, name + ".csv")
        write(scene, path)
        page = os.path.join(folder, f"plot-{number:02}.html")
        if run("plot", path, "-o", page):
            pages.append(page)
        picture = os.path.join(folder, f"plot-{number:02}.svg")
        if run("plot", path, "-o", picture):
            pages.append(picture)
    session = os.path.join(folder, "session.ndjson")
    chunks(session)
    store = os.path.join(folder, "history.sqlite")
    run("process", recordings, session, "--store", store)
    for name, arguments in [
        ("plot-chunks", ["plot", session]), ("plot-stored", ["plot", store + "#1"]),
        ("report-session", ["report", recordings, session, "--title", HOSTILE]),
        ("report-store", ["report", store]),
    ]:
        page = os.path.join(folder, name + ".html")
        if run(*arguments, "-o", page):
            pages.append(page)

    labels = os.path.join(folder, "labels.csv")
    with open(labels, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["recording", "reps", "exercise"])
        for name, reps in [("clean", 10), ("noisy", 8), ("pause", 9), ("partials", 7),
                           ("two bouts", 14), ("fast", 42), ("tired", 9)]:
            out.writerow([name, reps, HOSTILE if name == "clean" else "curl"])
    page = os.path.join(folder, "report-evaluation.html")
    if run("report", "--labels", labels, "--recordings", recordings, "-o", page):
        pages.append(page)

    many = os.path.join(folder, "report-200.html")
    inputs = [os.path.join(recordings, n + ".csv") for n in ("clean", "tired", "fast", "partials")]
    if run("report", *(inputs * 50), "-o", many):
        pages.append(many)
        size = os.path.getsize(many)
        print(f"200 sets: {size / 1e6:.2f} MB")
        if size > 5e6:
            problems.append(f"a page of 200 sets has {size} bytes")
    store = team(reptrace, run, folder)
    page = os.path.join(folder, "report-team.html")
    begin = time.monotonic()
    if run("report", store, "-o", page):
        pages.append(page)
        took = time.monotonic() - begin
        print(f"400 sets: report in {took:.1f} s")
        if took > 5:
            problems.append(f"a report of 400 stored sets takes {took:.1f} s")
    long = os.path.join(folder, "hour.csv")
    write(hour(), long)
    page = os.path.join(folder, "plot-hour.html")
    if run("plot", long, "-o", page):
        pages.append(page)
        print(f"an hour: {os.path.getsize(page) / 1e6:.2f} MB")

    longest = os.path.join(folder, "three-hours.csv")
    write(three_hours(), longest)
    page = os.path.join(folder, "plot-three-hours.html")
    if run("plot", longest, "-o", page):
        pages.append(page)
        print(f"three hours: {os.path.getsize(page) / 1e6:.2f} MB")
    for page in pages:
        if os.stat(page).st_mode & 0o077:
            problems.append(f"{page} can be read by others")

    browser = Browser()
    for page in pages:
        name = os.path.basename(page)
        for width in WIDTHS if page.endswith(".html") else (1280,):
            for dark in (False, True):
                seconds = browser.open(page, width, dark)
                found = browser.evaluate(LAYOUT)
                if page.endswith(".html") and browser.evaluate(
                        "!!document.querySelector('[data-figure]')"):
                    # Three presses are drawn in one frame; this callback runs after it.
                    before = browser.seconds()
                    browser.page(
                        "Runtime.evaluate", awaitPromise=True, expression=(
                            "(function(){var b=document.querySelector('[data-do=in]');"
                            "if(b){b.click();b.click();b.click()}return new Promise("
                            "r=>requestAnimationFrame(()=>requestAnimationFrame(r)))})()"))
                    drawn = 1000 * (browser.seconds() - before)
                    found += [f"zoomed: {p}" for p in browser.evaluate(LAYOUT)]
                    if name.startswith("plot") and not browser.evaluate(
                            "[].some.call(document.querySelectorAll('.figure svg .trace'),"
                            "n=>n.getAttribute('d')&&n.getAttribute('d').length>20)"):
                        found.append("zoomed: nothing is drawn")
                    if name.startswith("plot"):
                        found += browser.promised(PLOT)
                    if name == "plot-three-hours.html" and not dark:
                        found += browser.promised(BREAKS)
                    if drawn > 100:
                        found.append(f"zooming takes {drawn:.0f} ms of processor time")
                    if name in ("plot-hour.html", "plot-three-hours.html"):
                        if seconds > 1:
                            found.append(f"opens in {seconds:.2f} s")
                        print(f"{name} at {width}: opens in {seconds:.2f} s, zooms in {drawn:.0f} ms"
                              " (processor time)")
                    browser.evaluate("document.querySelectorAll('[data-do=all]')"
                                     ".forEach(function(n){n.click()})")
                    browser.page("Runtime.evaluate", awaitPromise=True, expression=(
                        "new Promise(r=>requestAnimationFrame(()=>requestAnimationFrame(r)))"))
                found += browser.complaints()
                if browser.alerts:
                    found.append("text from the input ran as code")
                    browser.alerts = 0
                if name.startswith("report-2") and width == 390:
                    height = browser.evaluate("document.documentElement.scrollHeight")
                    if height > 6 * 844:
                        found.append(f"the page is {height} pixels long on a phone")
                if name.startswith("report") and name != "report-evaluation.html":
                    if not dark:
                        sheets = browser.pdf(os.path.join(folder, f"{name[:-5]}-{width}.pdf"))
                        if sheets > 2:
                            found.append(f"printed on {sheets} pages")
                    found += browser.promised(REPORT)
                if name == "report-200.html":
                    print(f"200 sets at {width}: opens in {seconds:.2f} s (processor time)")
                    if seconds > 1:
                        found.append(f"opens in {seconds:.2f} s")
                problems += [f"{name} at {width}{' dark' if dark else ''}: {p}" for p in found]
                theme = "-dark" if dark else ""
                if not dark or width == 1280:
                    browser.screenshot(os.path.join(
                        folder, f"{name.replace('.', '-')}-{width}{theme}.png"))
    browser.close()
    for problem in problems:
        print(problem)
    print(f"{len(pages)} pages, {len(problems)} problems; pictures in {folder}")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
