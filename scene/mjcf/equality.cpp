// <equality>: loops, as joints that hold exactly.
#include "tenon/scene/mjcf/sections.h"

namespace tenon::scene::mjcf {
namespace {

using xml::Element;

JointFrame to_frame(const Pose& X) { return {X.p, normalized(X.q), {}, {}}; }

class EqualityReader {
 public:
  EqualityReader(World& w, model::MadeLinks& made, Document& document)
      : w_(w), made_(made), document_(document) {}

  void read(Element& e) {
    Source s = w_.defaults.source(e, "", w_.error, "equality");
    for (const char* soft : {"solref", "solimp"}) s.find(soft);
    if (e.tag == "joint") return read_joint(e, s);
    if (e.tag == "tendon" && !e.has("tendon2") && s.on("active", true)) {
      const auto poly = s.numbers("polycoef", 1, 5);
      w_.rods[e.text("tendon1")] = poly.empty() ? 0 : poly[0];
      e.find("name");
      return;
    }
    const bool weld = e.tag == "weld";
    if (!weld && e.tag != "connect") {
      e.used = false;  // listed
      return;
    }
    Joint joint;
    joint.type = weld ? JointType::kRigid : JointType::kPoint;
    joint.name = model::make_name(e.has("name") ? e.text("name") : e.tag, made_.names);
    joint.enabled = s.on("active", true);
    joint.bodies_collide = true;
    joint.place = {e.line, 0};
    OnBody a, b;
    if (e.has("site1") || e.has("site2")) {
      if (!find_sites(e, a, b)) return;
    } else if (!find_bodies(e, s, weld, a, b)) {
      return;
    }
    // the world is nobody's child
    if (b.body == kWorldName) std::swap(a, b);
    if (b.body == kWorldName || a.body == b.body) {
      s.fail("<" + e.tag + "> ties a body to itself", a.body, "two bodies, one of which moves");
      return;
    }
    joint.parent.name = a.body;
    joint.child.name = b.body;
    joint.parent_frame = to_frame(a.X_BF);
    joint.child_frame = to_frame(b.X_BF);
    document_.joints.push_back(std::move(joint));
    ++w_.report->loops;
  }

