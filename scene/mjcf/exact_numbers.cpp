#include "tenon/scene/mjcf/exact_numbers.h"

#include <cmath>

#include "tenon/scene/mjcf/settings.h"
#include "tenon/scene/model/angles.h"

namespace tenon::scene::mjcf {
namespace {

constexpr int kMostDigits = 16;
constexpr int kNeighbours = 2;  // units in the last place, both ways
constexpr int kFarthest = 64;   // the same for a number by itself
constexpr int kLengths = 1000;
constexpr int kDegreeDigits = 4;  // of euler angles that people write

double neighbour(double x, int steps) {
  for (int i = 0; i < std::abs(steps); ++i) {
    x = std::nextafter(x, steps < 0 ? -HUGE_VAL : HUGE_VAL);
  }
  return x;
}

Quat rounded_quat(const Quat& q, int digits) {
  const auto r = [&](double x) { return model::rounded(x, digits); };
  return {r(q.w), r(q.x), r(q.y), r(q.z)};
}

// R = Rx Ry Rz, in degrees.
Vec3 calc_euler_deg(const Quat& q) {
  const Mat3 R = to_matrix(q);
  const double level = std::sqrt(R.r0.x * R.r0.x + R.r0.y * R.r0.y);
  const double b = atan2(R.r0.z, level);
  const Vec3 angles = level < 1e-9 ? Vec3{atan2(R.r1.x, R.r1.y), b, 0}
                                   : Vec3{atan2(-R.r1.z, R.r2.z), b, atan2(-R.r0.y, R.r0.x)};
  return (180 / kPi) * angles;
}

bool try_neighbours(const std::function<bool(const Quat&)>& reads, Quat& value) {
  const Quat q = value;
  for (int reach = 0; reach <= kNeighbours; ++reach) {
    for (int w = -reach; w <= reach; ++w) {
      for (int x = -reach; x <= reach; ++x) {
        for (int y = -reach; y <= reach; ++y) {
          for (int z = -reach; z <= reach; ++z) {
            const Quat near{neighbour(q.w, w), neighbour(q.x, x), neighbour(q.y, y),
                            neighbour(q.z, z)};
            if (!reads(near)) continue;
            value = near;
            return true;
          }
        }
      }
    }
  }
  return false;
}

}  // namespace

bool find_vector(const std::function<bool(const Vec3&)>& reads, Vec3& value) {
  const Vec3 v = value;
  const auto found = [&](const Vec3& candidate) {
    if (!reads(candidate)) return false;
    value = candidate;
    return true;
  };
  for (int d = 0; d <= kMostDigits; ++d) {
    if (found({model::rounded(v.x, d), model::rounded(v.y, d), model::rounded(v.z, d)}))
      return true;
  }
  for (int i = -kNeighbours; i <= kNeighbours; ++i) {
    for (int j = -kNeighbours; j <= kNeighbours; ++j) {
      for (int k = -kNeighbours; k <= kNeighbours; ++k) {
        if (found({neighbour(v.x, i), neighbour(v.y, j), neighbour(v.z, k)})) return true;
      }
    }
  }
  return false;
}

bool find_quat(const std::function<bool(const Quat&)>& reads, Quat& value) {
  const Quat q = value;
  const auto found = [&](const Quat& candidate) {
    if (!(norm(candidate) > 0) || !reads(candidate)) return false;
    value = candidate;
    return true;
  };
  const double most = std::max(max_component(cwise_abs(q.vec())), std::fabs(q.w));
  for (int d = 0; d <= kMostDigits; ++d) {
    const double other = 1 / most;
    for (const double scale : {1.0, -1.0, other, -other}) {
      if (found(rounded_quat({scale * q.w, scale * q.x, scale * q.y, scale * q.z}, d))) return true;
    }
  }
  const Vec3 angles = calc_euler_deg(q);
  for (int d = 0; d <= kDegreeDigits; ++d) {
    const Quat turned = from_euler(
        Settings{},
        {model::rounded(angles.x, d), model::rounded(angles.y, d), model::rounded(angles.z, d)});
    if (found(turned) || found({-turned.w, -turned.x, -turned.y, -turned.z})) return true;
  }
  if (try_neighbours(reads, value)) return true;
  value = {-q.w, -q.x, -q.y, -q.z};
  if (try_neighbours(reads, value)) return true;
  // quaternions are made unit when they are read, and each length is rounded in its own way
  for (int k = 1; k <= kLengths; ++k) {
    const double scale = 1 + static_cast<double>(k) / kLengths;
    if (found({scale * q.w, scale * q.x, scale * q.y, scale * q.z})) return true;
  }
  value = q;
  return false;
}

bool find_number(const std::function<bool(double)>& reads, double& value) {
  const double x = value;
  const auto found = [&](double candidate) {
    if (!reads(candidate)) return false;
    value = candidate;
    return true;
  };
  for (int d = 0; d <= kMostDigits; ++d) {
    if (found(model::rounded(x, d))) return true;
  }
  for (int i = 0; i <= kFarthest; ++i) {
    if (found(neighbour(x, i)) || found(neighbour(x, -i))) return true;
  }
  return false;
}

}  // namespace tenon::scene::mjcf
