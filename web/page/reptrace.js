// RepTrace in JavaScript: the detector and the decoders of the command `reptrace`, as WebAssembly.
//
//     import { Detector } from "reptrace";
//     const d = new Detector();
//     d.append({ timestamp, accelerationX, accelerationY, accelerationZ, rotationX, rotationY, rotationZ });
//     for (const event of d.events()) console.log(event.type, event.time);

/** The columns of samples, in the order of their numbers. */
export const channels = [
  "timestamp", "accelerationX", "accelerationY", "accelerationZ", "rotationX", "rotationY", "rotationZ",
  "gravityX", "gravityY", "gravityZ", "roll", "pitch", "yaw", "magneticFieldX", "magneticFieldY",
  "magneticFieldZ", "quaternionW", "quaternionX", "quaternionY", "quaternionZ", "totalAccelerationX",
  "totalAccelerationY", "totalAccelerationZ",
];

const phases = { execution: 1, rest: 2 };

async function instantiate(address) {
  if (address.protocol === "file:" && globalThis.process?.versions?.node) {
    const { readFile } = await import("node:fs/promises");
    return WebAssembly.instantiate(await readFile(address));
  }
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.pathname}: ${response.status}`);
  return WebAssembly.instantiate(await response.arrayBuffer());
}

const core = (await instantiate(new URL("reptrace.wasm", import.meta.url))).instance.exports;

/** Runs `use` with a copy of bytes in the core's memory. */
function withBytes(bytes, use) {
  const pointer = core.reptrace_allocate(Math.max(bytes.byteLength, 1));
  try {
    new Uint8Array(core.memory.buffer).set(bytes, pointer);
    return use(pointer, bytes.byteLength);
  } finally {
    core.reptrace_free(pointer);
  }
}

const withText = (text, use) => withBytes(new TextEncoder().encode(text ?? ""), use);

function takeText(size) {
  return new TextDecoder().decode(new Uint8Array(core.memory.buffer, core.reptrace_text(), size));
}

const takeJSON = (size) => JSON.parse(takeText(size));

/** The version of RepTrace. */
export const version = takeText(core.reptrace_version());

/** The size of the core's memory, in bytes. */
export const memoryBytes = () => core.memory.buffer.byteLength;

function hintArguments(hints = {}, use) {
  const { exercise, targetReps = 0, minimumReps = 0, expectedPeriod = 0, alternating } = hints;
  return withText(exercise, (text, size) =>
    use(text, size, targetReps, minimumReps, expectedPeriod, alternating === undefined ? 0 : alternating ? 1 : -1));
}

const abandoned = new FinalizationRegistry((handle) => core.reptrace_detector_destroy(handle));

/** Counts live: converts samples to events. */
export class Detector {
  #handle;

  constructor({ findsSets = true, hints, setProbability = 0 } = {}) {
    this.#handle = hintArguments(hints, (...values) =>
      core.reptrace_detector_create(findsSets ? 1 : 0, ...values, setProbability));
    abandoned.register(this, this.#handle, this);
  }

  /** Appends samples: columns of equal length, in seconds, g, radians and radians per second. */
  append(columns, { phase } = {}) {
    const count = columns.timestamp?.length;
    if (count === undefined) throw new TypeError("samples need a column timestamp");
    let mask = 0;
    const given = [];
    channels.forEach((name, number) => {
      const values = columns[name];
      if (!values) return;
      if (values.length !== count) throw new RangeError(`${name} has ${values.length} values, not ${count}`);
      mask |= 1 << number;
      given.push(values);
    });
    for (const name of Object.keys(columns)) {
      if (!channels.includes(name)) throw new TypeError(`no column is called ${name}`);
    }
    if (!count) return;
    const pointer = core.reptrace_allocate(8 * count * given.length);
    try {
      const memory = new Float64Array(core.memory.buffer, pointer, count * given.length);
      given.forEach((values, index) => memory.set(values, index * count));
      core.reptrace_detector_append(this.#live, mask, pointer, count, phases[phase] ?? 0);
    } finally {
      core.reptrace_free(pointer);
    }
  }

  /** Declares a set that begins with the next sample. */
  beginSet(hints) {
    hintArguments(hints, (...values) => core.reptrace_detector_begin_set(this.#live, hints ? 1 : 0, ...values));
  }

  /** Ends the declared set with the last sample. */
  endSet() { core.reptrace_detector_end_set(this.#live); }

  /** Ends the signal. */
  finish() { core.reptrace_detector_finish(this.#live); }

  /** Returns the events since the last call. */
  events() { return takeJSON(core.reptrace_detector_events(this.#live)); }

  /** Frees the detector's memory at once, rather than when it is collected. */
  free() {
    if (!this.#handle) return;
    abandoned.unregister(this);
    core.reptrace_detector_destroy(this.#handle);
    this.#handle = 0;
  }

  get #live() {
    if (!this.#handle) throw new Error("the detector was freed");
    return this.#handle;
  }
}

/** Returns the sets in columns of samples; with `declared`, the samples are one set. */
export function count(columns, { declared = false, hints, phase } = {}) {
  const detector = new Detector({ findsSets: !declared, hints });
  try {
    if (declared) detector.beginSet();
    detector.append(columns, { phase });
    if (declared) detector.endSet();
    detector.finish();
    return detector.events().filter((event) => event.type === "setEnded").map((event) => event.set);
  } finally {
    detector.free();
  }
}

/**
 * Reads files and counts their sets. There is one collection at a time: a new one replaces the previous one.
 *
 * Files are `{ path, bytes }`; `roots` are the given paths or folders, by default all files.
 */
export class Recordings {
  #units;

  constructor(files, { roots = files.map((file) => file.path), oneSet = false } = {}) {
    core.reptrace_clear();
    for (const { path, bytes } of files) {
      withText(path, (text, size) => withBytes(bytes, (pointer, count) =>
        core.reptrace_add_file(text, size, pointer, count)));
    }
    this.#units = withText(roots.join("\n"), (text, size) => core.reptrace_plan(text, size, oneSet ? 1 : 0));
  }

  /** Number of units to load. Each gives any number of recordings or failures. */
  get size() { return this.#units; }

  load(unit) { return takeJSON(core.reptrace_load(unit)); }

  /** Returns a recording's analyses, uncounted movements, phases and heart rate. */
  details(index) { return takeJSON(core.reptrace_details(index)); }

  /** Returns a column of a recording in standard units, with times from its first sample; empty if not measured. */
  column(index, name) {
    const count = core.reptrace_column(index, channels.indexOf(name));
    return count ? new Float64Array(core.memory.buffer, core.reptrace_values(), count).slice() : new Float64Array();
  }

  /** Returns the reps of a set adjusted to a person's count; null if it cannot be explained. */
  explain(index, set, count) { return takeJSON(core.reptrace_explain(index, set, count)); }

  *[Symbol.iterator]() {
    for (let unit = 0; unit < this.#units; unit++) yield* this.load(unit);
  }
}
