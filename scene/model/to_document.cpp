#include "tenon/scene/model/to_document.h"

#include <algorithm>
#include <cmath>

#include "tenon/scene/model/import.h"
#include "tenon/scene/model/inertia.h"
#include "tenon/scene/model/segments.h"

namespace tenon::scene::model {
namespace {

JointFrame to_frame(const Pose& X) { return {X.p, X.q, {}, {}}; }
JointFrame unit_frame(const Pose& X) { return {X.p, normalized(X.q), {}, {}}; }

class Maker {
 public:
  Maker(const Tree& tree, const DocumentOptions& options, const std::string& file,
        Document& document, Report& report)
      : tree_(tree), options_(options), file_(file), document_(document), report_(report) {}

  Result<MadeLinks> make() {
    placed_ = place(tree_);
    immovable_ = find_immovable(tree_);
    const std::vector<Placed> zero = place_at_zero(tree_);
    for (size_t i = 0; i < tree_.links.size(); ++i) {
      made_.X_SL.push_back(to_scene(placed_[i].X_WL));
      made_.X_SL0.push_back(to_scene(zero[i].X_WL));
    }
    for (size_t i = 0; i < tree_.links.size(); ++i) {
      if (Status s = make_link(i); !s) return s.error();
    }
    return std::move(made_);
  }

 private:
  Status make_link(size_t i);
  Body start_body(const Link& link, const Pose& X_SL) const;
  void set_mass(const Inertial& inertial, double share, const Moving& at, Body& body) const;
  void add_joints(size_t i, const std::vector<Segment>& segments);
  void add_fixed(size_t i);
  std::string add_middle(size_t i, const Segment& before, size_t number);
  void put(Joint joint) {
    joint.name = make_name(joint.name, made_.names);
    document_.joints.push_back(std::move(joint));
  }
  // parent of a link's first joint, and the frame that X_PF has on it
  void attach(const Link& link, const Pose& X_PF, Joint& joint) const {
    const bool world = link.parent < 0;
    const auto p = static_cast<size_t>(std::max(link.parent, 0));
    joint.parent.name = world ? kWorldName : made_.body[p];
    // what stands still needs no body to be held by
    const bool bare = world || joint.parent.name == kWorldName;
    const Pose X_MF = world ? X_PF : placed_[p].X_WL * X_PF;
    joint.parent_frame = bare ? to_frame(to_scene(X_MF)) : unit_frame(X_PF);
  }

