#include "tenon/engine/collision/narrow/collide_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tenon/engine/collision/narrow/collide.h"
#include "tenon/engine/collision/narrow/mesh_patches.h"
#include "tenon/engine/collision/narrow/mesh_search.h"
#include "tenon/engine/geometry/support.h"

namespace tenon {
namespace {

using narrow::Candidate;
using narrow::MeshPair;

constexpr double kTiny = 1e-3;  // of the smaller shape

const MeshGeometry* mesh_of(const Shape& shape) {
  const auto* mesh = std::get_if<Mesh>(&shape);
  return mesh != nullptr ? mesh->geometry.get() : nullptr;
}

MeshPair make_pair(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB,
                   double margin, const PairMotion& motion) {
  const double tiny = kTiny * std::min(size(a), size(b));
  return {{&a, {X_WA.R, {}}, narrow::Target(a, tiny)},
          {&b, {X_WB.R, X_WB.p - X_WA.p}, narrow::Target(b, tiny)},
          margin,
          tiny,
          motion.shift_W + cross(motion.turn_W, X_WA.p - motion.about_W),
          motion.turn_W,
          motion.near < 0 ? margin : motion.near,
          motion.known,
          motion.memory};
}

// Of two smooth meshes the vertices of one, and edges from them on, find every contact: those of
// the one that has more of them for its surface. -1: both are asked.
int only_prober(const MeshPair& pair) {
  const MeshGeometry *a = pair.a.target.mesh(), *b = pair.b.target.mesh();
  if (a == nullptr || b == nullptr || !a->closed || !b->closed) return -1;
  if (!a->samples.smooth || !b->samples.smooth) return -1;
  const double per_a = static_cast<double>(a->samples.points.size()) / a->area;
  const double per_b = static_cast<double>(b->samples.points.size()) / b->area;
  return per_a >= per_b ? 0 : 1;
}

void find_candidates(const MeshPair& pair, std::vector<Candidate>& list) {
  const int only = only_prober(pair);
  for (const int prober : {0, 1}) {
    if (only >= 0 && prober != only) continue;
    const narrow::MeshSide &from = pair.side(prober), &to = pair.side(1 - prober);
    if (!from.target.convex()) {
      // a sphere's distance from every part of a mesh is exact the other way round
      if (kind(*to.shape) != ShapeKind::kSphere) narrow::probe_samples(pair, prober, list);
    } else if (!to.target.convex()) {
      narrow::probe_convex(pair, prober, list);
    }
  }
}

}  // namespace

const Shape& counts_as(const Shape& shape) {
  const MeshGeometry* mesh = mesh_of(shape);
  return mesh != nullptr && mesh->convex != nullptr ? mesh->convex->hull : shape;
}

bool has_patches(const Shape& a, const Shape& b) {
  return kind(counts_as(a)) == ShapeKind::kMesh || kind(counts_as(b)) == ShapeKind::kMesh;
}

bool collide_mesh(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB,
                  double margin, std::vector<Manifold>& out, const PairMotion& motion) {
  const Shape &as = counts_as(a), &bs = counts_as(b);
  if (kind(as) != ShapeKind::kMesh && kind(bs) != ShapeKind::kMesh) {
    const Manifold m = collide(as, X_WA, bs, X_WB, margin);
    if (m.count > 0) out.push_back(m);
    return m.count > 0;
  }
  const MeshPair pair = make_pair(as, X_WA, bs, X_WB, margin, motion);
  std::vector<Candidate> list;
  find_candidates(pair, list);
  if (list.empty()) return false;
  const size_t first = out.size();
  narrow::build_patches(pair, list, out);
  for (size_t i = first; i < out.size(); ++i) {
    for (int k = 0; k < out[i].count; ++k) out[i].points[k].p_W += X_WA.p;
  }
  return true;
}

Manifold collide_deepest(const Shape& a, const Transform& X_WA, const Shape& b,
                         const Transform& X_WB, double margin) {
  std::vector<Manifold> patches;
  collide_mesh(a, X_WA, b, X_WB, margin, patches);
  if (!patches.empty()) {
    return *std::min_element(
        patches.begin(), patches.end(),
        [](const Manifold& x, const Manifold& y) { return x.distance < y.distance; });
  }
  Manifold none;
  none.normal_W = X_WA.R.column(1);
  none.distance = std::numeric_limits<double>::infinity();
  return none;
}

void collide_all(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB,
                 double margin, std::vector<Manifold>& out, const PairMotion& motion) {
  if (kind(a) == ShapeKind::kMesh || kind(b) == ShapeKind::kMesh) {
    collide_mesh(a, X_WA, b, X_WB, margin, out, motion);
    return;
  }
  const Manifold m = collide(a, X_WA, b, X_WB, margin);
  if (m.count > 0) out.push_back(m);
}

}  // namespace tenon
