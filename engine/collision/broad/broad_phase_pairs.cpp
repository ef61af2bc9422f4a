// The list of candidates, and the list of pairs made from it or from look-ups.
//
// Candidates are the pairs of overlapping fat boxes, kept sorted over many steps as molecular
// dynamics keeps its neighbour lists [Verlet1967]. While no proxy leaves its fat box, no pair can
// be missing from it. Departure: single proxies that leave theirs are patched in.
#include <algorithm>

#include "tenon/engine/collision/broad/detail/pair_list.h"
#include "tenon/engine/collision/broad/detail/visit_trees.h"

namespace tenon {
namespace {

// One look-up in the trees costs about as much as the pass over the candidates of this many
// proxies, or as a rebuild of them of the smaller number.
constexpr size_t kPassesPerLookup = 8, kRebuildsPerLookup = 3;
// More escapes than one in this many are cheaper done by a rebuild.
constexpr size_t kRebuildShare = 12;

uint64_t make_key(ProxyId a, ProxyId b) { return uint64_t{std::min(a, b)} << 32 | std::max(a, b); }
ProxyId low_id(uint64_t key) { return static_cast<ProxyId>(key >> 32); }
ProxyId high_id(uint64_t key) { return static_cast<ProxyId>(key); }

}  // namespace

std::span<const ProxyPair> BroadPhase::update_pairs() {
  ++step_;
  escapes_ += escaped_.size();
  if (!changed_.empty()) {
    const size_t moving = moving_ids_.size();
    const size_t share = candidates_valid_ ? kPassesPerLookup : kRebuildsPerLookup;
    if (share * changed_.size() > moving) {
      // most have moved
      if (!candidates_valid_ || kRebuildShare * escaped_.size() > moving)
        rebuild_candidates();
      else
        patch_candidates();
      list_from_candidates();
    } else {
      // few have moved
      place_escaped();
      if (!escaped_.empty()) candidates_valid_ = false;
      list_from_lookups();
    }
    clear_changes();
  }
  return {pairs_.data(), pair_count_};
}

void BroadPhase::rebuild_candidates() {
  rebuild_all();
  candidates_.clear();
  moving_tree_.append_pairs(candidates_);
  moving_tree_.append_pairs(static_tree_, candidates_);
  moving_tree_.append_pairs(young_tree_, candidates_);  // which holds static ones only
  broad::sort_pairs(candidates_, flags_.size(), key_scratch_, count_scratch_);
  candidates_valid_ = true;
  ++rebuilds_;
}

// Appends to found_ the pairs of this proxy with all whose fat boxes overlap the box. Of two
// proxies with the flag, only the lower one looks the other up.
void BroadPhase::find_partners(ProxyId id, const broad::FloatBox& box, uint8_t flag) {
  const auto add_if_partner = [&](ProxyId other) {
    if (other == id || ((flags_[other] & flag) != 0 && other < id)) return;
    if ((flags_[other] & flags_[id] & kStaticFlag) != 0) return;
    __builtin_prefetch(&boxes_[other]);
    found_.push_back(make_key(id, other));
  };
  visit_trees([&box](const broad::Node& node) { return broad::overlap_mask(node, box); },
              add_if_partner);
}

void BroadPhase::patch_candidates() {
  if (escaped_.empty()) return;
  place_escaped();
  found_.clear();
  for (ProxyId id : escaped_) {
    if (!contains(id)) continue;
    find_partners(id, fats_[id], kEscaped);
  }
  broad::sort_pairs(found_, flags_.size(), key_scratch_, count_scratch_);

  // merge what is left of the old list with what was found
  key_scratch_.resize(candidates_.size() + found_.size() + 1);
  size_t out = 0, next = 0;
  for (uint64_t key : candidates_) {
    while (next < found_.size() && found_[next] < key) key_scratch_[out++] = found_[next++];
    key_scratch_[out] = key;
    out += ((flags_[low_id(key)] | flags_[high_id(key)]) & kEscaped) == 0;
  }
  while (next < found_.size()) key_scratch_[out++] = found_[next++];
  key_scratch_.resize(out);
  candidates_.swap(key_scratch_);
}

void BroadPhase::list_from_candidates() {
  // the low ids of the list ascend, the high ones jump: fetch their boxes ahead of time
  constexpr size_t kAhead = 24;
  const size_t count = candidates_.size();
  if (pairs_.size() < count + 1) pairs_.resize(count + count / 4 + 1);
  size_t out = 0;
  for (size_t i = 0; i < count; ++i) {
    const Aabb* ahead = &boxes_[high_id(candidates_[std::min(i + kAhead, count - 1)])];
    __builtin_prefetch(&ahead->lo.x);
    __builtin_prefetch(&ahead->hi.z);
    const uint64_t key = candidates_[i];
    const ProxyPair pair{low_id(key), high_id(key)};
    const Aabb& a = boxes_[pair.a];
    const Aabb& b = boxes_[pair.b];
    // without branches, which would be mispredicted for every third candidate
    const bool hit = (a.lo.x <= b.hi.x) & (b.lo.x <= a.hi.x) & (a.lo.y <= b.hi.y) &
                     (b.lo.y <= a.hi.y) & (a.lo.z <= b.hi.z) & (b.lo.z <= a.hi.z);
    pairs_[out] = pair;
    out += hit;
  }
  pair_count_ = out;
}

void BroadPhase::list_from_lookups() {
  found_.clear();
  for (ProxyId id : changed_) {
    if (!contains(id)) continue;
    find_partners(id, local(boxes_[id]), kChanged);
  }
  std::erase_if(found_, [this](uint64_t key) {
    return !overlaps(boxes_[low_id(key)], boxes_[high_id(key)]);
  });
  broad::sort_pairs(found_, flags_.size(), key_scratch_, count_scratch_);

  // merge the pairs of those at rest with what was found
  const size_t most = pair_count_ + found_.size() + 1;
  if (pair_scratch_.size() < most) pair_scratch_.resize(most + most / 4);
  size_t out = 0, next = 0;
  for (size_t i = 0; i < pair_count_; ++i) {
    const ProxyPair pair = pairs_[i];
    const uint64_t key = make_key(pair.a, pair.b);
    for (; next < found_.size() && found_[next] < key; ++next) {
      pair_scratch_[out++] = {low_id(found_[next]), high_id(found_[next])};
    }
    pair_scratch_[out] = pair;
    out += ((flags_[pair.a] | flags_[pair.b]) & kChanged) == 0;
  }
  for (; next < found_.size(); ++next) {
    pair_scratch_[out++] = {low_id(found_[next]), high_id(found_[next])};
  }
  pairs_.swap(pair_scratch_);
  pair_count_ = out;
}

}  // namespace tenon
