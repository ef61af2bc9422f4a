#include "tenon/engine/world/sensor_passes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "tenon/engine/collision/narrow/impact_time.h"
#include "tenon/engine/geometry/bounds.h"
#include "tenon/engine/geometry/support.h"
#include "tenon/engine/math/elementary.h"
#include "tenon/engine/world/contact_rules.h"
#include "tenon/engine/world/contact_work.h"
#include "tenon/engine/world/reach.h"

namespace tenon {
namespace {

constexpr double kHardlyMoved = 0.1;  // of thicknesses: passes of what goes less are not looked for

// Where a body was in a step: at its begin, at its last hit, at its end.
struct BodyPath {
  std::array<BodyState, 3> state;
  double hit = 1;  // fraction of the step; 1: none

  // Its part from fraction f to g, which the hit does not divide.
  ShapeMotion part(const Collider& c, double f, double g) const {
    const bool after = !(f < hit);
    const BodyState &from = state[after ? 1 : 0], &to = state[after ? 2 : 1];
    const double first = after ? hit : 0, length = (after ? 1 : hit) - first;
    const Vec3 way = to.x_WC - from.x_WC;
    const Vec3 turn = log_map(normalized(to.q_WB * conjugate(from.q_WB)));
    const ShapeMotion whole{collider_transform(from, c), from.x_WC, way, turn};
    const double begin = (f - first) / length, share = (g - f) / length;
    return {calc_pose_at(whole, begin), from.x_WC + begin * way, share * way, share * turn};
  }
};

class SensorPasses {
 public:
  SensorPasses(const StepContext& context, const WorldData& data, std::span<const Touch> now)
      : context_(context), data_(data), now_(now) {}
  std::vector<Touch> find();

 private:
  struct Moved {
    uint32_t id;
    Aabb box;  // about all of its path
  };
  bool is_live(uint32_t id) const {
    const Collider& c = data_.colliders[id];
    return data_.collider_slots.live(id) && data_.info[c.body].collision;
  }
  double thinnest_sensor() const;
  double calc_way(const Collider& c) const;
  BodyPath path_of(uint32_t slot) const;
  Aabb path_box(const Collider& c) const;
  void look(const Moved& sensor, const Moved& other);
  bool meet(const Collider& a, const Collider& b) const;

