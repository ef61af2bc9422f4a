// Checks for programmer errors. User input is never checked with these: it gets a Result.
//   TENON_ASSERT(condition)  debug and sanitizer builds only; may be costly.
//   TENON_DEMAND(condition)  always on; must be cheap.
// Both call the replaceable failure handler, which must not return.
#pragma once

namespace tenon {

using FailureHandler = void (*)(const char* condition, const char* file, int line);

// Replaces the handler (default: abort) and returns the old one. Call before any world exists.
FailureHandler set_failure_handler(FailureHandler handler);

[[noreturn]] void report_failure(const char* condition, const char* file, int line);

}  // namespace tenon

#define TENON_DEMAND(condition) \
  ((condition) ? void(0) : ::tenon::report_failure(#condition, __FILE__, __LINE__))

#ifdef TENON_ASSERTS
#define TENON_ASSERT(condition) TENON_DEMAND(condition)
#else
#define TENON_ASSERT(condition) void(0)
#endif
