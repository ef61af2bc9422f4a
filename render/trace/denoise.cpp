#include "tenon/render/trace/denoise.h"

namespace tenon::render {
namespace {

constexpr float kLightSigma = 2.5f;  // standard deviations that count as noise
constexpr float kPlaneSigma = 3.0f;  // pixels that a neighbour may lie off the tangent plane
constexpr float kTurned = 0.02f;     // variance of normals in a pixel from which it is an edge
constexpr int kNear = 2;             // pixels around an edge that may show its surfaces alone
constexpr float kSomewhat = 0.01f, kLeastWeight = 1e-4f;
// 3 x 3 taps instead of the 5 x 5 of the B3 spline: a third of the work, and one round more reaches
// as far.
constexpr float kKernel[2] = {0.5f, 0.25f};

// exp(-x) for x >= 0, a little wider in its tail, which does not matter to a weight.
inline float fall_off(float x) {
  const float s = 1 + x * (0.25f + x * 0.03125f);
  const float s2 = s * s;
  return 1 / (s2 * s2);
}

inline float power32(float x) {
  for (int i = 0; i < 5; ++i) x *= x;
  return x;
}

// One number per pixel in arrays of its own, so that loops along rows do several pixels at once.
struct Planes {
  std::vector<float> x, y, z;
  explicit Planes(size_t count) : x(count), y(count), z(count) {}
  explicit Planes(const std::vector<V3>& from) : Planes(from.size()) {
    for (size_t i = 0; i < from.size(); ++i) x[i] = from[i].x, y[i] = from[i].y, z[i] = from[i].z;
  }
  V3 at(size_t i) const { return {x[i], y[i], z[i]}; }
};

// Means of three along rows, and of those across: of few samples a variance is itself noise.
std::vector<float> smoothed(const std::vector<float>& values, size_t w, size_t h) {
  const auto mean = [](const float* at, size_t i, size_t count, size_t stride) {
    const bool before = i > 0, after = i + 1 < count;
    const float sum = *at + (before ? *(at - stride) : 0) + (after ? *(at + stride) : 0);
    return before && after ? sum * (1.0f / 3) : sum / (1.0f + before + after);
  };
  std::vector<float> rows(w * h), out(w * h);
  for (size_t y = 0; y < h; ++y)
    for (size_t x = 0; x < w; ++x) rows[y * w + x] = mean(&values[y * w + x], x, w, 1);
  for (size_t y = 0; y < h; ++y)
    for (size_t x = 0; x < w; ++x) out[y * w + x] = mean(&rows[y * w + x], y, h, w);
  return out;
}

// The picture while it is worked on.
struct Picture {
  int width, height;
  Planes light;
  std::vector<float> variance;
};

struct Row {
  const float *nx, *ny, *nz, *px, *py, *pz, *luminance, *lx, *ly, *lz, *variance;
};

// Adds light and variance of pixels b to those of a, by how much they belong together. Written so
// that the compiler does several at once: plain pointers, no references, no branches.
void add_row(Row a, Row b, const float* per_light, const float* per_metre, float kernel,
             ptrdiff_t first, ptrdiff_t last, float* __restrict x, float* __restrict y,
             float* __restrict z, float* __restrict variance, float* __restrict total) {
  for (ptrdiff_t i = first; i < last; ++i) {
    // 1 - |a - b|^2 / 2, which is the cosine for unit vectors, and 1 for equal mixtures of normals
    const float dx = a.nx[i] - b.nx[i], dy = a.ny[i] - b.ny[i], dz = a.nz[i] - b.nz[i];
    const float cosine = 1 - 0.5f * (dx * dx + dy * dy + dz * dz);
    const float alike = power32(cosine > 0 ? cosine : 0);
    const float off = a.nx[i] * (b.px[i] - a.px[i]) + a.ny[i] * (b.py[i] - a.py[i]) +
                      a.nz[i] * (b.pz[i] - a.pz[i]);
    const float far =
        std::fabs(off) * per_metre[i] + std::fabs(b.luminance[i] - a.luminance[i]) * per_light[i];
    const float weight = kernel * alike * fall_off(far);
    x[i] += weight * b.lx[i];
    y[i] += weight * b.ly[i];
    z[i] += weight * b.lz[i];
    variance[i] += weight * weight * b.variance[i];
    total[i] += weight;
  }
}

class Wavelet {
 public:
  // Normals and points of the first surface, from the eye, and how far planes in a pixel are apart.
  Wavelet(const Picture& from, const Planes& normal, const Planes& point,
          const std::vector<float>& apart, int step, float pixel_angle)
      : from_(from),
        normal_(normal),
        point_(point),
        step_(step),
        luminance_(from.variance.size()),
        per_light_(smoothed(from.variance, static_cast<size_t>(from.width),
                            static_cast<size_t>(from.height))),
        per_metre_(from.variance.size()) {
    for (size_t i = 0; i < luminance_.size(); ++i) {
      luminance_[i] = luminance(from.light.at(i));
      per_light_[i] = 1 / (kLightSigma * std::sqrt(std::max(per_light_[i], 1e-8f)) + 1e-4f);
      const float reach =
          apart[i] + kPlaneSigma * pixel_angle * length(point.at(i)) * static_cast<float>(step);
      per_metre_[i] = 1 / (reach + 1e-9f);
    }
  }

