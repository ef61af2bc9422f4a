#include "tenon/render/trace/path.h"

#include "tenon/render/trace/surface.h"

namespace tenon::render {
namespace {

constexpr int kMostSurfaces = 12;     // on a path, glass included
constexpr float kBrightest = 4;       // as exposed, by way of a matt surface: no fireflies
constexpr float kUnseenShare = 0.4f;  // of the sky's light where a path is cut off

class Walk {
 public:
  Walk(const Geometry& geometry, const LightSet& lights, const PathOptions& options,
       Sampler& sampler)
      : geometry_(geometry), lights_(lights), options_(options), sampler_(sampler) {}

  PathResult run(Ray ray) {
    for (int depth = 0; depth < kMostSurfaces; ++depth) {
      Hit hit;
      if (!geometry_.find(ray, hit)) {
        miss(ray);
        break;
      }
      travelled_ += hit.distance;
      if (hit.look->glow > 0) {
        add(static_cast<float>(hit.look->glow) * to_v3(hit.look->color));
        describe(hit.normal, {1, 1, 1}, hit);
        break;
      }
      if (depth == 0) fade(ray, hit);
      if (!meet(ray, hit)) break;
    }
    return result_;
  }

 private:
  void add(const V3& light) {
    V3 more = weight_ * light;
    const float brightest = lights_.exposure() * largest(more);
    if (rough_ > 0 && brightest > kBrightest) more = (kBrightest / brightest) * more;
    result_.light += more;
  }

  void describe(const V3& normal, const V3& albedo, const Hit& hit) {
    if (described_) return;
    described_ = true;
    result_.normal = normal;
    result_.face = hit.bent;
    result_.albedo = albedo;
    result_.point = hit.point;
  }

  void miss(const Ray& ray) {
    add(sharp_ ? lights_.sky_with_suns(ray.along) : lights_.sky(ray.along));
    if (described_) return;
    described_ = true;
    result_.point = 1e6f * ray.along;
  }

  // Endless ground ends in haze.
  void fade(const Ray& ray, const Hit& hit) {
    if (hit.shape == nullptr || !std::holds_alternative<Plane>(*hit.shape)) return;
    const float share = hit.distance / options_.horizon;
    const float haze = 1 - std::exp(-share * share);
    const V3 level = unit({ray.along.x, 0.01f, ray.along.z});
    result_.light += haze * lights_.sky(level);
    weight_ = (1 - haze) * weight_;
  }

  // One surface; true to go on along `ray`.
  bool meet(Ray& ray, const Hit& hit) {
    // what a pixel covers, longer where it is seen at a slant; by way of a matt surface, grain does
    // not matter
    const float slant = std::max(std::fabs(dot(hit.normal, ray.along)), 0.02f);
    const Finish finish = rough_ > 0 ? plain_finish(hit)
                                     : find_finish(hit, options_.pixel_angle * travelled_ / slant);
    const auto clear = static_cast<float>(hit.look->transparency);
    if (clear > 0 && sampler_.next_one() < clear) return pass_glass(ray, hit, finish);
    return bounce(ray, hit, finish);
  }

  bool pass_glass(Ray& ray, const Hit& hit, const Finish& finish) {
    const bool inside = dot(hit.normal, ray.along) > 0;
    // what glass of this depth swallows: its colour is that of four grains of thickness
    if (inside) {
      const float depth = hit.distance / (4 * static_cast<float>(hit.look->pattern_size));
      weight_ = weight_ * V3{std::pow(std::max(finish.color.x, 1e-3f), depth),
                             std::pow(std::max(finish.color.y, 1e-3f), depth),
                             std::pow(std::max(finish.color.z, 1e-3f), depth)};
    }
    const V3 outer = inside ? -hit.bent : hit.bent;
    const V3 tilted = unit(outer + finish.tilt);
    const float alpha = finish.roughness * finish.roughness;
    // what is behind glass is too scattered to say which samples belong together
    describe(tilted, {1, 1, 1}, hit);
    if (options_.unlit) return result_.lit = false;
    if (!inside) add_highlights(hit, tilted, alpha, -ray.along);
    const V3 n = sample_facet(tilted, -ray.along, alpha, sampler_.next());
    const auto index = static_cast<float>(hit.look->refraction);
    const float ratio = inside ? index : 1 / index;
    const float c = std::max(-dot(n, ray.along), 1e-4f);
    const float mirrored = fresnel(c, ratio);
    V3 along;
    if (sampler_.next_one() < mirrored) {
      along = unit(ray.along + 2 * c * n);
    } else {
      const float ct = std::sqrt(std::max(0.0f, 1 - ratio * ratio * (1 - c * c)));
      along = unit(ratio * ray.along + (ratio * c - ct) * n);
    }
    sharp_ = false;  // lamps were counted as highlights
    ray = leave(hit, along);
    return true;
  }

