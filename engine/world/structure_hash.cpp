#include "tenon/engine/base/hash.h"
#include "tenon/engine/world/world_data.h"

namespace tenon {
namespace {

void add(Hasher& h, const Vec3& v) {
  h.add(v.x);
  h.add(v.y);
  h.add(v.z);
}
void add(Hasher& h, const Quat& q) {
  h.add(q.w);
  add(h, q.vec());
}
void add(Hasher& h, const Mat3& m) {
  add(h, m.r0);
  add(h, m.r1);
  add(h, m.r2);
}

struct AddShape {
  Hasher& h;
  void operator()(const Sphere& s) const { h.add(s.radius); }
  void operator()(const Box& s) const { add(h, s.half); }
  void operator()(const Cylinder& s) const {
    h.add(s.radius);
    h.add(s.half_height);
  }
  void operator()(const Capsule& s) const {
    h.add(s.radius);
    h.add(s.half_length);
  }
  void operator()(const Plane&) const {}
  void operator()(const Hull& s) const {
    if (s.geometry == nullptr) return;
    for (const Vec3& v : s.geometry->vertices) add(h, v);
  }
  void operator()(const Mesh& s) const {
    if (s.geometry != nullptr) h.add(s.geometry->content);
  }
};

void add(Hasher& h, const KinematicMotion& m) {
  h.add(static_cast<uint64_t>(m.kind));
  add(h, m.start.p);
  add(h, m.start.q);
  add(h, m.velocity);
  add(h, m.angular_velocity);
  add(h, m.point);
  add(h, m.axis);
  h.add(m.rate);
  h.add(static_cast<uint64_t>(m.interpolation));
  h.add(static_cast<uint64_t>(m.repeat));
  for (const PoseKey& key : m.keys) {
    h.add(key.time);
    add(h, key.X_WB.p);
    add(h, key.X_WB.q);
  }
}

void add_body(Hasher& h, const WorldData& data, uint32_t slot) {
  const BodyInfo& info = data.info[slot];
  // as it was before a release, which is state
  const bool scripted = info.motion == MotionKind::kKinematic || info.release.has_value();
  h.add(static_cast<uint64_t>(scripted ? MotionKind::kKinematic : info.motion));
  h.add(static_cast<uint64_t>(info.gravity) | static_cast<uint64_t>(info.collision) << 1);
  h.add(static_cast<uint64_t>(info.collision_class));
  h.add(info.drag);
  add(h, info.one_way);
  if (scripted) add(h, info.script);
  if (info.release) h.add(*info.release);
  const BodyMass& mass = ever_mass(data, slot);
  h.add(mass.mass);
  add(h, mass.com_B);
  add(h, mass.I_B);
  for (const uint32_t id : info.colliders) {
    const Collider& c = data.colliders[id];
    h.add(static_cast<uint64_t>(id) << 32 | static_cast<uint64_t>(c.material) << 8 |
          c.shape.index());
    std::visit(AddShape{h}, c.shape);
    add(h, c.X_CS.R);
    add(h, c.p_BS - mass.com_B);
    add(h, c.surface_velocity);
    h.add(static_cast<uint64_t>(c.sensor));
  }
}

void add_axis(Hasher& h, const JointAxisDef& axis) {
  for (const double value : {axis.min, axis.max, axis.restitution, axis.friction, axis.stiffness,
                             axis.damping, axis.rest, axis.motor.target, axis.motor.max_force,
                             axis.motor.frequency_hz, axis.motor.damping_ratio}) {
    h.add(value);
  }
  if (axis.min_separation > -kInfinity) h.add(axis.min_separation);
  h.add(static_cast<uint64_t>(axis.motor.kind));
}

void add_joint(Hasher& h, const WorldData& data, uint32_t slot) {
  const JointModel& model = data.joint_models[slot];
  const auto com = [&](uint32_t body) {
    return body == kWorldBody ? Vec3{} : ever_mass(data, body).com_B;
  };
  h.add(static_cast<uint64_t>(model.kind) | static_cast<uint64_t>(model.pair_count) << 8 |
        static_cast<uint64_t>(model.row_count) << 16 |
        static_cast<uint64_t>(model.has_point) << 24);
  for (size_t q = 0; q < model.pair_count; ++q) {
    const JointPair& pair = model.pairs[q];
    const JointDef& own = data.joint_defs[slot];
    const JointDef& def = model.kind != JointKind::kGear
                              ? own
                              : data.joint_defs[(q == 0 ? own.first : own.second).index];
    h.add(static_cast<uint64_t>(pair.parent) << 32 | pair.child);
    add(h, def.X_BP.p - com(pair.parent));
    add(h, def.X_BC.p - com(pair.child));
    add(h, pair.AP_B);
    add(h, pair.AC_B);
  }
  for (size_t k = 0; k < model.row_count; ++k) {
    const RowSpec& row = model.rows[k];
    h.add(static_cast<uint64_t>(row.form) | static_cast<uint64_t>(row.i) << 8 |
          static_cast<uint64_t>(row.j) << 16 | static_cast<uint64_t>(row.axis) << 24 |
          static_cast<uint64_t>(row.second_form) << 32 | static_cast<uint64_t>(row.second_i) << 40);
    h.add(row.scale);
    h.add(model.kind == JointKind::kGear ? 0.0 : row.value);  // a gear's is state
    h.add(row.ratio);
  }
  for (const JointAxisDef& axis : model.axes) add_axis(h, axis);
}

void add_anchors(Hasher& h, const std::vector<RuleAnchor>& anchors) {
  h.add(static_cast<uint64_t>(anchors.size()));
  for (const RuleAnchor& a : anchors) {
    h.add(static_cast<uint64_t>(a.body.index) << 32 | a.body.generation);
    add(h, a.X_BA.p);
    add(h, a.X_BA.q);
  }
}

void add_rule(Hasher& h, const JointRuleDef& rule) {
  const JointDef& joint = rule.joint;
  h.add(static_cast<uint64_t>(joint.kind) | static_cast<uint64_t>(rule.snap) << 8 |
        static_cast<uint64_t>(rule.one_per_parent) << 9 |
        static_cast<uint64_t>(rule.one_per_child) << 10 |
        static_cast<uint64_t>(rule.release_neighbours) << 11 |
        static_cast<uint64_t>(rule.zone.has_value()) << 12 |
        static_cast<uint64_t>(joint.bodies_collide) << 13 |
        static_cast<uint64_t>(rule.at_closest) << 14);
  for (size_t k = 0; k < joint.axes.size(); ++k) {
    h.add(static_cast<uint64_t>(joint.locked[k]));
    add_axis(h, joint.axes[k]);
  }
  for (const double value :
       {joint.swing_max, joint.length, joint.pitch, rule.attach_distance, rule.max_distance,
        rule.max_force, rule.max_torque, rule.load_time, rule.max_time, rule.rest_time}) {
    h.add(value);
  }
  if (rule.zone) {
    h.add(static_cast<uint64_t>(rule.zone->body.index) << 32 | rule.zone->body.generation);
    add(h, rule.zone->point);
    add(h, rule.zone->normal);
  }
  add_anchors(h, rule.parents);
  add_anchors(h, rule.children);
}

void add_force(Hasher& h, const WorldData& data, uint32_t slot) {
  const TimedForceDef& def = data.force_defs[slot];
  const bool to_body = def.frame == ForceFrame::kToward && def.target.valid();
  const TimedForce f = make_timed_force(def, ever_mass(data, def.body.index).com_B,
                                        to_body ? ever_mass(data, def.target.index).com_B : Vec3{});
  h.add(static_cast<uint64_t>(f.body) << 32 | f.target);
  h.add(static_cast<uint64_t>(f.frame));
  for (const Vec3& v : {f.r_B, f.rT_B, f.force, f.torque}) add(h, v);
  for (const double value : {f.magnitude, f.begin, f.end}) h.add(value);
  h.add(static_cast<uint64_t>(f.curve.size()));
  for (const ForceKey& key : f.curve) {
    h.add(key.time);
    h.add(key.scale);
  }
}

void add_faithful(Hasher& h, const faithful::Settings& s) {
  for (const faithful::Rounds& r : {s.collision, s.contact, s.shock_propagation, s.push}) {
    for (const int n : {r.sweeps, r.level, r.pair}) h.add(static_cast<uint64_t>(n));
  }
  uint64_t switches = 0;
  for (const bool on :
       {s.free_rotation, s.collisions, s.energy_guard, s.contacts, s.sums, s.ramp, s.land, s.shock,
        s.push_out, s.push_rotates, s.push_gradually, s.push_freezes}) {
    switches = switches << 1 | static_cast<uint64_t>(on);
  }
  h.add(switches << 24 | static_cast<uint64_t>(s.joint_correction) << 16 |
        static_cast<uint64_t>(s.joints_in_shock) << 8 | static_cast<uint64_t>(s.final_joint_sweep));
  h.add(static_cast<uint64_t>(s.joint_rounds));
  h.add(s.roughness);
}

void add_force_method(Hasher& h, const ForceSettings& s) {
  for (const double value :
       {s.accuracy, s.h_min, s.h_max, s.baumgarte_alpha, s.baumgarte_beta, s.soft_frequency_hz,
        s.soft_damping_ratio, s.dt_col, s.v_normal_max, s.v_tangent_max}) {
    h.add(value);
  }
  h.add(static_cast<uint64_t>(s.joints) << 8 | static_cast<uint64_t>(s.contacts));
}

}  // namespace

uint64_t calc_structure_hash(const WorldData& data) {
  Hasher h;
  add(h, data.settings.gravity);
  if (data.settings.gravity_noise.share > 0) {
    h.add(data.settings.gravity_noise.share);
    h.add(data.settings.gravity_noise.seed);
  }
  if (!(data.settings.wind == Vec3{})) add(h, data.settings.wind);
  h.add(data.settings.tolerance);
  data.materials.add_to(h);
  for (size_t a = 0; a < data.classes.size(); ++a) {
    for (size_t b = 0; b <= a; ++b) {
      h.add(static_cast<uint64_t>(
          data.classes.may_touch(static_cast<CollisionClass>(a), static_cast<CollisionClass>(b))));
    }
  }
  for (uint32_t slot = 0; slot < data.body_slots.capacity(); ++slot) {
    h.add(static_cast<uint64_t>(data.body_slots.at(slot).generation) << 1 |
          static_cast<uint64_t>(data.body_slots.live(slot)));
    if (data.body_slots.live(slot)) add_body(h, data, slot);
  }
  h.add(static_cast<uint64_t>(data.separated.size()));
  for (const uint64_t pair : data.separated) h.add(pair);
  h.add(static_cast<uint64_t>(data.settings.joint_solver) |
        static_cast<uint64_t>(data.settings.integration) << 8 |
        static_cast<uint64_t>(data.settings.sweeps) << 16);
  if (data.settings.method == Method::kForce) add_force_method(h, data.settings.force);
  if (data.settings.method == Method::kDisplacement) {
    const displacement::Settings& s = data.settings.displacement;
    h.add(0xd15fu +
          (static_cast<uint64_t>(s.projection) << 16 | static_cast<uint64_t>(s.solver) << 24));
    h.add(static_cast<uint64_t>(s.geometric) << 32 | static_cast<uint64_t>(s.inner));
  }
  if (data.settings.joint_solver == JointSolver::kSweep) add_faithful(h, data.settings.faithful);
  // joints of rules, and the slots they leave, are state
  for (uint32_t slot = 0; slot < data.joint_slots.capacity(); ++slot) {
    if (!data.joint_slots.live(slot) || data.joint_rules[slot].rule != kNoRule) continue;
    h.add(static_cast<uint64_t>(slot) << 32 | data.joint_slots.at(slot).generation);
    add_joint(h, data, slot);
    const JointDef& def = data.joint_defs[slot];
    for (const double value : {def.break_force, def.break_torque, def.break_time}) h.add(value);
  }
  for (const JointRuleDef& rule : data.rules) add_rule(h, rule);
  for (uint32_t slot = 0; slot < data.force_slots.capacity(); ++slot) {
    if (!data.force_slots.live(slot)) continue;
    h.add(static_cast<uint64_t>(slot) << 32 | data.force_slots.at(slot).generation);
    add_force(h, data, slot);
  }
  return h.value();
}

}  // namespace tenon
