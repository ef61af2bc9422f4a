#include "tenon/engine/world/force_model.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/forces/air_drag.h"
#include "tenon/engine/forces/gravity.h"
#include "tenon/engine/joints/black_box.h"
#include "tenon/engine/world/applied_forces.h"
#include "tenon/engine/world/force_contacts.h"
#include "tenon/engine/world/joints.h"

namespace tenon {
namespace {

constexpr size_t kX = 0, kQ = 3, kV = 7, kL = 10;  // places in a body's thirteen numbers

void put_vec(const Vec3& v, double* to) {
  to[0] = v.x;
  to[1] = v.y;
  to[2] = v.z;
}
Vec3 read_vec(const double* from) { return {from[0], from[1], from[2]}; }
Quat read_quat(const double* from) { return {from[0], from[1], from[2], from[3]}; }

bool is_keyed(const KinematicMotion& script) {
  return script.kind == KinematicMotion::Kind::kKeyframes && script.keys.size() > 1;
}

// Acceleration of a script: exact but for smooth key frames, where the parabola through three
// velocities in the smooth piece gives it (translations are cubic: exact; rotations to about 1e-8).
Acceleration script_acceleration(const KinematicMotion& script, double t, double begin,
                                 double end) {
  if (script.kind == KinematicMotion::Kind::kTurn) {
    const ScriptVelocity v = velocity_at(script, t);
    return {cross(v.w_WB, v.v_WB), {}};
  }
  if (!is_keyed(script) || script.interpolation == KinematicMotion::Interpolation::kLinear) {
    return {};
  }
  const double reach = std::min(1e-4, 0.5 * (end - begin));
  if (!(reach > 0)) return {};
  const double middle = std::clamp(t, begin + reach, end - reach);
  const ScriptVelocity a = velocity_at(script, middle - reach), b = velocity_at(script, middle),
                       c = velocity_at(script, middle + reach);
  const double one = 1 / (2 * reach), two = (t - middle) / (reach * reach);
  return {one * (c.v_WB - a.v_WB) + two * (c.v_WB - 2 * b.v_WB + a.v_WB),
          one * (c.w_WB - a.w_WB) + two * (c.w_WB - 2 * b.w_WB + a.w_WB)};
}

// Key times after t, by the repeat rule.
double next_key(const KinematicMotion& script, double t) {
  if (!is_keyed(script)) return kInfinity;
  const double first = script.keys.front().time, last = script.keys.back().time;
  const double span = last - first, after = t + 1e-9 * (1 + std::fabs(t));
  double next = kInfinity;
  const auto offer = [&](double time) {
    if (time > after) next = std::min(next, time);
  };
  if (script.repeat == KinematicMotion::Repeat::kHold) {
    for (const PoseKey& key : script.keys) offer(key.time);
    return next;
  }
  const bool mirror = script.repeat == KinematicMotion::Repeat::kMirror;
  const double period = mirror ? 2 * span : span;
  const double start = period * std::floor((t - first) / period);
  for (const double shift : {start, start + period}) {
    for (const PoseKey& key : script.keys) {
      offer(key.time + shift);
      if (mirror) offer(2 * last - key.time + shift);
    }
  }
  return next;
}

void place_script(const KinematicMotion& script, double t, const ForceModel& model, BodyState& s,
                  Acceleration& known) {
  const Pose X_WB = pose_at(script, t);
  // at the end of a smooth piece, the velocity with which it ends
  const double before = model.smooth_end - 1e-8 * (1 + std::fabs(model.smooth_end));
  const double t_v = is_keyed(script) && before > model.smooth_begin ? std::min(t, before) : t;
  const ScriptVelocity v = velocity_at(script, t_v);
  s.x_WC = X_WB.p;
  s.q_WB = X_WB.q;
  s.v_WC = v.v_WB;
  s.w_WB = v.w_WB;
  known = script_acceleration(script, t, model.smooth_begin, model.smooth_end);
}

// What users apply for the frame, and the air.
Wrench outer_wrench(const WorldData& data, uint32_t slot, const BodyState& s) {
  Wrench w = data.applied[slot];
  if (data.mass[slot].moments == Vec3{}) w.torque = {};  // a point mass has nothing to turn
  w.force += drag_force(data.info[slot].drag, s.v_WC, data.settings.wind);
  return w;
}

}  // namespace

void reset_force_model(const WorldData& data, std::span<const Mechanism> list, ForceModel& model) {
  model.moving.clear();
  for (uint32_t slot = 0; slot < data.info.size(); ++slot) {
    if (!data.body_slots.live(slot) || data.frozen[slot] != 0) continue;
    if (data.info[slot].motion == MotionKind::kDynamic) model.moving.push_back(slot);
  }
  model.sizes.assign(data.joint_models.size(), 1);
  for (uint32_t slot = 0; slot < data.joint_models.size(); ++slot) {
    if (data.joint_slots.live(slot)) {
      model.sizes[slot] = joint_size(data, data.joint_models[slot]);
    }
  }
  model.state = data.state;
  model.touch = {};
  model.load.assign(data.state.size(), {});
  model.known.assign(data.state.size(), {});
  model.mechanisms = std::vector<MechanismForces>(list.size());
  for (size_t i = 0; i < list.size(); ++i) {
    model.mechanisms[i].reset(list[i], {data.joint_models, data.mass, model.sizes},
                              data.settings.force);
  }
  model.valid = true;
}

void pack_bodies(const ForceModel& model, std::span<double> y) {
  double* to = y.data();
  for (const uint32_t slot : model.moving) {
    const BodyState& s = model.state[slot];
    put_vec(s.x_WC, to + kX);
    to[kQ] = s.q_WB.w;
    put_vec(s.q_WB.vec(), to + kQ + 1);
    put_vec(s.v_WC, to + kV);
    put_vec(s.L_W, to + kL);
    to += kForceBodySize;
  }
}

void place_all(const WorldData& data, double t, std::span<const double> y, ForceModel& model) {
  const double* from = y.data();
  for (const uint32_t slot : model.moving) {
    BodyState& s = model.state[slot];
    s.x_WC = read_vec(from + kX);
    s.q_WB = normalized(read_quat(from + kQ));
    s.v_WC = read_vec(from + kV);
    s.L_W = read_vec(from + kL);
    s.w_WB = angular_velocity(s.q_WB, data.mass[slot].inv_I_B, s.L_W);
    from += kForceBodySize;
  }
  for (uint32_t slot = 0; slot < data.info.size(); ++slot) {
    if (!data.body_slots.live(slot) || data.info[slot].motion != MotionKind::kKinematic) continue;
    if (data.frozen[slot] != 0) continue;
    place_script(data.info[slot].script, t, model, model.state[slot], model.known[slot]);
  }
}

double add_outer_loads(const WorldData& data, double t, ForceModel& model) {
  for (const uint32_t slot : model.moving) {
    model.load[slot] = outer_wrench(data, slot, model.state[slot]);
  }
  const double ahead = std::min(1.0, 0.5 * (model.smooth_end - model.smooth_begin));
  add_forces_at(data, model.smooth_begin + ahead, t, model.state, model.load);
  double power = 0;
  for (const uint32_t slot : model.moving) {
    const BodyState& s = model.state[slot];
    Wrench& w = model.load[slot];
    power += dot(w.force, s.v_WC) + dot(w.torque, s.w_WB);
    if (data.info[slot].gravity) add_gravity(w, data.mass[slot], data.settings.gravity);
  }
  return power;
}

void derive(const WorldData& data, std::span<const JointState> joints, double since, double t,
            std::span<const double> y, ThreadPool* pool, ForceModel& model, std::span<double> dy) {
  place_all(data, t, y, model);
  double power = add_outer_loads(data, t, model);
  parallel_for(pool, model.mechanisms.size(), 1, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) model.mechanisms[i].place(model.state, joints, since);
  });
  power += add_contact_loads(data, t, ForPurpose::kStage, model);
  parallel_for(pool, model.mechanisms.size(), 1, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      model.mechanisms[i].add_joint_forces(model.known, model.load);
    }
  });
  for (const MechanismForces& m : model.mechanisms) power += m.power();
  double* to = dy.data();
  const double* from = y.data();
  Vec3 impulse, angular;
  for (const uint32_t slot : model.moving) {
    const BodyState& s = model.state[slot];
    const Wrench& w = model.load[slot];
    put_vec(s.v_WC, to + kX);
    // q' = w q / 2, with q as long as it is
    const Quat turn =
        Quat{0, 0.5 * s.w_WB.x, 0.5 * s.w_WB.y, 0.5 * s.w_WB.z} * read_quat(from + kQ);
    to[kQ] = turn.w;
    put_vec(turn.vec(), to + kQ + 1);
    put_vec(data.mass[slot].inv_mass * w.force, to + kV);
    put_vec(w.torque, to + kL);
    impulse += w.force;
    angular += cross(s.x_WC, w.force) + w.torque;
    to += kForceBodySize;
    from += kForceBodySize;
  }
  to[kWorkSum] = power;
  put_vec(impulse, to + kImpulseSum);
  put_vec(angular, to + kAngularSum);
}

