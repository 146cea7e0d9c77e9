#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Number of columns that `simdjson_decode_chunk` fills: time, user acceleration, rotation rate, gravity and
/// attitude.
#define SIMDJSON_COLUMNS 13

/// A simdjson parser with its buffers, used for one chunk after the other.
typedef struct SimdjsonParser SimdjsonParser;

SimdjsonParser *simdjson_parser_create(void);
void simdjson_parser_destroy(SimdjsonParser *parser);

/// Returns the number of bytes that must be readable after a text.
size_t simdjson_padding(void);

/// Returns the name of the instruction set that the parser uses.
const char *simdjson_kernel(void);

/// Decodes a chunk object with simdjson's On-Demand interface, walking all fields in document order.
///
/// @param text The chunk, with `simdjson_padding()` readable bytes after it.
/// @param columns `SIMDJSON_COLUMNS` columns of `capacity` doubles one after the other.
/// @param ids Set to the number of bytes in the chunk's texts, so that they are read.
/// @return The number of samples, or a negative error code.
int64_t simdjson_decode_chunk(
  SimdjsonParser *parser, const uint8_t *text, size_t length, double *columns, size_t capacity,
  size_t *ids);

#ifdef __cplusplus
}
#endif
