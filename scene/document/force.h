// Forces on a timeline, as a scene says them. What they do is told in engine/forces/timed_force.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tenon/scene/document/joint.h"

namespace tenon::scene {

enum class ForceFrame { kWorld, kBody };

// Where a force points to: a point of another body, or of the world.
struct ForceTarget {
  Reference body{kWorldName, {}};
  std::optional<Vec3> point;  // m, in its frame; else its mass centre, or the world's origin
  friend bool operator==(const ForceTarget&, const ForceTarget&) = default;
};

// What the force is multiplied by grows from `from` at its begin to `to` at its end.
struct ForceRamp {
  double from = 0, to = 1;
  friend bool operator==(const ForceRamp&, const ForceRamp&) = default;
};

// A point of the curve that the force is multiplied by.
struct ForceKey {
  double t = 0;  // s, strictly increasing
  double scale = 1;
  friend bool operator==(const ForceKey&, const ForceKey&) = default;
};

struct Force {
  std::string name;           // unique among forces, not empty
  Reference body;             // dynamic
  std::optional<Vec3> point;  // m, in the body frame; else the mass centre

  // a force or a torque, or both, in the axes of the frame ...
  ForceFrame frame = ForceFrame::kWorld;
  Vec3 force;   // N
  Vec3 torque;  // N m
  // ... or a force towards something
  std::optional<ForceTarget> toward;
  double magnitude = 0;  // N, of the latter; negative pushes away

  // When it acts: by default from 0 on, or as long as its curve. At most one of ramp and curve.
  std::optional<double> from, until;  // s
  std::optional<ForceRamp> ramp;      // needs `until`
  std::vector<ForceKey> curve;        // straight between its keys

  Place place;
  friend bool operator==(const Force&, const Force&) = default;
};

// When a force begins, s.
inline double begin_of(const Force& f) {
  return f.from ? *f.from : f.curve.empty() ? 0 : f.curve.front().t;
}
// When it ends; none: never.
inline std::optional<double> end_of(const Force& f) {
  if (f.until || f.curve.empty()) return f.until;
  return f.curve.back().t;
}

}  // namespace tenon::scene
