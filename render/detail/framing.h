// Where the automatic camera stands.
#pragma once

#include <span>
#include <vector>

#include "tenon/render/detail/model.h"
#include "tenon/render/detail/view.h"

namespace tenon::render {

// Everything that has to be in the picture, as balls; corners of boxes are balls without extent.
struct Framed {
  std::vector<Ball> balls;
  Aabb box;           // of them
  double extent = 1;  // m, half the diagonal of it
};

// One frame of the bodies in the order of the model.
using BodyPoses = std::vector<Pose>;

// What moves, in all of the frames, and the scenery about it. Left out: planes; scenery further
// from what moves than that is wide (a ground made of a large box must not make all else tiny);
// whatever is under a plane that faces up; and what flies away: further from the middle than 6
// times the size that the scene begins with and than 5 times the median distance of everything.
Framed frame_model(const Model& model, std::span<const BodyPoses> frames);

// From the front right, slightly above; from the side where the scene is longer that way.
StageCamera automatic_camera(const Framed& framed, double aspect);

// 1, 2 or 5 times a power of ten, at most `length`.
double round_length(double length);

}  // namespace tenon::render
