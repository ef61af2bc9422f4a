// Contacts ask for velocities at the end of the step, where levers and normals are no longer what
// they were at its begin: what lies on something that turns would leave its circle along the
// tangent.
//
// At the end of the step the touching points of a and b, at the levers r_a + d_a and r_b + d_b, do
// not slip:
//   v_b + w_b x (r_b + d_b) - v_a - w_a x (r_a + d_a) = 0,
// so at the levers of the begin friction aims at the rate
//   u = w_a x d_a - w_b x d_b                                                                  (6a)
// of b against a. Levers of what sticks turn with the bodies, d = (R - 1) r. Where surfaces roll on
// each other the contact goes over both of them at the speed s [Montana1988],
//   (K_a + K_b) s = (w_b - w_a) x n,   d = h (w x r + s)                                       (6b)
// with their curvatures K: none for d_b of a ball on a plane, however it rolls. Flat against flat,
// and corners, for which K is infinite: s = 0.
//
// Where that course is known, impulses act at levers and along directions of the middle of the
// step, and the normal rates are those of its end. With the slip c of b against a the point goes
// over a at s_a = s + c/2 and over b at s_b = s - c/2,
//   (K_a + K_b) s = (w_b - w_a) x n - (K_a - K_b) c/2,   d = h (w x r + s_a or s_b),
//   n' = w_a x n + K_a s_a = w_b x n - K_b s_b                                               (6d)
// and with n_m, r_m of the middle and n_1 of the end, d from there on,
//   n_m . u >= least + n_m . (w_a x d_a - w_b x d_b) - (n_1 - n_m) . c                         (6e)
//
// Balls on what does not turn need nothing: there levers and normals stay as they are.
#include "tenon/engine/world/turning.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tenon {
namespace {

// Levers of moving bodies that would turn by more than this, rad, are not known beforehand: what
// tumbles will be turned otherwise by this very contact.
constexpr double kFarTurn = 0.25;
constexpr double kHardlyTurns = 1e-4;  // rad: levers of less stay as they are
// How far the turns of two bodies may differ, of the larger one: for friction, and to be as one.
constexpr double kTogether = 0.5, kAsOne = 0.05;
constexpr double kCorner = 1e6;  // 1/m, for infinite
// Less curved than this, of what a surface is curved at most or of its inverse lever, is flat.
// Along what both are nothing rolls: cylinders side by side rock on each other, where the place at
// which they cross goes along them at any speed. (sin^2 of half their angle, for equal ones.)
constexpr double kFlat = 0.1;
// Cosines of the angle between a normal and the axis of a cylinder: its side, its faces.
constexpr double kSide = 1e-2, kFace = 1 - 1e-3;
constexpr double kAlongFace = 1 - 1e-9;  // of a box

// Curvature of a surface, 1/m: `k` along the unit tangent `along`, `across` at right angles to it.
struct Curvature {
  Vec3 along;
  double k = 0, across = 0;
};

// Of a cylinder or the side of a capsule: along its axis, and as circles that normals meet at a
// slant are seen by them (Meusnier).
Curvature curvature_of(const Cylinder& c, const Vec3& n, const Vec3&) {
  const double round = std::sqrt(n.x * n.x + n.z * n.z), slant = std::fabs(n.y);
  if (slant > kFace) return {};
  const Vec3 along{n.z / round, 0, -n.x / round};
  return {along, round / c.radius, slant < kSide ? 0 : kCorner};
}

Curvature curvature_of(const Capsule& c, const Vec3& n, const Vec3& p) {
  const double k = 1 / c.radius;
  if (std::fabs(p.y) >= c.half_length) return {any_orthogonal(n), k, k};
  return {normalized(cross(n, Vec3{0, 1, 0})), k, 0};
}

Curvature curvature_of(const Sphere& s, const Vec3& n, const Vec3&) {
  return {any_orthogonal(n), 1 / s.radius, 1 / s.radius};
}

// Balls that roll over an edge turn about it.
Curvature curvature_of(const Box&, const Vec3& n, const Vec3&) {
  const double most = std::max({std::fabs(n.x), std::fabs(n.y), std::fabs(n.z)});
  if (most > kAlongFace) return {};
  return {any_orthogonal(n), kCorner, kCorner};
}

Curvature curvature_of(const Hull& h, const Vec3& n, const Vec3& p) {
  const Vec3 out = dot(n, p - h.geometry->centroid) < 0 ? -n : n;
  const auto lies_on = [&](const HullGeometry::Face& f) { return dot(f.normal, out) > kAlongFace; };
  const std::vector<HullGeometry::Face>& faces = h.geometry->faces;
  if (std::any_of(faces.begin(), faces.end(), lies_on)) return {};
  return {any_orthogonal(n), kCorner, kCorner};
}

template <class Flat>
Curvature curvature_of(const Flat&, const Vec3&, const Vec3&) {
  return {};
}

// Curvatures of both surfaces in the tangents of a patch.
struct Tangents {
  double a = 0, b = 0, c = 0;  // symmetric: t1 t1, t1 t2, t2 t2

