// Steps scenes and prints what must be the same with every compiler and in WebAssembly.
// Usage: state_hash STEPS SCENE.json...
// Per scene: "scene NAME BODIES", then one hash per step (the start first), then one line with the
// hash of all poses; or "refused NAME" and the errors.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "tenon/engine/base/hash.h"
#include "tenon/scene/build/build.h"
#include "tenon/scene/formats/scene_text.h"

namespace {

using namespace tenon;

void print_errors(const std::string& name, const std::vector<Error>& errors) {
  std::printf("refused %s\n", name.c_str());
  for (const Error& error : errors) std::printf("%s\n", format(error).c_str());
}

void print_trace(const std::string& text, const std::string& name, int steps) {
  const scene::LoadResult loaded = scene::load_scene(text, name);
  if (!loaded.ok()) return print_errors(name, loaded.errors);
  scene::BuildResult built = scene::build(loaded.flat, {.threads = 1});
  if (!built.ok()) return print_errors(name, built.errors);
  World& world = built.scene.front().world;
  std::printf("scene %s %zu\n", name.c_str(), built.scene.front().handles.size());
  std::printf("%016" PRIx64 "\n", world.state_hash());
  for (int i = 0; i < steps; ++i) {
    world.step();
    std::printf("%016" PRIx64 "\n", world.state_hash());
  }
  // the poses as a reader sees them, so that the reading side is compared as well
  for (const BodyHandle body : built.scene.front().handles) {
    const Pose X = world.pose(body);
    Hasher hash;
    for (const double v : {X.p.x, X.p.y, X.p.z, X.q.w, X.q.x, X.q.y, X.q.z}) hash.add(v);
    std::printf("%016" PRIx64 "\n", hash.value());
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  for (int i = 2; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    if (!file) {
      std::fprintf(stderr, "cannot read %s\n", argv[i]);
      return 1;
    }
    const std::string path = argv[i];
    std::string text(std::istreambuf_iterator<char>(file), {});
    // scenes of millions of triangles have a factor for them; a quarter of them do here
    if (const size_t at = text.find("\"fine\": 1"); at != text.npos) {
      text.replace(at, 9, "\"fine\": 0.5");
    }
    print_trace(text, path.substr(path.find_last_of('/') + 1), std::atoi(argv[1]));
  }
  return 0;
}
