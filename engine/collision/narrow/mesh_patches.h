// Candidates of a pair -> contact patches: points that share a normal, a few of each.
#pragma once

#include <vector>

#include "tenon/engine/collision/narrow/manifold.h"
#include "tenon/engine/collision/narrow/mesh_search.h"

namespace tenon::narrow {

// Appends patches in frame P. `candidates` is used up.
void build_patches(const MeshPair& pair, std::vector<Candidate>& candidates,
                   std::vector<Manifold>& out);

// The few points of a patch that stand for all: the deepest, the one that will be, then those that
// span the largest area, first among those that touch or will, then among all. Indices of `points`,
// each at most once; points in order of their features.
struct PatchCandidate {
  double u = 0, v = 0;  // in the plane of contact, m
  double gap = 0;
  double soon = 0;     // the least gap now and at the end of the coming step
  bool known = false;  // it has been a point of contact in the last step
};
struct ChosenPoints {
  int count = 0;
  std::array<int, Manifold::kMaxPoints> index{};
};
ChosenPoints choose_points(const std::vector<PatchCandidate>& points, double touching);

// Of more places than a pair may touch in, those that stand for all: what is left out must neither
// be deep nor far from what stays, or the pair gives way there. Indices, in the order of choice;
// `reach`, m: how far the pair may move beside what is known of it.
struct PatchPlace {
  Vec3 n, p;
  double gap = 0;      // m, the least now and at the end of the coming step
  bool known = false;  // as in PatchCandidate
};
std::vector<uint32_t> choose_places(const std::vector<PatchPlace>& places, double reach,
                                    double touching, size_t most);

}  // namespace tenon::narrow
