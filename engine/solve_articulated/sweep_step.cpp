#include <algorithm>

#include "tenon/engine/solve_articulated/sweep.h"

namespace tenon {
namespace {

Mat3 world_inverse_inertia(const SweepBody& body) {
  const Mat3 R = to_matrix(body.q);
  return R * body.inv_I_B * transpose(R);
}

SweepBody make_body(const SweepMechanism& m, uint32_t slot) {
  SweepBody body;
  if (slot == kWorldBody) return body;
  const BodyState& s = m.states[slot];
  body.slot = slot;
  body.infinite = m.infinite[slot] != 0;
  body.x = s.x_WC;
  body.q = s.q_WB;
  body.v = s.v_WC;
  body.w = s.w_WB;
  if (body.infinite) {
    body.x_end = m.ends[slot].p;
    body.q_end = m.ends[slot].q;
    return body;
  }
  const BodyMass& mass = m.masses[slot];
  body.inv_mass = mass.inv_mass;
  body.inv_I_B = mass.inv_I_B;
  body.inv_I = world_inverse_inertia(body);
  body.L = s.L_W;
  body.w = body.inv_I * body.L;
  body.size2 = max_component(mass.moments) * mass.inv_mass;
  return body;
}

// Index of a slot in a sorted list; its size if it is not there.
template <class List>
size_t find_slot(const List& sorted, uint32_t slot) {
  const auto found = std::lower_bound(sorted.begin(), sorted.end(), slot);
  const bool there = found != sorted.end() && *found == slot;
  return there ? static_cast<size_t>(found - sorted.begin()) : sorted.size();
}

// Bodies that joints name and the mechanism does not list: infinite ones, and the world.
std::vector<uint32_t> find_neighbours(const SweepMechanism& m) {
  std::vector<uint32_t> slots;
  for (const uint32_t joint : m.joint_slots) {
    const JointPair& pair = m.joints[joint].pairs[0];
    for (const uint32_t slot : {pair.parent, pair.child}) {
      if (find_slot(m.body_slots, slot) == m.body_slots.size()) slots.push_back(slot);
    }
  }
  std::sort(slots.begin(), slots.end());
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  return slots;
}

Pose relative_frame(const SweepWork& work, const SweepJoint& joint) {
  const SweepBody& p = work.bodies[joint.parent];
  const SweepBody& c = work.bodies[joint.child];
  const JointPair& pair = joint.model->pairs[0];
  const Quat q_WP = p.q * joint.q_BP;
  const Vec3 d = (c.x - p.x) + (rotate(c.q, pair.rC_B) - rotate(p.q, pair.rP_B));
  return {rotate(conjugate(q_WP), d), conjugate(q_WP) * (c.q * joint.q_BC)};
}

void refresh_targets(SweepWork& work) {
  for (SweepJoint& joint : work.joints) {
    const Pose X_PC = relative_frame(work, joint);
    joint.nearest = work.project.nearest(*joint.model, joint.state, X_PC);
    joint.held = work.project.held(*joint.model, joint.state, X_PC);
  }
}

struct SavedVelocity {
  Vec3 v, L, taken_impulse, taken_angular_impulse;
  double taken_work;
};
struct SavedImpulse {
  Vec3 linear, angular;
};

// Velocities and impulses before pre-stabilization [Weinstein2006, sec. VI, last paragraph].
struct Saved {
  std::vector<SavedVelocity> bodies;
  std::vector<SavedImpulse> joints;

