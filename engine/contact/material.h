// What surfaces do to each other when they touch.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "tenon/engine/base/hash.h"
#include "tenon/engine/base/result.h"

namespace tenon {

using MaterialId = uint16_t;

// Surface of one material. Friction and rolling values are for contact with itself.
struct SurfaceMaterial {
  double restitution = 0.5;       // 0..1
  double static_friction = 0.5;   // >= 0, coefficient while sticking
  double sliding_friction = 0.4;  // >= 0, coefficient while sliding
  double rolling_friction = 0;    // m, lever arm of the rolling resistance
  double spinning_friction = 0;   // m, lever arm of the spinning resistance
  double stiffness = 1e6;         // N/m, elasticity c of penalty contacts
  double damping = 1e4;           // N s/m, damping d of penalty contacts
  friend bool operator==(const SurfaceMaterial&, const SurfaceMaterial&) = default;
};

// Values that replace the mixed ones for one pair of materials.
struct PairOverride {
  std::optional<double> restitution = std::nullopt;
  std::optional<double> static_friction = std::nullopt;
  std::optional<double> sliding_friction = std::nullopt;
  std::optional<double> rolling_friction = std::nullopt;
  std::optional<double> spinning_friction = std::nullopt;
  std::optional<double> stiffness = std::nullopt;
  std::optional<double> damping = std::nullopt;
  friend bool operator==(const PairOverride&, const PairOverride&) = default;
};

// Materials by index and the values for every pair of them. The pair rule: what an override leaves
// out is the geometric mean of the two materials' own values, so that a material against itself has
// its own values and a zero stays zero. Sliding friction never exceeds static friction: where an
// override gives only one of the two, the other one gives way.
class MaterialTable {
 public:
  // Index 0 always exists: the default material.
  MaterialTable() : materials_(1) {}

  // Error if a value is not finite or out of its range, or 65536 materials exist.
  Result<MaterialId> add(const SurfaceMaterial& material);
  Status set_pair(MaterialId a, MaterialId b, const PairOverride& values);

  // The values for a contact; symmetric in a and b. Precondition: both exist.
  SurfaceMaterial mix(MaterialId a, MaterialId b) const;
  const SurfaceMaterial& at(MaterialId id) const { return materials_[id]; }
  size_t size() const { return materials_.size(); }
  // Adds all values to a hash: two tables with equal hashes treat every contact alike.
  void add_to(Hasher& hasher) const;

 private:
  std::vector<SurfaceMaterial> materials_;
  std::map<std::pair<MaterialId, MaterialId>, PairOverride> pairs_;
};

}  // namespace tenon
