// Contacts of mechanisms under tension; docs/theory/contacts.md, section 5, equation (10).
//
// Light bodies between taut joints resist being moved aside by tension that turns with them, and
// not by their inertia: with (omega h)^2 of ten and more they do not move as M^-1 says at all. The
// smooth step knows (its Newton matrix holds that stiffness). So the step is taken once with the
// impulses of the last step; contacts are solved about where it leads, with its derivative; and the
// step that follows starts from there. One Newton iteration for joints and contacts together.
#include <algorithm>

#include "tenon/engine/world/contact_work.h"
#include "tenon/engine/world/phases.h"

namespace tenon {
namespace {

// What of a symmetric matrix is positive: pivots by size, until none is left that is. Levers of a
// step are not quite symmetric, and joints that are pressed together soften.
constexpr int kRounds = 6, kSweeps = 200;
// Of what gravity does in a step, and of the speed of bodies: promise and step agree so well.
constexpr double kAgreed = 1e-3, kAgreedMoving = 1e-2;
constexpr double kMostGain = 1e-3;       // of kinetic energy: steps that gain more are halved
constexpr double kSmallestPivot = 1e-9;  // of the largest

void keep_positive(std::vector<double>& A, size_t n) {
  std::vector<double> rest = std::move(A);
  A.assign(n * n, 0);
  std::vector<double> column(n);
  double largest = 0;
  for (size_t step = 0; step < n; ++step) {
    size_t k = 0;
    for (size_t i = 1; i < n; ++i) {
      if (rest[i * (n + 1)] > rest[k * (n + 1)]) k = i;
    }
    const double pivot = rest[k * (n + 1)];
    largest = std::max(largest, pivot);
    if (!(pivot > kSmallestPivot * largest)) return;
    for (size_t i = 0; i < n; ++i) column[i] = rest[k * n + i] / pivot;
    for (size_t i = 0; i < n; ++i) {
      for (size_t j = 0; j < n; ++j) {
        const double part = pivot * column[i] * column[j];
        A[i * n + j] += part;
        rest[i * n + j] -= part;
      }
    }
  }
}

// Takes the step of a mechanism with the given impulses; joints stay as they are.
bool try_step(const StepContext& context, WorldData& data, const IslandWork& w, uint32_t g,
              double h) {
  Mechanisms& m = *context.mechanisms;
  const uint32_t index = w.mechanisms[g];
  const IslandGroup& group = w.island.groups[g];
  fill_mechanism_step(context, data, index, StepEnd::kBegin);
  MechanismStep& step = m.steps[index];
  for (uint32_t b = 0; b < group.order.size(); ++b) {
    step.bodies[b].force += (1 / h) * w.wrenches[group.order[b]].force;
    step.bodies[b].torque += (1 / h) * w.wrenches[group.order[b]].torque;
  }
  std::vector<JointState> before;
  for (const StepJoint& j : step.joints) before.push_back(*j.state);
  step.result = m.solvers[index].step(step.bodies, step.joints, h, mechanism_settings(data));
  step.after.clear();
  for (const StepJoint& j : step.joints) step.after.push_back(*j.state);
  for (size_t j = 0; j < before.size(); ++j) *step.joints[j].state = before[j];
  return step.result.status == StepStatus::kConverged;
}

// Where the steps of all groups under tension lead with the impulses as they are: to motion.
bool try_steps(const StepContext& context, WorldData& data, IslandWork& w) {
  Island& island = w.island;
  w.wrenches.assign(island.bodies.size(), {});
  island.add_wrenches(w.wrenches, Island::Kind::kSolve, false);
  for (uint32_t g = 0; g < w.mechanisms.size(); ++g) {
    if (w.tight[g] == 0) continue;
    if (!try_step(context, data, w, g, context.h)) return false;
    const MechanismStep& step = context.mechanisms->steps[w.mechanisms[g]];
    const std::vector<uint32_t>& order = island.groups[g].order;
    for (uint32_t i = 0; i < order.size(); ++i) {
      const BodyState& end = step.bodies[i].end;
      island.motion[order[i]] = {end.v_WC, end.w_WB};
      // the next one starts where this one led
      data.acceleration[island.bodies[order[i]].slot] = step.bodies[i].acceleration;
    }
  }
  return true;
}

// Answers about there.
bool make_answers(const StepContext& context, IslandWork& w) {
  for (uint32_t g = 0; g < w.mechanisms.size(); ++g) {
    if (w.tight[g] == 0) continue;
    IslandGroup& group = w.island.groups[g];
    std::vector<uint32_t> touched(group.columns);
    for (uint32_t i = 0; i < group.order.size(); ++i) {
      if (group.order[i] - group.first < group.columns) touched[group.order[i] - group.first] = i;
    }
    DirectSolver& solver = context.mechanisms->solvers[w.mechanisms[g]];
    if (!solver.calc_step_answer(touched, group.answer)) return false;
    group.bounds = 0;  // they are in the prediction
    for (const double x : group.answer) {
      if (!std::isfinite(x)) return false;
    }
    keep_positive(group.answer, 6u * group.columns);
    group.predicted = true;
  }
  return true;
}

// How far the bodies that are touched go another way than contacts were promised, m/s.
double calc_surprise(const IslandWork& w, std::span<const Motion> promised) {
  double largest = 0;
  for (const IslandPatch& c : w.island.patches) {
    for (const auto& [b, r] : {std::pair{c.a, c.rA}, std::pair{c.b, c.rB}}) {
      const uint32_t g = w.island.bodies[b].group;
      if (g == kNoGroup || w.tight[g] == 0) continue;
      const Motion &u = w.island.motion[b], &v = promised[b];
      largest = std::max(largest, norm(u.v - v.v + cross(u.w - v.w, r)));
    }
  }
  return largest;
}

// From the true end velocities to what they would be without contacts, by the answers.
void take_out_contacts(IslandWork& w) {
  Island& island = w.island;
  for (size_t b = 0; b < island.bodies.size(); ++b) {
    const uint32_t g = island.bodies[b].group;
    if (g == kNoGroup || w.tight[g] == 0) w.wrenches[b] = {};
  }
  island.take_out(w.wrenches);
  island.prepare_patches();
}

// Bounds of joints are in the prediction.
void drop_bounds(IslandWork& w) {
  for (IslandRow& r : w.island.bounds) {
    for (const uint32_t b : r.body) {
      if (b == kNoBody || w.tight[w.island.bodies[b].group] == 0) continue;
      r.low = r.high = r.p = 0;
    }
  }
}

// What contacts would do to the energy of the island's bodies, J: the work of constant forces along
// the way of the step. Nothing but moved bodies and running surfaces can make it positive.
double calc_gain(const StepContext& context, const IslandWork& w, std::span<const Motion> before,
                 std::span<const Motion> promised) {
  const Island& island = w.island;
  double work = 0;
  for (size_t b = 0; b < island.bodies.size(); ++b) {
    const uint32_t g = island.bodies[b].group;
    if (g != kNoGroup && w.tight[g] != 0) continue;
    const Motion &u = before[b], &v = promised[b];
    work += 0.5 * (dot(w.wrenches[b].force, u.v + v.v) + dot(w.wrenches[b].torque, u.w + v.w));
  }
  for (uint32_t g = 0; g < w.mechanisms.size(); ++g) {
    if (w.tight[g] == 0) continue;
    const MechanismStep& step = context.mechanisms->steps[w.mechanisms[g]];
    const IslandGroup& group = island.groups[g];
    for (uint32_t i = 0; i < group.order.size(); ++i) {
      const uint32_t b = group.order[i];
      work += (1 / context.h) *
              work_over_step(w.wrenches[b], step.bodies[i].begin, step.bodies[i].end, context.h);
    }
  }
  for (const IslandPatch& c : island.patches) {
    work -= c.rub.x * c.drift.y + c.rub.y * c.drift.z;
  }
  return work;
}

// What was tried last is what will be done.
void keep_steps(const StepContext& context, const IslandWork& w) {
  for (uint32_t g = 0; g < w.mechanisms.size(); ++g) {
    if (w.tight[g] != 0) context.mechanisms->steps[w.mechanisms[g]].taken = true;
  }
}

}  // namespace

bool resist_tight_island(const StepContext& context, WorldData& data, IslandWork& w,
                         const IslandSettings& settings) {
  Island& island = w.island;
  const std::vector<Motion> base = island.motion;
  const std::vector<IslandGroup> groups = island.groups;
  const std::vector<IslandPatch> patches = island.patches;
  const std::vector<IslandPoint> points = island.points;
  const std::vector<IslandRow> bounds = island.bounds;
  const double fall = settings.gravity * settings.h;
  const double agreed = kAgreed * fall + kAgreedMoving * settings.speed;
  std::vector<Motion> before;
  double kinetic = 0;
  for (size_t b = 0; b < island.bodies.size(); ++b) {
    const BodyState& begin = w.begin[b];
    before.push_back({begin.v_WC, begin.w_WB});
    if (!(island.bodies[b].inv_mass > 0)) continue;
    kinetic += 0.5 * (island.bodies[b].mass * (norm2(begin.v_WC) + fall * fall) +
                      dot(begin.w_WB, begin.L_W));
  }
  IslandSettings patient = settings;
  patient.max_sweeps = kSweeps;
  drop_bounds(w);
  std::vector<Motion> promised;
  double surprise = 0;
  for (int round = 0; round <= kRounds; ++round) {
    island.motion = base;
    if (!try_steps(context, data, w)) break;
    const double last = surprise;
    surprise = round > 0 ? calc_surprise(w, promised) : 0;
    // bridges under loads come to agree late; ropes that do not by now take shorter steps
    if (!w.loaded && round > 1 && surprise > agreed) {
      double coming = surprise;
      for (int i = round; i < kRounds; ++i) coming *= surprise / last;
      if (coming > agreed || calc_gain(context, w, before, promised) > 4 * kMostGain * kinetic) {
        break;
      }
    }
    if (round > 0 && surprise <= agreed) {
      if (calc_gain(context, w, before, promised) > kMostGain * kinetic) break;
      keep_steps(context, w);
      return true;
    }
    if (round == kRounds || !make_answers(context, w)) break;
    take_out_contacts(w);
    w.contact = island.resist(patient);
    promised = island.motion;
  }
  island.motion = base;
  island.groups = groups;
  island.patches = patches;
  island.points = points;
  island.bounds = bounds;
  island.prepare_patches();
  return false;
}

}  // namespace tenon
