// Takes the noise out of a picture of few samples: edge-avoiding a-trous wavelets [Dammertz2010]
// with weights by the variance of each pixel [Schied2017], in space only, so that every frame of a
// film can be made alone.
#pragma once

#include <vector>

#include "tenon/engine/base/parallel.h"
#include "tenon/render/trace/vector.h"

namespace tenon::render {

// One picture, row by row from the top. Light is divided by albedo, so that textures stay sharp.
struct Layers {
  int width = 0, height = 0;
  std::vector<V3> light, albedo, normal, point;
  std::vector<float> variance;  // of the luminance of `light`
  // How far the surfaces in a pixel lie apart: their planes in m, and their normals (the variance).
  std::vector<float> apart, turned;

  Layers(int w, int h)
      : width(w),
        height(h),
        light(static_cast<size_t>(w) * static_cast<size_t>(h)),
        albedo(light.size()),
        normal(light.size()),
        point(light.size()),
        variance(light.size()),
        apart(light.size()),
        turned(light.size()) {}
};

// `rounds` wavelets reach 2^rounds - 1 pixels; `pixel_angle` in rad.
void denoise(Layers& layers, int rounds, float pixel_angle, ThreadPool* pool);

// Pixels that show several surfaces have no neighbours like them, and keep their noise. Their light
// is better taken from where each surface is seen alone.
bool shows_several(const Layers& layers, size_t pixel, float pixel_angle);
// Light near pixel x, y on the surface with this normal and point; on none like it, that of the
// pixel itself.
V3 find_light_on(const Layers& layers, int x, int y, const V3& normal, const V3& point,
                 float pixel_angle);

}  // namespace tenon::render
