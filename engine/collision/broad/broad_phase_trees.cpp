// Fat boxes, and the three trees that hold them.
//
// Tree coordinates are local: l(x) = clamp(x - origin, -kFar, kFar) in double, then rounded outward
// to float. l is monotone, so boxes that overlap still do after it (x <= y => l(x) <= l(y)), and
// overlap of fat boxes is necessary for overlap of boxes, whatever is lost to rounding.
#include <algorithm>
#include <cmath>

#include "tenon/engine/collision/broad/detail/visit_trees.h"

namespace tenon {
namespace {

using broad::FloatBox;
using broad::kFar;

// Margin of a fat box, as parts of the largest edge. A wide margin makes candidates, a narrow one
// makes escapes; between the bounds it is what kStepsAhead steps at the present speed need.
constexpr double kMinMargin = 0.05, kNewMargin = 0.1, kMaxMargin = 0.3;
constexpr double kStepsAhead = 8;
// A margin that would not last this many steps does not pay.
constexpr double kMinSteps = 2;

// Rounded to float, down or up by 1 to 3 units in the last place; 1e-37 covers denormals.
constexpr double kRound = 1.2e-7, kTiny = 1e-37;
float round_down(double x) {
  const double c = std::clamp(x, -kFar, kFar);
  return static_cast<float>(c - kRound * std::fabs(c) - kTiny);
}
float round_up(double x) {
  const double c = std::clamp(x, -kFar, kFar);
  return static_cast<float>(c + kRound * std::fabs(c) + kTiny);
}

FloatBox round_outward(const Vec3& lo, const Vec3& hi) {
  return {{round_down(lo.x), round_down(lo.y), round_down(lo.z)},
          {round_up(hi.x), round_up(hi.y), round_up(hi.z)}};
}

}  // namespace

FloatBox BroadPhase::local(const Aabb& box) const {
  return round_outward(box.lo - origin_, box.hi - origin_);
}

bool BroadPhase::in_fat_box(ProxyId id) const {
  const FloatBox& fat = fats_[id];
  const Vec3 lo = boxes_[id].lo - origin_, hi = boxes_[id].hi - origin_;
  return lo.x >= fat.lo[0] && lo.y >= fat.lo[1] && lo.z >= fat.lo[2] && hi.x <= fat.hi[0] &&
         hi.y <= fat.hi[1] && hi.z <= fat.hi[2];
}

FloatBox BroadPhase::make_fat(ProxyId id) const {
  const Vec3 lo = boxes_[id].lo - origin_, hi = boxes_[id].hi - origin_;
  if ((flags_[id] & kStaticFlag) != 0) return round_outward(lo, hi);
  const double edge = max_component(hi - lo);
  double margin = kNewMargin * edge;
  const Proxy& proxy = proxies_[id];
  if (proxy.home != Home::kNone) {
    // speed since the old fat box was put around the proxy
    const FloatBox& old = fats_[id];
    const Vec3 old_center{0.5 * (double{old.lo[0]} + old.hi[0]),
                          0.5 * (double{old.lo[1]} + old.hi[1]),
                          0.5 * (double{old.lo[2]} + old.hi[2])};
    const double distance = max_component(cwise_abs(0.5 * (lo + hi) - old_center));
    const double steps = std::max(1u, step_ - proxy.made);
    const double speed = distance / steps;
    margin = std::clamp(kStepsAhead * speed, kMinMargin * edge, kMaxMargin * edge);
    if (kMinSteps * speed > margin) margin = 0;
  }
  const Vec3 m{margin, margin, margin};
  return round_outward(lo - m, hi + m);
}

bool BroadPhase::origin_is_far() const {
  // floats around the origin resolve a ten-millionth of the distance from it; a margin is a few
  // hundredths of an edge
  constexpr size_t kSamples = 32;
  constexpr double kFarEdges = 1e4, kFarSpreads = 4;
  if (moving_ids_.empty()) return false;
  Vec3 lo, hi, sum_edges;
  size_t samples = 0;
  const size_t stride = moving_ids_.size() / kSamples + 1;
  for (size_t i = 0; i < moving_ids_.size(); i += stride, ++samples) {
    const Aabb& box = boxes_[moving_ids_[i]];
    const Vec3 p = center(box) - origin_;
    lo = samples == 0 ? p : cwise_min(lo, p);
    hi = samples == 0 ? p : cwise_max(hi, p);
    sum_edges += box.hi - box.lo;
  }
  const double edge = max_component(sum_edges) / static_cast<double>(samples);
  const double distance = max_component(cwise_abs(0.5 * (lo + hi)));
  return distance > kFarEdges * edge && distance > kFarSpreads * max_component(hi - lo);
}

void BroadPhase::choose_origin() {
  // the middle of the moving proxies, each axis for itself; any finite point would be right
  std::vector<double> middle(moving_ids_.size());
  const auto half = middle.begin() + static_cast<std::ptrdiff_t>(middle.size() / 2);
  for (int k = 0; k < 3; ++k) {
    for (size_t i = 0; i < middle.size(); ++i) middle[i] = center(boxes_[moving_ids_[i]])[k];
    std::nth_element(middle.begin(), half, middle.end());
    origin_[k] = std::clamp(*half, -kFar, kFar);
  }
}

void BroadPhase::renew_fat_box(ProxyId id) {
  fats_[id] = make_fat(id);
  proxies_[id].made = step_;
}

void BroadPhase::rebuild_all() {
  const bool shift = origin_is_far();
  if (shift) choose_origin();
  for (ProxyId id : moving_ids_) {
    if (shift) proxies_[id].home = Home::kNone;  // the old fat box tells nothing about the speed
    renew_fat_box(id);
  }
  build_tree(moving_tree_, Home::kMovingTree, moving_ids_);
  replaced_ = 0;

  // static ones stay where they are, unless coordinates have changed or too many wait
  if (shift) {
    for (ProxyId id : static_ids_) renew_fat_box(id);
    build_tree(static_tree_, Home::kStaticTree, static_ids_);
    young_tree_.clear();
    return;
  }
  std::vector<ProxyId> young;
  for (uint32_t slot = 0; slot < young_tree_.slot_count(); ++slot) {
    const ProxyId id = young_tree_.id_at(slot);
    if (lives_in(id, Home::kYoungTree, slot) && (flags_[id] & kEscaped) == 0) young.push_back(id);
  }
  for (ProxyId id : escaped_) {
    if ((flags_[id] & (kLive | kStaticFlag)) != (kLive | kStaticFlag)) continue;
    leave_tree(id);
    renew_fat_box(id);
    young.push_back(id);
  }
  settle(young);
}

// Brings the trees up to date with few escapes. A box that moved by less than its size keeps its
// slot; one from further away would widen the bounds of nodes it has nothing to do with.
void BroadPhase::place_escaped() {
  std::vector<ProxyId> young;
  bool young_changed = false;
  for (ProxyId id : escaped_) {
    if ((flags_[id] & kLive) == 0) continue;
    Proxy& proxy = proxies_[id];
    const FloatBox fat = make_fat(id);
    if (proxy.home == Home::kMovingTree && broad::overlaps(fats_[id], fat)) {
      moving_tree_.replace(proxy.slot, fat);
      ++replaced_;
    } else {
      leave_tree(id);
      young.push_back(id);
      young_changed = true;
    }
    fats_[id] = fat;
    proxy.made = step_;
  }

  // boxes that have drifted apart make nodes overlap: sort them anew now and then
  if (2 * replaced_ > moving_tree_.slot_count() + 64) {
    build_tree(moving_tree_, Home::kMovingTree, moving_ids_);
    replaced_ = 0;
    // the moving ones of the young tree have moved house: it must forget them
    young_changed = true;
  }
  if (!young_changed) return;
  for (uint32_t slot = 0; slot < young_tree_.slot_count(); ++slot) {
    const ProxyId id = young_tree_.id_at(slot);
    if (lives_in(id, Home::kYoungTree, slot)) young.push_back(id);
  }
  settle(young);
}

// Gives the homeless a home: together in the young tree, or all in the trees for good.
void BroadPhase::settle(const std::vector<ProxyId>& ids) {
  size_t count_static = 0;
  std::vector<ProxyId> young;
  for (ProxyId id : ids) {
    if (proxies_[id].home != Home::kNone && proxies_[id].home != Home::kYoungTree) continue;
    young.push_back(id);
    count_static += (flags_[id] & kStaticFlag) != 0;
  }
  const bool settle_static = count_static > 32 + static_ids_.size() / 16;
  const bool settle_moving = young.size() - count_static > 32 + moving_ids_.size() / 16;
  if (settle_static) build_tree(static_tree_, Home::kStaticTree, static_ids_);
  if (settle_moving) {
    build_tree(moving_tree_, Home::kMovingTree, moving_ids_);
    replaced_ = 0;
  }
  std::erase_if(young, [&](ProxyId id) {
    return (flags_[id] & kStaticFlag) != 0 ? settle_static : settle_moving;
  });
  build_tree(young_tree_, Home::kYoungTree, young);
}

bool BroadPhase::lives_in(ProxyId id, Home home, uint32_t slot) const {
  return (flags_[id] & kLive) != 0 && proxies_[id].home == home && proxies_[id].slot == slot;
}

void BroadPhase::leave_tree(ProxyId id) {
  Proxy& proxy = proxies_[id];
  if (proxy.home == Home::kMovingTree) moving_tree_.erase(proxy.slot);
  if (proxy.home == Home::kStaticTree) static_tree_.erase(proxy.slot);
  if (proxy.home == Home::kYoungTree) young_tree_.erase(proxy.slot);
  proxy.home = Home::kNone;
}

void BroadPhase::build_tree(broad::BoxTree& tree, Home home, const std::vector<ProxyId>& ids) {
  tree.build(ids, [this](ProxyId id) { return fats_[id]; });
  for (uint32_t slot = 0; slot < tree.slot_count(); ++slot) {
    Proxy& proxy = proxies_[tree.id_at(slot)];
    proxy.slot = slot;
    proxy.home = home;
  }
}

}  // namespace tenon
