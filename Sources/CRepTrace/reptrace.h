/*
 * RepTrace's C interface: counts repetitions in motion data, reads recordings, reads and writes timelines.
 *
 * Rules that hold for every function:
 *
 * - Objects are opaque. The caller destroys each object that it receives through a pointer to a pointer by the
 *   `_destroy` of its type. Destroying NULL does nothing.
 * - An object may be used by one thread at a time, and by different threads one after the other, unless said
 *   otherwise. There are no callbacks and no global state, and no function starts a thread.
 * - A pointer that is borrowed from an object is valid until that object is destroyed, unless said otherwise.
 * - Structs begin with `struct_size`, but for the parts `reptrace_units`, `reptrace_column` and `reptrace_rep`,
 *   which do not grow. The caller of a function sets it to `sizeof` of the struct. A library that
 *   knows more fields takes those beyond it for zero. In structs that the library fills, the caller sets it too,
 *   and fields beyond it are not written. Zero in a field that is not described otherwise means "as usual".
 * - A function that can fail returns a `reptrace_status`. Its last parameter, which may be NULL, receives the
 *   reason in words, in English. Nothing is written through the other pointers then.
 * - Times are seconds, accelerations g, rotation rates rad/s and angles rad, unless `reptrace_units` says otherwise.
 *   NaN means "not measured".
 */
#ifndef REPTRACE_H
#define REPTRACE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. It rises when a program that was built for an older one would break. */
#define REPTRACE_INTERFACE_VERSION 1

typedef int32_t reptrace_status;
#define REPTRACE_OK ((reptrace_status)0)
/* A pointer is NULL, a length or a value is impossible. */
#define REPTRACE_INVALID_ARGUMENT ((reptrace_status)1)
/* There is no such file. */
#define REPTRACE_NOT_FOUND ((reptrace_status)2)
/* The file cannot be read. */
#define REPTRACE_UNREADABLE ((reptrace_status)3)
/* The file, timeline or snapshot is damaged, or none at all. */
#define REPTRACE_UNDECODABLE ((reptrace_status)4)
/* The call does not fit the object's state: a set ends that has not begun. */
#define REPTRACE_INVALID_STATE ((reptrace_status)5)
/* Data are larger than the library's limits. */
#define REPTRACE_TOO_LARGE ((reptrace_status)6)

/* The reason of a failure. `message` is UTF-8, ends with a zero byte, and is cut where it is too long. */
typedef struct reptrace_error {
  size_t struct_size;
  reptrace_status status;
  char message[1012];
} reptrace_error;

/* The version of the library, as "0.1.0". Valid for ever. */
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
/* Acceleration with gravity, in Core Motion's sign: at rest it equals gravity. */
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
  uint8_t clock;              /* what time counts from: 0 the device's own zero, 1 1970-01-01 UTC */
  uint8_t reserved;           /* 0 */
} reptrace_units;

/* A column of doubles. `stride` is the distance from value to value in bytes; 0 means sizeof(double). */
typedef struct reptrace_column {
  const double *values;
  ptrdiff_t stride;
  reptrace_channel channel;
  uint8_t reserved[7]; /* 0 */
} reptrace_column;

/* Columns of one length. REPTRACE_TIME is required and in order, each channel stands once. They are copied by the call
   that takes them. `phases`, NULL or a value per sample: 0 unknown, 1 execution, 2 rest. */
typedef struct reptrace_samples {
  size_t struct_size;
  size_t count;
  const reptrace_column *columns;
  size_t column_count;
  reptrace_units units;
  const uint8_t *phases;
} reptrace_samples;

/* ---- Results ------------------------------------------------------------------------------------------ */

/* A repetition: when the wrist leaves its starting posture and when it is back, in seconds on the samples' clock; the
   probability that it is one. */
typedef struct reptrace_rep {
  double start;
  double end;
  double confidence;
} reptrace_rep;

#define REPTRACE_DECLARED 0
#define REPTRACE_DETECTED 1

/* A set. Times are seconds on the samples' clock. `confidence` is the probability that `rep_count` is exactly right.
   The arrays are borrowed from the object that the set came from. */
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

/* What is known beforehand, and how readily sets are found; everything is optional. */
typedef struct reptrace_hints {
  size_t struct_size;
  double expected_period;  /* seconds a rep takes; 0 unknown */
  uint32_t target_reps;    /* 0 unknown */
  uint32_t minimum_reps;   /* 0 unknown */
  int8_t alternating;      /* 0 unknown, 1 left and right take turns, -1 they do not */
  uint8_t reserved[7];     /* 0 */
  const char *exercise; /* a name, as "curl"; NULL unknown */
  double set_probability; /* from which movements are a set, at most 1: a lower one finds more sets, and more where
                             there are none; 0 as usual. Declared sets need none */
  double set_prior;       /* how many of the repeated movements are sets, between 0 and 1: about 0.5 in workouts, 0.05
                             over whole days; 0 as usual */
} reptrace_hints;

