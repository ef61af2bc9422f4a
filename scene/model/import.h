// What the importers of model files have in common.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tenon/engine/math/transform.h"
#include "tenon/scene/document/document.h"
#include "tenon/scene/model/report.h"

namespace tenon::scene::model {

struct ImportOptions {
  // A root that nothing ties to the world: held where it is (as most programs have it), or free.
  enum class Base { kFixed, kFree } base = Base::kFixed;
  bool merge_fixed = false;  // links that fixed joints hold become parts of their parents
  // URDF: links touch one another, but for those that a joint connects or that overlap as they
  // start. Off by default, since collision shapes of neighbours but one overlap in most files.
  bool self_collision = false;
  bool floor = false;  // a plane under the model as it starts
  bool hold = false;   // each joint gets a motor that keeps it where it starts, within its effort
  std::vector<std::pair<std::string, double>> start;  // rad or m, of joints by name
  // Where the motors that hold go instead of staying, likewise.
  std::vector<std::pair<std::string, double>> target;
  std::string keyframe;  // MJCF: the state to start from; empty: the reference pose
};

struct Imported {
  Document document;
  Report report;
};

// Scenes have y up, models z up. Components change their places, so that no digit is lost.
inline const Quat kUpFromZ = normalized(Quat{1, -1, 0, 0});
constexpr Vec3 to_scene(const Vec3& p) { return {p.x, p.z, -p.y}; }
constexpr Vec3 from_scene(const Vec3& p) { return {p.x, -p.z, p.y}; }
inline Pose to_scene(const Pose& X) { return {to_scene(X.p), normalized(kUpFromZ * X.q)}; }

// A material of links that say nothing about themselves: little bounce, usual friction.
Material make_link_material();
inline constexpr const char* kLinkMaterial = "link";

// Sets the values of `start`. Error: a joint that is not there, or has not one coordinate. Values
// beyond limits are taken as they are, and warned of.
struct Tree;
Status set_start(const ImportOptions& options, const std::string& file, Tree& tree, Report& report);

// Counts, and checks of the whole document; its errors have the places of the model.
Status finish_document(Imported& imported, const std::string& file);

// With `hold` a motor at each hinge and slide that has none, keeping it where it starts or bringing
// it to its target. Error: a target of a joint that is not there.
Status hold_joints(const ImportOptions& options, const std::string& file, Tree& tree);

}  // namespace tenon::scene::model
