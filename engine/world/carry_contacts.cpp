#include "tenon/engine/world/carry_contacts.h"

#include <array>
#include <limits>

namespace tenon {
namespace {

// Where a point of one of several patches goes on: at the point of its name or the nearest one, of
// patches that push the same way.
struct Heir {
  Contact* contact = nullptr;
  size_t point = 0;
};
Heir find_heir_of_point(const Contact& old, size_t k, const Vec3& shift, std::span<Contact> now) {
  constexpr double kSameWay = 0.7;  // cosine
  const ContactPoint& from = old.manifold.points[k];
  Heir best;
  double nearest = std::numeric_limits<double>::infinity();
  for (Contact& c : now) {
    if (dot(old.manifold.normal_W, c.manifold.normal_W) < kSameWay) continue;
    for (size_t i = 0; i < static_cast<size_t>(c.manifold.count); ++i) {
      const ContactPoint& x = c.manifold.points[i];
      const double distance2 = x.feature == from.feature ? -1 : norm2(x.p_W - from.p_W - shift);
      if (!(distance2 < nearest)) continue;
      nearest = distance2;
      best = {&c, i};
    }
  }
  return best;
}

}  // namespace

// Impulses of the last step go on with the points that bear the same name. Corners of equal faces
// change places at random: what has no heir of its name goes to the nearest point without one, and
// after that to the nearest.
void carry_points(const Contact& old, const Vec3& shift, Contact& c) {
  const auto count = static_cast<size_t>(c.manifold.count);
  const auto old_count = static_cast<size_t>(old.manifold.count);
  std::array<bool, Manifold::kMaxPoints> taken{}, done{};
  for (size_t k = 0; k < old_count; ++k) {
    for (size_t i = 0; i < count; ++i) {
      if (old.manifold.points[k].feature != c.manifold.points[i].feature) continue;
      taken[i] = done[k] = true;
      c.impulse_W[i] = old.impulse_W[k];
      c.holding[i] = old.holding[k];
    }
  }
  for (size_t k = 0; k < old_count; ++k) {
    if (done[k]) continue;
    const Vec3 p = old.manifold.points[k].p_W + shift;
    size_t nearest = count, any = 0;
    double best = std::numeric_limits<double>::infinity(),
           best_any = std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < count; ++i) {
      const double d = norm2(c.manifold.points[i].p_W - p);
      if (d < best_any) {
        best_any = d;
        any = i;
      }
      if (!taken[i] && d < best) {
        best = d;
        nearest = i;
      }
    }
    const size_t heir = nearest < count ? nearest : any;
    taken[heir] = true;
    c.impulse_W[heir] += old.impulse_W[k];
    c.holding[heir] += old.holding[k];
  }
  c.rub_W = old.rub_W;
  c.roll_W = old.roll_W;
  c.spin = old.spin;
  c.vain = old.vain;
}

// Of all patches of a pair, before and now: each point finds its own heir, and friction goes along
// with what pressed.
void carry_patches(std::span<const Contact> old, const Vec3& shift, std::span<Contact> now) {
  if (old.size() == 1 && now.size() == 1) return carry_points(old[0], shift, now[0]);
  for (const Contact& from : old) {
    double pressed = 0;
    for (const double p : from.holding) pressed += p;
    for (size_t k = 0; k < static_cast<size_t>(from.manifold.count); ++k) {
      if (from.holding[k] == 0 && from.impulse_W[k] == Vec3{}) continue;
      const Heir heir = find_heir_of_point(from, k, shift, now);
      if (heir.contact == nullptr) continue;
      Contact& c = *heir.contact;
      c.impulse_W[heir.point] += from.impulse_W[k];
      c.holding[heir.point] += from.holding[k];
      if (!(pressed > 0)) continue;
      const double share = from.holding[k] / pressed;
      c.rub_W += share * from.rub_W;
      c.roll_W += share * from.roll_W;
      c.spin += share * from.spin;
      c.vain = std::max(c.vain, from.vain);
    }
  }
}

}  // namespace tenon
