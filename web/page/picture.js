// The picture of a recording: sets and reps above the movement and the signals, with zoom and values.
import { clock, decimal, element, plural, confidenceText } from "./dom.js";

const colors = ["--blue", "--orange", "--green", "--purple"];
const degrees = 180 / Math.PI;

/** Returns the index of the first time at or after `time`. */
function firstAtOrAfter(times, time) {
  let low = 0, high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < time) low = middle + 1; else high = middle;
  }
  return low;
}

/** Returns the longest interval that is not a gap: four typical ones, at least 0.2 s. */
function longestInterval(times) {
  const steps = [];
  const stride = Math.max(1, Math.floor(times.length / 2000));
  for (let index = 1; index < times.length; index += stride) steps.push(times[index] - times[index - 1]);
  steps.sort((a, b) => a - b);
  return Math.max(0.2, 4 * (steps[steps.length >> 1] ?? 0.05));
}

/** Returns the magnitude of the rotation rate in degrees per second, averaged over 0.25 s. */
function turningSpeed({ timestamp, rotationX: x, rotationY: y, rotationZ: z }) {
  const result = new Float64Array(timestamp.length).fill(NaN);
  let low = 0, high = 0, sum = 0, count = 0;
  const speed = (row) => Math.sqrt(x[row] * x[row] + y[row] * y[row] + z[row] * z[row]) * degrees;
  for (let row = 0; row < timestamp.length; row++) {
    for (; high < timestamp.length && timestamp[high] <= timestamp[row] + 0.125; high++) {
      const value = speed(high);
      if (Number.isFinite(value)) { sum += value; count++; }
    }
    for (; low < row && timestamp[low] < timestamp[row] - 0.125; low++) {
      const value = speed(low);
      if (Number.isFinite(value)) { sum -= value; count--; }
    }
    if (count) result[row] = Math.max(0, sum / count);
  }
  return result;
}

/** Returns about `count` round values in a range. */
function ticks(low, high, count) {
  const raw = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= raw);
  const result = [];
  for (let value = Math.ceil(low / step) * step; value <= high + step * 1e-6; value += step) {
    result.push(Math.abs(value) < step * 1e-6 ? 0 : value);
  }
  return { values: result, places: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) };
}

const timeSteps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200];

export class Picture {
  #canvas; #context; #readout; #container;
  #sets = []; #notCounted = []; #phases = []; #gaps = []; #panels = []; #duration = 1;
  #from = 0; #to = 1; #cursor = null; #scheduled = false; #pointers = new Map(); #pinch = null; #colors = {};

