// libFuzzer: any bytes -> a result; and what loads is written so that it loads to the same again.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tenon/scene/aero/world_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tenon::scene;
  LoadOptions options;
  options.max_bodies = 2000;  // so that a round of fuzzing stays short
  const LoadResult result =
      load_world({reinterpret_cast<const char*>(data), size}, "fuzz.world", options);
  for (const tenon::Error& e : result.errors) {
    if (e.message.empty()) std::abort();
  }
  if (!result.ok()) return 0;
  const WorldText text = save_world(result.flat);
  const LoadResult again = load_world(text.text, "fuzz.world", options);
  if (!again.ok() || !(again.document == result.document)) std::abort();
  return 0;
}
