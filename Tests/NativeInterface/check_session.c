/*
 * Checks the sessions of the C interface: the results of a stream do not depend on when its session was saved, and
 * invalid arguments are refused with a reason.
 *
 *     check_session MESSAGES.ndjson
 */
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

enum { MESSAGES = 10000 };

static char *input;
static uint64_t ends[MESSAGES];
static size_t count;

/* Appends the stream's events: JSON lines without result numbers, which also count finalized recordings. */
static void add_events(char *events, reptrace_bytes *lines) {
  const char *line = (const char *)reptrace_bytes_data(lines);
  const char *end = line + reptrace_bytes_size(lines);
  while (line < end) {
    const char *next = (const char *)memchr(line, '\n', (size_t)(end - line)) + 1;
    if (strncmp(line, "{\"event\"", 8) == 0) {
      const char *number = strstr(line, "\"number\":");
      const char *rest = strchr(number, ',');
      strncat(events, line, (size_t)(number - line));
      strncat(events, rest, (size_t)(next - rest));
    }
    line = next;
  }
}

static void take(reptrace_session *session, char *events, size_t *samples) {
  reptrace_bytes *lines = NULL, *timelines = NULL;
  EXPECT(reptrace_session_take(session, &lines, &timelines, NULL) == REPTRACE_OK);
  add_events(events, lines);
  *samples += reptrace_bytes_size(timelines);
  reptrace_bytes_destroy(lines);
  reptrace_bytes_destroy(timelines);
}

/* Feeds a session that is saved and restored after each batch. */
static char *events_of(size_t batch, size_t *samples) {
  static const size_t room = 1 << 24;
  char *events = (char *)calloc(room, 1);
  uint8_t *state = (uint8_t *)malloc(room);
  reptrace_session *session = NULL;
  size_t kept = 0;
  *samples = 0;
  EXPECT(reptrace_session_create(NULL, &session, NULL) == REPTRACE_OK);
  for (size_t first = 0; first < count; first += batch) {
    size_t number = count - first < batch ? count - first : batch;
    uint64_t start = first ? ends[first - 1] : 0, own[MESSAGES];
    for (size_t i = 0; i < number; i++) own[i] = ends[first + i] - start;
    EXPECT(reptrace_session_append(session, (const uint8_t *)input + start, own, number, NULL) == REPTRACE_OK);
    take(session, events, samples);
    reptrace_bytes *head = NULL, *messages = NULL;
    int replaces = 0;
    EXPECT(reptrace_session_save(session, &head, &messages, &replaces, NULL) == REPTRACE_OK);
    /* Messages follow their head. */
    static uint8_t saved[1 << 24];
    if (replaces) kept = 0;
    if (reptrace_bytes_size(messages)) memcpy(saved + kept, reptrace_bytes_data(messages), reptrace_bytes_size(messages));
    kept += reptrace_bytes_size(messages);
    memcpy(state, reptrace_bytes_data(head), reptrace_bytes_size(head));
    memcpy(state + reptrace_bytes_size(head), saved, kept);
    reptrace_session *next = NULL;
    EXPECT(reptrace_session_restore(NULL, state, reptrace_bytes_size(head) + kept, &next, NULL) == REPTRACE_OK);
    reptrace_bytes_destroy(head);
    reptrace_bytes_destroy(messages);
    reptrace_session_destroy(session);
    session = next;
  }
  EXPECT(reptrace_session_finish(session, 0, NULL) == REPTRACE_OK);
  EXPECT(reptrace_session_is_idle(session) == 1);
  take(session, events, samples);
  reptrace_session_destroy(session);
  free(state);
  return events;
}

static void check_refusals(void) {
  reptrace_error error = {.struct_size = sizeof error};
  reptrace_session_options options = {.struct_size = sizeof options, .set_probability = 2};
  reptrace_session *session = NULL;
  reptrace_bytes *bytes = NULL;
  EXPECT(reptrace_session_create(&options, &session, &error) == REPTRACE_INVALID_ARGUMENT);
  options = (reptrace_session_options){.struct_size = 8};
  EXPECT(reptrace_session_create(&options, &session, &error) == REPTRACE_INVALID_ARGUMENT);
  EXPECT(reptrace_session_create(NULL, NULL, &error) == REPTRACE_INVALID_ARGUMENT);
  EXPECT(reptrace_session_restore(NULL, NULL, 9, &session, &error) == REPTRACE_INVALID_ARGUMENT);
  EXPECT(reptrace_session_restore(NULL, (const uint8_t *)"RTSS", 4, &session, &error) == REPTRACE_UNDECODABLE);
  EXPECT(reptrace_session_append(NULL, NULL, NULL, 0, &error) == REPTRACE_INVALID_ARGUMENT);
  EXPECT(reptrace_session_take(NULL, &bytes, &bytes, &error) == REPTRACE_INVALID_ARGUMENT);
  EXPECT(reptrace_session_snapshot(NULL, &bytes, &error) == REPTRACE_INVALID_ARGUMENT);
  EXPECT(session == NULL && bytes == NULL);
  EXPECT(reptrace_session_create(NULL, &session, &error) == REPTRACE_OK);
  uint64_t backwards[] = {2, 1};
  EXPECT(
      reptrace_session_append(session, (const uint8_t *)"{}", backwards, 2, &error) == REPTRACE_INVALID_ARGUMENT);
  EXPECT(reptrace_session_append(session, NULL, NULL, 0, &error) == REPTRACE_OK);
  reptrace_session_destroy(session);
  reptrace_session_destroy(NULL);
}

int main(int arguments, char **values) {
  FILE *file = arguments > 1 ? fopen(values[1], "rb") : NULL;
  if (file == NULL) return 64;
  input = (char *)malloc(1 << 24);
  while (count < MESSAGES) {
    size_t start = count ? (size_t)ends[count - 1] : 0;
    if (fgets(input + start, (1 << 24) - (int)start, file) == NULL) break;
    ends[count++] = start + strcspn(input + start, "\n");
  }
  fclose(file);
  size_t whole = 0, cut = 0;
  char *expected = events_of(count, &whole), *events = events_of(3, &cut);
  EXPECT(strstr(expected, "\"setEnded\"") != NULL);
  EXPECT(strcmp(expected, events) == 0);
  EXPECT(whole > 0 && whole == cut);
  check_refusals();
  if (failures == 0) puts("sessions of the C interface do what reptrace.h says");
  return failures == 0 ? 0 : 1;
}
