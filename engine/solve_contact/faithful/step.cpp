#include "tenon/engine/solve_contact/faithful/step.h"

#include <algorithm>

#include "tenon/engine/base/assert.h"
#include "tenon/engine/solve_contact/faithful/detail/graph.h"
#include "tenon/engine/solve_contact/faithful/detail/impulses.h"
#include "tenon/engine/solve_contact/faithful/detail/levels.h"

namespace tenon::faithful {
namespace {

using detail::BodyPair;

std::vector<BodyPair> find_body_pairs(Step& step) {
  std::vector<ColliderPair> colliders;
  step.surroundings->find_pairs(step.bodies, colliders);
  return detail::group_pairs(step, std::move(colliders));
}

void predict_all(Step& step) {
  for (Body& b : step.bodies) predict(b, step.h);
}

// Phase A. Returns whether anything collided. `pairs`: those of the last round, for the graph.
bool process_collisions(Step& step, std::vector<BodyPair>& pairs) {
  const Rounds& rounds = step.settings.collision;
  bool any = false;
  for (int sweep = 0; sweep < rounds.sweeps; ++sweep) {
    bool here = false;
    // what was hit may fly into others: pairs are found anew
    if (sweep > 0) pairs = find_body_pairs(step);
    for (int level = 0; level < rounds.level; ++level) {
      for (BodyPair& pair : pairs) {
        if (detail::known_free(step, pair)) continue;
        for (int k = 0; k < rounds.pair; ++k) {
          if (!detail::collide_pair(step, pair)) {
            detail::set_free(step, pair);
            break;
          }
          here = true;
          step.bodies[pair.a].hit = step.bodies[pair.b].hit = true;
          ++step.counts.collisions;
        }
      }
    }
    any = any || here;
    if (!here) break;
  }
  return any;
}

void post_stabilize(Step& step, Joints::Which which) {
  if (step.joints != nullptr) step.joints->post_stabilize(step.bodies, which);
}

void set_levels(Step& step, const std::vector<BodyPair>& pairs) {
  const std::vector<int> levels =
      detail::find_levels(step.bodies.size(), detail::find_edges(step, pairs));
  for (size_t i = 0; i < levels.size(); ++i) step.bodies[i].level = levels[i];
}

struct SavedVelocities {
  std::vector<Vec3> v, L;

  explicit SavedVelocities(const Step& step) {
    for (const Body& b : step.bodies) {
      v.push_back(b.v);
      L.push_back(b.L);
    }
  }
  void restore(Step& step) const {
    for (size_t i = 0; i < v.size(); ++i) {
      Body& b = step.bodies[i];
      if (b.infinite) continue;
      b.v = v[i];
      b.L = L[i];
      b.w = b.inv_I * b.L;
    }
  }
};

// The optional last sweep over joints alone. They go in the order of levels, too.
void sweep_joints_alone(Step& step, const detail::Levels& levels) {
  for (const detail::Level& level : levels.list) {
    for (const uint32_t joint : level.joints) {
      step.joints->prestabilize(step.bodies, joint, 1);
    }
  }
  ++step.counts.joint_sweeps;
}

void move(Step& step) {
  for (Body& b : step.bodies) {
    const Pose next = advance(b, b.v, b.w, step.h);
    place(b, next.p, next.q);
    if (b.infinite) b.end = next;
    b.next = detail::transform_of(b);
    b.q_next = b.q;
    ++b.changes;
  }
  if (step.joints != nullptr) step.joints->moved(step.bodies);
}

// Phases C and D up to the last post-stabilization.
void contact_and_move(Step& step) {
  const Settings& settings = step.settings;
  detail::Levels levels = detail::make_levels(step);
  detail::sweep_contacts(step, levels);
  const bool contacts =
      std::any_of(levels.pairs.begin(), levels.pairs.end(), [](auto& p) { return p.acted; });
  if (settings.contacts && settings.shock && contacts) detail::propagate_shock(step, levels);
  const bool final_sweep = step.joints != nullptr && contacts && settings.shock &&
                           settings.joints_in_shock == JointsInShock::kSkipped &&
                           settings.joint_correction == JointCorrection::kBeforeMove &&
                           settings.final_joint_sweep != FinalJointSweep::kNone;
  if (final_sweep && settings.final_joint_sweep == FinalJointSweep::kSaved) {
    const SavedVelocities saved(step);
    step.joints->save();
    sweep_joints_alone(step, levels);
    move(step);
    saved.restore(step);
    step.joints->restore();
    return;
  }
  if (final_sweep) sweep_joints_alone(step, levels);
  move(step);
}

}  // namespace

void run(Step& step) {
  if (!(step.h > 0) || !(step.h < 1e300)) return;
  TENON_DEMAND(step.surroundings != nullptr);
  const Settings& settings = step.settings;
  const bool before = settings.joint_correction == JointCorrection::kBeforeMove;
  // A
  predict_all(step);
  std::vector<BodyPair> pairs = find_body_pairs(step);
  if (settings.collisions && process_collisions(step, pairs) && before) {
    post_stabilize(step, Joints::Which::kHit);
  }
  set_levels(step, pairs);
  // B
  step.surroundings->apply_forces(step.bodies);
  if (before) post_stabilize(step, Joints::Which::kAll);
  // C, D
  predict_all(step);
  contact_and_move(step);
  if (!before && step.joints != nullptr) step.joints->repair(step.bodies, Joints::Which::kAll);
  if (settings.contacts && settings.push_out) {
    detail::push_out(step);
    if (step.joints != nullptr) step.joints->repair(step.bodies, Joints::Which::kPushed);
  }
  post_stabilize(step, Joints::Which::kAll);
}

}  // namespace tenon::faithful