  const StepContext& context_;
  const WorldData& data_;
  std::span<const Touch> now_;
  std::vector<Touch> passes_;
};

double SensorPasses::thinnest_sensor() const {
  double thinnest = kInfinity;
  for (uint32_t id = 0; id < data_.colliders.size(); ++id) {
    if (data_.colliders[id].sensor && is_live(id)) {
      thinnest = std::min(thinnest, data_.colliders[id].size);
    }
  }
  return thinnest;
}

// How a moved body began, if it had come to where it is without a jump back to its first key, which
// is no motion.
BodyState begin_of_script(const StepContext& context, const KinematicMotion& script,
                          const BodyState& begin, const BodyState& end) {
  if (script.repeat != KinematicMotion::Repeat::kLoop) return begin;
  const ScriptVelocity mean = mean_velocity(script, context.t_begin, context.t_end);
  BodyState s = begin;
  s.x_WC = end.x_WC - context.h * mean.v_WB;
  s.q_WB = normalized(exp_map(-context.h * mean.w_WB) * end.q_WB);
  return s;
}

// Of parts of a step the last one's hits are known, and not when in the step they were.
BodyPath SensorPasses::path_of(uint32_t slot) const {
  const BodyState &begin = context_.begin[slot], &end = data_.state[slot];
  const BodyInfo& info = data_.info[slot];
  if (info.motion == MotionKind::kKinematic) {
    return {{begin_of_script(context_, info.script, begin, end), end, end}};
  }
  const ImpactStates& impacts = context_.contacts->impacts;
  const bool whole = data_.settings.method == Method::kImpulse && data_.diagnostics.bisections == 0;
  if (!whole || slot >= impacts.hit.size() || !impacts.struck(slot)) return {{begin, end, end}};
  const double hit = impacts.clock[slot] / context_.h;
  if (!(hit > 0 && hit < 1)) return {{begin, end, end}};
  return {{begin, impacts.at[slot], end}, hit};
}

double SensorPasses::calc_way(const Collider& c) const {
  const BodyPath path = path_of(c.body);
  const double radius = kind(c.shape) == ShapeKind::kPlane ? 0 : bounding_radius(c.shape);
  double way = 0;
  for (size_t k = 0; k < 2; ++k) {
    const BodyState &from = path.state[k], &to = path.state[k + 1];
    const Quat turn = to.q_WB * conjugate(from.q_WB);
    const double angle = 2 * norm(Vec3{turn.x, turn.y, turn.z});
    way += norm(to.x_WC - from.x_WC) + angle * (norm(c.X_CS.p) + radius);
  }
  return way;
}

// Points leave the boxes of two poses by no more than what they go by turning.
Aabb SensorPasses::path_box(const Collider& c) const {
  const BodyPath path = path_of(c.body);
  Aabb box = calc_bounds(c.shape, collider_transform(path.state[0], c));
  for (size_t k = 1; k < 3; ++k) {
    const Aabb there = calc_bounds(c.shape, collider_transform(path.state[k], c));
    box = {cwise_min(box.lo, there.lo), cwise_max(box.hi, there.hi)};
  }
  const double straight =
      norm(path.state[1].x_WC - path.state[0].x_WC) + norm(path.state[2].x_WC - path.state[1].x_WC);
  return inflate(box, std::max(0.0, calc_way(c) - straight));
}

// In each interval in which neither is hit.
bool SensorPasses::meet(const Collider& a, const Collider& b) const {
  const BodyPath pa = path_of(a.body), pb = path_of(b.body);
  const std::array<double, 4> times{0, std::min(pa.hit, pb.hit), std::max(pa.hit, pb.hit), 1};
  for (size_t k = 0; k + 1 < times.size(); ++k) {
    if (!(times[k] < times[k + 1])) continue;
    const ShapeMotion ma = pa.part(a, times[k], times[k + 1]);
    const ShapeMotion mb = pb.part(b, times[k], times[k + 1]);
    const ImpactTime impact = calc_time_of_impact(a.shape, ma, b.shape, mb, 0);
    if (impact.status != ImpactTime::Status::kImpact) continue;
    // what only starts beside it and leaves has not met it
    const bool parts = impact.fraction == 0 && impact.distance > 0 &&
                       dot(impact.normal_W, mb.displacement_W - ma.displacement_W) >= 0;
    if (!parts) return true;
  }
  return false;
}

void SensorPasses::look(const Moved& sensor, const Moved& other) {
  const Collider &s = data_.colliders[sensor.id], &o = data_.colliders[other.id];
  // of two sensors the first one feels
  if (o.sensor && other.id < sensor.id) return;
  if (!overlaps(sensor.box, other.box) || !may_touch(data_, s, o)) return;
  const uint64_t pair = pair_key(s.body, o.body);
  const auto among = [&](const std::vector<uint64_t>& sorted) {
    return std::binary_search(sorted.begin(), sorted.end(), pair);
  };
  if (among(context_.mechanisms->apart) || among(data_.separated)) return;
  const Touch pass{std::min(s.body, o.body), std::max(s.body, o.body), 0,
                   s.body < o.body ? TouchKind::kSensorA : TouchKind::kSensorB};
  const auto touches = [&](std::span<const Touch> list) {
    return find_touch(list, pass.body_a, pass.body_b, pass.kind) != nullptr;
  };
  if (touches(data_.touches) || touches(now_) || touches(passes_)) return;
  if (!meet(s, o)) return;
  const auto before = [](const Touch& x, const Touch& y) {
    return std::tie(x.body_a, x.body_b, x.kind) < std::tie(y.body_a, y.body_b, y.kind);
  };
  passes_.insert(std::upper_bound(passes_.begin(), passes_.end(), pass, before), pass);
}

std::vector<Touch> SensorPasses::find() {
  const double thinnest = thinnest_sensor();
  if (!(thinnest < kInfinity)) return {};
  std::vector<Moved> sensors, fast, slow;
  std::vector<uint8_t> is_fast_sensor;
  bool any_fast_sensor = false;
  for (uint32_t id = 0; id < data_.colliders.size(); ++id) {
    if (!is_live(id)) continue;
    const Collider& c = data_.colliders[id];
    const bool moves = data_.info[c.body].motion != MotionKind::kStatic;
    const bool goes = moves && calc_way(c) > kHardlyMoved * std::min(c.size, thinnest);
    if (goes) fast.push_back({id, path_box(c)});
    if (!c.sensor) continue;
    sensors.push_back({id, path_box(c)});
    is_fast_sensor.push_back(goes ? 1 : 0);
    any_fast_sensor = any_fast_sensor || goes;
  }
  if (fast.empty()) return {};
  // a sensor that sweeps over them meets what hardly moves
  for (uint32_t id = 0; any_fast_sensor && id < data_.colliders.size(); ++id) {
    if (is_live(id)) slow.push_back({id, path_box(data_.colliders[id])});
  }
  for (size_t i = 0; i < sensors.size(); ++i) {
    for (const Moved& other : is_fast_sensor[i] != 0 ? slow : fast) {
      if (other.id != sensors[i].id) look(sensors[i], other);
    }
  }
  return std::move(passes_);
}

}  // namespace

std::vector<Touch> find_sensor_passes(const StepContext& context, const WorldData& data,
                                      std::span<const Touch> now) {
  return SensorPasses(context, data, now).find();
}

}  // namespace tenon
