// What makes a run doubtful, looked for after every step and told as events: the four conditions
// under which AERO's authors trust a simulation [Keller1993, sec. 4.4], and what joints and exact
// bookkeeping add to them. The words for people are in recording/health.h.
#include <algorithm>
#include <cmath>

#include "tenon/engine/geometry/ray_cast.h"
#include "tenon/engine/world/phases.h"

namespace tenon {
namespace {

constexpr uint32_t kNobody = 0xffffffffu;
// s: what has been over for so long and comes again is said again.
constexpr double kForgotten = 1;
// Of the smaller shape's smallest extent: an overlap that anyone sees.
constexpr double kDeep = 0.05;
// Beyond, forces of the heavy body move the light one by more than digits and solvers follow.
constexpr double kExtremeRatio = 1e4;
// Of the largest kinetic energy: a change of energy that nothing explains.
constexpr double kNoticeable = 0.01;
// Of all energies: what their digits explain.
constexpr double kDigits = 1e-9;
// In a step, and s for how long: bodies that bounce or rattle have fewer or come to rest sooner.
constexpr uint32_t kSeveralImpacts = 3;
constexpr double kLastingImpacts = 0.4;
// rad: a body that turns by more than this in a step has no path to look at.
constexpr double kPathTurn = 0.5;
// Of a body's smallest extent: how far the pieces of its path may be off the path itself.
constexpr double kNearPath = 0.25;
constexpr double kMostPieces = 64;

class Watch {
 public:
  Watch(const StepContext& context, WorldData& data) : context_(context), data_(data) {}

  void say(EventKind kind, uint32_t a, uint32_t b, double value) {
    HealthMark mark{kind, a, b, context_.t_end};
    std::vector<HealthMark>& marks = data_.health.marks;
    const auto at = std::lower_bound(marks.begin(), marks.end(), mark);
    if (at != marks.end() && !(mark < *at)) {
      at->last = context_.t_end;
      return;
    }
    marks.insert(at, mark);
    Event event{kind, data_.step_count, context_.t_end, {}, {}, value};
    if (a != kNobody) event.a = data_.body_slots.at(a);
    if (b != kNobody) event.b = data_.body_slots.at(b);
    data_.events.push_back(event);
  }
  void forget() {
    std::erase_if(data_.health.marks,
                  [&](const HealthMark& m) { return m.last < context_.t_end - kForgotten; });
  }

  void look_at_steps();
  void look_at_impacts();
  void look_at_overlaps();
  void look_at_paths();
  void look_at_masses();
  void look_at_energy();

 private:
  bool dynamic(uint32_t slot) const { return moves_by_itself(data_, slot); }
  uint32_t find_liveliest() const;
  void compare_masses(uint32_t a, uint32_t b);
  bool keeps_out(const Collider& mine, const Collider& other) const;
  void look_at_path(uint32_t slot);
  Vec3 seen_from(const Collider& other, const Vec3& from, const Vec3& to, double u) const;
  double thickness_passed(const Collider& other, const Vec3& from, const Vec3& to,
                          double near_m) const;

