#pragma once
#include <stddef.h>

// Bytes that are allocated and not freed; 0 where the C library does not say.
size_t heap_size(void);
