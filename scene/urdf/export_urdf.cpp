#include "tenon/scene/urdf/export_urdf.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "tenon/scene/build/body_parts.h"
#include "tenon/scene/build/joint_parts.h"
#include "tenon/scene/formats/number_text.h"
#include "tenon/scene/mesh/mesh_library.h"
#include "tenon/scene/model/angles.h"
#include "tenon/scene/model/import.h"
#include "tenon/scene/model/tree.h"
#include "tenon/scene/urdf/import_urdf.h"
#include "tenon/scene/urdf/numbers.h"
#include "tenon/scene/xml/element.h"

namespace tenon::scene::urdf {
namespace {

const Quat kYToZ = normalized(Quat{1, 1, 0, 0});
constexpr double kFarthest = 1e6;  // m: a slider must have limits, and scenes take none beyond
constexpr double kNoBound = 1e9;   // effort and velocity that a file must give and a scene has not

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + xml::escaped(value) + "\"";
}

class Writer {
 public:
  Writer(const Document& flat, const FileReader& read)
      : flat_(flat), meshes_({.read = read, .use = MeshUse::kPicture}) {}

  Result<UrdfText> write();

 private:
  struct Entry {
    const Body* body = nullptr;
    const Joint* joint = nullptr;  // to its parent
    JointFrames frames;
    Vec3 shift;  // origin of the link in the body frame
  };
  void warn(const Place& place, std::string message, std::string value) {
    out_.warnings.push_back(
        model::error_at(flat_.source.name, place, std::move(message), std::move(value)));
  }
  bool closes_circle(size_t child, std::string parent) const;
  void find_entries();
  bool is_free_of(const Entry& e) const { return e.joint == nullptr; }
  Result<std::optional<MassProperties>> find_mass(const Body& body);
  Status add_link(const Entry& e);
  void add_part(const Part& part, const Vec3& shift, const char* tag);
  void add_joint(const Entry& e);
  void add_laws(const Joint& joint, JointAxis axis);
  void add_mimics();
  double coordinate(const Entry& e) const;
  std::string origin(const Vec3& p, const FoundText& rpy) {
    out_.inexact += rpy.exact ? 0 : 1;
    if (p == Vec3{} && rpy.text == "0 0 0") return {};
    return "<origin" + attribute("xyz", triple(p)) + attribute("rpy", rpy.text) + "/>";
  }

