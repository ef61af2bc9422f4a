#include <algorithm>

#include "tenon/engine/geometry/detail/mesh_build.h"

namespace tenon::detail {
namespace {

constexpr int kBins = 16;
constexpr int kLeaf = 4;
constexpr int kMedianDepth = 48;     // from here on in halves, so that depth stays bounded
constexpr size_t kTaskSize = 16384;  // triangles of a subtree that one thread builds alone
Aabb nothing() { return {{kInfinite, kInfinite, kInfinite}, {-kInfinite, -kInfinite, -kInfinite}}; }
double half_area(const Aabb& box) {
  const Vec3 d = box.hi - box.lo;
  return d.x * d.y + d.y * d.z + d.z * d.x;
}

struct Item {
  Aabb box;
  Vec3 middle;  // twice the centre of the box
  int triangle = 0;
};

struct Range {
  size_t begin = 0, end = 0;
  int depth = 0;
  size_t count() const { return end - begin; }
};

struct Bin {
  Aabb box = nothing();
  size_t count = 0;
};

class Builder {
 public:
  explicit Builder(std::vector<Item>& items) : items_(items) {}

  Aabb bounds(const Range& range) const {
    Aabb box = nothing();
    for (size_t i = range.begin; i < range.end; ++i) box = merge(box, items_[i].box);
    return box;
  }

  // Where to cut the range in two; its items are moved to either side. Precondition: two or more.
  size_t split(const Range& range) {
    Aabb middles = nothing();
    for (size_t i = range.begin; i < range.end; ++i) {
      middles.lo = cwise_min(middles.lo, items_[i].middle);
      middles.hi = cwise_max(middles.hi, items_[i].middle);
    }
    const Vec3 extent = middles.hi - middles.lo;
    int axis = extent.y > extent.x ? 1 : 0;
    if (extent.z > extent[axis]) axis = 2;
    // infinitely thin: any cut does
    if (!(extent[axis] > 0)) return (range.begin + range.end) / 2;
    if (range.depth >= kMedianDepth) return split_median(range, axis);
    return split_bins(range, axis, middles);
  }

  // Depth first, the left child right behind its parent.
  void build(const Range& range, std::vector<MeshTree::Node>& nodes) {
    const size_t at = nodes.size();
    nodes.push_back({bounds(range), static_cast<int>(range.begin), 0});
    if (range.count() <= kLeaf) {
      nodes[at].count = static_cast<int>(range.count());
      return;
    }
    const size_t cut = split(range);
    build({range.begin, cut, range.depth + 1}, nodes);
    nodes[at].first = static_cast<int>(nodes.size());
    build({cut, range.end, range.depth + 1}, nodes);
  }

 private:
  size_t split_median(const Range& range, int axis) {
    const size_t cut = (range.begin + range.end) / 2;
    const auto at = [&](size_t i) { return items_.begin() + static_cast<ptrdiff_t>(i); };
    std::sort(at(range.begin), at(range.end), [axis](const Item& a, const Item& b) {
      if (a.middle[axis] != b.middle[axis]) return a.middle[axis] < b.middle[axis];
      return a.triangle < b.triangle;
    });
    return cut;
  }

  size_t split_bins(const Range& range, int axis, const Aabb& middles) {
    const double lo = middles.lo[axis], scale = kBins / (middles.hi[axis] - lo);
    const auto bin_of = [&](const Item& item) {
      const double place = (item.middle[axis] - lo) * scale;
      return place < kBins ? static_cast<int>(place) : kBins - 1;
    };
    if (!(scale < kInfinite)) return split_median(range, axis);
    Bin bins[kBins];
    for (size_t i = range.begin; i < range.end; ++i) {
      Bin& bin = bins[bin_of(items_[i])];
      bin.box = merge(bin.box, items_[i].box);
      ++bin.count;
    }
    const int cut = find_cheapest(bins);
    // by hand: the order that std::partition leaves differs between libraries
    size_t at = range.begin;
    for (size_t i = range.begin; i < range.end; ++i)
      if (bin_of(items_[i]) < cut) std::swap(items_[at++], items_[i]);
    return at == range.begin || at == range.end ? split_median(range, axis) : at;
  }