  explicit Saved(const SweepWork& work) {
    for (const SweepBody& b : work.bodies) {
      bodies.push_back({b.v, b.L, b.taken_impulse, b.taken_angular_impulse, b.taken_work});
    }
    for (const SweepJoint& j : work.joints) joints.push_back({j.impulse, j.angular_impulse});
  }
  void restore(SweepWork& work) const {
    for (size_t i = 0; i < bodies.size(); ++i) {
      SweepBody& b = work.bodies[i];
      if (b.infinite) {
        b.taken_impulse = bodies[i].taken_impulse;
        b.taken_angular_impulse = bodies[i].taken_angular_impulse;
        b.taken_work = bodies[i].taken_work;
        continue;
      }
      b.v = bodies[i].v;
      b.L = bodies[i].L;
      b.w = b.inv_I * b.L;
    }
    for (size_t i = 0; i < joints.size(); ++i) {
      work.joints[i].impulse = joints[i].linear;
      work.joints[i].angular_impulse = joints[i].angular;
    }
  }
};

// Turning a body by d moves the points where joints pull; against constant forces F at levers r
// that costs the energy d . K d / 2 with
//   K = -sum [F][r],  trace(I^-1 K) = sum (F . r) trace(I^-1) - F . I^-1 r                      (1)
// so two transverse modes share omega^2 = trace / 2, and (h omega / 2)^2 = h^2 trace / 8.
double calc_tension_number(const SweepWork& work, double h) {
  std::vector<double> sum(work.bodies.size(), 0.0);
  for (const SweepJoint& joint : work.joints) {
    const SweepBody& c = work.bodies[joint.child];
    const Vec3 origin = c.x + rotate(c.q, joint.model->pairs[0].rC_B);
    const auto add = [&](uint32_t index, const Vec3& F) {
      const SweepBody& b = work.bodies[index];
      if (b.infinite) return;
      const Vec3 r = origin - b.x;
      sum[index] += dot(F, r) * trace(b.inv_I) - dot(F, b.inv_I * r);
    };
    add(joint.child, joint.impulse / h);
    add(joint.parent, -joint.impulse / h);
  }
  double largest = 0;
  for (const double s : sum) largest = std::max(largest, s);
  return h * std::sqrt(largest / 8);
}

void prestabilize(SweepWork& work, double h, const SweepSettings& settings, SweepCounts& counts) {
  for (int i = 1; i <= settings.sweeps; ++i) {
    const double epsilon = settings.ramp && i < settings.sweeps
                               ? static_cast<double>(i) / static_cast<double>(settings.sweeps)
                               : 1.0;
    sweep_positions(work, h, epsilon, settings, counts);
  }
}

}  // namespace

void prepare_sweep(const SweepMechanism& m, SweepWork& work) {
  TENON_DEMAND(m.project.nearest != nullptr && m.project.held != nullptr);
  work.project = m.project;
  work.bodies.clear();
  work.joints.clear();
  for (const uint32_t slot : m.body_slots) work.bodies.push_back(make_body(m, slot));
  const std::vector<uint32_t> neighbours = find_neighbours(m);
  for (const uint32_t slot : neighbours) {
    work.bodies.push_back(make_body(m, slot));
    TENON_DEMAND(work.bodies.back().infinite);
  }
  const auto index_of = [&](uint32_t slot) {
    size_t i = find_slot(m.body_slots, slot);
    if (i == m.body_slots.size()) i += find_slot(neighbours, slot);
    return static_cast<uint32_t>(i);
  };
  for (const uint32_t slot : m.joint_slots) {
    const JointModel& model = m.joints[slot];
    TENON_DEMAND(sweep_supports(model));
    const JointPair& pair = model.pairs[0];
    SweepJoint joint;
    joint.model = &model;
    if (slot < m.joint_states.size()) joint.state = m.joint_states[slot];
    joint.parent = index_of(pair.parent);
    joint.child = index_of(pair.child);
    joint.q_BP = to_quat(pair.AP_B);
    joint.q_BC = to_quat(pair.AC_B);
    work.joints.push_back(joint);
  }
  refresh_targets(work);
}

void store_sweep(const SweepWork& work, std::span<BodyState> states) {
  for (const SweepBody& body : work.bodies) {
    if (!body.infinite) states[body.slot] = {body.x, body.q, body.v, body.w, body.L};
  }
}

void integrate(SweepWork& work, double h) {
  for (SweepBody& body : work.bodies) {
    if (body.infinite) {
      body.x = body.x_end;
      body.q = body.q_end;
      continue;
    }
    body.x += h * body.v;
    body.q = normalized(exp_map(h * (body.w + body.gyro)) * body.q);
  }
  update_frames(work);
}

void update_frames(SweepWork& work) {
  for (SweepBody& body : work.bodies) {
    if (body.infinite) continue;
    body.inv_I = world_inverse_inertia(body);
    body.w = body.inv_I * body.L;
  }
  refresh_targets(work);
}

Pose calc_relative_frame(const SweepWork& work, size_t index) {
  return relative_frame(work, work.joints[index]);
}

SweepError calc_joint_error(const SweepWork& work, size_t index) {
  const SweepJoint& joint = work.joints[index];
  const Pose X = relative_frame(work, joint);
  const Pose& nearest = joint.nearest;
  return {norm(nearest.p - X.p), norm(log_map(nearest.q * conjugate(X.q)))};
}

SweepResult sweep_step(const SweepMechanism& mechanism, double h, const SweepSettings& settings,
                       SweepWork& work, std::span<SweepImpulse> impulses) {
  SweepResult result;
  if (!(h > 0) || !(h < kInfinity)) return result;
  prepare_sweep(mechanism, work);
  sweep_velocities(work, h, settings.velocity_sweeps, result.counts);
  if (settings.velocities == StepVelocities::kSaved) {
    const Saved saved(work);
    prestabilize(work, h, settings, result.counts);
    integrate(work, h);
    saved.restore(work);
  } else {
    prestabilize(work, h, settings, result.counts);
    integrate(work, h);
  }
  sweep_velocities(work, h, settings.velocity_sweeps, result.counts);
  store_sweep(work, mechanism.states);
  for (size_t i = 0; i < work.joints.size(); ++i) {
    const SweepError error = calc_joint_error(work, i);
    result.gap = std::max(result.gap, error.gap);
    result.angle = std::max(result.angle, error.angle);
    const uint32_t slot = mechanism.joint_slots[i];
    if (slot < mechanism.joint_states.size()) {
      store_coordinates(work, i, mechanism.joint_states[slot]);
      store_reaction(work, i, h, mechanism.joint_states[slot]);
    }
    if (i < impulses.size()) {
      impulses[i] = {work.joints[i].impulse, work.joints[i].angular_impulse};
    }
  }
  for (const SweepBody& b : work.bodies) {
    if (!b.infinite) continue;
    result.outside_impulse -= b.taken_impulse;
    result.outside_angular_impulse -= b.taken_angular_impulse;
    result.outside_work -= b.taken_work;
  }
  result.tension_number = calc_tension_number(work, h);
  return result;
}

}  // namespace tenon
