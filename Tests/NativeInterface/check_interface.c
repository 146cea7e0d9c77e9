/*
 * Checks the C interface: counts a set live and at once, and passes invalid arguments, which are refused with a reason.
 *
 *     check_interface [RECORDING]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reptrace.h"

static int failures = 0;

#define EXPECT(condition)                                                       \
  do {                                                                          \
    if (!(condition)) {                                                         \
      fprintf(stderr, "%s:%d: expected %s\n", __FILE__, __LINE__, #condition);  \
      failures++;                                                               \
    }                                                                           \
  } while (0)

enum { RATE = 50, REPS = 8, REP = 155, COUNT = 2 * 3 * RATE + REPS * REP };

/* Eight rotations of a forearm by 2 rad and back, in rows of time, rotation rate and gravity. */
typedef struct row {
  double time, rotation[3], gravity[3];
} row;

static void make_curls(row *rows) {
  double before = 0;
  for (int i = 0; i < COUNT; i++) {
    int in_rep = i >= 3 * RATE && i < COUNT - 3 * RATE ? (i - 3 * RATE) % REP : REP - 1;
    double u = in_rep < 70 ? in_rep / 70.0 : in_rep < 140 ? 1 - (in_rep - 70) / 70.0 : 0;
    double angle = 2 * u * u * u * (10 + u * (6 * u - 15));
    rows[i].time = 100 + (double)i / RATE;
    rows[i].rotation[0] = i ? (angle - before) * RATE : 0;
    rows[i].rotation[1] = rows[i].rotation[2] = 0;
    rows[i].gravity[0] = 0;
    rows[i].gravity[1] = -cos(angle);
    rows[i].gravity[2] = -sin(angle);
    before = angle;
  }
}

static reptrace_samples describe(const row *rows, size_t count, reptrace_column columns[7]) {
  static const reptrace_channel channels[7] = {
      REPTRACE_TIME,      REPTRACE_ROTATION_RATE_X, REPTRACE_ROTATION_RATE_Y, REPTRACE_ROTATION_RATE_Z,
      REPTRACE_GRAVITY_X, REPTRACE_GRAVITY_Y,       REPTRACE_GRAVITY_Z};
  reptrace_samples samples;
  memset(&samples, 0, sizeof samples);
  memset(columns, 0, 7 * sizeof *columns);
  for (int i = 0; i < 7; i++) {
    columns[i].values = (const double *)rows + i;
    columns[i].stride = sizeof(row);
    columns[i].channel = channels[i];
  }
  samples.struct_size = sizeof samples;
  samples.count = count;
  samples.columns = columns;
  samples.column_count = 7;
  return samples;
}

static reptrace_error no_error(void) {
  reptrace_error error;
  memset(&error, 0, sizeof error);
  error.struct_size = sizeof error;
  return error;
}

/* Whether bytes, which are not zero-terminated, contain a text. */
static int contains(const reptrace_bytes *bytes, const char *text) {
  size_t size = reptrace_bytes_size(bytes), length = strlen(text);
  const uint8_t *data = reptrace_bytes_data(bytes);
  for (size_t i = 0; i + length <= size; i++) {
    if (memcmp(data + i, text, length) == 0) return 1;
  }
  return 0;
}

