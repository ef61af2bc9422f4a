#include "tenon/scene/urdf/numbers.h"

#include <cmath>
#include <vector>

#include "tenon/scene/formats/number_text.h"
#include "tenon/scene/model/angles.h"

namespace tenon::scene::urdf {
namespace {

constexpr int kMostDigits = 16;
constexpr int kNeighbours = 2;  // units in the last place, both ways

using model::calc_rpy;
using model::rounded;
using Read = std::function<Quat(const Vec3&)>;

// The first of the rounded ones, then of the neighbours, that reads back.
bool search(const Vec3& around, const Read& read, const Quat& target, Vec3& found) {
  for (int digits = 0; digits <= kMostDigits; ++digits) {
    found = {rounded(around.x, digits), rounded(around.y, digits), rounded(around.z, digits)};
    if (read(found) == target) return true;
  }
  const auto neighbour = [](double x, int steps) {
    for (int i = 0; i < std::abs(steps); ++i) {
      x = std::nextafter(x, steps < 0 ? -HUGE_VAL : HUGE_VAL);
    }
    return x;
  };
  for (int i = -kNeighbours; i <= kNeighbours; ++i) {
    for (int j = -kNeighbours; j <= kNeighbours; ++j) {
      for (int k = -kNeighbours; k <= kNeighbours; ++k) {
        found = {neighbour(around.x, i), neighbour(around.y, j), neighbour(around.z, k)};
        if (read(found) == target) return true;
      }
    }
  }
  return false;
}

}  // namespace

std::string triple(const Vec3& v) {
  // no "-0"
  return format_number(v.x + 0.0) + " " + format_number(v.y + 0.0) + " " + format_number(v.z + 0.0);
}

FoundText find_rpy(const Quat& R, const Read& read, const Quat& target) {
  const Vec3 a = calc_rpy(R);
  std::vector<Vec3> same{a};
  for (const double r : {-kPi, kPi}) {
    for (const double p : {-kPi, kPi}) {
      for (const double y : {-kPi, kPi}) same.push_back({a.x + r, p - a.y, a.z + y});
    }
  }
  // a full turn changes the sign of the quaternion
  for (const double turn : {-2 * kPi, 2 * kPi}) {
    same.push_back({a.x + turn, a.y, a.z});
    same.push_back({a.x, a.y + turn, a.z});
    same.push_back({a.x, a.y, a.z + turn});
  }
  Vec3 found;
  for (const Vec3& around : same) {
    if (search(around, read, target, found)) return {triple(found), true};
  }
  return {triple(a), false};
}

FoundText find_direction(const Vec3& direction, const Read& read, const Quat& target) {
  Vec3 found;
  if (search(direction, read, target, found)) return {triple(found), true};
  return {triple(direction), false};
}

}  // namespace tenon::scene::urdf
