// A floor of tiles. A body C that lies on a tile A with the normal n is kept above A's plane, and
// the next tile B has nothing to say to it while all of B is below that plane and B is met where A
// is as well:
//
//   n (s - q) <= e,   s = the farthest point of B along n, q on A's surface,
//   |p - A| <= d for all points p of B at which C and B would touch.                         (5g)
//
// Where their normals are the same, B bears what lies on it as A does, and d is e: all of p is A's.
//
// Between the two may be a gap: C does not fall into one that is narrow beside it, and with so
// little beyond A it needs nothing to stand on there.
//
// Without it, C would be stopped by the side of B as soon as it has sunk by the last digit, and
// balls by the plane across B's edge, which is aslant while they are not above it. Once C is above
// B, they touch elsewhere.
#include "tenon/engine/world/seams.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>

#include "tenon/engine/geometry/closest_point.h"
#include "tenon/engine/geometry/support.h"
#include "tenon/engine/world/phases.h"

namespace tenon {
namespace {

// e and d, of the size of what lies on it
constexpr double kFlush = 1e-4, kNarrow = 0.05;

bool is_convex(const Collider& c) {
  return kind(c.shape) != ShapeKind::kMesh && kind(c.shape) != ShapeKind::kPlane;
}

// A contact as one of its colliders sees it.
struct Side {
  uint32_t self, other;  // colliders
  uint32_t contact;
};

class SeamFinder {
 public:
  explicit SeamFinder(const WorldData& data) : data_(data) {
    for (uint32_t i = 0; i < data.contacts.size(); ++i) {
      const Contact& c = data.contacts[i];
      if (!c.acts) continue;
      if (may_lie(c.body_a, c.body_b)) sides_.push_back({c.collider_a, c.collider_b, i});
      if (may_lie(c.body_b, c.body_a)) sides_.push_back({c.collider_b, c.collider_a, i});
    }
    // those with the most to stand on first, and of these the nearest
    std::sort(sides_.begin(), sides_.end(), [&](const Side& x, const Side& y) {
      const Manifold &m = data.contacts[x.contact].manifold, &n = data.contacts[y.contact].manifold;
      return std::tuple(x.self, -m.count, m.distance, x.contact) <
             std::tuple(y.self, -n.count, n.distance, y.contact);
    });
  }

  // By contact: not zero at seams.
  std::vector<uint8_t> find() const {
    std::vector<uint8_t> seams(data_.contacts.size(), 0);
    for (size_t begin = 0, end = 0; begin < sides_.size(); begin = end) {
      while (end < sides_.size() && sides_[end].self == sides_[begin].self) ++end;
      if (end - begin > 1) look(std::span(sides_).subspan(begin, end - begin), seams);
    }
    return seams;
  }

 private:
  // A dynamic body on what may be one of several that make one; see make_one().
  bool may_lie(uint32_t slot, uint32_t on) const {
    const bool dynamic = data_.info[on].motion == MotionKind::kDynamic;
    return data_.info[slot].motion == MotionKind::kDynamic &&
           (!dynamic || data_.info[on].colliders.size() > 1);
  }
  // from the other collider to this one
  Vec3 normal_of(const Side& s) const {
    const Contact& c = data_.contacts[s.contact];
    return c.collider_b == s.self ? c.manifold.normal_W : -c.manifold.normal_W;
  }
  // a point of the other collider
  Vec3 point_of(const Side& s, int k) const {
    const Contact& c = data_.contacts[s.contact];
    const ContactPoint& x = c.manifold.points[static_cast<size_t>(k)];
    const Vec3 half = (0.5 * std::max(x.distance, 0.0)) * c.manifold.normal_W + 0.5 * c.slip_W;
    return c.collider_b == s.self ? x.p_W - half : x.p_W + half;
  }
  Vec3 velocity_at(uint32_t collider, const Vec3& p_W) const {
    const uint32_t slot = data_.colliders[collider].body;
    if (data_.info[slot].motion == MotionKind::kStatic) return {};
    const BodyState& s = data_.state[slot];
    return s.v_WC + cross(s.w_WB, p_W - s.x_WC);
  }
  double size_of(const Side& s) const { return data_.colliders[s.self].size; }

  // Touches, and neither comes nor goes faster than what weight does in a step.
  bool lies_on(const Side& s) const {
    const Contact& c = data_.contacts[s.contact];
    if (kind(data_.colliders[s.other].shape) == ShapeKind::kMesh) return false;
    if (!(c.manifold.distance <= kFlush * size_of(s))) return false;
    const Vec3 p = point_of(s, 0);
    const double rate = dot(normal_of(s), velocity_at(s.self, p) - velocity_at(s.other, p));
    const double h = data_.settings.step;
    return std::fabs(rate) <= norm(data_.settings.gravity) * h + kFlush * size_of(s) / h;
  }

  // Parts of one body, or nothing that is pushed: bodies that are may rise above each other by what
  // lies on them.
  bool make_one(const Collider& A, const Collider& B) const {
    const auto stays = [&](const Collider& c) {
      return data_.info[c.body].motion != MotionKind::kDynamic;
    };
    return A.body == B.body || (stays(A) && stays(B));
  }

  // Among the sides of one collider. What lies on many tiles lies flat on most: there only others
  // may be seams, which are few.
  void look(std::span<const Side> sides, std::vector<uint8_t>& seams) const {
    constexpr size_t kFew = 8;
    std::vector<const Side*> on, next;
    for (const Side& s : sides) {
      const bool lies = lies_on(s);
      if (lies) on.push_back(&s);
      if (!lies || sides.size() <= kFew || !is_along(*on[0], s)) next.push_back(&s);
    }
    for (const Side* a : on) {
      if (seams[a->contact] != 0) continue;
      for (const Side* b : next) {
        if (a != b && seams[b->contact] == 0 && is_seam(*a, *b)) seams[b->contact] = 1;
      }
    }
  }

  bool is_along(const Side& a, const Side& b) const {
    return dot(normal_of(a), normal_of(b)) > 1 - 1e-6;
  }

  bool is_seam(const Side& on, const Side& next) const {
    const Contact &c = data_.contacts[on.contact], &d = data_.contacts[next.contact];
    const Collider &A = data_.colliders[on.other], &B = data_.colliders[next.other];
    const double e = kFlush * size_of(on);
    const double reach = is_along(on, next) ? e : kNarrow * size_of(on);
    // a mesh that touches one thing in several patches needs all of them
    if (on.other == next.other || !make_one(A, B) || !is_convex(B)) return false;
    if (!(c.manifold.distance <= d.manifold.distance + e)) return false;
    const Vec3 n = normal_of(on), q = point_of(on, 0);
    // all of B below the plane of A, and no faster
    const Vec3 s = B.X_WS * support(B.shape, transpose(B.X_WS.R) * n);
    const double rise = dot(n, velocity_at(next.other, s) - velocity_at(on.other, s));
    if (dot(n, s - q) + std::max(rise, 0.0) * data_.settings.step > e) return false;
    for (int k = 0; k < d.manifold.count; ++k) {
      const Vec3 p = inverse(A.X_WS) * point_of(next, k);
      if (find_closest_point(A.shape, p).distance > reach) return false;
    }
    return true;
  }

  const WorldData& data_;
  std::vector<Side> sides_;  // by collider
};

}  // namespace

void leave_out_seams(WorldData& data) {
  const std::vector<uint8_t> seams = SeamFinder(data).find();
  for (size_t i = 0; i < seams.size(); ++i) {
    if (seams[i] != 0) data.contacts[i].acts = false;
  }
}

}  // namespace tenon
