// The tree of links that the joints of a URDF file make.
#include <algorithm>
#include <cmath>
#include <map>

#include "tenon/scene/formats/did_you_mean.h"
#include "tenon/scene/urdf/links.h"

namespace tenon::scene::urdf {
namespace {

using model::Dof;
using model::DofKind;
using xml::Element;

struct JointEntry {
  std::string name, parent, child;
  Pose origin;
  std::vector<Dof> dofs;
  Element* element = nullptr;
};

Result<std::string> read_end(Element& joint, const char* tag) {
  Element* e = joint.child(tag);
  if (e == nullptr) {
    return xml::error_at(joint, std::string("<joint> has no <") + tag + ">", joint.text("name"));
  }
  return xml::need_text(*e, "link");
}

Result<Vec3> read_axis(Element& joint) {
  Element* e = joint.child("axis");
  if (e == nullptr) return Vec3{1, 0, 0};  // the default of the format
  const auto axis = xml::vector_or(*e, "xyz", {1, 0, 0});
  if (!axis) return axis.error();
  if (norm(*axis) > 0) return unit_axis(*axis);
  return xml::error_at(*e, *e->find("xyz"), "has no direction", "any vector but zero");
}

Status read_limit(Element& joint, bool bounded, Dof& dof) {
  Element* e = joint.child("limit");
  if (e == nullptr) return Ok{};
  const auto effort = xml::number_or(*e, "effort", 0);
  if (!effort) return effort.error();
  dof.effort = std::fabs(*effort);
  if (!bounded) return Ok{};
  const auto lower = xml::number_or(*e, "lower", 0), upper = xml::number_or(*e, "upper", 0);
  if (!lower) return lower.error();
  if (!upper) return upper.error();
  if (*lower > *upper) {
    return xml::error_at(*e, "the lower limit is above the upper one",
                         e->text("lower") + " > " + e->text("upper"), "lower <= upper");
  }
  dof.law.limits = JointLimits{*lower, *upper};
  // zero, where joints start, may be out of reach
  dof.q = std::clamp(0.0, *lower, *upper);
  return Ok{};
}

Status read_dynamics(Element& joint, Dof& dof) {
  Element* e = joint.child("dynamics");
  if (e == nullptr) return Ok{};
  const auto damping = xml::number_or(*e, "damping", 0),
             friction = xml::number_or(*e, "friction", 0);
  if (!damping) return damping.error();
  if (!friction) return friction.error();
  if (*damping < 0 || *friction < 0) {
    return xml::error_at(*e, "damping and friction are 0 or more",
                         e->text("damping") + ", " + e->text("friction"), "numbers from 0 on");
  }
  if (*damping > 0) dof.law.spring = JointSpring{0, *damping, 0};
  dof.law.friction = *friction;
  return Ok{};
}

// The freedoms of a planar joint: two slides in the plane, one turn about its normal.
std::vector<Dof> planar(const Dof& like, const Vec3& normal) {
  const Mat3 R = to_matrix(model::x_to(normal));
  std::vector<Dof> dofs(3, like);
  dofs[0].kind = dofs[1].kind = DofKind::kSlide;
  dofs[0].axis = R.column(1);
  dofs[1].axis = R.column(2);
  dofs[2].axis = normal;
  dofs[1].name.clear();
  dofs[2].name.clear();
  return dofs;
}

Status read_dofs(Element& e, JointEntry& joint, model::Report& report) {
  const Result<std::string> type = xml::need_text(e, "type");
  if (!type) return type.error();
  if (*type == "fixed") return Ok{};
  Dof dof;
  dof.name = joint.name;
  dof.place = {e.line, 0};
  if (*type == "floating") {
    dof.kind = DofKind::kFree;
    dof.pose = joint.origin;
    joint.dofs = {dof};
    return Ok{};
  }
  const Result<Vec3> axis = read_axis(e);
  if (!axis) return axis.error();
  dof.axis = *axis;
  const bool bounded = *type == "revolute" || *type == "prismatic";
  if (*type == "prismatic") dof.kind = DofKind::kSlide;
  if (!bounded && *type != "continuous" && *type != "planar") {
    return xml::error_at(e, *e.find("type"), "is not known",
                         "revolute, continuous, prismatic, fixed, floating or planar");
  }
  if (bounded && e.child("limit") == nullptr) {
    report.warnings.push_back(xml::error_at(e, "a " + *type + " joint needs a <limit>; it is free",
                                            joint.name, "<limit lower upper effort velocity>"));
  }
  if (Status s = read_limit(e, bounded, dof); !s) return s;
  if (Status s = read_dynamics(e, dof); !s) return s;
  if (*type == "planar") {
    joint.dofs = planar(dof, *axis);
  } else {
    joint.dofs = {dof};
  }
  return Ok{};
}

Status read_mimic(Element& e, const std::string& name, Robot& robot) {
  Element* m = e.child("mimic");
  if (m == nullptr) return Ok{};
  const auto of = xml::need_text(*m, "joint");
  if (!of) return of.error();
  const auto multiplier = xml::number_or(*m, "multiplier", 1),
             offset = xml::number_or(*m, "offset", 0);
  if (!multiplier) return multiplier.error();
  if (!offset) return offset.error();
  robot.mimics.push_back({name, *of, *multiplier, *offset, {m->line, 0}});
  return Ok{};
}

Result<JointEntry> read_joint(Element& e, Robot& robot, model::Report& report) {
  e.used = true;
  JointEntry joint;
  joint.element = &e;
  const auto name = xml::need_text(e, "name");
  if (!name) return name.error();
  joint.name = *name;
  const auto parent = read_end(e, "parent"), child = read_end(e, "child");
  if (!parent) return parent.error();
  if (!child) return child.error();
  joint.parent = *parent;
  joint.child = *child;
  const Result<Pose> origin = read_origin(e);
  if (!origin) return origin.error();
  joint.origin = *origin;
  if (Status s = read_dofs(e, joint, report); !s) return s.error();
  if (Status s = read_mimic(e, joint.name, robot); !s) return s.error();
  return joint;
}

class TreeMaker {
 public:
  TreeMaker(std::vector<model::Link> links, std::vector<JointEntry> joints, Element& root)
      : links_(std::move(links)), joints_(std::move(joints)), root_(root) {}

