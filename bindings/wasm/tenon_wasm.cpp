// The engine as WebAssembly exports: scene text in, worlds, poses and hashes out. Thin: every call
// is one call of the library. bindings/wasm/tenon.mjs is the other side.
//
// Worlds are named by numbers above 0. A number that names no world (never made, or destroyed) is
// refused: creation returns 0, readers return 0, actions do nothing. Text for the caller (names,
// errors) is left in one buffer that the next call may overwrite.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tenon/engine/world/world.h"
#include "tenon/scene/aero/world_file.h"
#include "tenon/scene/build/build.h"
#include "tenon/scene/formats/scene_text.h"

#define TENON_EXPORT(name) extern "C" __attribute__((export_name(#name)))

namespace {

struct Slot {
  tenon::scene::BuiltScene scene;
  std::vector<double> poses;  // seven numbers per body
};

// The module is one program with one caller, so its tables are its own.
std::vector<std::unique_ptr<Slot>>& slots() {
  static std::vector<std::unique_ptr<Slot>> table;
  return table;
}
std::string& text() {
  static std::string buffer;
  return buffer;
}

Slot* find(uint32_t handle) {
  return handle >= 1 && handle <= slots().size() ? slots()[handle - 1].get() : nullptr;
}

uint32_t keep(tenon::scene::BuiltScene scene) {
  auto slot = std::make_unique<Slot>(Slot{std::move(scene), {}});
  for (size_t i = 0; i < slots().size(); ++i) {
    if (slots()[i]) continue;
    slots()[i] = std::move(slot);
    return static_cast<uint32_t>(i + 1);
  }
  slots().push_back(std::move(slot));
  return static_cast<uint32_t>(slots().size());
}

uint32_t refuse(const std::vector<tenon::Error>& errors) {
  text().clear();
  for (const tenon::Error& error : errors) text() += tenon::format(error) + "\n";
  return 0;
}

}  // namespace

TENON_EXPORT(tenon_allocate) uint8_t* tenon_allocate(uint32_t size) { return new uint8_t[size]; }
TENON_EXPORT(tenon_free) void tenon_free(uint8_t* bytes) { delete[] bytes; }

TENON_EXPORT(tenon_text) const char* tenon_text() { return text().data(); }
TENON_EXPORT(tenon_text_size) uint32_t tenon_text_size() {
  return static_cast<uint32_t>(text().size());
}

// The world of a scene, or 0 with one line per mistake in the text buffer.
TENON_EXPORT(tenon_create)
uint32_t tenon_create(const char* scene, uint32_t scene_size, const char* name,
                      uint32_t name_size) {
  const tenon::scene::LoadResult loaded =
      tenon::scene::load_scene_file({scene, scene_size}, std::string_view(name, name_size));
  if (!loaded.ok()) return refuse(loaded.errors);
  tenon::scene::BuildResult built = tenon::scene::build(loaded.flat, {.threads = 1});
  if (!built.ok()) return refuse(built.errors);
  return keep(std::move(built.scene.front()));
}

TENON_EXPORT(tenon_destroy) void tenon_destroy(uint32_t world) {
  if (find(world)) slots()[world - 1].reset();
}

TENON_EXPORT(tenon_step) void tenon_step(uint32_t world, uint32_t count) {
  Slot* slot = find(world);
  for (uint32_t i = 0; slot && i < count; ++i) slot->scene.world.step();
}

TENON_EXPORT(tenon_state_hash) uint64_t tenon_state_hash(uint32_t world) {
  const Slot* slot = find(world);
  return slot ? slot->scene.world.state_hash() : 0;
}

TENON_EXPORT(tenon_time) double tenon_time(uint32_t world) {
  const Slot* slot = find(world);
  return slot ? slot->scene.world.time() : 0;
}

TENON_EXPORT(tenon_step_count) double tenon_step_count(uint32_t world) {
  const Slot* slot = find(world);
  return slot ? static_cast<double>(slot->scene.world.step_count()) : 0;
}

TENON_EXPORT(tenon_body_count) uint32_t tenon_body_count(uint32_t world) {
  const Slot* slot = find(world);
  return slot ? static_cast<uint32_t>(slot->scene.handles.size()) : 0;
}

// Leaves the name in the text buffer and returns its size.
TENON_EXPORT(tenon_body_name) uint32_t tenon_body_name(uint32_t world, uint32_t body) {
  const Slot* slot = find(world);
  text() = slot && body < slot->scene.names.size() ? slot->scene.names[body] : "";
  return tenon_text_size();
}

// Seven numbers per body in the order of the scene: position, then quaternion w x y z. Valid until
// the next call.
TENON_EXPORT(tenon_poses) const double* tenon_poses(uint32_t world) {
  Slot* slot = find(world);
  if (!slot) return nullptr;
  slot->poses.clear();
  for (const tenon::BodyHandle body : slot->scene.handles) {
    const tenon::Pose X = slot->scene.world.pose(body);
    slot->poses.insert(slot->poses.end(), {X.p.x, X.p.y, X.p.z, X.q.w, X.q.x, X.q.y, X.q.z});
  }
  return slot->poses.data();
}
