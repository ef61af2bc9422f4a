#include "tenon/engine/collision/broad/detail/box_tree.h"

#include <algorithm>
#include <limits>

#include "tenon/engine/collision/broad/detail/hilbert.h"
#include "tenon/engine/collision/broad/detail/radix_sort.h"

namespace tenon::broad {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr FloatBox kEmpty{{kInf, kInf, kInf}, {-kInf, -kInf, -kInf}};

FloatBox merge(const FloatBox& a, const FloatBox& b) {
  FloatBox m;
  for (int k = 0; k < 3; ++k) {
    m.lo[k] = std::min(a.lo[k], b.lo[k]);
    m.hi[k] = std::max(a.hi[k], b.hi[k]);
  }
  return m;
}

}  // namespace

void Node::set_child(int i, const FloatBox& box) {
  for (int k = 0; k < 3; ++k) {
    lo[k][i] = box.lo[k];
    hi[k][i] = box.hi[k];
  }
}

void Node::clear() {
  for (int i = 0; i < 8; ++i) set_child(i, kEmpty);
}

FloatBox Node::bounds() const {
  FloatBox b = kEmpty;
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 8; ++i) {
      b.lo[k] = std::min(b.lo[k], lo[k][i]);
      b.hi[k] = std::max(b.hi[k], hi[k][i]);
    }
  }
  return b;
}

void BoxTree::clear() {
  ids_.clear();
  levels_.clear();
}

namespace {

// Boxes whose largest edge lies in [4^c, 4^(c+1)), up to an offset of c: the exponent of a float
// without its last bit.
constexpr int kClassBits = 7;
uint32_t size_class(const FloatBox& box) {
  const float edge =
      std::max({box.hi[0] - box.lo[0], box.hi[1] - box.lo[1], box.hi[2] - box.lo[2], 0.0f});
  return std::bit_cast<uint32_t>(edge) >> 24;
}
double smallest_edge(uint32_t size_class) {
  return std::bit_cast<float>(std::max(size_class, 1u) << 24);
}

// A grid over the low corners of some boxes: cells of half the smallest edge, or larger
// ones if more than 2^10 per axis would be needed.
struct CurveGrid {
  double lo[3] = {kInf, kInf, kInf}, hi[3] = {-kInf, -kInf, -kInf};
  double inv_cell = 0;
  int bits = 0;         // per axis
  bool coarse = false;  // cells are larger than wanted

  void add(const FloatBox& box) {
    for (int k = 0; k < 3; ++k) {
      lo[k] = std::min(lo[k], static_cast<double>(box.lo[k]));
      hi[k] = std::max(hi[k], static_cast<double>(box.lo[k]));
    }
  }
  void prepare(double edge) {
    constexpr int kMaxBits = 10;
    const double range = std::max({hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]});
    inv_cell = 2 / edge;
    while (bits < kMaxBits && static_cast<double>(1 << bits) <= range * inv_cell) ++bits;
    coarse = static_cast<double>(1 << bits) <= range * inv_cell;
    // the factor keeps the highest corner in the last cell after rounding
    if (coarse) inv_cell = static_cast<double>(1 << bits) * (1 - 0x1p-40) / range;
  }
  uint64_t code(const FloatBox& box) const {
    uint32_t cell[3];
    for (int k = 0; k < 3; ++k) cell[k] = static_cast<uint32_t>((box.lo[k] - lo[k]) * inv_cell);
    return kHilbert.index(cell[0], cell[1], cell[2], bits);
  }
};

}  // namespace

void BoxTree::sort_leaves() {
  // by size class, if there is more than one
  leaf_scratch_.resize(leaves_.size());
  bool one_class = true;
  for (Leaf& leaf : leaves_) {
    leaf.key = size_class(boxes_[leaf.index]);
    one_class &= leaf.key == leaves_[0].key;
  }
  const std::span<Leaf> all(leaves_), scratch(leaf_scratch_);
  if (!one_class) radix_sort(all, scratch, kClassBits, [](const Leaf& leaf) { return leaf.key; });

  // within each class along the curve
  for (size_t begin = 0, end; begin < all.size(); begin = end) {
    const uint64_t size_class = all[begin].key;
    for (end = begin + 1; end < all.size() && all[end].key == size_class;) ++end;
    sort_by_place(all.subspan(begin, end - begin), scratch.subspan(begin, end - begin),
                  smallest_edge(static_cast<uint32_t>(size_class)));
  }
}

// Cells that are too coarse for the boxes and hold many of them get a grid of their own. So
// clusters far apart, a body lost at a great distance, or tiny bodies in a large space are sorted
// as finely as need be; each level of recursion shrinks the range by 2^10.
void BoxTree::sort_by_place(std::span<Leaf> leaves, std::span<Leaf> scratch, double edge) {
  constexpr size_t kFewLeaves = 32;
  CurveGrid grid;
  for (const Leaf& leaf : leaves) grid.add(boxes_[leaf.index]);
  grid.prepare(edge);
  if (grid.bits == 0) return;
  for (Leaf& leaf : leaves) leaf.key = grid.code(boxes_[leaf.index]);
  radix_sort(leaves, scratch, 3 * grid.bits, [](const Leaf& leaf) { return leaf.key; });
  if (!grid.coarse) return;
  for (size_t begin = 0, end; begin < leaves.size(); begin = end) {
    for (end = begin + 1; end < leaves.size() && leaves[end].key == leaves[begin].key;) ++end;
    const size_t count = end - begin;
    if (count <= kFewLeaves) continue;
    sort_by_place(leaves.subspan(begin, count), scratch.subspan(begin, count), edge);
  }
}

