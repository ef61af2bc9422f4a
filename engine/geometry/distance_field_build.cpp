// Making a distance field.
//
// Nodes are cubes, each cut into eight while the surface may come near it:
//   |d(c)| <= band + (sqrt(3) / 2) edge          c its centre                          (1)
// since d changes by no more than the way to c. So a node that is not cut has one sign throughout,
// and lies further from the surface than (sqrt(3) / 2) edge, of which its cells are a quarter: its
// values, at most half a cell's diagonal off, are within a seventh of the distance.
//
// Interpolation between corners that are exact is off by half a cell's diagonal at most (the values
// change by no more than the way to the corner). It gets there on a needle through the middle of a
// cell, and to half a cell on a plate. Therefore the field is compared with the triangles in every
// cell along the surface, and where it is off by more than kRefine cells, its node is cut again;
// with cells half as wide no point is off by more than 0.44 of the wider cells [Frisken2000].
//
// Distances need not be exact for that: those up to a share s = kShare too large,
//   d <= d' <= (1 + s) d                                                               (2)
// save most of the search (triangles that are about as far as the nearest are many on a fine mesh),
// and add s * band to the error. Their sign must be exact, and comes from the point before: between
// two points that the surface separates it is crossed, at a point x with d(a) <= |a - x| and
// d(b) <= |b - x|. So the sign is the same where
//   d'(a) + d'(b) > (1 + s) |a - b|                                                    (3)
// and only elsewhere, where the surface is near, the nearest point itself is looked for.
#include <algorithm>
#include <cmath>

#include "tenon/engine/geometry/detail/mesh_build.h"
#include "tenon/engine/geometry/distance_field.h"
#include "tenon/engine/geometry/mesh.h"

namespace tenon {
namespace detail {

// A node on its way to become a brick or to be cut.
struct Pending {
  Vec3 lo;
  double edge;
  int32_t node;  // its place in the list
  int hint;      // a triangle near it
  // found out in parallel
  bool cut = false;
  double error = 0;  // m, largest seen
  std::array<float, DistanceField::kBrickSamples> samples{};
};

}  // namespace detail

namespace {

using detail::Pending;

constexpr int kBrick = DistanceField::kBrick, kPoints = kBrick + 1;
constexpr double kBandCells = 2;
constexpr double kMarginCells = 4;  // between the mesh and the bounds
constexpr double kRefine = 0.3;     // cells: errors above this get finer cells
constexpr double kShare = 0.01;     // (2)
constexpr double kUnseen = 1.25;    // of the largest error seen: no point of any cell exceeds it
constexpr int kFinerLevels = 2;     // at most, along the surface
constexpr double kHalfDiagonal = 0.8660254037844387;
// A node's share of the surface, from (1) with the band of half its edge: 2.73 per square edge.
constexpr double kBricksPerArea = 2.8;
constexpr size_t kMostRoots = 4096;
constexpr size_t kMostBricks = 100'000;  // 50 MB; finer nodes beyond that are not made

// Distances (2) at points that follow one another closely.
class Probe {
 public:
  Probe(const MeshGeometry& mesh, int hint) : mesh_(mesh), hint_(hint) {}
  double at(const Vec3& q) {
    double d = detail::find_about(mesh_, q, kShare, hint_);
    // (3)
    if (d + std::fabs(last_) > (1 + kShare) * norm(q - where_) * (1 + 1e-9)) {
      if (last_ < 0) d = -d;
    } else {
      d = find_nearest(mesh_, q, detail::kInfinite, hint_).distance;
    }
    where_ = q;
    return last_ = d;
  }
  int hint() const { return hint_; }

