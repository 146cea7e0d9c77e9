/** Columns of one length. `timestamp` is required; seconds, g, radians per second and radians; NaN: not measured. */
export interface Columns {
  timestamp: ArrayLike<number>;
  /** Acceleration without gravity. */
  accelerationX?: ArrayLike<number>;
  accelerationY?: ArrayLike<number>;
  accelerationZ?: ArrayLike<number>;
  rotationX?: ArrayLike<number>;
  rotationY?: ArrayLike<number>;
  rotationZ?: ArrayLike<number>;
  gravityX?: ArrayLike<number>;
  gravityY?: ArrayLike<number>;
  gravityZ?: ArrayLike<number>;
  roll?: ArrayLike<number>;
  pitch?: ArrayLike<number>;
  yaw?: ArrayLike<number>;
  magneticFieldX?: ArrayLike<number>;
  magneticFieldY?: ArrayLike<number>;
  magneticFieldZ?: ArrayLike<number>;
  quaternionW?: ArrayLike<number>;
  quaternionX?: ArrayLike<number>;
  quaternionY?: ArrayLike<number>;
  quaternionZ?: ArrayLike<number>;
  /** Acceleration with gravity, if the source does not separate them. */
  totalAccelerationX?: ArrayLike<number>;
  totalAccelerationY?: ArrayLike<number>;
  totalAccelerationZ?: ArrayLike<number>;
}

export type Phase = "execution" | "rest";
export type SetCause = "declared" | "detected";

export interface Hints {
  /** A name such as "curl". */
  exercise?: string;
  targetReps?: number;
  minimumReps?: number;
  /** Typical duration of a rep, in seconds. */
  expectedPeriod?: number;
  /** True if left and right alternate. */
  alternating?: boolean;
}

/** A rep: times in seconds on the samples' clock, and the probability that it is a rep. */
export interface Rep { start: number; end: number; confidence: number }

export interface CountedSet {
  cause: SetCause;
  start: number;
  end: number;
  /** Probability that the count is exactly right. */
  confidence: number;
  reps: Rep[];
  partialReps: Rep[];
}

/** `time` is that of the sample that caused the event. */
export type DetectionEvent =
  | { type: "setStarted"; time: number; start: number; cause: SetCause }
  | { type: "rep"; time: number; count: number; rep: Rep }
  | { type: "repCorrected"; time: number; count: number }
  | { type: "partialRep"; time: number; rep: Rep }
  | { type: "phase"; time: number; from: Phase; to: Phase }
  | { type: "setEnded"; time: number; set: CountedSet }
  | { type: "setCancelled"; time: number };

export class Detector {
  constructor(options?: { findsSets?: boolean; hints?: Hints; setProbability?: number });
  append(columns: Columns, options?: { phase?: Phase }): void;
  beginSet(hints?: Hints): void;
  endSet(): void;
  finish(): void;
  events(): DetectionEvent[];
  free(): void;
}

export function count(
  columns: Columns, options?: { declared?: boolean; hints?: Hints; phase?: Phase }): CountedSet[];

/** A line of the command's results; times in seconds from the first sample. */
export interface SetLine {
  recording: string;
  set: number;
  setId?: string;
  exerciseId?: string;
  sessionId?: string;
  cause: SetCause;
  start: number;
  end: number;
  reps: number;
  confidence: number;
  repEvents: Rep[];
  partialReps?: Rep[];
}

export type Loaded =
  | {
      kind: "recording"; index: number; name: string; samples: number; origin: number; unixTime?: number;
      warnings: string[]; notes: string[]; sets: SetLine[];
    }
  | { kind: "failed"; path: string; message: string }
  | { kind: "skipped"; path: string };

/** Figures, which docs/analysis.md defines. A figure that the data cannot support is absent. */
export interface SetFigures {
  typicalDuration?: number; typicalRotationRange?: number; consistency?: number; range?: number;
  tempoControl?: number; intensity?: number; slowdown?: number; rotationLoss?: number;
  velocityLoss?: number; rangeLoss?: number;
  reps: {
    duration: number; concentricTime?: number; eccentricTime?: number; restAfter?: number;
    peakRotationRate?: number; rotationRange?: number; rangeOfMotion?: number;
    meanConcentricSpeed?: number; similarity?: number;
  }[];
  curve?: { source: string; times: number[]; values: number[] };
}

export interface Details {
  channels: string[];
  analyses: SetFigures[];
  notCounted: { start: number; end: number; kind: "partial" | "besideReps" | "elsewhere"; reason: string }[];
  phases: { phase: Phase; start: number; end: number }[];
  heartRate: [time: number, beatsPerMinute: number][];
}

export class Recordings implements Iterable<Loaded> {
  constructor(files: { path: string; bytes: Uint8Array }[], options?: { roots?: string[]; oneSet?: boolean });
  readonly size: number;
  load(unit: number): Loaded[];
  details(index: number): Details;
  column(index: number, name: string): Float64Array;
  explain(index: number, set: number, count: number): Rep[] | null;
  [Symbol.iterator](): Iterator<Loaded>;
}

export const channels: readonly string[];
export const version: string;
export function memoryBytes(): number;
