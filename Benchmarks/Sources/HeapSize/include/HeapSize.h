#pragma once
#include <stddef.h>

// Returns the number of allocated bytes that are not freed; 0 if the C library does not report it.
size_t heap_size(void);
