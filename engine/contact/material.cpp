#include "tenon/engine/contact/material.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace tenon {
namespace {

Status check_value(const char* what, double value, double highest) {
  if (std::isfinite(value) && value >= 0 && value <= highest) return Ok{};
  return Error{.message = std::string(what) + " of a material is out of range",
               .value = std::to_string(value),
               .accepted = highest == 1 ? "0 to 1" : "a finite number >= 0"};
}

Status check_material(const SurfaceMaterial& m) {
  constexpr double kAny = 1e300;
  const std::pair<const char*, double> values[] = {
      {"static friction", m.static_friction},   {"sliding friction", m.sliding_friction},
      {"rolling friction", m.rolling_friction}, {"spinning friction", m.spinning_friction},
      {"stiffness", m.stiffness},               {"damping", m.damping}};
  if (Status s = check_value("restitution", m.restitution, 1); !s) return s;
  for (const auto& [what, value] : values) {
    if (Status s = check_value(what, value, kAny); !s) return s;
  }
  return Ok{};
}

double in_series(double a, double b) { return a + b > 0 ? a * b / (a + b) : 0; }

}  // namespace

Result<MaterialId> MaterialTable::add(const SurfaceMaterial& material) {
  if (Status s = check_material(material); !s) return s.error();
  if (materials_.size() > 0xffff) {
    return Error{.message = "too many materials", .accepted = "at most 65535"};
  }
  materials_.push_back(material);
  return static_cast<MaterialId>(materials_.size() - 1);
}

Status MaterialTable::set_pair(MaterialId a, MaterialId b, const PairOverride& values) {
  if (a >= materials_.size() || b >= materials_.size()) {
    return Error{.message = "a pair names a material that does not exist",
                 .value = std::to_string(std::max(a, b))};
  }
  SurfaceMaterial probe;
  probe.restitution = values.restitution.value_or(0);
  probe.static_friction = values.static_friction.value_or(0);
  probe.sliding_friction = values.sliding_friction.value_or(0);
  probe.rolling_friction = values.rolling_friction.value_or(0);
  probe.spinning_friction = values.spinning_friction.value_or(0);
  probe.stiffness = values.stiffness.value_or(0);
  probe.damping = values.damping.value_or(0);
  if (Status s = check_material(probe); !s) return s;
  pairs_[{std::min(a, b), std::max(a, b)}] = values;
  return Ok{};
}

SurfaceMaterial MaterialTable::mix(MaterialId a, MaterialId b) const {
  const SurfaceMaterial &ma = materials_[a], &mb = materials_[b];
  SurfaceMaterial m;
  m.restitution = std::min(ma.restitution, mb.restitution);
  m.static_friction = std::sqrt(ma.static_friction * mb.static_friction);
  m.sliding_friction = std::sqrt(ma.sliding_friction * mb.sliding_friction);
  m.rolling_friction = std::sqrt(ma.rolling_friction * mb.rolling_friction);
  m.spinning_friction = std::sqrt(ma.spinning_friction * mb.spinning_friction);
  m.stiffness = in_series(ma.stiffness, mb.stiffness);
  m.damping = in_series(ma.damping, mb.damping);
  const auto found = pairs_.find({std::min(a, b), std::max(a, b)});
  if (found == pairs_.end()) return m;
  const PairOverride& o = found->second;
  m.restitution = o.restitution.value_or(m.restitution);
  m.static_friction = o.static_friction.value_or(m.static_friction);
  m.sliding_friction = o.sliding_friction.value_or(m.sliding_friction);
  m.rolling_friction = o.rolling_friction.value_or(m.rolling_friction);
  m.spinning_friction = o.spinning_friction.value_or(m.spinning_friction);
  m.stiffness = o.stiffness.value_or(m.stiffness);
  m.damping = o.damping.value_or(m.damping);
  return m;
}

}  // namespace tenon
