// Friction asks for velocities at the end of the step, where levers are no longer what they were at
// its begin: what sticks to something that turns would leave its circle along the tangent.
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
// On what does not turn balls need nothing: there levers stay as they are.
#include "tenon/engine/world/turning.h"

#include <algorithm>
#include <cmath>

namespace tenon {
namespace {

// Levers of moving bodies that would turn by more than this, rad, are not known beforehand: what
// tumbles will be turned otherwise by this very contact.
constexpr double kFarTurn = 0.25;
constexpr double kCorner = 1e6;  // 1/m, for infinite
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

template <class Flat>
Curvature curvature_of(const Flat&, const Vec3&, const Vec3&) {
  return {};
}

struct Tangents {
  double a = 0, b = 0, c = 0;  // symmetric: t1 t1, t1 t2, t2 t2

  void add(const Curvature& k, const IslandPatch& p, const Mat3& R) {
    const Vec3 e = R * k.along;
    const double x = dot(p.t1, e), y = dot(p.t2, e);
    a += k.k * x * x + k.across * y * y;
    b += (k.k - k.across) * x * y;
    c += k.k * y * y + k.across * x * x;
  }
  // The least solution of K s = u: nothing along which both are flat. A matrix of rank one has only
  // its trace as an eigenvalue.
  Vec3 solve(const IslandPatch& p, const Vec3& u) const {
    constexpr double kFlat = 1e-9;
    const double x = dot(p.t1, u), y = dot(p.t2, u), trace = a + c, det = a * c - b * b;
    if (det > kFlat * trace * trace) {
      return ((c * x - b * y) / det) * p.t1 + ((a * y - b * x) / det) * p.t2;
    }
    const double scale = 1 / (trace * trace);
    return (scale * (a * x + b * y)) * p.t1 + (scale * (b * x + c * y)) * p.t2;
  }
};

class LeverTurner {
 public:
  LeverTurner(const StepContext& context, const WorldData& data, const IslandWork& w)
      : context_(context), data_(data), w_(w) {}

  Vec3 rate_of(const IslandPatch& p) const;

 private:
  struct Side {
    uint32_t body;
    Vec3 r;
    Motion end;  // as far as it is known: of bodies that are moved, and of others at the begin
    Vec3 turn;   // rad, over the step
  };
  Side side_of(uint32_t body, const Vec3& r) const;
  Vec3 rolling_speed(const IslandPatch& p, const Vec3& w) const;
  Vec3 shift_of(const Side& side, const Vec3& way) const;
  bool moves(const Side& side) const { return w_.island.bodies[side.body].inv_mass > 0; }
  bool is_fixed(const Side& side) const { return !moves(side) && side.turn == Vec3{}; }
  // Rather than one about a corner on the other: that rocks, and turns as its next corner says.
  static bool turn_together(const Side& a, const Side& b) {
    return norm2(b.turn - a.turn) <= 0.25 * std::max(norm2(a.turn), norm2(b.turn));
  }
  bool presses(const IslandPatch& p) const;
  bool is_far(const Side& side, const Vec3& shift, const Vec3& way) const;

  const StepContext& context_;
  const WorldData& data_;
  const IslandWork& w_;
};

LeverTurner::Side LeverTurner::side_of(uint32_t body, const Vec3& r) const {
  const uint32_t slot = w_.island.bodies[body].slot;
  const Motion& u = w_.island.motion[body];
  if (w_.island.bodies[body].inv_mass > 0) return {body, r, u, context_.h * u.w};
  if (data_.info[slot].motion != MotionKind::kKinematic || data_.frozen[slot] != 0) {
    return {body, r, {}, {}};
  }
  const BodyState& end = data_.state[slot];
  const Quat turn = end.q_WB * conjugate(w_.begin[body].q_WB);
  return {body, r, {end.v_WC, end.w_WB}, log_map(normalized(turn))};
}

// s of (6b), w = w_b - w_a.
Vec3 LeverTurner::rolling_speed(const IslandPatch& p, const Vec3& w) const {
  const Contact& contact = data_.contacts[p.contact];
  Tangents sum;
  bool round = false;
  const auto add = [&](uint32_t collider, uint32_t body, const Vec3& r) {
    const Collider& c = data_.colliders[collider];
    const Transform X = collider_transform(w_.begin[body], c);
    const Vec3 n = transpose(X.R) * p.n, at = transpose(X.R) * (w_.begin[body].x_WC + r - X.p);
    const Curvature k =
        std::visit([&](const auto& shape) { return curvature_of(shape, n, at); }, c.shape);
    round = round || (k.k > 0 && k.k < kCorner);
    sum.add(k, p, X.R);
  };
  add(contact.collider_a, p.a, p.rA);
  add(contact.collider_b, p.b, p.rB);
  return round ? sum.solve(p, cross(w, p.n)) : Vec3{};
}

// d of (6a). What rolls: to first order, so that levers of balls stay as they are to the last
// digit.
Vec3 LeverTurner::shift_of(const Side& side, const Vec3& way) const {
  if (!(way == Vec3{})) return cross(side.turn, side.r) + way;
  return side.turn == Vec3{} ? Vec3{} : rotate(exp_map(side.turn), side.r) - side.r;
}

// What has just landed will turn otherwise.
bool LeverTurner::presses(const IslandPatch& p) const {
  const auto first = w_.island.points.begin() + p.first;
  return std::any_of(first, first + p.count, [](const IslandPoint& x) { return x.p > 0; });
}

bool LeverTurner::is_far(const Side& side, const Vec3& shift, const Vec3& way) const {
  return moves(side) && norm(shift) > kFarTurn * norm(side.r) + norm(way);
}

Vec3 LeverTurner::rate_of(const IslandPatch& p) const {
  const Side a = side_of(p.a, p.rA), b = side_of(p.b, p.rB);
  if (is_fixed(a) || is_fixed(b)) return {};
  // what a script turns by more may have gone round the other way
  constexpr double kWholeTurn = 1;
  if (context_.h * std::max(norm(a.end.w), norm(b.end.w)) > kWholeTurn) return {};
  const Vec3 way = rolling_speed(p, b.turn - a.turn);
  const bool lasts = presses(p) && (!(way == Vec3{}) || turn_together(a, b));
  const auto shift = [&](const Side& side) {
    return lasts || !moves(side) ? shift_of(side, way) : Vec3{};
  };
  const Vec3 shift_a = shift(a), shift_b = shift(b);
  if (is_far(a, shift_a, way) || is_far(b, shift_b, way)) return {};
  return cross(a.end.w, shift_a) - cross(b.end.w, shift_b);
}

}  // namespace

void turn_levers(const StepContext& context, const WorldData& data, IslandWork& w) {
  const LeverTurner turner(context, data, w);
  for (IslandPatch& p : w.island.patches) {
    const Vec3 rate = turner.rate_of(p);
    p.turning = {0, dot(p.t1, rate), dot(p.t2, rate)};
  }
}

}  // namespace tenon