 private:
  const MeshGeometry& mesh_;
  int hint_;
  Vec3 where_{detail::kInfinite, 0, 0};  // of the point before; none: nothing is farther from it
  double last_ = 0;                      // its distance
};

// Where in a cell the field is compared: its centre, and a point off all planes of symmetry.
constexpr Vec3 kChecks[] = {{0.5, 0.5, 0.5}, {0.29, 0.63, 0.41}};

double interpolate(const Pending& node, int i, int j, int k, const Vec3& t) {
  double v = 0;
  for (int c = 0; c < 8; ++c) {
    const int x = c & 1, y = c >> 1 & 1, z = c >> 2;
    const double weight = (x ? t.x : 1 - t.x) * (y ? t.y : 1 - t.y) * (z ? t.z : 1 - t.z);
    v += weight *
         static_cast<double>(
             node.samples[static_cast<size_t>(((k + z) * kPoints + j + y) * kPoints + i + x)]);
  }
  return v;
}

// There and back along rows, so that each point is next to the one before.
template <class F>
void each_in_turn(int count, F&& visit) {
  for (int k = 0; k < count; ++k)
    for (int jj = 0; jj < count; ++jj)
      for (int ii = 0; ii < count; ++ii) {
        const int j = k % 2 == 0 ? jj : count - 1 - jj;
        visit((jj + k * count) % 2 == 0 ? ii : count - 1 - ii, j, k);
      }
}

void fill(Pending& node, Probe& probe) {
  const double cell = node.edge / kBrick;
  each_in_turn(kPoints, [&](int i, int j, int k) {
    const Vec3 q = node.lo + cell * Vec3{double(i), double(j), double(k)};
    node.samples[static_cast<size_t>((k * kPoints + j) * kPoints + i)] =
        static_cast<float>(probe.at(q));
  });
}

// A node of one sign, where a hundredth of the distance does not matter.
void fill_far(Pending& node, const MeshGeometry& mesh, double sign) {
  const double cell = node.edge / kBrick;
  int hint = node.hint;
  each_in_turn(kPoints, [&](int i, int j, int k) {
    const Vec3 q = node.lo + cell * Vec3{double(i), double(j), double(k)};
    node.samples[static_cast<size_t>((k * kPoints + j) * kPoints + i)] =
        static_cast<float>(sign * detail::find_about(mesh, q, 0.01, hint));
  });
}

// Whether the values at the corners of a cell, each of which changes by no more than the way, say
// that its point t is beyond the band.
bool is_beyond(const Pending& node, int i, int j, int k, const Vec3& t, double band) {
  const double cell = node.edge / kBrick;
  for (int c = 0; c < 8; ++c) {
    const int x = c & 1, y = c >> 1 & 1, z = c >> 2;
    const float v =
        node.samples[static_cast<size_t>(((k + z) * kPoints + j + y) * kPoints + i + x)];
    const double way = cell * norm(t - Vec3{double(x), double(y), double(z)});
    if (std::fabs(static_cast<double>(v)) > (1 + kShare) * (1 + 1e-6) * (band + way)) return true;
  }
  return false;
}

void measure(Pending& node, double band, Probe& probe) {
  const double cell = node.edge / kBrick;
  each_in_turn(kBrick, [&](int i, int j, int k) {
    for (const Vec3& t : kChecks) {
      if (is_beyond(node, i, j, k, t, band)) continue;
      const double d = probe.at(node.lo + cell * (Vec3{double(i), double(j), double(k)} + t));
      if (std::fabs(d) > band) continue;
      node.error = std::max(node.error, std::fabs(interpolate(node, i, j, k, t) - d));
    }
  });
}

}  // namespace

class FieldBuilder {
 public:
  FieldBuilder(const MeshGeometry& mesh, const FieldOptions& options)
      : mesh_(mesh), pool_(options.pool) {
    field_.cell_ = options.cell > 0 ? options.cell : find_field_cell(mesh);
    field_.band_ = kBandCells * field_.cell_;
    lay_out();
  }

