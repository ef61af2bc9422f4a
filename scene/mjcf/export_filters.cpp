// Who touches whom: contype, conaffinity and <exclude>.
#include <algorithm>
#include <cstdlib>

#include "tenon/scene/mjcf/export_contact.h"
#include "tenon/scene/model/segments.h"

namespace tenon::scene::mjcf {
namespace {

constexpr size_t kBits = 32;          // of contype
constexpr size_t kMostBodies = 3000;  // up to which each pair of them is looked at

// Masks by the name that an import gives a group: "contact_1_3".
std::optional<OutMask> read_mask(const std::string& group) {
  constexpr std::string_view kPrefix = "contact_";
  if (!group.starts_with(kPrefix)) return std::nullopt;
  const size_t middle = group.find('_', kPrefix.size());
  if (middle == std::string::npos) return std::nullopt;
  const auto number = [](const std::string& text) -> std::optional<uint32_t> {
    if (text.empty() || text.size() > 10 ||
        text.find_first_not_of("0123456789") != std::string::npos)
      return std::nullopt;
    const unsigned long long n = std::strtoull(text.c_str(), nullptr, 10);
    return n > 0xffffffffULL ? std::nullopt : std::optional(static_cast<uint32_t>(n));
  };
  const auto type = number(group.substr(kPrefix.size(), middle - kPrefix.size()));
  const auto affinity = number(group.substr(middle + 1));
  if (!type || !affinity) return std::nullopt;
  return OutMask{*type, *affinity};
}

bool masks_touch(const OutMask& a, const OutMask& b) {
  return (a.type & b.affinity) != 0 || (b.type & a.affinity) != 0;
}

class FilterFinder {
 public:
  explicit FilterFinder(Export& e) : e_(e) {}
  Filters find();

 private:
  void find_bodies();
  bool take_named_masks();
  void make_masks();
  void exclude_pairs();
  void exclude_joints();
  bool is_next_to(size_t i, size_t j) const;  // MuJoCo keeps these two apart by itself
  bool is_own_group(const std::string& group) const { return plan_index(group) >= 0; }
  int plan_index(const std::string& body) const {
    const auto found = e_.plan.index.find(body);
    return found == e_.plan.index.end() ? -1 : found->second;
  }

