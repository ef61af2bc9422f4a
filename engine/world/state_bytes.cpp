#include "tenon/engine/world/state_bytes.h"

#include <algorithm>

#include "tenon/engine/base/encoding.h"
#include "tenon/engine/math/encode.h"
#include "tenon/engine/world/contact_bytes.h"
#include "tenon/engine/world/create_body.h"
#include "tenon/engine/world/force_bytes.h"
#include "tenon/engine/world/joints.h"
#include "tenon/engine/world/release.h"

namespace tenon {
namespace {

constexpr uint32_t kStateVersion = 11;

// The members of each record in one order, for writing and for reading.
void put(Encoder& w, const BodyState& s) {
  put(w, s.x_WC);
  put(w, s.q_WB);
  put(w, s.v_WC);
  put(w, s.w_WB);
  put(w, s.L_W);
}
BodyState get_state(Decoder& r) {
  BodyState s;
  s.x_WC = get_vec(r);
  s.q_WB = get_quat(r);
  s.v_WC = get_vec(r);
  s.w_WB = get_vec(r);
  s.L_W = get_vec(r);
  return s;
}

void put(Encoder& w, const StepDiagnostics& d) {
  w.f64(d.work_J);
  w.f64(d.contact_work_J);
  put(w, d.linear_impulse);
  put(w, d.angular_impulse);
  w.u32(d.frozen_bodies);
}
void get_sums(Decoder& r, StepDiagnostics& d) {
  d.work_J = r.f64();
  d.contact_work_J = r.f64();
  d.linear_impulse = get_vec(r);
  d.angular_impulse = get_vec(r);
  d.frozen_bodies = r.u32();
}

}  // namespace

void put(Encoder& w, const JointState& s) {
  for (size_t k = 0; k < kMaxRows; ++k) {
    w.f64(s.force[k]);
    w.f64(s.lambda[k]);
    w.f64(s.coordinate[k]);
    w.u8(s.segment[k]);
  }
  for (const double angle : s.angle) w.f64(angle);
  w.f64(s.load_force);
  w.f64(s.load_torque);
  w.u8(s.enabled ? 1 : 0);
  w.u8(s.broken ? 1 : 0);
  w.u8(s.apart ? 1 : 0);
}
JointState get_joint(Decoder& r) {
  JointState s;
  for (size_t k = 0; k < kMaxRows; ++k) {
    s.force[k] = r.f64();
    s.lambda[k] = r.f64();
    s.coordinate[k] = r.f64();
    s.segment[k] = r.u8();
  }
  for (double& angle : s.angle) angle = r.f64();
  s.load_force = r.f64();
  s.load_torque = r.f64();
  s.enabled = r.u8() != 0;
  s.broken = r.u8() != 0;
  s.apart = r.u8() != 0;
  return s;
}
bool is_finite(const JointState& s) {
  bool finite = std::isfinite(s.load_force) && std::isfinite(s.load_torque);
  for (size_t k = 0; k < kMaxRows; ++k) {
    finite = finite && std::isfinite(s.force[k]) && std::isfinite(s.lambda[k]) &&
             std::isfinite(s.coordinate[k]);
  }
  for (const double angle : s.angle) finite = finite && std::isfinite(angle);
  return finite;
}

namespace {

// A slot for a joint: who has it, and the whole joint where a rule made it.
void put_slot(Encoder& w, const WorldData& data, uint32_t slot) {
  const RuleJoint& made = data.joint_rules[slot];
  w.u32(data.joint_slots.at(slot).generation);
  w.u8(data.joint_slots.live(slot) ? 1 : 0);
  w.u32(made.rule);
  put(w, data.joint_states[slot]);
  if (made.rule == kNoRule) return;
  const JointDef& def = data.joint_defs[slot];
  w.u32(made.parent);
  w.u32(made.child);
  w.f64(made.made);
  for (const Pose& X : {def.X_BP, def.X_BC}) {
    put(w, X.p);
    put(w, X.q);
  }
  w.f64(def.length);
}
constexpr size_t kLeastSlotBytes = 4 + 1 + 4 + kMaxRows * 25 + 3 * 8 + 19;

void put(Encoder& w, const HealthData& h) {
  w.u8(h.begun ? 1 : 0);
  w.f64(h.balance_J);
  w.f64(h.scale_J);
  w.u32(h.impact_steps);
  w.u32(static_cast<uint32_t>(h.marks.size()));
  for (const HealthMark& m : h.marks) {
    w.u8(static_cast<uint8_t>(m.kind));
    w.u32(m.a);
    w.u32(m.b);
    w.f64(m.last);
  }
}
bool get_health(Decoder& r, HealthData& out) {
  out.begun = r.u8() != 0;
  out.balance_J = r.f64();
  out.scale_J = r.f64();
  out.impact_steps = r.u32();
  const uint32_t count = r.u32();
  if (!r.ok() || count > r.left() / 17) return false;
  for (uint32_t i = 0; i < count; ++i) {
    HealthMark m;
    m.kind = static_cast<EventKind>(r.u8());
    m.a = r.u32();
    m.b = r.u32();
    m.last = r.f64();
    if (m.kind > EventKind::kHealthEnergy || !std::isfinite(m.last)) return false;
    out.marks.push_back(m);
  }
  return r.ok() && std::isfinite(out.balance_J) && std::isfinite(out.scale_J) &&
         std::is_sorted(out.marks.begin(), out.marks.end());
}

struct JointSlot {
  HandleTable<JointTag>::Slot slot;
  JointState state;
  RuleJoint made;
  Pose X_BP, X_BC;
  double length = 0;
};
JointSlot get_slot(Decoder& r) {
  JointSlot s;
  s.slot.generation = r.u32();
  s.slot.live = r.u8() != 0;
  s.made.rule = r.u32();
  s.state = get_joint(r);
  if (s.made.rule == kNoRule) return s;
  s.made.parent = r.u32();
  s.made.child = r.u32();
  s.made.made = r.f64();
  for (Pose* X : {&s.X_BP, &s.X_BC}) {
    X->p = get_vec(r);
    X->q = get_quat(r);
  }
  s.length = r.f64();
  return s;
}

// What a decoded state holds before it is accepted.
struct Decoded {
  double step = 0, time_base = 0;
  uint64_t steps_since_base = 0, step_count = 0;
  StepDiagnostics sums;
  std::vector<BodyState> state;
  std::vector<uint8_t> frozen;
  std::vector<uint16_t> still;
  std::vector<Wrench> applied;
  std::vector<Acceleration> acceleration;
  // joints, by slot
  std::vector<HandleTable<JointTag>::Slot> joint_slots;
  std::vector<JointState> joints;
  std::vector<RuleJoint> joint_rules;
  std::vector<JointDef> joint_defs;
  std::vector<JointModel> joint_models;
  std::vector<RestingPair> resting;
  SavedContacts contacts;
  HealthData health;
  ForceRun force;
};

bool get_bodies(Decoder& r, size_t slots, Decoded& out) {
  for (size_t i = 0; i < slots; ++i) {
    out.state.push_back(get_state(r));
    out.frozen.push_back(r.u8());
    out.still.push_back(static_cast<uint16_t>(std::min(r.u32(), uint32_t{0xffff})));
    const Vec3 force = get_vec(r), torque = get_vec(r);
    out.applied.push_back({force, torque});
    const Vec3 linear = get_vec(r), angular = get_vec(r);
    out.acceleration.push_back({linear, angular});
    if (!r.ok()) return false;
    const BodyState& s = out.state.back();
    const bool unit = std::fabs(norm(s.q_WB) - 1) < 1e-6;
    if (!within_limits(s) || !unit) return false;
    for (const Vec3& v : {force, torque, linear, angular}) {
      if (!is_finite(v)) return false;
    }
  }
  return true;
}

bool is_pair_of(const WorldData& data, uint32_t rule, uint32_t parent, uint32_t child) {
  return rule < data.rules.size() && parent < data.rules[rule].parents.size() &&
         child < data.rules[rule].children.size();
}

// Makes the joint of a rule again, from frames that are saved. Nothing in it depends on where the
// bodies are now.
bool get_rule_joint(const WorldData& data, const JointSlot& s, Decoded& out) {
  if (!s.slot.live || !is_pair_of(data, s.made.rule, s.made.parent, s.made.child)) return false;
  const bool finite = is_finite(s.X_BP) && is_finite(s.X_BC) && std::isfinite(s.length) &&
                      std::isfinite(s.made.made);
  if (!finite) return false;
  const JointDef def = make_rule_joint(data.rules[s.made.rule], s.made.parent, s.made.child, s.X_BP,
                                       s.X_BC, s.length);
  const Result<JointModel> model = compile_in(data, def);
  if (!model) return false;
  out.joint_defs.back() = def;
  out.joint_models.back() = *model;
  return true;
}

bool get_joints(Decoder& r, const WorldData& data, Decoded& out) {
  const uint32_t slots = r.u32();
  if (!r.ok() || slots > r.left() / kLeastSlotBytes) return false;
  for (uint32_t i = 0; i < slots; ++i) {
    const JointSlot s = get_slot(r);
    if (!r.ok() || !is_finite(s.state)) return false;
    out.joint_slots.push_back(s.slot);
    out.joints.push_back(s.state);
    out.joint_rules.push_back(s.made);
    out.joint_defs.emplace_back();
    out.joint_models.emplace_back();
    // the joints of the scene are where they were; those of rules are made
    const bool mine = data.joint_slots.live(i) && data.joint_rules[i].rule == kNoRule;
    const bool kept = s.slot.live && s.made.rule == kNoRule;
    if (mine != kept || (mine && data.joint_slots.at(i).generation != s.slot.generation))
      return false;
    if (mine) {
      out.joint_defs.back() = data.joint_defs[i];
      out.joint_models.back() = data.joint_models[i];
      set_gear_value(out.joint_models.back(), s.state);
    }
    if (s.made.rule != kNoRule && !get_rule_joint(data, s, out)) return false;
  }
  for (uint32_t i = slots; i < data.joint_slots.capacity(); ++i) {
    if (data.joint_slots.live(i) && data.joint_rules[i].rule == kNoRule) return false;
  }
  return true;
}

bool get_resting(Decoder& r, const WorldData& data, Decoded& out) {
  const uint32_t count = r.u32();
  if (!r.ok() || count > r.left() / 20) return false;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t rule = r.u32(), parent = r.u32(), child = r.u32();
    const double until = r.f64();
    if (!is_pair_of(data, rule, parent, child) || !std::isfinite(until)) return false;
    out.resting.push_back({rule, parent, child, until});
  }
  return r.ok();
}

bool get_released(Decoder& r, const WorldData& data, std::vector<uint8_t>& out) {
  for (uint32_t slot = 0; slot < data.info.size(); ++slot) {
    out.push_back(r.u8());
    if (!r.ok() || out.back() > 1) return false;
    if (out.back() == 1 && (!data.body_slots.live(slot) || !data.info[slot].release)) return false;
  }
  return true;
}
void set_released(WorldData& data, std::span<const uint8_t> released) {
  for (uint32_t slot = 0; slot < released.size(); ++slot) {
    if (data.info[slot].released == (released[slot] != 0)) continue;
    tenon::set_released(data, slot, released[slot] != 0);
  }
}

void accept(Decoded&& in, WorldData& data) {
  data.step_count = in.step_count;
  if (in.step == data.settings.step) {
    data.time_base = in.time_base;
    data.steps_since_base = in.steps_since_base;
  } else {
    data.time_base = in.time_base + static_cast<double>(in.steps_since_base) * in.step;
    data.steps_since_base = 0;
  }
  data.diagnostics = in.sums;
  data.state = std::move(in.state);
  data.frozen = std::move(in.frozen);
  data.still = std::move(in.still);
  data.applied = std::move(in.applied);
  data.acceleration = std::move(in.acceleration);
  data.joint_slots.assign(std::move(in.joint_slots));
  data.joint_states = std::move(in.joints);
  data.joint_rules = std::move(in.joint_rules);
  data.joint_defs = std::move(in.joint_defs);
  data.joint_models = std::move(in.joint_models);
  data.resting = std::move(in.resting);
  ++data.topology;
  data.contacts = std::move(in.contacts.contacts);
  data.contacts_stale = in.contacts.stale;
  data.halvings = std::move(in.contacts.halvings);
  data.pushes = std::move(in.contacts.pushes);
  data.ended = std::move(in.contacts.ended);
  data.touches = std::move(in.contacts.touches);
  data.health = std::move(in.health);
  data.force = std::move(in.force);
  data.shifted.assign(data.info.size(), 0);
  data.events.clear();
  for (uint32_t slot = 0; slot < data.info.size(); ++slot) {
    if (data.body_slots.live(slot)) update_proxies(data, slot);
  }
}

}  // namespace

