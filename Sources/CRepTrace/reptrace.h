/*
 * RepTrace's C interface: counts reps in motion data, reads recordings, reads and writes timelines.
 *
 * Rules for all functions:
 *
 * - Objects are opaque. A function that creates an object returns it through a pointer to a pointer. The caller
 *   destroys it with the `_destroy` function of its type. Destroying NULL does nothing.
 * - Unless stated otherwise, only one thread at a time may use an object. There are no callbacks and no global
 *   state, and no function starts a thread.
 * - Unless stated otherwise, a pointer borrowed from an object is valid until the object is destroyed.
 * - Structs begin with `struct_size`, which the caller sets to `sizeof` the struct, also for structs that the library
 *   fills. A newer library reads missing fields as zero and does not write them. The parts `reptrace_units`,
 *   `reptrace_column` and `reptrace_rep` have no `struct_size` and never grow. Unless stated otherwise, zero in a field
 *   means the default.
 * - A function that can fail returns a `reptrace_status`. Its last parameter, which may be NULL, receives the reason as
 *   English text. Nothing is written through the other pointers then.
 * - Times are in seconds, accelerations in g, rotation rates in rad/s and angles in rad, unless `reptrace_units` says
 *   otherwise. NaN means "not measured".
 */
#ifndef REPTRACE_H
#define REPTRACE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of this interface. It increases when programs built for an older version would break. */
#define REPTRACE_INTERFACE_VERSION 1

typedef int32_t reptrace_status;
#define REPTRACE_OK ((reptrace_status)0)
/* A pointer is NULL, or a length or value is invalid. */
#define REPTRACE_INVALID_ARGUMENT ((reptrace_status)1)
/* The file does not exist. */
#define REPTRACE_NOT_FOUND ((reptrace_status)2)
/* The file cannot be read. */
#define REPTRACE_UNREADABLE ((reptrace_status)3)
/* The file, timeline or snapshot is damaged or has another format. */
#define REPTRACE_UNDECODABLE ((reptrace_status)4)
/* The call is invalid in the object's state, such as the end of a set that has not begun. */
#define REPTRACE_INVALID_STATE ((reptrace_status)5)
/* The data exceed the library's limits. */
#define REPTRACE_TOO_LARGE ((reptrace_status)6)

/* The reason for a failure. `message` is zero-terminated UTF-8, truncated if it is too long. */
typedef struct reptrace_error {
  size_t struct_size;
  reptrace_status status;
  char message[1012];
} reptrace_error;

/* Version of the library, such as "0.1.0". Valid forever. */
const char *reptrace_version(void);
/* REPTRACE_INTERFACE_VERSION of the library. */
uint32_t reptrace_interface_version(void);

/* ---- Samples ------------------------------------------------------------------------------------------ */

/* One axis of one quantity. The numbers are those of the timeline format and are never reused. */
typedef uint8_t reptrace_channel;
#define REPTRACE_TIME 0
/* Acceleration without gravity. */
#define REPTRACE_USER_ACCELERATION_X 1
#define REPTRACE_USER_ACCELERATION_Y 2
#define REPTRACE_USER_ACCELERATION_Z 3
#define REPTRACE_ROTATION_RATE_X 4
#define REPTRACE_ROTATION_RATE_Y 5
#define REPTRACE_ROTATION_RATE_Z 6
#define REPTRACE_GRAVITY_X 7
#define REPTRACE_GRAVITY_Y 8
#define REPTRACE_GRAVITY_Z 9
#define REPTRACE_ROLL 10
#define REPTRACE_PITCH 11
#define REPTRACE_YAW 12
/* Microtesla. */
#define REPTRACE_MAGNETIC_FIELD_X 13
#define REPTRACE_MAGNETIC_FIELD_Y 14
#define REPTRACE_MAGNETIC_FIELD_Z 15
#define REPTRACE_QUATERNION_W 16
#define REPTRACE_QUATERNION_X 17
#define REPTRACE_QUATERNION_Y 18
#define REPTRACE_QUATERNION_Z 19
/* Acceleration including gravity, in Core Motion's sign: at rest it equals gravity. */
#define REPTRACE_TOTAL_ACCELERATION_X 20
#define REPTRACE_TOTAL_ACCELERATION_Y 21
#define REPTRACE_TOTAL_ACCELERATION_Z 22
#define REPTRACE_CHANNEL_COUNT 23

