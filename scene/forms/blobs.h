// Smooth solids as implicit surfaces: bars and ellipsoids that flow into one another.
#pragma once

#include <vector>

#include "tenon/engine/math/vec3.h"
#include "tenon/scene/forms/surface.h"

namespace tenon::scene {

// One piece of a solid, added to those before it or taken away from them.
struct Blob {
  enum class Kind { kBar, kEllipsoid };
  Kind kind = Kind::kBar;
  Vec3 a, b;              // ends of a bar; centre and half axes of an ellipsoid
  double ra = 0, rb = 0;  // radii of a bar at its ends
  double blend = 0.01;    // m: over this distance it flows into the others
  bool taken_away = false;
};

Blob bar(const Vec3& a, double ra, const Vec3& b, double rb, double blend = 0.01);
Blob ball(const Vec3& centre, double radius, double blend = 0.01);
Blob ellipsoid(const Vec3& centre, const Vec3& half_axes, double blend = 0.01);
Blob hollow(Blob blob);

// About the signed distance, with its gradient: exact at the surface of a single piece, and with a
// gradient of about 1 near it.
struct FieldSample {
  double value = 0;
  Vec3 gradient;
};

class BlobField {
 public:
  explicit BlobField(std::vector<Blob> blobs);
  FieldSample sample(const Vec3& p) const;
  Vec3 low() const { return low_; }  // the box around the solid
  Vec3 high() const { return high_; }

 private:
  struct Bound {
    Vec3 centre;
    double radius;
  };
  std::vector<Blob> blobs_;
  std::vector<Bound> bounds_;
  Vec3 low_, high_;
};

// The surface where the field is 0, cut into triangles with edges of about `edge`.
Surface polygonise(const BlobField& field, double edge);

}  // namespace tenon::scene
