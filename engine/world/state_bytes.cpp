#include "tenon/engine/world/state_bytes.h"

#include "tenon/engine/base/encoding.h"
#include "tenon/engine/base/hash.h"
#include "tenon/engine/world/create_body.h"

namespace tenon {
namespace {

constexpr uint32_t kStateVersion = 2;

void put(Encoder& w, const Vec3& v) {
  w.f64(v.x);
  w.f64(v.y);
  w.f64(v.z);
}
void put(Encoder& w, const Quat& q) {
  w.f64(q.w);
  put(w, q.vec());
}
Vec3 get_vec(Decoder& r) {
  const double x = r.f64(), y = r.f64(), z = r.f64();
  return {x, y, z};
}
Quat get_quat(Decoder& r) {
  const double w = r.f64();
  const Vec3 v = get_vec(r);
  return {w, v.x, v.y, v.z};
}

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
  put(w, d.linear_impulse);
  put(w, d.angular_impulse);
  w.u32(d.frozen_bodies);
}
void get_sums(Decoder& r, StepDiagnostics& d) {
  d.work_J = r.f64();
  d.linear_impulse = get_vec(r);
  d.angular_impulse = get_vec(r);
  d.frozen_bodies = r.u32();
}

void put(Encoder& w, const JointState& s) {
  for (size_t k = 0; k < kMaxRows; ++k) {
    w.f64(s.lambda[k]);
    w.f64(s.coordinate[k]);
    w.u8(s.segment[k]);
  }
  w.f64(s.load_force);
  w.f64(s.load_torque);
  w.u8(s.enabled ? 1 : 0);
  w.u8(s.broken ? 1 : 0);
}
JointState get_joint(Decoder& r) {
  JointState s;
  for (size_t k = 0; k < kMaxRows; ++k) {
    s.lambda[k] = r.f64();
    s.coordinate[k] = r.f64();
    s.segment[k] = r.u8();
  }
  s.load_force = r.f64();
  s.load_torque = r.f64();
  s.enabled = r.u8() != 0;
  s.broken = r.u8() != 0;
  return s;
}
bool is_finite(const JointState& s) {
  bool finite = std::isfinite(s.load_force) && std::isfinite(s.load_torque);
  for (size_t k = 0; k < kMaxRows; ++k) {
    finite = finite && std::isfinite(s.lambda[k]) && std::isfinite(s.coordinate[k]);
  }
  return finite;
}

// What a decoded state holds before it is accepted.
struct Decoded {
  double step = 0, time_base = 0;
  uint64_t steps_since_base = 0, step_count = 0;
  StepDiagnostics sums;
  std::vector<BodyState> state;
  std::vector<uint8_t> frozen;
  std::vector<Wrench> applied;
  std::vector<JointState> joints;
  std::vector<Touch> touches;
};

bool get_bodies(Decoder& r, size_t slots, Decoded& out) {
  for (size_t i = 0; i < slots; ++i) {
    out.state.push_back(get_state(r));
    out.frozen.push_back(r.u8());
    const Vec3 force = get_vec(r), torque = get_vec(r);
    out.applied.push_back({force, torque});
    if (!r.ok()) return false;
    if (!is_finite(out.state.back()) || !is_finite(force) || !is_finite(torque)) return false;
  }
  return true;
}

bool get_joints(Decoder& r, size_t slots, Decoded& out) {
  for (size_t i = 0; i < slots; ++i) {
    out.joints.push_back(get_joint(r));
    if (!r.ok() || !is_finite(out.joints.back())) return false;
  }
  return true;
}

bool get_touches(Decoder& r, size_t slots, Decoded& out) {
  const uint32_t count = r.u32();
  if (!r.ok() || count > r.left() / 16) return false;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t a = r.u32(), b = r.u32();
    const double distance = r.f64();
    if (a >= slots || b >= slots || !std::isfinite(distance)) return false;
    out.touches.push_back({a, b, distance});
  }
  return r.ok() && r.left() == 0;
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
  data.applied = std::move(in.applied);
  data.joint_states = std::move(in.joints);
  ++data.topology;
  data.touches = std::move(in.touches);
  data.contacts.clear();
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
  put(w, data.diagnostics);
  for (size_t slot = 0; slot < data.state.size(); ++slot) {
    put(w, data.state[slot]);
    w.u8(data.frozen[slot]);
    put(w, data.applied[slot].force);
    put(w, data.applied[slot].torque);
  }
  for (const JointState& joint : data.joint_states) put(w, joint);
  w.u32(static_cast<uint32_t>(data.touches.size()));
  for (const Touch& t : data.touches) {
    w.u32(t.body_a);
    w.u32(t.body_b);
    w.f64(t.distance);
  }
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
  get_sums(r, in.sums);
  const size_t slots = data.state.size();
  if (!r.ok() || !std::isfinite(in.step) || !std::isfinite(in.time_base) ||
      !get_bodies(r, slots, in) || !get_joints(r, data.joint_states.size(), in) ||
      !get_touches(r, slots, in)) {
    return Error{.message = "a saved state that is cut off or damaged"};
  }
  accept(std::move(in), data);
  return Ok{};
}

}  // namespace tenon