typedef struct reptrace_sets reptrace_sets;
typedef struct reptrace_bytes reptrace_bytes;

/* Counts a whole recording. `declared` 0: finds its sets. `declared` 1: the samples are one set, perhaps with a few
   seconds before and after; always exactly one set comes out. `hints` may be NULL. */
reptrace_status reptrace_sets_count(
    const reptrace_samples *samples, int declared, const reptrace_hints *hints,
    reptrace_sets **sets, reptrace_error *error);
/* Number of sets; 0 for NULL. */
size_t reptrace_sets_size(const reptrace_sets *sets);
/* The set at an index from 0, in order of time. */
reptrace_status reptrace_sets_get(
    const reptrace_sets *sets, size_t index, reptrace_set *set, reptrace_error *error);
/* Analyses the set at an index: JSON with the figures of docs/analysis.md by their names, those of fatigue beside those
   of the set, and "reps", an object with figures for each rep. A figure that the data cannot support is null. */
reptrace_status reptrace_sets_analyze(
    const reptrace_sets *sets, size_t index, reptrace_bytes **analysis, reptrace_error *error);
void reptrace_sets_destroy(reptrace_sets *sets);

/* ---- Bytes -------------------------------------------------------------------------------------------- */

const uint8_t *reptrace_bytes_data(const reptrace_bytes *bytes);
size_t reptrace_bytes_size(const reptrace_bytes *bytes);
void reptrace_bytes_destroy(reptrace_bytes *bytes);

/* ---- Counting live ------------------------------------------------------------------------------------ */

typedef struct reptrace_detector reptrace_detector;

/* `finds_sets` 0: counts declared sets only. `hints` may be NULL. */
reptrace_status reptrace_detector_create(
    int finds_sets, const reptrace_hints *hints,
    reptrace_detector **detector, reptrace_error *error);
void reptrace_detector_destroy(reptrace_detector *detector);

/* Takes the next samples, in order of time, in batches of any size. */
reptrace_status reptrace_detector_append(
    reptrace_detector *detector, const reptrace_samples *samples, reptrace_error *error);
/* A set begins with the next sample. `hints`, or NULL for the detector's own. */
reptrace_status reptrace_detector_begin_set(
    reptrace_detector *detector, const reptrace_hints *hints,
    reptrace_error *error);
/* The declared set ended with the last sample. REPTRACE_INVALID_STATE where none was declared. */
reptrace_status reptrace_detector_end_set(
    reptrace_detector *detector, reptrace_error *error);
/* The signal ended. The detector is then as it was in the beginning; its events remain. */
reptrace_status reptrace_detector_finish(
    reptrace_detector *detector, reptrace_error *error);

#define REPTRACE_SET_STARTED 1
#define REPTRACE_REP_COUNTED 2
#define REPTRACE_REP_CORRECTED 3
#define REPTRACE_PARTIAL_REP 4
#define REPTRACE_PHASE_CHANGED 5
#define REPTRACE_SET_ENDED 6
#define REPTRACE_SET_CANCELLED 7

/* Something that happened. `time` is that of the sample that caused it. */
typedef struct reptrace_event {
  size_t struct_size;
  uint8_t kind;
  uint8_t cause;      /* of SET_STARTED: REPTRACE_DECLARED or REPTRACE_DETECTED */
  uint8_t from_phase; /* of PHASE_CHANGED: 1 execution, 2 rest */
  uint8_t to_phase;
  uint8_t reserved[4];
  double time;
  double start;     /* of SET_STARTED: begin of the first rep */
  uint64_t count;   /* of REP_COUNTED and REP_CORRECTED: reps in the set so far */
  reptrace_rep rep; /* of REP_COUNTED and PARTIAL_REP */
  reptrace_set set; /* of SET_ENDED; its arrays are valid until the next event is taken. The caller sets its
                       struct_size too */
} reptrace_event;

/* Takes the oldest event that was not taken yet. `*taken` is 1, or 0 where there is none. */
reptrace_status reptrace_detector_take_event(
    reptrace_detector *detector, reptrace_event *event, int *taken, reptrace_error *error);

/* The detector's state, some tens of KiB and the frames of the set under way. REPTRACE_INVALID_STATE where events
 * were not taken yet. */
reptrace_status reptrace_detector_snapshot(
    const reptrace_detector *detector, reptrace_bytes **snapshot, reptrace_error *error);
