// How fast, how heavy and how hard pushed an island is: what is large, small or too much in it.
#include <algorithm>
#include <cmath>

#include "tenon/engine/solve_contact/island.h"

namespace tenon {
namespace {

constexpr double kMostKinetic = 2;  // of what it was without contacts
constexpr double kUnequal = 20;     // ratio of masses beyond which sweeps creep

}  // namespace

double Island::mean_speed() const {
  double sum = 0, count = 0;
  for (size_t b = 0; b < bodies.size(); ++b) {
    if (!(bodies[b].inv_mass > 0)) continue;
    sum += norm2(motion[b].v);
    count += 1;
  }
  return count > 0 ? std::sqrt(sum / count) : 0;
}

double Island::kinetic_of(std::span<const Motion> of) const {
  double sum = 0;
  for (size_t b = 0; b < bodies.size(); ++b) {
    if (!(bodies[b].inv_mass > 0)) continue;
    sum += 0.5 * bodies[b].mass * norm2(of[b].v);
    if (!(bodies[b].inv_I(0, 0) > 0)) continue;
    sum += 0.5 * dot(of[b].w, inverse(bodies[b].inv_I) * of[b].w);
  }
  return sum;
}

// Contacts take energy away. Moved bodies, running surfaces and closing gaps may add some.
bool Island::gains_too_much(const IslandSettings& settings, double before) const {
  double fastest = std::max(settings.gravity * settings.h, fastest_outside());
  for (size_t b = 0; b < bodies.size(); ++b) {
    if (!(bodies[b].inv_mass > 0)) fastest = std::max(fastest, norm(motion[b].v));
  }
  const double laws = work_of_laws();
  return !(kinetic_of(motion) <= kMostKinetic * (before + laws) + 10 * mass() * fastest * fastest);
}

// Whether a body touches one that is far heavier, or one that a motor presses on it: as long as
// that is held it hardly gives way, like a heavy one. Heaps of meshes that rest are wedged: what
// sweeps have found in the course of many steps is better than any answer of one solve.
bool Island::heavy_on_light(bool rests) const {
  const auto driven = [&](const IslandBody& b) {
    if (b.group == kNoGroup) return false;
    const auto first = bounds.begin() + groups[b.group].first_bound;
    return std::any_of(first, first + groups[b.group].bounds,
                       [](const IslandRow& r) { return r.motor && r.held; });
  };
  return std::any_of(patches.begin(), patches.end(), [&](const IslandPatch& c) {
    const IslandBody &A = bodies[c.a], &B = bodies[c.b];
    const double a = A.inv_mass, b = B.inv_mass;
    if (!(a > 0 && b > 0)) return false;
    const bool wedged = faceted && rests;
    return (!wedged && std::max(a, b) > kUnequal * std::min(a, b)) ||
           (A.group != B.group && (driven(A) || driven(B)));
  });
}

double Island::mass() const {
  double sum = 0;
  for (const IslandBody& b : bodies) sum += b.mass;
  return sum;
}

// Of forces on the bodies, and of motors, springs and friction of their joints at the most, in a
// step.
double Island::impulse_of_forces(double h) const {
  double sum = 0;
  for (const IslandBody& b : bodies) sum += h * b.mass * norm(b.a);
  for (const IslandRow& r : bounds) {
    const double most = std::max(std::fabs(r.low), std::fabs(r.high));
    sum += r.soft > 0 && !r.motor ? std::fabs(r.rate) / r.soft : most < kNever ? most : 0;
  }
  return sum;
}

// Of anything where it touches, running surfaces included.
double Island::fastest_touch() const {
  double fastest = 0;
  for (const IslandPatch& c : patches) {
    const Motion &A = motion[c.a], &B = motion[c.b];
    fastest = std::max(
        {fastest, norm(c.drift), norm(A.v + cross(A.w, c.rA)), norm(B.v + cross(B.w, c.rB))});
  }
  return fastest;
}

// Speed of moved bodies and running surfaces where they touch.
double Island::fastest_outside() const {
  double fastest = 0;
  for (const IslandPatch& c : patches) {
    fastest = std::max(fastest, norm(c.drift));
    const Motion &A = motion[c.a], &B = motion[c.b];
    if (!(bodies[c.a].inv_mass > 0)) fastest = std::max(fastest, norm(A.v + cross(A.w, c.rA)));
    if (!(bodies[c.b].inv_mass > 0)) fastest = std::max(fastest, norm(B.v + cross(B.w, c.rB)));
  }
  return fastest;
}

}  // namespace tenon
