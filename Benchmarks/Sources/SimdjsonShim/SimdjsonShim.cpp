#include "SimdjsonShim.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <simdjson.h>
#include <string>
#include <string_view>

using namespace simdjson;

struct SimdjsonParser {
  ondemand::parser parser;
  // A chunk's texts are kept, as in our result.
  std::string texts[4];
};

namespace {

constexpr std::string_view keys[SIMDJSON_COLUMNS] = {
  "timestamp", "accelerationX", "accelerationY", "accelerationZ", "rotationX", "rotationY",
  "rotationZ", "gravityX", "gravityY", "gravityZ", "roll", "pitch", "yaw",
};

// Returns whether the text at the begin of a key is this key. The input is padded, so reading further is safe.
inline bool is(const char *raw, std::string_view key) {
  return std::memcmp(raw, key.data(), key.size()) == 0 && raw[key.size()] == '"';
}

// Returns the column of a key by its first letters, with at most one whole comparison.
inline int look_up(const char *raw) {
  int column;
  switch (raw[0]) {
  case 't': column = 0; break;
  case 'a': column = 1 + (raw[12] - 'X'); break;
  case 'r': column = raw[2] == 't' ? 4 + (raw[8] - 'X') : 10; break;
  case 'g': column = 7 + (raw[7] - 'X'); break;
  case 'p': column = 11; break;
  case 'y': column = 12; break;
  default: return -1;
  }
  if (column < 0 || column >= SIMDJSON_COLUMNS) { return -1; }
  return is(raw, keys[column]) ? column : -1;
}

}  // namespace

SimdjsonParser *simdjson_parser_create(void) { return new SimdjsonParser; }
void simdjson_parser_destroy(SimdjsonParser *parser) { delete parser; }
size_t simdjson_padding(void) { return SIMDJSON_PADDING; }

const char *simdjson_kernel(void) {
  static const std::string name =
    get_active_implementation()->name() + ", On-Demand built for " + std::string(SIMDJSON_STRINGIFY(SIMDJSON_BUILTIN_IMPLEMENTATION));
  return name.c_str();
}

int64_t simdjson_decode_chunk(
  SimdjsonParser *state, const uint8_t *text, size_t length, double *columns, size_t capacity,
  size_t *ids
) {
  ondemand::document document;
  auto error = state->parser.iterate(text, length, length + SIMDJSON_PADDING).get(document);
  if (error) { return -int64_t(error); }
  ondemand::object chunk;
  error = document.get_object().get(chunk);
  if (error) { return -int64_t(error); }
  size_t rows = 0;
  size_t texts = 0;
  *ids = 0;
  for (auto member : chunk) {
    ondemand::raw_json_string name;
    error = member.key().get(name);
    if (error) { return -int64_t(error); }
    if (!is(name.raw(), "samples")) {
      std::string_view value;
      error = member.value().get_string().get(value);
      if (error) { return -int64_t(error); }
      state->texts[texts++ & 3].assign(value);
      *ids += value.size();
      continue;
    }
    ondemand::array samples;
    error = member.value().get_array().get(samples);
    if (error) { return -int64_t(error); }
    for (auto element : samples) {
      if (rows == capacity) { return -int64_t(CAPACITY); }
      ondemand::object sample;
      error = element.get_object().get(sample);
      if (error) { return -int64_t(error); }
      unsigned seen = 0;
      int expected = 0;
      for (auto field : sample) {
        ondemand::raw_json_string key;
        error = field.key().get(key);
        if (error) { return -int64_t(error); }
        // The next key if all samples have the same order, else any key.
        int column = expected;
        if (expected >= SIMDJSON_COLUMNS || !is(key.raw(), keys[expected])) {
          column = look_up(key.raw());
        }
        if (column < 0) { continue; }
        expected = column + 1;
        double value;
        error = field.value().get_double().get(value);
        if (error) { return -int64_t(error); }
        columns[size_t(column) * capacity + rows] = value;
        seen |= 1u << column;
      }
      if (seen != (1u << SIMDJSON_COLUMNS) - 1) {
        for (int column = 0; column < SIMDJSON_COLUMNS; column++) {
          if (!(seen >> column & 1)) {
            columns[size_t(column) * capacity + rows] = std::numeric_limits<double>::quiet_NaN();
          }
        }
      }
      rows++;
    }
  }
  return int64_t(rows);
}
