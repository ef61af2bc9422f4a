// Which patches are hit in a step, and when: along straight lines, for islands with joints.
#include <utility>

#include "tenon/engine/solve_contact/hit.h"

namespace tenon {
namespace {

constexpr int kMaxPasses = 40;
// Hits of heavy bodies on light ones follow one another without end: what has been hit so often is
// stopped at once with what was hit with it; what bounces well, only in the last passes.
constexpr int kOftenHit = 12, kHitWithIt = 6, kLastPasses = 36;
constexpr double kOverwhelming = 20;  // times the mass of a whole mechanism
// Hits along straight lines are as exact as these: what bounces well must keep its energy.
// Several at once turn the body by what is left, and without a bounce that is not much.
constexpr double kRoughHit = 1e-4, kRoughTogether = 1e-7, kBouncesWell = 0.5;
// Hits no farther apart, of the step, are one: joints that are open by their tolerance let feet of
// one height differ by so much. So many patches are solved at once, and so many again.
constexpr double kSameMoment = 1e-4;
constexpr size_t kMostTogether = 16, kMostAgain = 6, kMostAtAMoment = 64;

}  // namespace

// A body that was hit at time t moves as if it had started the step elsewhere, at -t times what the
// hit changed: gaps are seen from there, and its next hit is no earlier.                     (2)
double Island::gap_of(const IslandPatch& c, const IslandPoint& x) const {
  const Motion &A = late_[c.a], &B = late_[c.b];
  return x.gap + dot(c.n, B.v - A.v) + dot(x.aB, B.w) - dot(x.aA, A.w);
}

double Island::clock_of(const IslandPatch& c) const { return std::max(clock_[c.a], clock_[c.b]); }

void Island::begin_collisions() {
  late_.assign(bodies.size(), {});
  clock_.assign(bodies.size(), 0);
  hit_work = 0;
  swings_known = true;
}

void Island::set_course(uint32_t body, const Motion& velocity, const Motion& late, double time) {
  motion[body] = velocity;
  late_[body] = late;
  clock_[body] = time;
}

void Island::move_gaps() {
  for (const IslandPatch& c : patches) {
    for (uint32_t i = c.first; i < c.first + c.count; ++i) points[i].gap = gap_of(c, points[i]);
  }
}

bool Island::closes(const IslandPatch& c, double h, double slop, double& time) const {
  bool hits = false;
  time = h;
  for (uint32_t i = c.first; i < c.first + c.count && c.moves; ++i) {
    const Hit hit = hit_of(bodies[c.a], bodies[c.b], c, points[i], gap_of(c, points[i]) - slop,
                           rate_of(c, points[i]), clock_of(c), h);
    if (!hit.hits) continue;
    hits = true;
    time = std::min(time, hit.time);
  }
  return hits;
}

double Island::overrun(const IslandPatch& c, double h) const {
  const double from = clock_of(c);
  double most = -kThick;
  for (uint32_t i = c.first; i < c.first + c.count && c.moves; ++i) {
    const double a = acceleration_of(bodies[c.b], c, points[i].aB) -
                     acceleration_of(bodies[c.a], c, points[i].aA);
    const double gap = gap_of(c, points[i]), rate = rate_of(c, points[i]);
    const double now = gap + from * (rate + 0.5 * from * a), speed = rate + from * a;
    if (speed < 0) most = std::max(most, -(std::max(now, 0.0) + (h - from) * speed));
  }
  return most;
}

bool Island::nears(const IslandPatch& c, double h, double speed) const {
  const double from = clock_of(c);
  for (uint32_t i = c.first; i < c.first + c.count; ++i) {
    if (!(gap_of(c, points[i]) + from * rate_of(c, points[i]) > c.slack)) return false;
  }
  const Motion &A = motion[c.a], &B = motion[c.b];
  const Vec3 past = B.v + cross(B.w, c.rB) - A.v - cross(A.w, c.rA);
  return norm2(past) > speed * speed && overrun(c, h) > 0;
}

bool Island::is_driven(uint32_t body) const {
  const uint32_t g = bodies[body].group;
  if (g == kNoGroup) return false;
  const auto first = bounds.begin() + groups[g].first_bound;
  return std::any_of(first, first + groups[g].bounds,
                     [](const IslandRow& r) { return !(r.gap < kThick); });  // limits have gaps
}

// Whether something may bounce in this step: what springs do until then is not in the rates.
bool Island::may_bounce(double h) const {
  double time = 0;
  return std::any_of(patches.begin(), patches.end(), [&](const IslandPatch& c) {
    const IslandBody &A = bodies[c.a], &B = bodies[c.b];
    if (!(c.restitution > 0) || (A.group == kNoGroup && B.group == kNoGroup)) return false;
    const auto springs = [&](const IslandBody& b) {
      if (b.group == kNoGroup) return false;
      const IslandGroup& g = groups[b.group];
      return std::any_of(bounds.begin() + g.first_bound, bounds.begin() + g.first_bound + g.bounds,
                         [](const IslandRow& r) { return r.soft > 0 && !r.motor; });
    };
    const double a = std::sqrt(std::max(norm2(A.a), norm2(B.a)));
    return springs(A) || springs(B) || closes(c, h, a * h * h, time);
  });
}

// (omega h)^2 / 2 of the springs at each body: h^2 S / 2 times the answers of a free body, summed
// up.
std::vector<double> Island::calc_swings() const {
  std::vector<double> swings(bodies.size(), 0);
  for (const IslandRow& r : bounds) {
    for (int e = 0; e < 2 && r.soft > 0 && !r.motor; ++e) {
      if (r.body[e] == kNoBody) continue;
      const IslandBody& b = bodies[r.body[e]];
      swings[r.body[e]] += (b.inv_mass * norm2(r.f[e]) + dot(r.t[e], b.inv_I * r.t[e])) / r.soft;
    }
  }
  return swings;
}

// What forces and springs do to jointed bodies, with all joints held, about the middle of the step:
// an impulse p = (2 (c* - c0)/h - 2 r0) / soft of the latter, (5c) with r1 = r0. Of springs that
// swing by more than a radian in a step that is not known.
void Island::expect_accelerations(double h) {
  constexpr double kResolved = 0.5;  // of (omega h)^2 / 2
  std::vector<Motion> begin = motion;
  const std::vector<double> swings = calc_swings();
  for (const IslandGroup& g : groups) {
    // turning about free axes would need what joints do about it, too
    for (const uint32_t b : g.order) motion[b] = {bodies[b].a, {}};
    bool known = true;
    for (uint32_t i = g.first_bound; i < g.first_bound + g.bounds; ++i) {
      const IslandRow& r = bounds[i];
      const bool spring = r.soft > 0 && !r.motor;
      if (!spring && r.low != r.high) continue;
      const double p = spring ? (r.rate - 2 * rate_in(r, begin)) / r.soft : r.low;
      double fast = 0;
      for (int e = 0; e < 2; ++e) {
        if (r.body[e] == kNoBody) continue;
        const IslandBody& b = bodies[r.body[e]];
        fast += swings[r.body[e]];
        motion[r.body[e]].v += (p / h * b.inv_mass) * r.f[e];
        motion[r.body[e]].w += (p / h) * (b.inv_I * r.t[e]);
      }
      if (spring && fast > kResolved) known = false;
    }
    project_group(g, false);
    for (const uint32_t b : g.order) {
      bodies[b].expected = known ? motion[b] : Motion{};
    }
    swings_known = swings_known && known;
  }
  motion = std::move(begin);
}

// How joints bend the ways of their bodies. Returns whether that is known of any.
bool Island::expect_bends(double h) {
  bool any = false;
  std::vector<Motion> bend;
  for (const IslandGroup& g : groups) {
    bend.assign(g.order.size(), {});
    if (g.joints == nullptr || !g.joints->calc_bend(bend)) continue;
    any = true;
    for (size_t i = 0; i < g.order.size(); ++i) {
      bodies[g.order[i]].bending = {(1 / h) * bend[i].v, (1 / h) * bend[i].w};
    }
  }
  return any;
}

// Whether a patch that closes along straight lines does not along those that joints bend, or so
// slowly, its speed mostly gone, that it is left to the contacts: a pendulum that just clears the
// floor. How joints bend a way turns with the bodies, by phi until a time t, so of speeds there
// half of a t phi is not known; nor are gaps of less than the slack.                         (3l)
bool Island::grazes(const IslandPatch& c, double h) const {
  constexpr double kMostlyGone = 0.5;
  const IslandBody &A = bodies[c.a], &B = bodies[c.b];
  const double turning = std::max(norm(motion[c.a].w), norm(motion[c.b].w));
  const double strength = std::sqrt(std::max(norm2(A.a), norm2(B.a)));
  for (uint32_t i = c.first; i < c.first + c.count; ++i) {
    const IslandPoint& x = points[i];
    const double gap = gap_of(c, x) + c.slack, rate = rate_of(c, x);
    const Hit straight = hit_of(A, B, c, x, gap, rate, 0, h);
    const double bend =
        dot(c.n, B.bending.v - A.bending.v) + dot(x.aB, B.bending.w) - dot(x.aA, A.bending.w);
    if (!straight.hits) {
      // others of its points are hit next: a side that lands flat
      if (gap + 2 * h * (rate + h * bend) < 0) return false;
      continue;
    }
    if (!(bend > 0)) return false;
    const double unknown = 0.5 * bend * straight.time * (turning * straight.time);
    const double slow =
        std::min(slow_approach(x.ease * strength, h, c.thin) + unknown, -kMostlyGone * rate);
    const Hit hit = find_hit(gap, rate, straight.acceleration + bend, slow, 0, h);
    if (hit.hits && rate + hit.acceleration * hit.time < -slow) return false;
  }
  return true;
}

// What moves together when a body is hit: a mechanism by its number, others by theirs behind these.
// None for what does not move.
std::optional<size_t> Island::mover_of(uint32_t body) const {
  const IslandBody& b = bodies[body];
  if (b.group != kNoGroup) return b.group;
  if (b.inv_mass > 0) return groups.size() + body;
  return std::nullopt;
}

// Divides patches that are hit at one moment into those that have to do with each other.
std::vector<std::vector<uint32_t>> Island::divide_moment(std::span<const TimedPatch> hits) const {
  std::vector<std::vector<uint32_t>> sets;
  std::vector<std::vector<size_t>> movers;
  for (const auto& [time, k] : hits) {
    std::vector<uint32_t> set{k};
    std::vector<size_t> own;
    for (const uint32_t b : {patches[k].a, patches[k].b}) {
      if (const std::optional<size_t> m = mover_of(b)) own.push_back(*m);
    }
    for (size_t i = sets.size(); i-- > 0;) {
      const bool shares = std::any_of(own.begin(), own.end(), [&](size_t m) {
        return std::find(movers[i].begin(), movers[i].end(), m) != movers[i].end();
      });
      if (!shares) continue;
      set.insert(set.begin(), sets[i].begin(), sets[i].end());
      own.insert(own.end(), movers[i].begin(), movers[i].end());
      sets.erase(sets.begin() + static_cast<std::ptrdiff_t>(i));
      movers.erase(movers.begin() + static_cast<std::ptrdiff_t>(i));
    }
    sets.push_back(std::move(set));
    movers.push_back(std::move(own));
  }
  return sets;
}

// A mechanism that lands on several feet is hit at all of them at once, (3i): one after the other
// they would turn it, whether they are apart, or touch and are pressed on by a hit elsewhere. What
// touches and goes on closing only once, but for a few that bounce well: crowds would be hit at
// once in every round. Nets, whose joints take turns with contacts, are hit patch by patch.
void Island::strike_moment(std::span<const TimedPatch> hits, std::span<const uint8_t> strikes,
                           const IslandSettings& settings) {
  double time = 0;
  const auto still_of = [&](std::span<const uint32_t> which) {
    const bool bounces = std::any_of(which.begin(), which.end(), [&](uint32_t k) {
      return patches[k].restitution >= kBouncesWell;
    });
    return bounces ? kExactHit : which.size() > 1 ? kRoughTogether : kRoughHit;
  };
  const auto lands = [&](uint32_t k) {
    const IslandPatch& c = patches[k];
    const auto waits = [&](uint32_t b) {
      return bodies[b].group != kNoGroup && !answers(bodies[b]);
    };
    return !waits(c.a) && !waits(c.b) && closes(c, settings.h, 0, time);
  };
  const auto touches = [&](uint32_t k) {
    return closes(patches[k], settings.h, 0, time) && !(time > clock_of(patches[k]));
  };
  std::vector<TimedPatch> landing;
  for (const TimedPatch& t : hits) {
    if (hits.size() > 1 && lands(t.second)) landing.push_back(t);
  }
  if (landing.size() > 1 && landing.size() <= kMostAtAMoment) {
    for (const std::vector<uint32_t>& set : divide_moment(landing)) {
      if (set.size() > kMostTogether) continue;
      const auto any = [&](auto&& is) { return std::any_of(set.begin(), set.end(), is); };
      const bool again = any([&](uint32_t k) { return touches(k) && strikes[k] > 1; });
      const bool bounces = any([&](uint32_t k) { return patches[k].restitution >= kBouncesWell; });
      if (again && !(bounces && set.size() <= kMostAgain)) continue;
      strike_all(set, settings, still_of(set));
    }
  }
  for (const auto& [when, k] : hits) {
    if (closes(patches[k], settings.h, 0, time)) strike(patches[k], settings, still_of({&k, 1}));
  }
}

// Whether one of the two sides of any of these patches is far heavier than the other, mechanisms as
// a whole. Not where joints take turns with contacts.
bool Island::is_overwhelmed(std::span<const uint32_t> which) const {
  const auto mass_of = [&](uint32_t b) {
    return bodies[b].group != kNoGroup ? groups[bodies[b].group].mass : bodies[b].mass;
  };
  const auto waits = [&](uint32_t b) { return bodies[b].group != kNoGroup && !answers(bodies[b]); };
  bool any = false;
  for (const uint32_t k : which) {
    const IslandPatch& c = patches[k];
    if (waits(c.a) || waits(c.b)) return false;
    if (!(bodies[c.a].inv_mass > 0 && bodies[c.b].inv_mass > 0)) continue;
    const double a = mass_of(c.a), b = mass_of(c.b);
    any =
        any || (mover_of(c.a) != mover_of(c.b) && std::max(a, b) > kOverwhelming * std::min(a, b));
  }
  return any;
}

// Patches that have been hit again and again and still close, each set with all that were hit with
// them and hang together with it, are stopped without restitution.                            (3d)
void Island::stop_hits(int pass, std::span<const uint8_t> strikes, const IslandSettings& settings) {
  std::vector<TimedPatch> often;
  for (uint32_t k = 0; k < patches.size(); ++k) {
    if (strikes[k] >= kHitWithIt) often.push_back({0, k});
  }
  double time = 0;
  for (const std::vector<uint32_t>& set : divide_moment(often)) {
    const auto any = [&](auto&& is) { return std::any_of(set.begin(), set.end(), is); };
    const auto bounces = [&](uint32_t k) { return patches[k].restitution >= kBouncesWell; };
    const auto goes_on = [&](uint32_t k) {
      return strikes[k] >= kOftenHit && closes(patches[k], settings.h, 0, time);
    };
    if (!any(goes_on) || (pass < kLastPasses && any(bounces)) || !is_overwhelmed(set)) continue;
    strike_all(set, settings, kRoughTogether, 0);
  }
}

double Island::most_led() const {
  double most = 0;
  for (const IslandGroup& g : groups) most = std::max(most, g.led);
  return most;
}

// Bodies that joints lead round are pressed together without any force: what their contacts did to
// the rates of their points in the last step they will do in this one, and no hit need. (2c)
void Island::calc_led(double h) {
  const double most = most_led();
  for (const IslandPatch& c : patches) {
    for (uint32_t k = 0; k < c.count; ++k) {
      double rate = 0;
      for (uint32_t j = 0; j < c.count && most > 0; ++j) {
        rate += answers_[c.answer + size_t{k} * c.rows + j] * points[c.first + j].pressed;
      }
      points[c.first + k].led = std::clamp(rate / h, 0.0, most);
    }
  }
}

bool Island::collide(const IslandSettings& settings) {
  bool any = false;
  std::vector<TimedPatch> order;
  std::vector<uint8_t> strikes(patches.size(), 0);  // passes in which each closed
  double time = 0;
  begin_collisions();
  calc_led(settings.h);
  if (may_bounce(settings.h)) expect_accelerations(settings.h);
  std::optional<bool> bends;  // whether ways are known to be bent; asked for when anything closes
  for (int pass = 0; pass < kMaxPasses; ++pass) {
    order.clear();
    for (uint32_t k = 0; k < patches.size(); ++k) {
      // what goes past the other does so unless something is hit
      if (patches[k].passes && !any) continue;
      if (!closes(patches[k], settings.h, 0, time)) continue;
      if (!any && !bends) bends = expect_bends(settings.h);
      if (!any && *bends && grazes(patches[k], settings.h)) continue;
      order.push_back({time, k});
    }
    if (order.empty()) break;
    for (const TimedPatch& t : order)
      strikes[t.second] = static_cast<uint8_t>(strikes[t.second] + 1);
    if (pass >= kOftenHit) stop_hits(pass, strikes, settings);
    std::sort(order.begin(), order.end());
    for (size_t i = 0, end = 0; i < order.size(); i = end) {
      for (end = i; end < order.size(); ++end) {
        if (order[end].first - order[i].first > kSameMoment * settings.h) break;
      }
      strike_moment(std::span(order).subspan(i, end - i), strikes, settings);
    }
    project_groups(true);
    any = true;
  }
  if (!any) return false;
  for (IslandPatch& c : patches) c.passes = false;
  move_gaps();
  return true;
}

}  // namespace tenon