  const StepContext& context_;
  WorldData& data_;
};

// Of the method 'force'. The fastest body is the likeliest reason.
void Watch::look_at_steps() {
  if (data_.diagnostics.minimum_steps == 0) return;
  say(EventKind::kHealthMinimumStep, find_liveliest(), kNobody, data_.settings.force.h_min);
}

// Bodies that rest collide again and again where the bound between the two is too low. Of the pair
// that pushes most.
void Watch::look_at_impacts() {
  uint32_t& count = data_.health.impact_steps;
  count = data_.diagnostics.impacts >= kSeveralImpacts ? count + 1 : 0;
  if (count * context_.h < kLastingImpacts) return;
  const auto most =
      std::max_element(data_.pushes.begin(), data_.pushes.end(),
                       [](const Push& a, const Push& b) { return a.normal < b.normal; });
  const bool known = most != data_.pushes.end();
  say(EventKind::kHealthRepeatedImpacts, known ? most->body_a : kNobody,
      known ? most->body_b : kNobody, data_.diagnostics.impacts);
}

void Watch::look_at_overlaps() {
  for (const Contact& c : data_.contacts) {
    if (!c.acts) continue;
    const double size =
        std::min(data_.colliders[c.collider_a].size, data_.colliders[c.collider_b].size);
    if (-c.manifold.distance > kDeep * size) {
      say(EventKind::kHealthDeepOverlap, c.body_a, c.body_b, -c.manifold.distance);
    }
  }
}

// Whether the one should have been stopped by the other.
bool Watch::keeps_out(const Collider& mine, const Collider& other) const {
  if (!may_touch(data_, mine, other) || other.sensor) return false;
  if (!(data_.info[other.body].one_way == Vec3{}) || !(data_.info[mine.body].one_way == Vec3{}))
    return false;
  const uint64_t pair = pair_key(mine.body, other.body);
  const std::vector<uint64_t>& joined = context_.mechanisms->apart;
  return !std::binary_search(joined.begin(), joined.end(), pair) &&
         !std::binary_search(data_.separated.begin(), data_.separated.end(), pair);
}

// Where a point that moves straight is at the part u of the step, as seen from the other shape,
// which turns meanwhile: the path is an arc there.
Vec3 Watch::seen_from(const Collider& other, const Vec3& from, const Vec3& to, double u) const {
  const BodyState &begin = context_.begin[other.body], &end = data_.state[other.body];
  BodyState now = end;
  now.x_WC = begin.x_WC + u * (end.x_WC - begin.x_WC);
  const Quat a = begin.q_WB, b = end.q_WB;
  const double near = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z < 0 ? -u : u;
  now.q_WB = normalized(Quat{(1 - u) * a.w + near * b.w, (1 - u) * a.x + near * b.x,
                             (1 - u) * a.y + near * b.y, (1 - u) * a.z + near * b.z});
  return inverse(collider_transform(now, other)) * (from + u * (to - from));
}

// How much of the other shape lies on the path of a point, as seen from that shape; zero where the
// path begins or ends inside it. The chord of the arc that a turning body makes of the path would
// cut through its rim where the path itself goes past it: the arc is taken in pieces, of which none
// is off it by more than `near_m`. The sagitta of a piece falls with the square of their number.
double Watch::thickness_passed(const Collider& other, const Vec3& from, const Vec3& to,
                               double near_m) const {
  const Vec3 p = seen_from(other, from, to, 0), q = seen_from(other, from, to, 1);
  const double sagitta = norm(seen_from(other, from, to, 0.5) - 0.5 * (p + q));
  const double pieces = std::ceil(std::sqrt(sagitta / near_m));
  // a dust grain beside a giant wheel: nobody can say
  if (!(pieces <= kMostPieces)) return 0;
  const int count = std::max(1, static_cast<int>(pieces));
  double passed = 0;
  bool inside = false;
  Vec3 a = p;
  for (int k = 1; k <= count; ++k) {
    const Vec3 b = k == count ? q : seen_from(other, from, to, static_cast<double>(k) / count);
    const auto in = ray_cast(other.shape, a, b - a, 1);
    if (k == 1 && in && in->t <= 0) return 0;
    const auto out = in ? ray_cast(other.shape, b, a - b, 1) : in;
    inside = out && out->t <= 0;
    if (out) passed += std::max(0.0, 1 - in->t - out->t) * norm(b - a);
    a = b;
  }
  return inside ? 0 : passed;
}

// A body has passed through another if its mass centre, which lies inside one of its own shapes,
// was on one side of it at the begin of the step and is on another at its end.
void Watch::look_at_path(uint32_t slot) {
  const Vec3 from = context_.begin[slot].x_WC, to = data_.state[slot].x_WC;
  const double way = norm(to - from);
  const auto filled = [&](uint32_t k) {
    const Collider& c = data_.colliders[k];
    if (c.sensor || way <= 0.5 * c.size) return false;
    const Vec3 center_S = inverse(c.X_CS) * Vec3{};
    const auto hit = ray_cast(c.shape, center_S, {1, 0, 0}, 1);
    return hit && hit->t == 0;
  };
  const std::vector<uint32_t>& mine = data_.info[slot].colliders;
  const auto own = std::find_if(mine.begin(), mine.end(), filled);
  if (own == mine.end()) return;
  data_.broad_phase.walk_ray(from, to - from, 1, [&](ProxyId id, double, double max_t) {
    const Collider& other = data_.colliders[id];
    if (!keeps_out(data_.colliders[*own], other)) return max_t;
    if (norm(data_.state[other.body].w_WB) * context_.h > kPathTurn) return max_t;
    const double near = kNearPath * data_.colliders[*own].size;
    const double passed = thickness_passed(other, from, to, near);
    if (passed > 0) say(EventKind::kHealthPassedThrough, slot, other.body, passed);
    return max_t;
  });
}

void Watch::look_at_paths() {
  if (context_.begin.size() != data_.state.size()) return;
  for (uint32_t slot = 0; slot < data_.info.size(); ++slot) {
    if (!data_.body_slots.live(slot) || !dynamic(slot) || !data_.info[slot].collision) continue;
    if (is_asleep(context_, slot) || data_.info[slot].colliders.empty()) continue;
    look_at_path(slot);
  }
}

void Watch::compare_masses(uint32_t a, uint32_t b) {
  if (!dynamic(a) || !dynamic(b)) return;
  if (data_.mass[a].mass > data_.mass[b].mass) std::swap(a, b);
  const double ratio = data_.mass[b].mass / data_.mass[a].mass;
  if (ratio > kExtremeRatio) say(EventKind::kHealthMassRatio, a, b, ratio);
}

// Where bodies begin to touch, and where joints begin to hold.
void Watch::look_at_masses() {
  bool joints = data_.step_count == 1;
  for (size_t i = 0; i < data_.events.size(); ++i) {
    const Event event = data_.events[i];
    joints =
        joints || event.kind == EventKind::kJointMade || event.kind == EventKind::kBodyReleased;
    if (event.kind == EventKind::kContactBegin) compare_masses(event.a.index, event.b.index);
  }
  for (uint32_t slot = 0; joints && slot < data_.joint_slots.capacity(); ++slot) {
    if (!data_.joint_slots.live(slot) || !data_.joint_states[slot].enabled) continue;
    for (size_t k = 0; k < data_.joint_models[slot].pair_count; ++k) {
      const JointPair& pair = data_.joint_models[slot].pairs[k];
      if (pair.parent != kWorldBody && pair.child != kWorldBody)
        compare_masses(pair.parent, pair.child);
    }
  }
}

// The body with the most kinetic energy.
uint32_t Watch::find_liveliest() const {
  uint32_t most = kNobody;
  double energy = -1;
  for (uint32_t slot = 0; slot < data_.info.size(); ++slot) {
    if (!data_.body_slots.live(slot) || !dynamic(slot)) continue;
    const double kinetic = calc_body_mechanics(data_, slot).kinetic_J;
    if (kinetic > energy) {
      energy = kinetic;
      most = slot;
    }
  }
  return most;
}

double energy_balance(const WorldData& data) {
  const StepDiagnostics& d = data.diagnostics;
  return d.mechanics.kinetic_J + d.mechanics.potential_J - d.work_J;
}

void Watch::look_at_energy() {
  HealthData& health = data_.health;
  const StepDiagnostics& d = data_.diagnostics;
  health.scale_J = std::max(health.scale_J, d.mechanics.kinetic_J);
  const double change = energy_balance(data_) - health.balance_J;
  const double digits =
      kDigits * (std::fabs(d.mechanics.potential_J) + std::fabs(d.work_J) + health.scale_J);
  if (!(std::fabs(change) > std::max(kNoticeable * health.scale_J, digits))) return;
  health.balance_J += change;
  // what rules join in motion loses energy, as in an inelastic impact; 'sweep' does not book what
  // contacts take
  const bool unbooked = data_.settings.joint_solver == JointSolver::kSweep && d.contacts > 0;
  if (change < 0 && (!data_.rules.empty() || unbooked)) return;
  say(EventKind::kHealthEnergy, find_liveliest(), kNobody, change);
}

}  // namespace

void begin_health(WorldData& data) {
  if (data.health.begun) return;
  data.health.begun = true;
  data.diagnostics.mechanics = calc_all_mechanics(data);
  data.health.balance_J = energy_balance(data);
  data.health.scale_J = data.diagnostics.mechanics.kinetic_J;
}

void watch_health(StepContext& context, WorldData& data) {
  Watch watch(context, data);
  watch.look_at_steps();
  watch.look_at_impacts();
  watch.look_at_overlaps();
  watch.look_at_paths();
  watch.look_at_masses();
  watch.look_at_energy();
  watch.forget();
}

}  // namespace tenon
