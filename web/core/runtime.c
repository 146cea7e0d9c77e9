/* The C library functions that the Embedded Swift runtime needs, for WebAssembly without one: an allocator that
   merges and reuses freed memory, and functions that copy bytes. */
#include <stddef.h>
#include <stdint.h>

void *memcpy(void *restrict to, const void *restrict from, size_t n) { return __builtin_memcpy(to, from, n); }
void *memmove(void *to, const void *from, size_t n) { return __builtin_memmove(to, from, n); }
void *memset(void *to, int value, size_t n) { return __builtin_memset(to, value, n); }

int memcmp(const void *a, const void *b, size_t n) {
  const uint8_t *p = a, *q = b;
  for (; n; n--, p++, q++)
    if (*p != *q) return *p - *q;
  return 0;
}

size_t strlen(const char *text) {
  const char *end = text;
  while (*end) end++;
  return end - text;
}

/* Hashes need no secret: a page counts only files that its own user dropped. */
void arc4random_buf(void *buffer, size_t n) { memset(buffer, 0x5A, n); }

int putchar(int character) { return character; }

/* ---- Memory ------------------------------------------------------------------------------------------------

   Blocks are adjacent. A block's header precedes its payload, which is aligned to 16 bytes. Free blocks are in lists
   by size, eight per power of two; two free blocks are never adjacent. */

typedef struct Block {
  struct Block *before; /* the block that ends where this one begins */
  uint32_t size;        /* including the header, a multiple of 16; bit 0: free */
  uint32_t padding[2];
  /* In free blocks, in place of the payload: */
  struct Block *next, *previous;
} Block;

enum { HEAD = 16, SMALLEST = 32, PAGE = 65536, BINS = 8 * 29 };

extern uint8_t __heap_base;
static Block *bins[BINS];
static uint32_t filled[(BINS + 31) / 32];
static Block *last; /* a block in use of no payload, at the end of memory */

static uint32_t size_of(const Block *block) { return block->size & ~1u; }
static int is_free(const Block *block) { return block->size & 1; }
static Block *after(const Block *block) { return (Block *)((uint8_t *)block + size_of(block)); }

/* The list of blocks of a size, which are at least as large as its lower bound. */
static uint32_t bin_of(uint32_t size) {
  uint32_t power = 31 - __builtin_clz(size);
  return (power - 4) * 8 + (size >> (power - 3) & 7);
}

static void put(Block *block) {
  uint32_t bin = bin_of(block->size);
  block->size |= 1;
  block->previous = NULL;
  block->next = bins[bin];
  if (block->next) block->next->previous = block;
  bins[bin] = block;
  filled[bin / 32] |= 1u << bin % 32;
}

static void take(Block *block) {
  block->size &= ~1u;
  uint32_t bin = bin_of(block->size);
  if (block->next) block->next->previous = block->previous;
  if (block->previous) {
    block->previous->next = block->next;
  } else {
    bins[bin] = block->next;
    if (!block->next) filled[bin / 32] &= ~(1u << bin % 32);
  }
}

static Block *split(Block *block, uint32_t size) {
  Block *rest = (Block *)((uint8_t *)block + size);
  rest->before = block;
  rest->size = size_of(block) - size;
  block->size = size;
  after(rest)->before = rest;
  return rest;
}

