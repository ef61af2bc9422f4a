// Mass, centre of mass and inertia: exact for every shape, and how they move, add and scale.
//
// A MassProperties is expressed in one frame F: `com` is measured from F's origin in F's axes, and
// `inertia` is the inertia tensor about the centre of mass in F's axes (kg, m, kg m^2).
#pragma once

#include <array>
#include <span>

#include "tenon/engine/geometry/shape.h"

namespace tenon {

struct MassProperties {
  double mass = 0;
  Vec3 com;
  Mat3 inertia{};

  friend bool operator==(const MassProperties&, const MassProperties&) = default;
};

// Of a homogeneous shape in its shape frame. A plane and an open mesh have none: mass 0, inertia 0.
// Precondition: check(shape) is ok, density (kg/m^3) finite.
MassProperties calc_mass_properties(const Shape& shape, double density);

// Volume of a shape (m^3); 0 for a plane and an open mesh.
double calc_volume(const Shape& shape);

// A point: no inertia about itself. It passes `check` only as a part of something with extent.
MassProperties point_mass(double mass, const Vec3& position);

// The same matter seen from frame A, when `m_B` is expressed in B.
MassProperties transformed(const Transform& X_AB, const MassProperties& m_B);

// The sum of parts that are expressed in one frame. No parts, or parts whose masses add up to
// zero, give mass 0 and inertia 0.
MassProperties combine(std::span<const MassProperties> parts);

// The same distribution of matter with the given total mass. Precondition: m.mass > 0.
MassProperties scaled_to_mass(const MassProperties& m, double mass);

// Inertia tensor about a point other than the centre of mass, in the same axes.
Mat3 inertia_about(const MassProperties& m, const Vec3& point);

// Can a rigid body have these? Reports the first of: something not finite, mass not positive,
// inertia not symmetric, not positive definite, principal moments against the triangle inequality
// (largest <= sum of the other two: a plate has equality). The error names the numbers and what
// would be accepted. Round-off is forgiven: kInertiaSlack of the largest moment.
inline constexpr double kInertiaSlack = 1e-9;
Status check(const MassProperties& m);

// Of the homogeneous solid inside a closed set of triangles, counter-clockwise seen from outside.
// Several separate or nested (inward-facing) surfaces are one solid. Errors: index out of range,
// a point that is not finite, an edge without exactly one partner in the opposite direction, a
// volume that is not positive (then the triangles face inwards).
Result<MassProperties> calc_triangle_mass_properties(std::span<const Vec3> points,
                                                     std::span<const std::array<int, 3>> triangles,
                                                     double density);

}  // namespace tenon
