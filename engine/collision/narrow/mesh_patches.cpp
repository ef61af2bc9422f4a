#include "tenon/engine/collision/narrow/mesh_patches.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/collision/narrow/detail/patch_builder.h"
#include "tenon/engine/math/elementary.h"

namespace tenon::narrow {
namespace {

constexpr int kMostPatches = 8;

constexpr double kWrongNormal = 0.7;  // what turns out to differ by more is left out

}  // namespace

Patch* PatchBuilder::find_patch(const Candidate& c, double needed) {
  Patch* best = nullptr;
  double most = needed;
  for (Patch& p : patches_) {
    const double cosine = dot(p.n, c.n);
    if (cosine <= most || std::fabs(dot(p.n, c.p - p.p)) > level_) continue;
    most = cosine;
    best = &p;
  }
  return best;
}

// The way out of a thin target is against the prober's own normal, not to the nearest face.
bool PatchBuilder::measure_through(Candidate& c) const {
  const MeshSide& side = target_of(c);
  const Vec3 own_T = transpose_mul(side.X_PS.R, c.own), q_T = inverse_mul(side.X_PS, c.p);
  const double reach = 0.1 * std::fabs(c.gap) + 4 * side.target.error() + pair_.tiny;
  const Measured m = side.target.measure(q_T + c.gap * own_T, reach, {});
  constexpr double kLooksBack = 0.3;
  if (!m.found || dot(m.normal, own_T) > -kLooksBack) return false;
  c.gap = -dot(own_T, q_T - m.point);
  c.q = side.X_PS * (q_T + c.gap * own_T);
  c.exact = true;
  return c.gap < 0;
}

// Exact gap and normal; false where it is no contact after all.
bool PatchBuilder::measure(Candidate& c, bool& sure) const {
  sure = true;
  if (c.exact) return true;
  if (c.through) return measure_through(c);
  const MeshSide& side = target_of(c);
  const Vec3 q_T = inverse_mul(side.X_PS, c.p), edge_T = transpose_mul(side.X_PS.R, c.edge);
  const double reach = std::fabs(c.gap) + 2 * side.target.error() + pair_.tiny;
  const Measured m = side.target.measure(q_T, reach, edge_T);
  if (!m.found || m.distance > pair_.margin) return false;
  const Vec3 out = side.X_PS.R * m.normal;
  c.n = c.prober == 0 ? -out : out;
  c.q = side.X_PS * m.point;
  c.gap = m.distance;
  c.exact = true;
  sure = m.sure;
  return c.gap <= touching_ || is_nearest(c);
}

// Of two things apart, the nearest points are nearer than all around them. What comes along its own
// surface towards a corner of the other is not where the two will touch: as a contact it would stop
// the sliding.
bool PatchBuilder::is_nearest(const Candidate& c) const {
  // facets stand for round surfaces: slope of the distance along edges, and the same as an angle
  constexpr double kSlope = -0.5, kBeside = 0.5235987755982988;
  if (c.sample == nullptr) return true;
  const MeshSide& from = pair_.side(c.prober);
  const MeshGeometry& g = *from.target.mesh();
  const Vec3 up = transpose_mul(from.X_PS.R, c.prober == 0 ? -c.n : c.n);
  if (c.corner < 0 || (c.feature & kOfEdge) == kOfEdge) {
    // along the edge, and down its two faces
    const Vec3 own = transpose_mul(from.X_PS.R, c.own);
    return std::fabs(dot(c.edge, c.n)) < -kSlope && dot(own, up) < -cos(c.cone + kBeside);
  }
  const MeshCorner at{c.triangle, c.corner};
  const Vec3& p = g.vertices[at.vertex(g)];
  double least = 0;
  visit_neighbours(g, at, [&](const MeshCorner& around) {
    const Vec3 edge = g.vertices[around.vertex(g)] - p;
    least = std::min(least, dot(up, edge) / norm(edge));
  });
  return least > kSlope;
}

Patch* PatchBuilder::start(uint32_t i) {
  if (patches_.size() < 2 * kMostPatches) {
    patches_.push_back({list_[i].n, list_[i].p, {i}});
    return &patches_.back();
  }
  full_ = true;
  Patch* p = find_patch(list_[i], kWrongNormal);
  if (p != nullptr) p->members.push_back(i);
  return p;
}

void PatchBuilder::place(uint32_t i) {
  Candidate& c = list_[i];
  if (Patch* p = find_patch(c, find_needed(c))) {
    p->members.push_back(i);
    return;
  }
  if (c.exact) {
    start(i);
    return;
  }
  bool sure = true;
  if (!measure(c, sure)) return;
  if (!sure) {
    unsure_.push_back(i);
  } else if (Patch* p = find_patch(c, find_needed(c))) {
    p->members.push_back(i);
  } else {
    start(i);
  }
}

// On the surface, where faces of the target meet: the face that others touch, else the one that
// looks most at the prober. The patch that it is in then.
Patch* PatchBuilder::settle_unsure(uint32_t i) {
  Candidate& c = list_[i];
  const MeshSide& side = target_of(c);
  Measured m;
  m.point = inverse_mul(side.X_PS, c.q);
  const FaceNormals faces = side.target.faces_at(m);
  const double sign = c.prober == 0 ? -1 : 1;
  Vec3 best = c.n;
  double most = -2;
  Patch* to = nullptr;
  for (int k = 0; k < faces.count; ++k) {
    Candidate turned = c;
    turned.n = sign * (side.X_PS.R * faces.n[k]);
    if (Patch* p = find_patch(turned, kTouchingCone)) {
      if (to == nullptr || dot(p->n, turned.n) > dot(to->n, best)) {
        to = p;
        best = turned.n;
      }
    }
    const double against = -sign * dot(c.own, turned.n);
    if (to == nullptr && against > most) {
      most = against;
      best = turned.n;
    }
  }
  c.n = best;
  c.gap = (c.prober == 0 ? 1 : -1) * dot(c.n, c.q - c.p);
  if (to == nullptr) return start(i);
  to->members.push_back(i);
  return to;
}

void PatchBuilder::group() {
  const auto by_gap = [](const Candidate& x, const Candidate& y) {
    return x.gap != y.gap ? x.gap < y.gap : x.feature < y.feature;
  };
  std::sort(list_.begin(), list_.end(), by_gap);
  refine_lowest();
  drop_doubles();
  std::sort(list_.begin(), list_.end(), by_gap);
  if (list_.size() > 2 * kMostPatches) {
    const std::vector<Candidate> unplaced = list_;
    place_all();
    if (full_) {
      list_ = unplaced;
      place_widely();
    }
  } else {
    place_all();
  }
  for (const uint32_t i : unsure_) settle_unsure(i);
}

PatchPlace PatchBuilder::place_of(const Vec3& n, const Vec3& p, double gap, bool known) const {
  const double way = dot(n, pair_.shift + cross(pair_.turn, p));
  return {n, p, gap + std::min(way, 0.0), known};
}

void PatchBuilder::place_all() {
  for (uint32_t i = 0; i < list_.size(); ++i) place(i);
}

// A round seat touches all around in more places than there are patches; in order of gaps all of
// these would be on one side of it. Patches begin where those do that stand for all.
void PatchBuilder::place_widely() {
  std::vector<PatchPlace> places;
  for (const Candidate& c : list_) {
    places.push_back(place_of(c.n, c.p, c.gap, is_known(c.feature)));
  }
  patches_.clear();
  unsure_.clear();
  std::vector<uint8_t> first(list_.size(), 0);
  for (const uint32_t i : choose_places(places, pair_.margin, touching_, 2 * kMostPatches)) {
    first[i] = 1;
    place(i);
  }
  for (uint32_t i = 0; i < list_.size(); ++i) {
    if (first[i] == 0) place(i);
  }
}

// Whether a place of the target at which faces meet belongs to one with this normal.
bool PatchBuilder::is_on_face(const Candidate& c, const Vec3& n) const {
  const MeshSide& side = target_of(c);
  Measured m;
  m.point = inverse_mul(side.X_PS, c.q);
  const FaceNormals faces = side.target.faces_at(m);
  const Vec3 n_T = (c.prober == 0 ? -1.0 : 1.0) * transpose_mul(side.X_PS.R, n);
  for (int k = 0; k < faces.count; ++k) {
    if (dot(faces.n[k], n_T) > kNearCone) return true;
  }
  return faces.count == 0;
}

// A few members, with exact gaps and normals. What turns out to lie on other faces, which fields
// in corners do not tell apart, is left to patches of those.
void PatchBuilder::choose(size_t patch) {
  const Vec3 n = patches_[patch].n;
  std::vector<uint32_t> members = patches_[patch].members;
  const auto name = [&](uint32_t i) {
    const Candidate& c = list_[i];
    return c.round ? c.feature & kOfRound : c.feature;
  };
  std::sort(members.begin(), members.end(), [&](uint32_t x, uint32_t y) {
    return name(x) != name(y) ? name(x) < name(y) : list_[x].gap < list_[y].gap;
  });
  // round shapes: one point for each patch
  const auto same = [&](uint32_t x, uint32_t y) { return name(x) == name(y); };
  members.erase(std::unique(members.begin(), members.end(), same), members.end());
  // of convex targets directions are exact: what is nearest elsewhere takes nobody's place
  std::erase_if(members, [&](uint32_t i) {
    const Candidate& c = list_[i];
    return c.gap > touching_ && target_of(c).target.convex() && !is_nearest(c);
  });
  const Vec3 t1 = any_orthogonal(n), t2 = cross(n, t1);
  std::vector<PatchCandidate> points;
  points.reserve(members.size());
  for (const uint32_t i : members) {
    const Candidate& c = list_[i];
    const double way = dot(n, pair_.shift + cross(pair_.turn, c.p));
    points.push_back(
        {dot(t1, c.p), dot(t2, c.p), c.gap, c.gap + std::min(way, 0.0), is_known(c.feature)});
  }
  const ChosenPoints chosen = choose_points(points, touching_);
  std::vector<uint32_t> kept;
  for (int k = 0; k < chosen.count; ++k) {
    const uint32_t i = members[chosen.index[k]];
    Candidate& c = list_[i];
    bool sure = true;
    if (!measure(c, sure)) continue;
    if (!sure && !is_on_face(c, n)) {
      unsure_.push_back(i);
      continue;
    }
    if (!sure) c.n = n;
    if (dot(c.n, n) >= kWrongNormal) kept.push_back(i);
  }
  patches_[patch].kept = std::move(kept);
}

void PatchBuilder::write_patch(const Patch& patch, std::vector<Manifold>& out) const {
  std::vector<const Candidate*> kept;
  for (const uint32_t i : patch.kept) kept.push_back(&list_[i]);
  // what turns out to touch another way is a patch of its own
  while (!kept.empty()) {
    const Candidate* deepest = *std::min_element(
        kept.begin(), kept.end(), [](const auto* x, const auto* y) { return x->gap < y->gap; });
    const auto belongs = [&](const Candidate* c) {
      const bool touches = c->gap <= touching_ && c->gap > -deep_;
      return c == deepest || dot(c->n, deepest->n) > (touches ? kTouchingCone : kWrongNormal);
    };
    std::vector<const Candidate*> together, rest;
    for (const Candidate* c : kept) (belongs(c) ? together : rest).push_back(c);
    write_points(together, deepest->gap, out);
    kept.swap(rest);
  }
}

// One normal for all: the mean of those that touch, so that it does not jump when another is
// deepest.
void PatchBuilder::write_points(std::span<const Candidate* const> kept, double least,
                                std::vector<Manifold>& out) const {
  Vec3 sum;
  for (const Candidate* c : kept) {
    sum += std::max(0.0, 1 - (c->gap - least) / touching_) * c->n;
  }
  Manifold m;
  m.normal_W = normalized(sum, kept[0]->n);
  m.distance = 1e300;
  for (const Candidate* c : kept) {
    if (m.count == Manifold::kMaxPoints) break;
    const Vec3 &pA = c->prober == 0 ? c->p : c->q, &pB = c->prober == 0 ? c->q : c->p;
    const double gap = dot(m.normal_W, pB - pA);
    if (gap > pair_.margin) continue;
    m.points[m.count++] = {0.5 * (pA + pB), gap, c->feature};
    m.distance = std::min(m.distance, gap);
  }
  if (m.count == 0) return;
  std::sort(m.points.begin(), m.points.begin() + m.count,
            [](const ContactPoint& x, const ContactPoint& y) { return x.feature < y.feature; });
  out.push_back(m);
}

void PatchBuilder::write(std::vector<Manifold>& out) {
  const size_t first = out.size();
  unsure_.clear();
  for (size_t k = 0; k < patches_.size(); ++k) choose(k);
  for (const uint32_t i : unsure_) {
    if (Patch* p = settle_unsure(i)) p->kept.push_back(i);
  }
  for (const Patch& patch : patches_) write_patch(patch, out);
  if (out.size() - first > kMostPatches) {
    std::vector<PatchPlace> places;
    for (size_t i = first; i < out.size(); ++i) {
      const Manifold& m = out[i];
      const auto nearest =
          std::min_element(m.points.begin(), m.points.begin() + m.count,
                           [](const auto& x, const auto& y) { return x.distance < y.distance; });
      places.push_back(place_of(m.normal_W, nearest->p_W, m.distance, is_known(nearest->feature)));
    }
    std::vector<Manifold> kept;
    for (const uint32_t i : choose_places(places, pair_.margin, touching_, kMostPatches)) {
      kept.push_back(out[first + i]);
    }
    out.resize(first);
    out.insert(out.end(), kept.begin(), kept.end());
  }
  std::sort(out.begin() + first, out.end(), [](const Manifold& x, const Manifold& y) {
    if (x.points[0].feature != y.points[0].feature)
      return x.points[0].feature < y.points[0].feature;
    return x.distance < y.distance;
  });
}

void build_patches(const MeshPair& pair, std::vector<Candidate>& candidates,
                   std::vector<Manifold>& out) {
  if (candidates.empty()) return;
  PatchBuilder builder(pair, candidates);
  builder.group();
  builder.write(out);
}

}  // namespace tenon::narrow
