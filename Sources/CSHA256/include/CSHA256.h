#ifndef CSHA256_H
#define CSHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether the processor has instructions for SHA-256 that `reptrace_sha256_compress` knows.
bool reptrace_sha256_is_available(void);

/// FIPS 180-4, 6.2.2, for whole blocks of 64 bytes, by those instructions. Only where they are
/// available.
void reptrace_sha256_compress(uint32_t state[8], const uint8_t *blocks, size_t count);

#endif
