#include "tenon/engine/world/misses.h"

#include <algorithm>

#include "tenon/engine/collision/narrow/collide_mesh.h"

namespace tenon {

bool goes_past(const Course& course, const WorldData& data, const Island& island,
               const IslandPatch& c, double speed) {
  const Contact& contact = data.contacts[c.contact];
  const uint32_t a = contact.collider_a, b = contact.collider_b;
  const bool patchy = has_patches(data.colliders[a].shape, data.colliders[b].shape);
  if (patchy || !island.nears(c, course.step(), speed)) return false;
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

// Whether the bodies of a mechanism go on as they did in the last step: nobody pushes one or moves
// what they hang on, no spring or motor acts, and nothing has hit them just now, which would be
// taken for an acceleration.
bool is_steady(const StepContext& context, const WorldData& data, const IslandWork& w, uint32_t g) {
  constexpr double kOfSpeed = 0.25;
  const Island& island = w.island;
  const IslandGroup& group = island.groups[g];
  if (island.is_driven(group.first)) return false;
  const auto moves = [](const Motion& u) { return !(u.v == Vec3{} && u.w == Vec3{}); };
  const std::span<const Motion> anchors = w.answers[g].fixed();
  if (std::any_of(anchors.begin(), anchors.end(), moves)) return false;
  const double fall = norm(data.settings.gravity) * context.h;
  for (uint32_t b = group.first; b < group.first + group.count; ++b) {
    const uint32_t slot = island.bodies[b].slot;
    const Wrench& pushed = data.applied[slot];
    if (!(pushed.force == Vec3{} && pushed.torque == Vec3{})) return false;
    const Acceleration& a = data.acceleration[slot];
    const double arm = data.mass[slot].size;
    const double change = context.h * (norm(a.linear) + arm * norm(a.angular));
    const Motion& u = island.motion[b];
    if (change > kOfSpeed * (norm(u.v) + arm * norm(u.w)) + fall) return false;
  }
  return true;
}

}  // namespace

void find_misses(const StepContext& context, const WorldData& data, const ImpactStates& impacts,
                 IslandWork& w) {
  const Course course(context, data, impacts);
  const double slow = norm(data.settings.gravity) * context.h;
  const std::vector<uint8_t> touching = find_touching(w.island);
  std::vector<uint8_t> steady;
  for (uint32_t g = 0; g < w.island.groups.size(); ++g) {
    steady.push_back(is_steady(context, data, w, g) ? 1 : 0);
  }
  const auto is_known = [&](uint32_t b) {
    const uint32_t g = w.island.bodies[b].group;
    return touching[b] == 0 && (g == kNoGroup || steady[g] != 0);
  };
  for (IslandPatch& c : w.island.patches) {
    c.passes = is_known(c.a) && is_known(c.b) && goes_past(course, data, w.island, c, slow);
  }
}

}  // namespace tenon
