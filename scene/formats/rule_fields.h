// The rules of the format, field by field; see fields.h for what a visitor has.
#pragma once

#include "tenon/scene/document/rule.h"
#include "tenon/scene/formats/joint_fields.h"

namespace tenon::scene {

TENON_NAMED(Rule, "rule", "Makes and releases joints between anchors while the scene runs")
TENON_NAMED(RuleAnchor, "rule_anchor", "A frame where a rule may attach a joint")
TENON_NAMED(RuleZone, "zone", "The half-space where a rule's joints may be")
TENON_NAMED(Anchor, "anchor", "An anchor of a rule that stands elsewhere")
TENON_WORDS(AnchorSide, "parent", "child")

template <class V, Is<RuleAnchor> T>
void describe(V& v, T& a) {
  v.field("body", a.body, spec::plain().required(), "body; parents: or 'world'");
  describe(v, a.frame);
}
template <class V, Is<Anchor> T>
void describe(V& v, T& a) {
  v.field("rule", a.rule, spec::plain().required(), "name of the rule");
  v.field("side", a.side, spec::plain(), "parent or child of the rule's joints");
  describe(v, a.anchor);
}
template <class V, Is<RuleZone> T>
void describe(V& v, T& z) {
  v.field("body", z.body, spec::plain(), "in whose frame it is; else the world's");
  v.field("point", z.point, spec::length(), "a point of its boundary");
  v.field("normal", z.normal, spec::direction(), "points into it, any length");
}

// The type comes first: it says which axes are free.
template <class V, Is<Rule> T>
void describe(V& v, T& r) {
  const Spec distance = spec::quantity(kLength, 1e6).above(0);
  const Spec time = spec::quantity(kTime).above(0).up_to(1e9);
  v.field("name", r.name, spec::plain().required(), "unique name");
  v.field("type", r.joint.type, spec::plain().required(), "type of the joints");
  v.field("parents", r.parents, spec::plain(), "anchors that joints start from");
  v.field("children", r.children, spec::plain(), "anchors that joints go to");
  v.field("attach_distance", r.attach_distance, distance.from(1e-9).required(),
          "anchors that are this near each other are joined");
  v.field("snap", r.snap, spec::plain(),
          "true: the anchors are pulled together; false: joined as they meet");
  v.field("at_closest", r.at_closest, spec::plain(),
          "true: joined where the anchors come no nearer; false: as soon as they are near");
  v.field("one_per_parent", r.one_per_parent, spec::plain(), "a parent anchor bears one joint");
  v.field("one_per_child", r.one_per_child, spec::plain(), "a child anchor bears one joint");
  v.field("zone", r.zone, spec::plain(),
          "joints are made where the child's anchor is inside, and released outside");
  v.field("max_distance", r.max_distance, distance, "of the anchors; released beyond");
  v.field("max_force", r.max_force, spec::quantity(kForceDimension, 1e15).above(0),
          "released under more");
  v.field("max_torque", r.max_torque, spec::quantity(kTorque, 1e15).above(0),
          "released under more");
  v.field("load_time", r.load_time, spec::quantity(kTime).above(0).up_to(1e6),
          "the load is averaged over this time");
  v.field("max_time", r.max_time, time, "released after");
  v.field("release_neighbours", r.release_neighbours, spec::plain(),
          "releases also from the bodies that joints tie to a released child");
  v.field("rest_time", r.rest_time, spec::quantity(kTime).from(0).up_to(1e9),
          "before the same two anchors may be joined again");
  describe_options(v, r.joint);
  v.field("black_box", r.joint.black_box, spec::plain(), "the rule of a black_box joint");
  v.field("bodies_collide", r.joint.bodies_collide, spec::plain(), "may joined bodies touch?");
}

}  // namespace tenon::scene
