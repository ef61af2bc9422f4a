#include <algorithm>

#include "tenon/engine/solve_contact/faithful/detail/impulses.h"
#include "tenon/engine/solve_contact/faithful/detail/levels.h"

namespace tenon::faithful::detail {
namespace {

// Push-out after [Guendelman2003, sec. 8.1]: the equations of an impulse with displacements in the
// place of velocities,
//   x += j / m,  q = exp(I^-1 (r x j)) q,
// so bodies share an overlap by their masses and no velocity comes of it.
PatchBody pushed_body(const Body& b, bool rotates) {
  if (!b.gives_way()) return {};
  return {{}, {}, b.inv_mass, rotates ? b.inv_I : Mat3{}};
}

// Turns of more than this are no correction of an overlap.
constexpr double kLargestTurn = 0.2;  // rad

void push(Step& step, Body& b, const PatchBody& as, const Vec3& j, const Vec3& torque) {
  if (!b.gives_way()) return;
  Vec3 turn = as.inv_I * torque;
  const double angle = norm(turn);
  if (angle > kLargestTurn) turn *= kLargestTurn / angle;
  place(b, b.x + b.inv_mass * j, normalized(exp_map(turn) * b.q));
  b.next = transform_of(b);
  b.q_next = b.q;
  ++b.changes;
  b.pushed = true;
  ++step.counts.pushes;
}

// Takes the part f of every overlap of the pair away. False: there was none.
bool push_pair(Step& step, BodyPair& pair, double f) {
  std::vector<Touching> touching;
  find_touching_now(step, pair, touching);
  if (touching.empty()) return false;
  Body &a = step.bodies[pair.a], &b = step.bodies[pair.b];
  std::vector<PatchPoint> points;
  for (const Touching& t : touching) {
    const double bound = t.distance < 0 ? -f * t.distance : -t.distance;
    points.push_back({t.p - a.x, t.p - b.x, t.n, bound});
  }
  const bool rotates = step.settings.push_rotates;
  const PatchBody pa = pushed_body(a, rotates), pb = pushed_body(b, rotates);
  const PatchImpulse j = solve_patch(pa, pb, points, kPatchTolerance);
  if (!j.any || !is_finite(j.linear) || !is_finite(j.torque_A) || !is_finite(j.torque_B)) {
    return false;
  }
  push(step, a, pa, -j.linear, j.torque_A);
  push(step, b, pb, j.linear, j.torque_B);
  return true;
}

bool push_level(Step& step, Levels& levels, const Level& level, double f) {
  bool any = false;
  for (const uint32_t i : level.pairs) {
    BodyPair& pair = levels.pairs[i];
    if (known_free(step, pair)) continue;
    if (!step.bodies[pair.a].gives_way() && !step.bodies[pair.b].gives_way()) continue;
    for (int k = 0; k < step.settings.push.pair; ++k) {
      if (!push_pair(step, pair, f)) {
        set_free(step, pair);
        break;
      }
      any = true;
    }
  }
  return any;
}

}  // namespace

void push_out(Step& step) {
  const Settings& settings = step.settings;
  Levels levels = make_levels(step);
  for (int sweep = 0; sweep < settings.push.sweeps; ++sweep) {
    for (const Level& level : levels.list) {
      for (int k = 1; k <= settings.push.level; ++k) {
        const double f =
            settings.push_gradually ? static_cast<double>(k) / settings.push.level : 1.0;
        if (!push_level(step, levels, level, f)) break;
      }
      if (!settings.push_freezes) continue;
      for (const uint32_t b : level.bodies) step.bodies[b].held = true;
    }
    for (Body& b : step.bodies) b.held = false;
  }
}

}  // namespace tenon::faithful::detail
