// The forces of the format, field by field; see fields.h for what a visitor has.
#pragma once

#include "tenon/scene/document/force.h"
#include "tenon/scene/formats/named.h"
#include "tenon/scene/formats/spec.h"

namespace tenon::scene {

TENON_NAMED(Force, "force", "A force or torque on a body for a while")
TENON_NAMED(ForceTarget, "toward", "A point that a force points to")
TENON_NAMED(ForceRamp, "ramp", "Growth of a force from its begin to its end")
TENON_NAMED(ForceKey, "force_key", "What a force is multiplied by at a time")
TENON_WORDS(ForceFrame, "world", "body")

template <class V, Is<ForceTarget> T>
void describe(V& v, T& t) {
  v.field("body", t.body, spec::plain(), "body; else the world");
  v.field("point", t.point, spec::length(),
          "in its frame; else its mass centre, or the world's origin");
}
template <class V, Is<ForceRamp> T>
void describe(V& v, T& r) {
  v.field("from", r.from, spec::quantity(kNumber, 1e9), "multiplies the force at its begin");
  v.field("to", r.to, spec::quantity(kNumber, 1e9), "multiplies it at its end");
}
template <class V, Is<ForceKey> T>
void describe(V& v, T& k) {
  v.field("t", k.t, spec::quantity(kTime, 1e9).required(), "time");
  v.field("scale", k.scale, spec::quantity(kNumber, 1e9).required(), "multiplies the force");
}

template <class V, Is<Force> T>
void describe(V& v, T& f) {
  const Spec time = spec::quantity(kTime, 1e9);
  v.field("name", f.name, spec::plain().required(), "unique name");
  v.field("body", f.body, spec::plain().required(), "body it acts on");
  v.field("point", f.point, spec::length(), "where, in the body frame; else at the mass centre");
  v.field("frame", f.frame, spec::plain(),
          "world: force and torque keep their direction; body: they turn with the body");
  v.field("force", f.force, spec::quantity(kForceDimension, 1e15), "force");
  v.field("torque", f.torque, spec::quantity(kTorque, 1e15), "torque");
  v.field("toward", f.toward, spec::plain(), "instead: what the force points to");
  v.field("magnitude", f.magnitude, spec::quantity(kForceDimension, 1e15),
          "of a force towards something; negative pushes away");
  v.field("from", f.from, time, "begin; else 0, or that of the curve");
  v.field("until", f.until, time, "end; else never, or that of the curve");
  v.field("ramp", f.ramp, spec::plain(), "lets it grow from its begin to its end");
  v.field("curve", f.curve, spec::plain().at_least(1),
          "what it is multiplied by over time, straight between the keys");
}

}  // namespace tenon::scene