static void check_whole(const row *rows) {
  reptrace_column columns[7];
  reptrace_samples samples = describe(rows, COUNT, columns);
  reptrace_error error = no_error();
  reptrace_sets *sets = NULL;
  EXPECT(reptrace_sets_count(&samples, 0, NULL, &sets, &error) == REPTRACE_OK);
  EXPECT(reptrace_sets_size(sets) == 1);
  reptrace_set set;
  memset(&set, 0, sizeof set);
  set.struct_size = sizeof set;
  EXPECT(reptrace_sets_get(sets, 0, &set, &error) == REPTRACE_OK);
  EXPECT(set.rep_count == REPS);
  EXPECT(set.cause == REPTRACE_DETECTED);
  EXPECT(set.start > 102 && set.end < 100 + (double)COUNT / RATE);
  EXPECT(set.confidence > 0.5 && set.confidence <= 1);
  EXPECT(reptrace_sets_get(sets, 1, &set, &error) == REPTRACE_INVALID_ARGUMENT);
  EXPECT(strstr(error.message, "index 1 of 1") != NULL);

  reptrace_bytes *bytes = NULL;
  EXPECT(reptrace_sets_analyze(sets, 0, &bytes, &error) == REPTRACE_OK);
  EXPECT(contains(bytes, "\"slowdown\":") && contains(bytes, "\"rangeOfMotion\":1"));
  reptrace_bytes_destroy(bytes);
  bytes = NULL;
  EXPECT(reptrace_sets_analyze(sets, 1, &bytes, &error) == REPTRACE_INVALID_ARGUMENT);
  EXPECT(reptrace_timeline_encode(&samples, &set, REPTRACE_LOSSLESS, &bytes, &error) == REPTRACE_OK);
  EXPECT(reptrace_bytes_size(bytes) > 0);
  reptrace_timeline *timeline = NULL;
  EXPECT(reptrace_timeline_decode(reptrace_bytes_data(bytes), reptrace_bytes_size(bytes), &timeline, &error) ==
         REPTRACE_OK);
  const double *values = NULL;
  size_t count = 0;
  EXPECT(reptrace_timeline_column(timeline, REPTRACE_GRAVITY_Y, &values, &count, &error) == REPTRACE_OK);
  EXPECT(count == COUNT);
  for (size_t i = 0; values != NULL && i < count; i++) EXPECT(values[i] == rows[i].gravity[1]);
  EXPECT(reptrace_timeline_column(timeline, REPTRACE_ROLL, &values, &count, &error) == REPTRACE_OK);
  EXPECT(values == NULL && count == 0);
  int has_set = 0;
  EXPECT(reptrace_timeline_set(timeline, &set, &has_set, &error) == REPTRACE_OK);
  EXPECT(has_set == 1 && set.rep_count == REPS);
  EXPECT(strstr(reptrace_timeline_metadata(timeline), "\"samples\":") != NULL);
  reptrace_timeline_destroy(timeline);
  timeline = NULL;
  uint8_t *cut = malloc(reptrace_bytes_size(bytes));
  memcpy(cut, reptrace_bytes_data(bytes), reptrace_bytes_size(bytes));
  for (size_t size = 0; size < reptrace_bytes_size(bytes); size += 131) {
    EXPECT(reptrace_timeline_decode(cut, size, &timeline, &error) != REPTRACE_OK);
  }
  free(cut);
  reptrace_bytes_destroy(bytes);
  reptrace_sets_destroy(sets);
}

static void check_live(const row *rows, size_t batch) {
  reptrace_error error = no_error();
  reptrace_detector *detector = NULL;
  reptrace_hints hints;
  memset(&hints, 0, sizeof hints);
  hints.struct_size = sizeof hints;
  hints.exercise = "curl";
  EXPECT(reptrace_detector_create(1, &hints, &detector, &error) == REPTRACE_OK);
  reptrace_event event;
  memset(&event, 0, sizeof event);
  event.struct_size = sizeof event;
  event.set.struct_size = sizeof event.set;
  size_t first = 0, ended = 0;
  uint64_t reps = 0;
  int taken = 1;
  while (first < COUNT) {
    size_t count = COUNT - first < batch ? COUNT - first : batch;
    reptrace_column columns[7];
    reptrace_samples samples = describe(rows + first, count, columns);
    EXPECT(reptrace_detector_append(detector, &samples, &error) == REPTRACE_OK);
    first += count;
    if (first == COUNT) EXPECT(reptrace_detector_finish(detector, &error) == REPTRACE_OK);
    for (taken = 1; taken;) {
      EXPECT(reptrace_detector_take_event(detector, &event, &taken, &error) == REPTRACE_OK);
      if (!taken) break;
      if (event.kind == REPTRACE_REP_COUNTED) reps = event.count;
      if (event.kind == REPTRACE_SET_ENDED) {
        ended++;
        EXPECT(event.set.rep_count == REPS);
        EXPECT(event.set.reps[0].end > event.set.reps[0].start);
      }
    }
    reptrace_bytes *state = NULL;
    reptrace_detector *next = NULL;
    EXPECT(reptrace_detector_snapshot(detector, &state, &error) == REPTRACE_OK);
    EXPECT(reptrace_detector_restore(
               reptrace_bytes_data(state), reptrace_bytes_size(state), &next, &error) == REPTRACE_OK);
    reptrace_bytes_destroy(state);
    reptrace_detector_destroy(detector);
    detector = next;
  }
  EXPECT(ended == 1 && reps == REPS);
  reptrace_column columns[7];
  reptrace_samples earlier = describe(rows, 10, columns);
  EXPECT(reptrace_detector_append(detector, &earlier, &error) == REPTRACE_OK); /* A new signal. */
  EXPECT(reptrace_detector_append(detector, &earlier, &error) == REPTRACE_INVALID_ARGUMENT);
  EXPECT(strstr(error.message, "expected samples in order of time") != NULL);
  EXPECT(reptrace_detector_end_set(detector, &error) == REPTRACE_INVALID_STATE);
  EXPECT(strcmp(error.message, "no set was declared") == 0);
  reptrace_detector_destroy(detector);
}