  const Tree& tree_;
  const DocumentOptions& options_;
  const std::string& file_;
  Document& document_;
  Report& report_;
  std::vector<Placed> placed_;
  std::vector<bool> immovable_;
  MadeLinks made_;
  std::set<std::string> bodies_{kWorldName};
};

Body Maker::start_body(const Link& link, const Pose& X_SL) const {
  Body body;
  body.name = link.name;
  body.place = link.place;
  body.position = X_SL.p;
  body.orientation = X_SL.q;
  body.gravity = link.gravity;
  return body;
}

void Maker::set_mass(const Inertial& inertial, double share, const Moving& at, Body& body) const {
  body.mass = share * inertial.mass;
  body.inertia = share * inertial.inertia;
  body.center_of_mass = inertial.com;
  body.velocity = to_scene(at.v + cross(at.w, rotate(at.X_WL.q, inertial.com)));
  body.angular_velocity = to_scene(at.w);
}

Status Maker::make_link(size_t i) {
  const Link& link = tree_.links[i];
  const bool still = immovable_[i] || link.kinematic;
  made_.axes.emplace_back(link.dofs.size());
  if (still && link.parts.empty()) {
    made_.body.emplace_back(kWorldName);
    return Ok{};
  }
  if (!still && (!link.inertial || !(link.inertial->mass > 0))) {
    // which may be for a file that is not there
    const std::string before =
        report_.warnings.empty() ? ""
                                 : "; warned of before: " + tenon::format(report_.warnings.back());
    return Error{.message = "link '" + link.name + "' moves and has no mass" + before,
                 .file = file_,
                 .line = link.place.line,
                 .accepted = "a mass above 0, or no freedom (then it is a part of its parent)"};
  }
  const std::vector<Segment> segments = find_segments(link.dofs);
  Body body = start_body(link, made_.X_SL[i]);
  body.name = make_name(link.name, bodies_);
  CompoundShape shape{link.parts};
  if (still) {
    body.motion = link.kinematic ? Motion::kKinematic : Motion::kStatic;
  } else {
    const double middles = segments.size() > 1 ? static_cast<double>(segments.size() - 1) : 0;
    set_mass(*link.inertial, 1 - middles * options_.middle_share, placed_[i], body);
    if (shape.parts.empty()) shape.parts.push_back(inertia_box(*link.inertial));
    report_.mass_kg += link.inertial->mass;
  }
  body.shape = std::move(shape);
  made_.body.push_back(body.name);
  document_.bodies.push_back(std::move(body));
  if (still) return Ok{};
  if (link.dofs.empty()) {
    add_fixed(i);
  } else {
    add_joints(i, segments);
  }
  return Ok{};
}

void Maker::add_fixed(size_t i) {
  const Link& link = tree_.links[i];
  Joint joint;
  joint.name = link.fixed_name.empty() ? link.name + "_fixed" : link.fixed_name;
  joint.type = JointType::kRigid;
  joint.place = link.place;
  attach(link, link.X_PL, joint);
  joint.child.name = made_.body[i];
  joint.child_frame = JointFrame{{}, Quat{}, {}, {}};
  put(std::move(joint));
}

std::string Maker::add_middle(size_t i, const Segment& before, size_t number) {
  const Link& link = tree_.links[i];
  // where the link would be if the freedoms behind this one were zero
  const size_t last = before.begin + before.count - 1;
  const Moving& at = placed_[i].between[last];
  Body body = start_body(link, to_scene(at.X_WL));
  body.name = make_name(link.name + "_middle_" + std::to_string(number), bodies_);
  set_mass(*link.inertial, options_.middle_share, at, body);
  // to be seen: a ball where the joint is, by the size of the link
  const Inertial& m = *link.inertial;
  Part ball;
  ball.shape = SphereShape{std::clamp(0.2 * std::sqrt(trace(m.inertia) / m.mass), 1e-5, 1e4)};
  ball.role = PartRole::kVisual;
  ball.position = before.X_LF.p;
  body.shape = CompoundShape{{ball}};
  const std::string name = body.name;
  document_.bodies.push_back(std::move(body));
  return name;
}

void Maker::add_joints(size_t i, const std::vector<Segment>& segments) {
  const Link& link = tree_.links[i];
  std::string before;
  for (size_t k = 0; k < segments.size(); ++k) {
    const Segment& s = segments[k];
    Joint joint;
    joint.type = s.type;
    joint.place = link.dofs[s.begin].place;
    if (k == 0) {
      attach(link, link.X_PL * s.X_LF, joint);
    } else {
      joint.parent.name = before;
      joint.parent_frame = to_frame(s.X_LF);
    }
    joint.child.name = k + 1 < segments.size() ? add_middle(i, s, k + 1) : made_.body[i];
    joint.child_frame = to_frame(s.X_LF);
    for (size_t d = 0; d < s.count; ++d) {
      const Dof& dof = link.dofs[s.begin + d];
      if (!dof.name.empty()) joint.name += (joint.name.empty() ? "" : "+") + dof.name;
      if (dof.kind == DofKind::kBall) {
        for (size_t axis = 3; axis < 6; ++axis) joint.laws[axis] = dof.law;
        joint.swing = dof.swing;
        continue;
      }
      const Segment::Axis& axis = s.axes[d];
      joint.laws[static_cast<size_t>(axis.axis)] = axis.sign < 0 ? reversed(dof.law) : dof.law;
      made_.axes[i][s.begin + d] = {"", axis.axis, axis.sign};
    }
    if (joint.name.empty()) joint.name = link.name + "_joint";
    before = joint.child.name;
    put(std::move(joint));
    for (size_t d = 0; d < s.count; ++d) {
      made_.axes[i][s.begin + d].joint = document_.joints.back().name;
    }
  }
}

}  // namespace

std::string make_name(const std::string& wish, std::set<std::string>& taken) {
  std::string name = wish.empty() ? "unnamed" : wish;
  for (int n = 2; !taken.insert(name).second; ++n) name = wish + "_" + std::to_string(n);
  return name;
}

JointLaw reversed(const JointLaw& law) {
  JointLaw r = law;
  const auto flip = [](std::optional<double>& x) {
    if (x) x = -*x;
  };
  if (r.limits) {
    std::swap(r.limits->min, r.limits->max);
    flip(r.limits->min);
    flip(r.limits->max);
  }
  if (r.spring) r.spring->rest = -r.spring->rest;
  if (r.motor) {
    flip(r.motor->force);
    flip(r.motor->velocity);
    flip(r.motor->position);
  }
  return r;
}

Joint make_gear(const std::string& name, const DofAxis& a, const DofAxis& b, double multiplier) {
  // q_a - multiplier q_b = c with q = sign * coordinate; gears keep first + ratio * second
  Joint gear;
  gear.name = name;
  gear.type = JointType::kGear;
  gear.first.name = a.joint;
  gear.second.name = b.joint;
  gear.first_axis = a.axis;
  gear.second_axis = b.axis;
  gear.ratio = -multiplier * a.sign * b.sign;
  return gear;
}

Result<MadeLinks> add_links(const Tree& tree, const DocumentOptions& options,
                            const std::string& file, Document& document, Report& report) {
  return Maker(tree, options, file, document, report).make();
}

}  // namespace tenon::scene::model
