// Signed distance of a closed mesh on a sparse grid: bricks of cells along the surface, coarser
// ones away from it. Made once per mesh, and cheap to ask.
#pragma once

#include <cstdint>
#include <vector>

#include "tenon/engine/math/aabb.h"
#include "tenon/engine/math/vec3.h"

namespace tenon {

class DistanceField {
 public:
  struct Sample {
    double distance = 0;  // m, negative inside
    Vec3 gradient;        // of the interpolated distance; about a unit vector
  };

  double cell() const { return cell_; }    // m, edge of the finest cells
  double error() const { return error_; }  // m, |value - distance| within band() is at most this
  double band() const { return band_; }    // m: so far from the surface cells are finest
  const Aabb& bounds() const { return bounds_; }

  // Of the point q in the shape frame. Beyond the band a value is still within the error of its
  // coarser cell, and never of the wrong sign; outside the bounds it is a lower bound.
  double value(const Vec3& q) const;
  Sample sample(const Vec3& q) const;

 private:
  double cell_ = 0, error_ = 0, band_ = 0;
  Aabb bounds_;
};

}  // namespace tenon
