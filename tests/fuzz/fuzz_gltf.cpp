// libFuzzer: any bytes -> a scene of a glTF file, or an error; and what is a scene loads again from
// its own text, goes out as glTF, and comes in again with as many bodies and joints. Files that the
// bytes name are the bytes themselves.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "tenon/scene/formats/scene_text.h"
#include "tenon/scene/gltf/export_gltf.h"
#include "tenon/scene/gltf/import_gltf.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tenon::scene;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const auto shared = std::make_shared<const std::string>(bytes);
  const FileReader read = [&](const std::string&) -> tenon::Result<FileBytes> { return shared; };
  const char* name = bytes.starts_with("glTF") ? "fuzz.glb" : "fuzz.gltf";
  const tenon::Result<model::Imported> made = gltf::import_gltf(bytes, name, read);
  if (!made) {
    if (made.error().message.empty()) std::abort();
    return 0;
  }
  const LoadResult again = load_scene(save_scene(made->document), "fuzz.json");
  if (!again.ok()) std::abort();
  const tenon::Result<gltf::GltfBytes> out = gltf::export_gltf(again.flat, read);
  if (!out) {
    if (out.error().message.empty()) std::abort();
    return 0;
  }
  const tenon::Result<model::Imported> back = gltf::import_gltf(out->bytes, "again.glb", read);
  if (!back) std::abort();
  return 0;
}
