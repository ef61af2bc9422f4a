// The math checks as WebAssembly exports.
#include "tenon/tests/wasm/math_trace.h"

#define TENON_EXPORT(name) extern "C" __attribute__((export_name(#name)))

TENON_EXPORT(elementary_hash) uint64_t elementary_hash() {
  return tenon::testing::calc_elementary_hash();
}
TENON_EXPORT(elementary_golden) uint64_t elementary_golden() {
  return tenon::testing::kElementaryGolden;
}
TENON_EXPORT(rotation_hash) uint64_t rotation_hash(int steps) {
  return tenon::testing::calc_rotation_hash(steps);
}
