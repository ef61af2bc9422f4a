// The options of the method 'force', field by field; see fields.h for what a visitor has.
#pragma once

#include "tenon/scene/document/force_method.h"
#include "tenon/scene/formats/named.h"
#include "tenon/scene/formats/spec.h"

namespace tenon::scene {

TENON_NAMED(ForceMethod, "force_method", "Options of the method 'force'")
TENON_WORDS(ForceJoints, "constraint", "baumgarte", "soft")
TENON_WORDS(ForceContacts, "analytic", "spring", "penalty", "lcp")

template <class V, Is<ForceMethod> T>
void describe(V& v, T& f) {
  v.field("accuracy", f.accuracy, spec::number().from(1e-13).up_to(0.1),
          "what a step may err by: m, rad, m/s, rad/s");
  v.field("h_min", f.h_min, spec::quantity(kTime).from(1e-12).up_to(1),
          "shortest step; taken whatever it errs by, and reported");
  v.field("h_max", f.h_max, spec::quantity(kTime).from(1e-12).up_to(10), "longest step");
  v.field("joints", f.joints, spec::plain(),
          "constraint: by forces and projection; baumgarte: by forces that pull errors back; soft: "
          "by stiff springs");
  v.field("baumgarte_alpha", f.baumgarte_alpha, spec::quantity(kRate).above(0).up_to(1e6),
          "damping of joint errors, of the joints 'baumgarte'");
  v.field("baumgarte_beta", f.baumgarte_beta, spec::quantity(kRate).above(0).up_to(1e6),
          "stiffness of joint errors, of the joints 'baumgarte'");
  v.field("soft_frequency", f.soft_frequency, spec::quantity(kRate).above(0).up_to(1e6),
          "swings per second of an error by itself, of the joints 'soft'");
  v.field("soft_damping_ratio", f.soft_damping_ratio, spec::number().above(0).up_to(100),
          "1: critically damped, of the joints 'soft'");
  v.field("contacts", f.contacts, spec::plain(),
          "analytic: impulses, and springs and dampers at rest; spring: stiffer on the way in than "
          "on the way out; penalty: springs and dampers; lcp: impulses, and a complementarity "
          "problem at rest");
  v.field("dt_col", f.dt_col, spec::quantity(kTime).from(1e-9).up_to(1),
          "contacts are looked for at least so often");
  v.field("v_normal_max", f.v_normal_max, spec::quantity(kVelocity).above(0).up_to(1e6),
          "what approaches faster collides, the rest rests");
  v.field("v_tangent_max", f.v_tangent_max, spec::quantity(kVelocity).above(0).up_to(1e6),
          "what slides slower sticks, and creeps");
}

}  // namespace tenon::scene
