#include "tenon/scene/model/import.h"

#include "tenon/scene/formats/did_you_mean.h"
#include "tenon/scene/formats/number_text.h"
#include "tenon/scene/formats/scene_text.h"
#include "tenon/scene/model/tree.h"

namespace tenon::scene::model {
namespace {

constexpr double kHoldHz = 2;  // of the motors that hold: firm, without a jerk towards a target

bool has_one(const Dof& dof) { return dof.kind == DofKind::kHinge || dof.kind == DofKind::kSlide; }

JointMotor make_holder(const Dof& dof) {
  JointMotor motor;
  motor.position = dof.q;
  if (dof.effort > 0) motor.max = dof.effort;
  motor.frequency = kHoldHz;
  return motor;
}

Result<Dof*> find_dof(const std::string& name, const std::string& file, Tree& tree) {
  std::vector<std::string> names;
  for (Link& link : tree.links) {
    for (Dof& dof : link.dofs) {
      if (!has_one(dof)) continue;
      if (dof.name == name) return &dof;
      names.push_back(dof.name);
    }
  }
  std::string all;
  for (const std::string& n : names) all += (all.empty() ? "" : ", ") + n;
  return Error{.message = "no joint with one coordinate has this name" + did_you_mean(name, names),
               .file = file,
               .value = name,
               .accepted = all};
}

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

namespace {

// Joints are brought back within their limits as the run begins, which is not what was asked for.
void warn_beyond(const Dof& dof, const std::string& file, Report& report) {
  if (!dof.law.limits) return;
  const double low = dof.law.limits->min.value_or(-1e300),
               high = dof.law.limits->max.value_or(1e300);
  if (dof.q >= low && dof.q <= high) return;
  report.warnings.push_back({.message = "joint '" + dof.name + "' is to start beyond its limits",
                             .file = file,
                             .line = dof.place.line,
                             .value = format_number(dof.q),
                             .accepted = format_number(low) + " to " + format_number(high)});
}

}  // namespace

Status set_start(const ImportOptions& options, const std::string& file, Tree& tree,
                 Report& report) {
  for (const auto& [name, value] : options.start) {
    const Result<Dof*> dof = find_dof(name, file, tree);
    if (!dof) return dof.error();
    (*dof)->q = value;
    warn_beyond(**dof, file, report);
  }
  return Ok{};
}

Status hold_joints(const ImportOptions& options, const std::string& file, Tree& tree) {
  if (options.hold) {
    for (Link& link : tree.links) {
      for (Dof& dof : link.dofs) {
        if (!dof.law.motor && has_one(dof) && !dof.follows) dof.law.motor = make_holder(dof);
      }
    }
  }
  for (const auto& [name, value] : options.target) {
    const Result<Dof*> dof = find_dof(name, file, tree);
    if (!dof) return dof.error();
    JointMotor motor = make_holder(**dof);
    motor.position = value;
    (*dof)->law.motor = motor;
  }
  return Ok{};
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
