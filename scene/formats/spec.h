// What the format says about one field besides its C++ type: dimension, range, whether it must be
// there. Every field is described once, in fields.h; decoding, encoding and the JSON Schema are
// visitors over that description, so they cannot drift apart.
#pragma once

#include <limits>

#include "tenon/scene/formats/units.h"

namespace tenon::scene {

struct Spec {
  Dimension dimension;
  double min = -std::numeric_limits<double>::infinity();  // of a number, or of each component
  double max = std::numeric_limits<double>::infinity();
  bool above_min = false;  // min itself is not accepted
  bool integer = false;
  bool is_required = false;
  bool is_direction = false;    // a vector that must not be zero
  bool is_inertia = false;      // a matrix that must be an inertia
  bool is_one_or_many = false;  // a list of names that may be a single name
  bool is_per_axis = false;     // along an axis; about a turning one `dimension` is turned()
  bool is_for_all = false;      // a value without an axis holds for all freedoms of a joint
  bool is_pitch = false;        // a length per turn, whatever unit the turn is written in
  bool is_scale = false;        // a vector of factors that may be one for all; none is 0
  bool is_ratio = false;        // a number, or a length per angle or the reverse
  int min_items = 0;

  constexpr Spec from(double low) const { return with(&Spec::min, low); }
  constexpr Spec above(double low) const {
    return with(&Spec::min, low).with(&Spec::above_min, true);
  }
  constexpr Spec up_to(double high) const { return with(&Spec::max, high); }
  constexpr Spec required() const { return with(&Spec::is_required, true); }
  constexpr Spec whole() const { return with(&Spec::integer, true); }
  constexpr Spec at_least(int items) const { return with(&Spec::min_items, items); }
  constexpr Spec one_or_many() const { return with(&Spec::is_one_or_many, true); }

  template <class T>
  constexpr Spec with(T Spec::* member, T value) const {
    Spec copy = *this;
    copy.*member = value;
    return copy;
  }
};

namespace spec {

// Bounds keep products such as radius^5 * density inside the doubles; they are far from any scene.
constexpr Spec number() { return {}; }
constexpr Spec plain() { return {}; }
constexpr Spec quantity(Dimension dimension, double bound = 1e12) {
  Spec spec;
  spec.dimension = dimension;
  spec.min = -bound;
  spec.max = bound;
  return spec;
}
constexpr Spec length() { return quantity(kLength, 1e9); }
constexpr Spec size() { return quantity(kLength, 1e6).from(1e-6).required(); }
constexpr Spec mass() { return quantity(kMass, 1e15).from(1e-12); }
constexpr Spec density() { return quantity(kDensity, 1e9).from(1e-6); }
constexpr Spec share() { return number().from(0).up_to(1); }
constexpr Spec friction() { return number().from(0).up_to(100); }
constexpr Spec arm() { return quantity(kLength).from(0).up_to(10); }
constexpr Spec velocity() { return quantity(kVelocity, 1e8); }
constexpr Spec angular_velocity() { return quantity(kAngularVelocity, 1e6); }
constexpr Spec direction() { return quantity(kNumber, 1e12).with(&Spec::is_direction, true); }
constexpr Spec inertia() { return quantity(kInertia, 1e30).with(&Spec::is_inertia, true); }
constexpr Spec along_axis(Dimension dimension, double bound = 1e12) {
  return quantity(dimension, bound).with(&Spec::is_per_axis, true);
}
constexpr Spec scale() { return quantity(kNumber, 1e9).with(&Spec::is_scale, true); }
constexpr Spec names() { return Spec{}.one_or_many(); }

}  // namespace spec

}  // namespace tenon::scene
