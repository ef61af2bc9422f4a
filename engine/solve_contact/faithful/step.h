// A whole step in the order of [Weinstein2006, sec. VI]: collisions, velocities, contacts together
// with joints, positions; after [Guendelman2003] where contacts are concerned.
//
//   x_n+1 = x_n + h v,  q_n+1 = exp(h w) q_n                                                    (1)
// is both the prediction and the move, so what was predicted is what happens. With
// Settings::free_rotation a constant is added to w there, such that a free body turns as it should.
//
//   A  collisions  bodies predicted by (1) with the forces of the step; impulses with restitution
//                  and friction change the velocities *before* these forces, so a body at rest has
//                  nothing to bounce with, whatever its restitution
//   B  velocities  forces
//   C  contacts    level by level of the contact graph, an inelastic part of each approach at a
//                  time, and the joints of the level with them; then once more bottom-up with lower
//                  levels infinitely heavy (shock propagation)
//   D  positions   (1); what still overlaps is pushed out, without velocity
// After A, B and D joints take back the velocities that they do not allow (post-stabilization).
//
// Theory, switches and departures: docs/theory/contacts-faithful.md.
// Everything runs in a fixed order of bodies, pairs and joints: the same input gives the same bits.
#pragma once

#include <span>
#include <vector>

#include "tenon/engine/contact/material.h"
#include "tenon/engine/geometry/shape.h"
#include "tenon/engine/solve_contact/faithful/body.h"
#include "tenon/engine/solve_contact/faithful/settings.h"

namespace tenon::faithful {

struct Collider {
  const Shape* shape = nullptr;
  Transform X_CS;     // shape frame in the body's axes, from the centre of mass
  uint32_t body = 0;  // index of Step::bodies
  double margin = 0;  // m; points are taken up to twice the smaller margin of a pair
  double radius = 0;  // m, of a sphere about the shape frame's origin
  double size = 0;    // m, smallest extent
};

struct ColliderPair {
  uint32_t a = 0, b = 0;  // indices of Step::colliders
  SurfaceMaterial material;
};

// Joints as the contact sweep sees them. Impulses act at time n; they see the true masses of
// bodies, held or not. Infinite bodies take no part.
class Joints {
 public:
  virtual ~Joints() = default;
  virtual size_t count() const = 0;
  // Indices of Step::bodies; kNoBody: the world.
  struct Ends {
    uint32_t parent = kNoBody, child = kNoBody;
  };
  virtual Ends ends(size_t joint) const = 0;
  // Finds and applies the impulse that closes the joint at the end of the step, or the part
  // epsilon in (0, 1] of it.
  virtual void prestabilize(std::span<Body> bodies, size_t joint, double epsilon) = 0;
  // Which mechanisms (bodies that joints connect) are meant: all, or those with a body so marked.
  enum class Which : uint8_t { kAll, kHit, kPushed };
  // Takes relative velocities in held directions away, at the present positions.
  virtual void post_stabilize(std::span<Body> bodies, Which which) = 0;
  // The bodies have been moved to time n+1.
  virtual void moved(std::span<const Body> bodies) = 0;
  // Moves jointed bodies together, positions only.
  virtual void repair(std::span<Body> bodies, Which which) = 0;
  // Remembers what the joints have done so far, and goes back to that.
  virtual void save() = 0;
  virtual void restore() = 0;
};

// What the step asks of its world.
class Surroundings {
 public:
  virtual ~Surroundings() = default;
  // Pairs of colliders that may touch anywhere between the bodies' places now and predicted; each
  // once, in a stable order.
  virtual void find_pairs(std::span<const Body> bodies, std::vector<ColliderPair>& pairs) = 0;
  // Phase B: changes v, L and w of the finite bodies by the forces of the step, clears dv and dL
  // and sets gyro for what comes.
  virtual void apply_forces(std::span<Body> bodies) = 0;
};

// What infinite bodies gave, those held for the moment included: N s, N m s about the world
// origin, J.
struct Account {
  Vec3 impulse, angular_impulse;
  double work_J = 0;
  // Part of it that lower levels gave while they were held: what shock propagation breaks of the
  // conservation of momentum.
  Vec3 held_impulse;
};

struct Counts {
  int collisions = 0, contacts = 0, shocks = 0, pushes = 0;  // impulses on pairs of bodies
  int pairs = 0;   // of bodies near each other, in the contact phase
  int levels = 0;  // of the contact graph
  int contact_sweeps = 0;
  int joint_sweeps = 0;  // of pre-stabilization
};

struct Step {
  double h = 0;
  Settings settings;
  std::vector<Body> bodies;
  std::vector<Collider> colliders;
  Joints* joints = nullptr;  // may be missing
  Surroundings* surroundings = nullptr;
  // results
  Account account;
  Counts counts;
};

// Bodies come with state, mass, dv and dL, and ends where they are infinite; they leave at time
// n+1. Does nothing unless h is finite and > 0.
void run(Step& step);

}  // namespace tenon::faithful
