// Decodes, counts and analyzes recordings outside the page's thread.
import { Recordings } from "./reptrace.js";

/** The columns that the picture draws. */
const drawn = [
  "timestamp", "rotationX", "rotationY", "rotationZ", "accelerationX", "accelerationY", "accelerationZ",
  "totalAccelerationX", "totalAccelerationY", "totalAccelerationZ", "gravityX", "gravityY", "gravityZ",
];

let recordings;
let newest = 0;

/** Yields to messages that have arrived. */
const breathe = () => new Promise((resolve) => setTimeout(resolve));

async function countFiles({ run, files, roots, oneSet }) {
  newest = run;
  const read = [];
  for (const { path, blob } of files) {
    postMessage({ type: "progress", run, stage: "Reading", done: read.length, total: files.length });
    try {
      read.push({ path, bytes: new Uint8Array(await blob.arrayBuffer()) });
    } catch (error) {
      postMessage({ type: "loaded", run, items: [{ kind: "failed", path, message: error.message }] });
    }
    if (run !== newest) return;
  }
  recordings = new Recordings(read, { roots, oneSet });
  let paused = performance.now();
  for (let unit = 0; unit < recordings.size; unit++) {
    postMessage({ type: "progress", run, stage: "Counting", done: unit, total: recordings.size });
    const items = recordings.load(unit);
    if (items.length) postMessage({ type: "loaded", run, items });
    if (performance.now() - paused > 50) {
      await breathe();
      paused = performance.now();
      if (run !== newest) return;
    }
  }
  postMessage({ type: "done", run });
}

function sendDetails({ run, index }) {
  if (run !== newest || !recordings) return;
  const details = recordings.details(index);
  const columns = {};
  for (const name of drawn) {
    if (details.channels.includes(name)) columns[name] = recordings.column(index, name);
  }
  postMessage({ type: "details", run, index, details, columns },
    Object.values(columns).map((column) => column.buffer));
}

function sendExplanation({ run, index, set, count }) {
  if (run !== newest) return;
  postMessage({ type: "explained", run, index, set, count, reps: recordings.explain(index, set, count) });
}

const actions = { count: countFiles, details: sendDetails, explain: sendExplanation };

onmessage = async ({ data }) => {
  try {
    await actions[data.type](data);
  } catch (error) {
    postMessage({ type: "crashed", run: data.run, message: String(error) });
  }
};

postMessage({ type: "ready" });
