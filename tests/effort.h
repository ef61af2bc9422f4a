// How much of a long test runs.
//
// Some simulations are long only to see a heap come to rest, a mean settle or a drift show: after
// the first steps they run the same code on other numbers, which teaches a sanitizer nothing at ten
// times the price. Where one watches (TENON_SHORT_TESTS, see tests/CMakeLists.txt) they run a part;
// the release build, which judges the physics, runs all of it.
#pragma once

namespace tenon::test {

#if defined(TENON_SHORT_TESTS)
inline constexpr bool kShortTests = true;
#else
inline constexpr bool kShortTests = false;
#endif

// A number of cases, bodies, steps or seconds: `part` of `full` where tests are short.
template <class T>
constexpr T effort(T full, T part) {
  return kShortTests ? part : full;
}

}  // namespace tenon::test