// Errors of positions in m, of orientations in rad, of velocities in m/s and rad/s; relative where
// a number is larger than one. The sums do not count: nothing depends on them.
double measure_force_error(const WorldData& data, const ForceModel& model,
                           std::span<const double> y, std::span<const double> e) {
  double worst = 0;
  const double *at = y.data(), *error = e.data();
  for (const uint32_t slot : model.moving) {
    const auto relative = [&](const Vec3& value, const Vec3& wrong) {
      return norm(wrong) / std::max(1.0, norm(value));
    };
    worst = std::max(worst, relative(read_vec(at + kX), read_vec(error + kX)));
    worst = std::max(worst, relative(read_vec(at + kV), read_vec(error + kV)));
    const Mat3& inv_I = data.mass[slot].inv_I_B;
    if (!(inv_I == Mat3{})) {
      const Quat q = normalized(read_quat(at + kQ));
      worst = std::max(worst, 2 * norm(read_quat(error + kQ)));
      worst = std::max(worst, relative(angular_velocity(q, inv_I, read_vec(at + kL)),
                                       angular_velocity(q, inv_I, read_vec(error + kL))));
    }
    at += kForceBodySize;
    error += kForceBodySize;
  }
  return worst;
}

double find_next_break(const WorldData& data, double t) {
  double next = next_force_break(data, t, 1e-9 * (1 + std::fabs(t)));
  for (uint32_t slot = 0; slot < data.info.size(); ++slot) {
    if (!data.body_slots.live(slot) || data.info[slot].motion != MotionKind::kKinematic) continue;
    next = std::min(next, next_key(data.info[slot].script, t));
  }
  return next;
}

Status check_force_joint(const JointDef& def) {
  if (def.kind == JointKind::kBlackBox && def.black_box && def.black_box->held() == 0) {
    return Error{.message =
                     "the method 'force' cannot hold a black box that does not say how many "
                     "freedoms it takes away: it may have edges, which it would have to foresee",
                 .accepted = "a black box with a number, or the method 'impulse'"};
  }
  for (const JointAxisDef& axis : def.axes) {
    if (Status s = check_force_law(axis); !s) return s;
  }
  return Ok{};
}

}  // namespace tenon
