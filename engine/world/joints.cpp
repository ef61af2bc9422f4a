#include "tenon/engine/world/joints.h"

#include <algorithm>
#include <string>

#include "tenon/engine/joints/black_box.h"
#include "tenon/engine/joints/coordinates.h"
#include "tenon/engine/world/force_model.h"
#include "tenon/engine/world/phases.h"

namespace tenon {
namespace {

JointBody describe_body(const WorldData& data, BodyHandle body) {
  JointBody b;
  b.found = data.body_slots.contains(body);
  if (!b.found) return b;
  b.slot = body.index;
  b.dynamic = is_ever_dynamic(data, b.slot);
  b.is_static = data.info[b.slot].motion == MotionKind::kStatic;
  b.point_mass = b.dynamic && ever_mass(data, b.slot).inv_I_B == Mat3{};
  b.com_B = data.mass[b.slot].com_B;
  b.X_WB = body_pose(data.state[b.slot], b.com_B);
  return b;
}

CoupledJoint describe_joint(const WorldData& data, JointHandle joint) {
  CoupledJoint c;
  if (!data.joint_slots.contains(joint)) return c;
  c.model = &data.joint_models[joint.index];
  c.frames = current_frames(data, c.model->pairs[0]);
  for (const uint32_t slot : {c.model->pairs[0].parent, c.model->pairs[0].child}) {
    c.dynamic = c.dynamic || (slot != kWorldBody && is_ever_dynamic(data, slot));
  }
  return c;
}

// A user's derivative is compared with the function where the joint is going to be.
Status check_black_box(const WorldData& data, const JointModel& model) {
  if (!model.black_box || !model.black_box->has_derivative()) return Ok{};
  const Pose X_PC = calc_relative_pose(current_frames(data, model.pairs[0]));
  return check_derivative(*model.black_box, model.black_box->project(X_PC),
                          joint_size(data, model));
}

bool uses_body(const JointModel& model, uint32_t slot) {
  for (size_t q = 0; q < model.pair_count; ++q) {
    if (model.pairs[q].parent == slot || model.pairs[q].child == slot) return true;
  }
  return false;
}

}  // namespace

Result<JointModel> compile_in(const WorldData& data, const JointDef& def) {
  CompileContext context;
  context.parent = describe_body(data, def.parent);
  context.child = describe_body(data, def.child);
  if (def.kind == JointKind::kGear) {
    context.first = describe_joint(data, def.first);
    context.second = describe_joint(data, def.second);
  }
  return compile_joint(def, context);
}

PairFrames current_frames(const WorldData& data, const JointPair& pair) {
  Vec3 xP, xC;
  Mat3 RP = Mat3::identity(), RC = Mat3::identity();
  if (pair.parent != kWorldBody) {
    xP = data.state[pair.parent].x_WC;
    RP = to_matrix(data.state[pair.parent].q_WB);
  }
  if (pair.child != kWorldBody) {
    xC = data.state[pair.child].x_WC;
    RC = to_matrix(data.state[pair.child].q_WB);
  }
  return make_frames(pair, xP, RP, xC, RC);
}

Status check_joint_for(const JointDef& def, const WorldSettings& settings) {
  if (settings.method == Method::kForce) return check_force_joint(def);
  if (settings.method == Method::kDisplacement && def.kind == JointKind::kBlackBox) {
    return Error{.message = "the method 'displacement' cannot step black boxes",
                 .accepted = "joints of other kinds, or the method 'impulse'"};
  }
  return settings.joint_solver == JointSolver::kSweep ? check_sweep_joint(def) : Status(Ok{});
}

Status check_joints_for(const WorldData& data, const WorldSettings& settings) {
  for (uint32_t slot = 0; slot < data.joint_defs.size(); ++slot) {
    if (!data.joint_slots.live(slot)) continue;
    if (Status s = check_joint_for(data.joint_defs[slot], settings); !s) return s;
  }
  for (const JointRuleDef& rule : data.rules) {
    if (Status s = check_joint_for(rule.joint, settings); !s) return s;
  }
  return Ok{};
}

Result<JointHandle> create_joint(WorldData& data, const JointDef& def) {
  if (def.kind == JointKind::kGear) {
    for (const JointHandle joint : {def.first, def.second}) {
      if (!data.joint_slots.contains(joint) || data.joint_rules[joint.index].rule == kNoRule)
        continue;
      return Error{.message = "a gear cannot hold a joint that a rule made and may release",
                   .accepted = "joints made by create_joint"};
    }
  }
  Result<JointModel> model = compile_in(data, def);
  if (!model) return model.error();
  if (Status s = check_joint_for(def, data.settings); !s) return s.error();
  if (Status s = check_black_box(data, *model); !s) return s.error();
  const JointHandle handle = data.joint_slots.create();
  if (handle.index >= data.joint_defs.size()) {
    data.joint_defs.emplace_back();
    data.joint_models.emplace_back();
    data.joint_states.emplace_back();
    data.joint_rules.emplace_back();
  }
  data.joint_defs[handle.index] = def;
  data.joint_models[handle.index] = *model;
  data.joint_rules[handle.index] = {};
  const PairFrames x = current_frames(data, model->pairs[0]);
  const PairFrames x2 = model->pair_count == 2 ? current_frames(data, model->pairs[1]) : x;
  data.joint_states[handle.index] = make_joint_state(*model, x, x2);
  data.joint_states[handle.index].enabled = def.enabled;
  ++data.topology;
  wake_all(data);
  return handle;
}

void remove_joint(WorldData& data, JointHandle joint) {
  // gears that couple it go with it
  for (uint32_t slot = 0; slot < data.joint_defs.size(); ++slot) {
    if (!data.joint_slots.live(slot) || data.joint_defs[slot].kind != JointKind::kGear) continue;
    const JointDef& gear = data.joint_defs[slot];
    if (gear.first == joint || gear.second == joint)
      data.joint_slots.remove(data.joint_slots.at(slot));
  }
  data.joint_slots.remove(joint);
  data.joint_rules[joint.index] = {};
  data.joint_states[joint.index] = {};
  ++data.topology;
  wake_all(data);
}

void remove_joints_of(WorldData& data, uint32_t body_slot) {
  for (uint32_t slot = 0; slot < data.joint_models.size(); ++slot) {
    if (!data.joint_slots.live(slot) || !uses_body(data.joint_models[slot], body_slot)) continue;
    remove_joint(data, data.joint_slots.at(slot));
  }
}

Status set_motor(WorldData& data, JointHandle joint, JointAxis axis, const Motor& motor) {
  JointDef def = data.joint_defs[joint.index];
  def.axes[static_cast<size_t>(axis)].motor = motor;
  Result<JointModel> model = compile_in(data, def);
  if (!model) return model.error();
  if (Status s = check_joint_for(def, data.settings); !s) return s;
  const JointModel& old = data.joint_models[joint.index];
  const bool same_rows = model->row_count == old.row_count;
  if (!same_rows) {
    // other rows: forces start afresh, turns go on
    const PairFrames x = current_frames(data, model->pairs[0]);
    const JointState before = data.joint_states[joint.index];
    JointState& state = data.joint_states[joint.index] = make_joint_state(*model, x, x);
    state.enabled = before.enabled;
    state.broken = before.broken;
    set_turns(*model, before.angle, state);
    ++data.topology;
    wake_all(data);
  }
  data.joint_defs[joint.index] = def;
  data.joint_models[joint.index].axes = model->axes;
  if (!same_rows) data.joint_models[joint.index] = *model;
  return Ok{};
}

bool holds(const WorldData& data, uint32_t slot) {
  const auto works = [&](uint32_t s) {
    return data.joint_slots.live(s) && data.joint_states[s].enabled && !data.joint_states[s].broken;
  };
  if (!works(slot)) return false;
  const JointDef& def = data.joint_defs[slot];
  return def.kind != JointKind::kGear || (works(def.first.index) && works(def.second.index));
}

bool rests(const WorldData& data, const JointModel& model) {
  for (size_t q = 0; q < model.pair_count; ++q) {
    for (const uint32_t slot : {model.pairs[q].parent, model.pairs[q].child}) {
      if (slot != kWorldBody && data.info[slot].motion == MotionKind::kDynamic) return false;
    }
  }
  return true;
}

bool acts(const WorldData& data, uint32_t slot) {
  return holds(data, slot) && !rests(data, data.joint_models[slot]);
}

void attach_joints(WorldData& data, uint32_t body_slot) {
  const auto com = [&](uint32_t slot) {
    return slot == kWorldBody ? Vec3{} : data.mass[slot].com_B;
  };
  for (uint32_t slot = 0; slot < data.joint_models.size(); ++slot) {
    if (!data.joint_slots.live(slot) || data.joint_models[slot].kind == JointKind::kGear) continue;
    if (!uses_body(data.joint_models[slot], body_slot)) continue;
    JointPair& pair = data.joint_models[slot].pairs[0];
    pair.rP_B = data.joint_defs[slot].X_BP.p - com(pair.parent);
    pair.rC_B = data.joint_defs[slot].X_BC.p - com(pair.child);
  }
  for (uint32_t slot = 0; slot < data.joint_models.size(); ++slot) {
    JointModel& model = data.joint_models[slot];
    if (!data.joint_slots.live(slot) || model.kind != JointKind::kGear) continue;
    const JointDef& gear = data.joint_defs[slot];
    model.pairs = {data.joint_models[gear.first.index].pairs[0],
                   data.joint_models[gear.second.index].pairs[0]};
  }
}

void set_joint_enabled(WorldData& data, JointHandle joint, bool enabled) {
  JointState& state = data.joint_states[joint.index];
  const bool held = state.enabled && !state.broken;
  state.lambda = state.force = {};
  state.load_force = state.load_torque = 0;
  state.broken = false;
  state.enabled = enabled;
  // where it is now, with the turns it has made meanwhile
  if (enabled && !held) set_turns(data.joint_models[joint.index], state.angle, state);
  ++data.topology;
  wake_all(data);
}

double joint_size(const WorldData& data, const JointModel& model) {
  double size = kInfinity;
  for (size_t q = 0; q < model.pair_count; ++q) {
    for (const uint32_t slot : {model.pairs[q].parent, model.pairs[q].child}) {
      if (slot == kWorldBody) continue;
      const double body = ever_mass(data, slot).size;
      if (body > 0) size = std::min(size, body);
    }
  }
  if (size < kInfinity) return size;
  // point masses only: the levers, or the length of the rod. The same wherever the bodies are: a
  // run that is resumed must not go another way
  const double rod = model.kind == JointKind::kDistance ? std::fabs(model.rows[0].value) : 0;
  size = std::max({rod, norm(model.pairs[0].rP_B), norm(model.pairs[0].rC_B)});
  return size > 1e-6 ? size : 1.0;
}

JointError measure_joint(const JointModel& model, const PairFrames& x, const PairFrames& x2,
                         const JointState& state) {
  if (model.has_point && model.row_count == 3) return {norm(x.d), 0};
  const JointDeviation d = calc_deviation(model, state, x, x2);
  return {std::max(d.gap_m, d.limit_m), std::max(d.angle_rad, d.limit_rad)};
}

void count_turns(const PairFrames& x, const WorldData& data, const JointModel& model, double h,
                 JointState& state) {
  const bool held = state.enabled && !state.broken && !rests(data, model);
  const auto spin = [&](uint32_t b) { return b == kWorldBody ? Vec3{} : data.state[b].w_WB; };
  for (size_t i = 0; i < state.angle.size(); ++i) {
    const auto axis = static_cast<JointAxis>(i + 3);
    if (!counts_turns(model, axis)) continue;
    if (held && model.axes[i + 3].has_law()) {
      // the solvers have counted
      for (size_t k = 0; k < model.row_count; ++k) {
        if (model.rows[k].axis == i + 3) state.angle[i] = state.coordinate[k];
      }
      continue;
    }
    const RowSpec form = coordinate_form(model, axis);
    RowWrench w;
    const double c = eval_form(form.form, form.i, form.j, x, w);
    // the rate tells turns of more than half a round; near its poles an angle has no true rate
    const Vec3 relative = spin(model.pairs[0].child) - spin(model.pairs[0].parent);
    const double fastest = norm(relative);
    const double rate = std::clamp(dot(w.t, relative), -fastest, fastest);
    state.angle[i] = unwrap(c, state.angle[i] + h * rate);
  }
}

double calc_elastic_energy(const WorldData& data, uint32_t slot) {
  const JointModel& model = data.joint_models[slot];
  const JointState& state = data.joint_states[slot];
  double sum = 0;
  if (!acts(data, slot)) return sum;
  for (size_t k = 0; k < model.row_count; ++k) {
    const RowSpec& row = model.rows[k];
    if (row.axis >= kJointAxisCount || !(model.axes[row.axis].stiffness > 0)) continue;
    const JointAxisDef& axis = model.axes[row.axis];
    const PairFrames x = current_frames(data, model.pairs[0]);
    RowWrench w;
    double c = row.scale * eval_form(row.form, row.i, row.j, x, w) - row.value;
    if (row.axis >= 3 && counts_turns(model, static_cast<JointAxis>(row.axis))) {
      c = unwrap(c, state.coordinate[k]);
    }
    if (c < axis.min_separation) continue;
    const double stretch = c - axis.rest;
    sum += 0.5 * axis.stiffness * stretch * stretch;
    if (axis.min_separation > -kInfinity) {
      const double least = axis.min_separation - axis.rest;
      sum -= 0.5 * axis.stiffness * least * least;
    }
  }
  return sum;
}

JointReading read_joint(const WorldData& data, uint32_t slot) {
  const JointModel& model = data.joint_models[slot];
  const JointState& state = data.joint_states[slot];
  const PairFrames x = current_frames(data, model.pairs[0]);
  const PairFrames x2 = model.pair_count == 2 ? current_frames(data, model.pairs[1]) : x;
  JointReading r;
  r.enabled = state.enabled;
  r.broken = state.broken;
  r.free_axes = model.free_axes;
  const JointError error = measure_joint(model, x, x2, state);
  r.gap_m = error.gap_m;
  r.angle_rad = error.angle_rad;

  // coordinates and rates, all six
  const auto body = [&](uint32_t b) { return b == kWorldBody ? BodyState{} : data.state[b]; };
  const BodyState P = body(model.pairs[0].parent), C = body(model.pairs[0].child);
  for (size_t axis = 0; axis < kJointAxisCount; ++axis) {
    const auto a = static_cast<JointAxis>(axis);
    RowSpec spec;
    if (model.is_free(a)) {
      spec = coordinate_form(model, a);
    } else if (axis < 3) {
      spec = {.form = RowForm::kSlide, .i = static_cast<uint8_t>(axis)};
    } else {
      spec = {.form = axis == 3 ? RowForm::kTwist : RowForm::kTilt,
              .i = static_cast<uint8_t>(axis - 3)};
    }
    RowWrench w;
    r.coordinate[axis] = spec.scale * eval_form(spec.form, spec.i, spec.j, x, w) - spec.value;
    if (axis >= 3 && counts_turns(model, a)) {
      r.coordinate[axis] = unwrap(r.coordinate[axis], state.angle[axis - 3]);
    }
    r.rate[axis] =
        spec.scale * (dot(w.f, C.v_WC + cross(C.w_WB, x.rC) - P.v_WC - cross(P.w_WB, x.rP + x.d)) +
                      dot(w.t, C.w_WB - P.w_WB));
  }
  // forces of the rows
  if (model.kind == JointKind::kBlackBox) {
    for (int i = 0; i < 3; ++i) {
      r.force += state.force[static_cast<size_t>(i)] * x.P[static_cast<size_t>(i)];
      r.torque += state.force[static_cast<size_t>(i + 3)] * x.P[static_cast<size_t>(i)];
    }
    return r;
  }
  for (size_t k = 0; k < model.row_count; ++k) {
    if (!model.scalar_row(static_cast<int>(k))) {
      r.force[static_cast<int>(k)] += state.force[k];
      continue;
    }
    const RowSpec& spec = model.rows[k];
    RowWrench w, w2;
    eval_row(spec, x, x2, w, w2);
    r.force += state.force[k] * w.f;
    r.torque += state.force[k] * w.t;
    if (model.pair_count == 1) {  // a screw's second term acts on the same pair
      r.force += state.force[k] * w2.f;
      r.torque += state.force[k] * w2.t;
    }
    if (spec.axis < kJointAxisCount) {
      r.axis_force[spec.axis] = state.force[k];
      // where it is now, overlaps and edits since the solver counted included
      double& c = r.coordinate[spec.axis];
      if (is_unwrapped(spec.form) && spec.ratio == 0) c = unwrap(c, state.coordinate[k]);
    }
  }
  return r;
}

}  // namespace tenon