  void add(const Curvature& k, const IslandPatch& p, const Mat3& R) {
    const Vec3 e = R * k.along;
    const double x = dot(p.t1, e), y = dot(p.t2, e);
    a += k.k * x * x + k.across * y * y;
    b += (k.k - k.across) * x * y;
    c += k.k * y * y + k.across * x * x;
  }
  Vec3 times(const IslandPatch& p, const Vec3& u) const {
    const double x = dot(p.t1, u), y = dot(p.t2, u);
    return (a * x + b * y) * p.t1 + (b * x + c * y) * p.t2;
  }
  double along(double x, double y) const { return a * x * x + 2 * b * x * y + c * y * y; }
  // The larger principal curvature.
  double large() const {
    const double half = 0.5 * (a + c);
    return half + std::sqrt(std::max(half * half - (a * c - b * b), 0.0));
  }
};
Tangents operator+(const Tangents& k, const Tangents& l) {
  return {k.a + l.a, k.b + l.b, k.c + l.c};
}
Tangents operator-(const Tangents& k, const Tangents& l) {
  return {k.a - l.a, k.b - l.b, k.c - l.c};
}

// Of two surfaces on each other: along which unit tangent both are flat, if along any.
struct FlatLine {
  bool any = false;
  double x = 0, y = 0;  // along t1, t2
};
FlatLine find_flat(const Tangents& Ka, const Tangents& Kb, double inv_lever) {
  const Tangents K = Ka + Kb;
  const double large = K.large();
  if (!(large > 0)) return {true, 1, 0};
  // across the direction that is curved most: the longer row of K - large
  const double small = (K.a * K.c - K.b * K.b) / large;
  const bool first = std::fabs(K.a - small) > std::fabs(K.c - small);
  double x = first ? -K.b : K.c - small, y = first ? K.a - small : -K.b;
  const double length = std::sqrt(x * x + y * y);
  x = length > 0 ? x / length : 1;
  y = length > 0 ? y / length : 0;
  const auto is_flat = [&](const Tangents& k) {
    return k.along(x, y) <= kFlat * std::min(k.large(), inv_lever);
  };
  return {is_flat(Ka) && is_flat(Kb), x, y};
}

// The solution of K s = u across what both are flat along: nothing goes along that.
Vec3 solve_across(const Tangents& K, const FlatLine& flat, const IslandPatch& p, const Vec3& u) {
  const double x = dot(p.t1, u), y = dot(p.t2, u), det = K.a * K.c - K.b * K.b;
  if (!flat.any) {
    return ((K.c * x - K.b * y) / det) * p.t1 + ((K.a * y - K.b * x) / det) * p.t2;
  }
  const double ex = -flat.y, ey = flat.x, s = (ex * x + ey * y) / K.large();
  return (s * ex) * p.t1 + (s * ey) * p.t2;
}

class LeverTurner {
 public:
  LeverTurner(const StepContext& context, const WorldData& data, IslandWork& w)
      : context_(context), data_(data), w_(w), touched_(w.island.bodies.size(), kNoBody) {
    for (const IslandPatch& p : w.island.patches) {
      if (!presses(p)) continue;
      touch(p.a, p.b);
      touch(p.b, p.a);
    }
  }

  void turn(IslandPatch& p);

