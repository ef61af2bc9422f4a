// How springs, dampers, rods and ropes look.
#pragma once

#include <map>
#include <string_view>

#include "tenon/render/detail/model.h"
#include "tenon/render/stage.h"

namespace tenon::render {

// A connection with its ends on the bodies.
struct LinkEnds {
  scene::ConnectionType type = scene::ConnectionType::kSpring;
  std::string name;
  uint32_t a = kNoBody, b = kNoBody;  // kNoBody: the world
  Vec3 p_A, p_B;                      // m, in their frames
  double length = 1;                  // m: at rest, or of the rope
  double radius = 0.01;               // m, of the coil, cylinder, rod or rope
  Vec3 down_W{0, -1, 0};              // unit, where it hangs; zero without gravity
};

// A joint with its frames on the bodies.
struct JointEnds {
  scene::JointType type = scene::JointType::kPoint;
  std::string name;
  uint32_t parent = kNoBody, child = kNoBody;
  Pose X_BP, X_BC;
  double size = 0.1;  // m, of its marker
};

struct Mechanism {
  std::vector<LinkEnds> links;
  std::vector<JointEnds> joints;  // balls and rigid connections are among them; no gears
};

// `extent` is half the diagonal of the scene, m: nothing gets thinner than can be seen.
Mechanism find_mechanism(const scene::Document& flat, const RunRecord& run, double extent);

// Adds what a connection looks like between two points of the world.
void draw_link(const LinkEnds& link, const Vec3& from_W, const Vec3& to_W, Stage& stage);

// A cylinder about the line from one point to the other; nothing where they are the same.
void draw_cylinder(const StageSolid& like, const Vec3& from_W, const Vec3& to_W, double radius,
                   std::vector<StageSolid>& solids);

}  // namespace tenon::render
