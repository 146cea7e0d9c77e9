#ifndef CBUILDINFORMATION_H
#define CBUILDINFORMATION_H

/// The commit that this was built from, with "-dirty" after it where sources were changed since;
/// "unknown" where the build was not told.
const char *reptrace_build_commit(void);

/// The version of the Swift compiler, "unknown" where the build was not told.
const char *reptrace_build_swift_version(void);

#endif
