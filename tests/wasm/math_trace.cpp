// Prints the math hashes of this compiler. Usage: math_trace STEPS
#include "tenon/tests/wasm/math_trace.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::printf("%016" PRIx64 "\n", tenon::testing::calc_elementary_hash());
  std::printf("%016" PRIx64 "\n", tenon::testing::calc_rotation_hash(std::atoi(argv[1])));
  return 0;
}
