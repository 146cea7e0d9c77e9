"use strict";
// The script of pages with plots and reports.
//
// It moves the existing SVG elements and redraws traces from the embedded samples. Texts are set as text,
// never as markup. Without the script a page shows everything, but does not move.
(function () {
  const NS = "http://www.w3.org/2000/svg";
  const figures = JSON.parse(document.getElementById("data").textContent);
  const isSmall = () => window.matchMedia("(max-width:760px)").matches;

  // ------------------------------------------------------------------ helpers

  function bytes(base64) {
    const text = atob(base64), result = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) result[i] = text.charCodeAt(i);
    return result.buffer;
  }

  function shape(tag, attributes, text) {
    const node = document.createElementNS(NS, tag);
    for (const name in attributes) node.setAttribute(name, attributes[name]);
    if (text !== undefined) node.textContent = text;
    return node;
  }

  function element(tag, attributes, text) {
    const node = document.createElement(tag);
    for (const name in attributes) node.setAttribute(name, attributes[name]);
    if (text !== undefined) node.textContent = text;
    return node;
  }

  // Estimates a text's width like `MarkupText.width`, so that labels are placed alike.
  function textWidth(text, size) {
    let width = 0;
    for (let i = 0; i < text.length; i++) {
      const c = text.charCodeAt(i);
      if (c === 32 || c === 44 || c === 46 || c === 58 || c === 105 || c === 106 || c === 108) width += 0.34;
      else if (c >= 48 && c < 58) width += 0.6;
      else if ((c > 64 && c < 91) || c === 109 || c === 119 || c === 37) width += 0.8;
      else width += c >= 4352 ? 1.05 : 0.6;
    }
    return width * size;
  }

  // Returns as much of a text as fits.
  function cut(text, room) {
    while (text && textWidth(text + "\u2026", 12) > room) text = text.slice(0, -1);
    return text && text.trimEnd() + "\u2026";
  }

  function tenth(value) { return Math.round(value * 10) / 10; }

  function signed(text) { return text.charAt(0) === "-" ? "\u2212" + text.slice(1) : text; }

  // Formats a number with as many digits as an axis step or a reading needs.
  function numberText(value, step) {
    const size = Math.abs(value);
    if (size >= 1e6 || (size > 0 && size < 1e-4)) return signed(value.toPrecision(3));
    const places = Math.max(0, Math.min(4, -Math.floor(Math.log10(step) + 1e-9)));
    return signed(Number(value.toFixed(places)).toString());
  }

  function timeText(seconds, width) {
    const two = n => (n < 10 ? "0" : "") + n;
    if (width <= 120 || seconds < 0) return signed(String(Number(seconds.toFixed(3))));
    const s = Math.round(seconds), tail = two(s % 60);
    if (width <= 3600 && s < 3600) return Math.floor(s / 60) + ":" + tail;
    return Math.floor(s / 3600) + ":" + two(Math.floor(s / 60) % 60) + ":" + tail;
  }

  function tickStep(low, high, count, isTime) {
    const least = (high - low) / count;
    if (isTime && high - low > 120) {
      const round = [5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200].find(v => v >= least);
      if (round) return round;
    }
    const power = Math.pow(10, Math.floor(Math.log10(least)));
    return [1, 2, 5, 10].map(v => v * power).find(v => v >= least * 0.999) || power * 10;
  }

  function ticks(low, high, step) {
    const result = [];
    for (let k = Math.ceil(low / step - 1e-9); k <= Math.floor(high / step + 1e-9); k++) {
      if (result.length > 100) break;
      result.push(k * step);
    }
    return result;
  }

  function lowerBound(times, value) {
    let low = 0, high = times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle] < value) low = middle + 1; else high = middle;
    }
    return low;
  }

  // ------------------------------------------------------------------ samples

  // A panel's samples. Times are in ms since `origin`, values in steps between `low` and `high`; the lowest
  // number means "not measured".
  const MISSING = -32768;

  function readTimes(text) {
    if (text.t !== undefined) return new Uint32Array(bytes(text.t));
    const times = new Uint32Array(
      text.steps8 === undefined ? new Uint16Array(bytes(text.steps16)) : new Uint8Array(bytes(text.steps8)));
    for (let i = 1; i < times.length; i++) times[i] += times[i - 1];
    return times;
  }

  function readPanels(texts) {
    const panels = [];
    for (const text of texts) {
      const shared = text.timesOf === undefined ? null : panels[text.timesOf];
      panels.push({
        origin: text.origin, low: text.low, step: (text.high - text.low) / 65534,
        longest: text.longest * 1000,
        times: shared ? shared.times : readTimes(text),
        // Rows that follow a gap.
        breaks: shared ? shared.breaks : text.breaks || [],
        series: text.series.map(s => new Int16Array(bytes(s))),
        hidden: text.series.map(() => false),
      });
      const panel = panels[panels.length - 1];
      panel.blocks = panel.series.map(values => blocksOf(values, panel.breaks));
    }
    return panels;
  }

  // Extremes of blocks of 16 rows, so that a long view need not scan every row: the rows of the lowest and of
  // the highest value; none for a block with a break or a missing value.
  const BLOCK = 16;

  function blocksOf(values, breaks) {
    const count = Math.floor(values.length / BLOCK), extremes = new Int32Array(2 * count);
    for (let block = 0; block < count; block++) {
      const begin = block * BLOCK;
      let low = begin, high = begin, isWhole = values[begin] !== MISSING;
      for (let row = begin + 1; row < begin + BLOCK; row++) {
        const v = values[row];
        if (v === MISSING) isWhole = false;
        if (v < values[low]) low = row;
        if (v > values[high]) high = row;
      }
      extremes[2 * block] = isWhole ? low : -1;
      extremes[2 * block + 1] = high;
    }
    for (const row of breaks) {
      const block = Math.floor(row / BLOCK);
      if (block < count) extremes[2 * block] = -1;
    }
    return extremes;
  }

  function value(panel, series, row) {
    return panel.low + (panel.series[series][row] + 32767) * panel.step;
  }

  // Returns the rows in a time interval and one more on each side.
  function rowsWithin(panel, from, to) {
    const t = panel.times;
    return [
      Math.max(0, lowerBound(t, (from - panel.origin) * 1000) - 1),
      Math.min(t.length, lowerBound(t, (to - panel.origin) * 1000) + 1),
    ];
  }

  // Returns the path of a series: of each column of pixels the first, lowest, highest and last sample, or,
  // where a column holds whole blocks, a vertical line from the lowest to the highest, which is half as long.
  // Also returns the path's total vertical travel, in pixels.
  function trace(panel, series, view, plot, scale) {
    const t = panel.times, q = panel.series[series], out = [];
    const from = (view.from - panel.origin) * 1000, to = (view.to - panel.origin) * 1000;
    const [begin, end] = rowsWithin(panel, view.from, view.to);
    const kx = (plot.right - plot.left) / (to - from);
    const ky = panel.step * scale.perUnit, y0 = scale.bottom + (panel.low + 32767 * panel.step - scale.low) * scale.perUnit;
    let isDown = false, column = -1e9, first = -1, last = -1, low = -1, high = -1, previous = -1;
    const isCoarse = end - begin > BLOCK * (plot.right - plot.left);
    let travel = 0, level = 0;
    const put = (x, row) => {
      const y = y0 + q[row] * ky;
      if (isDown) travel += Math.abs(y - level);
      level = y;
      out.push(isDown ? "L" : "M", x, " ", tenth(y));
      isDown = true;
    };
    const place = row => put(tenth((t[row] - from) * kx + plot.left), row);
    const flush = () => {
      if (first < 0) return;
      const a = Math.min(low, high), b = Math.max(low, high);
      if (isCoarse) {
        put(column + plot.left, a);
        if (b > a) put(column + plot.left, b);
      } else {
        place(first);
        if (a > first) place(a);
        if (b > a && b > first) place(b);
        if (last > b && last > first) place(last);
      }
      first = -1;
    };
    const visit = row => {
      const c = Math.floor((t[row] - from) * kx);
      if (c !== column) { flush(); column = c; }
      if (first < 0) first = low = high = row;
      if (q[row] < q[low]) low = row;
      if (q[row] > q[high]) high = row;
      last = previous = row;
    };
    const blocks = panel.blocks[series];
    let nextBreak = lowerBound(panel.breaks, begin), isMissing = false;
    for (let row = begin; row < end; row++) {
      if (isCoarse && row % BLOCK === 0 && row + BLOCK <= end && !isMissing) {
        const a = blocks[row / BLOCK * 2], b = blocks[row / BLOCK * 2 + 1];
        if (a >= 0) {
          visit(Math.min(a, b));
          if (a !== b) visit(Math.max(a, b));
          row += BLOCK - 1;
          continue;
        }
      }
      if (row === panel.breaks[nextBreak]) { flush(); isDown = false; nextBreak++; }
      if (q[row] === MISSING) { isMissing = true; continue; }
      // Only this series was not measured for a while.
      if (isMissing && previous >= 0 && t[row] - t[previous] > panel.longest) { flush(); isDown = false; }
      isMissing = false;
      visit(row);
    }
    flush();
    return { path: out.join(""), travel };
  }

  // Returns the value range of a panel's visible part, with a margin; null if nothing is visible.
  function visibleRange(panel, view) {
    const [begin, end] = rowsWithin(panel, view.from, view.to);
    let low = 32767, high = MISSING;
    panel.series.forEach((q, s) => {
      if (panel.hidden[s]) return;
      const blocks = panel.blocks[s];
      for (let row = begin; row < end; row++) {
        if (row % BLOCK === 0 && row + BLOCK <= end && blocks[row / BLOCK * 2] >= 0) {
          const a = q[blocks[row / BLOCK * 2]], b = q[blocks[row / BLOCK * 2 + 1]];
          if (a < low) low = a;
          if (b > high) high = b;
          row += BLOCK - 1;
          continue;
        }
        const v = q[row];
        if (v === MISSING) continue;
        if (v < low) low = v;
        if (v > high) high = v;
      }
    });
    if (high < low) return null;
    const a = panel.low + (low + 32767) * panel.step, b = panel.low + (high + 32767) * panel.step;
    // The margin is at least some quantization steps.
    const air = Math.max((b - a) * 0.04, panel.step * 4);
    return [a - air, b + air];
  }

  // ------------------------------------------------------------------ marks along the time axis

  // Returns the texts among which the available width decides.
  function alternatives(node) {
    const texts = [];
    for (let i = 0; node.dataset["l" + i] !== undefined; i++) texts.push(node.dataset["l" + i]);
    return texts;
  }

  // Replaces the boxes of sets, reps, gaps and so on by one path per kind, since hours have thousands of
  // them, and browsers are slow at moving so many elements.
  function takeMarks(svg) {
    const kinds = [];
    for (const group of new Set([...svg.querySelectorAll("[data-a]:not(text),[data-t]")].map(n => n.parentNode))) {
      const own = new Map();
      for (const node of group.children) {
        const name = node.getAttribute("class");
        if (!own.has(name)) {
          const path = shape("path", { "class": name });
          if (node.hasAttribute("fill")) path.setAttribute("fill", node.getAttribute("fill"));
          own.set(name, { name, path, items: [] });
        }
        own.get(name).items.push(mark(node, name));
      }
      group.replaceChildren(...[...own.values()].map(kind => kind.path));
      kinds.push(...own.values());
    }
    return kinds;
  }

  // Returns a time interval, its description, and a function that draws it for a time axis `X`.
  function mark(node, name) {
    const data = node.dataset;
    if (data.t !== undefined) {
      return { a: +data.t, b: +data.t, outline: X => "M" + tenth(X(+data.t)) + " " + data.y0 + "V" + data.y1 };
    }
    const a = +data.a, b = +data.b, words = data.name || node.textContent;
    if (node.tagName === "path") {
      const y = +data.y, low = y + 12;
      return { a, b, words, outline: X => {
        const left = tenth(X(a)), right = tenth(Math.max(X(b), left + 2));
        return "M" + left + " " + y + "L" + right + " " + low + "M" + left + " " + low + "L" + right + " " + y;
      } };
    }
    const y = +node.getAttribute("y"), height = +node.getAttribute("height");
    // Gaps and movements that were not counted have a minimum width.
    const least = name === "gap" ? 1.5 : name === "partial" || name === "rejected" ? 2 : 0;
    return { a, b, words, outline: X => {
      const left = X(a), right = Math.max(X(b), left + least);
      return "M" + tenth(left) + " " + y + "H" + tenth(right) + "v" + height + "H" + tenth(left) + "Z";
    } };
  }

  function takeLabels(group) {
    const items = [...group.children].map(node => ({
      a: +node.dataset.a, b: +node.dataset.b, y: node.getAttribute("y"), texts: alternatives(node),
    }));
    return { group, items };
  }

  // ------------------------------------------------------------------ one plot

  function setUp(root, texts) {
    const svg = root.querySelector("svg"), panels = readPanels(texts);
    const whole = { from: +svg.dataset.t0, to: +svg.dataset.t1 };
    const view = { from: whole.from, to: whole.to };
    const plot = { left: +svg.dataset.x0, right: +svg.dataset.x1, width: svg.viewBox.baseVal.width };
    const margin = plot.width - plot.right, drawnRight = plot.right;
    const originName = svg.dataset.origin || "the recording began";
    const all = selector => [...svg.querySelectorAll(selector)];
    const marks = takeMarks(svg), labels = all("g.labels").map(takeLabels);
    const parts = {
      headings: all("text.heading"), wide: all(".full"), legends: all("g.legend"),
      panels: all("g.panel"), ticks: svg.querySelector("g.ticks"), unit: svg.querySelector(".timeunit"),
    };
    const axisY = +parts.ticks.dataset.y, top = +svg.dataset.top || 0;
    const cross = shape("path", { "class": "crosshair" });
    svg.appendChild(cross);
    let at = null, isPending = false, isStale = true;

    // Schedules drawing with the next frame: everything, or only the crosshair if the view is unchanged.
    function schedule(isSameView) {
      if (!isSameView) isStale = true;
      if (isPending) return;
      isPending = true;
      requestAnimationFrame(draw);
    }

    // ---------------------------------------------------------------- drawing

    // Adapts the plot to the available width.
    function fit(width) {
      if (!width || width === plot.width) return;
      plot.width = width;
      plot.right = width - margin;
      const height = svg.viewBox.baseVal.height;
      svg.setAttribute("viewBox", "0 0 " + width + " " + height);
      svg.setAttribute("width", width);
      for (const node of parts.wide) {
        if (node.tagName === "rect") node.setAttribute("width", plot.right - plot.left);
        else node.setAttribute("d", "M" + plot.left + " " + node.dataset.y + "H" + plot.right);
      }
      for (const node of parts.legends) node.setAttribute("transform", "translate(" + (plot.right - drawnRight) + " 0)");
      for (const node of parts.headings) {
        const room = plot.right - plot.left - (+node.dataset.beside || 0);
        const texts = alternatives(node);
        node.textContent = texts.find(s => textWidth(s, 12) <= room) || cut(texts[texts.length - 1], room);
      }
      parts.unit.setAttribute("x", (plot.left + plot.right) / 2);
    }

    function draw() {
      isPending = false;
      if (!svg.getClientRects().length) return;
      const k = (plot.right - plot.left) / (view.to - view.from);
      const X = time => Math.max(-1e5, Math.min(1e5, plot.left + (time - view.from) * k));
      if (isStale) {
        const isSeen = item => item.b >= view.from && item.a <= view.to;
        for (const kind of marks) {
          kind.path.setAttribute("d", kind.items.filter(isSeen).map(item => item.outline(X)).join(""));
        }
        for (const row of labels) placeLabels(row.group, row.items.filter(isSeen), X);
        for (const node of parts.panels) drawPanel(node, panels[+node.dataset.p]);
        drawTimeAxis(X);
        isStale = false;
      }
      drawCrosshair(X);
    }

    // Places labels side by side like `LabelRow`, omitting those that do not fit.
    function placeLabels(group, items, X) {
      const placed = [];
      let taken = plot.left - 5;
      for (const item of items) {
        const middle = (Math.max(X(item.a), plot.left) + Math.min(X(item.b), plot.right)) / 2;
        if (middle < plot.left || middle > plot.right) continue;
        for (const text of item.texts) {
          const width = textWidth(text, 12);
          const x = Math.min(Math.max(middle, plot.left + width / 2), plot.right - width / 2);
          if (x - width / 2 < taken + 4 || x + width / 2 > plot.right + 0.5) continue;
          taken = x + width / 2;
          placed.push(shape("text", { "class": "mid label", x: x.toFixed(1), y: item.y }, text));
          break;
        }
      }
      group.replaceChildren(...placed);
    }

    function drawPanel(node, panel) {
      const data = node.dataset, bottom = +data.y0, high = +data.y1;
      let domain = data.fixed !== undefined ? null : visibleRange(panel, view);
      domain = domain || [+data.v0, +data.v1];
      const scale = { low: domain[0], bottom: bottom, perUnit: (high - bottom) / (domain[1] - domain[0]) };
      panel.scale = scale;
      const grid = node.querySelector("g.gridlines"), step = tickStep(domain[0], domain[1], 5, false);
      grid.replaceChildren();
      for (const v of ticks(domain[0], domain[1], step)) {
        const y = (bottom + (v - domain[0]) * scale.perUnit).toFixed(1);
        grid.appendChild(shape("path", { d: "M" + plot.left + " " + y + "H" + plot.right }));
        grid.appendChild(shape("text", { x: plot.left - 6, y: +y + 4 }, numberText(v, step)));
      }
      for (const path of node.querySelectorAll("path[data-s]")) {
        const series = +path.dataset.s;
        const line = panel.hidden[series] ? null : trace(panel, series, view, plot, scale);
        path.setAttribute("d", line ? line.path : "");
        // Dashes are illegible in dense vertical lines and take a second to paint.
        path.classList.toggle("dense", line !== null && line.travel > 10 * (plot.right - plot.left));
      }
    }

    function drawTimeAxis(X) {
      const width = view.to - view.from;
      const step = tickStep(view.from, view.to, Math.max(2, Math.floor((plot.right - plot.left) / 80)), true);
      parts.ticks.replaceChildren();
      for (const time of ticks(view.from, view.to, step)) {
        const x = X(time), text = timeText(time, width), half = textWidth(text, 12) / 2;
        parts.ticks.appendChild(shape("path", { d: "M" + x.toFixed(1) + " " + axisY + "V" + (axisY + 5) }));
        parts.ticks.appendChild(shape("text", {
          x: Math.min(Math.max(x, half), plot.width - half).toFixed(1), y: axisY + 18,
        }, text));
      }
      parts.unit.textContent = "time since " + originName + " (" + (width > 3600 ? "h:min:s" : width > 120 ? "min:s" : "s") + ")";
    }

    // ---------------------------------------------------------------- values under the crosshair

    const status = element("p", { "class": "status", role: "status", "aria-live": "polite" });

    function drawCrosshair(X) {
      const isShown = at !== null && at >= view.from && at <= view.to;
      const x = isShown ? X(at).toFixed(1) : 0;
      cross.setAttribute("d", isShown ? "M" + x + " " + top + "V" + axisY : "");
      const words = [];
      for (const node of parts.panels) {
        const panel = panels[+node.dataset.p], readout = node.querySelector("text.readout");
        const text = isShown ? reading(panel, node) : "";
        readout.textContent = text;
        if (text) words.push(node.dataset.title + " " + text);
      }
      const time = timeText(at || 0, view.to - view.from) + (view.to - view.from > 120 ? "" : " s");
      status.textContent = isShown ? "At " + time + ": " + place(at) + "." : "";
      // The plot shows the values; screen readers read them here.
      if (isShown) status.appendChild(element("span", { "class": "unseen" }, " " + words.join("; ")));
    }

    // Describes the values of the nearest sample, or that there is none.
    function reading(panel, node) {
      const t = panel.times, ms = (at - panel.origin) * 1000;
      let row = lowerBound(t, ms);
      if (row > 0 && (row === t.length || ms - t[row - 1] < t[row] - ms)) row--;
      if (row >= t.length || Math.abs(t[row] - ms) > Math.max(panel.longest, 300)) return "no samples";
      const names = JSON.parse(node.dataset.names), result = [];
      panel.series.forEach((q, s) => {
        if (panel.hidden[s] || q[row] === MISSING) return;
        const v = value(panel, s, row);
        result.push((names[s] ? names[s] + " " : "") + numberText(v, Math.max(panel.step, Math.abs(v) / 100, 1e-3)));
      });
      return result.join("   ") + (result.length && node.dataset.unit ? " " + node.dataset.unit : "");
    }

    // Describes the position of a time in the recording.
    function place(time) {
      const find = name => {
        for (const kind of marks) {
          const item = kind.name === name && kind.items.find(i => i.a <= time && time <= i.b);
          if (item) return item.words;
        }
      };
      const rep = find("rep");
      if (rep) return rep.split(":")[0];
      const other = find("partial") || find("rejected") || find("gap"), set = find("set");
      // "12.0 to 13.5 s, not a rep: why" begins with the time, which is shown already.
      return other ? other.replace(/^[^,:]* s, /, "") : set ? set + ", between reps" : "outside of any set";
    }

    // ---------------------------------------------------------------- moving

    function show(from, to) {
      const width = Math.min(Math.max(to - from, 0.2), whole.to - whole.from), middle = (from + to) / 2;
      view.from = Math.min(Math.max(middle - width / 2, whole.from), whole.to - width);
      view.to = view.from + width;
      schedule();
    }

    function zoom(factor, time) {
      if (time === undefined) time = at !== null && at > view.from && at < view.to ? at : (view.from + view.to) / 2;
      show(time - (time - view.from) * factor, time + (view.to - time) * factor);
    }

    function pan(share) { show(view.from + share * (view.to - view.from), view.to + share * (view.to - view.from)); }

    function point(time) {
      at = time === null ? null : Math.min(Math.max(time, whole.from), whole.to);
      if (at !== null && (at < view.from || at > view.to)) {
        const half = (view.to - view.from) / 2;
        show(at - half, at + half);
      }
      schedule(true);
    }

    function timeAt(clientX) {
      const frame = svg.getBoundingClientRect();
      const x = (clientX - frame.left) * plot.width / frame.width;
      return view.from + (x - plot.left) / (plot.right - plot.left) * (view.to - view.from);
    }

    const actions = {
      in: () => zoom(0.5), out: () => zoom(2), left: () => pan(-0.5), right: () => pan(0.5),
      all: () => show(whole.from, whole.to),
    };

    const tools = element("div", { "class": "tools" });
    for (const [name, label, words] of [
      ["in", "+", "Zoom in"], ["out", "\u2212", "Zoom out"], ["left", "\u2190", "Earlier"],
      ["right", "\u2192", "Later"], ["all", "Whole", "Show everything"],
    ]) {
      const button = element("button", { type: "button", "data-do": name, "aria-label": words, title: words }, label);
      button.addEventListener("click", actions[name]);
      tools.appendChild(button);
    }
    tools.appendChild(channels());
    const keys = element("p", { "class": "faint keys" },
      "Drag to move; pinch, or turn the wheel with Shift or Ctrl, to zoom. Keys: + and \u2212 zoom, "
      + "\u2190 and \u2192 move, Shift with \u2190 or \u2192 steps through the values, 0 shows everything.");

    // Creates a checkbox for each line that can be hidden.
    function channels() {
      const box = element("details", { "class": "channels" });
      box.appendChild(element("summary", {}, "Lines"));
      for (const node of parts.panels) {
        const panel = panels[+node.dataset.p], group = element("fieldset", {});
        group.appendChild(element("legend", {}, node.dataset.title));
        JSON.parse(node.dataset.names).forEach((name, s) => {
          const label = element("label", {}), input = element("input", { type: "checkbox" });
          input.checked = true;
          input.addEventListener("change", () => { panel.hidden[s] = !input.checked; schedule(); });
          label.append(input, " " + (name || "shown"));
          group.appendChild(label);
        });
        box.appendChild(group);
      }
      return box;
    }

    svg.addEventListener("wheel", event => {
      if (!event.ctrlKey && !event.shiftKey) return;
      event.preventDefault();
      const turn = event.deltaY || event.deltaX;
      zoom(Math.exp(Math.max(-200, Math.min(200, turn)) * 0.004), timeAt(event.clientX));
    }, { passive: false });
    svg.addEventListener("dblclick", event => zoom(0.4, timeAt(event.clientX)));

    const pointers = new Map();
    let spread = null, hasMoved = false;
    svg.addEventListener("pointerdown", event => {
      if (event.button) return;
      svg.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, event.clientX);
      spread = null;
      hasMoved = false;
    });
    svg.addEventListener("pointerup", event => {
      if (pointers.delete(event.pointerId) && !hasMoved) point(timeAt(event.clientX));
      spread = null;
    });
    svg.addEventListener("pointercancel", event => { pointers.delete(event.pointerId); spread = null; });
    svg.addEventListener("pointerleave", event => { if (event.pointerType === "mouse" && !pointers.size) point(null); });
    svg.addEventListener("pointermove", event => {
      const before = pointers.get(event.pointerId);
      if (before === undefined) {
        if (event.pointerType === "mouse") point(timeAt(event.clientX));
        return;
      }
      if (Math.abs(event.clientX - before) < 3 && !hasMoved) return;
      hasMoved = true;
      pointers.set(event.pointerId, event.clientX);
      if (pointers.size === 1) {
        const moved = timeAt(before) - timeAt(event.clientX);
        show(view.from + moved, view.to + moved);
        return;
      }
      const [p, q] = [...pointers.values()], distance = Math.abs(p - q);
      if (spread && distance > 5) zoom(spread / distance, timeAt((p + q) / 2));
      spread = distance;
    });

    // Screen readers keep key presses on images, but pass those on applications to the page.
    svg.setAttribute("role", "application");
    svg.setAttribute("tabindex", "0");
    svg.classList.add("plot");
    svg.addEventListener("keydown", event => {
      if (event.altKey || event.metaKey) return;
      const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
      if (step && event.shiftKey) {
        const from = at === null ? (view.from + view.to) / 2 : at;
        point(from + step * (view.to - view.from) / 100);
      } else if (step) pan(step / 4);
      else if (event.key === "+" || event.key === "=") zoom(0.5);
      else if (event.key === "-") zoom(2);
      else if (event.key === "0" || event.key === "Home") actions.all();
      else if (event.key === "Escape") point(null);
      else return;
      event.preventDefault();
    });

    root.insertBefore(tools, svg);
    root.insertBefore(status, svg);
    root.appendChild(keys);
    const refit = () => { fit(Math.round(root.clientWidth)); schedule(); };
    window.addEventListener("resize", refit);
    window.addEventListener("beforeprint", () => { fit(1000); isStale = true; draw(); });
    window.addEventListener("afterprint", refit);
    fit(Math.round(root.clientWidth));
    draw();
  }

  // Folded plots are set up when they are opened.
  for (const root of document.querySelectorAll("[data-figure]")) {
    const start = () => setUp(root, figures[+root.dataset.figure]);
    const fold = root.closest("details.plotfold");
    if (!fold) start();
    else fold.addEventListener("toggle", start, { once: true });
  }

  // ------------------------------------------------------------------ reports

  // Shows some of many elements, and a button for more. Returns a function that reveals an element.
  function showInSteps(items, step, place) {
    const more = element("button", { type: "button" }), tools = element("div", { "class": "tools" });
    const revealed = new Set();
    let shown = step;
    const update = () => {
      items.forEach((item, index) => { item.hidden = index >= shown && !revealed.has(item); });
      tools.hidden = shown >= items.length;
      more.textContent = "Show " + Math.min(step, items.length - shown) + " more of " + items.length;
    };
    more.addEventListener("click", () => { shown += step; update(); });
    tools.appendChild(more);
    place.after(tools);
    update();
    return item => { if (item) revealed.add(item); update(); };
  }

  function setUpTable(table) {
    const rows = [...table.tBodies], isOfSets = table.classList.contains("sets");
    const reveal = showInSteps(rows, isSmall() ? isOfSets ? 6 : 3 : 12, table);
    for (const row of rows) addToggle(row);
    if (isOfSets && rows.length > 1) addSorting(table, [...table.tHead.rows[0].cells], rows, reveal);
    table.reveal = row => {
      reveal(row);
      const button = row.querySelector(".toggle");
      if (button && button.getAttribute("aria-expanded") === "false") button.click();
      row.scrollIntoView({ block: "center" });
      if (button) button.focus({ preventScroll: true });
    };
  }

  // Adds a button to a set's row that unfolds the content below it.
  function addToggle(row) {
    const below = row.querySelector("tr.more"), fold = below && below.querySelector("details");
    if (!fold) return;
    const cells = row.rows[0].cells, cell = cells[cells.length - 1];
    const name = [...cells].slice(0, -1).map(c => c.textContent).join(" ");
    const button = element("button", { type: "button", "class": "toggle", "aria-expanded": "false", "aria-label": "More about " + name });
    const show = isOpen => {
      below.hidden = !isOpen;
      fold.open = isOpen;
      button.setAttribute("aria-expanded", isOpen);
      button.textContent = isOpen ? "Less" : "More";
    };
    button.addEventListener("click", () => show(below.hidden));
    show(false);
    cell.appendChild(button);
  }

  function addSorting(table, heads, rows, update) {
    const label = element("label", { "class": "sorting" }, "Sort by "), select = element("select", {});
    let column = -1, isUp = true;
    const key = (row, index) => {
      const cell = row.rows[0].cells[index];
      return cell.dataset.v !== undefined ? +cell.dataset.v : cell.firstChild ? cell.firstChild.textContent : "";
    };
    const sort = (index, up) => {
      column = index;
      isUp = up;
      const keys = new Map(rows.map(row => [row, key(row, index)]));
      const compare = (a, b) => typeof a === "number" && typeof b === "number" ? a - b
        : typeof a === "string" && typeof b === "string" ? a.localeCompare(b) : 0;
      rows.sort((a, b) => {
        const x = keys.get(a), y = keys.get(b);
        // Rows without the value come last in either order.
        return (x === "") - (y === "") || (up ? 1 : -1) * compare(x, y) || a.dataset.row - b.dataset.row;
      });
      table.append(...rows);
      heads.forEach((head, i) => { if (i === index) head.setAttribute("aria-sort", up ? "ascending" : "descending"); else head.removeAttribute("aria-sort"); });
      select.value = index + (up ? "+" : "-");
      update();
    };
    heads.slice(0, -1).forEach((head, index) => {
      const title = head.textContent, first = head.dataset.up === "1";
      const button = element("button", { type: "button" }, title);
      head.replaceChildren(button);
      button.addEventListener("click", () => sort(index, column === index ? !isUp : first));
      for (const up of [first, !first]) {
        select.appendChild(element("option", { value: index + (up ? "+" : "-") }, title + (up ? " \u2191" : " \u2193")));
      }
    });
    select.addEventListener("change", () => sort(parseInt(select.value, 10), select.value.endsWith("+")));
    label.appendChild(select);
    table.before(label);
  }

  for (const table of document.querySelectorAll(".report > table")) setUpTable(table);
  for (const charts of document.querySelectorAll(".charts")) {
    if (isSmall()) showInSteps([...charts.children], 4, charts);
  }
  const groups = [...document.querySelectorAll(".report > details.group")];
  if (groups.length) showInSteps(groups, isSmall() ? 5 : 12, groups[groups.length - 1]);

  // Notices link to the rows of their sets.
  for (const notice of document.querySelectorAll(".notices li")) {
    const table = document.querySelector("table.sets");
    const row = table && table.querySelector("tbody[data-row='" + notice.dataset.row + "']");
    if (!row) continue;
    const button = element("button", { type: "button", "aria-label": "Show " + notice.textContent }, "Show");
    button.addEventListener("click", () => table.reveal(row));
    notice.appendChild(button);
  }

  document.documentElement.classList.add("live");
})();