 private:
  struct Side {
    uint32_t body;
    Vec3 r;
    Motion end;  // as far as it is known: of bodies that are moved, and of others at the begin
    Vec3 turn;   // rad, over the step
    Vec3 shift;  // of the lever, over the step
  };
  // Where the touching point goes over both surfaces, and how fast the normal turns.
  struct Course {
    Tangents Ka, Kb;
    Vec3 over_a, over_b;  // m/s
    Vec3 normal;          // 1/s
    bool rolls = false;
    FlatLine flat;  // of what rolls
  };
  void touch(uint32_t body, uint32_t other) {
    uint32_t& t = touched_[body];
    t = t == kNoBody || t == other ? other : body;
  }
  Side side_of(uint32_t body, const Vec3& r) const;
  Vec3 slip_of(const IslandPatch& p) const;
  Course course_of(const IslandPatch& p) const;
  void follow(Course& course, const IslandPatch& p, Side& a, Side& b, const Vec3& slip) const;
  void shift_lever(Side& side, const Vec3& over, bool rolls) const;
  void turn_whole(IslandPatch& p, const Side& a, const Side& b, const Vec3& n_end);
  bool moves(const Side& side) const { return w_.island.bodies[side.body].inv_mass > 0; }
  bool is_fixed(const Side& side) const { return !moves(side) && side.turn == Vec3{}; }
  // Rather than one about a corner on the other: that rocks, and turns as its next corner says.
  static bool turn_together(const Side& a, const Side& b, double apart) {
    return norm(b.turn - a.turn) <= apart * std::max(norm(a.turn), norm(b.turn));
  }
  // The same for what rolls across a line: cylinders, which rock on an end if they leave that.
  static bool rocks(const Course& course, const IslandPatch& p, const Side& a, const Side& b) {
    if (!course.flat.any) return false;
    const Vec3 line = course.flat.x * p.t1 + course.flat.y * p.t2;
    return std::fabs(dot(line, cross(b.turn - a.turn, p.n))) >
           kAsOne * std::max(norm(a.turn), norm(b.turn));
  }
  // Its joints and limits may not let them go where they are asked to.
  bool of_one_mechanism(const IslandPatch& p) const {
    const uint32_t group = w_.island.bodies[p.a].group;
    return group != kNoGroup && group == w_.island.bodies[p.b].group;
  }
  // What rolls by itself on something that others lead, or that stands: joints, and what else it
  // touches, would lead it elsewhere in this very step.
  bool is_loose(const Side& side) const {
    return moves(side) && w_.island.bodies[side.body].group == kNoGroup;
  }
  bool rolls_alone(const Side& side, const Side& on) const {
    return is_loose(side) && touched_[side.body] == on.body && !is_loose(on);
  }
  bool is_bent(const Side& side) const {
    const uint32_t group = w_.island.bodies[side.body].group;
    return group != kNoGroup && moves(side) && !w_.island.groups[group].bend.empty();
  }
  void turn_bent(IslandPatch& p, const Side& a, const Side& b, bool rolls);
  bool presses(const IslandPatch& p) const;
  bool is_far(const Side& side, const Vec3& over) const;
  bool turns_round(const Side& side, const Course& course) const;
  bool is_noticed(const IslandPatch& p, const Side& a, const Side& b, const Vec3& n_end) const;

