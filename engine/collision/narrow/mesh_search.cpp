#include "tenon/engine/collision/narrow/mesh_search.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/collision/narrow/detail/prober.h"
#include "tenon/engine/math/elementary.h"

namespace tenon::narrow {
namespace {

// rad: so far beyond the cone of its own normals a point may still be pushed; less than a right
// angle, so that the two sides of a sheet never answer for one another.
constexpr double kBesideCone = 1.3;
constexpr double kOpposite = -0.5;  // cosine
constexpr double kNoGap = 1e300;

// Whether a point whose outward normals are those of the cone is pushed along -toward, as closed
// surfaces are that touch from outside.
bool faces(const Vec3& own, double cone, const Vec3& toward) {
  const double widest = cone + kBesideCone;
  return widest >= kHalfTurn || dot(own, toward) > cos(widest);
}

// Way back along `own` from a point inside of the target to where it came in, if it is no longer
// than `most`; else -1.
double trace_back(const Target& target, const Vec3& q, const Vec3& own, double first, double most) {
  constexpr int kSteps = 48;
  const double least = std::max(target.error(), 1e-3 * std::fabs(first));
  double way = std::max(std::fabs(first), least);
  for (int i = 0; i < kSteps && way < most; ++i) {
    const double d = target.calc_distance(q - way * own, way);
    if (d >= 0) return way;
    way += std::max(-d, least);
  }
  return -1;
}

}  // namespace

// Whether the points within `radius` of q, which is `distance` away, come near the target nowhere
// on their way d: distance changes by no more than the way, so on it
//   least >= (distance(q) + distance(q + d) - |d|) / 2                                   (1)
// and points beside q, and ways that turning bends, are off by little.
bool Prober::passes_by(const Vec3& q, double radius, double distance) const {
  const double slop = radius * (1 + turning_) + near_;
  if (distance <= slop) return false;
  const Vec3 way = shift_ + cross(turn_, q);
  const double length = norm(way), bend = 0.5 * turning_ * length;
  if (distance - length > slop + bend) return true;
  const double later = to_.target.calc_bound(q + way, 2 * (slop + bend) + length);
  return 0.5 * (distance + later - length) > slop + bend;
}

Candidate Prober::make(const Vec3& q_T, const DistanceField::Sample& d, const Vec3& own_T,
                       double cone, uint32_t feature) const {
  Candidate c;
  const Vec3 out = normalized(d.gradient, -own_T);
  c.p = to_.X_PS * q_T;
  c.gap = d.distance;
  c.feature = feature | (prober_ == 1 ? kOfB : 0);
  c.prober = static_cast<uint8_t>(prober_);
  c.own = to_.X_PS.R * own_T;
  c.cone = cone;
  Vec3 toward = -out;
  if (!faces(own_T, cone, toward)) {
    // past the middle of something thin it goes on the way it came; what only stands beside a
    // contact, or lies on the far side of something thin itself, is none
    const bool came = dot(own_T, shift_ + cross(turn_, q_T)) > 0;
    const bool through = came && dot(own_T, toward) < kOpposite;
    const double way =
        through ? trace_back(to_.target, q_T, own_T, d.distance, kMostThrough * pair_.tiny) : -1;
    c.through = true;
    toward = own_T;
    c.gap = way < 0 ? kNoGap : -way;
  }
  c.n = to_.X_PS.R * (prober_ == 0 ? toward : -toward);
  return c;
}

void Prober::visit(const MeshSamples& samples, int point) {
  const MeshSamples::Point& x = samples.points[point];
  const Vec3 q = X_TS_ * x.p;
  const DistanceField::Sample d = to_.target.find(q, reach_);
  if (d.distance > reach_ || passes_by(q, 0, d.distance)) return;
  const Vec3 own = X_TS_.R * x.normal;
  // a point outside whose own surface looks away belongs to the far side of something thin
  if (d.distance > 0 && !faces(own, x.cone, -normalized(d.gradient, -own))) return;
  Candidate c = make(q, d, own, x.cone, static_cast<uint32_t>(point));
  if (c.gap > reach_) return;
  c.sample = &x;
  c.triangle = x.triangle;
  c.corner = x.corner;
  if (x.edge >= 0) {
    const MeshGeometry& g = *from_.target.mesh();
    const MeshTriangle& t = g.triangles[x.triangle];
    c.edge = from_.X_PS.R * normalized(g.vertices[t[(x.edge + 1) % 3]] - g.vertices[t[x.edge]], {});
  }
  out_.push_back(c);
}

namespace {

// What goes farther in a step than this, of the thinner shape, is looked for along its way; slower
// ones, and samples that are so much farther than the reach, are remembered.
constexpr double kSlow = 0.04, kBeyond = 0.06;

}  // namespace

// Culled by spheres: no point within `radius` of a centre is nearer than its distance less that.
void Prober::run(const MeshSamples& samples, ProbeMemory* memory) {
  if (samples.nodes.empty()) return;
  // which of the two ways, is a matter of the state alone, and so are the points that are found
  if (is_slow(samples)) {
    ProbeMemory none;
    ProbeMemory& known = memory != nullptr ? *memory : none;
    const MeshSamples::Node& root = samples.nodes[0];
    const double slop = 1e-9 * root.radius, far = to_.target.outer(reach_) + to_.target.error();
    double way = known.within < 0 ? 0 : calc_way_since(root, known) + slop;
    if (known.within < far + way) {
      remember(samples, memory != nullptr ? kBeyond : 0, known);
      way = slop;
    }
    for (const ProbeMemory::Near& x : known.list) {
      if (x.distance <= far + way) visit(samples, x.sample);
    }
    return;
  }
  const auto leave_out = [&](const MeshSamples::Node& node) {
    const double within = reach_ + node.radius;
    const Vec3 centre = X_TS_ * node.centre;
    const double distance = to_.target.calc_bound(centre, within);
    return distance > within || passes_by(centre, node.radius, distance);
  };
  visit_samples(samples, leave_out, [&](int i) { visit(samples, i); });
}

bool Prober::is_slow(const MeshSamples& samples) const {
  if (to_.target.outer(reach_) > kMostThrough * pair_.tiny) return false;
  const MeshSamples::Node& root = samples.nodes[0];
  const double way = norm(shift_ + cross(turn_, X_TS_ * root.centre)) + turning_ * root.radius;
  return way < kSlow * kMostThrough * pair_.tiny;
}

// How far any sample has gone in the target's frame: two rotations differ by the largest singular
// value of their difference, 1/sqrt(2) of its Frobenius norm.
double Prober::calc_way_since(const MeshSamples::Node& root, const ProbeMemory& memory) const {
  double sum = 0;
  for (int k = 0; k < 3; ++k) sum += norm2(X_TS_.R.column(k) - memory.X_TS.R.column(k));
  return norm(X_TS_ * root.centre - memory.X_TS * root.centre) + std::sqrt(0.5 * sum) * root.radius;
}

// Lists what is near, and farther by `beyond` of the thinner shape; `within` is the nearest of all
// that is not.
void Prober::remember(const MeshSamples& samples, double beyond, ProbeMemory& memory) const {
  const double slop = 1e-8 * samples.nodes[0].radius + beyond * kMostThrough * pair_.tiny;
  const double far = to_.target.outer(reach_) + to_.target.error() + slop;
  memory.X_TS = X_TS_;
  memory.list.clear();
  double nearest = kNoGap;
  const auto leave_out = [&](const MeshSamples::Node& node) {
    const double least =
        to_.target.calc_bound(X_TS_ * node.centre, far + node.radius) - node.radius;
    if (!(least > far)) return false;
    nearest = std::min(nearest, least);
    return true;
  };
  visit_samples(samples, leave_out, [&](int i) {
    const double least = to_.target.calc_bound(X_TS_ * samples.points[i].p, far);
    if (least > far) {
      nearest = std::min(nearest, least);
    } else {
      memory.list.push_back({i, least});
    }
  });
  memory.within = nearest;
}

void Prober::add(const Vec3& p_S, const Vec3& own_S, double cone, uint32_t feature) {
  const Vec3 q = X_TS_ * p_S;
  if (to_.target.calc_distance(q, reach_) > reach_) return;
  const DistanceField::Sample d = to_.target.find(q, reach_);
  if (d.distance > reach_ || passes_by(q, 0, d.distance)) return;
  const Vec3 own = X_TS_.R * own_S;
  if (d.distance > 0 && !faces(own, cone, -normalized(d.gradient, -own))) return;
  const Candidate c = make(q, d, own, cone, feature | kOfConvex);
  if (c.gap <= reach_) out_.push_back(c);
}

namespace {

void probe_box(Prober& prober, const Box& box) {
  constexpr double kCone = 0.9553166181245093;  // acos(1 / sqrt(3))
  for (uint32_t k = 0; k < 8; ++k) {
    const Vec3 sign{k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0};
    prober.add(cwise_mul(sign, box.half), (1 / std::sqrt(3.0)) * sign, kCone, k);
  }
}

void probe_hull(Prober& prober, const HullGeometry& hull) {
  constexpr double kWideCone = 1.2;  // rad: corners sharper than that are few, and no harm
  const double within = prober.reach() + hull.radius;
  if (prober.target().calc_bound(prober.in_target(hull.centroid), within) > within) return;
  for (uint32_t v = 0; v < hull.vertices.size(); ++v) {
    prober.add(hull.vertices[v], normalized(hull.vertices[v] - hull.centroid), kWideCone, v);
  }
}

}  // namespace

Vec3 rim_direction(int k) {
  const double angle = 2 * kHalfTurn * k / kRimPoints;
  return {cos(angle), 0, sin(angle)};
}

void probe_samples(const MeshPair& pair, int prober, std::vector<Candidate>& out) {
  ProbeMemory* memory =
      pair.memory != nullptr ? &pair.memory->of[static_cast<size_t>(prober)] : nullptr;
  Prober(pair, prober, out).run(pair.side(prober).target.mesh()->samples, memory);
}

void probe_convex(const MeshPair& pair, int prober, std::vector<Candidate>& out) {
  Prober p(pair, prober, out);
  const Shape& shape = *pair.side(prober).shape;
  if (const auto* sphere = std::get_if<Sphere>(&shape)) {
    p.add_sphere({}, sphere->radius, 0);
  } else if (const auto* capsule = std::get_if<Capsule>(&shape)) {
    p.add_sphere({0, -capsule->half_length, 0}, capsule->radius, 0);
    if (capsule->half_length > 0) p.add_sphere({0, capsule->half_length, 0}, capsule->radius, 1);
  } else if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
    probe_cylinder(p, *cylinder);
  } else if (const auto* box = std::get_if<Box>(&shape)) {
    probe_box(p, *box);
  } else if (const auto* hull = std::get_if<Hull>(&shape)) {
    probe_hull(p, *hull->geometry);
  }
}

}  // namespace tenon::narrow
