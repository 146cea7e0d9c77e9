// Counts live from the device's own motion sensors.
import { Detector } from "./reptrace.js";
import { byId, clock, csv, download, element, percent, plural, confidenceText } from "./dom.js";

const standardGravity = 9.80665;
const radians = Math.PI / 180;
/** Duration of the batches that the detector gets, in seconds. */
const batchSeconds = 0.2;

const storageKey = "reptrace.history";

let detector = null;
let pending = [];
let isDeclared = false;
let count = 0;
let received = 0;
let begun = 0;
let audio = null;
let screenLock = null;

// ---------------------------------------------------------------- Samples

/**
 * A sample of a DeviceMotionEvent, in the detector's units: seconds, g, rad/s. The axes stay the device's: x to
 * the right of the screen, y up, z out of it; `rotationRate` names turns about them alpha, beta and gamma.
 */
export function sample(event) {
  const { acceleration: free, accelerationIncludingGravity: total, rotationRate: rate } = event;
  const number = (value, scale) => (value === null || value === undefined ? NaN : value * scale);
  const of = (vector, scale) => ["x", "y", "z"].map((axis) => number(vector?.[axis], scale));
  const accelerations = of(free, 1 / standardGravity);
  const totals = of(total, 1 / standardGravity);
  const hasFree = accelerations.every(Number.isFinite);
  return {
    time: event.timeStamp / 1000,
    acceleration: accelerations,
    gravity: hasFree ? totals.map((value, axis) => value - accelerations[axis]) : [NaN, NaN, NaN],
    total: hasFree ? [NaN, NaN, NaN] : totals,
    rotation: [number(rate?.alpha, radians), number(rate?.beta, radians), number(rate?.gamma, radians)],
  };
}

/** Returns columns of samples, without those of sensors that the device lacks. */
export function columns(samples) {
  const result = { timestamp: samples.map((sample) => sample.time) };
  for (const [property, name] of [["acceleration", "acceleration"], ["gravity", "gravity"], ["total", "totalAcceleration"], ["rotation", "rotation"]]) {
    if (!samples.some((sample) => sample[property].some(Number.isFinite))) continue;
    ["X", "Y", "Z"].forEach((axis, index) => { result[name + axis] = samples.map((sample) => sample[property][index]); });
  }
  return result;
}

function onMotion(event) {
  const next = sample(event);
  received++;
  if (received === 1) {
    begun = next.time;
    byId("live-rate").textContent = "";
  }
  pending.push(next);
  if (next.time - pending[0].time >= batchSeconds) flush();
}

function flush() {
  if (!pending.length || !detector) return;
  const samples = pending;
  pending = [];
  detector.append(columns(samples));
  handleEvents();
  const seconds = samples.at(-1).time - begun;
  if (seconds > 1) byId("live-rate").textContent = `${Math.round((received - 1) / seconds)} samples a second`;
}

// ---------------------------------------------------------------- Events

function handleEvents() {
  for (const event of detector.events()) {
    switch (event.type) {
      case "setStarted":
        showCount(0);
        setState("counting", event.cause === "declared" ? "Counting your set" : "A set!");
        break;
      case "rep":
        showCount(event.count);
        signal();
        break;
      case "repCorrected": showCount(event.count); break;
      case "setEnded":
        showCount(event.set.reps.length);
        setState("ended", event.set.reps.length ? `Set over, ${confidenceText(event.set.confidence)}` : "Set over");
        if (event.set.reps.length) remember(event.set);
        break;
      case "setCancelled":
        showCount(0);
        setState("ready", "That was no set");
        break;
    }
  }
}

function showCount(value) {
  const rose = value > count;
  count = value;
  const node = byId("live-count");
  node.textContent = String(value);
  node.classList.toggle("is-long", value > 99);
  byId("live-unit").textContent = value === 1 ? "rep" : "reps";
  byId("live-spoken").textContent = plural(value, "rep");
  if (rose) {
    node.classList.remove("bump");
    void node.offsetWidth;
    node.classList.add("bump");
  }
}

function setState(name, text) {
  byId("stage").classList.toggle("is-counting", name === "counting");
  byId("stage").dataset.state = name;
  byId("live-state").textContent = text;
}

/** Signals a rep with a short sound and a vibration. */
function signal() {
  if (byId("live-vibration").checked) navigator.vibrate?.(40);
  if (!byId("live-sound").checked || !audio) return;
  const now = audio.currentTime;
  const tone = audio.createOscillator(), volume = audio.createGain();
  tone.frequency.value = 880;
  volume.gain.setValueAtTime(0.2, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.12);
  tone.connect(volume).connect(audio.destination);
  tone.start(now);
  tone.stop(now + 0.13);
}

// ---------------------------------------------------------------- Session

