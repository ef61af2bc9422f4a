// A tree of boxes that is built in bulk, in linear time.
//
// Leaves ("slots") are sorted by size class, then by the place of the low corner on a Hilbert
// curve; eight neighbours in that order form a node, eight nodes a node of the next level, and so
// on: no pointers, all leaves at the same depth (a packed Hilbert R-tree, [Kamel1994]). Departures:
// size classes (factor 4) come first in the order, so that large boxes do not spoil the bounds of
// small ones; cells of the curve are refined where boxes cluster, down to half the smallest box of
// the class, so that no spread of sizes or places makes the order too coarse. Morton order is
// cheaper to compute but jumps: at 100,000 boxes of 5 partners each a look-up meets 53 nodes
// instead of 28 and finding all pairs takes 1.3 times as long, with the build 1.15 times; at 1,000
// boxes Morton order is the faster one.
//
// All pairs within a tree are found by descending it against itself, with work proportional to the
// number of pairs of nodes whose bounds overlap. That avoids one look-up from the root per box; the
// time per box still grows with their number, 2.4-fold from 1,000 to 100,000.
//
// Boxes are floats: a superset test that costs half the memory and twice the boxes per instruction.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace tenon::broad {

struct FloatBox {
  float lo[3], hi[3];
};

// Coordinates in trees lie within +-kFar, so that an empty box (lo = +inf, hi = -inf) is apart from
// all of them.
inline constexpr double kFar = 1e38;

inline bool overlaps(const FloatBox& a, const FloatBox& b) {
  return (a.lo[0] <= b.hi[0]) & (b.lo[0] <= a.hi[0]) & (a.lo[1] <= b.hi[1]) & (b.lo[1] <= a.hi[1]) &
         (a.lo[2] <= b.hi[2]) & (b.lo[2] <= a.hi[2]);
}

// Eight boxes by component, the children of one node.
struct alignas(64) Node {
  float lo[3][8], hi[3][8];

  FloatBox child(int i) const {
    return {{lo[0][i], lo[1][i], lo[2][i]}, {hi[0][i], hi[1][i], hi[2][i]}};
  }
  void set_child(int i, const FloatBox& box);
  void clear();
  FloatBox bounds() const;
};

// Vector types of the compiler: the same code for SSE2, NEON and WebAssembly.
using Float4 = float __attribute__((vector_size(16), may_alias));
using Int4 = int32_t __attribute__((vector_size(16)));

inline uint32_t sign_bits(Int4 v) {
#ifdef __SSE2__
  return static_cast<uint32_t>(__builtin_ia32_movmskps(reinterpret_cast<Float4>(v)));
#else
  return (v[0] & 1u) | (v[1] & 2u) | (v[2] & 4u) | (v[3] & 8u);
#endif
}

// Bit i: child i overlaps the box.
inline uint32_t overlap_mask(const Node& node, const FloatBox& box) {
  const auto load = [](const float* p) { return *reinterpret_cast<const Float4*>(p); };
  uint32_t mask = 0;
  for (int half = 0; half < 8; half += 4) {
    Int4 in = load(&node.lo[0][half]) <= box.hi[0];
    in &= load(&node.hi[0][half]) >= box.lo[0];
    in &= load(&node.lo[1][half]) <= box.hi[1];
    in &= load(&node.hi[1][half]) >= box.lo[1];
    in &= load(&node.lo[2][half]) <= box.hi[2];
    in &= load(&node.hi[2][half]) >= box.lo[2];
    mask |= sign_bits(in) << half;
  }
  return mask;
}

class BoxTree {
 public:
  // One leaf per id, with box = box_of(id), a function of uint32_t.
  template <class BoxOf>
  void build(std::span<const uint32_t> ids, BoxOf&& box_of);
  void clear();

  size_t slot_count() const { return ids_.size(); }
  uint32_t id_at(uint32_t slot) const { return ids_[slot]; }
  bool empty() const { return ids_.empty(); }

  // Gives a slot another box; bounds above it only grow. Cost: the height of the tree.
  void replace(uint32_t slot, const FloatBox& box);
  // The slot is never visited again.
  void erase(uint32_t slot);

  // visit(id) for every leaf that overlaps the box.
  template <class Visit>
  void visit_overlaps(const FloatBox& box, Visit&& visit) const;
  // visit(id) for every leaf that test(node), a bit mask of children, lets through on all levels.
  template <class Test, class Visit>
  void visit_where(Test&& test, Visit&& visit) const;

  // Appends id_low << 32 | id_high for every pair of overlapping leaves, in no useful order:
  // of this tree,
  void append_pairs(std::vector<uint64_t>& out) const;
  // and of one leaf of this tree with one of the other.
  void append_pairs(const BoxTree& other, std::vector<uint64_t>& out) const;

 private:
  std::vector<uint32_t> ids_;              // by slot
  std::vector<std::vector<Node>> levels_;  // [0] holds the leaves; the last one is one node

  struct Leaf {
    uint64_t key;
    uint32_t id;
    uint32_t index;  // in boxes_
  };
  std::vector<FloatBox> boxes_;  // in the order of the ids given to build, then unused
  std::vector<Leaf> leaves_, leaf_scratch_;

  void sort_leaves();
  void sort_by_place(std::span<Leaf> leaves, std::span<Leaf> scratch, double edge);
  void fill_levels();
  // visit(index) for the children of nodes on level `stop` that pass the test on all levels.
  template <class Test, class Visit>
  void descend(size_t stop, Test&& test, Visit&& visit) const;
  // visit(index) for nodes of level 0 whose bounds overlap the box (and the root if it is one).
  template <class Visit>
  void visit_lowest_nodes(const FloatBox& box, Visit&& visit) const;
  class PairFinder;
};

template <class BoxOf>
void BoxTree::build(std::span<const uint32_t> ids, BoxOf&& box_of) {
  boxes_.resize(ids.size());
  leaves_.resize(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) {
    boxes_[i] = box_of(ids[i]);
    leaves_[i] = {0, ids[i], static_cast<uint32_t>(i)};
  }
  sort_leaves();
  fill_levels();
}

template <class Test, class Visit>
void BoxTree::descend(size_t stop, Test&& test, Visit&& visit) const {
  // depth <= 11 levels of at most 8 pending nodes each
  struct Pending {
    uint32_t level, node;
  };
  Pending stack[96];
  int top = 0;
  stack[top++] = {static_cast<uint32_t>(levels_.size() - 1), 0};
  while (top > 0) {
    const auto [level, index] = stack[--top];
    uint32_t mask = test(levels_[level][index]);
    for (; mask != 0; mask &= mask - 1) {
      const uint32_t child = 8 * index + static_cast<uint32_t>(std::countr_zero(mask));
      if (level == stop)
        visit(child);
      else
        stack[top++] = {level - 1, child};
    }
  }
}

template <class Test, class Visit>
void BoxTree::visit_where(Test&& test, Visit&& visit) const {
  if (empty()) return;
  descend(0, test, [&](uint32_t slot) { visit(ids_[slot]); });
}

template <class Visit>
void BoxTree::visit_lowest_nodes(const FloatBox& box, Visit&& visit) const {
  if (levels_.size() == 1) return visit(0);
  descend(1, [&box](const Node& node) { return overlap_mask(node, box); }, visit);
}

template <class Visit>
void BoxTree::visit_overlaps(const FloatBox& box, Visit&& visit) const {
  visit_where([&box](const Node& node) { return overlap_mask(node, box); }, visit);
}

}  // namespace tenon::broad
