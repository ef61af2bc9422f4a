// libFuzzer: any bytes -> a result; and whatever loads must save and load again to the same.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tenon/scene/formats/scene_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tenon::scene;
  LoadOptions options;
  options.max_bodies = 500;  // so that a round of fuzzing stays short
  const LoadResult result =
      load_scene({reinterpret_cast<const char*>(data), size}, "fuzz", options);
  for (const tenon::Error& e : result.errors) {
    if (e.message.empty()) std::abort();
  }
  if (!result.ok()) return 0;
  const std::string text = save_scene(result.document);
  const LoadResult again = load_scene(text, "again", options);
  if (!again.ok() || !(again.document == result.document) || !(again.flat == result.flat)) {
    std::abort();
  }
  const LoadResult flat = load_scene(save_scene(result.flat), "flat", options);
  if (!flat.ok() || !(flat.flat == result.flat)) std::abort();
  return 0;
}