/* A detector that goes on from a snapshot as the one it was taken of would have. REPTRACE_UNDECODABLE where it is
 * damaged, or of a library whose detector holds another state: count the samples again then. A checksum tells damage
 * from chance, not from intent: give it only what your program kept. */
reptrace_status reptrace_detector_restore(
    const uint8_t *snapshot, size_t size, reptrace_detector **detector, reptrace_error *error);

/* ---- Recordings --------------------------------------------------------------------------------------- */

typedef struct reptrace_recordings reptrace_recordings;

/* How to read, where that is not to be recognized: the values of the command's options `--format`, `--dates` and
   `--columns` (the path of a column description). Each may be NULL. */
typedef struct reptrace_reading {
  size_t struct_size;
  const char *format;
  const char *dates;
  const char *columns;
} reptrace_reading;

/* Reads a file, or a folder recursively, of any format that the command reads. `reading` may be NULL.
   REPTRACE_NOT_FOUND, REPTRACE_UNREADABLE or REPTRACE_UNDECODABLE where no recording could be read; where others
   could, the failures are in `reptrace_recordings_metadata`. */
reptrace_status reptrace_recordings_open(
    const char *path, const reptrace_reading *reading,
    reptrace_recordings **recordings,
    reptrace_error *error);
size_t reptrace_recordings_size(const reptrace_recordings *recordings);
/* JSON: {"failures": [{"path", "message"}], "skipped": [path]}. */
const char *reptrace_recordings_metadata(const reptrace_recordings *recordings);
/* JSON about the recording at an index from 0: "name"; "samples"; "origin", the first sample's time in seconds;
   "clock"; "units"; "unixTime" of the first sample where it is known; "sessionId", "exerciseId"; "parts", a
   {"firstRow", "rowCount", "declared", "setId", "exerciseId", "phases": [[firstRow, rowCount, "rest"], …]} for each part of
   the samples that is counted as a whole; "warnings", "notes". NULL where there is no such recording. */
const char *reptrace_recording_metadata(
    const reptrace_recordings *recordings, size_t index);
/* A column as it was read, in the recording's units. `*values` is borrowed; NULL where the recording does not have
   the channel. */
reptrace_status reptrace_recording_column(
    const reptrace_recordings *recordings, size_t index, reptrace_channel channel,
    const double **values, size_t *count, reptrace_error *error);
/* Counts a recording as `reptrace process` does: the sets that the input declares, else those that are found.
   `declared` 1: it holds one set where it declares none (`--one-set`). */
reptrace_status reptrace_recording_count(
    const reptrace_recordings *recordings, size_t index, int declared,
    const reptrace_hints *hints, reptrace_sets **sets,
    reptrace_error *error);
void reptrace_recordings_destroy(reptrace_recordings *recordings);

typedef struct reptrace_inputs reptrace_inputs;

/* Finds the recordings behind paths, files and folders, so that they can be read one at a time and by several threads.
   A path that does not exist becomes an input with a failure. `reading` may be NULL. */
reptrace_status reptrace_inputs_open(
    const char *const *paths, size_t path_count, const reptrace_reading *reading,
    reptrace_inputs **inputs, reptrace_error *error);
size_t reptrace_inputs_size(const reptrace_inputs *inputs);
/* Reads the input at an index: usually one recording; none if it failed or was skipped, as the metadata of the result
   say. May be called by several threads at once. */
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
  double rate;   /* Hz; 0 to keep that of the recordings */
  double margin; /* seconds on both sides of a given set, usually REPTRACE_USUAL_MARGIN; 0 is none */
} reptrace_evaluation_options;

typedef struct reptrace_evaluation reptrace_evaluation;

/* Compares counts with labels as `reptrace evaluate` does. `labels` is the text of its file of labels, `folder` the
   folder of the recordings. `options`, `hints` and `reading` may be NULL. */
reptrace_status reptrace_evaluation_open(
    const char *labels, const char *folder, const reptrace_evaluation_options *options,
    const reptrace_hints *hints, const reptrace_reading *reading,
    reptrace_evaluation **evaluation, reptrace_error *error);
/* Number of labelled recordings. */
size_t reptrace_evaluation_size(const reptrace_evaluation *evaluation);
/* Counts the recording at an index. May be called by several threads at once. */
reptrace_status reptrace_evaluation_count(
    reptrace_evaluation *evaluation, size_t index, reptrace_error *error);
/* JSON about the recordings counted so far: "report", the object that `reptrace evaluate --by COLUMNS --output json`
   prints; "failures", sentences about recordings that are missing or unreadable; "warnings" about labels. */
