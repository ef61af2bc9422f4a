// Units of the scene format: dimensions as exponents of length, mass, time and angle, and the table
// of unit names. Angle is a dimension of its own here, so that a length given in degrees is caught.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tenon::scene {

struct Dimension {
  int8_t length = 0, mass = 0, time = 0, angle = 0;
  friend constexpr bool operator==(const Dimension&, const Dimension&) = default;
  constexpr bool none() const { return *this == Dimension{}; }
};

inline constexpr Dimension kNumber{};
inline constexpr Dimension kLength{1, 0, 0, 0};
inline constexpr Dimension kArea{2, 0, 0, 0};
inline constexpr Dimension kMass{0, 1, 0, 0};
inline constexpr Dimension kTime{0, 0, 1, 0};
inline constexpr Dimension kAngle{0, 0, 0, 1};
inline constexpr Dimension kVelocity{1, 0, -1, 0};
inline constexpr Dimension kAcceleration{1, 0, -2, 0};
inline constexpr Dimension kAngularVelocity{0, 0, -1, 1};
inline constexpr Dimension kDensity{-3, 1, 0, 0};
inline constexpr Dimension kInertia{2, 1, 0, 0};
inline constexpr Dimension kStiffness{0, 1, -2, 0};  // N/m
inline constexpr Dimension kDamping{0, 1, -1, 0};    // N s/m
inline constexpr Dimension kForceDimension{1, 1, -2, 0};
inline constexpr Dimension kTorque{2, 1, -2, 0};
inline constexpr Dimension kRate{0, 0, -1, 0};

// What takes the place of a quantity along an axis where the axis is turned about: a length becomes
// an angle, a force a torque, N/m becomes N m/rad.
constexpr Dimension turned(const Dimension& d) {
  if (d.mass == 0) return {0, 0, d.time, d.length};
  return {2, d.mass, d.time, static_cast<int8_t>(d.length - 1)};
}

// A number in SI base units with its dimension.
struct Quantity {
  double value = 0;
  Dimension dimension;
  friend constexpr bool operator==(const Quantity&, const Quantity&) = default;
};

struct Unit {
  const char* name;
  double factor;  // SI value of one unit
  Dimension dimension;
  const char* meaning;
};

// All units, in the order of the reference.
std::span<const Unit> units();
const Unit* find_unit(std::string_view name);

// Whether a value of dimension `given` may stand where `expected` is wanted: the same dimension; or
// none at all (a bare number is SI); or the same but for an angle that became a path (radius times
// angular velocity is a velocity) or that nobody mentions (N m for N m/rad).
bool fits(const Dimension& given, const Dimension& expected);

// "a length", "an angular velocity", ...; "a quantity in kg m^2" where there is no word.
std::string describe(const Dimension& dimension);
// "m", "rad/s", "kg m^2", ...; "1" for none.
std::string format_unit(const Dimension& dimension);
// An example a person would write: "12 cm", "30 deg/s".
const char* example_of(const Dimension& dimension);

}  // namespace tenon::scene
