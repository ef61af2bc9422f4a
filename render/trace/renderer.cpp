#include "tenon/render/trace/renderer.h"

#include <array>
#include <memory>

#include "tenon/engine/math/elementary.h"
#include "tenon/render/color.h"
#include "tenon/render/trace/denoise.h"
#include "tenon/render/trace/path.h"
#include "tenon/scene/formats/did_you_mean.h"

namespace tenon::render {
namespace {

constexpr int kTile = 16;             // px
constexpr float kBrightness = 1.25f;  // white in full light is just below the end of the curve

struct Plan {
  int samples, bounces, rounds;
};
Plan plan_for(const RenderOptions& options) {
  Plan plan{8, 1, 4};
  if (options.quality == Quality::kDraft) plan = {1, 1, 3};
  if (options.quality == Quality::kPhoto) plan = {128, 4, 3};
  if (options.samples > 0) plan.samples = options.samples;
  return plan;
}

// The filmic curve of [Narkowicz2016]: shadows keep detail, lights roll off instead of clipping.
float film_curve(float x) {
  return std::clamp(x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f), 0.0f, 1.0f);
}

// sRGB levels of linear light, by a table fine enough for 8 bits.
class Levels {
 public:
  Levels() {
    for (size_t i = 0; i < table_.size(); ++i)
      table_[i] = static_cast<uint8_t>(
          255 * to_srgb(static_cast<double>(i) / static_cast<double>(table_.size() - 1)) + 0.5);
  }
  uint8_t operator()(float linear) const {
    const float x = std::clamp(linear, 0.0f, 1.0f) * static_cast<float>(table_.size() - 1);
    return table_[static_cast<size_t>(x + 0.5f)];
  }

 private:
  std::array<uint8_t, 16384> table_{};
};

// A tent one pixel wide to either side, as a place in it with its probability.
float tent(float u) {
  const float x = 2 * u;
  return x < 1 ? std::sqrt(x) - 1 : 1 - std::sqrt(2 - x);
}

struct Lens {
  V3 right, up, forward;
  float slope_x, slope_y;  // half the picture at distance 1
  Lens(const StageCamera& camera, const RenderOptions& options)
      : right(to_v3(camera.right_W)), up(to_v3(camera.up_W)), forward(to_v3(camera.forward_W)) {
    slope_y = static_cast<float>(tan(0.5 * std::clamp(camera.fov_rad, 0.001, 3.1)));
    slope_x = slope_y * static_cast<float>(options.width) / static_cast<float>(options.height);
  }
};

V3 safe_albedo(const V3& a) {
  return {std::max(a.x, 0.02f), std::max(a.y, 0.02f), std::max(a.z, 0.02f)};
}

// Sums over the samples of one pixel.
struct PixelSum {
  V3 light, albedo, normal, point, face;
  float squares = 0, lights = 0;
  float solid = 0, plane = 0, planes = 0;  // |n|^2, n p and (n p)^2 of faces

  void add(const PathResult& seen) {
    if (!std::isfinite(luminance(seen.light))) return;  // one bad path must not spread
    const V3 a = safe_albedo(seen.albedo);
    // what the denoiser compares
    const float l = luminance({seen.light.x / a.x, seen.light.y / a.y, seen.light.z / a.z});
    light += seen.light;
    albedo += seen.albedo;
    normal += seen.normal;
    point += seen.point;
    lights += l;
    squares += l * l;
    const float d = dot(seen.face, seen.point);
    face += seen.face;
    solid += dot(seen.face, seen.face);
    plane += d;
    planes += d * d;
  }
};

// One instant in front of one lens.
class Exposure {
 public:
  Exposure(const Device& device, const Stage& stage, const StageCamera& camera,
           const RenderOptions& options, const Plan& plan)
      : width_(static_cast<float>(options.width)),
        height_(static_cast<float>(options.height)),
        geometry_(device, stage, camera.p_WE),
        lights_(stage.lights, camera.p_WE, find_subject(stage, camera)),
        lens_(camera, options) {
    const Subject subject = find_subject(stage, camera);
    path_.bounces = plan.bounces;
    path_.horizon = static_cast<float>(9 * std::max(subject.size, norm(subject.p_W - camera.p_WE)));
    path_.pixel_angle = 2 * lens_.slope_y / height_;
  }
  float pixel_angle() const { return path_.pixel_angle; }
  float brightness() const { return lights_.exposure(); }

