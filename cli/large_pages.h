// Memory in large pages, for the mains of programs that simulate.
#pragma once

#include <cstdlib>
#include <cstring>
#include <string>
#if defined(__linux__)
#include <malloc.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <climits>
#endif

namespace tenon {

// A step of a large scene walks through tens of megabytes in small pieces, and with pages of 4 KiB
// some of its time goes into finding where these are (docs/benchmarks.md). glibc takes large ones
// when GLIBC_TUNABLES asks for it, which it reads before main: so the program starts itself once
// more with that set. Whoever sets glibc.malloc.hugetlb himself is left alone, and so is a system
// that has no such thing: nothing but time depends on it. To be called first in main.
inline void use_large_pages([[maybe_unused]] char** argv) {
#if defined(__linux__) && defined(__GLIBC__)
  if (getauxval(AT_BASE) == 0) return;  // started by the loader, which is what would start again
  // what one step gives back the next one takes again: it stays with the program
  constexpr int kKept = 1 << 30, kLargestMapped = 32 << 20;
  mallopt(M_TRIM_THRESHOLD, kKept);
  mallopt(M_MMAP_THRESHOLD, kLargestMapped);
  constexpr const char *kTunables = "GLIBC_TUNABLES", *kSetting = "glibc.malloc.hugetlb";
  const char* given = std::getenv(kTunables);
  if (given != nullptr && std::strstr(given, kSetting) != nullptr) return;
  std::string wanted = given != nullptr && *given != '\0' ? std::string(given) + ":" : "";
  wanted += std::string(kSetting) + "=1";
  // by its path: what shows processes names them by it
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0 || setenv(kTunables, wanted.c_str(), 1) != 0) return;
  path[length] = '\0';
  execv(path, argv);  // returns only where that cannot be done
#endif
}

}  // namespace tenon