static int grow(uint32_t size) {
  if (!last) {
    uint8_t *start = (uint8_t *)(((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15);
    uint8_t *end = (uint8_t *)((uintptr_t)__builtin_wasm_memory_size(0) * PAGE);
    if (end < start + 2 * SMALLEST) {
      if (__builtin_wasm_memory_grow(0, 1) == (size_t)-1) return 0;
      end += PAGE;
    }
    Block *first = (Block *)start;
    first->before = NULL;
    first->size = end - start - HEAD;
    last = after(first);
    last->before = first;
    last->size = HEAD;
    put(first);
  }
  uint32_t pages = (size + PAGE - 1) / PAGE;
  /* At least a sixteenth of the memory, because growing is slow. */
  uint32_t least = __builtin_wasm_memory_size(0) / 16;
  if (pages < least) pages = least;
  if (__builtin_wasm_memory_grow(0, pages) == (size_t)-1) return 0;
  Block *block = last;
  block->size = pages * PAGE;
  last = after(block);
  last->before = block;
  last->size = HEAD;
  if (block->before && is_free(block->before)) {
    Block *before = block->before;
    take(before);
    before->size += block->size;
    last->before = before;
    block = before;
  }
  put(block);
  return 1;
}

static Block *find(uint32_t size) {
  uint32_t bin = bin_of(size);
  /* The size's own list may contain smaller blocks; those of all further lists fit. */
  for (Block *block = bins[bin]; block; block = block->next)
    if (size_of(block) >= size) return block;
  for (uint32_t word = ++bin / 32; word < (BINS + 31) / 32; word++) {
    uint32_t bits = filled[word];
    if (word == bin / 32) bits &= ~0u << bin % 32;
    if (bits) return bins[word * 32 + __builtin_ctz(bits)];
  }
  return NULL;
}

void *aligned_alloc(size_t alignment, size_t n) {
  if (n > 0x7FFF0000u) return NULL;
  uint32_t size = (uint32_t)((n + HEAD + 15) & ~(size_t)15);
  if (size < SMALLEST) size = SMALLEST;
  uint32_t slack = alignment > 16 ? (uint32_t)alignment + SMALLEST : 0;
  Block *block = find(size + slack);
  if (!block) {
    if (!grow(size + slack + PAGE)) return NULL;
    block = find(size + slack);
  }
  take(block);
  if (slack) {
    uintptr_t payload = (uintptr_t)block + HEAD;
    if (payload & (alignment - 1)) {
      uintptr_t aligned = (payload + SMALLEST + alignment - 1) & ~(uintptr_t)(alignment - 1);
      Block *own = split(block, (uint32_t)(aligned - payload));
      put(block);
      block = own;
    }
  }
  if (size_of(block) >= size + SMALLEST) put(split(block, size));
  return (uint8_t *)block + HEAD;
}

void *malloc(size_t n) { return aligned_alloc(16, n); }

int posix_memalign(void **result, size_t alignment, size_t n) {
  *result = aligned_alloc(alignment, n);
  return *result ? 0 : 12;
}

void free(void *pointer) {
  if (!pointer) return;
  Block *block = (Block *)((uint8_t *)pointer - HEAD);
  Block *next = after(block);
  if (is_free(next)) {
    take(next);
    block->size += next->size;
    after(block)->before = block;
  }
  if (block->before && is_free(block->before)) {
    Block *before = block->before;
    take(before);
    before->size += block->size;
    after(before)->before = before;
    block = before;
  }
  put(block);
}

size_t malloc_usable_size(void *pointer) {
  return pointer ? size_of((Block *)((uint8_t *)pointer - HEAD)) - HEAD : 0;
}

/* ---- Arithmetic that the compiler leaves to functions ------------------------------------------------------ */

double round(double x) {
  double whole = __builtin_trunc(x);
  return __builtin_fabs(x - whole) >= 0.5 ? whole + __builtin_copysign(1, x) : whole;
}

float roundf(float x) {
  float whole = __builtin_truncf(x);
  return __builtin_fabsf(x - whole) >= 0.5f ? whole + __builtin_copysignf(1, x) : whole;
}

/* The product of two 128-bit integers, modulo 2^128. */
__int128 __multi3(__int128 a, __int128 b) {
  uint64_t al = (uint64_t)a, bl = (uint64_t)b;
  uint64_t a0 = (uint32_t)al, a1 = al >> 32, b0 = (uint32_t)bl, b1 = bl >> 32;
  uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32), other = a0 * b1 + (uint32_t)middle;
  uint64_t high = a1 * b1 + (middle >> 32) + (other >> 32);
  high += al * (uint64_t)(b >> 64) + (uint64_t)(a >> 64) * bl;
  return (__int128)((unsigned __int128)high << 64 | (other << 32 | (uint32_t)low));
}
