// How surfaces throw light back: matt below a smooth or rough coat, metal, glass.
// Rough coats and metals are microfacets with the distribution GGX [Walter2007], sampled by
// visible normals [Heitz2018]; Fresnel's law by Schlick's formula [Schlick1994], for glass exactly.
#pragma once

#include "tenon/render/trace/pattern.h"
#include "tenon/render/trace/sampler.h"

namespace tenon::render {

struct Coating {
  V3 normal;           // unit, towards the side that the light is seen from
  V3 matt;             // albedo of the matt part
  V3 mirror;           // share mirrored at normal incidence
  float alpha = 0.1f;  // roughness of GGX
};

// Below this roughness lamps are seen in the mirror image only, above it by their own light.
inline constexpr float kSharpAlpha = 0.02f;

Coating make_surface(const Hit& hit, const Finish& finish, const V3& normal);

// Times the light that arrives, both directions unit and away from the surface; the cosine is in it
// and pi is left out as in LightSample.
V3 reflected(const Coating& surface, const V3& to_eye, const V3& to_light);
// The part that the coat mirrors, seen under an angle with this cosine.
V3 mirrored(const Coating& surface, float cosine);

struct Bounce {
  V3 along;            // unit; zero where no light is thrown
  V3 weight;           // by which light from there counts
  bool sharp = false;  // like a mirror: lamps are seen that way
};
Bounce sample_bounce(const Coating& surface, const V3& to_eye, float choice, const Pair& random);

// A facet of glass about `normal`, tilted at random by its roughness.
V3 sample_facet(const V3& normal, const V3& to_eye, float alpha, const Pair& random);

// Share of light that glass mirrors; `ratio` is the index of refraction of the side the light comes
// from over that of the other, `c` the cosine to the normal. 1 for total reflection.
float fresnel(float c, float ratio);

}  // namespace tenon::render
