// <equality> and <tendon>: joints that close circles, gears, springs and ropes.
#include <cmath>

#include "tenon/scene/mjcf/exact_numbers.h"
#include "tenon/scene/mjcf/export_sections.h"
#include "tenon/scene/model/import.h"
#include "tenon/scene/model/to_document.h"

namespace tenon::scene::mjcf {
namespace {

constexpr double kClosed = 1e-6;  // m or rad: a loop that fits as the scene starts

// A frame of a body in its own axes; of the world in those of the file.
Pose as_written(bool world, const Pose& X) {
  if (!world) return X;
  return {model::from_scene(X.p), normalized(conjugate(model::kUpFromZ) * X.q)};
}

class LoopWriter {
 public:
  LoopWriter(Export& e, Sections& s) : e_(e), s_(s) {}
  void add(const Joint& joint);
  void add_gear(const Joint& gear);
  void add_screws();
  void add_connection(const Connection& c);

 private:
  int link_of(const std::string& body) const {
    const auto found = e_.plan.index.find(body);
    return found == e_.plan.index.end() ? -1 : found->second;
  }
  std::string name_of(const std::string& body) const {
    const int link = link_of(body);
    return link < 0 ? kWorldName : e_.plan.links[static_cast<size_t>(link)].body->name;
  }
  void add_point(const Joint& joint, const StartFrames& f, const std::string& name);
  void add_weld(const Joint& joint, const StartFrames& f);
  void add_hinge(const Joint& joint, const StartFrames& f);
  std::string add_site(const std::string& body, const Pose& X_BF, const std::string& name);
  void add_tendon(const Connection& c, const Vec3& a, const Vec3& b, double start);
  std::string dof_name(const std::string& joint, std::optional<JointAxis> axis, double* ref) const;

