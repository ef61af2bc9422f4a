// Sky, suns and lamps.
#pragma once

#include <span>
#include <vector>

#include "tenon/render/daylight.h"
#include "tenon/render/trace/sampler.h"
#include "tenon/render/trace/vector.h"

namespace tenon::render {

// Light from one point of a lamp or sun.
struct LightSample {
  V3 towards;          // unit
  float distance = 0;  // m
  V3 irradiance;       // on a surface square to it, over pi: a white one then looks this bright
};

class LightSet {
 public:
  LightSet(std::span<const StageLight> lights, const Vec3& origin_W, const Subject& subject);

  size_t count() const { return suns_.size() + lamps_.size(); }
  // A random point of light i as seen from p.
  bool is_lamp(size_t i) const { return i >= suns_.size(); }
  LightSample sample(size_t i, const V3& p, const Pair& random) const;
  // What is seen where there is nothing: the sky, below the horizon light from the ground.
  V3 sky(const V3& along) const;
  // The same with the discs of suns.
  V3 sky_with_suns(const V3& along) const;
  V3 ambient() const { return ambient_; }
  // As find_exposure.
  float exposure() const { return exposure_; }

 private:
  struct Sun {
    V3 towards, rgb;
  };
  struct Lamp {
    V3 p, rgb;
  };
  std::vector<Sun> suns_;
  std::vector<Lamp> lamps_;
  V3 ambient_;
  float lamp_radius_ = 0.05f, exposure_ = 1;
};

}  // namespace tenon::render
