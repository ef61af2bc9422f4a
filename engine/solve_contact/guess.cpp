// First guesses for contacts that were not there in the last step.
#include "tenon/engine/solve_contact/island.h"

namespace tenon {

// Sweeps carry weight down one level at a time, and past light bodies under heavy ones hardly at
// all. From the top level down: what a body weighs, with all that stands on it, is shared by the
// patches that it stands on. Those that have impulses already pass them on.
void Island::guess_by_weight(double h) {
  const auto sum_of = [&](const IslandPatch& c) {
    double sum = 0;
    for (uint32_t i = c.first; i < c.first + c.count; ++i) sum += points[i].p;
    return sum;
  };
  const auto is_new = [&](const IslandPatch& c) {
    if (c.above == kNoBody || bodies[c.above].group != kNoGroup || sum_of(c) > 0) return false;
    for (uint32_t i = c.first; i < c.first + c.count; ++i) {
      if (points[i].gap > c.slack) return false;
    }
    return true;
  };
  std::vector<uint32_t> supports(bodies.size(), 0);
  std::vector<Vec3> load(bodies.size());
  bool any = false;
  for (const IslandPatch& c : patches) {
    if (!is_new(c)) continue;
    ++supports[c.above];
    any = true;
  }
  if (!any) return;
  for (size_t b = 0; b < bodies.size(); ++b) load[b] = (h * bodies[b].mass) * bodies[b].a;
  for (auto c = patches.rbegin(); c != patches.rend(); ++c) {
    double p = sum_of(*c);
    if (is_new(*c)) {
      // the normal goes from a to b
      const double along = dot(load[c->above], c->n) * (c->above == c->b ? -1 : 1);
      p = along > 0 ? along / supports[c->above] : 0;
      for (uint32_t i = c->first; i < c->first + c->count; ++i) points[i].p = p / c->count;
    }
    load[c->a] -= p * c->n;
    load[c->b] += p * c->n;
  }
}

}  // namespace tenon