/* The set threshold and the prior of sets are options. */
static void check_set_probability(const row *rows) {
  static const double refused[] = {-0.1, 1.1, NAN, INFINITY};
  reptrace_column columns[7];
  reptrace_samples samples = describe(rows, COUNT, columns);
  reptrace_error error = no_error();
  reptrace_hints hints;
  memset(&hints, 0, sizeof hints);
  hints.struct_size = sizeof hints;
  hints.set_probability = 1; /* No set is certain. */
  for (int declared = 0; declared <= 1; declared++) {
    reptrace_sets *sets = NULL;
    EXPECT(reptrace_sets_count(&samples, declared, &hints, &sets, &error) == REPTRACE_OK);
    EXPECT(reptrace_sets_size(sets) == (size_t)declared);
    reptrace_sets_destroy(sets);
  }
  reptrace_detector *detector = NULL;
  reptrace_event event;
  memset(&event, 0, sizeof event);
  event.struct_size = sizeof event;
  event.set.struct_size = sizeof event.set;
  EXPECT(reptrace_detector_create(1, &hints, &detector, &error) == REPTRACE_OK);
  EXPECT(reptrace_detector_append(detector, &samples, &error) == REPTRACE_OK);
  EXPECT(reptrace_detector_finish(detector, &error) == REPTRACE_OK);
  for (int taken = 1; taken;) {
    EXPECT(reptrace_detector_take_event(detector, &event, &taken, &error) == REPTRACE_OK);
    EXPECT(!taken || event.kind != REPTRACE_SET_ENDED);
  }

  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    reptrace_sets *sets = NULL;
    hints.set_probability = refused[i];
    EXPECT(reptrace_sets_count(&samples, 0, &hints, &sets, &error) == REPTRACE_INVALID_ARGUMENT);
    EXPECT(strstr(error.message, "set_probability is ") && strstr(error.message, "; expected 0 to 1"));
    EXPECT(reptrace_detector_begin_set(detector, &hints, &error) == REPTRACE_INVALID_ARGUMENT);
  }
  reptrace_detector_destroy(detector);

  hints.set_probability = 0;
  static const double refused_priors[] = {-0.1, 1, NAN};
  reptrace_sets *sets = NULL;
  for (size_t i = 0; i < sizeof refused_priors / sizeof *refused_priors; i++) {
    hints.set_prior = refused_priors[i];
    EXPECT(reptrace_sets_count(&samples, 0, &hints, &sets, &error) == REPTRACE_INVALID_ARGUMENT);
    EXPECT(strstr(error.message, "set_prior is ") && strstr(error.message, "; expected between 0 and 1"));
  }
  hints.set_prior = 1e-9; /* With so low a prior, nothing is a set. */
  EXPECT(reptrace_sets_count(&samples, 0, &hints, &sets, &error) == REPTRACE_OK);
  EXPECT(reptrace_sets_size(sets) == 0);
  reptrace_sets_destroy(sets);
  sets = NULL;
  hints.struct_size--;
  EXPECT(reptrace_sets_count(&samples, 0, &hints, &sets, &error) == REPTRACE_INVALID_ARGUMENT);
  EXPECT(sets == NULL);
}

