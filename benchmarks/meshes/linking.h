// How often closed curves pass through one another.
#pragma once

#include <string>
#include <vector>

#include "tenon/engine/math/vec3.h"
#include "tenon/scene/build/build.h"

namespace tenon {

using Curve = std::vector<Vec3>;  // corners of a closed polygon

// The linking number: signed passages of `a` through a surface that `b` bounds (a fan of triangles
// about its middle). It is the same as long as neither passes through the other.
int calc_linking(const Curve& a, const Curve& b);

// The pairs with a linking number other than zero, as i < j with the number, sorted.
struct Link {
  int i = 0, j = 0, number = 0;
  friend bool operator==(const Link&, const Link&) = default;
};
std::vector<Link> find_links(const std::vector<Curve>& curves);

// Rings of six links whose bodies are called prefix.../0 to 5: through the middles of the links and
// the joints between them. Middles alone would cut the corners, where another ring may lie.
std::vector<Curve> ring_curves(const scene::BuiltScene& scene, const std::string& prefix);

// How often a curve goes round the vertical line through (x, z).
int calc_winding(const Curve& curve, double x, double z);

}  // namespace tenon
