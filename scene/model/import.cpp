#include "tenon/scene/model/import.h"

#include "tenon/scene/formats/did_you_mean.h"
#include "tenon/scene/formats/scene_text.h"
#include "tenon/scene/model/tree.h"

namespace tenon::scene::model {
namespace {

constexpr double kHoldHz = 8;  // of the motors that hold: stiff, and far below what a step shows

}  // namespace

Material make_link_material() {
  Material m;
  m.name = kLinkMaterial;
  m.density = 1000;
  m.restitution = 0.1;
  m.static_friction = 0.6;
  m.sliding_friction = 0.5;
  m.look.roughness = 0.6;
  return m;
}

Status set_start(const ImportOptions& options, const std::string& file, Tree& tree) {
  for (const auto& [name, value] : options.start) {
    bool found = false;
    std::vector<std::string> names;
    for (Link& link : tree.links) {
      for (Dof& dof : link.dofs) {
        const bool one = dof.kind == DofKind::kHinge || dof.kind == DofKind::kSlide;
        if (!one) continue;
        names.push_back(dof.name);
        if (dof.name != name) continue;
        dof.q = value;
        found = true;
      }
    }
    if (found) continue;
    std::string all;
    for (const std::string& n : names) all += (all.empty() ? "" : ", ") + n;
    return Error{
        .message = "no joint with one coordinate has this name" + did_you_mean(name, names),
        .file = file,
        .value = name,
        .accepted = all};
  }
  return Ok{};
}

void hold_joints(Tree& tree) {
  for (Link& link : tree.links) {
    for (Dof& dof : link.dofs) {
      if (dof.law.motor || (dof.kind != DofKind::kHinge && dof.kind != DofKind::kSlide)) continue;
      JointMotor motor;
      motor.position = dof.q;
      if (dof.effort > 0) motor.max = dof.effort;
      motor.frequency = kHoldHz;
      dof.law.motor = motor;
    }
  }
}

Status finish_document(Imported& imported, const std::string& file) {
  Document& d = imported.document;
  d.source.name = file;
  Report& r = imported.report;
  r.links = d.bodies.size();
  r.joints = d.joints.size();
  r.freedoms = r.motors = 0;
  for (const Joint& joint : d.joints) {
    for (const bool free : free_axes(joint)) r.freedoms += free ? 1 : 0;
    for (const JointLaw& law : joint.laws) r.motors += law.motor ? 1 : 0;
  }
  const LoadResult checked = check_scene(d);
  if (!checked.errors.empty()) return checked.errors.front();
  return Ok{};
}

}  // namespace tenon::scene::model
