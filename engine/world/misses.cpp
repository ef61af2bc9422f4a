#include "tenon/engine/world/misses.h"

#include <algorithm>

namespace tenon {

bool goes_past(const Course& course, const WorldData& data, const Island& island,
               const IslandPatch& c, double speed) {
  const Contact& contact = data.contacts[c.contact];
  const uint32_t a = contact.collider_a, b = contact.collider_b;
  const auto is_mesh = [&](uint32_t id) {
    return kind(data.colliders[id].shape) == ShapeKind::kMesh;
  };
  if (is_mesh(a) || is_mesh(b) || !island.nears(c, course.step(), speed)) return false;
  return course.misses(a, b, std::max(course.clock(contact.body_a), course.clock(contact.body_b)));
}

namespace {

// By body of an island: whether it, or anything that joints tie it to, touches something.
std::vector<uint8_t> find_touching(const Island& island) {
  std::vector<uint8_t> bodies(island.bodies.size(), 0), groups(island.groups.size(), 0);
  const auto mark = [&](uint32_t b) {
    const uint32_t g = island.bodies[b].group;
    (g == kNoGroup ? bodies[b] : groups[g]) = 1;
  };
  for (const IslandPatch& c : island.patches) {
    const auto first = island.points.begin() + c.first;
    const auto touches = [&](const IslandPoint& x) { return x.gap <= c.slack; };
    if (std::none_of(first, first + c.count, touches)) continue;
    mark(c.a);
    mark(c.b);
  }
  for (size_t b = 0; b < bodies.size(); ++b) {
    const uint32_t g = island.bodies[b].group;
    if (!(island.bodies[b].inv_mass > 0)) bodies[b] = 0;  // what stands, stands
    if (g != kNoGroup) bodies[b] = groups[g];
  }
  return bodies;
}

}  // namespace

void find_misses(const StepContext& context, const WorldData& data, const ImpactStates& impacts,
                 IslandWork& w) {
  const Course course(context, data, impacts);
  const double slow = norm(data.settings.gravity) * context.h;
  const std::vector<uint8_t> touching = find_touching(w.island);
  const auto is_known = [&](uint32_t b) { return touching[b] == 0 && !w.island.is_driven(b); };
  for (IslandPatch& c : w.island.patches) {
    c.passes = is_known(c.a) && is_known(c.b) && goes_past(course, data, w.island, c, slow);
  }
}

}  // namespace tenon
