#include <zlib.h>

/* `inflateInit2` is a macro, which Swift does not see. */
static inline int reptrace_inflateInit2(z_stream *stream, int window_bits) {
  return inflateInit2(stream, window_bits);
}
