// The assembly section of the format, field by field; see fields.h for what a visitor has.
#pragma once

#include "tenon/scene/document/assembly.h"
#include "tenon/scene/formats/named.h"
#include "tenon/scene/formats/spec.h"

namespace tenon::scene {

TENON_NAMED(Assembly, "assembly", "How mechanisms are put together before a run")
TENON_NAMED(Want, "want", "Something a body should do where the joints leave it room")
TENON_NAMED(Importance, "importance", "How much the errors of a joint count")
TENON_WORDS(AssemblyMetric, "ways", "mass")
TENON_WORDS(AssemblySolver, "auto", "conjugate_gradients", "biconjugate", "direct")

namespace spec {
constexpr Spec weight() { return number().above(0).up_to(1e6); }
}  // namespace spec

template <class V, Is<Want> T>
void describe(V& v, T& w) {
  v.field("body", w.body, spec::plain().required(), "body that wants it");
  v.field("reach", w.reach, spec::length(), "where the point 'at' of the body should be");
  v.field("at", w.at, spec::length(), "point in the body frame; else its origin");
  v.field("orient", w.orient, spec::plain(), "how the body should be turned");
  v.field("upright", w.upright, spec::direction(),
          "where the direction 'axis' of the body should point, any length");
  v.field("axis", w.axis, spec::direction(), "direction in the body frame, any length; else y");
  v.field("stay", w.stay, spec::plain(), "true: near where it starts");
  v.field("weight", w.weight, spec::weight(),
          "of two wants that contradict each other, twice the weight gives way a quarter as far");
}

template <class V, Is<Assembly> T>
void describe(V& v, T& a) {
  v.field("auto", a.automatic, spec::plain(), "true: at the start of every run");
  v.field("locked", a.locked, spec::names(), "bodies that stay where they are");
  v.field("wants", a.wants, spec::plain(), "what bodies should do where the joints leave room");
  v.named("importance", a.importance,
          "by joint: its errors count so many times as much, where not all can be zero");
  v.field("limits", a.limits, spec::plain(), "whether joints obey their limits");
  v.field("metric", a.metric, spec::plain(),
          "what is near. ways: all bodies move alike; mass: heavy ones move less");
  v.field("solver", a.solver, spec::plain(),
          "auto: direct, or conjugate gradients where 'inner' is given");
  v.field("geometric", a.geometric, spec::number().whole().from(0).up_to(1e6),
          "iterations at most");
  v.field("inner", a.inner, spec::number().whole().from(0).up_to(1e6),
          "iterations of conjugate gradients in each of them; 0: as many as it takes");
  v.field("precision", a.precision, spec::number().from(1e-14).up_to(0.1),
          "of joints, relative to body size, and in rad");
  v.field("budget", a.budget, spec::quantity(kTime).from(0).up_to(1e3),
          "time it may take; 0: as long as it takes");
}

}  // namespace tenon::scene
