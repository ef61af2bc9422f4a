#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "tenon/scene/mjcf/sections.h"
#include "tenon/scene/model/segments.h"

namespace tenon::scene::mjcf {
namespace {

constexpr size_t kMostPairs = 64;  // materials up to which each pair gets its own entry

// What materials are told apart by.
struct Surface {
  int condim = 3;
  std::array<double, 3> friction{};
  double restitution = 0;
  auto operator<=>(const Surface&) const = default;
};

Surface surface_of(const Touch& t) { return {t.condim, t.friction, t.restitution}; }

// Friction of a contact: sliding from condim 3 on, spinning from 4, rolling at 6.
std::array<double, 3> effective(const Surface& s) {
  return {s.condim >= 3 ? s.friction[0] : 0, s.condim >= 4 ? s.friction[1] : 0,
          s.condim >= 6 ? s.friction[2] : 0};
}

Surface mix(const Surface& a, const Surface& b) {
  Surface m;
  m.condim = std::max(a.condim, b.condim);
  for (size_t k = 0; k < 3; ++k) m.friction[k] = std::max(a.friction[k], b.friction[k]);
  // MuJoCo takes the mean of the two springs; so do we of what they do
  m.restitution = 0.5 * (a.restitution + b.restitution);
  return m;
}

constexpr double kMostFriction = 100, kLongestLever = 10;  // what scenes accept; m

Material to_material(const std::string& name, const Surface& s) {
  const std::array<double, 3> f = effective(s);
  Material m;
  m.name = name;
  m.density = 1000;
  m.restitution = s.restitution;
  m.static_friction = m.sliding_friction = std::min(f[0], kMostFriction);
  m.spinning_friction = std::min(f[1], kLongestLever);
  m.rolling_friction = std::min(f[2], kLongestLever);
  m.look.roughness = 0.6;
  return m;
}

MaterialPair to_pair(const std::string& a, const std::string& b, const Surface& s) {
  const Material m = to_material("", s);
  MaterialPair pair;
  pair.materials = {a, b};
  pair.restitution = m.restitution;
  pair.static_friction = pair.sliding_friction = m.static_friction;
  pair.spinning_friction = m.spinning_friction;
  pair.rolling_friction = m.rolling_friction;
  return pair;
}

// The masks of a body: those of all its geoms together.
struct Mask {
  uint32_t type = 0, affinity = 0;
  auto operator<=>(const Mask&) const = default;
};
bool may_touch(const Mask& a, const Mask& b) {
  return (a.type & b.affinity) != 0 || (b.type & a.affinity) != 0;
}
std::string name_of(const Mask& m) {
  return "contact_" + std::to_string(m.type) + "_" + std::to_string(m.affinity);
}

Mask mask_of(const std::vector<Touch>& touches, bool& mixed) {
  Mask mask;
  for (const Touch& t : touches) {
    const Mask own{t.contype, t.conaffinity};
    if (own == Mask{}) continue;
    if (!(mask == Mask{}) && !(own == mask)) mixed = true;
    mask.type |= own.type;
    mask.affinity |= own.affinity;
  }
  return mask;
}

// Groups only where some masks keep others off.
void add_groups(const std::map<std::string, Mask>& masks, Document& document) {
  std::set<Mask> all;
  for (const auto& [name, mask] : masks) all.insert(mask);
  bool needed = false;
  for (const Mask& a : all) {
    for (const Mask& b : all) needed |= !may_touch(a, b);
  }
  if (!needed) return;
  for (const Mask& a : all) {
    Group group;
    group.name = name_of(a);
    for (const Mask& b : all) {
      if (!may_touch(a, b)) group.ignores.push_back(name_of(b));
    }
    document.groups.push_back(std::move(group));
  }
  for (Body& body : document.bodies) {
    const auto found = masks.find(body.name);
    if (found != masks.end()) body.groups.push_back(name_of(found->second));
  }
}

// Links that move as one have the same number; -1: with the world.
std::vector<int> find_welds(const model::Tree& tree) {
  std::vector<int> weld;
  for (size_t i = 0; i < tree.links.size(); ++i) {
    const model::Link& link = tree.links[i];
    const int of_parent = link.parent < 0 ? -1 : weld[static_cast<size_t>(link.parent)];
    weld.push_back(link.dofs.empty() ? of_parent : static_cast<int>(i));
  }
  return weld;
}

}  // namespace

void add_materials(World& w, Document& document) {
  std::map<Surface, std::string> names;
  std::vector<Surface> order;
  const auto name_for = [&](const Touch& touch) {
    const Surface s = surface_of(touch);
    const auto [at, is_new] = names.emplace(s, "surface_" + std::to_string(names.size() + 1));
    if (is_new) {
      order.push_back(s);
      document.materials.push_back(to_material(at->second, s));
    }
    return at->second;
  };
  for (size_t i = 0; i < w.tree.links.size(); ++i) {
    for (size_t k = 0; k < w.tree.links[i].parts.size(); ++k) {
      if (w.tree.links[i].parts[k].role == PartRole::kVisual) continue;
      w.tree.links[i].parts[k].material = name_for(w.touches[i][k]);
    }
  }
  for (const PlaneGeom& plane : w.planes) name_for(plane.touch);
  if (order.size() > kMostPairs) {
    w.report->notes.push_back("there are more than " + std::to_string(kMostPairs) +
                              " surfaces: pairs of them have the mean of their frictions");
    return;
  }
  for (size_t a = 0; a < order.size(); ++a) {
    for (size_t b = a; b < order.size(); ++b) {
      const Surface m = mix(order[a], order[b]);
      if (a == b) continue;
      document.pairs.push_back(to_pair(names[order[a]], names[order[b]], m));
    }
  }
}

void add_planes(const World& w, Document& document) {
  std::set<std::string> taken{kWorldName};
  for (const auto& [name, link] : w.links) taken.insert(name);
  for (const PlaneGeom& plane : w.planes) {
    Body body;
    body.name = model::make_name(plane.name, taken);
    body.motion = Motion::kStatic;
    body.position = model::to_scene(plane.X_W.p) + Vec3{};
    const Vec3 n = model::to_scene(rotate(plane.X_W.q, Vec3{0, 0, 1}));
    // directions along an axis are so to the last digit
    const auto snap = [](double x) {
      return std::fabs(x) < 1e-14                  ? 0.0
             : std::fabs(std::fabs(x) - 1) < 1e-14 ? (x < 0 ? -1.0 : 1.0)
                                                   : x;
    };
    body.shape = PlaneShape{{snap(n.x), snap(n.y), snap(n.z)}, 0};
    body.color = plane.color;
    body.place = plane.place;
    body.collision = (plane.touch.contype | plane.touch.conaffinity) != 0;
    for (const Material& m : document.materials) {
      if (m == to_material(m.name, surface_of(plane.touch))) body.material = m.name;
    }
    document.bodies.push_back(std::move(body));
  }
}

void add_filters(xml::Element& root, World& w, const model::MadeLinks& made, Document& document) {
  std::map<std::string, Mask> masks;
  for (size_t i = 0; i < w.tree.links.size(); ++i) {
    bool mixed = false;
    const Mask mask = mask_of(w.touches[i], mixed);
    if (mask == Mask{} || made.body[i] == kWorldName) continue;
    masks[made.body[i]] = mask;
    if (mixed) {
      w.report->notes.push_back("body '" + w.tree.links[i].name +
                                "': its geoms have different contype or conaffinity; it touches "
                                "what any of them would touch");
    }
  }
  size_t plane = 0;
  for (const Body& body : document.bodies) {
    if (!std::holds_alternative<PlaneShape>(body.shape) || plane >= w.planes.size()) continue;
    const Touch& t = w.planes[plane++].touch;
    if ((t.contype | t.conaffinity) != 0) masks[body.name] = {t.contype, t.conaffinity};
  }
  add_groups(masks, document);
  // bodies next to each other in the tree; what is held by the world touches it
  std::vector<std::pair<std::string, std::string>> apart;
  const std::vector<int> weld = find_welds(w.tree);
  const auto above = [&](int id) {
    const int parent = w.tree.links[static_cast<size_t>(id)].parent;
    return parent < 0 ? -1 : weld[static_cast<size_t>(parent)];
  };
  for (size_t i = 0; i < weld.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const int a = weld[i], b = weld[j];
      if (a < 0 || b < 0 || masks.count(made.body[i]) == 0 || masks.count(made.body[j]) == 0) {
        continue;
      }
      const bool direct = w.tree.links[i].parent == static_cast<int>(j) &&
                          model::find_segments(w.tree.links[i].dofs).size() <= 1;
      if ((a == b || above(a) == b || above(b) == a) && !direct) {
        apart.emplace_back(made.body[j], made.body[i]);
      }
    }
  }
  for (xml::Element& section : root.children) {
    if (section.tag != "contact") continue;
    section.used = true;
    for (xml::Element& e : section.children) {
      if (e.tag != "exclude") continue;
      e.used = true;
      e.find("name");
      const auto a = w.links.find(e.text("body1")), b = w.links.find(e.text("body2"));
      if (a == w.links.end() || b == w.links.end()) {
        if (!w.error) {
          w.error = xml::error_at(e, "<exclude> names a body that is not there",
                                  e.text("body1") + ", " + e.text("body2"), "names of two bodies");
        }
        return;
      }
      apart.emplace_back(made.body[static_cast<size_t>(a->second)],
                         made.body[static_cast<size_t>(b->second)]);
    }
  }
  model::keep_apart(apart, document);
  for (Joint& joint : document.joints) {
    for (const Body& body : document.bodies) {
      if (body.name == joint.parent.name && body.motion == Motion::kStatic)
        joint.bodies_collide = true;
    }
  }
}

}  // namespace tenon::scene::mjcf
