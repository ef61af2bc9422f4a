#include "tenon/engine/collision/narrow/mesh_search.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tenon/engine/math/elementary.h"

namespace tenon::narrow {
namespace {

constexpr double kHalfTurn = 3.14159265358979323846;
// rad: so far beyond the cone of its own normals a point may still be pushed; less than a right
// angle, so that the two sides of a sheet never answer for one another.
constexpr double kBesideCone = 1.3;
constexpr double kMostThrough = 1000;  // times Target's tiny length: once the smaller shape's size
constexpr double kOpposite = -0.5;     // cosine
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

class Prober {
 public:
  Prober(const MeshPair& pair, int prober, std::vector<Candidate>& out)
      : pair_(pair),
        from_(pair.side(prober)),
        to_(pair.side(1 - prober)),
        prober_(prober),
        X_TS_(inverse(to_.X_PS) * from_.X_PS),
        reach_(pair.margin + to_.target.error()),
        near_(pair.near + to_.target.error()),
        out_(out) {
    const MeshGeometry* mesh = from_.target.mesh();
    // what is between samples is found from them
    if (mesh != nullptr && to_.target.mesh() != nullptr) {
      reach_ += mesh->samples.sag;
      near_ += mesh->samples.sag;
    }
    const double sign = prober == 0 ? -1 : 1;
    shift_ = transpose_mul(to_.X_PS.R, sign * (pair.shift + cross(pair.turn, to_.X_PS.p)));
    turn_ = transpose_mul(to_.X_PS.R, sign * pair.turn);
    if (std::holds_alternative<Cylinder>(*from_.shape)) leave_out_spin();
    turning_ = norm(turn_);
  }

  void run(const MeshSamples& samples, ProbeMemory* memory);
  void add(const Vec3& p_S, const Vec3& own_S, double cone, uint32_t feature);
  void add_sphere(const Vec3& centre_S, double radius, uint32_t feature);
  double reach() const { return reach_; }
  bool passes_by(const Vec3& q_T, double radius, double distance) const;
  Vec3 in_target(const Vec3& p_S) const { return X_TS_ * p_S; }
  // Direction: target to prober.
  Vec3 in_prober(const Vec3& v_T) const { return transpose_mul(X_TS_.R, v_T); }
  // rad, in the coming step, as far as it can be seen.
  double turning() const { return turning_; }
  const Target& target() const { return to_.target; }

 private:
  // A wheel that turns about its axle is where it was.
  void leave_out_spin() {
    const Vec3 axle = X_TS_.R.column(1), spin = dot(turn_, axle) * axle;
    shift_ += cross(spin, X_TS_.p);
    turn_ -= spin;
  }
  void visit(const MeshSamples& samples, int point);
  bool is_slow(const MeshSamples& samples) const;
  double calc_way_since(const MeshSamples::Node& root, const ProbeMemory& memory) const;
  void remember(const MeshSamples& samples, double beyond, ProbeMemory& memory) const;
  Candidate make(const Vec3& q_T, const DistanceField::Sample& d, const Vec3& own_T, double cone,
                 uint32_t feature) const;
  void add_critical(const Vec3& centre, double radius, const MeshPoint& m, uint32_t feature);

