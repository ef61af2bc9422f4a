#include "tenon/engine/geometry/mesh_samples.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <tuple>

#include "tenon/engine/geometry/mesh.h"
#include "tenon/engine/math/elementary.h"

namespace tenon {
namespace {

constexpr int kSamplesPerLeaf = 8;  // points
constexpr int kMostOnEdge = 4096;

using Point = MeshSamples::Point;

double angle_between(const Vec3& a, const Vec3& b) {
  return acos(std::clamp(dot(a, b), -1.0, 1.0));
}

const Vec3& corner_at(const MeshGeometry& g, int triangle, int k) {
  return g.vertices[static_cast<size_t>(
      g.triangles[static_cast<size_t>(triangle)][static_cast<size_t>(k % 3)])];
}

// The angle by which an edge bends: positive where it sticks out. Ends of the surface do.
double bend_of(const MeshGeometry& g, int triangle, int k) {
  const int other = g.neighbours[static_cast<size_t>(triangle)][static_cast<size_t>(k)];
  if (other < 0) return 3;
  const Vec3 &n = g.face_normals[static_cast<size_t>(triangle)],
             &m = g.face_normals[static_cast<size_t>(other)];
  // both edges run the same way about their own triangles: n x m along it where it is convex
  const Vec3 along = corner_at(g, triangle, k + 1) - corner_at(g, triangle, k);
  const double angle = angle_between(n, m);
  return dot(cross(n, m), along) >= 0 ? angle : -angle;
}

class Candidates {
 public:
  Candidates(const MeshGeometry& mesh, double on_edges) : g_(mesh), spacing_(on_edges) {}
  std::vector<Point> list() {
    find_corners();
    for (int t = 0; t < static_cast<int>(g_.triangles.size()); ++t) {
      for (int k = 0; k < 3; ++k) add_edge(t, k);
    }
    return std::move(points_);
  }

 private:
  void find_corners();
  void add_edge(int t, int k);

  const MeshGeometry& g_;
  double spacing_;
  std::vector<Point> points_;
};

void Candidates::find_corners() {
  struct Corner {
    int triangle = -1, k = 0;
    bool sticks_out = false;
    double cone = 0;
    double highest = -1;  // slope of the edge that falls least
  };
  std::vector<Corner> corners(g_.vertices.size());
  for (int t = 0; t < static_cast<int>(g_.triangles.size()); ++t) {
    for (int k = 0; k < 3; ++k) {
      const bool convex = bend_of(g_, t, k) > kFlatEdge;
      const Vec3 along = normalized(corner_at(g_, t, k + 1) - corner_at(g_, t, k), {});
      for (const int i : {k, (k + 1) % 3}) {
        const auto v =
            static_cast<size_t>(g_.triangles[static_cast<size_t>(t)][static_cast<size_t>(i)]);
        Corner& c = corners[v];
        const double slope = dot(g_.vertex_normals[v], along);
        c.highest = std::max(c.highest, i == k ? slope : -slope);
        if (c.triangle < 0) c.triangle = t, c.k = i;
        c.sticks_out = c.sticks_out || convex;
        c.cone = std::max(
            c.cone, angle_between(g_.vertex_normals[v], g_.face_normals[static_cast<size_t>(t)]));
      }
    }
  }
  for (size_t v = 0; v < corners.size(); ++v) {
    const Corner& c = corners[v];
    // a fan of so many triangles that no edge of it bends is a tip all the same
    const bool is_tip = c.highest < -kFlatEdge;
    if (c.triangle < 0 || !(c.sticks_out || is_tip)) continue;
    points_.push_back({g_.vertices[v], g_.vertex_normals[v], c.cone, c.triangle, c.k, -1});
  }
}

void Candidates::add_edge(int t, int k) {
  const int other = g_.neighbours[static_cast<size_t>(t)][static_cast<size_t>(k)];
  if (other >= 0 && other < t) return;  // once
  const double bend = bend_of(g_, t, k);
  if (!(bend > kFlatEdge)) return;
  const Vec3 &a = corner_at(g_, t, k), &b = corner_at(g_, t, k + 1);
  const int pieces =
      static_cast<int>(std::ceil(std::min(norm(b - a) / spacing_, 1.0 * kMostOnEdge)));
  const Vec3 n = g_.edge_normal(static_cast<size_t>(t), static_cast<size_t>(k));
  const double cone = other < 0 ? 1.5707963267948966 : 0.5 * bend;
  for (int i = 1; i < pieces; ++i) {
    const double s = static_cast<double>(i) / pieces;
    points_.push_back({a + s * (b - a), n, cone, t, -1, k});
  }
}

// 0..5: axis and sign of the largest component.
int facing(const Vec3& n) {
  int axis = 0;
  for (int k = 1; k < 3; ++k) {
    if (std::fabs(n[k]) > std::fabs(n[axis])) axis = k;
  }
  return 2 * axis + (n[axis] < 0 ? 1 : 0);
}

// Which candidates of a mesh stay: of each cell of a grid and facing one, and those that lie too
// low between these.
class Thinning {
 public:
  Thinning(const std::vector<Point>& from, const Vec3& origin, double spacing)
      : from_(from), origin_(origin), spacing_(spacing) {}
  // `low`, m: see add_low.
  std::vector<Point> list(double low);
  // m: none of those that went lies lower than all near it that stayed by more.
  double dip() const { return dip_; }