  // Samples first ... last - 1 of pixel x, y.
  void sample(size_t x, size_t y, int first, int last, PixelSum& sum) const {
    for (int i = first; i < last; ++i) sum.add(trace(x, y, i, path_));
  }

  // Light of an edge again, every sample with the light that lies on its surface nearby.
  V3 light_edge(const Layers& layers, size_t x, size_t y, int samples) const {
    PathOptions unlit = path_;
    unlit.unlit = true;
    V3 light;
    for (int i = 0; i < samples; ++i) {
      const PathResult seen = trace(x, y, i, unlit);
      light += seen.lit ? seen.light
                        : safe_albedo(seen.albedo) * find_light_on(layers, static_cast<int>(x),
                                                                   static_cast<int>(y), seen.normal,
                                                                   seen.point, path_.pixel_angle);
    }
    return (1 / static_cast<float>(samples)) * light;
  }

 private:
  PathResult trace(size_t x, size_t y, int i, const PathOptions& options) const {
    Sampler sampler(static_cast<uint32_t>(x), static_cast<uint32_t>(y), static_cast<uint32_t>(i),
                    0);
    const Pair within = sampler.next();
    const float px = static_cast<float>(x) + 0.5f + tent(within.u);
    const float py = static_cast<float>(y) + 0.5f + tent(within.v);
    const float u = 2 * px / width_ - 1, v = 1 - 2 * py / height_;
    const V3 along =
        unit(lens_.forward + (u * lens_.slope_x) * lens_.right + (v * lens_.slope_y) * lens_.up);
    return trace_path(geometry_, lights_, options, {{}, along, 0, 1e30f}, sampler);
  }

  float width_, height_;
  Geometry geometry_;
  LightSet lights_;
  Lens lens_;
  PathOptions path_;
};

// Means of all samples into layers; variance of the mean.
Layers to_layers(const std::vector<PixelSum>& sums, const RenderOptions& options, int samples) {
  Layers layers(options.width, options.height);
  const float part = 1 / static_cast<float>(samples);
  for (size_t i = 0; i < sums.size(); ++i) {
    const PixelSum& sum = sums[i];
    layers.albedo[i] = safe_albedo(part * sum.albedo);
    const V3 light = part * sum.light, a = layers.albedo[i];
    layers.light[i] = {light.x / a.x, light.y / a.y, light.z / a.z};
    layers.normal[i] = part * sum.normal;
    layers.point[i] = part * sum.point;
    const float mean = part * sum.lights;
    const float spread = std::max(0.0f, part * sum.squares - mean * mean);
    // one sample says nothing about its spread: take it for as large as itself
    layers.variance[i] = samples > 1 ? spread / static_cast<float>(samples - 1) : mean * mean;
    const V3 n = part * sum.face;
    const float plane = part * sum.plane;
    layers.turned[i] = std::max(0.0f, part * sum.solid - dot(n, n));
    layers.apart[i] = std::sqrt(std::max(0.0f, part * sum.planes - plane * plane));
  }
  return layers;
}

// One instant, denoised: edges get the light of the surfaces that meet there.
void light_edges(const Exposure& exposure, Layers& layers, int samples, ThreadPool* pool) {
  const auto w = static_cast<size_t>(layers.width);
  const float angle = exposure.pixel_angle();
  parallel_for(pool, static_cast<size_t>(layers.height), 8, [&](size_t begin, size_t end) {
    for (size_t y = begin; y < end; ++y)
      for (size_t x = 0; x < w; ++x) {
        const size_t i = y * w + x;
        if (!shows_several(layers, i, angle)) continue;  // only these are changed, only others read
        const V3 light = exposure.light_edge(layers, x, y, samples), a = layers.albedo[i];
        layers.light[i] = {light.x / a.x, light.y / a.y, light.z / a.z};
      }
  });
}

// Tone curve and sRGB.
Image develop(const Layers& layers, float brightness) {
  Image image(layers.width, layers.height);
  const Levels levels;
  for (size_t i = 0; i < layers.light.size(); ++i) {
    const V3 light = (kBrightness * brightness) * (layers.light[i] * layers.albedo[i]);
    for (int c = 0; c < 3; ++c)
      image.rgb[3 * i + static_cast<size_t>(c)] = levels(film_curve(light[c]));
  }
  return image;
}

}  // namespace

