// The only file that a new commit compiles again. Package.swift defines both from the environment.
#include "CBuildInformation.h"

#ifndef REPTRACE_COMMIT
#define REPTRACE_COMMIT "unknown"
#endif
#ifndef REPTRACE_SWIFT_VERSION
#define REPTRACE_SWIFT_VERSION "unknown"
#endif

const char *reptrace_build_commit(void) { return REPTRACE_COMMIT; }

const char *reptrace_build_swift_version(void) { return REPTRACE_SWIFT_VERSION; }