  const MeshPair& pair_;
  const MeshSide &from_, &to_;
  int prober_;
  Transform X_TS_;
  double reach_, near_;
  Vec3 shift_, turn_;  // how points of the prober move beside the target, in its frame
  double turning_;
  std::vector<Candidate>& out_;
};

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

// What goes farther in a step than this, of the thinner shape, is looked for along its way; slower
// ones, and samples that are so much farther than the reach, are remembered.
constexpr double kSlow = 0.04, kBeyond = 0.06;

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

// Nearest point of a triangle, with the edges it lies on as bits.
struct OnTriangle {
  Vec3 p;
  int edges = 0;
};

// [Ericson2005, sec. 5.1.5].
OnTriangle nearest_on_triangle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& p) {
  const Vec3 ab = b - a, ac = c - a, ap = p - a;
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return {a, 5};
  const Vec3 bp = p - b;
  const double d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return {b, 3};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return {a + (d1 / (d1 - d3)) * ab, 1};
  const Vec3 cp = p - c;
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return {c, 6};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return {a + (d2 / (d2 - d6)) * ac, 4};
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    return {b + ((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (c - b), 2};
  }
  const double scale = 1 / (va + vb + vc);
  return {a + (vb * scale) * ab + (vc * scale) * ac, 0};
}

double distance2_to_box(const Aabb& box, const Vec3& p) {
  const Vec3 d = cwise_max(cwise_max(box.lo - p, p - box.hi), Vec3{});
  return norm2(d);
}

// Whether no point of a node sees `p` along a normal of its surface: the distance from p has no
// minimum in it. With b the angle of the ball about the box as p sees it, and a that of the cone,
// the way to p must be within a + b of its axis.
bool looks_away(const MeshTree::Node& node, const MeshTree::Cone& cone, const Vec3& p) {
  if (cone.cosine < -1) return false;
  const Vec3 d = p - center(node.box);
  const double radius2 = 0.25 * norm2(node.box.hi - node.box.lo), far2 = norm2(d);
  if (!(far2 > radius2)) return false;
  const double sine2 = radius2 / far2, sine = std::sqrt(sine2), cosine = std::sqrt(1 - sine2);
  const double a_cosine = static_cast<double>(cone.cosine), a_sine = static_cast<double>(cone.sine);
  if (!(a_sine * cosine + a_cosine * sine > 0)) return false;  // a + b beyond half a turn
  const Vec3 axis{cone.axis[0], cone.axis[1], cone.axis[2]};
  return dot(axis, d) < (a_cosine * cosine - a_sine * sine) * std::sqrt(far2);
}

// Whether the distance from the centre has a minimum at the nearest point of a triangle: it grows
// in all faces that meet there. On inner edges of a flat or hollow surface it does not.
bool is_minimum(const MeshGeometry& g, int triangle, const OnTriangle& x, const Vec3& centre) {
  if (x.edges == 0) return true;
  const Vec3 up = centre - x.p;
  const double slop = 1e-9 * norm2(up);
  const auto rises = [&](int t, const Vec3& far) {
    return dot(up, far - x.p) <= slop * 1e3 || t < 0;
  };
  if (x.edges == 5 || x.edges == 3 || x.edges == 6) {
    const int corner = x.edges == 5 ? 0 : x.edges == 3 ? 1 : 2;
    bool all = true;
    visit_ring(g, triangle, corner, [&](int t, int k) {
      const MeshTriangle& v = g.triangles[t];
      all = all && rises(t, g.vertices[v[(k + 1) % 3]]) && rises(t, g.vertices[v[(k + 2) % 3]]);
    });
    return all;
  }
  const int k = x.edges == 1 ? 0 : x.edges == 2 ? 1 : 2;
  const int other = g.neighbours[triangle][k];
  if (other < 0) return true;
  const MeshTriangle &t = g.triangles[triangle], &o = g.triangles[other];
  // the corner of the other triangle that is not on the edge, without its part along the edge
  const int v0 = t[k], v1 = t[(k + 1) % 3];
  const int apex = o[0] != v0 && o[0] != v1 ? o[0] : o[1] != v0 && o[1] != v1 ? o[1] : o[2];
  const Vec3 along = normalized(g.vertices[v1] - g.vertices[v0]);
  Vec3 into = g.vertices[apex] - x.p;
  into -= dot(into, along) * along;
  return dot(up, into) <= 1e-6 * norm(up) * norm(into);
}

void Prober::add_critical(const Vec3& centre, double radius, const MeshPoint& m, uint32_t feature) {
  Candidate c;
  const Vec3 d = centre - m.point;
  const Vec3 out = std::fabs(m.distance) > pair_.tiny
                       ? normalized((m.distance < 0 ? -1.0 : 1.0) * d, m.normal)
                       : m.normal;
  c.gap = m.distance - radius;
  c.exact = true;
  c.round = true;
  c.feature = feature | (static_cast<uint32_t>(m.triangle) << 1 & (kOfConvex - 1)) |
              (prober_ == 1 ? kOfB : 0);
  c.prober = static_cast<uint8_t>(prober_);
  c.p = to_.X_PS * (centre - radius * out);
  c.q = to_.X_PS * m.point;
  c.n = to_.X_PS.R * (prober_ == 0 ? -out : out);
  out_.push_back(c);
}

void Prober::add_sphere(const Vec3& centre_S, double radius, uint32_t feature) {
  const MeshGeometry& g = *to_.target.mesh();
  const Vec3 centre = X_TS_ * centre_S;
  const double within = radius + pair_.margin;
  const double about = to_.target.calc_distance(centre, within + to_.target.error());
  if (about > within + to_.target.error()) return;
  const double deep = g.closed ? -1.2 * about : kMostThrough * pair_.tiny;
  const MeshPoint nearest =
      find_nearest_signed(g, centre, std::max(within, deep) + to_.target.error());
  // deep inside: out by the shortest way
  if (nearest.triangle < 0 || nearest.distance <= pair_.tiny) {
    if (nearest.triangle >= 0) add_critical(centre, radius, nearest, feature | kOfConvex);
    return;
  }
  if (nearest.distance > within) return;
  std::array<int, 128> stack;
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const int at = stack[--top];
    const MeshTree::Node& node = g.tree.nodes[at];
    if (distance2_to_box(node.box, centre) > within * within) continue;
    if (looks_away(node, g.tree.cones[at], centre)) continue;
    if (node.count == 0) {
      stack[top++] = node.first;
      stack[top++] = at + 1;
      continue;
    }
    for (int i = node.first; i < node.first + node.count; ++i) {
      const int t = g.tree.order[i];
      const MeshTriangle& v = g.triangles[t];
      const OnTriangle x =
          nearest_on_triangle(g.vertices[v[0]], g.vertices[v[1]], g.vertices[v[2]], centre);
      const double distance2 = norm2(centre - x.p);
      if (distance2 > within * within) continue;
      if (dot(centre - x.p, g.face_normals[t]) < 0 && x.edges == 0) continue;  // from behind
      if (!is_minimum(g, t, x, centre)) continue;
      MeshPoint m;
      m.point = x.p;
      m.distance = std::sqrt(distance2);
      m.normal = g.face_normals[t];
      m.triangle = t;
      add_critical(centre, radius, m, feature | kOfConvex);
    }
  }
}

// A rim of a cylinder: the circle of its end. As a wheel rolls, its points come down on the ground
// ahead, and others go up behind; the circle does neither. With the axle a, the spin w about it and
// a normal n of the ground, a point r from the middle nears the ground at the rate
//   w n . (a x r)                                                                        (4)
// which is none where the gap is least along the rim, and not elsewhere.
// As contacts, such points would stop the wheel before they are down. So a rim touches with its
// lowest points, and with others only where it lies flat: there n . (a x r) is small for all.
struct RimProbe {
  Prober& prober;
  const Cylinder& cylinder;
  double side;