  Result<model::Tree> make() {
    for (size_t i = 0; i < links_.size(); ++i) {
      if (!index_.emplace(links_[i].name, i).second) {
        return at_line(links_[i].place.line, "two links have the same name", links_[i].name);
      }
    }
    if (Status s = connect(); !s) return s.error();
    std::vector<size_t> roots;
    for (size_t i = 0; i < links_.size(); ++i) {
      if (parent_[i] < 0) roots.push_back(i);
    }
    if (roots.size() > 1) {
      return at_line(links_[roots[1]].place.line, "two links have no parent",
                     links_[roots[0]].name + ", " + links_[roots[1]].name, "one root");
    }
    model::Tree tree;
    if (roots.size() == 1) add(roots[0], tree);
    if (tree.links.empty() || tree.links.size() < links_.size()) return circle();
    return tree;
  }

 private:
  Error at_line(int line, std::string message, std::string value, std::string accepted = "") const {
    Error e = xml::error_at(root_, std::move(message), std::move(value), std::move(accepted));
    e.line = line;
    return e;
  }
  Status find(const JointEntry& j, const std::string& link, size_t& out) const {
    const auto found = index_.find(link);
    if (found != index_.end()) {
      out = found->second;
      return Ok{};
    }
    std::vector<std::string> names;
    for (const model::Link& l : links_) names.push_back(l.name);
    return xml::error_at(
        *j.element,
        "joint '" + j.name + "' names a link that is not there" + did_you_mean(link, names), link,
        "the name of a <link>");
  }
  Status connect() {
    parent_.assign(links_.size(), -1);
    joint_.assign(links_.size(), nullptr);
    for (const JointEntry& j : joints_) {
      size_t parent = 0, child = 0;
      if (Status s = find(j, j.parent, parent); !s) return s;
      if (Status s = find(j, j.child, child); !s) return s;
      if (parent_[child] >= 0) {
        return xml::error_at(*j.element, "link '" + j.child + "' has two parents",
                             links_[static_cast<size_t>(parent_[child])].name + ", " + j.parent,
                             "one: a URDF is a tree; for loops use MJCF's <connect>");
      }
      parent_[child] = static_cast<int>(parent);
      joint_[child] = &j;
    }
    return Ok{};
  }
  // Breadth first, as the file lists the joints; parents before children.
  void add(size_t root, model::Tree& tree) {
    std::vector<std::vector<size_t>> children(links_.size());
    for (const JointEntry& j : joints_) children[index_.at(j.parent)].push_back(index_.at(j.child));
    std::vector<std::pair<size_t, int>> open{{root, -1}};
    for (size_t next = 0; next < open.size(); ++next) {
      const auto [link, parent] = open[next];
      const int made = static_cast<int>(tree.links.size());
      model::Link l = std::move(links_[link]);
      l.parent = parent;
      if (const JointEntry* j = joint_[link]; j != nullptr) {
        l.X_PL = j->origin;
        l.dofs = j->dofs;
        l.fixed_name = j->name;
      }
      tree.links.push_back(std::move(l));
      for (const size_t child : children[link]) open.emplace_back(child, made);
    }
  }
  // Up from every link: who is met again on the same way is on a circle.
  Error circle() const {
    std::vector<size_t> way_of(links_.size(), links_.size());
    for (size_t i = 0; i < links_.size(); ++i) {
      size_t at = i;
      while (way_of[at] == links_.size() && parent_[at] >= 0) {
        way_of[at] = i;
        at = static_cast<size_t>(parent_[at]);
      }
      if (way_of[at] == i) return name_circle(at);
    }
    return at_line(root_.line, "the robot has no link", "", "<link name=\"...\">");
  }

