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

  // What is further from `middle` than `limit`, or under a ground, is left out.
  struct UpperSide {
    Vec3 normal_W;
    double offset;
  };
  Vec3 middle;
  double limit = 1e300;  // m
  std::vector<UpperSide> grounds;
  std::vector<size_t> strays;  // bodies of the model that are too far away at some time, ascending
};

// One frame of the bodies in the order of the model.
using BodyPoses = std::vector<Pose>;

// What moves, in all of the frames, and the scenery about it. Left out: planes; scenery further
// from what moves than that is wide (a ground made of a large box must not make all else tiny);
// whatever is under a plane that faces up; and what flies away: further from the middle than 6
// times the size that the scene begins with and than 5 times the median distance of everything.
// What begins further away than 30 times the median distance does not count for that size. Where
// the middle of all goes further it is kept, up to 30 times that size: a walk is no flight.
Framed frame_model(const Model& model, std::span<const BodyPoses> frames);

// Takes more frames into what is framed, keeping few balls: those that reach further than all
// before them towards an edge of the picture. With every frame of a run, nothing is cropped that
// moves fast between the ones that `frame_model` had.
class Widening {
 public:
  // All of them outlive it.
  Widening(const Model& model, Framed& framed, double aspect);
  void add(const BodyPoses& poses);
  void finish();  // sets box, extent and strays of what is framed

 private:
  bool reaches_further(const Ball& ball);
  struct Edge {
    Vec3 normal_W;
    double stretch;  // of radii, the length of the normal
    double reach;
  };
  const Model& model_;
  Framed& framed_;
  std::vector<Edge> edges_;
};

// From the front right, slightly above; from the side where the scene is longer that way.
StageCamera automatic_camera(const Framed& framed, double aspect);

// 1, 2 or 5 times a power of ten, at most `length`.
double round_length(double length);

}  // namespace tenon::render
