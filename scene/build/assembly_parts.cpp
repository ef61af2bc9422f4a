#include "tenon/scene/build/assembly_parts.h"

#include <unordered_map>

namespace tenon::scene {
namespace {

static_assert(static_cast<int>(AssemblySolver::kDirect) ==
              static_cast<int>(displacement::Solver::kDirect));
static_assert(static_cast<int>(AssemblyMetric::kByMass) ==
              static_cast<int>(displacement::Metric::kMass));

template <class Handle>
std::unordered_map<std::string, Handle> by_name(const std::vector<std::string>& names,
                                                const std::vector<Handle>& handles) {
  std::unordered_map<std::string, Handle> map;  // only looked up
  for (size_t i = 0; i < names.size(); ++i) map.emplace(names[i], handles[i]);
  return map;
}

AssemblyWant make_want(const Want& want, BodyHandle body, const World& world) {
  using Kind = displacement::Want::Kind;
  AssemblyWant out;
  out.body = body;
  out.weight = want.weight;
  out.X_WB = world.pose(body);
  out.kind = Kind::kStay;
  if (want.reach) {
    out.kind = Kind::kReach;
    out.target_W = *want.reach;
    out.point_B = want.at.value_or(Vec3{});
  } else if (want.orient) {
    out.kind = Kind::kOrient;
    out.X_WB.q = *want.orient;
  } else if (want.upright) {
    out.kind = Kind::kUpright;
    out.direction_W = normalized(*want.upright);
    out.axis_B = normalized(want.axis.value_or(Vec3{0, 1, 0}));
  }
  return out;
}

}  // namespace

Result<AssemblyDef> make_assembly_def(const Assembly& assembly, const BuiltScene& scene) {
  const auto bodies = by_name(scene.names, scene.handles);
  const auto joints = by_name(scene.joint_names, scene.joint_handles);
  AssemblyDef def;
  for (const Reference& reference : assembly.locked) {
    const auto body = bodies.find(reference.name);
    if (body == bodies.end()) return Error{.message = "unknown body", .value = reference.name};
    def.locked.push_back(body->second);
  }
  for (const Want& want : assembly.wants) {
    const auto body = bodies.find(want.body.name);
    if (body == bodies.end()) return Error{.message = "unknown body", .value = want.body.name};
    def.wants.push_back(make_want(want, body->second, scene.world));
  }
  for (const Importance& entry : assembly.importance) {
    const auto joint = joints.find(entry.name);
    if (joint == joints.end()) return Error{.message = "unknown joint", .value = entry.name};
    def.importance.push_back({joint->second, entry.weight});
  }
  def.limits = assembly.limits;
  def.metric = static_cast<displacement::Metric>(assembly.metric);
  def.effort.solver = static_cast<displacement::Solver>(assembly.solver);
  def.effort.geometric = assembly.geometric;
  def.effort.inner = assembly.inner;
  def.effort.precision = assembly.precision;
  // where nobody can tell the time, it takes as long as it takes
  if (scene.world.settings().clock != nullptr) def.budget_ms = 1000 * assembly.budget;
  return def;
}

}  // namespace tenon::scene