  Export& e_;
  Sections& s_;
  std::set<std::string> sites_, names_;
};

std::string LoopWriter::add_site(const std::string& body, const Pose& X_BF,
                                 const std::string& wish) {
  const std::string name = model::make_name(wish, sites_);
  const int link = link_of(body);
  const Pose X = as_written(link < 0, X_BF);
  Tag site("site");
  site.add("name", name).unless_zero("pos", X.p);
  Quat q = X.q;
  find_quat(
      [&](const Quat& c) {
        const Quat read = normalized(c);
        return (link < 0 ? model::to_scene(Pose{{}, read}).q : read) == X_BF.q;
      },
      q);
  site.unless_unit("quat", q);
  s_.sites[link].push_back(site);
  return name;
}

// The reader has the point of the second body where the first has it as the model stands; else the
// two points are named, which newer MuJoCo reads.
void LoopWriter::add_point(const Joint& joint, const StartFrames& f, const std::string& name) {
  Tag tag("connect");
  tag.add("name", model::make_name(name, names_));
  if (!joint.enabled) tag.add("active", "false");
  const bool world = link_of(joint.parent.name) < 0;
  if (norm(f.X_WP.p - f.X_WC.p) < kClosed) {
    if (world) {
      tag.add("body1", name_of(joint.child.name)).add("anchor", f.on_bodies.X_BC.p);
    } else {
      tag.add("body1", name_of(joint.parent.name)).add("body2", name_of(joint.child.name));
      tag.add("anchor", f.on_bodies.X_BP.p);
    }
  } else {
    tag.add("site1", add_site(joint.parent.name, f.on_bodies.X_BP, name + "_a"));
    tag.add("site2", add_site(joint.child.name, f.on_bodies.X_BC, name + "_b"));
    e_.warn(joint.place,
            "a loop that is open as the scene starts needs sites: MuJoCo 3.2 and newer",
            joint.name);
  }
  s_.equalities.push_back(tag);
}

void LoopWriter::add_weld(const Joint& joint, const StartFrames& f) {
  Tag tag("weld");
  tag.add("name", model::make_name(joint.name, names_));
  if (!joint.enabled) tag.add("active", "false");
  const bool world = link_of(joint.parent.name) < 0;
  // where the second body is in the first
  const Pose X_BP = as_written(world, f.on_bodies.X_BP);
  const Pose X_BC = f.on_bodies.X_BC;
  Pose X = X_BP * inverse(X_BC);
  find_quat([&](const Quat& c) { return normalized(normalized(c) * X_BC.q) == X_BP.q; }, X.q);
  find_vector([&](const Vec3& c) { return (Pose{c, normalized(X.q)} * X_BC).p == X_BP.p; }, X.p);
  tag.add("body1", name_of(joint.parent.name)).add("body2", name_of(joint.child.name));
  if (!(X_BC.p == Vec3{})) tag.add("anchor", X_BC.p);
  const bool as_it_stands =
      norm(f.X_WP.p - f.X_WC.p) < kClosed && norm((conjugate(f.X_WP.q) * f.X_WC.q).vec()) < kClosed;
  if (!as_it_stands) tag.add("relpose", words(X.p) + " " + words(X.q));
  s_.equalities.push_back(tag);
}

// Two points of its axis.
void LoopWriter::add_hinge(const Joint& joint, const StartFrames& f) {
  constexpr Vec3 kAlong{0.1, 0, 0};  // m; any distance would do
  StartFrames end = f;
  for (Pose* X : {&end.on_bodies.X_BP, &end.on_bodies.X_BC, &end.X_WP, &end.X_WC})
    X->p += rotate(X->q, kAlong);
  add_point(joint, f, joint.name);
  add_point(joint, end, joint.name + "_axis");
  e_.warn(joint.place,
          "a hinge that closes a circle is written as two points of its axis, without "
          "limits, springs and motors",
          joint.name);
}

void LoopWriter::add(const Joint& joint) {
  const StartFrames f = find_frames(e_.plan, joint);
  switch (joint.type) {
    case JointType::kPoint:
      return add_point(joint, f, joint.name);
    case JointType::kRigid:
      return add_weld(joint, f);
    case JointType::kHinge:
    case JointType::kTwist:
      return add_hinge(joint, f);
    case JointType::kDistance: {
      Connection rod;
      rod.name = joint.name;
      rod.type = ConnectionType::kRod;
      rod.a = joint.parent;
      rod.b = joint.child;
      rod.place = joint.place;
      const JointLaw& law = joint.laws[0];
      if (law.limits && law.limits->max) rod.type = ConnectionType::kRope;
      if (law.limits && law.limits->max) rod.length = *law.limits->max;
      const double start = norm(f.X_WP.p - f.X_WC.p);
      if (!rod.length) rod.length = joint.length;
      add_tendon(rod, f.on_bodies.X_BP.p, f.on_bodies.X_BC.p, start);
      return;
    }
    default:
      e_.warn(joint.place,
              "MuJoCo has no such joint for a circle of bodies; left out: NOT HONOURED",
              joint.name);
  }
}

std::string LoopWriter::dof_name(const std::string& joint, std::optional<JointAxis> axis,
                                 double* ref) const {
  for (const OutLink& link : e_.plan.links) {
    for (size_t d = 0; d < link.origins.size(); ++d) {
      const bool own = link.origins[d].joint->name == joint;
      const bool turns = link.link.dofs[d].kind != model::DofKind::kBall;
      if (!own || !turns || (axis && *axis != link.origins[d].axis)) continue;
      *ref = link.link.dofs[d].ref;
      return link.link.dofs[d].name;
    }
  }
  return {};
}

// first + ratio second stays as it starts: deviations from there are what MuJoCo compares.
void LoopWriter::add_gear(const Joint& gear) {
  double unused = 0;
  const std::string first = dof_name(gear.first.name, gear.first_axis, &unused),
                    second = dof_name(gear.second.name, gear.second_axis, &unused);
  if (first.empty() || second.empty()) {
    e_.warn(gear.place,
            "a gear between joints that the file does not have is left out: NOT HONOURED",
            gear.name);
    return;
  }
  Tag tag("joint");
  tag.add("name", model::make_name(gear.name, names_)).add("joint1", first).add("joint2", second);
  if (!gear.enabled) tag.add("active", "false");
  tag.add("polycoef", "0 " + format_number(-gear.ratio) + " 0 0 0");
  s_.equalities.push_back(tag);
}

// x = pitch rx / 2 pi
void LoopWriter::add_screws() {
  for (const OutLink& link : e_.plan.links) {
    for (size_t d = 0; d + 1 < link.origins.size(); ++d) {
      const Joint& joint = *link.origins[d].joint;
      if (joint.type != JointType::kScrew || link.origins[d + 1].joint != &joint) continue;
      const bool slide_first = link.link.dofs[d].kind == model::DofKind::kSlide;
      const std::string& slide = link.link.dofs[slide_first ? d : d + 1].name;
      const std::string& hinge = link.link.dofs[slide_first ? d + 1 : d].name;
      double slope = joint.pitch.value_or(0) / (2 * kPi);
      find_number([&](double x) { return 2 * kPi * x == joint.pitch.value_or(0); }, slope);
      Tag tag("joint");
      tag.add("name", model::make_name(joint.name, names_));
      tag.add("joint1", slide).add("joint2", hinge);
      tag.add("polycoef", "0 " + format_number(slope) + " 0 0 0");
      s_.equalities.push_back(tag);
    }
  }
}

void LoopWriter::add_tendon(const Connection& c, const Vec3& a, const Vec3& b, double start) {
  const double length = c.length.value_or(start);
  const std::string name = model::make_name(c.name, names_);
  Sections::Tendon tendon{Tag("spatial"), add_site(c.a.name, {a, {}}, c.name + "_a"),
                          add_site(c.b.name, {b, {}}, c.name + "_b")};
  Tag& tag = tendon.tag;
  tag.add("name", name);
  const std::string text = format_number(length);
  if (c.type == ConnectionType::kRope) tag.add("limited", "true").add("range", "0 " + text);
  if (c.type == ConnectionType::kRod) {
    // kept at the length that it has as the model stands, and what is missing to its own
    Tag keep("tendon");
    keep.add("tendon1", name);
    if (std::fabs(length - start) > kClosed)
      keep.add("polycoef", format_number(length - start) + " 1 0 0 0");
    s_.equalities.push_back(keep);
  }
  if (c.type == ConnectionType::kSpring || c.type == ConnectionType::kShockAbsorber)
    tag.add("stiffness", c.stiffness).add("springlength", length);
  if (c.type == ConnectionType::kDamper || c.type == ConnectionType::kShockAbsorber)
    tag.add("damping", c.damping);
  if (c.min_separation > 0)
    e_.warn(c.place, "springs of MuJoCo act at any length: NOT HONOURED", c.name);
  if (c.break_force) e_.warn(c.place, "nothing breaks in MuJoCo: NOT HONOURED", c.name);
  s_.tendons.push_back(std::move(tendon));
}

void LoopWriter::add_connection(const Connection& c) {
  const auto find = [&](const std::string& name) -> const Body* {
    const auto found = e_.plan.bodies.find(name);
    return found == e_.plan.bodies.end() ? nullptr : found->second;
  };
  if (!c.enabled) return e_.warn(c.place, "a connection that is off is left out", c.name);
  const Pose X_WA = end_of(find(c.a.name)).X_WB, X_WB = end_of(find(c.b.name)).X_WB;
  const auto local = [](const Pose& X, const Vec3& p) { return rotate(conjugate(X.q), p - X.p); };
  std::optional<Vec3> a = c.point_a, b = c.point_b;
  if (!a && c.at) a = local(X_WA, *c.at);
  if (!b && c.to) b = local(X_WB, *c.to);
  const bool joined = c.type == ConnectionType::kBall || c.type == ConnectionType::kRigid;
  if (joined && !a && b) a = local(X_WA, X_WB.p + rotate(X_WB.q, *b));
  if (joined && !b && a) b = local(X_WB, X_WA.p + rotate(X_WA.q, *a));
  const Vec3 on_a = a.value_or(Vec3{}), on_b = b.value_or(Vec3{});
  if (joined) {
    Joint joint;
    joint.name = c.name;
    joint.place = c.place;
    joint.type = c.type == ConnectionType::kBall ? JointType::kPoint : JointType::kRigid;
    const bool turn = c.b.name == kWorldName;
    joint.parent = turn ? c.b : c.a;
    joint.child = turn ? c.a : c.b;
    const Pose& X_WP = turn ? X_WB : X_WA;
    const Pose& X_WC = turn ? X_WA : X_WB;
    const Vec3 p = turn ? on_a : on_b;
    joint.child_frame = JointFrame{p, Quat{}, {}, {}};
    const Pose X = inverse(X_WP) * X_WC * Pose{p, {}};
    joint.parent_frame = JointFrame{X.p, normalized(X.q), {}, {}};
    return add(joint);
  }
  const double start = norm((X_WA.p + rotate(X_WA.q, on_a)) - (X_WB.p + rotate(X_WB.q, on_b)));
  add_tendon(c, on_a, on_b, start);
}

}  // namespace

void add_loops(Export& e, Sections& s) {
  LoopWriter writer(e, s);
  const std::set<const Joint*> loops(e.plan.loops.begin(), e.plan.loops.end());
  writer.add_screws();
  for (const Joint& joint : e.flat.joints) {
    if (joint.type == JointType::kGear) writer.add_gear(joint);
    if (loops.count(&joint) > 0) writer.add(joint);
  }
  for (const Connection& c : e.flat.connections) writer.add_connection(c);
}

}  // namespace tenon::scene::mjcf