/* Each invalid argument is refused, even if all others are valid. */
static void check_refusals(const row *rows) {
  reptrace_column columns[7];
  reptrace_error error = no_error();
  reptrace_sets *sets = NULL;
  EXPECT(reptrace_sets_count(NULL, 0, NULL, &sets, &error) == REPTRACE_INVALID_ARGUMENT);
  EXPECT(strstr(error.message, "samples is NULL") != NULL);
  reptrace_samples samples = describe(rows, COUNT, columns);
  EXPECT(reptrace_sets_count(&samples, 0, NULL, NULL, NULL) == REPTRACE_INVALID_ARGUMENT);

  samples.struct_size = 8;
  EXPECT(reptrace_sets_count(&samples, 0, NULL, &sets, &error) == REPTRACE_INVALID_ARGUMENT);
  samples = describe(rows, COUNT, columns);
  samples.columns = NULL;
  EXPECT(reptrace_sets_count(&samples, 0, NULL, &sets, &error) == REPTRACE_INVALID_ARGUMENT);
  samples = describe(rows, SIZE_MAX, columns);
  EXPECT(reptrace_sets_count(&samples, 0, NULL, &sets, &error) == REPTRACE_INVALID_ARGUMENT);
  samples = describe(rows, COUNT, columns);
  samples.column_count = SIZE_MAX;
  EXPECT(reptrace_sets_count(&samples, 0, NULL, &sets, &error) == REPTRACE_INVALID_ARGUMENT);
  samples = describe(rows, COUNT, columns);
  columns[3].channel = 23;
  EXPECT(reptrace_sets_count(&samples, 0, NULL, &sets, &error) == REPTRACE_INVALID_ARGUMENT);
  samples = describe(rows, COUNT, columns);
  columns[3].channel = columns[2].channel;
  EXPECT(reptrace_sets_count(&samples, 0, NULL, &sets, &error) == REPTRACE_INVALID_ARGUMENT);
  samples = describe(rows, COUNT, columns);
  columns[0].channel = REPTRACE_ROLL;
  EXPECT(reptrace_sets_count(&samples, 0, NULL, &sets, &error) == REPTRACE_INVALID_ARGUMENT);
  samples = describe(rows, COUNT, columns);
  columns[2].values = NULL;
  EXPECT(reptrace_sets_count(&samples, 0, NULL, &sets, &error) == REPTRACE_INVALID_ARGUMENT);
  samples = describe(rows, COUNT, columns);
  columns[2].stride = 3;
  EXPECT(reptrace_sets_count(&samples, 0, NULL, &sets, &error) == REPTRACE_INVALID_ARGUMENT);
  for (int field = 0; field < 7; field++) {
    samples = describe(rows, COUNT, columns);
    ((uint8_t *)&samples.units)[field] = 200;
    EXPECT(reptrace_sets_count(&samples, 0, NULL, &sets, &error) == REPTRACE_INVALID_ARGUMENT);
  }
  uint8_t phases[COUNT];
  memset(phases, 9, sizeof phases);
  samples = describe(rows, COUNT, columns);
  samples.phases = phases;
  EXPECT(reptrace_sets_count(&samples, 0, NULL, &sets, &error) == REPTRACE_INVALID_ARGUMENT);
  reptrace_hints hints;
  memset(&hints, 0, sizeof hints);
  samples = describe(rows, COUNT, columns);
  EXPECT(reptrace_sets_count(&samples, 0, &hints, &sets, &error) == REPTRACE_INVALID_ARGUMENT);
  hints.struct_size = sizeof hints;
  hints.expected_period = NAN;
  EXPECT(reptrace_sets_count(&samples, 0, &hints, &sets, &error) == REPTRACE_INVALID_ARGUMENT);
  hints.expected_period = 0;
  hints.alternating = 7;
  EXPECT(reptrace_sets_count(&samples, 0, &hints, &sets, &error) == REPTRACE_INVALID_ARGUMENT);
  EXPECT(sets == NULL);

  row *bad = malloc(COUNT * sizeof *bad);
  memcpy(bad, rows, COUNT * sizeof *bad);
  bad[5].time = NAN;
  samples = describe(bad, COUNT, columns);
  EXPECT(reptrace_sets_count(&samples, 0, NULL, &sets, &error) == REPTRACE_INVALID_ARGUMENT);
  EXPECT(strstr(error.message, "sample 5") != NULL);
  memcpy(bad, rows, COUNT * sizeof *bad);
  bad[7].time = rows[3].time;
  samples = describe(bad, COUNT, columns);
  EXPECT(reptrace_sets_count(&samples, 0, NULL, &sets, &error) == REPTRACE_INVALID_ARGUMENT);
  EXPECT(strstr(error.message, "expected samples in order of time") != NULL);
  memcpy(bad, rows, COUNT * sizeof *bad);
  for (int i = 0; i < COUNT; i += 3) bad[i].rotation[0] = NAN, bad[i].gravity[1] = 1e300;
  samples = describe(bad, COUNT, columns);
  EXPECT(reptrace_sets_count(&samples, 1, NULL, &sets, &error) == REPTRACE_OK);
  EXPECT(reptrace_sets_size(sets) == 1);
  reptrace_sets_destroy(sets);
  free(bad);

  samples = describe(rows, 0, columns);
  sets = NULL;
  EXPECT(reptrace_sets_count(&samples, 0, NULL, &sets, &error) == REPTRACE_OK);
  EXPECT(reptrace_sets_size(sets) == 0);
  reptrace_sets_destroy(sets);

  reptrace_recordings *recordings = NULL;
  EXPECT(reptrace_recordings_open("/there is no such file", NULL, &recordings, &error) == REPTRACE_NOT_FOUND);
  EXPECT(reptrace_recordings_open(NULL, NULL, &recordings, &error) == REPTRACE_INVALID_ARGUMENT);
  EXPECT(recordings == NULL);
  EXPECT(reptrace_detector_append(NULL, &samples, &error) == REPTRACE_INVALID_ARGUMENT);
  EXPECT(reptrace_detector_create(1, NULL, NULL, &error) == REPTRACE_INVALID_ARGUMENT);
  EXPECT(reptrace_timeline_decode(NULL, 9, NULL, &error) == REPTRACE_INVALID_ARGUMENT);
  reptrace_detector *detector = NULL;
  EXPECT(reptrace_detector_snapshot(NULL, NULL, &error) == REPTRACE_INVALID_ARGUMENT);
  EXPECT(reptrace_detector_restore(NULL, 9, &detector, &error) == REPTRACE_INVALID_ARGUMENT);
  EXPECT(reptrace_detector_restore((const uint8_t *)"RTSN", 4, &detector, &error) == REPTRACE_UNDECODABLE);
  EXPECT(detector == NULL);
  EXPECT(reptrace_sets_size(NULL) == 0 && reptrace_bytes_size(NULL) == 0 && reptrace_recordings_size(NULL) == 0);
  reptrace_sets_destroy(NULL);
  reptrace_detector_destroy(NULL);
  reptrace_bytes_destroy(NULL);
  reptrace_timeline_destroy(NULL);
  reptrace_recordings_destroy(NULL);
}

