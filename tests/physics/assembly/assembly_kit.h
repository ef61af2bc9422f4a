// Scenes that are built apart, and assembled with a given effort.
#pragma once

#include "tenon/scene/build/assembly_parts.h"
#include "tenon/tests/invariants/gallery_kit.h"

namespace tenon::test {

inline scene::BuiltScene load_apart(const std::string& name,
                                    std::vector<std::string> changes = {}) {
  changes.push_back("assembly.auto=false");
  return load_gallery(name, changes);
}

inline scene::BuiltScene build_text(const std::string& text) {
  const scene::LoadResult loaded = scene::load_scene(text, "test.json");
  for (const Error& e : loaded.errors) ADD_FAILURE() << format(e);
  scene::BuildResult built = scene::build(loaded.flat, {.threads = 1, .assemble = false});
  for (const Error& e : built.errors) ADD_FAILURE() << format(e);
  return std::move(built.scene.at(0));
}

// With `geometric` iterations of `inner` conjugate-gradient ones each; inner = 0: directly.
inline AssemblyReport assemble(scene::BuiltScene& scene, int geometric = 200, int inner = 0,
                               AssemblyDef def = {}) {
  def.effort.geometric = geometric;
  def.effort.inner = inner;
  const Result<AssemblyReport> report = scene.world.assemble(def);
  EXPECT_TRUE(report.ok()) << format(report.error());
  return report ? *report : AssemblyReport{};
}

inline AssemblyWant want_to_reach(BodyHandle body, const Vec3& target_W, const Vec3& point_B = {},
                                  double weight = 1) {
  AssemblyWant want;
  want.body = body;
  want.target_W = target_W;
  want.point_B = point_B;
  want.weight = weight;
  return want;
}

inline JointHandle find_joint(const scene::BuiltScene& s, const std::string& name) {
  const auto place =
      std::find(s.joint_names.begin(), s.joint_names.end(), name) - s.joint_names.begin();
  return s.joint_handles.at(static_cast<size_t>(place));
}

// A point of a body in the world.
inline Vec3 point_of(const scene::BuiltScene& s, const std::string& body, const Vec3& p_B) {
  const Pose X = s.world.pose(find_body(s, body));
  return X.p + rotate(X.q, p_B);
}

}  // namespace tenon::test