  Export& e_;
  Filters out_;
  std::vector<const Body*> bodies_;  // that touch
  std::vector<int> weld_;            // links that move as one have the same number; -1: none does
};

void FilterFinder::find_bodies() {
  for (const OutLink& out : e_.plan.links) {
    const bool moves = out.free || !out.link.dofs.empty();
    const int above = out.parent < 0 ? -1 : weld_[static_cast<size_t>(out.parent)];
    weld_.push_back(moves ? static_cast<int>(weld_.size()) : above);
    const std::vector<Part> parts = parts_of(*out.body);
    const bool touches = std::any_of(parts.begin(), parts.end(),
                                     [](const Part& p) { return p.role != PartRole::kVisual; });
    if (touches && out.body->collision) bodies_.push_back(out.body);
  }
  for (const Body* plane : e_.plan.planes) {
    if (plane->collision) bodies_.push_back(plane);
  }
}

// Groups of an imported model say their masks.
bool FilterFinder::take_named_masks() {
  size_t named = 0;
  for (const Body* body : bodies_) {
    std::optional<OutMask> mask;
    for (const std::string& group : body->groups) {
      const std::optional<OutMask> own = read_mask(group);
      if (!own && !is_own_group(group)) return false;
      if (own && mask) return false;
      if (own) mask = own;
    }
    if (body->collides_with) return false;
    for (const std::string& group : body->ignores) {
      if (!is_own_group(group)) return false;
    }
    if (mask) ++named;
    out_.masks[body] = mask.value_or(OutMask{});
  }
  return named == 0 || named == bodies_.size();
}

// A bit for each kind of body, by its groups; groups of one body are left to <exclude>.
void FilterFinder::make_masks() {
  struct Kind {
    std::vector<std::string> groups, ignores;
    std::optional<std::vector<std::string>> collides_with;
    bool operator==(const Kind&) const = default;
  };
  std::vector<Kind> kinds;
  std::vector<Body> samples;
  std::vector<size_t> kind_of;
  for (const Body* body : bodies_) {
    Kind kind;
    for (const std::string& g : body->groups)
      if (!is_own_group(g)) kind.groups.push_back(g);
    for (const std::string& g : body->ignores)
      if (!is_own_group(g)) kind.ignores.push_back(g);
    kind.collides_with = body->collides_with;
    size_t k = static_cast<size_t>(std::find(kinds.begin(), kinds.end(), kind) - kinds.begin());
    if (k == kinds.size()) {
      kinds.push_back(kind);
      Body sample;
      sample.groups = kind.groups;
      sample.ignores = kind.ignores;
      sample.collides_with = kind.collides_with;
      samples.push_back(std::move(sample));
    }
    kind_of.push_back(k);
  }
  if (kinds.size() > kBits) {
    e_.warn({},
            "MuJoCo has 32 bits for who touches whom; all bodies touch one another: NOT HONOURED",
            std::to_string(kinds.size()) + " kinds of bodies");
    for (const Body* body : bodies_) out_.masks[body] = {};
    return;
  }
  for (size_t i = 0; i < bodies_.size(); ++i) {
    const size_t k = kind_of[i];
    OutMask mask{uint32_t{1} << k, 0};
    for (size_t other = 0; other < kinds.size(); ++other) {
      if (may_collide(e_.flat, samples[k], samples[other])) mask.affinity |= uint32_t{1} << other;
    }
    out_.masks[bodies_[i]] = kinds.size() == 1 && mask.affinity == 1 ? OutMask{} : mask;
  }
}

bool FilterFinder::is_next_to(size_t i, size_t j) const {
  const int a = weld_[i], b = weld_[j];
  if (a < 0 || b < 0) return false;
  const auto above = [&](int id) {
    const int parent = e_.plan.links[static_cast<size_t>(id)].parent;
    return parent < 0 ? -1 : weld_[static_cast<size_t>(parent)];
  };
  return a == b || above(a) == b || above(b) == a;
}

// Bodies that ignore the group of one other body.
void FilterFinder::exclude_pairs() {
  std::map<std::string, size_t> order;
  for (const Group& g : e_.flat.groups) order.emplace(g.name, order.size());
  struct Found {
    size_t group, body;
    std::pair<std::string, std::string> names;
  };
  std::vector<Found> found;
  for (const Body* body : bodies_) {
    const int i = plan_index(body->name);
    for (const std::string& group : body->ignores) {
      const int j = plan_index(group);
      if (i < 0 || j < 0 || i == j) continue;
      const std::string& other = e_.plan.links[static_cast<size_t>(j)].body->name;
      if (other != group) continue;
      // the earlier one's group, ignored by the later: that is how an import keeps neighbours apart
      if (j < i && is_next_to(static_cast<size_t>(i), static_cast<size_t>(j))) continue;
      found.push_back({order[group], static_cast<size_t>(i), {group, body->name}});
    }
  }
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    return std::pair(a.group, a.body) < std::pair(b.group, b.body);
  });
  for (Found& f : found) out_.excludes.push_back(std::move(f.names));
}

// Joints whose bodies pass through one another, or do not, where MuJoCo has it the other way.
void FilterFinder::exclude_joints() {
  for (const Joint& joint : e_.flat.joints) {
    const int p = plan_index(joint.parent.name), c = plan_index(joint.child.name);
    if (p < 0 || c < 0 || p == c || joint.type == JointType::kGear) continue;
    const auto parent = static_cast<size_t>(p), child = static_cast<size_t>(c);
    const Body *a = e_.plan.links[parent].body, *b = e_.plan.links[child].body;
    const auto at = out_.masks.find(a), of = out_.masks.find(b);
    const bool touch =
        at != out_.masks.end() && of != out_.masks.end() && masks_touch(at->second, of->second);
    if (!touch) continue;
    const bool apart = is_next_to(parent, child);
    if (!joint.bodies_collide && !apart) out_.excludes.emplace_back(a->name, b->name);
    if (joint.bodies_collide && apart) {
      e_.warn(joint.place,
              "bodies next to each other in the tree do not touch in MuJoCo: NOT "
              "HONOURED",
              joint.name);
    }
  }
}

Filters FilterFinder::find() {
  find_bodies();
  if (bodies_.size() > kMostBodies || !take_named_masks()) {
    out_.masks.clear();
    make_masks();
  }
  exclude_pairs();
  exclude_joints();
  return std::move(out_);
}

}  // namespace

Filters find_filters(Export& e) { return FilterFinder(e).find(); }

}  // namespace tenon::scene::mjcf