async function start() {
  try {
    // Safari asks for permission, and only in response to a tap.
    const answer = await globalThis.DeviceMotionEvent?.requestPermission?.();
    if (answer && answer !== "granted") return setState("ready", "Motion was not allowed. Reload the page to be asked again.");
  } catch (error) {
    return setState("ready", `Motion is not available: ${error.message}`);
  }
  if (!globalThis.DeviceMotionEvent) return setState("ready", "This browser offers no motion sensors.");
  if (byId("live-sound").checked) audio ??= new AudioContext();
  detector = new Detector({ findsSets: byId("live-found").checked });
  pending = [];
  received = 0;
  isDeclared = false;
  addEventListener("devicemotion", onMotion);
  byId("live-start").hidden = true;
  byId("live-set").hidden = byId("live-stop").hidden = false;
  byId("live-found").disabled = true;
  byId("live-set").textContent = "Begin a set";
  showCount(0);
  setState("ready", byId("live-found").checked ? "Ready. Begin to move." : "Ready. Begin a set.");
  screenLock = await navigator.wakeLock?.request("screen").catch(() => null);
  setTimeout(() => {
    if (detector && !received) byId("live-rate").textContent = "No motion arrives. Open this page on a phone, over https.";
  }, 2000);
}

function stop() {
  removeEventListener("devicemotion", onMotion);
  flush();
  detector.finish();
  handleEvents();
  detector.free();
  detector = null;
  screenLock?.release();
  byId("live-start").hidden = false;
  byId("live-set").hidden = byId("live-stop").hidden = true;
  byId("live-found").disabled = false;
  byId("live-rate").textContent = "";
  byId("stage").classList.remove("is-counting");
  byId("live-start").focus();
}

function toggleSet() {
  flush();
  if (isDeclared) {
    detector.endSet();
  } else {
    detector.beginSet();
    showCount(0);
    setState("counting", "Counting your set");
  }
  isDeclared = !isDeclared;
  byId("live-set").textContent = isDeclared ? "End the set" : "Begin a set";
  handleEvents();
}

// ---------------------------------------------------------------- History

function history() {
  try {
    return JSON.parse(localStorage.getItem(storageKey)) ?? [];
  } catch {
    return [];
  }
}

function keep(entries) {
  try {
    localStorage.setItem(storageKey, JSON.stringify(entries));
  } catch (error) {
    setState("ready", `The history cannot be kept: ${error.message}`);
  }
  showHistory();
}

function remember(set) {
  keep([...history(), {
    date: new Date().toISOString(), cause: set.cause, reps: set.reps.length,
    confidence: Math.round(set.confidence * 1e4) / 1e4, seconds: Math.round((set.end - set.start) * 1000) / 1000,
  }]);
}

function showHistory() {
  const entries = history();
  for (const id of ["history-csv", "history-ndjson", "history-clear"]) byId(id).hidden = !entries.length;
  if (!entries.length) {
    byId("history").replaceChildren(element("p", { className: "source" }, "No set yet. Sets are kept in this browser only."));
    return;
  }
  const head = (text, className) => element("th", { scope: "col", className }, text);
  const rows = entries.map((entry, index) => element("tr", {},
    element("td", {}, new Date(entry.date).toLocaleString(undefined, { dateStyle: "short", timeStyle: "short" })),
    element("td", { className: "n count" }, String(entry.correctedReps ?? entry.reps)),
    element("td", { className: "n wide" }, entry.correctedReps === undefined ? percent(entry.confidence) : "corrected"),
    element("td", { className: "n wide" }, clock(entry.seconds)),
    element("td", { className: "n" }, element("span", { className: "stepper" },
      ...[["−", "One fewer rep", -1], ["+", "One more rep", 1]].map(([text, label, by]) =>
        element("button", { type: "button", "aria-label": label, onclick: () => change(index, by) }, text)),
      element("button", { type: "button", "aria-label": "Delete this set", onclick: () => keep(entries.toSpliced(index, 1)) }, "×"))))).reverse();
  byId("history").replaceChildren(element("table", {},
    element("thead", {}, element("tr", {}, head("Set", ""), head("Reps", "n"), head("", "n wide"), head("Length", "n wide"), head("", "n"))),
    element("tbody", {}, ...rows)));
}

function change(index, by) {
  const entries = history();
  const entry = entries[index];
  const corrected = Math.max(0, (entry.correctedReps ?? entry.reps) + by);
  if (corrected === entry.reps) delete entry.correctedReps; else entry.correctedReps = corrected;
  keep(entries);
}

byId("live-start").onclick = start;
byId("live-start").disabled = false;
byId("live-stop").onclick = stop;
byId("live-set").onclick = toggleSet;
byId("history-csv").onclick = () => {
  const names = ["date", "cause", "reps", "confidence", "seconds", "correctedReps"];
  download("reptrace-history.csv", "text/csv", csv(names, history().map((entry) => names.map((name) => entry[name]))));
};
byId("history-ndjson").onclick = () =>
  download("reptrace-history.ndjson", "application/x-ndjson", history().map((entry) => JSON.stringify(entry) + "\n").join(""));
byId("history-clear").onclick = () => { if (confirm("Delete all sets that this browser keeps?")) keep([]); };

export function show() { showHistory(); }
