#include "tenon/engine/base/assert.h"

#include <cstdlib>

namespace tenon {
namespace {
// The one global of the engine: set once at start-up, read only when the program is already lost.
FailureHandler g_handler = nullptr;
}  // namespace

FailureHandler set_failure_handler(FailureHandler handler) {
  FailureHandler old = g_handler;
  g_handler = handler;
  return old;
}

void report_failure(const char* condition, const char* file, int line) {
  if (g_handler != nullptr) g_handler(condition, file, line);
  std::abort();
}

}  // namespace tenon
