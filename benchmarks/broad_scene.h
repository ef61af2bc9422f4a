// Boxes in a cubic room at constant density, for measuring the broad phase.
#pragma once

#include <algorithm>
#include <vector>

#include "tenon/engine/base/rng.h"
#include "tenon/engine/collision/broad/broad_phase.h"

namespace tenon {

// What moves how in one step.
struct BroadCase {
  const char* name;
  double ratio;         // of the largest edge to the smallest; sizes are spread evenly in 1 / size
  double speed;         // displacement per step, as a part of the body's edge, per axis up to this
  double share;         // of the bodies that move
  bool plane = false;   // a static ground plane, 2e9 m wide, that a tenth of the bodies touch
  double partners = 9;  // per body, if all were cubes; about 5 as they are
};

class BroadScene {
 public:
  BroadScene(const BroadCase& which, uint32_t count) : case_(which), rng_(42) {
    // edges: 1 / edge uniform in [1 / ratio, 1], so small bodies are the many
    std::vector<double> edges(count);
    for (double& edge : edges) edge = 1 / rng_.uniform(1 / which.ratio, 1);
    // the density at which the mean number of partners is as wanted: the sum over pairs of
    // (e_i + e_j)^3 = 2 n s3 + 6 s1 s2 over n, with s_k the sums of powers
    double s1 = 0, s2 = 0, s3 = 0;
    for (double e : edges) {
      s1 += e;
      s2 += e * e;
      s3 += e * e * e;
    }
    const double n = count;
    const double mean_volume = (2 * n * s3 + 6 * s1 * s2) / (n * n);
    const double room = n * mean_volume / which.partners;
    half_room_ = 1;
    while (8 * half_room_ * half_room_ * half_room_ < room) half_room_ *= 1.001;
    for (double edge : edges) {
      // mixed shapes: the other two edges from half to the full length
      const Vec3 half{0.5 * edge, 0.5 * edge * rng_.uniform(0.5, 1),
                      0.5 * edge * rng_.uniform(0.5, 1)};
      const Vec3 p{place(), place(), place()};
      boxes.push_back({p - half, p + half});
      velocities_.push_back(edge * Vec3{speed(), speed(), speed()});
    }
  }

  void insert_into(BroadPhase& broad_phase) {
    for (ProxyId id = 0; id < boxes.size(); ++id) broad_phase.insert(id, boxes[id]);
    if (case_.plane) {
      broad_phase.insert(static_cast<ProxyId>(boxes.size()), plane_box(), ProxyMotion::kStatic);
    }
  }
  Aabb plane_box() const { return {{-1e9, -1e9, -1e9}, {1e9, -0.8 * half_room_, 1e9}}; }

  // Moves bodies on straight lines, reflected at the walls; `moved` names those that moved.
  void step() {
    moved.clear();
    const auto share = static_cast<uint32_t>(case_.share * 1e6);
    for (ProxyId id = 0; id < boxes.size(); ++id) {
      if (share < 1000000 && rng_.below(1000000) >= share) continue;
      Vec3& v = velocities_[id];
      const Vec3 p = center(boxes[id]);
      for (int k = 0; k < 3; ++k) {
        if (p[k] * v[k] > 0 && (p[k] > half_room_ || p[k] < -half_room_)) v[k] = -v[k];
      }
      boxes[id] = {boxes[id].lo + v, boxes[id].hi + v};
      moved.push_back(id);
    }
  }

  std::vector<Aabb> boxes;
  std::vector<ProxyId> moved;

 private:
  BroadCase case_;
  Rng rng_;
  double half_room_ = 1;
  std::vector<Vec3> velocities_;

  double place() { return rng_.uniform(-half_room_, half_room_); }
  double speed() { return rng_.uniform(-case_.speed, case_.speed); }
};

// The first is the one the linearity goal is stated for.
inline const BroadCase kBroadCases[] = {
    {"all moving, sizes 1:4, 2 % of an edge per step", 4, 0.02, 1},
    {"all moving, sizes 1:4, 10 % of an edge per step", 4, 0.1, 1},
    {"all moving, sizes 1:4, an edge per step (worst case)", 4, 1, 1},
    {"all moving, sizes 1:100, 2 % of an edge per step", 100, 0.02, 1},
    {"all moving, sizes 1:4, with a ground plane", 4, 0.02, 1, true},
    {"1 % moving, sizes 1:4", 4, 0.02, 0.01},
    {"nothing moving", 4, 0.02, 0},
};

}  // namespace tenon
