#include "tenon/engine/geometry/distance_field.h"

#include <algorithm>
#include <cmath>

namespace tenon {
namespace {

constexpr int kRow = DistanceField::kBrick + 1, kLayer = kRow * kRow;

struct Corners {
  double v[8];  // x fastest
};
Corners load(const float* samples, int i, int j, int k) {
  const float* at = samples + (kLayer * k + kRow * j + i);
  return {{at[0], at[1], at[kRow], at[kRow + 1], at[kLayer], at[kLayer + 1], at[kLayer + kRow],
           at[kLayer + kRow + 1]}};
}
double mix(double a, double b, double t) { return a + t * (b - a); }

// The cell of a place and where in it.
struct InCell {
  int index;
  double t;
};
InCell find_cell(double x) {
  const int i = std::clamp(static_cast<int>(x), 0, DistanceField::kBrick - 1);
  return {i, x - i};
}

}  // namespace

DistanceField::Place DistanceField::find_place(const Vec3& q) const {
  const int scale = 1 << start_depth_;
  const double inv = scale / root_;
  double at[3];  // in places to begin at
  size_t start = 0;
  for (int k = 2; k >= 0; --k) {
    const int count = counts_[static_cast<size_t>(k)] * scale;
    at[k] = std::clamp((q[k] - bounds_.lo[k]) * inv, 0.0, static_cast<double>(count));
    const int index = std::min(static_cast<int>(at[k]), count - 1);
    start = start * static_cast<size_t>(count) + static_cast<size_t>(index);
  }
  int32_t node = starts_[start];
  const int depth = depths_[start];
  double edge = root_ / (1 << depth), u[3];  // u: in the node, 0 to 1
  const double shrink = 1.0 / (1 << (start_depth_ - depth));
  for (int k = 0; k < 3; ++k) {
    const double x = at[k] * shrink;
    const int most = (counts_[static_cast<size_t>(k)] << depth) - 1;
    u[k] = x - std::min(static_cast<int>(x), most);
  }
  while (node >= 0) {
    int child = 0;
    for (int k = 0; k < 3; ++k) {
      const bool upper = u[k] >= 0.5;
      child |= upper ? 1 << k : 0;
      u[k] = 2 * u[k] - (upper ? 1 : 0);
    }
    node = nodes_[static_cast<size_t>(node + child)];
    edge *= 0.5;
  }
  return {samples_.data() + static_cast<size_t>(~node) * kBrickSamples, kBrick * u[0],
          kBrick * u[1], kBrick * u[2], edge / kBrick};
}

// As deep as a table of some hundred kilobytes reaches.
void DistanceField::make_starts() {
  constexpr size_t kMostStarts = 1 << 17;
  constexpr int kMostDepth = 8;
  const auto count = [&](int k) { return static_cast<size_t>(counts_[static_cast<size_t>(k)]); };
  start_depth_ = 0;
  while (start_depth_ < kMostDepth &&
         (count(0) * count(1) * count(2)) << (3 * (start_depth_ + 1)) <= kMostStarts) {
    ++start_depth_;
  }
  const size_t scale = size_t{1} << start_depth_;
  starts_.clear();
  depths_.clear();
  for (size_t z = 0; z < count(2) * scale; ++z) {
    for (size_t y = 0; y < count(1) * scale; ++y) {
      for (size_t x = 0; x < count(0) * scale; ++x) {
        int32_t node = nodes_[((z / scale) * count(1) + y / scale) * count(0) + x / scale];
        int depth = 0;
        for (; node >= 0 && depth < start_depth_; ++depth) {
          const int shift = start_depth_ - depth - 1;
          const size_t child = (x >> shift & 1) | (y >> shift & 1) << 1 | (z >> shift & 1) << 2;
          node = nodes_[static_cast<size_t>(node) + child];
        }
        starts_.push_back(node);
        depths_.push_back(static_cast<uint8_t>(depth));
      }
    }
  }
}

// Beyond the bounds, with c the nearest point of that box to q: for any point m of the mesh, which
// lies in the box, the angle at c is not acute, so |q - m|^2 >= |q - c|^2 + |c - m|^2 and
//   d(q) >= sqrt(|q - c|^2 + d(c)^2)                                            (1)
DistanceField::Sample DistanceField::sample(const Vec3& q) const {
  const Vec3 c = cwise_max(cwise_min(q, bounds_.hi), bounds_.lo);
  const Place at = find_place(c);
  const InCell x = find_cell(at.x), y = find_cell(at.y), z = find_cell(at.z);
  const Corners k = load(at.samples, x.index, y.index, z.index);
  const double x00 = mix(k.v[0], k.v[1], x.t), x10 = mix(k.v[2], k.v[3], x.t),
               x01 = mix(k.v[4], k.v[5], x.t), x11 = mix(k.v[6], k.v[7], x.t);
  const double y0 = mix(x00, x10, y.t), y1 = mix(x01, x11, y.t);
  Sample s{mix(y0, y1, z.t), Vec3{mix(mix(k.v[1] - k.v[0], k.v[3] - k.v[2], y.t),
                                      mix(k.v[5] - k.v[4], k.v[7] - k.v[6], y.t), z.t),
                                  mix(x10 - x00, x11 - x01, z.t), y1 - y0} /
                                 at.cell};
  if (q == c) return s;
  // (1) and its gradient; inside the box along c nothing changes but d(c)
  const Vec3 beyond = q - c;
  const double inner = std::max(s.distance, 0.0), d = std::sqrt(norm2(beyond) + inner * inner);
  for (int i = 0; i < 3; ++i)
    s.gradient[i] = beyond[i] != 0 ? beyond[i] / d : s.gradient[i] * inner / d;
  s.distance = d;
  return s;
}

double DistanceField::value(const Vec3& q) const {
  const Vec3 c = cwise_max(cwise_min(q, bounds_.hi), bounds_.lo);
  const Place at = find_place(c);
  const InCell x = find_cell(at.x), y = find_cell(at.y), z = find_cell(at.z);
  const Corners k = load(at.samples, x.index, y.index, z.index);
  const double v = mix(mix(mix(k.v[0], k.v[1], x.t), mix(k.v[2], k.v[3], x.t), y.t),
                       mix(mix(k.v[4], k.v[5], x.t), mix(k.v[6], k.v[7], x.t), y.t), z.t);
  if (q == c) return v;
  const double inner = std::max(v, 0.0);
  return std::sqrt(norm2(q - c) + inner * inner);
}

size_t DistanceField::byte_count() const {
  return nodes_.size() * sizeof(int32_t) + samples_.size() * sizeof(float);
}

}  // namespace tenon