const char* name(Quality quality) {
  return quality == Quality::kDraft ? "draft" : quality == Quality::kFilm ? "film" : "photo";
}

Result<Quality> parse_quality(const std::string& word) {
  for (const Quality q : {Quality::kDraft, Quality::kFilm, Quality::kPhoto})
    if (word == name(q)) return q;
  return Error{.message = "unknown quality" + scene::did_you_mean(word, {"draft", "film", "photo"}),
               .value = word,
               .accepted = "draft, film, photo"};
}

Status check(const RenderOptions& options) {
  for (const int size : {options.width, options.height})
    if (size < kLeastPixels || size > kMostPixels)
      return Error{.message = "the picture cannot have this size",
                   .value = std::to_string(options.width) + "x" + std::to_string(options.height),
                   .accepted = "16x16 to 8192x8192 pixels"};
  if (options.samples < 0 || options.samples > 65536)
    return Error{.message = "a pixel cannot have so many samples",
                 .value = std::to_string(options.samples),
                 .accepted = "1 to 65536"};
  return Ok{};
}

Renderer::Renderer(int threads) : pool_(std::clamp(threads, 1, ThreadPool::kMaxThreads)) {}

Image Renderer::draw(const Stage& stage, const StageCamera& camera, const RenderOptions& options) {
  return draw(std::span(&stage, 1), std::span(&camera, 1), options);
}

Image Renderer::draw(std::span<const Stage> stages, std::span<const StageCamera> cameras,
                     const RenderOptions& options) {
  const Plan plan = plan_for(options);
  const auto parts = static_cast<int>(stages.size());
  const int each = std::max(1, (plan.samples + parts - 1) / parts);
  const auto w = static_cast<size_t>(options.width), h = static_cast<size_t>(options.height);
  std::vector<PixelSum> sums(w * h);
  float pixel_angle = 0, brightness = 1;
  std::unique_ptr<Exposure> instant;
  for (int k = 0; k < parts; ++k) {
    const auto part = static_cast<size_t>(k);
    instant = std::make_unique<Exposure>(device_, stages[part], cameras[part], options, plan);
    const Exposure& exposure = *instant;
    pixel_angle = exposure.pixel_angle();
    brightness = exposure.brightness();
    const size_t tiles_x = (w + kTile - 1) / kTile, tiles_y = (h + kTile - 1) / kTile;
    parallel_for(&pool_, tiles_x * tiles_y, 1, [&](size_t tile, size_t) {
      const size_t x0 = tile % tiles_x * kTile, y0 = tile / tiles_x * kTile;
      for (size_t y = y0; y < std::min(y0 + kTile, h); ++y)
        for (size_t x = x0; x < std::min(x0 + kTile, w); ++x)
          exposure.sample(x, y, k * each, (k + 1) * each, sums[y * w + x]);
    });
  }
  Layers layers = to_layers(sums, options, each * parts);
  std::vector<PixelSum>().swap(sums);  // the denoiser needs as much again
  denoise(layers, plan.rounds, pixel_angle, &pool_);
  if (parts == 1 && plan.samples > 1) light_edges(*instant, layers, plan.samples, &pool_);
  return develop(layers, brightness);
}

}  // namespace tenon::render
