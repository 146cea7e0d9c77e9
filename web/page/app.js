// The page: takes recordings, shows their sets, and switches to live counting.
import { byId, clock, csv, decimal, download, element, percent, plural, confidenceText } from "./dom.js";
import { Picture } from "./picture.js";

let worker = startWorker();
/** Messages for a worker that is not ready, which would lose them. Null once it is ready. */
let waiting = [];

function send(message) {
  if (waiting) waiting.push(message);
  else worker.postMessage(message);
}

/** True for hidden files and folders, which are skipped. */
const isNoise = (path) => path.split("/").some((part) => part.startsWith("."));

const state = {
  run: 0,
  /** The results in order: recordings, failures and skipped files. */
  items: [],
  /** The recording whose picture is shown. */
  open: null,
  picture: null,
  /** A person's counts, by recording and set. */
  corrections: new Map(),
};

const recordings = () => state.items.filter((item) => item.kind === "recording");
const key = (recording, set) => `${recording.index} ${set}`;
const countOf = (recording, set) => state.corrections.get(key(recording, set)) ?? recording.sets[set].reps;

function announce(text) { byId("announcement").textContent = text; }

// ---------------------------------------------------------------- Taking files

/** @param files `{ path, blob }` with paths that begin with one of `roots`. */
function begin(files, roots) {
  state.run++;
  state.items = [];
  state.open = null;
  state.picture = null;
  state.corrections.clear();
  state.last = { files, roots };
  delete document.documentElement.dataset.finished;
  document.body.classList.add("has-results");
  byId("results").hidden = true;
  byId("recording").hidden = true;
  showProgress("Reading", 0, files.length);
  send({ type: "count", run: state.run, files, roots, oneSet: byId("one-set").checked });
}

function showProgress(stage, done, total) {
  byId("progress").hidden = false;
  byId("progress-bar").value = total ? done / total : 0;
  byId("progress-text").textContent = total > 1 ? `${stage} ${done + 1} of ${total}` : `${stage} …`;
}

function chosen(list) {
  const files = [...list].map((file) => ({ path: file.webkitRelativePath || file.name, blob: file }))
    .filter(({ path }) => !isNoise(path));
  if (files.length) begin(files, [...new Set(files.map(({ path }) => path.split("/")[0]))]);
}

async function entriesOf(entry, path, found) {
  if (isNoise(entry.name)) return;
  if (entry.isFile) {
    found.push({ path, blob: await new Promise((resolve, reject) => entry.file(resolve, reject)) });
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return;
    for (const child of some) await entriesOf(child, `${path}/${child.name}`, found);
  }
}

async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return chosen(transfer.files);
  const found = [];
  for (const entry of entries) await entriesOf(entry, entry.name, found);
  if (found.length) begin(found, entries.map((entry) => entry.name).filter((name) => !isNoise(name)));
}

async function showExample() {
  const response = await fetch("example.csv.gz");
  begin([{ path: "two-sets-of-curls.csv.gz", blob: await response.blob() }], ["two-sets-of-curls.csv.gz"]);
}

// ---------------------------------------------------------------- Results

function startWorker() {
  const worker = new Worker("worker.js", { type: "module" });
  worker.onmessage = receive;
  worker.onerror = (event) => {
    byId("progress").hidden = true;
    byId("results").hidden = false;
    byId("summary").textContent = "This browser cannot run the counter";
    byId("messages").replaceChildren(message("failure", event.message || "WebAssembly or module workers are missing."));
  };
  return worker;
}

function receive({ data }) {
  if (data.type === "ready") {
    for (const message of waiting) worker.postMessage(message);
    waiting = null;
    document.documentElement.dataset.ready = "true";
    return;
  }
  if (data.run !== state.run) return;
  switch (data.type) {
    case "progress": showProgress(data.stage, data.done, data.total); break;
    case "loaded":
      state.items.push(...data.items);
      scheduleResults();
      break;
    case "done":
      byId("progress").hidden = true;
      showResults();
      if (recordings().length === 1) open(recordings()[0]);
      announce(byId("summary").textContent);
      document.documentElement.dataset.finished = "true";
      break;
    case "details": showDetails(data); break;
    case "explained":
      if (data.reps && state.picture && state.open?.index === data.index) state.picture.setReps(data.set, data.reps);
      break;
    case "crashed":
      byId("progress").hidden = true;
      // The worker's memory is in an unknown state, so the next files go to a new one.
      worker.terminate();
      worker = startWorker();
      waiting = [];
      state.items = [{ kind: "failed", path: "The counter stopped", message: data.message }];
      byId("recording").hidden = true;
      showResults();
      document.documentElement.dataset.finished = "true";
      break;
  }
}

let scheduled = null;

