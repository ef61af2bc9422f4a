// Patches in the making: candidates of a pair with meshes, grouped by their normals.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "tenon/engine/collision/narrow/mesh_patches.h"

namespace tenon::narrow {

// Cosines of how far normals within a patch differ: of points that touch, of those that may, and of
// round shapes, each of which has one point for each face.
inline constexpr double kTouchingCone = 0.9986, kNearCone = 0.9, kRoundCone = 0.9986;
// Of the smaller shape: what overlaps by more has no face that it lies on, and the directions to
// the nearest ones fan out. A few patches are enough to push it out.
inline constexpr double kDeep = 0.02;
// Of the smaller shape: points farther off are another patch.
inline constexpr double kLevel = 0.15;

struct Patch {
  Vec3 n, p;
  std::vector<uint32_t> members;
  std::vector<uint32_t> kept = {};  // of the members, measured
};

// A vertex, as a corner of one of its triangles.
struct MeshCorner {
  int triangle = -1, corner = 0;
  int vertex(const MeshGeometry& g) const { return g.triangles[triangle][corner]; }
};

// Vertices at the other ends of the edges of a vertex, each once; on rims one may come twice.
template <class Visit>
void visit_neighbours(const MeshGeometry& g, const MeshCorner& at, Visit visit) {
  visit_ring(g, at.triangle, at.corner, [&](int t, int k) {
    visit(MeshCorner{t, (k + 1) % 3});
    if (g.neighbours[t][(k + 2) % 3] < 0) visit(MeshCorner{t, (k + 2) % 3});
  });
}

class PatchBuilder {
 public:
  PatchBuilder(const MeshPair& pair, std::vector<Candidate>& list) : pair_(pair), list_(list) {
    // lengths are judged by what is thin
    touching_ = pair.tiny;
    level_ = pair.margin + kLevel * 1e3 * pair.tiny;
    deep_ = kDeep * 1e3 * pair.tiny;
  }
  void group();
  void write(std::vector<Manifold>& out);

 private:
  const MeshSide& target_of(const Candidate& c) const { return pair_.side(1 - c.prober); }
  double find_needed(const Candidate& c) const {
    if (c.exact && c.sample == nullptr) return kRoundCone;
    return c.gap <= touching_ && c.gap > -deep_ ? kTouchingCone : kNearCone;
  }
  Patch* find_patch(const Candidate& c, double needed);
  bool measure(Candidate& c, bool& sure) const;
  bool is_nearest(const Candidate& c) const;
  bool measure_through(Candidate& c) const;
  void refine(Candidate& c) const;
  void descend(Candidate& c) const;
  struct WayDown {
    Vec3 end;
    int triangle = -1, edge = 0;
  };
  WayDown find_way_down(const Candidate& c, const Vec3& n, const Vec3& back) const;
  void refine_lowest();
  void drop_doubles();
  bool is_known(uint32_t feature) const {
    return std::find(pair_.known.begin(), pair_.known.end(), feature) != pair_.known.end();
  }
  Patch* settle_unsure(uint32_t i);
  PatchPlace place_of(const Vec3& n, const Vec3& p, double gap, bool known) const;
  void place_all();
  void place_widely();
  void place(uint32_t i);
  Patch* start(uint32_t i);
  bool is_on_face(const Candidate& c, const Vec3& n) const;
  void choose(size_t patch);
  void write_patch(const Patch& patch, std::vector<Manifold>& out) const;
  void write_points(std::span<const Candidate* const> kept, double least,
                    std::vector<Manifold>& out) const;

  const MeshPair& pair_;
  std::vector<Candidate>& list_;
  double touching_, level_, deep_;
  std::vector<Patch> patches_;
  std::vector<uint32_t> unsure_;
  bool full_ = false;  // there are more kinds of places than patches
};

}  // namespace tenon::narrow