  // Lamps in the surface of glass: a path would meet them too seldom.
  void add_highlights(const Hit& hit, const V3& normal, float alpha, const V3& to_eye) {
    Coating coat;
    coat.normal = normal;
    coat.mirror = {0.04f, 0.04f, 0.04f};
    coat.alpha = std::max(alpha, kSharpAlpha);
    for (size_t i = 0; i < lights_.count(); ++i) add_lamp(i, hit, coat, to_eye);
  }

  bool bounce(Ray& ray, const Hit& hit, const Finish& finish) {
    const V3 to_eye = -ray.along;
    V3 n = hit.bent;
    if (dot(hit.normal, to_eye) < 0) n = -n;
    n = unit(n + finish.tilt);
    // what faces away only by its bent normal is seen edge on
    if (const float c = dot(n, to_eye); c < 0.02f) n = unit(n + (0.02f - c) * to_eye);
    const Coating coating = make_surface(hit, finish, n);
    describe(n, coating.matt + coating.mirror, hit);
    if (options_.unlit) return result_.lit = false;
    for (size_t i = 0; i < lights_.count(); ++i) add_lamp(i, hit, coating, to_eye);
    if (rough_ >= options_.bounces) {
      add_unseen(coating, to_eye);
      return false;
    }
    const float choice = sampler_.next_one();
    const Bounce next = sample_bounce(coating, to_eye, choice, sampler_.next());
    if (!(largest(next.weight) > 0)) return false;
    weight_ = weight_ * next.weight;
    sharp_ = next.sharp;
    if (!next.sharp) ++rough_;
    ray = leave(hit, keep_outside(hit, to_eye, next.along));
    return dead_ends();
  }

  // Bent normals may send light into the body; the real surface is bent as well, and light goes on
  // outside.
  static V3 keep_outside(const Hit& hit, const V3& to_eye, const V3& along) {
    const float out = dot(along, hit.normal);
    return out * dot(to_eye, hit.normal) < 0 ? along - (2 * out) * hit.normal : along;
  }

  // Where a path is cut off: a share of the sky, and what a mirror would see of it.
  void add_unseen(const Coating& coating, const V3& to_eye) {
    const V3& n = coating.normal;
    const float c = std::max(dot(n, to_eye), 0.0f);
    add(kUnseenShare * (coating.matt * lights_.ambient()) +
        mirrored(coating, c) * lights_.sky(2 * c * n - to_eye));
  }

  // Dim paths end at random, the rest counts for them.
  bool dead_ends() {
    const float strength = largest(weight_);
    if (rough_ < 2 || strength > 0.3f) return strength > 1e-4f;
    const float p = std::max(strength / 0.3f, 0.05f);
    if (sampler_.next_one() >= p) return false;
    weight_ = (1 / p) * weight_;
    return true;
  }

  void add_lamp(size_t i, const Hit& hit, const Coating& coating, const V3& to_eye) {
    const LightSample lamp = lights_.sample(i, hit.point, sampler_.next());
    Coating surface = coating;
    // paths never meet lamps, so that smooth surfaces show them as if a little rough
    if (lights_.is_lamp(i)) surface.alpha = std::max(surface.alpha, kSharpAlpha);
    const V3 share = reflected(surface, to_eye, lamp.towards);
    if (!(largest(share) > 0)) return;
    Ray shadow = leave(hit, lamp.towards);
    shadow.far = lamp.distance;
    const V3 open = geometry_.find_light(shadow);
    add(share * open * lamp.irradiance);
  }

  // A ray that starts beside the surface, on the side it goes to.
  Ray leave(const Hit& hit, const V3& along) const {
    const float size = std::max(
        {std::fabs(hit.point.x), std::fabs(hit.point.y), std::fabs(hit.point.z), hit.distance});
    const float side = dot(along, hit.normal) > 0 ? 1.0f : -1.0f;
    return {hit.point + (4e-6f * size * side) * hit.normal, along, 1e-6f * size, 1e30f};
  }

  const Geometry& geometry_;
  const LightSet& lights_;
  const PathOptions& options_;
  Sampler& sampler_;
  PathResult result_;
  V3 weight_{1, 1, 1};
  float travelled_ = 0;
  int rough_ = 0;
  bool sharp_ = true, described_ = false;
};

}  // namespace

PathResult trace_path(const Geometry& geometry, const LightSet& lights, const PathOptions& options,
                      Ray ray, Sampler& sampler) {
  return Walk(geometry, lights, options, sampler).run(ray);
}

}  // namespace tenon::render