  const Document& flat_;
  MeshLibrary meshes_;
  UrdfText out_;
  std::vector<Entry> entries_;
  std::map<std::string, size_t> index_;
  std::map<std::string, std::string> mimics_;  // by joint
  bool needs_world_ = false;
};

JointEnd end_of(const Body& body) { return {{}, {body.position, body.orientation}}; }

// Whether the child is the parent, or one of those that it hangs on.
bool Writer::closes_circle(size_t child, std::string parent) const {
  while (true) {
    const auto at = index_.find(parent);
    if (at == index_.end()) return false;
    if (at->second == child) return true;
    const Joint* up = entries_[at->second].joint;
    if (up == nullptr) return false;
    parent = up->parent.name;
  }
}

void Writer::find_entries() {
  for (const Body& body : flat_.bodies) {
    if (std::holds_alternative<PlaneShape>(body.shape) || body.motion == Motion::kKinematic) {
      warn(body.place, "a robot has no planes and no bodies that others move; left out", body.name);
      continue;
    }
    index_[body.name] = entries_.size();
    entries_.push_back({&body, nullptr, {}, {}});
  }
  for (const Joint& joint : flat_.joints) {
    if (joint.type == JointType::kGear) continue;
    const auto child = index_.find(joint.child.name), parent = index_.find(joint.parent.name);
    const bool world = joint.parent.name == kWorldName;
    if (child == index_.end() || (!world && parent == index_.end())) {
      warn(joint.place, "a joint of a body that is left out is left out", joint.name);
      continue;
    }
    if (closes_circle(child->second, joint.parent.name)) {
      warn(joint.place, "a robot is a tree: a joint that closes a circle is left out", joint.name);
      continue;
    }
    Entry& e = entries_[child->second];
    if (e.joint != nullptr) {
      warn(joint.place, "a robot is a tree: a second joint of a body is left out", joint.name);
      continue;
    }
    e.joint = &joint;
    e.frames = calc_frames(joint, world ? JointEnd{} : end_of(*entries_[parent->second].body),
                           end_of(*e.body));
    e.shift = e.frames.X_BC.p;
  }
}

std::string shape_text(const PartShape& shape, bool& along_y) {
  const auto size = [](const char* name, double value) {
    return attribute(name, format_number(value));
  };
  along_y = false;
  if (const auto* s = std::get_if<SphereShape>(&shape)) {
    return "<sphere" + size("radius", s->radius) + "/>";
  }
  if (const auto* b = std::get_if<BoxShape>(&shape)) {
    return "<box" + attribute("size", triple(b->size)) + "/>";
  }
  if (const auto* m = std::get_if<MeshShape>(&shape); m != nullptr && !m->file.empty()) {
    const Vec3 all = metres(m->units) * m->scale;
    const std::string scale = all == Vec3{1, 1, 1} ? "" : attribute("scale", triple(all));
    return "<mesh" + attribute("filename", m->file) + scale + "/>";
  }
  along_y = true;
  if (const auto* c = std::get_if<CylinderShape>(&shape)) {
    return "<cylinder" + size("radius", c->radius) + size("length", c->height) + "/>";
  }
  if (const auto* c = std::get_if<CapsuleShape>(&shape)) {
    return "<capsule" + size("radius", c->radius) + size("length", c->length) + "/>";
  }
  return {};
}

// URDF takes the axes of a mesh file as they are: how the file lies in the part.
Quat turn_of_file(const PartShape& shape) {
  const auto* m = std::get_if<MeshShape>(&shape);
  if (m == nullptr || m->up == UpAxis::kY) return {};
  return normalized(to_quat(Mat3::from_columns(upright(m->up, {1, 0, 0}), upright(m->up, {0, 1, 0}),
                                               upright(m->up, {0, 0, 1}))));
}

// A hull as a box for others, about the origin of the part and as large as the hull reaches, and
// exactly for us.
std::string hull_text(const HullShape& hull, std::string& exact) {
  Vec3 reach;
  exact = "<hull points=\"";
  for (const Vec3& p : hull.points) {
    reach = cwise_max(reach, cwise_abs(p));
    exact += (p == hull.points.front() ? "" : "  ") + triple(p);
  }
  exact += "\"/>";
  return "<box" + attribute("size", triple(2 * reach)) + "/>";
}

void Writer::add_part(const Part& part, const Vec3& shift, const char* tag) {
  bool along_y = false;
  std::string shape = shape_text(part.shape, along_y), exact;
  if (const auto* hull = std::get_if<HullShape>(&part.shape)) {
    along_y = false;
    shape = hull_text(*hull, exact);
    warn(part.place, "URDF has no hulls: others see a box, Tenon reads the hull again", tag);
  }
  if (shape.empty()) {
    const bool mesh = std::holds_alternative<MeshShape>(part.shape);
    warn(part.place,
         mesh ? "URDF has no meshes but files; left out"
              : "a shape that URDF does not know is left out",
         tag);
    return;
  }
  const bool once = tag[0] == 'c' || part.role == PartRole::kVisual;
  if (const auto* m = std::get_if<MeshShape>(&part.shape);
      once && m != nullptr && (m->origin != MeshOrigin::kFile || !m->repair.empty())) {
    warn(part.place, "URDF does not centre or mend meshes: the file is used as it is", m->file);
  }
  const auto read = [&](const Vec3& rpy) {
    return along_y ? normalized(model::from_rpy(rpy) * kYToZ) : model::from_rpy(rpy);
  };
  const Quat turn = turn_of_file(part.shape);
  const Quat in_part = turn == Quat{} ? part.orientation : normalized(part.orientation * turn);
  const Quat R = along_y ? in_part * conjugate(kYToZ) : in_part;
  const FoundText rpy = find_rpy(R, read, in_part);
  std::string& t = out_.text;
  t += std::string("    <") + tag + ">\n";
  const std::string at = origin(part.position - shift, rpy);
  if (!at.empty()) t += "      " + at + "\n";
  t += "      <geometry>" + shape + "</geometry>\n";
  if (!exact.empty()) t += "      " + exact + "\n";
  if (part.color && tag[0] == 'v') {
    const Color& c = *part.color;
    t += "      <material name=\"\"><color" + attribute("rgba", triple({c.r, c.g, c.b}) + " 1") +
         "/></material>\n";
  }
  t += std::string("    </") + tag + ">\n";
}

// As it is said, or of the shapes as a run has it. A link that moves is never written without.
Result<std::optional<MassProperties>> Writer::find_mass(const Body& body) {
  if (body.motion != Motion::kDynamic) return std::optional<MassProperties>();
  if (body.mass && body.inertia && body.center_of_mass)
    return std::optional(MassProperties{*body.mass, *body.center_of_mass, *body.inertia});
  const Result<std::vector<BodyPart>> parts = make_parts(flat_, body, meshes_);
  const Result<MassProperties> mass =
      parts ? calc_body_mass(body, *parts) : Result<MassProperties>(parts.error());
  if (mass) return std::optional(*mass);
  Error error = model::error_at(
      flat_.source.name, body.place,
      "how the mass of body '" + body.name +
          "' is distributed cannot be found: " + mass.error().message,
      mass.error().value,
      "a shape of which it can, or \"mass\", \"center_of_mass\" and \"inertia\" of the body");
  return error;
}

Status Writer::add_link(const Entry& e) {
  const Body& body = *e.body;
  std::string& t = out_.text;
  t += "  <link" + attribute("name", body.name) + ">\n";
  const Result<std::optional<MassProperties>> found = find_mass(body);
  if (!found) return found.error();
  if (const std::optional<MassProperties>& mass = *found) {
    const Mat3& I = mass->inertia;
    t += "    <inertial>\n      <origin" + attribute("xyz", triple(mass->com - e.shift)) +
         "/>\n      <mass" + attribute("value", format_number(mass->mass)) + "/>\n      <inertia";
    const std::pair<const char*, double> entries[] = {{"ixx", I.r0.x}, {"ixy", I.r0.y},
                                                      {"ixz", I.r0.z}, {"iyy", I.r1.y},
                                                      {"iyz", I.r1.z}, {"izz", I.r2.z}};
    for (const auto& [name, value] : entries) t += attribute(name, format_number(value));
    t += "/>\n    </inertial>\n";
  }
  std::vector<Part> parts;
  if (const auto* compound = std::get_if<CompoundShape>(&body.shape)) {
    parts = compound->parts;
  } else {
    std::visit(
        [&](const auto& shape) {
          if constexpr (std::is_constructible_v<PartShape, decltype(shape)>) {
            Part part;
            part.shape = shape;
            part.color = body.color;
            parts.push_back(part);
          }
        },
        body.shape);
  }
  for (const Part& part : parts) {
    if (part.role != PartRole::kContact) add_part(part, e.shift, "visual");
  }
  for (const Part& part : parts) {
    if (part.role != PartRole::kVisual) add_part(part, e.shift, "collision");
  }
  t += "  </link>\n";
  return Ok{};
}

// Where the child's frame is along the joint as the scene starts.
double Writer::coordinate(const Entry& e) const {
  const auto parent = index_.find(e.joint->parent.name);
  const Pose X_WP = parent == index_.end() ? Pose{} : end_of(*entries_[parent->second].body).X_WB;
  const Pose X = inverse(X_WP * e.frames.X_BP) * (end_of(*e.body).X_WB * e.frames.X_BC);
  return e.joint->type == JointType::kSlider ? X.p.x : 2 * atan2(X.q.x, X.q.w);
}

void Writer::add_laws(const Joint& joint, JointAxis axis) {
  const JointLaw& law = joint.laws[static_cast<size_t>(axis)];
  std::string& t = out_.text;
  const bool slider = joint.type == JointType::kSlider;
  const double effort = law.motor && law.motor->max ? *law.motor->max : kNoBound;
  if (law.limits || slider) {
    const double far = slider ? kFarthest : kNoBound;
    const double min = law.limits ? law.limits->min.value_or(-far) : -far;
    const double max = law.limits ? law.limits->max.value_or(far) : far;
    t += "    <limit" + attribute("lower", format_number(min)) +
         attribute("upper", format_number(max)) + attribute("effort", format_number(effort)) +
         attribute("velocity", format_number(kNoBound)) + "/>\n";
  }
  const double damping = law.spring ? law.spring->damping : 0;
  if (damping > 0 || law.friction > 0) {
    t += "    <dynamics" + attribute("damping", format_number(damping)) +
         attribute("friction", format_number(law.friction)) + "/>\n";
  }
  if (law.spring && law.spring->stiffness > 0) {
    warn(joint.place, "URDF has no springs; left out", joint.name);
  }
  if (law.motor) warn(joint.place, "URDF has no motors; its bound is the effort", joint.name);
}

void Writer::add_joint(const Entry& e) {
  const Joint* joint = e.joint;
  if (joint == nullptr) return;
  std::string type;
  JointAxis axis = JointAxis::kRx;
  switch (joint->type) {
    case JointType::kRigid:
      type = "fixed";
      break;
    case JointType::kHinge:
    case JointType::kTwist:
      type = joint->laws[3].limits ? "revolute" : "continuous";
      break;
    case JointType::kSlider:
      type = "prismatic";
      axis = JointAxis::kX;
      break;
    case JointType::kPlanarTwist:
      type = "planar";
      break;
    default:
      warn(joint->place, "URDF has no joint of this type; it is written as floating", joint->name);
      type = "floating";
  }
  // the base that an import holds by itself
  const bool world = joint->parent.name == kWorldName;
  const Quat q_BC = e.frames.X_BC.q;
  const Vec3 parent_shift = world ? Vec3{} : entries_[index_.at(joint->parent.name)].shift;
  std::string& t = out_.text;
  t += "  <joint" + attribute("name", joint->name) + attribute("type", type) + ">\n";
  const auto read = [&](const Vec3& rpy) {
    const Pose X_PL{{}, model::from_rpy(rpy)};
    const Quat q = type == "fixed" ? X_PL.q : X_PL.q * q_BC;
    return world ? model::to_scene(Pose{{}, q}).q : normalized(q);
  };
  const Vec3 p = world ? model::from_scene(e.frames.X_BP.p) : e.frames.X_BP.p;
  Quat R = e.frames.X_BP.q * conjugate(q_BC);
  if (world) R = conjugate(model::kUpFromZ) * R;
  const std::string at = origin(p - parent_shift, find_rpy(normalized(R), read, e.frames.X_BP.q));
  if (!at.empty()) t += "    " + at + "\n";
  t += "    <parent" + attribute("link", joint->parent.name) + "/>\n    <child" +
       attribute("link", joint->child.name) + "/>\n";
  if (type != "fixed" && type != "floating") {
    const auto read_axis = [](const Vec3& v) { return model::x_to(unit_axis(v)); };
    const FoundText found = find_direction(rotate(q_BC, Vec3{1, 0, 0}), read_axis, q_BC);
    out_.inexact += found.exact ? 0 : 1;
    t += "    <axis" + attribute("xyz", found.text) + "/>\n";
    if (type != "planar") add_laws(*joint, axis);
  }
  if (const auto mimic = mimics_.find(joint->name); mimic != mimics_.end()) t += mimic->second;
  t += "  </joint>\n";
}

void Writer::add_mimics() {
  for (const Joint& gear : flat_.joints) {
    if (gear.type != JointType::kGear) continue;
    const Entry *first = nullptr, *second = nullptr;
    for (const Entry& e : entries_) {
      if (e.joint == nullptr || !only_axis(*e.joint)) continue;
      if (e.joint->name == gear.first.name) first = &e;
      if (e.joint->name == gear.second.name) second = &e;
    }
    if (first == nullptr || second == nullptr) {
      warn(gear.place, "a gear between joints that URDF does not have is left out", gear.name);
      continue;
    }
    const double offset = coordinate(*first) + gear.ratio * coordinate(*second);
    mimics_[gear.first.name] =
        "    <mimic" + attribute("joint", gear.second.name) +
        attribute("multiplier", format_number(-gear.ratio)) +
        attribute("offset", format_number(std::round(offset * 1e12) / 1e12 + 0.0)) + "/>\n";
  }
}

// A root that an import with a fixed base makes again by itself.
bool is_plain_base(const Joint& joint, const JointFrames& frames) {
  return joint.type == JointType::kRigid && joint.parent.name == kWorldName &&
         joint.name == joint.child.name + "_to_world" && frames.X_BP == model::to_scene(Pose{}) &&
         frames.X_BC == Pose{};
}

Result<UrdfText> Writer::write() {
  find_entries();
  if (entries_.empty()) {
    return Error{.message = "there is no body that a robot could be made of",
                 .file = flat_.source.name,
                 .accepted = "dynamic or static bodies but planes"};
  }
  add_mimics();
  size_t roots = 0;
  for (Entry& e : entries_) {
    if (e.joint != nullptr && is_plain_base(*e.joint, e.frames)) e.joint = nullptr;
    needs_world_ |= e.joint != nullptr && e.joint->parent.name == kWorldName;
    roots += e.joint == nullptr ? 1 : 0;
  }
  needs_world_ |= roots > 1;
  std::string& t = out_.text;
  t = "<?xml version=\"1.0\"?>\n<robot" + attribute("name", flat_.title) + ">\n";
  if (needs_world_) t += "  <link name=\"world\"/>\n";
  for (const Entry& e : entries_) {
    if (Status s = add_link(e); !s) return s.error();
  }
  for (const Entry& e : entries_) {
    if (e.joint != nullptr || !needs_world_) {
      add_joint(e);
      continue;
    }
    // roots beside one another hang on the world
    const bool still = e.body->motion == Motion::kStatic;
    const Quat R = normalized(conjugate(model::kUpFromZ) * e.body->orientation);
    t += "  <joint" + attribute("name", e.body->name + "_to_world") +
         attribute("type", still ? "fixed" : "floating") + ">\n    " +
         origin(model::from_scene(e.body->position),
                find_rpy(
                    R, [](const Vec3& rpy) { return model::from_rpy(rpy); }, R)) +
         "\n    <parent link=\"world\"/>\n    <child" + attribute("link", e.body->name) +
         "/>\n  </joint>\n";
  }
  t += "</robot>\n";
  for (const Connection& c : flat_.connections) {
    warn(c.place, "URDF has no springs and ropes; left out", c.name);
  }
  for (const Force& f : flat_.forces) warn(f.place, "URDF has no forces; left out", f.name);
  return std::move(out_);
}

}  // namespace

Result<UrdfText> export_urdf(const Document& flat, const FileReader& read) {
  return Writer(flat, read).write();
}

}  // namespace tenon::scene::urdf
