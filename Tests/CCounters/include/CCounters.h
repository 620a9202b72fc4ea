// The profile counters of a build for coverage, over one piece of work.
#pragma once

/// Makes a child of this process, which has this thread alone: what other threads would do is not
/// counted. Its counters begin at zero; they are written to a file at its first `write`, and go on.
/// - Returns: 0 in the child; in the parent, after the child's end, 1 where it has ended by
///   `counters_end`, else -1.
int counters_begin(const char *path);

/// Writes the child's counters to a file, and ends it.
_Noreturn void counters_end(const char *path);