  const StepContext& context_;
  const WorldData& data_;
  IslandWork& w_;
  // by body: the other one of all patches of it that press; itself where these are several
  std::vector<uint32_t> touched_;
};

LeverTurner::Side LeverTurner::side_of(uint32_t body, const Vec3& r) const {
  const uint32_t slot = w_.island.bodies[body].slot;
  const Motion& u = w_.island.motion[body];
  if (w_.island.bodies[body].inv_mass > 0) return {body, r, u, context_.h * u.w, {}};
  if (data_.info[slot].motion != MotionKind::kKinematic || data_.frozen[slot] != 0) {
    return {body, r, {}, {}, {}};
  }
  const BodyState& end = data_.state[slot];
  const Quat turn = end.q_WB * conjugate(w_.begin[body].q_WB);
  return {body, r, {end.v_WC, end.w_WB}, log_map(normalized(turn)), {}};
}

// Of b against a, along the surfaces, at the begin of the step. The island has means over the step
// for bodies that are moved, which turn as well.
Vec3 LeverTurner::slip_of(const IslandPatch& p) const {
  const auto velocity = [&](uint32_t b, const Vec3& r) {
    const BodyState& s = w_.begin[b];
    const bool moved = !(w_.island.bodies[b].inv_mass > 0);
    const Motion u = moved ? Motion{s.v_WC, s.w_WB} : w_.island.motion[b];
    return u.v + cross(u.w, r);
  };
  const Vec3 u = velocity(p.b, p.rB) - velocity(p.a, p.rA);
  return u - dot(p.n, u) * p.n;
}

LeverTurner::Course LeverTurner::course_of(const IslandPatch& p) const {
  const Contact& contact = data_.contacts[p.contact];
  Course course;
  const auto add = [&](Tangents& K, uint32_t collider, uint32_t body, const Vec3& r) {
    const Collider& c = data_.colliders[collider];
    const Transform X = collider_transform(w_.begin[body], c);
    const Vec3 n = transpose(X.R) * p.n, at = transpose(X.R) * (w_.begin[body].x_WC + r - X.p);
    const Curvature k =
        std::visit([&](const auto& shape) { return curvature_of(shape, n, at); }, c.shape);
    course.rolls = course.rolls || (k.k > 0 && k.k < kCorner);
    K.add(k, p, X.R);
  };
  add(course.Ka, contact.collider_a, p.a, p.rA);
  add(course.Kb, contact.collider_b, p.b, p.rB);
  if (!course.rolls) return course;
  const auto lever = [&](uint32_t body, const Vec3& r) {
    return w_.island.bodies[body].inv_mass > 0 ? norm(r) : 0;
  };
  const double longer = std::max(lever(p.a, p.rA), lever(p.b, p.rB));
  course.flat = find_flat(course.Ka, course.Kb, longer > 0 ? 1 / longer : kCorner);
  return course;
}

// (6b), (6d). Along what both are flat the point goes on in the middle between them.
void LeverTurner::follow(Course& course, const IslandPatch& p, Side& a, Side& b,
                         const Vec3& slip) const {
  const Tangents &Ka = course.Ka, &Kb = course.Kb;
  const double inv_h = 1 / context_.h;
  const Vec3 half = 0.5 * slip;
  Vec3 mean;
  if (course.rolls) {
    const Vec3 w = inv_h * (b.turn - a.turn);
    mean = solve_across(Ka + Kb, course.flat, p, cross(w, p.n) - (Ka - Kb).times(p, half));
  }
  course.over_a = mean + half;
  course.over_b = mean - half;
  course.normal = (0.5 * inv_h) * cross(a.turn + b.turn, p.n);
  if (course.rolls) {
    course.normal += 0.5 * (Ka.times(p, course.over_a) - Kb.times(p, course.over_b));
  }
  shift_lever(a, course.over_a, course.rolls);
  shift_lever(b, course.over_b, course.rolls);
}

// d of (6a) to (6d). What rolls: to first order, so that levers of balls stay as they are to the
// last digit.
void LeverTurner::shift_lever(Side& side, const Vec3& over, bool rolls) const {
  const Vec3 along = context_.h * over;
  if (rolls) {
    side.shift = cross(side.turn, side.r) + along;
  } else {
    side.shift = along;
    if (!(side.turn == Vec3{})) side.shift += rotate(exp_map(side.turn), side.r) - side.r;
  }
}

// What has just landed will turn otherwise.
bool LeverTurner::presses(const IslandPatch& p) const {
  const auto first = w_.island.points.begin() + p.first;
  return std::any_of(first, first + p.count, [](const IslandPoint& x) { return x.p > 0; });
}

bool LeverTurner::is_far(const Side& side, const Vec3& over) const {
  return moves(side) && norm(side.shift) > kFarTurn * norm(side.r) + context_.h * norm(over);
}

// What a script turns by more than a radian may have gone round the other way; wheels and balls
// that roll may go round as they like.
bool LeverTurner::turns_round(const Side& side, const Course& course) const {
  return (!course.rolls || !moves(side)) && context_.h * norm(side.end.w) > 1;
}

// Balls on what does not turn, and what hardly moves, need nothing.
bool LeverTurner::is_noticed(const IslandPatch& p, const Side& a, const Side& b,
                             const Vec3& n_end) const {
  const auto turns = [&](const Side& s) {
    return norm(s.turn) > kHardlyTurns && norm(s.shift) > kHardlyTurns * norm(s.r);
  };
  return norm(n_end - p.n) > kHardlyTurns || turns(a) || turns(b);
}

void LeverTurner::turn(IslandPatch& p) {
  p.turning = {};
  for (uint32_t k = 0; k < p.count; ++k) w_.island.points[p.first + k].turning = 0;
  Side a = side_of(p.a, p.rA), b = side_of(p.b, p.rB);
  if (is_fixed(a) && is_fixed(b)) return;
  Course course = course_of(p);
  if (turns_round(a, course) || turns_round(b, course)) return;
  const bool pressed = presses(p);
  const bool as_one = course.rolls
                          ? (rolls_alone(a, b) || rolls_alone(b, a)) && !rocks(course, p, a, b)
                          : turn_together(a, b, kAsOne);
  bool far = false;
  if (w_.foreseen && pressed && as_one && !of_one_mechanism(p)) {
    follow(course, p, a, b, slip_of(p));
    const Vec3 n_end = course.rolls ? normalized(p.n + context_.h * course.normal)
                                    : rotate(exp_map(0.5 * (a.turn + b.turn)), p.n);
    far = is_far(a, course.over_a) || is_far(b, course.over_b) || norm(n_end - p.n) > kFarTurn;
    if (!far && is_noticed(p, a, b, n_end)) return turn_whole(p, a, b, n_end);
  }
  follow(course, p, a, b, {});
  turn_bent(p, a, b, course.rolls);
  if (far || is_fixed(a) || is_fixed(b)) return;
  if (is_far(a, course.over_a) || is_far(b, course.over_b)) return;
  const bool lasts = pressed && (course.rolls || turn_together(a, b, kTogether));
  const auto shift = [&](const Side& s) { return lasts || !moves(s) ? s.shift : Vec3{}; };
  const Vec3 rate = (is_bent(a) ? Vec3{} : cross(a.end.w, shift(a))) -
                    (is_bent(b) ? Vec3{} : cross(b.end.w, shift(b)));
  p.turning.y += dot(p.t1, rate);
  p.turning.z += dot(p.t2, rate);
}

// Bodies whose ways joints bend have the velocities of the end of the step: at levers of its begin
// these are those of no point, and the rate of one beside a hinge would be anything. Levers of what
// rolls stay behind, as in (6b).
void LeverTurner::turn_bent(IslandPatch& p, const Side& a, const Side& b, bool rolls) {
  if (!is_bent(a) && !is_bent(b)) return;
  const auto rate_at = [&](const Side& s, const Vec3& r) {
    if (!is_bent(s)) return Vec3{};
    return cross(s.end.w, rolls ? s.shift : rotate(exp_map(s.turn), r) - r);
  };
  const Vec3 rate = rate_at(a, p.rA) - rate_at(b, p.rB);
  p.turning = {0, dot(p.t1, rate), dot(p.t2, rate)};
  const Manifold& manifold = data_.contacts[p.contact].manifold;
  for (uint32_t k = 0; k < p.count; ++k) {
    const Vec3 at = manifold.points[k].p_W;
    w_.island.points[p.first + k].turning =
        dot(p.n, rate_at(a, at - w_.begin[p.a].x_WC) - rate_at(b, at - w_.begin[p.b].x_WC));
  }
}

// Levers and directions of the middle of the step; rates at its end, (6e).
void LeverTurner::turn_whole(IslandPatch& p, const Side& a, const Side& b, const Vec3& n_end) {
  Island& island = w_.island;
  const Contact& contact = data_.contacts[p.contact];
  const Vec3 n_begin = p.n, slip = slip_of(p), drift = p.drift.y * p.t1 + p.drift.z * p.t2;
  const Vec3 wa = a.end.w, wb = b.end.w;
  // what the points are from their middle turns with the bodies
  const Quat half = exp_map(0.25 * (a.turn + b.turn));
  p.n = normalized(n_begin + n_end);
  p.t1 = normalized(rotate(half, p.t1) - dot(p.n, rotate(half, p.t1)) * p.n);
  p.t2 = cross(p.n, p.t1);
  p.drift = {0, dot(p.t1, drift), dot(p.t2, drift)};
  const auto rate_at = [&](const Vec3& from_middle) {
    const Vec3 more = rotate(half, from_middle) - from_middle;
    return cross(wa, 0.5 * a.shift + more) - cross(wb, 0.5 * b.shift + more);
  };
  const Vec3 rate = rate_at({}), tilt = n_end - p.n;
  p.turning = {0, dot(p.t1, rate), dot(p.t2, rate)};
  for (uint32_t k = 0; k < p.count; ++k) {
    IslandPoint& x = island.points[p.first + k];
    const ContactPoint& from = contact.manifold.points[k];
    const Vec3 apart = (0.5 * std::max(from.distance, 0.0)) * n_begin + 0.5 * contact.slip_W;
    const Vec3 at_a = from.p_W - apart - w_.begin[p.a].x_WC - p.rA;
    const Vec3 at_b = from.p_W + apart - w_.begin[p.b].x_WC - p.rB;
    x.aA = cross(p.rA + 0.5 * a.shift + rotate(half, at_a), p.n);
    x.aB = cross(p.rB + 0.5 * b.shift + rotate(half, at_b), p.n);
    const Vec3 at = rotate(half, 0.5 * (at_a + at_b));
    x.turning = dot(p.n, rate_at(at)) - dot(tilt, slip + cross(wb - wa, at));
  }
  p.rA += 0.5 * a.shift;
  p.rB += 0.5 * b.shift;
  island.prepare_again(p);
}

}  // namespace

void turn_levers(const StepContext& context, const WorldData& data, IslandWork& w) {
  LeverTurner turner(context, data, w);
  for (IslandPatch& p : w.island.patches) turner.turn(p);
}

}  // namespace tenon
