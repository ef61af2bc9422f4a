// Broad phase: which boxes overlap. Incremental, nearly linear in the number of moving boxes, and a
// function of the present boxes alone: the pair list never depends on the order of insertion or on
// what happened before, so a world rebuilt from a snapshot reports the same pairs in the same
// order.
//
// How it works (more in detail/box_tree.h, broad_phase_trees.cpp, broad_phase_pairs.cpp):
// - every proxy has a fat box that contains its box for some steps to come; fat boxes sit in
//   8-wide trees over size class and Hilbert order, rebuilt in linear time by radix sort;
// - a sorted list of candidates (pairs of overlapping fat boxes) outlives many steps. When most
//   proxies move, a step is one pass over that list with the exact test; when few move, they are
//   looked up in the trees; when none moves, the last list is returned;
// - everything inexact (fat boxes, floats in the trees) only adds candidates. The last word has
//   always `overlaps(box_a, box_b)` on the doubles that were put in.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "tenon/engine/collision/broad/detail/box_tree.h"
#include "tenon/engine/math/aabb.h"

namespace tenon {

// A proxy is one box with a user id. Ids are small dense integers chosen by the caller: memory is
// proportional to the largest id, and no order among ids is favoured.
using ProxyId = uint32_t;
inline constexpr ProxyId kMaxProxyId = (1u << 30) - 1;

// a < b. Pairs are always reported sorted by (a, b).
struct ProxyPair {
  ProxyId a, b;
  friend auto operator<=>(const ProxyPair&, const ProxyPair&) = default;
};

// Two static proxies are never a pair. A static proxy may still be moved; it just costs more.
enum class ProxyMotion : uint8_t { kMoving, kStatic };

class BroadPhase {
 public:
  // What insert and move accept: all six numbers finite, lo <= hi on each axis (a flat box or a
  // point is fine), any size and place. Anything else is a programmer error (TENON_DEMAND):
  // a body with a non-finite state must be frozen before its box gets here.
  static bool accepts(const Aabb& box);

  // Precondition: accepts(box), !contains(id), id <= kMaxProxyId.
  void insert(ProxyId id, const Aabb& box, ProxyMotion motion = ProxyMotion::kMoving);
  // Preconditions of the next four: contains(id), accepts(box).
  void remove(ProxyId id);
  // Cheap while the box stays in its fat box.
  void move(ProxyId id, const Aabb& box);
  void move(std::span<const ProxyId> ids, std::span<const Aabb> boxes);
  void set_motion(ProxyId id, ProxyMotion motion);
  // Removes everything and keeps the memory. Inserting n boxes again costs about as much as one
  // step in which all have moved far.
  void clear();

  bool contains(ProxyId id) const { return id < flags_.size() && (flags_[id] & kLive) != 0; }
  const Aabb& box(ProxyId id) const { return boxes_[id]; }  // precondition: contains(id)
  ProxyMotion motion(ProxyId id) const {
    return (flags_[id] & kStaticFlag) != 0 ? ProxyMotion::kStatic : ProxyMotion::kMoving;
  }
  size_t count() const { return moving_ids_.size() + static_ids_.size(); }

  // All pairs of overlapping boxes (closed: touching counts), not both static, a < b, sorted,
  // each once. Valid until the next call of a non-const member.
  // Cost: nothing if no proxy changed since the last call; else a copy of the pair list plus the
  // work for the proxies that changed. Proxies that rest cause no other work.
  std::span<const ProxyPair> update_pairs();

  // All proxies that overlap the box, ascending. Sees every change at once, without update_pairs;
  // proxies that left their fat boxes since then are tested one by one.
  // Precondition: accepts(box).
  void find_overlaps(const Aabb& box, std::vector<ProxyId>& out) const;

  // Visits the proxies whose boxes meet the ray origin + t direction, 0 <= t <= max_t, in the order
  // of (entry t, id). The callback gets the id and the t at which the ray enters the box (0 if it
  // starts inside) and returns the new max_t: the given one to go on, the t of a hit on the shape
  // to drop all that lies beyond it, a negative one to stop. Precondition: finite origin and
  // direction, max_t >= 0 (may be infinite).
  using RayCallback = std::function<double(ProxyId id, double t_enter, double max_t)>;
  void walk_ray(const Vec3& origin, const Vec3& direction, double max_t,
                const RayCallback& visit) const;

  // Counters for benchmarks and health hints; they do depend on history.
  struct Counters {
    size_t candidates = 0;  // length of the candidate list; 0 while it is out of use
    size_t rebuilds = 0;    // full rebuilds of tree and candidates since construction or clear
    size_t escapes = 0;     // proxies that left their fat boxes, likewise
  };
  Counters counters() const;

 private:
  enum class Home : uint8_t { kNone, kMovingTree, kStaticTree, kYoungTree };
  struct Proxy {
    uint32_t slot = 0;  // in the tree `home`
    uint32_t made = 0;  // step at which the fat box was made
    uint32_t rank = 0;  // in moving_ids_ or static_ids_
    Home home = Home::kNone;
  };
  // Flags of a proxy. changed: listed in changed_; escaped: listed in escaped_.
  static constexpr uint8_t kLive = 1, kStaticFlag = 2, kChanged = 4, kEscaped = 8;

  // per proxy id
  std::vector<Aabb> boxes_;
  std::vector<broad::FloatBox> fats_;  // contains local(box) unless escaped; the entry in the tree
  std::vector<Proxy> proxies_;
  std::vector<uint8_t> flags_;
  std::vector<ProxyId> moving_ids_, static_ids_;  // the live ones, in no useful order

  // since the last update_pairs: proxies with any change, and those among them whose fat box or
  // place in a tree is out of date (new, removed, outside their fat box, other motion)
  std::vector<ProxyId> changed_, escaped_;

  // where fat boxes live. Young: new or far-travelled ones, waiting for a rebuild.
  broad::BoxTree moving_tree_, static_tree_, young_tree_;
  size_t replaced_ = 0;  // in moving_tree_ since it was built
  Vec3 origin_;          // of the trees' float coordinates, see local()

  // sorted pairs, key = a << 32 | b
  std::vector<uint64_t> candidates_, found_, key_scratch_;
  std::vector<uint32_t> count_scratch_;
  bool candidates_valid_ = false;
  std::vector<ProxyPair> pairs_, pair_scratch_;
  size_t pair_count_ = 0;  // used part of pairs_

  uint32_t step_ = 0;
  size_t rebuilds_ = 0, escapes_ = 0;

  void note_change(ProxyId id, uint8_t what);
  void clear_changes();
  void enlist(ProxyId id);
  void delist(ProxyId id);

  // broad_phase_trees.cpp: fat boxes and the trees that hold them
  broad::FloatBox local(const Aabb& box) const;
  broad::FloatBox make_fat(ProxyId id) const;
  bool in_fat_box(ProxyId id) const;
  void renew_fat_box(ProxyId id);
  bool origin_is_far() const;
  void choose_origin();
  void rebuild_all();
  void place_escaped();
  void settle(const std::vector<ProxyId>& ids);
  bool lives_in(ProxyId id, Home home, uint32_t slot) const;
  void leave_tree(ProxyId id);
  void build_tree(broad::BoxTree& tree, Home home, const std::vector<ProxyId>& ids);
  template <class Test, class Visit>
  void visit_trees(Test&& test, Visit&& visit) const;

  // broad_phase_pairs.cpp: the lists
  void rebuild_candidates();
  void patch_candidates();
  void list_from_candidates();
  void list_from_lookups();
  void find_partners(ProxyId id, const broad::FloatBox& box, uint8_t flag);
};

}  // namespace tenon