/* Units that differ from seconds, g, radians and radians per second. */
typedef struct reptrace_units {
  uint8_t time;               /* 0 s, 1 ms, 2 us, 3 ns */
  uint8_t user_acceleration;  /* 0 g, 1 m/s2 */
  uint8_t total_acceleration; /* 0 g, 1 m/s2 */
  uint8_t gravity;            /* 0 g, 1 m/s2 */
  uint8_t rotation_rate;      /* 0 rad/s, 1 deg/s */
  uint8_t attitude;           /* 0 rad, 1 deg */
  uint8_t clock;              /* zero of time: 0 the device's own, 1 1970-01-01 UTC */
  uint8_t reserved;           /* 0 */
} reptrace_units;

/* A column of doubles. `stride` is the distance between values in bytes; 0 means sizeof(double). */
typedef struct reptrace_column {
  const double *values;
  ptrdiff_t stride;
  reptrace_channel channel;
  uint8_t reserved[7]; /* 0 */
} reptrace_column;

/* Columns of equal length. REPTRACE_TIME is required and must not decrease. Each channel may occur once. Functions
   that take samples copy them. `phases` is NULL or has a value per sample: 0 unknown, 1 execution, 2 rest. */
typedef struct reptrace_samples {
  size_t struct_size;
  size_t count;
  const reptrace_column *columns;
  size_t column_count;
  reptrace_units units;
  const uint8_t *phases;
} reptrace_samples;

/* ---- Results ------------------------------------------------------------------------------------------ */

/* A rep: the times at which the wrist leaves its starting posture and returns to it, in seconds on the samples'
   clock, and the probability that it is a rep. */
typedef struct reptrace_rep {
  double start;
  double end;
  double confidence;
} reptrace_rep;

#define REPTRACE_DECLARED 0
#define REPTRACE_DETECTED 1

/* A set. Times are in seconds on the samples' clock. `confidence` is the probability that `rep_count` is exactly
   right. The arrays are borrowed from the object that the set came from. */
typedef struct reptrace_set {
  size_t struct_size;
  uint8_t cause; /* REPTRACE_DECLARED or REPTRACE_DETECTED */
  uint8_t reserved[7];
  double start;
  double end;
  double confidence;
  const reptrace_rep *reps;
  size_t rep_count;
  const reptrace_rep *partial_reps;
  size_t partial_rep_count;
} reptrace_set;

/* Facts known before counting, and the sensitivity of set detection. All fields are optional. */
typedef struct reptrace_hints {
  size_t struct_size;
  double expected_period;  /* seconds per rep; 0 unknown */
  uint32_t target_reps;    /* 0 unknown */
  uint32_t minimum_reps;   /* 0 unknown */
  int8_t alternating;      /* 0 unknown, 1 left and right alternate, -1 they do not */
  uint8_t reserved[7];     /* 0 */
  const char *exercise; /* a name, such as "curl"; NULL unknown */
  double set_probability; /* threshold for sets, at most 1: a lower one detects more sets, and more false ones;
                             0 default. Not applied to declared sets */
  double set_prior;       /* fraction of repeated movements that are sets, between 0 and 1: about 0.5 in workouts,
                             0.05 over whole days; 0 default */
} reptrace_hints;

typedef struct reptrace_sets reptrace_sets;
typedef struct reptrace_bytes reptrace_bytes;

/* Counts a whole recording. `declared` 0: detects its sets. `declared` 1: the samples are one set, possibly with a
   few seconds before and after; the result is always one set. `hints` may be NULL. */
reptrace_status reptrace_sets_count(
    const reptrace_samples *samples, int declared, const reptrace_hints *hints,
    reptrace_sets **sets, reptrace_error *error);
/* Number of sets; 0 for NULL. */
size_t reptrace_sets_size(const reptrace_sets *sets);
/* Writes the set at an index from 0, in chronological order. */
reptrace_status reptrace_sets_get(
    const reptrace_sets *sets, size_t index, reptrace_set *set, reptrace_error *error);
/* Analyzes the set at an index. Returns JSON with the figures of docs/analysis.md by name, including those of
   fatigue, and "reps", an array of objects with each rep's figures. Figures that the data cannot support are null. */
reptrace_status reptrace_sets_analyze(
    const reptrace_sets *sets, size_t index, reptrace_bytes **analysis, reptrace_error *error);
void reptrace_sets_destroy(reptrace_sets *sets);

