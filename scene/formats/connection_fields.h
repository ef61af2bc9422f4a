// The connections of the format, field by field; see fields.h for what a visitor has.
#pragma once

#include "tenon/scene/document/connection.h"
#include "tenon/scene/formats/named.h"
#include "tenon/scene/formats/spec.h"

namespace tenon::scene {

TENON_NAMED(Connection, "connection", "A spring, damper, rod or rope between points of two bodies")
TENON_WORDS(ConnectionType, "spring", "damper", "rod", "shock_absorber", "rope", "rigid", "ball")

template <class V, Is<Connection> T>
void describe(V& v, T& c) {
  v.field("name", c.name, spec::plain().required(), "unique name, among joints as well");
  v.field("type", c.type, spec::plain().required(), "what it does");
  v.field("a", c.a, spec::plain().required(), "body, or 'world'");
  v.field("b", c.b, spec::plain().required(), "another body, or 'world'");
  v.field("at", c.at, spec::length(), "its point on a, for the initial poses; else a's origin");
  v.field("to", c.to, spec::length(), "its point on b, for the initial poses; else b's origin");
  v.field("point_a", c.point_a, spec::length(), "instead of at: the point in the frame of a");
  v.field("point_b", c.point_b, spec::length(), "instead of to: the point in the frame of b");
  v.field("stiffness", c.stiffness, spec::quantity(kStiffness, 1e15).from(0),
          "force per length, of springs and shock absorbers; rods and ropes yield by it");
  v.field("damping", c.damping, spec::quantity(kDamping, 1e15).from(0), "force per speed");
  v.field("length", c.length, spec::quantity(kLength, 1e6).from(0),
          "of a spring at rest, of a rod, of a rope at most; else as it starts");
  v.field("min_separation", c.min_separation, spec::quantity(kLength, 1e6).from(0),
          "spring and damper act only where its points are at least this far apart");
  v.field("break_force", c.break_force, spec::quantity(kForceDimension, 1e15).above(0),
          "it breaks under more; else never");
  v.field("break_time", c.break_time, spec::quantity(kTime).above(0).up_to(1e6),
          "the load is averaged over this time");
  v.field("enabled", c.enabled, spec::plain(), "false: it does nothing yet");
  v.field("bodies_collide", c.bodies_collide, spec::plain(),
          "may its two bodies touch? Else: yes, unless rigid or ball");
}

}  // namespace tenon::scene
