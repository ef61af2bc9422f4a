#include "tenon/engine/contact/contact.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace tenon {
namespace {
bool pair_before(const Touch& a, const Touch& b) {
  return std::tie(a.body_a, a.body_b) < std::tie(b.body_a, b.body_b);
}
}  // namespace

std::vector<Touch> find_touches(std::span<const Contact> contacts) {
  std::vector<Touch> touches;
  for (const Contact& c : contacts) {
    if (c.manifold.count == 0 || c.manifold.distance > 0) continue;
    touches.push_back(
        {std::min(c.body_a, c.body_b), std::max(c.body_a, c.body_b), c.manifold.distance});
  }
  std::sort(touches.begin(), touches.end(), [](const Touch& a, const Touch& b) {
    return std::tie(a.body_a, a.body_b, a.distance) < std::tie(b.body_a, b.body_b, b.distance);
  });
  const auto last = std::unique(touches.begin(), touches.end(), [](const Touch& a, const Touch& b) {
    return a.body_a == b.body_a && a.body_b == b.body_b;
  });
  touches.erase(last, touches.end());
  return touches;
}

std::vector<Touch> find_new(std::span<const Touch> before, std::span<const Touch> after) {
  std::vector<Touch> fresh;
  std::set_difference(after.begin(), after.end(), before.begin(), before.end(),
                      std::back_inserter(fresh), pair_before);
  return fresh;
}

}  // namespace tenon