std::vector<std::byte> encode_state(const WorldData& data, uint64_t structure) {
  Encoder w;
  w.u32(kStateVersion);
  w.u64(structure);
  w.f64(data.settings.step);
  w.f64(data.time_base);
  w.u64(data.steps_since_base);
  w.u64(data.step_count);
  for (const BodyInfo& info : data.info) w.u8(info.released ? 1 : 0);
  put(w, data.diagnostics);
  for (size_t slot = 0; slot < data.state.size(); ++slot) {
    put(w, data.state[slot]);
    w.u8(data.frozen[slot]);
    w.u32(data.still[slot]);
    put(w, data.applied[slot].force);
    put(w, data.applied[slot].torque);
    put(w, data.acceleration[slot].linear);
    put(w, data.acceleration[slot].angular);
  }
  w.u32(data.joint_slots.capacity());
  for (uint32_t slot = 0; slot < data.joint_slots.capacity(); ++slot) put_slot(w, data, slot);
  w.u32(static_cast<uint32_t>(data.resting.size()));
  for (const RestingPair& p : data.resting) {
    w.u32(p.rule);
    w.u32(p.parent);
    w.u32(p.child);
    w.f64(p.until);
  }
  put_contacts(w, data);
  put(w, data.health);
  put_force_run(w, data.force);
  return w.take();
}