/* ---- Bytes -------------------------------------------------------------------------------------------- */

const uint8_t *reptrace_bytes_data(const reptrace_bytes *bytes);
size_t reptrace_bytes_size(const reptrace_bytes *bytes);
void reptrace_bytes_destroy(reptrace_bytes *bytes);

/* ---- Counting live ------------------------------------------------------------------------------------ */

typedef struct reptrace_detector reptrace_detector;

/* Creates a detector. `finds_sets` 0: counts declared sets only. `hints` may be NULL. */
reptrace_status reptrace_detector_create(
    int finds_sets, const reptrace_hints *hints,
    reptrace_detector **detector, reptrace_error *error);
void reptrace_detector_destroy(reptrace_detector *detector);

/* Appends samples in chronological order, in batches of any size. */
reptrace_status reptrace_detector_append(
    reptrace_detector *detector, const reptrace_samples *samples, reptrace_error *error);
/* Begins a declared set with the next sample. NULL `hints` are those of the detector. */
reptrace_status reptrace_detector_begin_set(
    reptrace_detector *detector, const reptrace_hints *hints,
    reptrace_error *error);
/* Ends the declared set with the last sample. REPTRACE_INVALID_STATE if there is none. */
reptrace_status reptrace_detector_end_set(
    reptrace_detector *detector, reptrace_error *error);
/* Ends the signal. The detector then returns to its initial state, but keeps its events. */
reptrace_status reptrace_detector_finish(
    reptrace_detector *detector, reptrace_error *error);

#define REPTRACE_SET_STARTED 1
#define REPTRACE_REP_COUNTED 2
#define REPTRACE_REP_CORRECTED 3
#define REPTRACE_PARTIAL_REP 4
#define REPTRACE_PHASE_CHANGED 5
#define REPTRACE_SET_ENDED 6
#define REPTRACE_SET_CANCELLED 7

/* An event. `time` is the time of the sample that caused it. */
typedef struct reptrace_event {
  size_t struct_size;
  uint8_t kind;
  uint8_t cause;      /* of SET_STARTED: REPTRACE_DECLARED or REPTRACE_DETECTED */
  uint8_t from_phase; /* of PHASE_CHANGED: 1 execution, 2 rest */
  uint8_t to_phase;
  uint8_t reserved[4];
  double time;
  double start;     /* of SET_STARTED: start of the first rep */
  uint64_t count;   /* of REP_COUNTED and REP_CORRECTED: reps in the set so far */
  reptrace_rep rep; /* of REP_COUNTED and PARTIAL_REP */
  reptrace_set set; /* of SET_ENDED; its arrays are valid until the next event is taken. The caller also sets
                       its struct_size */
} reptrace_event;

/* Removes the oldest event. `*taken` is 1, or 0 if there is none. */
reptrace_status reptrace_detector_take_event(
    reptrace_detector *detector, reptrace_event *event, int *taken, reptrace_error *error);

/* Returns the detector's state: some tens of KiB plus the frames of the open set. REPTRACE_INVALID_STATE if events
   are pending. */
reptrace_status reptrace_detector_snapshot(
    const reptrace_detector *detector, reptrace_bytes **snapshot, reptrace_error *error);
/* Creates a detector that continues from a snapshot. REPTRACE_UNDECODABLE if it is damaged or from an incompatible
   version of the library; then count the samples again. The checksum detects accidental damage, not tampering: pass
   only bytes that your program stored. */
reptrace_status reptrace_detector_restore(
    const uint8_t *snapshot, size_t size, reptrace_detector **detector, reptrace_error *error);

/* ---- Recordings --------------------------------------------------------------------------------------- */

typedef struct reptrace_recordings reptrace_recordings;

/* Overrides of recognition when reading: the values of the command's options `--format`, `--dates` and `--columns`
   (the path of a column description). Each may be NULL. */
typedef struct reptrace_reading {
  size_t struct_size;
  const char *format;
  const char *dates;
  const char *columns;
} reptrace_reading;

/* Reads a file, or a folder recursively, in any format that the command reads. `reading` may be NULL.
   REPTRACE_NOT_FOUND, REPTRACE_UNREADABLE or REPTRACE_UNDECODABLE if no recording could be read. If some could,
   `reptrace_recordings_metadata` lists the failures. */
reptrace_status reptrace_recordings_open(
    const char *path, const reptrace_reading *reading,
    reptrace_recordings **recordings,
    reptrace_error *error);
