#include "tenon/engine/world/force_bytes.h"

#include <cmath>

namespace tenon {
namespace {

void put_numbers(Encoder& w, std::span<const double> numbers) {
  w.u32(static_cast<uint32_t>(numbers.size()));
  for (const double x : numbers) w.f64(x);
}

// As many as expected, or none; finite.
bool get_numbers(Decoder& r, size_t expected, std::vector<double>& numbers) {
  const uint32_t count = r.u32();
  if (!r.ok() || (count != 0 && count != expected) || count > r.left() / 8) return false;
  numbers.resize(count);
  bool finite = true;
  for (double& x : numbers) {
    x = r.f64();
    finite = finite && std::isfinite(x);
  }
  return finite && r.ok();
}

}  // namespace

void put_force_run(Encoder& w, const ForceRun& run) {
  w.u8(run.active ? 1 : 0);
  if (!run.active) return;
  w.f64(run.ode.t);
  w.f64(run.ode.h_next);
  put_numbers(w, run.ode.y);
  put_numbers(w, run.ode.k);
  w.f64(run.ode.last.t);
  w.f64(run.ode.last.h);
  put_numbers(w, run.ode.last.y);
  for (const std::vector<double>& k : run.ode.last.k) put_numbers(w, k);
  for (const std::vector<JointState>* joints : {&run.joints, &run.joints_before}) {
    w.u32(static_cast<uint32_t>(joints->size()));
    for (const JointState& j : *joints) put(w, j);
  }
  for (const double x : run.booked) w.f64(x);
  w.u32(run.short_events);
  w.f64(run.look_time);
}

bool get_force_run(Decoder& r, std::span<const uint8_t> frozen, size_t joint_slots,
                   const WorldData& data, ForceRun& run) {
  run = {};
  run.active = r.u8() != 0;
  if (!run.active) return r.ok();
  size_t bodies = 0;
  for (uint32_t slot = 0; slot < data.info.size(); ++slot) {
    const bool moves = data.body_slots.live(slot) && frozen[slot] == 0 &&
                       data.info[slot].motion == MotionKind::kDynamic;
    bodies += moves ? 1 : 0;
  }
  const size_t size = kForceBodySize * bodies + kForceSums;
  run.ode.t = r.f64();
  run.ode.h_next = r.f64();
  bool good = get_numbers(r, size, run.ode.y) && run.ode.y.size() == size &&
              get_numbers(r, size, run.ode.k);
  run.ode.last.t = r.f64();
  run.ode.last.h = r.f64();
  good = good && get_numbers(r, size, run.ode.last.y);
  for (std::vector<double>& k : run.ode.last.k) {
    good = good && get_numbers(r, size, k) && k.size() == run.ode.last.y.size();
  }
  for (std::vector<JointState>* joints : {&run.joints, &run.joints_before}) {
    if (!good || r.u32() != joint_slots) return false;
    for (size_t i = 0; i < joint_slots && good; ++i) {
      joints->push_back(get_joint(r));
      good = r.ok() && is_finite(joints->back());
      for (const uint8_t part : joints->back().segment) good = good && part < 32;
    }
  }
  for (double& x : run.booked) {
    x = r.f64();
    good = good && std::isfinite(x);
  }
  run.short_events = r.u32();
  run.look_time = r.f64();
  good = good && !std::isnan(run.look_time);  // infinite: nothing can touch
  for (const double x : {run.ode.t, run.ode.h_next, run.ode.last.t, run.ode.last.h}) {
    good = good && std::isfinite(x);
  }
  return good && r.ok() && run.ode.h_next >= 0 && run.ode.last.h >= 0;
}

}  // namespace tenon
