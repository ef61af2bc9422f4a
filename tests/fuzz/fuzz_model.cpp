// libFuzzer: any bytes -> a scene of a URDF or MJCF, or an error; and what is a scene loads again
// from its own text and goes out again. Files that a model includes are the model itself, so that
// circles are found.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "tenon/scene/formats/scene_text.h"
#include "tenon/scene/mjcf/export_mjcf.h"
#include "tenon/scene/mjcf/import_mjcf.h"
#include "tenon/scene/urdf/export_urdf.h"
#include "tenon/scene/urdf/import_urdf.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tenon::scene;
  const std::string text(reinterpret_cast<const char*>(data), size);
  model::Files files;
  files.exists = [](const std::string& path) { return path.size() % 2 == 0; };
  files.read = [&](const std::string&) -> tenon::Result<std::string> { return text; };
  const bool urdf = text.find("<robot") != std::string::npos;
  const tenon::Result<model::Imported> made = urdf ? urdf::import_urdf(text, "fuzz.urdf", files)
                                                   : mjcf::import_mjcf(text, "fuzz.xml", files);
  if (!made) {
    if (made.error().message.empty()) std::abort();
    return 0;
  }
  const LoadResult again = load_scene(save_scene(made->document), "fuzz.json");
  if (!again.ok()) std::abort();
  if (again.flat.bodies.empty()) return 0;
  if (urdf) (void)urdf::export_urdf(again.flat);
  // what is written as MJCF can be read; its meshes are the fuzzer's bytes again
  const tenon::Result<mjcf::MjcfText> out = mjcf::export_mjcf(again.flat);
  if (out && !urdf && !mjcf::import_mjcf(out->text, "again.xml", files)) std::abort();
  return 0;
}