size_t reptrace_recordings_size(const reptrace_recordings *recordings);
/* JSON: {"failures": [{"path", "message"}], "skipped": [path]}. */
const char *reptrace_recordings_metadata(const reptrace_recordings *recordings);
/* JSON about the recording at an index from 0: "name"; "samples"; "origin", the first sample's time in seconds;
   "clock"; "units"; "unixTime" of the first sample if known; "sessionId", "exerciseId"; "parts", with an object
   {"firstRow", "rowCount", "declared", "setId", "exerciseId", "phases": [[firstRow, rowCount, "rest"], …]} for each
   part that is counted as a unit; "warnings", "notes". NULL if there is no such recording. */
const char *reptrace_recording_metadata(
    const reptrace_recordings *recordings, size_t index);
/* Returns a column in the recording's units. `*values` is borrowed; NULL if the recording lacks the channel. */
reptrace_status reptrace_recording_column(
    const reptrace_recordings *recordings, size_t index, reptrace_channel channel,
    const double **values, size_t *count, reptrace_error *error);
/* Counts a recording like `reptrace process`: the sets that the input declares, or else detected ones. `declared` 1:
   it is one set if it declares none (`--one-set`). */
reptrace_status reptrace_recording_count(
    const reptrace_recordings *recordings, size_t index, int declared,
    const reptrace_hints *hints, reptrace_sets **sets,
    reptrace_error *error);
void reptrace_recordings_destroy(reptrace_recordings *recordings);

typedef struct reptrace_inputs reptrace_inputs;

/* Finds the recordings at paths of files and folders, so that they can be read one at a time and by several threads.
   A path that does not exist becomes an input with a failure. `reading` may be NULL. */
reptrace_status reptrace_inputs_open(
    const char *const *paths, size_t path_count, const reptrace_reading *reading,
    reptrace_inputs **inputs, reptrace_error *error);
size_t reptrace_inputs_size(const reptrace_inputs *inputs);
/* Reads the input at an index: usually one recording, or none if it failed or was skipped, as the result's metadata
   show. Several threads may call this at the same time. */
reptrace_status reptrace_inputs_load(
    const reptrace_inputs *inputs, size_t index, reptrace_recordings **recordings,
    reptrace_error *error);
void reptrace_inputs_destroy(reptrace_inputs *inputs);

/* ---- Evaluation --------------------------------------------------------------------------------------- */

#define REPTRACE_FOUND 0
#define REPTRACE_GIVEN 1
#define REPTRACE_USUAL_MARGIN 2.0

/* The options `--mode`, `--rate` and `--margin` of `reptrace evaluate`. */
typedef struct reptrace_evaluation_options {
  size_t struct_size;
  uint8_t mode; /* REPTRACE_FOUND or REPTRACE_GIVEN */
  uint8_t reserved[7];
  double rate;   /* Hz; 0 keeps that of the recordings */
  double margin; /* seconds on both sides of a given set, usually REPTRACE_USUAL_MARGIN; 0 for none */
} reptrace_evaluation_options;

typedef struct reptrace_evaluation reptrace_evaluation;

/* Compares counts with labels like `reptrace evaluate`. `labels` is the text of its label file, `folder` the folder
   of the recordings. `options`, `hints` and `reading` may be NULL. */
reptrace_status reptrace_evaluation_open(
    const char *labels, const char *folder, const reptrace_evaluation_options *options,
    const reptrace_hints *hints, const reptrace_reading *reading,
    reptrace_evaluation **evaluation, reptrace_error *error);
/* Number of labeled recordings. */
size_t reptrace_evaluation_size(const reptrace_evaluation *evaluation);
/* Counts the recording at an index. Several threads may call this at the same time. */
reptrace_status reptrace_evaluation_count(
    reptrace_evaluation *evaluation, size_t index, reptrace_error *error);
/* Returns JSON about the recordings counted so far: "report", the object that `reptrace evaluate --by COLUMNS
   --output json` prints; "failures", messages about missing or unreadable recordings; "warnings" about labels. */
reptrace_status reptrace_evaluation_report(
    const reptrace_evaluation *evaluation, const char *const *columns, size_t column_count,
    reptrace_bytes **report, reptrace_error *error);
void reptrace_evaluation_destroy(reptrace_evaluation *evaluation);

/* ---- Sessions of a stream ----------------------------------------------------------------------------- */