 private:
  using Cell = std::array<int64_t, 3>;
  using Group = std::span<const uint32_t>;  // candidates of one cell and facing
  Cell cell_of(const Point& x) const {
    Cell cell;
    for (int k = 0; k < 3; ++k) {
      cell[k] = static_cast<int64_t>(std::floor((x.p[k] - origin_[k]) / spacing_));
    }
    return cell;
  }
  std::vector<Group> find_groups();
  uint32_t choose(Group group) const;
  void keep(uint32_t i) { kept_[cell_of(from_[i])].push_back(i); }
  std::vector<uint32_t> find_kept_near(Group group) const;
  double calc_dip(const Point& x, std::span<const uint32_t> near) const;
  void add_low(Group group, double low);

  const std::vector<Point>& from_;
  Vec3 origin_;
  double spacing_;
  std::vector<uint32_t> order_;
  std::map<Cell, std::vector<uint32_t>> kept_;
  double dip_ = 0;
};

std::vector<Thinning::Group> Thinning::find_groups() {
  using Key = std::pair<Cell, int>;
  std::vector<std::pair<Key, uint32_t>> keyed;
  keyed.reserve(from_.size());
  for (uint32_t i = 0; i < from_.size(); ++i) {
    keyed.push_back({{cell_of(from_[i]), facing(from_[i].normal)}, i});
  }
  std::sort(keyed.begin(), keyed.end());
  for (const auto& x : keyed) order_.push_back(x.second);
  std::vector<Group> groups;
  for (size_t first = 0, i = 0; i < keyed.size(); ++i) {
    if (i + 1 < keyed.size() && keyed[i + 1].first == keyed[first].first) continue;
    groups.push_back(Group(order_).subspan(first, i + 1 - first));
    first = i + 1;
  }
  return groups;
}

// The widest cone. On smooth surfaces all are as good as equal, and so is the one in the middle of
// the cell: the sharpest by a hair lie in its corners, where they stand for little of it.
uint32_t Thinning::choose(Group group) const {
  constexpr double kAsWide = 0.05;  // rad
  double widest = 0;
  for (const uint32_t i : group) widest = std::max(widest, from_[i].cone);
  const Cell cell = cell_of(from_[group[0]]);
  Vec3 middle = origin_;
  for (int k = 0; k < 3; ++k) middle[k] += (static_cast<double>(cell[k]) + 0.5) * spacing_;
  uint32_t best = group[0];
  double least = std::numeric_limits<double>::infinity();
  for (const uint32_t i : group) {
    const double away = norm2(from_[i].p - middle);
    if (from_[i].cone < widest - kAsWide || !(away < least)) continue;
    least = away;
    best = i;
  }
  return best;
}

// In the cells around a group.
std::vector<uint32_t> Thinning::find_kept_near(Group group) const {
  const Cell at = cell_of(from_[group[0]]);
  std::vector<uint32_t> near;
  for (int64_t k = 0; k < 27; ++k) {
    const auto found = kept_.find({at[0] + k / 9 - 1, at[1] + k / 3 % 3 - 1, at[2] + k % 3 - 1});
    if (found != kept_.end()) near.insert(near.end(), found->second.begin(), found->second.end());
  }
  return near;
}

// How far a plane that touches at x, and nowhere else near, is from the nearest of the others that
// lead there.
double Thinning::calc_dip(const Point& x, std::span<const uint32_t> near) const {
  constexpr double kSameWay = 0.5;  // cosine
  double least = std::numeric_limits<double>::infinity();
  for (const uint32_t i : near) {
    if (dot(from_[i].normal, x.normal) < kSameWay) continue;
    least = std::min(least, dot(x.normal, x.p - from_[i].p));
  }
  return std::max(least, 0.0);
}

// Those that lie lower than all that stay near them by more than `low`: the lowest first, and no
// more in a cell than what is rough all over may have.
void Thinning::add_low(Group group, double low) {
  constexpr int kMostAdded = 16;
  std::vector<uint32_t> near = find_kept_near(group);
  std::vector<std::pair<double, uint32_t>> lower;
  for (const uint32_t i : group) {
    const double dip = calc_dip(from_[i], near);
    (dip > low ? lower.push_back({-dip, i}) : void(dip_ = std::max(dip_, dip)));
  }
  std::sort(lower.begin(), lower.end());
  int added = 0;
  for (const auto& [before, i] : lower) {
    const double dip = calc_dip(from_[i], near);
    if (dip > low && added < kMostAdded) {
      keep(i);
      near.push_back(i);
      ++added;
    } else {
      dip_ = std::max(dip_, std::min(dip, low));
    }
  }
}

std::vector<Point> Thinning::list(double low) {
  const std::vector<Group> groups = find_groups();
  for (const Group& group : groups) keep(choose(group));
  for (const Group& group : groups) add_low(group, low);
  std::vector<uint32_t> all;
  for (const auto& [cell, some] : kept_) all.insert(all.end(), some.begin(), some.end());
  std::sort(all.begin(), all.end());
  std::vector<Point> points;
  points.reserve(all.size());
  for (const uint32_t i : all) points.push_back(from_[i]);
  return points;
}

bool is_earlier(const Point& a, const Point& b) {
  return std::tie(a.triangle, a.corner, a.edge, a.p.x, a.p.y, a.p.z) <
         std::tie(b.triangle, b.corner, b.edge, b.p.x, b.p.y, b.p.z);
}

// Halves along the longest axis, by the middle of the order; appends to nodes.
void build(std::vector<Point>& points, int first, int count,
           std::vector<MeshSamples::Node>& nodes) {
  const auto begin = points.begin() + first, end = begin + count;
  Aabb box{begin->p, begin->p};
  for (auto i = begin; i != end; ++i) box = merge(box, Aabb{i->p, i->p});
  const size_t at = nodes.size();
  nodes.emplace_back();
  MeshSamples::Node node{center(box), 0, first, count};
  for (auto i = begin; i != end; ++i) node.radius = std::max(node.radius, norm(i->p - node.centre));
  if (count > kSamplesPerLeaf) {
    const Vec3 d = box.hi - box.lo;
    const int axis = d.x >= d.y && d.x >= d.z ? 0 : d.y >= d.z ? 1 : 2;
    const int half = count / 2;
    std::nth_element(begin, begin + half, end, [axis](const Point& a, const Point& b) {
      const double x = a.p[axis], y = b.p[axis];
      return x != y ? x < y : is_earlier(a, b);
    });
    build(points, first, half, nodes);
    node.first = static_cast<int>(nodes.size());
    node.count = 0;
    build(points, first + half, count - half, nodes);
  }
  nodes[at] = node;
}

// Parts of the size of closed meshes: a wire has twenty samples around it (its size is three
// radii).
constexpr double kSamplesPerSize = 10, kEdgePointsPerSize = 4;
// Of the size: half of how far from something that rests contacts are looked for.
constexpr double kLow = 0.005;
constexpr size_t kSmallMesh = 100'000;  // triangles

}  // namespace

SampleSpacing find_sample_spacing(const MeshGeometry& mesh) {
  if (mesh.closed && mesh.field) {
    return {std::max(mesh.field->cell(), mesh.size / kSamplesPerSize),
            std::max(mesh.field->cell(), mesh.size / kEdgePointsPerSize), kLow * mesh.size};
  }
  double sum = 0;
  for (size_t t = 0; t < mesh.triangles.size(); ++t) {
    const int i = static_cast<int>(t);
    for (int k = 0; k < 3; ++k) sum += norm(corner_at(mesh, i, k + 1) - corner_at(mesh, i, k));
  }
  const double mean = sum / (3.0 * static_cast<double>(mesh.triangles.size()));
  const double spacing = (mesh.triangles.size() < kSmallMesh ? 0.5 : 1.01) * mean;
  return {spacing, spacing, kLow * kSamplesPerSize * spacing};
}

namespace {

// A sphere of radius R between two points L apart is nearer than they are by L^2 / 8 R. Things that
// are as round as the mesh, R = size / 3; L as far as points are apart in the mean.
double find_sag(const MeshGeometry& mesh, const MeshSamples& samples) {
  if (!mesh.closed || samples.points.empty()) return 0;
  const double apart2 = mesh.area / static_cast<double>(samples.points.size());
  return std::min(3.0 / 8 * apart2, samples.spacing * samples.spacing) / mesh.size;
}

}  // namespace

MeshSamples make_samples(const MeshGeometry& mesh, const SampleSpacing& spacing) {
  MeshSamples samples;
  samples.spacing = spacing.vertices;
  const std::vector<Point> all = Candidates(mesh, spacing.edges).list();
  Thinning thinning(all, mesh.bounds.lo, spacing.vertices);
  samples.points = thinning.list(spacing.low);
  samples.dip = thinning.dip();
  const auto is_vertex = [](const Point& x) { return x.corner >= 0; };
  samples.thinned = std::count_if(all.begin(), all.end(), is_vertex) >
                    std::count_if(samples.points.begin(), samples.points.end(), is_vertex);
  if (samples.points.empty()) return samples;
  samples.sag = find_sag(mesh, samples);
  samples.smooth = std::all_of(all.begin(), all.end(),
                               [](const Point& x) { return x.cone < 0.5 * kSmoothEdge; });
  build(samples.points, 0, static_cast<int>(samples.points.size()), samples.nodes);
  // in leaves of a few points any order does, but it must not depend on the library's nth_element
  for (const MeshSamples::Node& node : samples.nodes) {
    if (node.count == 0) continue;
    std::sort(samples.points.begin() + node.first, samples.points.begin() + node.first + node.count,
              is_earlier);
  }
  return samples;
}

}  // namespace tenon
