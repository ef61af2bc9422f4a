// Pairs of bodies near each other, and where they touch.
#pragma once

#include <vector>

#include "tenon/engine/collision/narrow/manifold.h"
#include "tenon/engine/solve_contact/faithful/step.h"

namespace tenon::faithful::detail {

// Colliders of two bodies, a < b by index.
struct BodyPair {
  uint32_t a = 0, b = 0;
  std::vector<ColliderPair> colliders;  // `a` of each belongs to body a
  // Nothing to do for the pair when the bodies' predictions had these numbers of changes.
  uint32_t free_a = 0xffffffffu, free_b = 0xffffffffu;
  // Normals at time n, found when first asked for.
  std::vector<Manifold> begin = {};
  // Impulses of the contact phase by place of contact, on b.
  struct Sum {
    size_t collider = 0;  // index of `colliders`
    uint32_t feature = 0;
    Vec3 impulse;
  };
  std::vector<Sum> sums = {};
  bool acted = false;  // an impulse of the contact phase passed
};

// Ascending by (a, b), one entry per pair of bodies. Pairs of two infinite bodies are left out.
std::vector<BodyPair> group_pairs(const Step& step, std::vector<ColliderPair>&& colliders);

// A point where two bodies touch, or nearly so.
struct Touching {
  Vec3 p;                // midway between the surfaces
  Vec3 n;                // unit, from a to b
  double distance = 0;   // m, < 0: overlap
  double roughness = 0;  // m, of the two shapes
  const SurfaceMaterial* material = nullptr;
  size_t collider = 0;   // index of BodyPair::colliders
  uint32_t feature = 0;  // its name there
};

// Poses of the two bodies' mass centres and axes.
struct PairPose {
  Transform X_Wa, X_Wb;
};

// Signed distance, or a bound that is > reach.
double find_distance(const Step& step, const BodyPair& pair, const PairPose& pose, double reach);

// All points at the predicted places, near ones included; empty unless the bodies overlap there or
// have contact impulses to take back.
void find_touching(const Step& step, BodyPair& pair, std::vector<Touching>& points);
// The same where the bodies are.
void find_touching_now(const Step& step, BodyPair& pair, std::vector<Touching>& points);

inline Transform transform_of(const Body& b) { return {to_matrix(b.q), b.x}; }

}  // namespace tenon::faithful::detail