void BoxTree::fill_levels() {
  const size_t count = leaves_.size();
  ids_.resize(count);
  size_t height = 0;
  for (size_t nodes = count; nodes > 1 || height == 0; ++height) nodes = (nodes + 7) / 8;
  levels_.resize(count == 0 ? 0 : height);
  if (count == 0) return;

  // leaves, then the bounds of each level become the children of the next
  levels_[0].resize((count + 7) / 8);
  levels_[0].back().clear();
  for (size_t slot = 0; slot < count; ++slot) {
    ids_[slot] = leaves_[slot].id;
    levels_[0][slot / 8].set_child(static_cast<int>(slot % 8), boxes_[leaves_[slot].index]);
  }
  for (size_t level = 1; level < levels_.size(); ++level) {
    const std::vector<Node>& below = levels_[level - 1];
    levels_[level].resize((below.size() + 7) / 8);
    levels_[level].back().clear();
    for (size_t i = 0; i < below.size(); ++i) {
      levels_[level][i / 8].set_child(static_cast<int>(i % 8), below[i].bounds());
    }
  }
}

void BoxTree::replace(uint32_t slot, const FloatBox& box) {
  levels_[0][slot / 8].set_child(static_cast<int>(slot % 8), box);
  uint32_t child = slot / 8;
  for (size_t level = 1; level < levels_.size(); ++level) {
    Node& node = levels_[level][child / 8];
    const int i = static_cast<int>(child % 8);
    node.set_child(i, merge(node.child(i), box));
    child /= 8;
  }
}

void BoxTree::erase(uint32_t slot) {
  levels_[0][slot / 8].set_child(static_cast<int>(slot % 8), kEmpty);
}

// Descends two trees (or one against itself) level by level in step. A pair of nodes is visited
// only if the bounds of the two overlap.
class BoxTree::PairFinder {
 public:
  PairFinder(const BoxTree& a, const BoxTree& b, std::vector<uint64_t>& out)
      : a_(a), b_(b), out_(out), size_(out.size()) {}
  ~PairFinder() { out_.resize(size_); }

  // All pairs below one node of tree a.
  void within(size_t level, uint32_t index) {
    const Node& node = a_.levels_[level][index];
    for (int i = 0; i < 8; ++i) {
      const FloatBox box = node.child(i);
      if (!(box.lo[0] <= box.hi[0])) continue;
      const uint32_t child = 8 * index + static_cast<uint32_t>(i);
      if (level > 0) within(level - 1, child);
      const uint32_t later = ~1u << i;
      visit(level, child, box, index, overlap_mask(node, box) & later);
    }
  }

  // All pairs of something below node `ia` of tree a, which has these bounds, and something below
  // node `ib` of tree b.
  void between(size_t level, uint32_t ia, const FloatBox& bounds_a, uint32_t ib) {
    // the children of b that reach into a, each against the children of a
    uint32_t mask = overlap_mask(b_.levels_[level][ib], bounds_a);
    for (; mask != 0; mask &= mask - 1) {
      const int i = std::countr_zero(mask);
      const FloatBox box = b_.levels_[level][ib].child(i);
      uint32_t hits = overlap_mask(a_.levels_[level][ia], box);
      const uint32_t child_b = 8 * ib + static_cast<uint32_t>(i);
      if (level == 0) {
        reserve(8);
        for (; hits != 0; hits &= hits - 1) emit(8 * ia + lowest(hits), child_b);
      } else {
        for (; hits != 0; hits &= hits - 1) {
          const int j = std::countr_zero(hits);
          between(level - 1, 8 * ia + static_cast<uint32_t>(j), a_.levels_[level][ia].child(j),
                  child_b);
        }
      }
    }
  }

 private:
  const BoxTree& a_;
  const BoxTree& b_;
  std::vector<uint64_t>& out_;
  size_t size_;  // used part of out_

  static uint32_t lowest(uint32_t mask) { return static_cast<uint32_t>(std::countr_zero(mask)); }

  void reserve(size_t more) {
    if (size_ + more > out_.size()) out_.resize(std::max<size_t>(1024, 2 * out_.size()) + more);
  }
  void emit(uint32_t slot_a, uint32_t slot_b) {
    const uint32_t a = a_.ids_[slot_a], b = b_.ids_[slot_b];
    out_[size_++] = uint64_t{std::min(a, b)} << 32 | std::max(a, b);
  }
  // The child with this box of node `index`, against its siblings in the mask.
  void visit(size_t level, uint32_t child, const FloatBox& box, uint32_t index, uint32_t mask) {
    reserve(8);
    for (; mask != 0; mask &= mask - 1) {
      const uint32_t sibling = 8 * index + lowest(mask);
      if (level == 0)
        emit(child, sibling);
      else
        between(level - 1, child, box, sibling);
    }
  }
};

void BoxTree::append_pairs(std::vector<uint64_t>& out) const {
  if (empty()) return;
  PairFinder(*this, *this, out).within(levels_.size() - 1, 0);
}

void BoxTree::append_pairs(const BoxTree& other, std::vector<uint64_t>& out) const {
  if (empty() || other.empty()) return;
  // the trees differ in height: each lowest node of this one looks up those of the other
  PairFinder finder(*this, other, out);
  for (uint32_t i = 0; i < levels_[0].size(); ++i) {
    const FloatBox bounds = levels_[0][i].bounds();
    if (!(bounds.lo[0] <= bounds.hi[0])) continue;
    other.visit_lowest_nodes(bounds, [&](uint32_t node) { finder.between(0, i, bounds, node); });
  }
}

}  // namespace tenon::broad
