#include "tenon/engine/solve_contact/faithful/detail/graph.h"

#include <algorithm>
#include <utility>

namespace tenon::faithful::detail {
namespace {

// Edges sorted by their lower end.
struct Adjacency {
  std::vector<uint32_t> first, to;

  Adjacency(size_t nodes, std::span<const Edge> edges) : first(nodes + 1, 0), to(edges.size()) {
    for (const Edge& e : edges) ++first[e.below + 1];
    for (size_t i = 0; i < nodes; ++i) first[i + 1] += first[i];
    std::vector<uint32_t> place(first.begin(), first.end() - 1);
    for (const Edge& e : edges) to[place[e.below]++] = e.above;
  }
};

// Tarjan's strongly connected components [Tarjan1972], with a stack of its own: piles are deep.
// Components are numbered from the top down: an edge leads to an equal or a smaller number.
struct Components {
  std::vector<uint32_t> of;  // by node
  uint32_t count = 0;
};

class Tarjan {
 public:
  explicit Tarjan(const Adjacency& graph, size_t nodes)
      : graph_(graph), index_(nodes, kNone), low_(nodes, 0), next_(nodes, 0) {
    result_.of.assign(nodes, kNone);
    for (uint32_t node = 0; node < nodes; ++node) {
      if (index_[node] == kNone) visit(node);
    }
  }
  Components result() && { return std::move(result_); }

 private:
  static constexpr uint32_t kNone = 0xffffffffu;

  void enter(uint32_t node) {
    index_[node] = low_[node] = counter_++;
    next_[node] = graph_.first[node];
    path_.push_back(node);
    open_.push_back(node);
  }

  void visit(uint32_t start) {
    enter(start);
    while (!path_.empty()) {
      const uint32_t node = path_.back();
      if (next_[node] < graph_.first[node + 1]) {
        const uint32_t to = graph_.to[next_[node]++];
        if (index_[to] == kNone) {
          enter(to);
        } else if (result_.of[to] == kNone) {
          low_[node] = std::min(low_[node], index_[to]);
        }
        continue;
      }
      leave(node);
    }
  }

  void leave(uint32_t node) {
    path_.pop_back();
    if (!path_.empty()) low_[path_.back()] = std::min(low_[path_.back()], low_[node]);
    if (low_[node] != index_[node]) return;
    for (uint32_t member = kNone; member != node;) {
      member = open_.back();
      open_.pop_back();
      result_.of[member] = result_.count;
    }
    ++result_.count;
  }

  const Adjacency& graph_;
  std::vector<uint32_t> index_, low_, next_, path_, open_;
  uint32_t counter_ = 0;
  Components result_;
};

double touch_tolerance(const Step& step, const BodyPair& pair) {
  double size = 1e300;
  for (const ColliderPair& c : pair.colliders) {
    size = std::min({size, step.colliders[c.a].size, step.colliders[c.b].size});
  }
  return 1e-9 * size;
}

}  // namespace

std::vector<int> find_levels(size_t nodes, std::span<const Edge> edges) {
  const Adjacency graph(nodes, edges);
  const Components components = Tarjan(graph, nodes).result();
  // from the bottom up, i.e. from large numbers down
  std::vector<uint32_t> order(nodes);
  for (uint32_t i = 0; i < nodes; ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return std::pair(components.of[b], a) < std::pair(components.of[a], b);
  });
  std::vector<int> level(components.count, 0);
  for (const uint32_t node : order) {
    const uint32_t from = components.of[node];
    for (uint32_t i = graph.first[node]; i < graph.first[node + 1]; ++i) {
      const uint32_t to = components.of[graph.to[i]];
      if (to != from) level[to] = std::max(level[to], level[from] + 1);
    }
  }
  std::vector<int> levels(nodes);
  for (size_t i = 0; i < nodes; ++i) levels[i] = level[components.of[i]];
  return levels;
}

// Departure: a body that its forces take away from another one does not rest on it, even if the two
// still overlap. Without this a pile that has sunk a little into itself would be one level.
std::vector<Edge> find_edges(const Step& step, std::span<const BodyPair> pairs) {
  std::vector<Transform> calm, forced;
  for (const Body& b : step.bodies) {
    calm.push_back(to_transform(advance(b, b.v, b.w, step.h)));
    forced.push_back(to_transform(advance(b, b.v + b.dv, b.inv_I * (b.L + b.dL), step.h)));
  }
  std::vector<Edge> edges;
  for (const BodyPair& p : pairs) {
    const double tolerance = touch_tolerance(step, p);
    const auto meets = [&](const Transform& X_Wa, const Transform& X_Wb) {
      const double d = find_distance(step, p, {X_Wa, X_Wb}, tolerance);
      if (d > tolerance) return false;
      // closer by its forces, or well inside the other one whatever the forces do
      const double reach = tolerance + std::fabs(d);
      const double before = find_distance(step, p, {calm[p.a], calm[p.b]}, reach);
      return d < before - tolerance || (d < -tolerance && d <= before + tolerance);
    };
    if (!step.bodies[p.a].infinite && meets(forced[p.a], calm[p.b])) {
      edges.push_back({p.b, p.a});
    }
    if (!step.bodies[p.b].infinite && meets(calm[p.a], forced[p.b])) {
      edges.push_back({p.a, p.b});
    }
  }
  return edges;
}

}  // namespace tenon::faithful::detail