 private:
  bool fail(Element& e, const char* attribute, const char* what) {
    if (w_.error) return false;
    const xml::Attribute* a = e.find(attribute);
    w_.error = a == nullptr ? xml::error_at(e, "<" + e.tag + "> has no " + attribute)
                            : xml::error_at(e, *a, "is not in the model",
                                            std::string("the name of a ") + what);
    return false;
  }
  bool find_sites(Element& e, OnBody& a, OnBody& b) {
    for (const char* name : {"site1", "site2"}) {
      const auto site = w_.sites.find(e.text(name));
      if (site == w_.sites.end()) return fail(e, name, "<site>");
      (name[4] == '1' ? a : b) = on_body(made_, site->second.link, site->second.X_LS);
    }
    return true;
  }
  bool find_link(Element& e, const char* name, bool needed, int& link) {
    link = -1;
    if (!e.has(name) && !needed) return true;
    if (e.text(name) == kWorldName) return true;
    const auto found = w_.links.find(e.text(name));
    if (found == w_.links.end()) return fail(e, name, "<body>");
    link = found->second;
    return true;
  }
  // Where the second body has the frame: as both stand for q = 0.
  bool find_bodies(Element& e, Source& s, bool weld, OnBody& a, OnBody& b) {
    int first = -1, second = -1;
    if (!find_link(e, "body1", true, first) || !find_link(e, "body2", false, second)) return false;
    const auto at_zero = [&](int link) { return in_scene_at_zero(made_, link, {}); };
    const Vec3 anchor = s.vector("anchor", {});
    const auto relpose = s.numbers("relpose", 7, 7);
    if (!weld) {
      if (!e.has("anchor")) return fail(e, "anchor", "point");
      a = on_body(made_, first, {anchor, {}});
      b = on_body(made_, second, inverse(at_zero(second)) * at_zero(first) * Pose{anchor, {}});
      return true;
    }
    // the anchor of a weld is a point of the second body
    Pose X_12 = inverse(at_zero(first)) * at_zero(second);
    if (!relpose.empty()) {
      const Quat q{relpose[3], relpose[4], relpose[5], relpose[6]};
      if (norm(q) > 0) X_12 = {{relpose[0], relpose[1], relpose[2]}, normalized(q)};
    }
    a = on_body(made_, first, X_12 * Pose{anchor, {}});
    b = on_body(made_, second, {anchor, {}});
    return true;
  }
  const model::DofAxis* find_axis(Element& e, const char* name) {
    const auto found = w_.dofs.find(e.text(name));
    if (found == w_.dofs.end()) {
      fail(e, name, "<joint>");
      return nullptr;
    }
    return &made_.axes[found->second.first][found->second.second];
  }
  void read_joint(Element& e, Source& s) {
    const auto poly = s.numbers("polycoef", 1, 5);
    const bool bent = poly.size() > 2 && (poly[2] != 0 || (poly.size() > 3 && poly[3] != 0) ||
                                          (poly.size() > 4 && poly[4] != 0));
    const double slope = poly.size() > 1 ? poly[1] : 1;
    const model::DofAxis* a = find_axis(e, "joint1");
    if (a == nullptr) return;
    if (!e.has("joint2")) {
      lock(e, *a, poly.empty() ? 0 : poly[0], s.on("active", true));
      return;
    }
    const model::DofAxis* b = find_axis(e, "joint2");
    if (b == nullptr) return;
    if (!bent && make_screw(*a, *b, slope)) return;
    if (bent || slope == 0 || a->joint.empty() || b->joint.empty() || a->joint == b->joint) {
      w_.report->warnings.push_back(xml::error_at(
          e, "joints that follow one another by a curve are not kept so", e.text("polycoef"),
          "two joints, and a straight line: polycoef=\"0 a 0 0 0\""));
      return;
    }
    if (!poly.empty() && poly[0] != 0) {
      w_.report->notes.push_back("equality of '" + e.text("joint1") +
                                 "': gears keep joints as they start, its constant is not used");
    }
    Joint gear = model::make_gear(
        model::make_name(e.has("name") ? e.text("name") : e.text("joint1") + "_gear", made_.names),
        *a, *b, slope);
    gear.enabled = s.on("active", true);
    gear.place = {e.line, 0};
    document_.joints.push_back(std::move(gear));
    ++w_.report->loops;
  }
  // A slide along a hinge that follows it is a screw.
  bool make_screw(const model::DofAxis& a, const model::DofAxis& b, double slope) {
    if (a.joint != b.joint || a.joint.empty() || a.axis == b.axis || slope == 0) return false;
    for (Joint& joint : document_.joints) {
      if (joint.name != a.joint || joint.type != JointType::kCylindrical) continue;
      // x = slope rx, or rx = slope x; the axes' signs are those of their coordinates
      const double per_angle = a.axis == JointAxis::kX ? slope : 1 / slope;
      joint.type = JointType::kScrew;
      joint.pitch = 2 * kPi * per_angle * a.sign * b.sign;
      return true;
    }
    return false;
  }
  // A joint that stays at a value: both of its limits.
  void lock(Element& e, const model::DofAxis& a, double value, bool active) {
    for (Joint& joint : document_.joints) {
      if (joint.name != a.joint || !active) continue;
      const double at = a.sign * value;
      joint.laws[static_cast<size_t>(a.axis)].limits = JointLimits{at, at};
      w_.report->notes.push_back("joint '" + e.text("joint1") + "' is kept by its limits");
    }
  }

  World& w_;
  model::MadeLinks& made_;
  Document& document_;
};

}  // namespace

Pose in_scene_at_zero(const model::MadeLinks& made, int link, const Pose& X_LF) {
  return link < 0 ? model::to_scene(X_LF) : made.X_SL0[static_cast<size_t>(link)] * X_LF;
}

OnBody on_body(const model::MadeLinks& made, int link, const Pose& X_LF) {
  if (link < 0) return {kWorldName, model::to_scene(X_LF)};
  const auto i = static_cast<size_t>(link);
  if (made.body[i] == kWorldName) return {kWorldName, made.X_SL[i] * X_LF};
  return {made.body[i], X_LF};
}

void add_equalities(Element& root, World& w, model::MadeLinks& made, Document& document) {
  EqualityReader reader(w, made, document);
  for (Element& section : root.children) {
    if (section.tag != "equality") continue;
    section.used = true;
    for (Element& e : section.children) {
      if (w.error) return;
      reader.read(e);
    }
  }
}

}  // namespace tenon::scene::mjcf