static void check_recording(const char *path) {
  reptrace_error error = no_error();
  reptrace_recordings *recordings = NULL;
  EXPECT(reptrace_recordings_open(path, NULL, &recordings, &error) == REPTRACE_OK);
  EXPECT(reptrace_recordings_size(recordings) == 1);
  EXPECT(strstr(reptrace_recording_metadata(recordings, 0), "\"parts\":") != NULL);
  EXPECT(reptrace_recording_metadata(recordings, 1) == NULL);
  const double *times = NULL;
  size_t count = 0;
  EXPECT(reptrace_recording_column(recordings, 0, REPTRACE_TIME, &times, &count, &error) == REPTRACE_OK);
  EXPECT(count > 100 && times != NULL);
  EXPECT(reptrace_recording_column(recordings, 0, 99, &times, &count, &error) == REPTRACE_INVALID_ARGUMENT);
  reptrace_sets *sets = NULL;
  EXPECT(reptrace_recording_count(recordings, 0, 0, NULL, &sets, &error) == REPTRACE_OK);
  EXPECT(reptrace_sets_size(sets) == 1);
  reptrace_sets_destroy(sets);
  reptrace_recordings_destroy(recordings);
}

/* Several recordings, one of them missing, and their labels. */
static void check_inputs(const char *path) {
  reptrace_error error = no_error();
  const char *paths[] = {"/there is no such file", path};
  reptrace_inputs *inputs = NULL;
  EXPECT(reptrace_inputs_open(paths, 2, NULL, &inputs, &error) == REPTRACE_OK);
  EXPECT(reptrace_inputs_size(inputs) == 2);
  for (size_t i = 0; i < 2; i++) {
    reptrace_recordings *recordings = NULL;
    EXPECT(reptrace_inputs_load(inputs, i, &recordings, &error) == REPTRACE_OK);
    EXPECT(reptrace_recordings_size(recordings) == i);
    EXPECT((strstr(reptrace_recordings_metadata(recordings), "no such file") != NULL) == (i == 0));
    reptrace_recordings_destroy(recordings);
  }
  reptrace_recordings *none = NULL;
  EXPECT(reptrace_inputs_load(inputs, 2, &none, &error) == REPTRACE_INVALID_ARGUMENT);
  EXPECT(reptrace_inputs_open(NULL, 2, NULL, &inputs, &error) == REPTRACE_INVALID_ARGUMENT);
  reptrace_inputs_destroy(inputs);

  char folder[4096], labels[8192];
  const char *name = strrchr(path, '/');
  name = name ? name + 1 : path;
  snprintf(folder, sizeof folder, "%.*s", (int)(name - path), path);
  snprintf(labels, sizeof labels, "recording,reps,kind\n%s,4,x\nnowhere,3,y\n", name);
  reptrace_evaluation_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.margin = REPTRACE_USUAL_MARGIN;
  reptrace_evaluation *evaluation = NULL;
  EXPECT(reptrace_evaluation_open(
             labels, folder[0] ? folder : ".", &options, NULL, NULL, &evaluation, &error) == REPTRACE_OK);
  EXPECT(reptrace_evaluation_size(evaluation) == 2);
  EXPECT(reptrace_evaluation_count(evaluation, 0, &error) == REPTRACE_OK);
  EXPECT(reptrace_evaluation_count(evaluation, 1, &error) == REPTRACE_OK);
  EXPECT(reptrace_evaluation_count(evaluation, 2, &error) == REPTRACE_INVALID_ARGUMENT);
  reptrace_bytes *report = NULL;
  const char *columns[] = {"kind"};
  EXPECT(reptrace_evaluation_report(evaluation, columns, 1, &report, &error) == REPTRACE_OK);
  EXPECT(contains(report, "\"by:kind\":{\"x\":{\"sets\":1,\"exact\":1"));
  EXPECT(contains(report, "no recording named nowhere"));
  reptrace_bytes_destroy(report);
  reptrace_evaluation_destroy(evaluation);

  evaluation = NULL;
  EXPECT(reptrace_evaluation_open("reps\n", ".", NULL, NULL, NULL, &evaluation, &error) == REPTRACE_UNDECODABLE);
  EXPECT(strstr(error.message, "line 1") != NULL);
  EXPECT(reptrace_evaluation_open(labels, "/nowhere", NULL, NULL, NULL, &evaluation, &error) == REPTRACE_NOT_FOUND);
  options.mode = 7;
  EXPECT(reptrace_evaluation_open(labels, ".", &options, NULL, NULL, &evaluation, &error) ==
         REPTRACE_INVALID_ARGUMENT);
  EXPECT(reptrace_evaluation_report(NULL, NULL, 0, &report, &error) == REPTRACE_INVALID_ARGUMENT);
  EXPECT(evaluation == NULL);
}

int main(int count, char **arguments) {
  static row rows[COUNT];
  make_curls(rows);
  EXPECT(reptrace_interface_version() == REPTRACE_INTERFACE_VERSION);
  EXPECT(strlen(reptrace_version()) >= 5);
  check_whole(rows);
  check_live(rows, 1);
  check_live(rows, 100);
  check_live(rows, COUNT);
  check_set_probability(rows);
  check_refusals(rows);
  if (count > 1) {
    check_recording(arguments[1]);
    check_inputs(arguments[1]);
  }
  if (failures == 0) puts("the C interface does what reptrace.h says");
  return failures == 0 ? 0 : 1;
}