  constructor(container, { name, sets, details, columns }) {
    this.#container = container;
    this.#prepare(sets, details, columns);
    const words = this.#words(name);
    const description = `words-${Math.random().toString(36).slice(2)}`;
    this.#canvas = element("canvas", {
      tabIndex: 0, role: "application", "aria-roledescription": "picture of a recording",
      "aria-label": words[0], "aria-describedby": description,
    });
    this.#context = this.#canvas.getContext("2d");
    this.#readout = element("p", { className: "readout", role: "status" });
    const button = (text, label, action) => element("button", { type: "button", "aria-label": label, onclick: action }, text);
    container.replaceChildren(
      element("div", { className: "tools" },
        button("+", "Zoom in", () => this.#zoom(0.5)),
        button("−", "Zoom out", () => this.#zoom(2)),
        button("Whole", "Show everything", () => this.show(0, this.#duration)),
        element("span", { className: "keys wide" }, "Drag to move, pinch or Ctrl + wheel to zoom. Keys: ← → + − 0, Shift + ← → for values.")),
      this.#canvas, this.#readout,
      element("details", { className: "lines" }, element("summary", {}, "Lines"), ...this.#switches()),
      element("details", { className: "words", id: description },
        element("summary", {}, "This picture in words"), ...words.map((text) => element("p", {}, text))));
    this.#listen();
    this.show(0, this.#duration);
  }

  /** The visible span, in seconds. */
  get span() { return [this.#from, this.#to]; }

  /** Shows a span of the recording. */
  show(from, to) {
    const least = Math.min(0.5, this.#duration);
    const length = Math.min(Math.max(to - from, least), this.#duration);
    this.#from = Math.min(Math.max(0, (from + to - length) / 2), this.#duration - length);
    this.#to = this.#from + length;
    this.#draw();
  }

  /** Replaces the reps of a set, after a correction. */
  setReps(index, reps) {
    this.#sets[index].repEvents = reps;
    this.#draw();
  }

  // ---- Content

  #prepare(sets, details, columns) {
    const times = columns.timestamp;
    this.#sets = sets.map((set) => ({ ...set }));
    this.#notCounted = details.notCounted;
    this.#phases = details.phases;
    this.#duration = Math.max(times.length ? times[times.length - 1] : 0, 0.001);
    const longest = longestInterval(times);
    for (let row = 1; row < times.length; row++) {
      if (times[row] - times[row - 1] > longest) this.#gaps.push([times[row - 1], times[row]]);
    }
    const panel = (title, unit, times, lines, domain) =>
      this.#panels.push({
        title, unit, times, domain, longest: longestInterval(times),
        lines: lines.map(([name, values]) => ({ name, values, isOn: true })),
      });
    const curves = details.analyses.map((analysis) => analysis.curve).filter(Boolean);
    if (curves.length) {
      panel("Movement", "−1 lowered, +1 lifted", Float64Array.from(curves.flatMap((curve) => curve.times)),
        [["", Float64Array.from(curves.flatMap((curve) => curve.values))]], [-1.1, 1.1]);
    }
    const has = (name) => columns[name + "X"] && columns[name + "Y"] && columns[name + "Z"];
    const axes = (name) => ["X", "Y", "Z"].map((axis) => [axis.toLowerCase(), columns[name + axis]]);
    if (has("rotation")) {
      panel("How fast the wrist turns", "°/s", times, [["", turningSpeed(columns)]]);
      panel("Turning about each axis", "rad/s", times, axes("rotation"));
    }
    if (has("acceleration")) panel("Acceleration without gravity", "g", times, axes("acceleration"));
    if (has("totalAcceleration")) panel("Acceleration with gravity", "g", times, axes("totalAcceleration"));
    if (has("gravity")) panel("Which way is down", "g", times, axes("gravity"));
    if (details.heartRate.length) {
      const beats = details.heartRate.toSorted((a, b) => a[0] - b[0]);
      panel("Heart rate", "beats/min", Float64Array.from(beats.map((beat) => beat[0])),
        [["", Float64Array.from(beats.map((beat) => beat[1]))]]);
      this.#panels.at(-1).longest = Infinity;
    }
  }

  #words(name) {
    const reps = this.#sets.reduce((sum, set) => sum + set.reps, 0);
    const words = [`${name}: ${clock(this.#duration)} of movement with ${plural(this.#sets.length, "set")} and ${plural(reps, "rep")}.`];
    this.#sets.forEach((set, index) => words.push(
      `Set ${index + 1}: ${plural(set.reps, "rep")} from ${clock(set.start)} to ${clock(set.end)}, ${confidenceText(set.confidence)}.`));
    for (const movement of this.#notCounted.slice(0, 50)) {
      words.push(`Not counted, ${decimal(movement.start)} to ${decimal(movement.end)} s: ${movement.reason}.`);
    }
    if (this.#gaps.length) words.push(`${plural(this.#gaps.length, "gap")} without samples.`);
    return words;
  }

  #switches() {
    return this.#panels.map((panel) => element("fieldset", {}, element("legend", {}, panel.title),
      ...panel.lines.map((line) => element("label", {},
        element("input", {
          type: "checkbox", checked: true,
          onchange: (event) => { line.isOn = event.target.checked; this.#draw(); },
        }), line.name || "shown"))));
  }

  // ---- Interaction

  #listen() {
    const canvas = this.#canvas;
    new ResizeObserver(() => this.#draw()).observe(this.#container);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { this.#colors = {}; this.#draw(); });
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.shiftKey) return;
      event.preventDefault();
      this.#zoom(Math.exp((event.deltaY || event.deltaX) * 0.002), this.#timeAt(event));
    }, { passive: false });
    canvas.addEventListener("dblclick", (event) => this.#zoom(0.5, this.#timeAt(event)));
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.#pointers.set(event.pointerId, event.offsetX);
      this.#pinch = null;
    });
    for (const name of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(name, (event) => { this.#pointers.delete(event.pointerId); this.#pinch = null; });
    }
    canvas.addEventListener("pointerleave", () => { if (!this.#pointers.size) this.#point(null); });
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    canvas.addEventListener("keydown", (event) => this.#key(event));
  }

  #move(event) {
    const before = this.#pointers.get(event.pointerId);
    if (before === undefined) return this.#point(this.#timeAt(event));
    this.#pointers.set(event.pointerId, event.offsetX);
    if (this.#pointers.size === 2) {
      const [a, b] = [...this.#pointers.values()];
      const distance = Math.max(10, Math.abs(a - b));
      const middle = this.#timeAt({ offsetX: (a + b) / 2 });
      if (this.#pinch) this.#zoom(this.#pinch / distance, middle);
      this.#pinch = distance;
      return;
    }
    const moved = (before - event.offsetX) / this.#scale();
    if (this.#to - this.#from < this.#duration) {
      this.#pan(moved);
    } else {
      this.#point(this.#timeAt(event));
    }
  }

  #key(event) {
    const length = this.#to - this.#from;
    const actions = {
      ArrowLeft: () => event.shiftKey ? this.#step(-1) : this.#pan(-length / 8),
      ArrowRight: () => event.shiftKey ? this.#step(1) : this.#pan(length / 8),
      "+": () => this.#zoom(0.5), "=": () => this.#zoom(0.5), "-": () => this.#zoom(2), "−": () => this.#zoom(2),
      0: () => this.show(0, this.#duration),
      Escape: () => this.#point(null),
    };
    const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  #pan(seconds) { this.show(this.#from + seconds, this.#to + seconds); }

  /** Zooms about a time; about the cursor or the middle if none is given. */
  #zoom(factor, time) {
    const inside = this.#cursor !== null && this.#cursor >= this.#from && this.#cursor <= this.#to;
    const center = time ?? (inside ? this.#cursor : (this.#from + this.#to) / 2);
    const length = Math.min(Math.max((this.#to - this.#from) * factor, Math.min(0.5, this.#duration)), this.#duration);
    const part = (center - this.#from) / (this.#to - this.#from);
    this.show(center - part * length, center + (1 - part) * length);
  }

  #step(direction) {
    const length = this.#to - this.#from;
    const time = (this.#cursor ?? (this.#from + this.#to) / 2) + direction * length / 200;
    const inside = Math.min(Math.max(time, 0), this.#duration);
    if (inside < this.#from) this.#pan(inside - this.#from);
    if (inside > this.#to) this.#pan(inside - this.#to);
    this.#point(inside);
  }

  #point(time) {
    this.#cursor = time === null ? null : Math.min(Math.max(time, 0), this.#duration);
    this.#readout.textContent = this.#cursor === null ? "" : this.#values(this.#cursor);
    this.#draw();
  }

  /** Returns the values at a time, in words. */
  #values(time) {
    const parts = [`${decimal(time, 2)} s`];
    this.#sets.forEach((set, index) => {
      const rep = set.repEvents.findIndex((rep) => time >= rep.start && time <= rep.end);
      if (rep >= 0) {
        const confidence = set.repEvents[rep].confidence;
        parts.push(`rep ${rep + 1} of set ${index + 1}${confidence === undefined ? "" : `, ${confidenceText(confidence)}`}`);
      }
    });
    const movement = this.#notCounted.find((movement) => time >= movement.start && time <= movement.end);
    if (movement) parts.push(`not counted: ${movement.reason}`);
    for (const panel of this.#panels) {
      const values = this.#at(panel, time);
      if (values) parts.push(`${panel.title.toLowerCase()} ${values} ${panel.unit.startsWith("−1") ? "" : panel.unit}`.trim());
    }
    return parts.join(" · ");
  }

  /** Returns a panel's values nearest to a time; nothing in a gap. */
  #at(panel, time) {
    let row = firstAtOrAfter(panel.times, time);
    if (row > 0 && (row === panel.times.length || time - panel.times[row - 1] < panel.times[row] - time)) row--;
    if (!panel.times.length || Math.abs(panel.times[row] - time) > panel.longest) return "";
    return panel.lines.filter((line) => line.isOn && Number.isFinite(line.values[row]))
      .map((line) => `${line.name ? `${line.name} ` : ""}${decimal(line.values[row], panel.unit === "°/s" || panel.unit === "beats/min" ? 0 : 2)}`).join(" ");
  }

  // ---- Drawing

  get #left() { return this.#canvas.clientWidth < 560 ? 38 : 52; }
  #scale() { return (this.#canvas.clientWidth - this.#left - 2) / (this.#to - this.#from); }
  #timeAt(event) { return this.#from + (event.offsetX - this.#left) / this.#scale(); }

  #color(name) {
    return this.#colors[name] ??= getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }

  #draw() {
    if (this.#scheduled) return;
    this.#scheduled = true;
    requestAnimationFrame(() => { this.#scheduled = false; this.#render(); });
  }

  #render() {
    const width = this.#container.clientWidth;
    if (!width) return;
    const isNarrow = width < 560;
    const band = { top: 4, height: 40 }, lanes = band.top + band.height + 6;
    const lane = this.#notCounted.length ? 16 : 0, phase = this.#phases.length ? 18 : 0;
    const panels = this.#panels.filter((panel) => panel.lines.some((line) => line.isOn));
    let height = lanes + lane + phase + 8;
    for (const panel of panels) {
      panel.top = height + 22;
      panel.height = (isNarrow ? 70 : 92) + (panel.domain ? 24 : 0);
      height = panel.top + panel.height + 12;
    }
    height += 22;
    const ratio = devicePixelRatio || 1;
    const canvas = this.#canvas, context = this.#context;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      canvas.style.height = `${height}px`;
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const view = { width, height, x: (time) => this.#left + (time - this.#from) * this.#scale() };
    context.save();
    context.beginPath();
    context.rect(this.#left, 0, width - this.#left, height);
    context.clip();
    this.#drawSets(view, band, panels);
    this.#drawLanes(view, lanes, lane, phase);
    context.restore();
    for (const panel of panels) this.#drawPanel(panel, view);
    this.#drawTimes(view, panels);
    this.#drawGaps(view, lanes + lane + phase);
    if (this.#cursor !== null) this.#drawCursor(view, panels);
    canvas.dataset.span = JSON.stringify(this.span);
  }

  #text(text, x, y, { color = "--faint", size = 12, weight = 400, align = "left", halo = false } = {}) {
    const context = this.#context;
    context.font = `${weight} ${size}px system-ui, -apple-system, "Segoe UI", "Liberation Sans", Arial, sans-serif`;
    context.textAlign = align;
    context.textBaseline = "alphabetic";
    if (halo) {
      context.lineWidth = 4;
      context.lineJoin = "round";
      context.strokeStyle = this.#color("--paper");
      context.strokeText(text, x, y);
    }
    context.fillStyle = this.#color(color);
    context.fillText(text, x, y);
  }

  #drawSets({ x, height }, band, panels) {
    const context = this.#context;
    this.#sets.forEach((set) => {
      if (!set.repEvents.length) return;
      const [left, right] = [x(set.start), x(set.end)];
      context.fillStyle = this.#color("--band");
      context.beginPath();
      context.roundRect(left - 3, band.top - 3, Math.max(right - left, 1) + 6, (panels.length ? height - 24 : band.top + band.height + 3) - band.top, 8);
      context.fill();
      set.repEvents.forEach((rep, number) => {
        const [start, end] = [x(rep.start) + 0.75, x(rep.end) - 0.75];
        const wide = Math.max(end - start, 1);
        context.beginPath();
        context.roundRect(start, band.top, wide, band.height, Math.min(4, wide / 2));
        context.fillStyle = this.#color("--rep-empty");
        context.fill();
        context.save();
        context.clip();
        const full = band.height * (rep.confidence ?? 1);
        context.fillStyle = this.#color("--rep-fill");
        context.fillRect(start, band.top + band.height - full, wide, full);
        context.restore();
        context.strokeStyle = this.#color("--blue");
        context.lineWidth = 1;
        if (wide > 3) context.stroke();
        const label = String(number + 1);
        if (wide > 7 + 7 * label.length) {
          this.#text(label, (start + end) / 2, band.top + band.height / 2 + 5, { color: "--ink", size: 14, weight: 600, align: "center" });
        }
      });
    });
  }

  #drawLanes({ x }, top, lane, phase) {
    const context = this.#context;
    for (const movement of this.#notCounted) {
      const [start, end] = [x(movement.start), x(movement.end)];
      context.strokeStyle = this.#color(movement.kind === "partial" ? "--orange" : "--vermilion");
      context.lineWidth = 1.5;
      context.setLineDash(movement.kind === "partial" ? [3, 2] : []);
      context.beginPath();
      context.moveTo(start, top + 8);
      context.lineTo(start, top + 2);
      context.lineTo(Math.max(end, start + 1), top + 2);
      context.lineTo(Math.max(end, start + 1), top + 8);
      context.stroke();
      context.setLineDash([]);
      if (end - start > 74) this.#text("not counted", (start + end) / 2, top + 14, { size: 11, align: "center", color: "--faint" });
    }
    for (const span of this.#phases) {
      const [start, end] = [x(span.start), x(span.end)];
      context.fillStyle = this.#color(span.phase === "execution" ? "--band" : "--raised");
      context.fillRect(start, top + lane, end - start, 14);
      if (end - start > 60) this.#text(span.phase, Math.max(start, this.#left) + 4, top + lane + 11, { size: 11 });
    }
  }

  #range(panel, low, high) {
    if (panel.domain) return panel.domain;
    let [least, most] = [Infinity, -Infinity];
    for (const line of panel.lines) {
      if (!line.isOn) continue;
      for (let row = low; row < high; row++) {
        const value = line.values[row];
        if (value < least) least = value;
        if (value > most) most = value;
      }
    }
    if (least > most) return [-1, 1];
    if (panel.unit === "°/s") least = 0;
    const room = Math.max((most - least) * 0.06, 1e-3);
    return [least === 0 ? 0 : least - room, most + room];
  }

  #drawPanel(panel, { width, x }) {
    const context = this.#context;
    const low = Math.max(0, firstAtOrAfter(panel.times, this.#from) - 1);
    const high = Math.min(panel.times.length, firstAtOrAfter(panel.times, this.#to) + 1);
    const [least, most] = this.#range(panel, low, high);
    const y = (value) => panel.top + panel.height * (1 - (value - least) / (most - least));
    this.#text(panel.title, this.#left, panel.top - 7, { color: "--ink", size: 13, weight: 600, halo: true });
    const titleWidth = context.measureText(panel.title).width;
    this.#text(panel.unit, this.#left + titleWidth + 8, panel.top - 7, { halo: true });
    const marks = ticks(least, most, 3);
    context.lineWidth = 1;
    for (const value of marks.values) {
      context.strokeStyle = this.#color("--line");
      context.beginPath();
      context.moveTo(this.#left, Math.round(y(value)) + 0.5);
      context.lineTo(width, Math.round(y(value)) + 0.5);
      context.stroke();
      this.#text(decimal(value, marks.places), this.#left - 6, y(value) + 4, { size: 11, align: "right" });
    }
    context.save();
    context.beginPath();
    context.rect(this.#left, panel.top - 2, width - this.#left, panel.height + 4);
    context.clip();
    panel.lines.forEach((line, index) => {
      if (!line.isOn) return;
      context.strokeStyle = this.#color(colors[index]);
      context.lineWidth = panel.domain ? 2 : 1.3;
      context.lineJoin = "round";
      context.setLineDash(high - low > 4 * width ? [] : [[], [6, 2], [2, 2]][index] ?? []);
      context.beginPath();
      if (high - low > 3 * (width - this.#left)) this.#traceExtremes(panel, line.values, low, high, x, y);
      else this.#trace(panel, line.values, low, high, x, y);
      context.stroke();
    });
    context.restore();
    if (panel.lines.length > 1 && this.#cursor === null) this.#legend(panel, width);
  }

  #legend(panel, width) {
    let right = width - 4;
    panel.lines.toReversed().forEach((line, index) => {
      if (!line.isOn) return;
      this.#text(line.name, right, panel.top - 7, { color: colors[panel.lines.length - 1 - index], size: 13, weight: 600, align: "right", halo: true });
      right -= 16;
    });
  }

  #trace(panel, values, low, high, x, y) {
    let isDown = false;
    for (let row = low; row < high; row++) {
      if (!Number.isFinite(values[row])) continue;
      // Only a gap in the times breaks a line, not a value that a slower sensor lacks.
      if (isDown && panel.times[row] - panel.times[isDown - 1] <= panel.longest) this.#context.lineTo(x(panel.times[row]), y(values[row]));
      else this.#context.moveTo(x(panel.times[row]), y(values[row]));
      isDown = row + 1;
    }
  }

  /** Returns the minimum and maximum value of each pixel. */
  #traceExtremes(panel, values, low, high, x, y) {
    let pixel = null, least = 0, most = 0, first = true;
    const flush = () => {
      if (pixel === null) return;
      if (first) this.#context.moveTo(pixel, y(least)); else this.#context.lineTo(pixel, y(least));
      this.#context.lineTo(pixel, y(most));
      first = false;
    };
    let last = -Infinity;
    for (let row = low; row < high; row++) {
      const value = values[row];
      if (!Number.isFinite(value)) continue;
      const column = Math.round(x(panel.times[row]));
      if (column === pixel) {
        if (value < least) least = value;
        if (value > most) most = value;
      } else {
        flush();
        if (panel.times[row] - last > panel.longest) first = true;
        [pixel, least, most] = [column, value, value];
      }
      last = panel.times[row];
    }
    flush();
  }

  #drawTimes({ width, height, x }) {
    const length = this.#to - this.#from;
    const step = timeSteps.find((step) => step * this.#scale() > 64) ?? 7200;
    for (let time = Math.ceil(this.#from / step - 1e-9) * step; time <= this.#to + 1e-9; time += step) {
      const label = step < 1 ? `${decimal(time, 1)} s` : length < 120 && this.#to < 120 ? `${Math.round(time)} s` : clock(time);
      const place = x(time);
      const align = place < this.#left + 20 ? "left" : place > width - 20 ? "right" : "center";
      this.#text(label, place, height - 6, { size: 12, align });
    }
  }

  #drawGaps({ x, height }, top) {
    const context = this.#context;
    for (const [start, end] of this.#gaps) {
      const [left, right] = [Math.max(x(start), this.#left), x(end)];
      if (right <= this.#left || left >= this.#canvas.clientWidth || right - left < 1) continue;
      context.save();
      context.beginPath();
      context.rect(left, top, right - left, height - 24 - top);
      context.clip();
      context.strokeStyle = this.#color("--line");
      context.lineWidth = 1;
      context.beginPath();
      for (let offset = left - height; offset < right; offset += 7) {
        context.moveTo(offset, height);
        context.lineTo(offset + height, 0);
      }
      context.stroke();
      context.restore();
    }
  }

  #drawCursor({ x, width, height }, panels) {
    const context = this.#context;
    const place = x(this.#cursor);
    if (place < this.#left || place > width) return;
    context.strokeStyle = this.#color("--ink");
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(place, 0);
    context.lineTo(place, height - 20);
    context.stroke();
    for (const panel of panels) {
      this.#text(this.#at(panel, this.#cursor), width - 4, panel.top - 7, { color: "--ink", weight: 600, align: "right", halo: true });
    }
  }
}