/** Shows results a few times a second while more arrive. */
function scheduleResults() {
  scheduled ??= setTimeout(showResults, state.items.length > 1 ? 200 : 0);
}

const message = (kind, text) => element("p", { className: `message ${kind}` }, text);

function showResults() {
  clearTimeout(scheduled);
  scheduled = null;
  const all = recordings();
  const sets = all.reduce((sum, recording) => sum + recording.sets.length, 0);
  const reps = all.reduce((sum, recording) => sum + recording.sets.reduce((sum, _, set) => sum + countOf(recording, set), 0), 0);
  byId("results").hidden = false;
  byId("summary").textContent = all.length
    ? `${plural(reps, "rep")} in ${plural(sets, "set")}${all.length > 1 ? ` of ${all.length} recordings` : ""}`
    : "No recording found";
  byId("download-csv").disabled = byId("download-ndjson").disabled = !sets;
  const failures = state.items.filter((item) => item.kind === "failed");
  const skipped = state.items.filter((item) => item.kind === "skipped");
  byId("messages").replaceChildren(
    ...failures.map((item) => message("failure", `${item.path}: ${item.message}`)),
    ...(all.length || failures.length ? [] : [message("failure",
      "None of these files is a recording. RepTrace reads CSV, JSON and NDJSON of motion sensors, and zip archives of them.")]),
    ...(skipped.length ? [message("", `${plural(skipped.length, "file")} without motion skipped.`)] : []));
  byId("table").hidden = all.length < 2;
  if (all.length > 1) showTable(all);
}

function showTable(all) {
  const row = (recording) => {
    const length = recording.sets.reduce((sum, set) => sum + set.end - set.start, 0);
    const least = Math.min(1, ...recording.sets.map((set) => set.confidence));
    const counts = recording.sets.map((_, set) => countOf(recording, set));
    return element("tr", { className: recording === state.open ? "is-open" : "" },
      element("td", {}, element("button", {
        type: "button", className: "row", "aria-expanded": String(recording === state.open),
        onclick: () => open(recording, true),
      }, recording.name)),
      element("td", { className: "n" }, String(recording.sets.length)),
      element("td", { className: "n count" }, counts.length ? counts.join(" + ") : "–"),
      element("td", { className: "n" }, recording.sets.length ? percent(least) : ""),
      element("td", { className: "n wide" }, recording.sets.length ? clock(length) : ""));
  };
  const head = (text, className) => element("th", { scope: "col", className }, text);
  byId("table").replaceChildren(element("table", {},
    element("thead", {}, element("tr", {}, head("Recording", ""), head("Sets", "n"), head("Reps", "n"), head("Confidence", "n"), head("In sets", "n wide"))),
    element("tbody", {}, ...all.map(row))));
}

// ---------------------------------------------------------------- One recording

function open(recording, byUser = false) {
  state.open = recording;
  state.picture = null;
  if (!byId("table").hidden) showTable(recordings());
  const article = byId("recording");
  article.hidden = false;
  article.replaceChildren(
    element("h3", { tabIndex: -1 }, recording.name),
    element("p", { className: "source" }, `${recording.samples.toLocaleString("en")} samples`
      + (recording.unixTime ? ` · ${new Date(recording.unixTime * 1000).toLocaleString()}` : "")),
    element("div", { className: `sets${recording.sets.length === 1 ? " is-single" : ""}` },
      ...recording.sets.map((_, set) => card(recording, set))),
    recording.sets.length ? "" : message("", "No set was found. The picture shows what was seen and why it was not counted."),
    element("div", { className: "picture" }, element("p", { className: "source" }, "Drawing …")),
    ...recording.warnings.map((text) => message("warning", text)),
    ...recording.notes.map((text) => message("", text)));
  if (byUser) article.querySelector("h3").focus({ preventScroll: false });
  send({ type: "details", run: state.run, index: recording.index });
}

function card(recording, set) {
  const { start, end, confidence, reps, exerciseId, cause } = recording.sets[set];
  const number = element("span", { className: "number" });
  const sure = element("span", { className: "sure" });
  const show = () => {
    const count = countOf(recording, set);
    number.replaceChildren(String(count), element("small", {}, count === 1 ? "rep" : "reps"));
    sure.textContent = count === reps ? confidenceText(confidence) : `corrected, ${reps} counted`;
  };
  const correct = (by) => {
    const count = countOf(recording, set) + by;
    if (count < 0) return;
    if (count === reps) state.corrections.delete(key(recording, set));
    else state.corrections.set(key(recording, set), count);
    show();
    announce(`Set ${set + 1}: ${plural(count, "rep")}`);
    showResults();
    if (count === reps) state.picture?.setReps(set, recording.sets[set].repEvents);
    else send({ type: "explain", run: state.run, index: recording.index, set, count });
  };
  const button = (text, label, by) =>
    element("button", { type: "button", "aria-label": `${label} rep in set ${set + 1}`, onclick: () => correct(by) }, text);
  show();
  return element("section", { className: "set", "aria-label": `Set ${set + 1}` },
    element("div", { className: "set-head" },
      element("span", {}, `Set ${set + 1}${exerciseId ? ` · ${exerciseId}` : ""}${cause === "declared" ? " · declared" : ""}`),
      element("button", { type: "button", className: "link", onclick: () => zoomTo(set) }, `${clock(start)} – ${clock(end)}`)),
    element("div", { className: "set-count" }, number,
      element("span", { className: "stepper" }, button("−", "One fewer", -1), button("+", "One more", 1))),
    element("div", {}, sure, element("dl", { className: "facts" })));
}