  DistanceField run() {
    while (!level_.empty()) {
      parallel_for(pool_, level_.size(), 8, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) work(level_[i]);
      });
      limit();
      advance();
    }
    // between the points that were compared it may be off by more, and they by (2)
    field_.error_ = kUnseen * field_.error_ + kShare * field_.band_;
    field_.make_starts();
    return std::move(field_);
  }

 private:
  double fine_edge() const { return field_.cell_ * kBrick * (1 + 1e-9); }

  // The largest nodes: as few as cover the mesh with its margin, and cubes.
  void lay_out() {
    const Aabb box = inflate(mesh_.bounds, kMarginCells * field_.cell_);
    const Vec3 extent = box.hi - box.lo;
    double edge = 4 * kBrick * field_.cell_;
    const auto count = [&](int k) { return std::max(1.0, std::ceil(extent[k] / edge - 1e-9)); };
    while (count(0) * count(1) * count(2) > double(kMostRoots)) edge *= 2;
    field_.root_ = edge;
    for (int k = 0; k < 3; ++k) field_.counts_[static_cast<size_t>(k)] = static_cast<int>(count(k));
    const Vec3 size = edge * Vec3{count(0), count(1), count(2)};
    field_.bounds_.lo = center(box) - 0.5 * size;
    field_.bounds_.hi = field_.bounds_.lo + size;
    const auto [nx, ny, nz] = field_.counts_;
    for (int k = 0; k < nz; ++k)
      for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i) {
          const auto at = static_cast<int32_t>(field_.nodes_.size());
          field_.nodes_.push_back(0);
          const Vec3 lo = field_.bounds_.lo + edge * Vec3{double(i), double(j), double(k)};
          level_.push_back({.lo = lo, .edge = edge, .node = at, .hint = -1});
        }
  }

  void work(Pending& node) const {
    Probe probe(mesh_, node.hint);
    const Vec3 half{0.5 * node.edge, 0.5 * node.edge, 0.5 * node.edge};
    const double centre = probe.at(node.lo + half);
    node.hint = probe.hint();
    const bool near = std::fabs(centre) <= field_.band_ + kHalfDiagonal * node.edge;
    node.cut = near && node.edge > fine_edge();
    if (node.cut) return;
    if (!near) return fill_far(node, mesh_, centre < 0 ? -1 : 1);
    fill(node, probe);
    measure(node, field_.band_, probe);
    const double finest = fine_edge() / (1 << kFinerLevels);
    node.cut = node.error > kRefine * field_.cell_ && node.edge > 1.5 * finest;
  }

  // The worst first where there are too many to be made finer.
  void limit() {
    std::vector<size_t> wanted;
    size_t bricks = field_.samples_.size() / DistanceField::kBrickSamples;
    for (size_t i = 0; i < level_.size(); ++i) {
      if (level_[i].cut && level_[i].edge <= fine_edge()) wanted.push_back(i);
      if (!level_[i].cut) ++bricks;
    }
    const size_t room = bricks < kMostBricks ? (kMostBricks - bricks) / 8 : 0;
    if (wanted.size() <= room) return;
    std::sort(wanted.begin(), wanted.end(), [&](size_t a, size_t b) {
      return level_[a].error != level_[b].error ? level_[a].error > level_[b].error : a < b;
    });
    for (size_t i = room; i < wanted.size(); ++i) level_[wanted[i]].cut = false;
  }

  void advance() {
    std::vector<Pending> next;
    for (const Pending& node : level_) {
      if (!node.cut) {
        field_.nodes_[static_cast<size_t>(node.node)] =
            ~static_cast<int32_t>(field_.samples_.size() / DistanceField::kBrickSamples);
        field_.samples_.insert(field_.samples_.end(), node.samples.begin(), node.samples.end());
        field_.error_ = std::max(field_.error_, node.error);
        continue;
      }
      const auto first = static_cast<int32_t>(field_.nodes_.size());
      field_.nodes_[static_cast<size_t>(node.node)] = first;
      field_.nodes_.resize(field_.nodes_.size() + 8);
      const double edge = 0.5 * node.edge;
      for (int c = 0; c < 8; ++c) {
        const Vec3 lo = node.lo + edge * Vec3{double(c & 1), double(c >> 1 & 1), double(c >> 2)};
        next.push_back({.lo = lo, .edge = edge, .node = first + c, .hint = node.hint});
      }
    }
    level_ = std::move(next);
  }

  const MeshGeometry& mesh_;
  ThreadPool* pool_;
  DistanceField field_;
  std::vector<Pending> level_;
};

double find_field_cell(const MeshGeometry& mesh) {
  const double longest = max_component(mesh.bounds.hi - mesh.bounds.lo);
  const double bricks = std::clamp(4.0 * double(mesh.triangles.size()), 2500.0, 6000.0);
  const double edge = std::sqrt(mesh.area * kBricksPerArea / bricks);
  return std::clamp(edge / kBrick, longest / 1024, longest / 40);
}

DistanceField make_distance_field(const MeshGeometry& mesh, const FieldOptions& options) {
  TENON_DEMAND(mesh.closed);
  return FieldBuilder(mesh, options).run();
}

}  // namespace tenon
