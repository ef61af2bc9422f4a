// Steps that are too long for meshes that hit something; docs/theory/meshes.md, section 4.
#include <algorithm>
#include <cmath>

#include "tenon/engine/world/contact_work.h"
#include "tenon/engine/world/phases.h"

namespace tenon {
namespace {

bool is_mesh(const Collider& c) { return kind(c.shape) == ShapeKind::kMesh; }

// How far the points of a patch would go beyond where they meet, m.
double calc_overrun(const Island& island, const IslandPatch& c, double h) {
  double most = 0;
  for (uint32_t i = c.first; i < c.first + c.count; ++i) {
    const IslandPoint& x = island.points[i];
    most = std::max(most, -(std::max(x.gap, 0.0) + h * island.rate_of(c, x)));
  }
  return most;
}

// What falls by more than this part of its size in a step tumbles over from one step to the next.
constexpr double kSmall = 0.05;

bool is_small(const WorldData& data, const IslandBody& b, double h) {
  const double fall = norm(data.settings.gravity) * h * h;
  return b.inv_mass > 0 && data.mass[b.slot].size > 0 && kSmall * data.mass[b.slot].size < fall;
}
bool has_small_bodies(const WorldData& data, const IslandWork& w, double h) {
  return std::any_of(w.island.bodies.begin(), w.island.bodies.end(),
                     [&](const IslandBody& b) { return is_small(data, b, h); });
}

// The farthest that a small body turns, of what it may: others of its points come down than those
// that are near now. What topples turns e^x times as fast after a step, x = h sqrt(g / size).
double calc_turning(const WorldData& data, const IslandWork& w, double h) {
  constexpr double kFar = 0.5;  // rad
  double most = 0;
  for (const IslandBody& b : w.island.bodies) {
    if (!is_small(data, b, h)) continue;
    const double x = h * std::sqrt(norm(data.settings.gravity) / data.mass[b.slot].size);
    most = std::max(most, (1 + x + 0.5 * x * x) * h * norm(data.state[b.slot].w_WB) / kFar);
  }
  return most;
}

// Two free bodies, or one and what does not move: all their hits are found, each in its time. Not
// so where a third, even one that stands, turns them into each other, nor where they are small.
bool hits_are_exact(const WorldData& data, const IslandWork& w, double h) {
  if (has_small_bodies(data, w, h)) return false;
  const auto& patches = w.island.patches;
  const auto is_first = [&](const IslandPatch& c) {
    return c.a == patches[0].a && c.b == patches[0].b;
  };
  return w.mechanisms.empty() && std::all_of(patches.begin(), patches.end(), is_first);
}

double calc_island_overrun(const WorldData& data, const IslandWork& w, double h) {
  constexpr double kFar = 0.25;       // of the thinner of the two
  constexpr double kFarOfWall = 0.4;  // the same, of their walls
  constexpr double kNothing = 1e-9;   // meshes are near, and all is well
  double most = 0;
  for (const IslandPatch& c : w.island.patches) {
    const Contact& contact = data.contacts[c.contact];
    const Collider &a = data.colliders[contact.collider_a], &b = data.colliders[contact.collider_b];
    if (!is_mesh(a) && !is_mesh(b)) continue;
    const double far = calc_overrun(w.island, c, h);
    const double allowed =
        std::min(kFar * std::min(a.size, b.size), kFarOfWall * std::min(a.wall, b.wall));
    most = std::max({most, kNothing, far / allowed});
  }
  return most > 0 ? std::max(most, calc_turning(data, w, h)) : most;
}

}  // namespace

std::vector<double> calc_mesh_overruns(const StepContext& context, const WorldData& data) {
  std::vector<double> overruns(data.info.size(), 0);
  const ContactWork& work = *context.contacts;
  for (size_t i = 0; i < work.count; ++i) {
    const IslandWork& w = work.islands[i];
    if (w.asleep || hits_are_exact(data, w, context.h)) continue;
    const double overrun = calc_island_overrun(data, w, context.h);
    for (const IslandBody& b : w.island.bodies) {
      if (b.inv_mass > 0) overruns[b.slot] = overrun;
    }
  }
  return overruns;
}

}  // namespace tenon