  // The bin before which to cut: least sum of area times count.
  static int find_cheapest(const Bin (&bins)[kBins]) {
    double right_cost[kBins];
    Aabb box = nothing();
    size_t count = 0;
    for (int i = kBins - 1; i > 0; --i) {
      box = merge(box, bins[i].box);
      count += bins[i].count;
      right_cost[i] = count > 0 ? half_area(box) * static_cast<double>(count) : 0;
    }
    int best = kBins / 2;
    double least = kInfinite;
    box = nothing();
    count = 0;
    for (int i = 1; i < kBins; ++i) {
      box = merge(box, bins[i - 1].box);
      count += bins[i - 1].count;
      const double left = count > 0 ? half_area(box) * static_cast<double>(count) : 0;
      if (left + right_cost[i] < least) {
        least = left + right_cost[i];
        best = i;
      }
    }
    return best;
  }

  std::vector<Item>& items_;
};

// The top of the tree, down to subtrees that are built side by side.
struct Top {
  Aabb box;
  int left = -1, right = -1;  // -1: a subtree
  int task = -1;
};

struct Plan {
  std::vector<Top> tops;
  std::vector<Range> tasks;
};

int plan(Builder& builder, const Range& range, Plan& out) {
  const int at = static_cast<int>(out.tops.size());
  out.tops.push_back({});
  if (range.count() <= kTaskSize) {
    out.tops[static_cast<size_t>(at)].task = static_cast<int>(out.tasks.size());
    out.tasks.push_back(range);
    return at;
  }
  const Aabb box = builder.bounds(range);
  const size_t cut = builder.split(range);
  const int left = plan(builder, {range.begin, cut, range.depth + 1}, out);
  const int right = plan(builder, {cut, range.end, range.depth + 1}, out);
  out.tops[static_cast<size_t>(at)] = {box, left, right, -1};
  return at;
}

void emit(const Plan& plan, int top, const std::vector<std::vector<MeshTree::Node>>& parts,
          std::vector<MeshTree::Node>& nodes) {
  const Top& t = plan.tops[static_cast<size_t>(top)];
  const int at = static_cast<int>(nodes.size());
  if (t.task >= 0) {
    for (MeshTree::Node node : parts[static_cast<size_t>(t.task)]) {
      if (node.count == 0) node.first += at;
      nodes.push_back(node);
    }
    return;
  }
  nodes.push_back({t.box, 0, 0});
  emit(plan, t.left, parts, nodes);
  nodes[static_cast<size_t>(at)].first = static_cast<int>(nodes.size());
  emit(plan, t.right, parts, nodes);
}

}  // namespace

MeshTree make_mesh_tree(std::span<const Vec3> vertices, std::span<const MeshTriangle> triangles,
                        ThreadPool* pool) {
  std::vector<Item> items(triangles.size());
  parallel_for(pool, items.size(), 4096, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const Vec3 &a = vertices[static_cast<size_t>(triangles[i][0])],
                 &b = vertices[static_cast<size_t>(triangles[i][1])],
                 &c = vertices[static_cast<size_t>(triangles[i][2])];
      const Aabb box{cwise_min(a, cwise_min(b, c)), cwise_max(a, cwise_max(b, c))};
      items[i] = {box, box.lo + box.hi, static_cast<int>(i)};
    }
  });
  Builder builder(items);
  Plan top;
  plan(builder, {0, items.size(), 0}, top);
  std::vector<std::vector<MeshTree::Node>> parts(top.tasks.size());
  parallel_for(pool, parts.size(), 1, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) builder.build(top.tasks[i], parts[i]);
  });
  MeshTree tree;
  emit(top, 0, parts, tree.nodes);
  tree.order.reserve(items.size());
  for (const Item& item : items) tree.order.push_back(item.triangle);
  return tree;
}

void calc_boxes(MeshGeometry& mesh) {
  std::vector<MeshTree::Node>& nodes = mesh.tree.nodes;
  for (size_t i = nodes.size(); i-- > 0;) {
    MeshTree::Node& node = nodes[i];
    if (node.count == 0) {
      node.box = merge(nodes[i + 1].box, nodes[static_cast<size_t>(node.first)].box);
      continue;
    }
    node.box = nothing();
    for (int k = node.first; k < node.first + node.count; ++k) {
      const int t = mesh.tree.order[static_cast<size_t>(k)];
      for (const int v : mesh.triangles[static_cast<size_t>(t)]) {
        const Vec3& p = mesh.vertices[static_cast<size_t>(v)];
        node.box = {cwise_min(node.box.lo, p), cwise_max(node.box.hi, p)};
      }
    }
  }
}

}  // namespace tenon::detail
