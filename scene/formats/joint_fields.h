// The joints of the format, field by field; see fields.h for what a visitor has.
#pragma once

#include "tenon/scene/document/joint.h"
#include "tenon/scene/formats/named.h"
#include "tenon/scene/formats/spec.h"

namespace tenon::scene {

TENON_NAMED(Joint, "joint", "What ties a body to another or to the world")
TENON_NAMED(JointFrame, "joint_frame", "A joint frame in the frame of its body")
TENON_NAMED(JointMotor, "motor", "Drives a freedom: one of force, velocity, position")
TENON_NAMED(JointSpring, "spring", "Pulls a freedom towards its rest")
TENON_NAMED(SpiralCamBox, "spiral_cam", "A pin in the spiral slot of a disc about x")
TENON_NAMED(ShoulderBox, "shoulder", "A ball joint whose x stays in an elliptic cone")
TENON_NAMED(EllipsoidMagnetBox, "ellipsoid_magnet", "Slides on an ellipsoid, x along the normal")
TENON_NAMED(TorusMagnetBox, "torus_magnet", "Slides on a torus about x, its x along the normal")
TENON_WORDS(CamGuide, "pin", "in_plane")
TENON_WORDS(JointType, "point", "hinge", "twist", "rigid", "slider", "slider2", "slider3",
            "planar_twist", "cylindrical", "universal", "ball_in_tube", "point_on_plane",
            "distance", "screw", "gear", "six_axis", "black_box")
TENON_WORDS(JointAxis, "x", "y", "z", "rx", "ry", "rz")
inline const char* word(JointAxis axis) {
  return Words<JointAxis>::list[static_cast<size_t>(axis)];
}

template <class V, Is<JointFrame> T>
void describe(V& v, T& f) {
  v.field("position", f.position, spec::length(), "origin in the body frame");
  v.field("orientation", f.orientation, spec::plain(), "orientation in the body frame");
  v.field("axis", f.axis, spec::direction(), "instead: direction of x in the body frame");
  v.field("axis2", f.axis2, spec::direction(), "direction of y; made orthogonal to x");
}
template <class V, Is<JointMotor> T>
void describe(V& v, T& m) {
  v.field("force", m.force, spec::along_axis(kForceDimension), "constant force or torque");
  v.field("velocity", m.velocity, spec::along_axis(kVelocity, 1e6), "speed it keeps");
  v.field("position", m.position, spec::along_axis(kLength, 1e6), "length or angle it goes to");
  v.field("max", m.max, spec::along_axis(kForceDimension, 1e15).above(0),
          "largest force or torque; else any");
  v.field("frequency", m.frequency, spec::quantity(kRate, 1e6).above(0),
          "of position: how briskly it goes there");
  v.field("damping_ratio", m.damping_ratio, spec::number().from(0).up_to(1e3),
          "of position: 1 does not overshoot");
}
template <class V, Is<JointSpring> T>
void describe(V& v, T& s) {
  v.field("stiffness", s.stiffness, spec::along_axis(kStiffness, 1e15).from(0),
          "force or torque per displacement");
  v.field("damping", s.damping, spec::along_axis(kDamping, 1e15).from(0),
          "force or torque per speed");
  v.field("rest", s.rest, spec::along_axis(kLength, 1e6), "where it does not pull");
}

template <class V, Is<SpiralCamBox> T>
void describe(V& v, T& c) {
  v.field("start_radius", c.start_radius, spec::quantity(kLength, 1e6).from(1e-6),
          "radius where the slot begins, at y");
  v.field("pitch", c.pitch, spec::quantity(kLength, 1e6).with(&Spec::is_pitch, true),
          "growth of the radius per turn, from y towards z");
  v.field("turns", c.turns, spec::number().above(0).up_to(100), "length of the slot in turns");
  v.field("guide", c.guide, spec::plain(),
          "pin: it stays upright in the slot; in_plane: the slot guides within its plane only");
}
template <class V, Is<ShoulderBox> T>
void describe(V& v, T& s) {
  const Spec angle = spec::quantity(kAngle).from(0.0011).up_to(3.14);
  v.field("about_y", s.about_y, angle, "largest swing about y");
  v.field("about_z", s.about_z, angle, "largest swing about z");
}
template <class V, Is<EllipsoidMagnetBox> T>
void describe(V& v, T& m) {
  v.field("size", m.size, spec::quantity(kLength, 1e6).from(1e-6), "full axes along x, y, z");
}
template <class V, Is<TorusMagnetBox> T>
void describe(V& v, T& m) {
  const Spec radius = spec::quantity(kLength, 1e6).from(1e-6);
  v.field("ring_radius", m.ring_radius, radius, "of the ring's middle line");
  v.field("tube_radius", m.tube_radius, radius, "of the tube; smaller than the ring's");
}

template <class V, Is<Joint> T>
void describe_placement(V& v, T& j) {
  v.field("at", j.at, spec::length(),
          "where it is, for the initial poses; else at the child's origin");
  v.field("to", j.to, spec::length(), "the child's point where that is another one");
  v.field("axis", j.axis, spec::direction(),
          "direction of x: axis of a hinge, direction of a slider, normal of a plane");
  v.field("axis2", j.axis2, spec::direction(),
          "direction of y; of a universal joint, the child's axis");
  v.field("parent_frame", j.parent_frame, spec::plain(), "instead: the frame on the parent");
  v.field("child_frame", j.child_frame, spec::plain(), "instead: the frame on the child");
}

// What a type has besides its place; a rule says it, too.
template <class V, Is<Joint> T>
void describe_options(V& v, T& j) {
  v.field("locked", j.locked, spec::names(), "axes that a six_axis joint holds");
  v.per_axis("limits", j, &JointLaw::limits, spec::along_axis(kLength, 1e6),
             "[min, max]; null: no limit");
  v.per_axis("restitution", j, &JointLaw::restitution, spec::share().with(&Spec::is_for_all, true),
             "bounce at the limits, 0 to 1");
  v.per_axis("friction", j, &JointLaw::friction,
             spec::along_axis(kForceDimension, 1e15).from(0).with(&Spec::is_for_all, true),
             "dry friction: largest force or torque");
  v.per_axis("spring", j, &JointLaw::spring, spec::plain().with(&Spec::is_for_all, true),
             "spring and damper");
  v.per_axis("motor", j, &JointLaw::motor, spec::plain(), "motor");
  v.field("swing", j.swing, spec::quantity(kAngle).from(0.0011).up_to(3.14),
          "largest angle between the two x axes");
  v.field("length", j.length, spec::quantity(kLength, 1e6).from(1e-6),
          "of a distance joint; else as it starts");
  v.field("pitch", j.pitch, spec::quantity(kLength, 1e6).with(&Spec::is_pitch, true),
          "way of a screw per turn");
}

// The type comes first: it says which axes are free.
template <class V, Is<Joint> T>
void describe(V& v, T& j) {
  v.field("name", j.name, spec::plain().required(), "unique name");
  v.field("type", j.type, spec::plain().required(), "what it lets free");
  v.field("parent", j.parent, spec::plain(), "body, or 'world'");
  v.field("child", j.child, spec::plain(), "body");
  describe_placement(v, j);
  describe_options(v, j);
  v.field("first", j.first, spec::plain(), "one joint of a gear");
  v.field("second", j.second, spec::plain(), "the other joint of a gear");
  v.field("first_axis", j.first_axis, spec::plain(),
          "freedom of the first; needless if it is the only one");
  v.field("second_axis", j.second_axis, spec::plain(), "freedom of the second");
  v.field("ratio", j.ratio, spec::quantity(kNumber, 1e9).with(&Spec::is_ratio, true),
          "of a gear: first + ratio * second stays as it starts");
  v.field("black_box", j.black_box, spec::plain(), "the rule of a black_box joint");
  v.field("break_force", j.break_force, spec::quantity(kForceDimension, 1e15).above(0),
          "it breaks under more; else never");
  v.field("break_torque", j.break_torque, spec::quantity(kTorque, 1e15).above(0),
          "it breaks under more; else never");
  v.field("break_time", j.break_time, spec::quantity(kTime).above(0).up_to(1e6),
          "the load is averaged over this time");
  v.field("enabled", j.enabled, spec::plain(), "false: it does nothing yet");
  v.field("bodies_collide", j.bodies_collide, spec::plain(), "may its two bodies touch?");
}

}  // namespace tenon::scene