reptrace_status reptrace_evaluation_report(
    const reptrace_evaluation *evaluation, const char *const *columns, size_t column_count,
    reptrace_bytes **report, reptrace_error *error);
void reptrace_evaluation_destroy(reptrace_evaluation *evaluation);

/* ---- Sessions of a stream ----------------------------------------------------------------------------- */

/* Limits and options of a session; 0 means "as usual". */
typedef struct reptrace_session_options {
  size_t struct_size;
  double gap_wait;        /* seconds of signal that live detection waits for a missing chunk, usually 10 */
  double set_probability; /* as in reptrace_hints */
  double set_prior;       /* as in reptrace_hints */
  uint64_t ended_sets;    /* sets that are kept for late chunks once they have ended, usually 8 */
  uint64_t samples;       /* samples of all sets in memory, usually 1,000,000 */
  uint64_t message_bytes; /* bytes that the messages of these sets take in a snapshot, usually 48 MiB */
} reptrace_session_options;

/* What `reptrace stream` does for one session, as a value: messages in, results out. It can be saved between any two
   messages, and the results do not depend on where it was. */
typedef struct reptrace_session reptrace_session;

/* `options` may be NULL. */
reptrace_status reptrace_session_create(
    const reptrace_session_options *options, reptrace_session **session, reptrace_error *error);
/* Goes on from bytes that reptrace_session_snapshot returned; or from a head and, behind it, all messages that
   reptrace_session_save returned up to then; with the options that the session had. REPTRACE_UNDECODABLE if they are
   damaged, or of another version of the library. A checksum tells damage from chance, not from intent. */
reptrace_status reptrace_session_restore(
    const reptrace_session_options *options, const uint8_t *snapshot, size_t size,
    reptrace_session **session, reptrace_error *error);
/* Takes messages (docs/stream-protocol.md) in order. They lie one behind the other, each up to its end. A message that
   cannot be used is an `error` among the results. */
reptrace_status reptrace_session_append(
    reptrace_session *session, const uint8_t *messages, const uint64_t *ends, size_t count,
    reptrace_error *error);
/* Finalizes all sets that are open. Messages for them may still come, unless `forgets` is not 0: the session has ended
   then, its samples are let go, and messages for its sets are refused. */
reptrace_status reptrace_session_finish(
    reptrace_session *session, int forgets, reptrace_error *error);
/* Moves the results since the last call out of the session: a JSON object a line, and the timelines that they name, one
   behind the other (docs/cluster.md). */
reptrace_status reptrace_session_take(
    reptrace_session *session, reptrace_bytes **lines, reptrace_bytes **timelines,
    reptrace_error *error);
/* The state in parts, so that the samples of an open set are not written again each time: a head, which replaces the one
   before, and the messages since the last call, which follow those before, or replace them if `*replaces` is not 0. */
reptrace_status reptrace_session_save(
    reptrace_session *session, reptrace_bytes **head, reptrace_bytes **messages, int *replaces,
    reptrace_error *error);
/* The whole state. */
reptrace_status reptrace_session_snapshot(
    const reptrace_session *session, reptrace_bytes **snapshot, reptrace_error *error);
/* Not 0 if no set is open. */
int reptrace_session_is_idle(const reptrace_session *session);
void reptrace_session_destroy(reptrace_session *session);

/* ---- Timelines ---------------------------------------------------------------------------------------- */

#define REPTRACE_LOSSLESS 0
/* Within 1 us, 1e-4 g, 1e-4 rad/s, 1e-4 rad and 0.1 uT. */
#define REPTRACE_BOUNDED 1

/* Samples, and a set in them or NULL, as a timeline (docs/timeline-format.md). */
reptrace_status reptrace_timeline_encode(
    const reptrace_samples *samples, const reptrace_set *set, int precision,
    reptrace_bytes **timeline, reptrace_error *error);

typedef struct reptrace_timeline reptrace_timeline;

reptrace_status reptrace_timeline_decode(
    const uint8_t *bytes, size_t size, reptrace_timeline **timeline,
    reptrace_error *error);
/* JSON as of a recording, without "name", "parts", "warnings" and "notes"; with "setId", "phases"
   and "provenance". */
const char *reptrace_timeline_metadata(const reptrace_timeline *timeline);
reptrace_status reptrace_timeline_column(
    const reptrace_timeline *timeline, reptrace_channel channel, const double **values,
    size_t *count, reptrace_error *error);
/* The set in it. `*has_set` is 0 in a timeline of rest. */
reptrace_status reptrace_timeline_set(
    const reptrace_timeline *timeline, reptrace_set *set, int *has_set, reptrace_error *error);
void reptrace_timeline_destroy(reptrace_timeline *timeline);

#ifdef __cplusplus
}
#endif

#endif
