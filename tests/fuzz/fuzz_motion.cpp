// libFuzzer: any bytes -> a BVH motion or an error; and what is a motion becomes a figure or an
// error, whose scene loads again from its own text.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tenon/scene/bvh/import_bvh.h"
#include "tenon/scene/formats/scene_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tenon::scene;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  bvh::Limits limits;
  limits.nodes = 12;  // so that a round of fuzzing stays short
  limits.frames = 8;
  const tenon::Result<bvh::MotionFile> motion = bvh::parse(text, "fuzz.bvh", limits);
  if (!motion) {
    if (motion.error().message.empty() || motion.error().line < 1) std::abort();
    return 0;
  }
  const tenon::Result<bvh::Imported> figure = bvh::import_motion(text, "fuzz.bvh");
  if (!figure) {
    if (figure.error().message.empty()) std::abort();
    return 0;
  }
  const LoadResult again = load_scene(save_scene(figure->document), "fuzz.json");
  if (!again.ok() || !(again.document == figure->document)) std::abort();
  return 0;
}