  Vec3 at(double angle) const {
    return {cylinder.radius * cos(angle), side * cylinder.half_height,
            cylinder.radius * sin(angle)};
  }
  double height(double angle) const {
    return prober.target().calc_distance(prober.in_target(at(angle)),
                                         prober.reach() + 2 * cylinder.radius);
  }
  // Whether the end lies as flat on what is near this point as faces of convex pairs do, or may at
  // the end of the step; or in a round seat, along whose wall the point goes as the rim turns.
  bool lies_flat(double angle) const {
    constexpr double kAlong = 0.17;               // sine of 10 degrees
    constexpr double kFlat = 0.3490658503988659;  // rad, 20 degrees as kCosFace of detail/feature.h
    const double most = kFlat + prober.turning();
    if (most > 0.5 * kHalfTurn) return true;
    const Vec3 out = prober.target().find(prober.in_target(at(angle)), prober.reach()).gradient;
    const Vec3 n = prober.in_prober(normalized(out, {}));
    const bool along = std::fabs(n.z * cos(angle) - n.x * sin(angle)) <= kAlong;
    return -side * n.y >= (along ? kAlong : cos(most));
  }
  // Between the neighbours of a point that is lower than both.
  double find_lowest(double angle) const {
    constexpr int kSteps = 12;
    constexpr double kGolden = 0.6180339887498949;
    double low = angle - 2 * kHalfTurn / kRimPoints, high = angle + 2 * kHalfTurn / kRimPoints;
    double x = high - kGolden * (high - low), y = low + kGolden * (high - low);
    double fx = height(x), fy = height(y);
    for (int i = 0; i < kSteps; ++i) {
      if (fx <= fy) {
        high = y;
        y = x;
        fy = fx;
        x = high - kGolden * (high - low);
        fx = height(x);
      } else {
        low = x;
        x = y;
        fx = fy;
        y = low + kGolden * (high - low);
        fy = height(y);
      }
    }
    return settle(0.5 * (low + high));
  }
  // The lowest point over a flat face lies against its normal; round-off is all that is left.
  double settle(double angle) const {
    for (int i = 0; i < 3; ++i) {
      const Measured m = prober.target().measure(prober.in_target(at(angle)),
                                                 prober.reach() + 2 * cylinder.radius, {});
      if (!m.found || !m.sure) break;
      const Vec3 n = prober.in_prober(m.normal);
      if (n.x * n.x + n.z * n.z < 1e-12) break;
      const double next = atan2(-n.z, -n.x);
      if (height(next) > height(angle) + 1e-9 * cylinder.radius) break;
      angle = next;
    }
    return angle;
  }
};

void probe_cylinder(Prober& prober, const Cylinder& c) {
  const double within =
      prober.reach() + std::sqrt(c.radius * c.radius + c.half_height * c.half_height);
  if (prober.target().calc_bound(prober.in_target({}), within) > within) return;
  for (int end = 0; end < 2; ++end) {
    const RimProbe rim{prober, c, end == 0 ? -1.0 : 1.0};
    const Vec3 middle = prober.in_target({0, rim.side * c.half_height, 0});
    const double around = prober.reach() + c.radius;
    if (prober.target().calc_bound(middle, around) > around) continue;
    std::array<double, kRimPoints> height;
    for (int k = 0; k < kRimPoints; ++k) height[k] = rim.height(2 * kHalfTurn * k / kRimPoints);
    for (int k = 0; k < kRimPoints; ++k) {
      double angle = 2 * kHalfTurn * k / kRimPoints;
      const double before = height[(k + kRimPoints - 1) % kRimPoints];
      const double after = height[(k + 1) % kRimPoints], slop = 1e-6 * c.radius;
      const bool lowest = height[k] <= before && height[k] <= after &&
                          (height[k] < before - slop || height[k] < after - slop);
      // between its neighbours it may be lower by the way to them
      const double low = height[k] - (lowest ? 2 * kHalfTurn / kRimPoints * c.radius : 0);
      if (low > prober.reach()) continue;
      if (!lowest && !rim.lies_flat(angle)) continue;
      if (lowest) angle = rim.find_lowest(angle);
      const Vec3 p = rim.at(angle);
      prober.add(p, normalized(Vec3{p.x / c.radius, rim.side, p.z / c.radius}), 0.25 * kHalfTurn,
                 static_cast<uint32_t>(end * kRimPoints + k));
    }
  }
}

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
