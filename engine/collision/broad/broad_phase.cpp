// The proxies themselves, and queries. Trees and pair lists have files of their own.
#include "tenon/engine/collision/broad/broad_phase.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "tenon/engine/base/assert.h"
#include "tenon/engine/collision/broad/detail/visit_trees.h"

namespace tenon {

bool BroadPhase::accepts(const Aabb& box) {
  // a NaN fails the comparison it is in
  constexpr double kMax = std::numeric_limits<double>::max();
  return box.lo.x <= box.hi.x && box.lo.y <= box.hi.y && box.lo.z <= box.hi.z &&
         box.lo.x >= -kMax && box.lo.y >= -kMax && box.lo.z >= -kMax && box.hi.x <= kMax &&
         box.hi.y <= kMax && box.hi.z <= kMax;
}

void BroadPhase::note_change(ProxyId id, uint8_t what) {
  uint8_t& flags = flags_[id];
  if ((what & kChanged) != 0 && (flags & kChanged) == 0) changed_.push_back(id);
  if ((what & kEscaped) != 0 && (flags & kEscaped) == 0) escaped_.push_back(id);
  flags = static_cast<uint8_t>(flags | what);
}

void BroadPhase::clear_changes() {
  for (ProxyId id : changed_) {
    flags_[id] = static_cast<uint8_t>(flags_[id] & ~(kChanged | kEscaped));
  }
  changed_.clear();
  escaped_.clear();
}

void BroadPhase::enlist(ProxyId id) {
  std::vector<ProxyId>& ids = (flags_[id] & kStaticFlag) != 0 ? static_ids_ : moving_ids_;
  proxies_[id].rank = static_cast<uint32_t>(ids.size());
  ids.push_back(id);
}

void BroadPhase::delist(ProxyId id) {
  std::vector<ProxyId>& ids = (flags_[id] & kStaticFlag) != 0 ? static_ids_ : moving_ids_;
  const uint32_t rank = proxies_[id].rank;
  ids[rank] = ids.back();
  proxies_[ids[rank]].rank = rank;
  ids.pop_back();
}

void BroadPhase::insert(ProxyId id, const Aabb& box, ProxyMotion motion) {
  TENON_DEMAND(id <= kMaxProxyId);
  TENON_DEMAND(!contains(id));
  TENON_DEMAND(accepts(box));
  if (id >= flags_.size()) {
    boxes_.resize(id + 1);
    fats_.resize(id + 1);
    proxies_.resize(id + 1);
    flags_.resize(id + 1, 0);
  }
  boxes_[id] = box;
  proxies_[id] = {};
  const bool is_static = motion == ProxyMotion::kStatic;
  flags_[id] = static_cast<uint8_t>((flags_[id] & (kChanged | kEscaped)) | kLive |
                                    (is_static ? kStaticFlag : 0));
  enlist(id);
  note_change(id, kChanged | kEscaped);
}

void BroadPhase::remove(ProxyId id) {
  TENON_DEMAND(contains(id));
  leave_tree(id);
  delist(id);
  flags_[id] = static_cast<uint8_t>(flags_[id] & ~kLive);
  note_change(id, kChanged | kEscaped);
}

void BroadPhase::move(ProxyId id, const Aabb& box) {
  TENON_DEMAND(contains(id));
  TENON_DEMAND(accepts(box));
  if (boxes_[id] == box) return;
  boxes_[id] = box;
  note_change(id, in_fat_box(id) ? kChanged : kChanged | kEscaped);
}

void BroadPhase::move(std::span<const ProxyId> ids, std::span<const Aabb> boxes) {
  TENON_DEMAND(ids.size() == boxes.size());
  for (size_t i = 0; i < ids.size(); ++i) move(ids[i], boxes[i]);
}

void BroadPhase::set_motion(ProxyId id, ProxyMotion motion_wanted) {
  TENON_DEMAND(contains(id));
  if (motion(id) == motion_wanted) return;
  leave_tree(id);
  delist(id);
  flags_[id] = static_cast<uint8_t>(flags_[id] ^ kStaticFlag);
  enlist(id);
  note_change(id, kChanged | kEscaped);
}

void BroadPhase::clear() {
  boxes_.clear();
  fats_.clear();
  proxies_.clear();
  flags_.clear();
  moving_ids_.clear();
  static_ids_.clear();
  changed_.clear();
  escaped_.clear();
  moving_tree_.clear();
  static_tree_.clear();
  young_tree_.clear();
  replaced_ = 0;
  origin_ = {};
  candidates_.clear();
  candidates_valid_ = false;
  pair_count_ = 0;
  step_ = 0;
  rebuilds_ = escapes_ = 0;
}

BroadPhase::Counters BroadPhase::counters() const {
  return {candidates_valid_ ? candidates_.size() : 0, rebuilds_, escapes_};
}

void BroadPhase::find_overlaps(const Aabb& box, std::vector<ProxyId>& out) const {
  TENON_DEMAND(accepts(box));
  out.clear();
  const auto add_if_hit = [&](ProxyId id) {
    if (overlaps(boxes_[id], box)) out.push_back(id);
  };
  const broad::FloatBox local_box = local(box);
  visit_trees([&](const broad::Node& node) { return broad::overlap_mask(node, local_box); },
              [&](ProxyId id) {
                if ((flags_[id] & kEscaped) == 0) add_if_hit(id);
              });
  for (ProxyId id : escaped_) {
    if (contains(id)) add_if_hit(id);
  }
  std::sort(out.begin(), out.end());
}

namespace {

// The part of a ray inside a box: enter <= t <= leave, within [0, max_t]; enter > leave if none.
// Slabs: [Kay1986, sec. 3]. `slack` widens the box.
struct RaySpan {
  double enter, leave;
};
RaySpan clip_ray(const Vec3& origin, const Vec3& direction, double max_t, const Aabb& box,
                 double slack) {
  RaySpan span{0, max_t};
  for (int k = 0; k < 3; ++k) {
    const double lo = box.lo[k] - slack - origin[k], hi = box.hi[k] + slack - origin[k];
    if (direction[k] == 0) {
      // parallel to the slab: inside throughout or outside throughout
      if (lo > 0 || hi < 0) return {1, 0};
      continue;
    }
    double t0 = lo / direction[k], t1 = hi / direction[k];
    if (t0 > t1) std::swap(t0, t1);
    span.enter = std::max(span.enter, t0);
    span.leave = std::min(span.leave, t1);
  }
  return span;
}

}  // namespace

void BroadPhase::walk_ray(const Vec3& origin, const Vec3& direction, double max_t,
                          const RayCallback& visit) const {
  TENON_DEMAND(is_finite(origin) && is_finite(direction) && max_t >= 0);
  using Hit = std::pair<double, ProxyId>;
  std::vector<Hit> hits;
  const auto add_if_hit = [&](ProxyId id) {
    const RaySpan span = clip_ray(origin, direction, max_t, boxes_[id], 0);
    if (span.enter <= span.leave) hits.emplace_back(span.enter, id);
  };

  // in the trees' coordinates everything is rounded: widen by more than that
  const Vec3 local_origin = origin - origin_;
  const double slack =
      1e-14 * (max_component(cwise_abs(origin)) + max_component(cwise_abs(origin_)));
  // what the box around a short ray does not meet need not be divided by its direction
  const Vec3 end = origin + max_t * direction;
  const Aabb around{cwise_min(origin, end), cwise_max(origin, end)};
  const bool is_short = is_finite(end) && accepts(around);
  const broad::FloatBox local_around = is_short ? local(around) : broad::FloatBox{};
  const auto test = [&](const broad::Node& node) {
    uint32_t mask = 0, met = is_short ? broad::overlap_mask(node, local_around) : 0xffu;
    for (; met != 0; met &= met - 1) {
      const int i = std::countr_zero(met);
      const broad::FloatBox child = node.child(i);
      if (!(child.lo[0] <= child.hi[0])) continue;
      const RaySpan span = clip_ray(local_origin, direction, max_t, broad::unclamped(child), slack);
      const double rounding = 1e-14 * (span.enter + std::fabs(span.leave));
      if (span.leave >= span.enter || span.leave + rounding >= span.enter) mask |= 1u << i;
    }
    return mask;
  };
  visit_trees(test, [&](ProxyId id) {
    if ((flags_[id] & kEscaped) == 0) add_if_hit(id);
  });
  for (ProxyId id : escaped_) {
    if (contains(id)) add_if_hit(id);
  }

  // front to back
  std::sort(hits.begin(), hits.end());
  for (const auto& [t, id] : hits) {
    if (t > max_t) return;
    max_t = visit(id, t, max_t);
  }
}

}  // namespace tenon
