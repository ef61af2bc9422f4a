// Light and colour of surfaces: Lambert's law with a soft highlight, in linear light.
#pragma once

#include <string>
#include <vector>

#include "tenon/engine/math/vec3.h"
#include "tenon/scene/document/document.h"

namespace tenon::render {

struct Surface {
  scene::Color color;  // sRGB
  double opacity = 1;  // 0 ... 1
  double roughness = 0.5;
};

// What falls on a place: parallel light from some directions and light from everywhere.
struct Illumination {
  struct Ray {
    Vec3 to_light_W;  // unit
    Vec3 rgb;         // linear
  };
  std::vector<Ray> rays;
  Vec3 ambient;  // linear rgb
  double exposure = 1;
};

class Lighting {
 public:
  // The scene's lights; daylight where it has none. A little light comes from everywhere always.
  explicit Lighting(const scene::Document& document);
  // Point lights count with their direction and strength there, rounded, so that neighbours share
  // their gradients.
  Illumination at(const Vec3& p_W) const;
  // Direction of travel of the strongest sun; zero when there is none.
  Vec3 sun_W() const { return sun_W_; }

 private:
  struct PointLight {
    Vec3 p_W, rgb;
  };
  Illumination everywhere_;
  std::vector<PointLight> points_;
  Vec3 sun_W_;
};

// sRGB colour of a surface with this normal, seen from `to_eye_W` (both unit).
scene::Color shade(const Surface& surface, const Illumination& light, const Vec3& normal_W,
                   const Vec3& to_eye_W);

// "#rrggbb"
std::string hex(const scene::Color& color);
scene::Color mix(const scene::Color& a, const scene::Color& b, double share_of_b);

}  // namespace tenon::render