  // Row y into another picture.
  void filter(int y, Picture& to) const {
    const auto w = static_cast<size_t>(from_.width), row = static_cast<size_t>(y) * w;
    std::vector<float> total(w, kKernel[0] * kKernel[0]);
    for (size_t i = row; i < row + w; ++i) {
      const float t = kKernel[0] * kKernel[0];
      to.light.x[i] = t * from_.light.x[i];
      to.light.y[i] = t * from_.light.y[i];
      to.light.z[i] = t * from_.light.z[i];
      to.variance[i] = t * t * from_.variance[i];
    }
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx)
        if (dx != 0 || dy != 0) add(y, dx, dy, to, total.data());
    for (size_t x = 0; x < w; ++x) {
      const float part = 1 / total[x];
      to.light.x[row + x] *= part;
      to.light.y[row + x] *= part;
      to.light.z[row + x] *= part;
      to.variance[row + x] *= part * part;
    }
  }

 private:
  Row row_from(ptrdiff_t i) const {
    return {&normal_.x[0] + i,     &normal_.y[0] + i,     &normal_.z[0] + i,
            &point_.x[0] + i,      &point_.y[0] + i,      &point_.z[0] + i,
            &luminance_[0] + i,    &from_.light.x[0] + i, &from_.light.y[0] + i,
            &from_.light.z[0] + i, &from_.variance[0] + i};
  }
  // The neighbours of row y that lie dx, dy steps away.
  void add(int y, int dx, int dy, Picture& to, float* total) const {
    const int v = y + dy * step_, shift = dx * step_;
    if (v < 0 || v >= from_.height) return;
    const int first = std::max(0, -shift), last = std::min(from_.width, from_.width - shift);
    const auto here = static_cast<ptrdiff_t>(y) * from_.width;
    const auto there = static_cast<ptrdiff_t>(v) * from_.width + shift;
    const float kernel = kKernel[std::abs(dx)] * kKernel[std::abs(dy)];
    add_row(row_from(here), row_from(there), &per_light_[0] + here, &per_metre_[0] + here, kernel,
            first, last, &to.light.x[0] + here, &to.light.y[0] + here, &to.light.z[0] + here,
            &to.variance[0] + here, total);
  }

  const Picture& from_;
  const Planes &normal_, &point_;
  int step_;
  // one over what a neighbour may differ in light, and lie off the plane
  std::vector<float> luminance_, per_light_, per_metre_;
};

}  // namespace

void denoise(Layers& layers, int rounds, float pixel_angle, ThreadPool* pool) {
  const Planes normal(layers.normal), point(layers.point);
  Picture now{layers.width, layers.height, Planes(layers.light), layers.variance};
  Picture next = now;
  for (int round = 0; round < rounds; ++round) {
    const Wavelet wavelet(now, normal, point, layers.apart, 1 << round, pixel_angle);
    parallel_for(pool, static_cast<size_t>(layers.height), 8, [&](size_t begin, size_t end) {
      for (size_t y = begin; y < end; ++y) wavelet.filter(static_cast<int>(y), next);
    });
    std::swap(now, next);
  }
  for (size_t i = 0; i < layers.light.size(); ++i) layers.light[i] = now.light.at(i);
  layers.variance.swap(now.variance);
}

bool shows_several(const Layers& layers, size_t pixel, float pixel_angle) {
  return layers.turned[pixel] > kTurned ||
         layers.apart[pixel] > pixel_angle * length(layers.point[pixel]);
}

V3 find_light_on(const Layers& layers, int x, int y, const V3& normal, const V3& point,
                 float pixel_angle) {
  const float per_metre = 1 / (kPlaneSigma * pixel_angle * length(point) + 1e-9f);
  V3 sum;
  float total = 0;
  for (int v = std::max(0, y - kNear); v <= std::min(layers.height - 1, y + kNear); ++v)
    for (int u = std::max(0, x - kNear); u <= std::min(layers.width - 1, x + kNear); ++u) {
      const size_t i =
          static_cast<size_t>(v) * static_cast<size_t>(layers.width) + static_cast<size_t>(u);
      if (shows_several(layers, i, pixel_angle)) continue;
      const float cosine = std::max(0.0f, dot(normal, layers.normal[i]));
      const float off = per_metre * std::fabs(dot(normal, layers.point[i] - point));
      // where no neighbour is like it, as on the rim of a ball, those that are somewhat like it
      const float alike =
          power32(cosine) * fall_off(off) + kSomewhat * cosine * fall_off(0.1f * off);
      const auto du = static_cast<float>(u - x), dv = static_cast<float>(v - y);
      const float weight = alike / (1 + du * du + dv * dv);
      sum += weight * layers.light[i];
      total += weight;
    }
  const size_t here =
      static_cast<size_t>(y) * static_cast<size_t>(layers.width) + static_cast<size_t>(x);
  return total > kLeastWeight ? (1 / total) * sum : layers.light[here];
}

}  // namespace tenon::render
