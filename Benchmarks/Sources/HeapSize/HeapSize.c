#include "HeapSize.h"

#if defined(__GLIBC__) || defined(__linux__)
#include <malloc.h>
#endif

size_t heap_size(void) {
#ifdef __GLIBC__
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
#else
  return 0;
#endif
}
