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
  const std::pair<const char*, double> values[] = {{"static friction", m.static_friction},
                                                   {"sliding friction", m.sliding_friction},
                                                   {"rolling friction", m.rolling_friction},
                                                   {"spinning friction", m.spinning_friction},
                                                   {"stiffness", m.stiffness},
                                                   {"damping", m.damping}};
  if (Status s = check_value("restitution", m.restitution, 1); !s) return s;
  for (const auto& [what, value] : values) {
    if (Status s = check_value(what, value, kAny); !s) return s;
  }
  return Ok{};
}

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
  const auto found = pairs_.find({std::min(a, b), std::max(a, b)});
  const PairOverride o = found == pairs_.end() ? PairOverride{} : found->second;
  // sqrt of each factor, not of the product: exact for equal factors, and no overflow
  const auto value = [](const std::optional<double>& given, double va, double vb) {
    return given.value_or(va == vb ? va : std::sqrt(va) * std::sqrt(vb));
  };
  SurfaceMaterial m;
  m.restitution = value(o.restitution, ma.restitution, mb.restitution);
  m.static_friction = value(o.static_friction, ma.static_friction, mb.static_friction);
  m.sliding_friction = value(o.sliding_friction, ma.sliding_friction, mb.sliding_friction);
  m.rolling_friction = value(o.rolling_friction, ma.rolling_friction, mb.rolling_friction);
  m.spinning_friction = value(o.spinning_friction, ma.spinning_friction, mb.spinning_friction);
  m.stiffness = value(o.stiffness, ma.stiffness, mb.stiffness);
  m.damping = value(o.damping, ma.damping, mb.damping);
  if (m.sliding_friction > m.static_friction) {
    if (o.sliding_friction && !o.static_friction)
      m.static_friction = m.sliding_friction;
    else
      m.sliding_friction = m.static_friction;
  }
  return m;
}

void MaterialTable::add_to(Hasher& hasher) const {
  const auto add = [&](MaterialId a, MaterialId b) {
    const SurfaceMaterial m = mix(a, b);
    for (const double value : {m.restitution, m.static_friction, m.sliding_friction,
                               m.rolling_friction, m.spinning_friction, m.stiffness, m.damping}) {
      hasher.add(value);
    }
  };
  for (size_t i = 0; i < materials_.size(); ++i) {
    add(static_cast<MaterialId>(i), static_cast<MaterialId>(i));
  }
  for (const auto& [pair, values] : pairs_) {
    hasher.add(static_cast<uint64_t>(pair.first) << 16 | pair.second);
    add(pair.first, pair.second);
  }
}

}  // namespace tenon
