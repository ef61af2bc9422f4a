// The time that a table of benchmarks counts.
#pragma once

#include <ctime>

namespace tenon {

// CPU seconds of this thread: other programs on the machine disturb it least.
inline double cpu_seconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace tenon