/* Limits and options of a session; 0 means the default. */
typedef struct reptrace_session_options {
  size_t struct_size;
  double gap_wait;        /* seconds of signal that live detection waits for a missing chunk; default 10 */
  double set_probability; /* as in reptrace_hints */
  double set_prior;       /* as in reptrace_hints */
  uint64_t ended_sets;    /* ended sets kept for late chunks; default 8 */
  uint64_t samples;       /* samples of all sets in memory; default 1,000,000 */
  uint64_t message_bytes; /* bytes of these sets' messages in a snapshot; default 48 MiB */
} reptrace_session_options;

/* The engine of `reptrace stream` for one session, as a value: messages in, results out. It can be saved between any
   two messages; the results do not depend on that. */
typedef struct reptrace_session reptrace_session;

/* `options` may be NULL. */
reptrace_status reptrace_session_create(
    const reptrace_session_options *options, reptrace_session **session, reptrace_error *error);
/* Restores a session with its original options from the bytes of reptrace_session_snapshot, or from a head followed
   by all messages that reptrace_session_save returned up to then. REPTRACE_UNDECODABLE if they are damaged, or from
   another version of the library. The checksum detects accidental damage, not tampering. */
reptrace_status reptrace_session_restore(
    const reptrace_session_options *options, const uint8_t *snapshot, size_t size,
    reptrace_session **session, reptrace_error *error);
/* Processes messages (docs/stream-protocol.md) in order. They are concatenated; `ends` has the end of each. An
   invalid message gives an `error` among the results. */
reptrace_status reptrace_session_append(
    reptrace_session *session, const uint8_t *messages, const uint64_t *ends, size_t count,
    reptrace_error *error);
/* Finalizes all open sets. Messages for them are still accepted unless `forgets` is not 0: then the session ends, its
   samples are released, and later messages for its sets are refused. */
reptrace_status reptrace_session_finish(
    reptrace_session *session, int forgets, reptrace_error *error);
/* Removes and returns the pending results: JSON objects, one per line, and the timelines that they name, concatenated
   (docs/cluster.md). */
reptrace_status reptrace_session_take(
    reptrace_session *session, reptrace_bytes **lines, reptrace_bytes **timelines,
    reptrace_error *error);
/* Returns the state in parts, so that the samples of an open set are not written each time: a head, which replaces
   the previous one, and the messages since the last call. These follow the earlier messages, or replace them if
   `*replaces` is not 0. */
reptrace_status reptrace_session_save(
    reptrace_session *session, reptrace_bytes **head, reptrace_bytes **messages, int *replaces,
    reptrace_error *error);
/* Returns the whole state. */
reptrace_status reptrace_session_snapshot(
    const reptrace_session *session, reptrace_bytes **snapshot, reptrace_error *error);
/* Returns a value other than 0 if no set is open. */
int reptrace_session_is_idle(const reptrace_session *session);
void reptrace_session_destroy(reptrace_session *session);

/* ---- Timelines ---------------------------------------------------------------------------------------- */

#define REPTRACE_LOSSLESS 0
/* Within 1 us, 1e-4 g, 1e-4 rad/s, 1e-4 rad and 0.1 uT. */
#define REPTRACE_BOUNDED 1

/* Encodes samples, with a set in them or NULL, as a timeline (docs/timeline-format.md). */
reptrace_status reptrace_timeline_encode(
    const reptrace_samples *samples, const reptrace_set *set, int precision,
    reptrace_bytes **timeline, reptrace_error *error);

typedef struct reptrace_timeline reptrace_timeline;

reptrace_status reptrace_timeline_decode(
    const uint8_t *bytes, size_t size, reptrace_timeline **timeline,
    reptrace_error *error);
/* JSON like that of a recording, without "name", "parts", "warnings" and "notes"; with "setId", "phases" and
   "provenance". */
const char *reptrace_timeline_metadata(const reptrace_timeline *timeline);
reptrace_status reptrace_timeline_column(
    const reptrace_timeline *timeline, reptrace_channel channel, const double **values,
    size_t *count, reptrace_error *error);
/* Writes the timeline's set. `*has_set` is 0 for a timeline of rest. */
reptrace_status reptrace_timeline_set(
    const reptrace_timeline *timeline, reptrace_set *set, int *has_set, reptrace_error *error);
void reptrace_timeline_destroy(reptrace_timeline *timeline);

#ifdef __cplusplus
}
#endif

#endif
