// Steps that are too long for meshes that hit something; docs/theory/meshes.md, section 4.
#include <algorithm>

#include "tenon/engine/world/contact_work.h"
#include "tenon/engine/world/phases.h"

namespace tenon {
namespace {

bool is_mesh(const WorldData& data, uint32_t collider) {
  return kind(data.colliders[collider].shape) == ShapeKind::kMesh;
}

// How far the points of a patch would go beyond where they meet, m.
double calc_overrun(const Island& island, const IslandPatch& c, double h) {
  double most = 0;
  for (uint32_t i = c.first; i < c.first + c.count; ++i) {
    const IslandPoint& x = island.points[i];
    most = std::max(most, -(std::max(x.gap, 0.0) + h * island.rate_of(c, x)));
  }
  return most;
}

}  // namespace

bool meshes_go_far(const StepContext& context, const WorldData& data) {
  constexpr double kFar = 0.25;  // of the thinner of the two
  const ContactWork& work = *context.contacts;
  for (size_t i = 0; i < work.count; ++i) {
    const IslandWork& w = work.islands[i];
    if (w.asleep || w.mechanisms.empty()) continue;
    for (const IslandPatch& c : w.island.patches) {
      const Contact& contact = data.contacts[c.contact];
      if (!is_mesh(data, contact.collider_a) && !is_mesh(data, contact.collider_b)) continue;
      const double thin =
          std::min(data.colliders[contact.collider_a].size, data.colliders[contact.collider_b].size);
      if (calc_overrun(w.island, c, context.h) > kFar * thin) return true;
    }
  }
  return false;
}

}  // namespace tenon
