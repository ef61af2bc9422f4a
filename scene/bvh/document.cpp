// A figure as bodies and joints of a scene document.
#include <algorithm>
#include <cmath>

#include "tenon/scene/bvh/import_bvh.h"
#include "tenon/scene/document/builder.h"

namespace tenon::scene::bvh {
namespace {

// 1/s, of mass times length squared: a limp knee or elbow damps its swing within a second or so,
// and no finger spins about itself for ever.
constexpr double kDamping = 0.3;

// The rotation that takes y, the axis of a capsule, to a unit vector.
Quat y_to(const Vec3& u) {
  if (u.y < -1 + 1e-12) return {0, 1, 0, 0};
  const Vec3 v = cross(Vec3{0, 1, 0}, u);
  return normalized(Quat{1 + u.y, v.x, v.y, v.z});
}

Part make_part(const Segment& s) {
  Part part;
  const double length = norm(s.to - s.from);
  part.position = 0.5 * (s.from + s.to);
  part.orientation = y_to(normalized(s.to - s.from, {0, 1, 0}));
  // caps reach half a radius beyond the bone
  const double straight = std::max(length - s.radius, 0.0);
  if (length > 0) {
    part.shape = CapsuleShape{s.radius, straight};
  } else {
    part.shape = SphereShape{s.radius};
  }
  return part;
}

Color color_of(std::string_view name) {
  switch (find_side(name)) {
    case Side::kLeft:
      return {0.30, 0.55, 0.80};
    case Side::kRight:
      return {0.85, 0.45, 0.30};
    case Side::kNone:
      break;
  }
  return {0.80, 0.76, 0.66};
}

Material make_flesh() {
  Material m;
  m.name = "flesh";
  m.density = 1000;
  m.restitution = 0.1;
  m.static_friction = 0.7;
  m.sliding_friction = 0.6;
  m.look.roughness = 0.8;
  return m;
}

Body make_body(const MotionFile& motion, const FigureBody& body) {
  Body made;
  made.name = motion.nodes[body.node].name;
  CompoundShape shape;
  for (const Segment& s : body.segments) shape.parts.push_back(make_part(s));
  made.shape = std::move(shape);
  made.material = "flesh";
  made.mass = body.mass;
  made.color = color_of(made.name);
  return made;
}

// How far a body reaches from its joint.
double reach_of(const FigureBody& body) {
  double reach = 0;
  for (const Segment& s : body.segments) reach = std::max(reach, norm(s.to) + s.radius);
  return reach;
}

Joint make_joint(const MotionFile& motion, const Figure& figure, const FigureJoint& j) {
  Joint made;
  const FigureBody& child = figure.bodies[j.child];
  made.name = motion.nodes[child.node].name;
  made.type = j.hinge ? JointType::kHinge : JointType::kPoint;
  made.parent.name = motion.nodes[figure.bodies[j.parent].node].name;
  made.child.name = made.name;
  made.parent_frame = JointFrame{j.anchor_P, j.q_BP, {}, {}};
  made.child_frame = JointFrame{{}, j.q_BC, {}, {}};
  JointLaw& law = made.laws[static_cast<size_t>(JointAxis::kRx)];
  if (j.twist_min) law.limits = JointLimits{j.twist_min, j.twist_max};
  const double damping = kDamping * child.mass * reach_of(child) * reach_of(child);
  law.spring = JointSpring{0, damping, 0};
  made.swing = j.hinge ? std::nullopt : j.swing;
  return made;
}

}  // namespace

Document make_document(const MotionFile& motion, const Figure& figure) {
  Document document;
  document.materials.push_back(make_flesh());
  for (const FigureBody& body : figure.bodies) document.bodies.push_back(make_body(motion, body));
  for (const FigureJoint& joint : figure.joints) {
    document.joints.push_back(make_joint(motion, figure, joint));
  }
  return document;
}

}  // namespace tenon::scene::bvh