Status decode_state(std::span<const std::byte> bytes, uint64_t structure, WorldData& data) {
  Decoder r(bytes);
  const uint32_t version = r.u32();
  if (r.ok() && version != kStateVersion) {
    return Error{.message = "a saved state of another version",
                 .value = std::to_string(version),
                 .accepted = "version " + std::to_string(kStateVersion)};
  }
  const uint64_t saved_structure = r.u64();
  if (r.ok() && saved_structure != structure) {
    return Error{.message = "a saved state of a world with other bodies"};
  }
  Decoded in;
  in.step = r.f64();
  in.time_base = r.f64();
  in.steps_since_base = r.u64();
  in.step_count = r.u64();
  std::vector<uint8_t> released, before;
  for (const BodyInfo& info : data.info) before.push_back(info.released ? 1 : 0);
  bool good = get_released(r, data, released);
  // the rest is read into a world whose bodies are what they were then
  if (good) set_released(data, released);
  get_sums(r, in.sums);
  const size_t slots = data.state.size();
  good = good && r.ok() && std::isfinite(in.step) && std::isfinite(in.time_base) &&
         get_bodies(r, slots, in) && get_joints(r, data, in) && get_resting(r, data, in) &&
         get_contacts(r, data, in.contacts) && get_health(r, in.health) &&
         get_force_run(r, in.frozen, in.joints.size(), data, in.force) && r.left() == 0;
  if (!good) {
    set_released(data, before);
    return Error{.message = "a saved state that is cut off or damaged"};
  }
  accept(std::move(in), data);
  return Ok{};
}

}  // namespace tenon
