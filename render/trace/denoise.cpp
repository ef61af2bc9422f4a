#include "tenon/render/trace/denoise.h"

namespace tenon::render {
namespace {

constexpr float kLightSigma = 2.5f;  // standard deviations that count as noise
constexpr float kPlaneSigma = 3.0f;  // pixels that a neighbour may lie off the tangent plane
// 3 x 3 taps instead of the 5 x 5 of the B3 spline: a third of the work, and one round more reaches
// as far.
constexpr float kKernel[2] = {0.5f, 0.25f};

// exp(-x) for x >= 0, a little wider in its tail, which does not matter to a weight.
float fall_off(float x) {
  const float s = 1 + x * (0.25f + x * 0.03125f);
  const float s2 = s * s;
  return 1 / (s2 * s2);
}

float power32(float x) {
  for (int i = 0; i < 5; ++i) x *= x;
  return x;
}

class Wavelet {
 public:
  Wavelet(const Layers& layers, int step, float pixel_angle)
      : layers_(layers), step_(step), pixel_angle_(pixel_angle), luminance_(layers.light.size()) {
    for (size_t i = 0; i < luminance_.size(); ++i) luminance_[i] = luminance(layers.light[i]);
    smooth_variance();
  }

  void filter(int x, int y, V3& light_out, float& variance_out) const {
    const size_t here = index(x, y);
    const V3 n = layers_.normal[here], p = layers_.point[here];
    const float l = luminance_[here];
    const float sigma = kLightSigma * std::sqrt(std::max(variance_[here], 1e-8f)) + 1e-4f;
    const float reach = kPlaneSigma * pixel_angle_ * length(p) * static_cast<float>(step_) + 1e-9f;
    V3 sum = 0.25f * layers_.light[here];
    float total = 0.25f, variance = total * total * layers_.variance[here];
    for (int dy = -1; dy <= 1; ++dy) {
      const int v = y + dy * step_;
      if (v < 0 || v >= layers_.height) continue;
      for (int dx = -1; dx <= 1; ++dx) {
        const int u = x + dx * step_;
        if (u < 0 || u >= layers_.width || (dx == 0 && dy == 0)) continue;
        const size_t there = index(u, v);
        const float cn = dot(n, layers_.normal[there]);
        const float wn = power32(std::clamp(cn, 0.0f, 1.0f));
        if (!(wn > 1e-3f)) continue;
        const float off = std::fabs(dot(n, layers_.point[there] - p)) / reach;
        const float dl = std::fabs(luminance_[there] - l) / sigma;
        const float w = kKernel[std::abs(dx)] * kKernel[std::abs(dy)] * wn * fall_off(off + dl);
        sum += w * layers_.light[there];
        variance += w * w * layers_.variance[there];
        total += w;
      }
    }
    light_out = (1 / total) * sum;
    variance_out = variance / (total * total);
  }

 private:
  size_t index(int x, int y) const {
    return static_cast<size_t>(y) * static_cast<size_t>(layers_.width) + static_cast<size_t>(x);
  }
  // Of few samples the variance is itself noise: mean of the neighbours, along rows and then across.
  void smooth_variance() {
    const auto w = static_cast<size_t>(layers_.width), h = static_cast<size_t>(layers_.height);
    std::vector<float> rows(w * h);
    const auto mean = [](const float* at, size_t i, size_t count, size_t stride) {
      const bool before = i > 0, after = i + 1 < count;
      const float sum = *at + (before ? *(at - stride) : 0) + (after ? *(at + stride) : 0);
      return before && after ? sum * (1.0f / 3) : sum / (1.0f + before + after);
    };
    for (size_t y = 0; y < h; ++y)
      for (size_t x = 0; x < w; ++x)
        rows[y * w + x] = mean(layers_.variance.data() + y * w + x, x, w, 1);
    variance_.resize(w * h);
    for (size_t y = 0; y < h; ++y)
      for (size_t x = 0; x < w; ++x) variance_[y * w + x] = mean(rows.data() + y * w + x, y, h, w);
  }

  const Layers& layers_;
  int step_;
  float pixel_angle_;
  std::vector<float> luminance_, variance_;
};

}  // namespace

void denoise(Layers& layers, int rounds, float pixel_angle, ThreadPool* pool) {
  std::vector<V3> light(layers.light.size());
  std::vector<float> variance(layers.light.size());
  for (int round = 0; round < rounds; ++round) {
    const Wavelet wavelet(layers, 1 << round, pixel_angle);
    parallel_for(pool, static_cast<size_t>(layers.height), 8, [&](size_t begin, size_t end) {
      for (size_t y = begin; y < end; ++y)
        for (size_t x = 0; x < static_cast<size_t>(layers.width); ++x) {
          const size_t i = y * static_cast<size_t>(layers.width) + x;
          wavelet.filter(static_cast<int>(x), static_cast<int>(y), light[i], variance[i]);
        }
    });
    layers.light.swap(light);
    layers.variance.swap(variance);
  }
}

}  // namespace tenon::render
