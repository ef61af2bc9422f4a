#include "tenon/engine/world/foresight.h"

namespace tenon {

Vec3 see_from_now(const Approach& a, const Approach& b, Manifold& there) {
  Vec3 slip;
  for (int k = 0; k < there.count; ++k) {
    ContactPoint& x = there.points[static_cast<size_t>(k)];
    const Vec3 pa = a.now * (inverse(a.then) * x.p_W), pb = b.now * (inverse(b.then) * x.p_W);
    const double gap = dot(there.normal_W, pb - pa);
    slip += (1.0 / there.count) * (pb - pa - gap * there.normal_W);
    x.p_W = 0.5 * (pa + pb);
    x.distance += gap;
  }
  return slip;
}

}  // namespace tenon