function zoomTo(set) {
  const { start, end } = state.open.sets[set];
  const room = Math.max(1, (end - start) * 0.08);
  state.picture?.show(start - room, end + room);
  document.querySelector("#recording canvas")?.scrollIntoView({ block: "nearest" });
}

function showDetails({ index, details, columns }) {
  const recording = state.open;
  if (recording?.index !== index) return;
  const article = byId("recording");
  state.picture = new Picture(article.querySelector(".picture"), { name: recording.name, sets: recording.sets, details, columns });
  article.querySelectorAll(".facts").forEach((list, set) => {
    const analysis = details.analyses[set];
    const facts = [
      ["tempo", analysis.typicalDuration, (value) => `${decimal(value)} s`],
      ["wrist turn", analysis.typicalRotationRange, (value) => `${Math.round(value)}°`],
      ["consistency", analysis.consistency, (value) => `${Math.round(value * 100)} %`],
      ["tempo control", analysis.tempoControl, (value) => `${Math.round(value * 100)} %`],
      ["fatigue", Math.round(analysis.slowdown) || undefined, (value) => `${Math.round(value)} %`],
      ["speed lost", Math.round(analysis.velocityLoss) || undefined, (value) => `${Math.round(value)} %`],
    ].filter(([, value]) => value !== undefined);
    list.replaceChildren(...facts.map(([name, value, text]) =>
      element("div", {}, element("dt", {}, name), element("dd", {}, text(value)))));
  });
  recording.sets.forEach((set, number) => {
    const count = countOf(recording, number);
    if (count !== set.reps) send({ type: "explain", run: state.run, index, set: number, count });
  });
}

// ---------------------------------------------------------------- Downloads

function lines() {
  return recordings().flatMap((recording) => recording.sets.map((line, set) => {
    const count = state.corrections.get(key(recording, set));
    return count === undefined ? line : { ...line, correctedReps: count };
  }));
}

byId("download-ndjson").onclick = () =>
  download("reptrace.ndjson", "application/x-ndjson", lines().map((line) => JSON.stringify(line) + "\n").join(""));

byId("download-csv").onclick = () => {
  const names = ["recording", "set", "setId", "exerciseId", "sessionId", "cause", "start", "end", "reps", "confidence", "correctedReps"];
  download("reptrace.csv", "text/csv", csv(names, lines().map((line) => names.map((name) => line[name]))));
};

// ---------------------------------------------------------------- Controls

byId("choose-files").onclick = () => byId("files").click();
byId("choose-folder").onclick = () => byId("folder").click();
byId("example").onclick = showExample;
for (const id of ["files", "folder"]) {
  byId(id).onchange = (event) => { chosen(event.target.files); event.target.value = ""; };
}
byId("one-set").onchange = () => { if (state.last) begin(state.last.files, state.last.roots); };

let depth = 0;
addEventListener("dragenter", (event) => { event.preventDefault(); depth++; document.body.classList.add("is-dragging"); });
addEventListener("dragleave", () => { if (--depth <= 0) { depth = 0; document.body.classList.remove("is-dragging"); } });
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  depth = 0;
  document.body.classList.remove("is-dragging");
  location.hash = "#recordings";
  dropped(event.dataTransfer);
});

let live;

async function route() {
  const isLive = location.hash === "#live";
  byId("recordings").hidden = isLive;
  byId("live").hidden = !isLive;
  for (const [id, isShown] of [["tab-recordings", !isLive], ["tab-live", isLive]]) {
    if (isShown) byId(id).setAttribute("aria-current", "page");
    else byId(id).removeAttribute("aria-current");
  }
  document.title = isLive ? "RepTrace – live" : "RepTrace – count reps";
  if (isLive) {
    live ??= import("./live.js");
    (await live).show();
  }
}

addEventListener("hashchange", route);
route();
import("./reptrace.js").then(({ version }) => { byId("version").textContent = version; });
