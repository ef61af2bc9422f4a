#include "tenon/engine/mechanism/mechanism.h"

#include <algorithm>
#include <map>

#include "tenon/engine/base/disjoint_sets.h"

namespace tenon {
namespace {

// More joints than this at a body make it a hub: a clique of d joints costs about d^3 block
// products, a hub d.
constexpr size_t kHubDegree = 6;

bool is_pin(const JointModel& model) {
  if (!model.has_point || model.pair_count != 1) return false;
  for (size_t k = 3; k < model.row_count; ++k) {
    const RowSpec& row = model.rows[k];
    const bool held_product = row.form == RowForm::kDot && row.axis == kHeldRow && row.scale == 1 &&
                              row.value == 0 && row.ratio == 0;
    if (!held_product) return false;
  }
  return true;
}

std::array<uint32_t, 4> bodies_of(const JointModel& model) {
  std::array<uint32_t, 4> b{kWorldBody, kWorldBody, kWorldBody, kWorldBody};
  for (size_t k = 0; k < model.pair_count; ++k) {
    b[2 * k] = model.pairs[k].parent;
    b[2 * k + 1] = model.pairs[k].child;
  }
  return b;
}

// What is left of the mechanism without its hubs falls into parts. A part is simple if it is a tree
// that holds on to hubs or to the ground by one joint: then its joints are independent even with
// the hubs held fast, which is what eliminating them before the hub asks for.
std::vector<uint8_t> find_simple_parts(const Mechanism& m, const std::vector<uint8_t>& hub) {
  DisjointSets parts(m.moving);
  const auto inside = [&](uint32_t b) { return b < m.moving && !hub[b]; };
  for (const MechanismJoint& j : m.joints) {
    for (size_t e = 1; e < j.entry_count; ++e) {
      if (inside(j.body[e - 1]) && inside(j.body[e])) parts.join(j.body[e - 1], j.body[e]);
    }
  }
  std::vector<int> excess(m.moving, 0);  // joints beyond those of a tree with one hold
  for (uint32_t b = 0; b < m.moving; ++b) {
    if (!hub[b]) --excess[parts.find(b)];
  }
  for (const MechanismJoint& j : m.joints) {
    for (size_t e = 0; e < j.entry_count; ++e) {
      if (!inside(j.body[e])) continue;
      ++excess[parts.find(j.body[e])];
      break;
    }
  }
  std::vector<uint8_t> simple(m.moving, 0);
  for (uint32_t b = 0; b < m.moving; ++b) simple[b] = !hub[b] && excess[parts.find(b)] <= 0;
  return simple;
}

// Hubs: many joints, none of them to another hub, all of them to simple parts.
void choose_hubs(Mechanism& m, const std::vector<std::vector<uint32_t>>& joints_of) {
  m.hub_node.assign(m.body_slots.size(), kNoNode);
  std::vector<uint8_t> hub(m.moving, 0);
  for (uint32_t b = 0; b < m.moving; ++b) hub[b] = joints_of[b].size() > kHubDegree;
  for (bool changed = true; changed;) {
    changed = false;
    const std::vector<uint8_t> simple = find_simple_parts(m, hub);
    for (uint32_t b = 0; b < m.moving; ++b) {
      if (!hub[b]) continue;
      for (const uint32_t j : joints_of[b]) {
        for (size_t e = 0; e < m.joints[j].entry_count; ++e) {
          const uint32_t other = m.joints[j].body[e];
          if (other != b && other < m.moving && !simple[other]) hub[b] = 0;
        }
      }
      changed = changed || !hub[b];
    }
  }
  for (uint32_t b = 0; b < m.moving; ++b) {
    if (!hub[b]) continue;
    m.hub_node[b] = static_cast<uint32_t>(m.joints.size() + m.hubs.size());
    m.hubs.push_back(b);
  }
}

BlockGraph make_graph(const Mechanism& m, const std::vector<std::vector<uint32_t>>& joints_of) {
  BlockGraph graph;
  for (const MechanismJoint& j : m.joints) graph.size.push_back(j.rows);
  graph.size.insert(graph.size.end(), m.hubs.size(), uint8_t{6});
  for (uint32_t b = 0; b < m.moving; ++b) {
    const std::vector<uint32_t>& list = joints_of[b];
    if (m.hub_node[b] != kNoNode) {
      for (const uint32_t j : list) graph.edges.emplace_back(j, m.hub_node[b]);
      continue;
    }
    for (size_t i = 0; i < list.size(); ++i) {
      for (size_t k = i + 1; k < list.size(); ++k) graph.edges.emplace_back(list[i], list[k]);
    }
  }
  // a joint between a hub and what never moves gets its pivot from the hub
  for (uint32_t j = 0; j < m.joints.size(); ++j) {
    bool has_pivot = false;
    uint32_t hub = kNoNode;
    for (size_t e = 0; e < m.joints[j].entry_count; ++e) {
      const uint32_t b = m.joints[j].body[e];
      if (b >= m.moving) continue;
      if (m.hub_node[b] == kNoNode)
        has_pivot = true;
      else
        hub = m.hub_node[b];
    }
    if (!has_pivot && hub != kNoNode) graph.after.emplace_back(j, hub);
  }
  return graph;
}

void find_couplings(Mechanism& m, const std::vector<std::vector<uint32_t>>& joints_of) {
  for (uint32_t b = 0; b < m.moving; ++b) {
    m.coupling_first.push_back(static_cast<uint32_t>(m.couplings.size()));
    if (m.hub_node[b] != kNoNode) continue;
    const std::vector<uint32_t>& list = joints_of[b];
    for (size_t i = 0; i < list.size(); ++i) {
      for (size_t k = i + 1; k < list.size(); ++k) {
        const BlockPattern::Place place = m.pattern.find(list[i], list[k]);
        const uint32_t row = place.a_is_row ? list[i] : list[k];
        const uint32_t column = place.a_is_row ? list[k] : list[i];
        for (uint8_t re = 0; re < m.joints[row].entry_count; ++re) {
          if (m.joints[row].body[re] != b) continue;
          for (uint8_t ce = 0; ce < m.joints[column].entry_count; ++ce) {
            if (m.joints[column].body[ce] != b) continue;
            m.couplings.push_back({row, column, re, ce, place.block});
          }
        }
      }
    }
  }
  m.coupling_first.push_back(static_cast<uint32_t>(m.couplings.size()));
}

// Local indices, then everything that follows from them.
void finish(Mechanism& m, std::span<const JointRef> refs, const std::vector<uint32_t>& members,
            std::span<const uint8_t> is_dynamic) {
  std::vector<uint32_t> fixed;
  for (const uint32_t r : members) {
    for (size_t e = 0; e < 2u * refs[r].model->pair_count; ++e) {
      const uint32_t slot = bodies_of(*refs[r].model)[e];
      const bool dynamic = slot != kWorldBody && is_dynamic[slot] != 0;
      (dynamic ? m.body_slots : fixed).push_back(slot);
    }
  }
  const auto make_unique = [](std::vector<uint32_t>& v) {
    std::sort(v.begin(), v.end());
    v.erase(std::unique(v.begin(), v.end()), v.end());
  };
  make_unique(m.body_slots);
  make_unique(fixed);
  m.moving = static_cast<uint32_t>(m.body_slots.size());
  m.body_slots.insert(m.body_slots.end(), fixed.begin(), fixed.end());
  std::map<uint32_t, uint32_t> local;
  for (uint32_t b = 0; b < m.body_slots.size(); ++b) local[m.body_slots[b]] = b;

  m.pins_only = true;
  std::vector<std::vector<uint32_t>> joints_of(m.body_slots.size());
  for (const uint32_t r : members) {
    const JointModel& model = *refs[r].model;
    MechanismJoint joint{
        refs[r].slot, model.row_count, static_cast<uint8_t>(2 * model.pair_count), {}};
    const std::array<uint32_t, 4> slots = bodies_of(model);
    const auto index = static_cast<uint32_t>(m.joints.size());
    for (size_t e = 0; e < joint.entry_count; ++e) {
      joint.body[e] = local[slots[e]];
      std::vector<uint32_t>& list = joints_of[joint.body[e]];
      if (list.empty() || list.back() != index) list.push_back(index);
    }
    m.pins_only = m.pins_only && is_pin(model);
    m.joints.push_back(joint);
  }
  choose_hubs(m, joints_of);
  if (!m.hubs.empty()) m.pins_only = false;
  m.pattern = make_block_pattern(make_graph(m, joints_of));
  find_couplings(m, joints_of);
}

}  // namespace

std::vector<Mechanism> find_mechanisms(std::span<const JointRef> joints,
                                       std::span<const uint8_t> is_dynamic) {
  DisjointSets together(is_dynamic.size());  // mechanisms are ordered by their lowest slots
  const auto dynamic = [&](uint32_t slot) { return slot != kWorldBody && is_dynamic[slot] != 0; };
  for (const JointRef& j : joints) {
    uint32_t first = kWorldBody;
    for (const uint32_t slot : bodies_of(*j.model)) {
      if (!dynamic(slot)) continue;
      first = first == kWorldBody ? slot : together.join(first, slot);
    }
  }
  std::map<uint32_t, std::vector<uint32_t>> members;  // lowest slot -> indices into joints
  for (uint32_t i = 0; i < joints.size(); ++i) {
    for (const uint32_t slot : bodies_of(*joints[i].model)) {
      if (!dynamic(slot)) continue;
      members[together.find(slot)].push_back(i);
      break;
    }
  }
  std::vector<Mechanism> result;
  for (const auto& [root, list] : members) {
    result.emplace_back();
    finish(result.back(), joints, list, is_dynamic);
  }
  return result;
}

}  // namespace tenon
