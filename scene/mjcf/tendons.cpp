// <tendon> and cameras.
#include <algorithm>

#include "tenon/scene/mjcf/sections.h"

namespace tenon::scene::mjcf {
namespace {

using xml::Element;

// Straight between two sites: a rope, a spring, or both.
struct Straight {
  OnBody a, b;
  double length0 = 0;  // m, for q = 0
};

std::optional<Straight> find_ends(Element& e, World& w, const model::MadeLinks& made) {
  if (e.children.size() != 2) return std::nullopt;
  std::vector<Site> sites;
  for (Element& c : e.children) {
    if (c.tag != "site") return std::nullopt;
    const auto found = w.sites.find(c.text("site"));
    if (found == w.sites.end()) {
      if (!w.error) {
        w.error = xml::error_at(c, "the tendon names a site that is not there", c.text("site"));
      }
      return std::nullopt;
    }
    sites.push_back(found->second);
  }
  Straight s{on_body(made, sites[0].link, sites[0].X_LS),
             on_body(made, sites[1].link, sites[1].X_LS), 0};
  const auto point = [&](const Site& site) {
    return in_scene_at_zero(made, site.link, site.X_LS).p;
  };
  s.length0 = norm(point(sites[1]) - point(sites[0]));
  return s;
}

Connection make_connection(const Straight& s, ConnectionType type, const std::string& name,
                           int line) {
  Connection c;
  c.name = name;
  c.type = type;
  c.a.name = s.a.body;
  c.b.name = s.b.body;
  c.point_a = s.a.X_BF.p;
  c.point_b = s.b.X_BF.p;
  c.place = {line, 0};
  return c;
}

void add_spatial(Element& e, World& w, model::MadeLinks& made, Document& document) {
  Source s = w.defaults.source(e, "", w.error, "tendon");
  const std::optional<Straight> ends = find_ends(e, w, made);
  if (!ends || ends->a.body == ends->b.body) {
    e.used = false;  // listed
    return;
  }
  for (Element& c : e.children) c.used = true;
  const std::string name = e.has("name") ? e.text("name") : "tendon";
  const auto range = s.numbers("range", 2, 2);
  const std::string limited = s.text("limited", "auto");
  const bool bound = w.settings.limits && !range.empty() &&
                     (limited == "true" || (limited == "auto" && w.settings.autolimits));
  if (bound) {
    Connection rope =
        make_connection(*ends, ConnectionType::kRope, model::make_name(name, made.names), e.line);
    rope.length = range[1];
    document.connections.push_back(std::move(rope));
    if (range[0] > 0) {
      w.report->notes.push_back("tendon '" + name + "': its shortest length is not kept");
    }
  }
  const auto rod = w.rods.find(name);
  if (rod != w.rods.end()) {
    Connection made_rod =
        make_connection(*ends, ConnectionType::kRod, model::make_name(name, made.names), e.line);
    made_rod.length = ends->length0 + rod->second;
    document.connections.push_back(std::move(made_rod));
  }
  const double k = s.positive("stiffness", 0), d = s.positive("damping", 0);
  if (k > 0 || d > 0) {
    const ConnectionType type = k == 0   ? ConnectionType::kDamper
                                : d == 0 ? ConnectionType::kSpring
                                         : ConnectionType::kShockAbsorber;
    Connection spring = make_connection(*ends, type, model::make_name(name, made.names), e.line);
    spring.stiffness = k;
    spring.damping = d;
    const auto rest = s.numbers("springlength", 1, 2);
    if (k > 0) spring.length = rest.empty() || rest[0] < 0 ? ends->length0 : rest[0];
    document.connections.push_back(std::move(spring));
  }
  if (!bound && k == 0 && d == 0 && rod == w.rods.end()) {
    w.report->notes.push_back("tendon '" + name + "' does nothing and is left out");
  }
}

}  // namespace

void add_tendons(Element& root, World& w, model::MadeLinks& made, Document& document) {
  for (Element& section : root.children) {
    if (section.tag != "tendon") continue;
    section.used = true;
    for (Element& e : section.children) {
      if (e.tag == "spatial" && !w.error) add_spatial(e, w, made, document);
    }
  }
}

void add_cameras(const World& w, const model::MadeLinks& made, Document& document) {
  std::set<std::string> taken{"auto"};
  for (const CameraEntry& entry : w.cameras) {
    Camera c = entry.camera;
    c.name = model::make_name(c.name.empty() ? "camera" : c.name, taken);
    const std::string body =
        entry.link < 0 ? kWorldName : made.body[static_cast<size_t>(entry.link)];
    const bool mounted = c.type == CameraType::kMounted && body != kWorldName;
    if (!mounted) {
      const Pose X = entry.link < 0 ? Pose{} : made.X_SL[static_cast<size_t>(entry.link)];
      const auto turn = [&](const Vec3& v) {
        return entry.link < 0 ? model::to_scene(v) + Vec3{} : rotate(X.q, v);
      };
      c.position = X.p + turn(c.position);
      c.look_at = X.p + turn(c.look_at);
      c.up = turn(c.up);
      if (c.type == CameraType::kMounted) c.type = CameraType::kFixed;
    }
    if (c.type == CameraType::kMounted || c.type == CameraType::kFollow) c.body.name = body;
    if (c.type == CameraType::kFollow && body == kWorldName) c.type = CameraType::kFixed;
    const bool known = find_body(document, c.body.name) != nullptr;
    if (!known) c.body.name.clear();
    if (c.body.name.empty() && c.type != CameraType::kFixed) continue;
    document.cameras.push_back(std::move(c));
  }
}

}  // namespace tenon::scene::mjcf
