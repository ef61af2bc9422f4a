#include "tenon/scene/formats/units.h"

#include <array>

#include "tenon/engine/math/elementary.h"

namespace tenon::scene {
namespace {

constexpr Dimension kPressure{-1, 1, -2, 0};
constexpr Dimension kPower{2, 1, -3, 0};
constexpr Dimension kVolume{3, 0, 0, 0};

constexpr std::array kUnits{
    Unit{"m", 1, kLength, "metre"},
    Unit{"mm", 1e-3, kLength, "millimetre"},
    Unit{"cm", 1e-2, kLength, "centimetre"},
    Unit{"dm", 0.1, kLength, "decimetre"},
    Unit{"km", 1e3, kLength, "kilometre"},
    Unit{"um", 1e-6, kLength, "micrometre"},
    Unit{"in", 0.0254, kLength, "inch"},
    Unit{"ft", 0.3048, kLength, "foot"},
    Unit{"L", 1e-3, kVolume, "litre"},
    Unit{"kg", 1, kMass, "kilogram"},
    Unit{"g", 1e-3, kMass, "gram"},
    Unit{"mg", 1e-6, kMass, "milligram"},
    Unit{"t", 1e3, kMass, "tonne"},
    Unit{"lb", 0.45359237, kMass, "pound"},
    Unit{"s", 1, kTime, "second"},
    Unit{"ms", 1e-3, kTime, "millisecond"},
    Unit{"us", 1e-6, kTime, "microsecond"},
    Unit{"min", 60, kTime, "minute"},
    Unit{"h", 3600, kTime, "hour"},
    Unit{"rad", 1, kAngle, "radian"},
    Unit{"deg", kPi / 180, kAngle, "degree"},
    Unit{"rev", 2 * kPi, kAngle, "revolution"},
    Unit{"rpm", kPi / 30, kAngularVelocity, "revolution per minute"},
    Unit{"Hz", 1, kRate, "per second"},
    Unit{"N", 1, kForceDimension, "newton"},
    Unit{"mN", 1e-3, kForceDimension, "millinewton"},
    Unit{"kN", 1e3, kForceDimension, "kilonewton"},
    Unit{"MN", 1e6, kForceDimension, "meganewton"},
    Unit{"J", 1, kTorque, "joule"},
    Unit{"kJ", 1e3, kTorque, "kilojoule"},
    Unit{"W", 1, kPower, "watt"},
    Unit{"kW", 1e3, kPower, "kilowatt"},
    Unit{"Pa", 1, kPressure, "pascal"},
    Unit{"kPa", 1e3, kPressure, "kilopascal"},
    Unit{"MPa", 1e6, kPressure, "megapascal"},
    Unit{"GPa", 1e9, kPressure, "gigapascal"},
};

struct Word {
  Dimension dimension;
  const char* text;
  const char* example;
};
constexpr std::array kWords{
    Word{kNumber, "a plain number", "0.5 or \"1/2\""},
    Word{kLength, "a length", "0.5 or \"12 cm\""},
    Word{kArea, "an area", "0.5 or \"20 cm^2\""},
    Word{kMass, "a mass", "5 or \"500 g\""},
    Word{kTime, "a time", "0.5 or \"20 ms\""},
    Word{kAngle, "an angle", "1.57 or \"90 deg\""},
    Word{kVelocity, "a velocity", "2 or \"20 km/h\""},
    Word{kAcceleration, "an acceleration", "9.81 or \"9.81 m/s^2\""},
    Word{kAngularVelocity, "an angular velocity", "3 or \"30 deg/s\" or \"10 rpm\""},
    Word{kDensity, "a density", "1000 or \"1 g/cm^3\""},
    Word{kInertia, "a moment of inertia", "0.4 or \"4000 g*cm^2\""},
    Word{kStiffness, "a stiffness", "1e6 or \"1 kN/mm\""},
    Word{kDamping, "a damping constant", "6000 or \"6 kN*s/m\""},
    Word{kForceDimension, "a force", "5 or \"1 kN\""},
    Word{kTorque, "a torque or energy", "5 or \"5 N*m\""},
    Word{turned(kStiffness), "a stiffness against turning", "50 or \"50 N*m/rad\""},
    Word{turned(kDamping), "a damping constant against turning", "0.5 or \"0.5 N*m*s/rad\""},
    Word{kPressure, "a pressure", "1e5 or \"100 kPa\""},
    Word{kRate, "a rate per second", "2 or \"2 Hz\""},
    Word{kVolume, "a volume", "1 or \"2 L\""},
};

const Word* find_word(const Dimension& dimension) {
  for (const Word& word : kWords) {
    if (word.dimension == dimension) return &word;
  }
  return nullptr;
}

}  // namespace

std::span<const Unit> units() { return kUnits; }

const Unit* find_unit(std::string_view name) {
  for (const Unit& unit : kUnits) {
    if (name == unit.name) return &unit;
  }
  return nullptr;
}

bool fits(const Dimension& given, const Dimension& expected) {
  if (given == expected || given.none()) return true;
  Dimension path = given;
  path.angle = expected.angle;
  if (path != expected || expected.length == 0) return false;
  return expected.angle == 0 ? given.angle > 0 && expected.length > 0 : given.angle == 0;
}

std::string describe(const Dimension& dimension) {
  if (const Word* word = find_word(dimension)) return word->text;
  return "a quantity in " + format_unit(dimension);
}

std::string format_unit(const Dimension& d) {
  // what people write in newtons
  if (d == kForceDimension) return "N";
  if (d == kTorque) return "N*m";
  if (d == kStiffness) return "N/m";
  if (d == kDamping) return "N*s/m";
  if (d == turned(kStiffness)) return "N*m/rad";
  if (d == turned(kDamping)) return "N*m*s/rad";
  std::string above, below;
  auto add = [&](const char* name, int exponent) {
    if (exponent == 0) return;
    std::string& side = exponent > 0 ? above : below;
    if (!side.empty()) side += exponent > 0 ? "*" : "/";
    side += name;
    const int power = exponent > 0 ? exponent : -exponent;
    if (power > 1) side += "^" + std::to_string(power);
  };
  add("kg", d.mass);
  add("m", d.length);
  add("rad", d.angle);
  add("s", d.time);
  if (below.empty()) return above.empty() ? "1" : above;
  return (above.empty() ? "1" : above) + "/" + below;
}

const char* example_of(const Dimension& dimension) {
  const Word* word = find_word(dimension);
  return word ? word->example : "";
}

}  // namespace tenon::scene