  Error name_circle(size_t on_it) const {
    size_t first = on_it;
    for (size_t at = up(on_it); at != on_it; at = up(at)) first = std::min(first, at);
    std::string way = links_[first].name;
    size_t at = up(first);
    for (; at != first && way.size() < 200; at = up(at)) way += " <- " + links_[at].name;
    way += " <- " + links_[at].name;
    return at_line(links_[first].place.line, "links go round in a circle", way.substr(0, 200),
                   "a tree; for loops use MJCF's <connect>");
  }
  size_t up(size_t link) const { return static_cast<size_t>(parent_[link]); }

  std::vector<model::Link> links_;
  std::vector<JointEntry> joints_;
  Element& root_;
  std::map<std::string, size_t> index_;
  std::vector<int> parent_;
  std::vector<const JointEntry*> joint_;
};

// A mistake in a link or joint together with its name.
Error named(Error error, const Element& e) {
  for (const xml::Attribute& a : e.attributes) {
    if (a.name != "name" || a.value.empty()) continue;
    const std::string name = "'" + a.value + "'";
    if (error.message.find(name) == std::string::npos && error.value != a.value)
      error.message = e.tag + " " + name + ": " + error.message;
  }
  return error;
}

// The warnings from `first` on.
void name_warnings(const Element& e, size_t first, model::Report& report) {
  for (size_t i = first; i < report.warnings.size(); ++i)
    report.warnings[i] = named(std::move(report.warnings[i]), e);
}

Status check_root(Element& root) {
  root.used = true;
  if (root.tag != "robot") {
    return xml::error_at(root, "this is no URDF", "<" + root.tag + ">", "<robot name=\"...\">");
  }
  for (const Element& e : root.children) {
    if (!e.tag.starts_with("xacro:")) continue;
    return xml::error_at(e, "this is a file of macros, not a robot", "<" + e.tag + ">",
                         "what xacro makes of it: xacro robot.urdf.xacro > robot.urdf");
  }
  return Ok{};
}

}  // namespace

Vec3 unit_axis(const Vec3& axis) {
  const double length = norm(axis);
  return length == 1 || !(length > 0) ? axis : axis / length;
}

Result<Robot> read_robot(Element& root, const model::Files& files, model::Report& report) {
  if (Status s = check_root(root); !s) return s.error();
  Robot robot;
  robot.name = root.text("name");
  Coloring coloring;
  for (Element& e : root.children) {
    if (e.tag != "material") continue;
    if (const auto read = read_material(e, files, coloring, report); !read) return read.error();
  }
  std::vector<model::Link> links;
  std::vector<JointEntry> joints;
  std::map<std::string, int> names;
  for (Element& e : root.children) {
    const size_t warned = report.warnings.size();
    if (e.tag == "link") {
      auto link = read_link(e, files, coloring, report);
      if (!link) return named(link.error(), e);
      name_warnings(e, warned, report);
      links.push_back(std::move(*link));
    } else if (e.tag == "joint") {
      auto joint = read_joint(e, robot, report);
      if (!joint) return named(joint.error(), e);
      name_warnings(e, warned, report);
      if (!names.emplace(joint->name, e.line).second) {
        return xml::error_at(e, "two joints have the same name", joint->name);
      }
      joints.push_back(std::move(*joint));
    }
  }
  auto tree = TreeMaker(std::move(links), std::move(joints), root).make();
  if (!tree) return tree.error();
  robot.tree = std::move(*tree);
  return robot;
}

}  // namespace tenon::scene::urdf
