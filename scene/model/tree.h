// A model as URDF and MJCF have it: links that hang on one another by freedoms. This is what both
// importers make first; to_document.h makes bodies and joints of it.
//
// A link's frame stands in that of its parent at X_PL; then its freedoms are applied one after the
// other, each said in the link's own frame as all of them are zero [Todorov2012, sec. III]:
//   X_WL = X_WP X_PL T_1(q_1) ... T_n(q_n)                                              (1)
//   hinge: T(q) = translate(anchor) rotate(axis, q) translate(-anchor)
//   slide: T(q) = translate(q axis)
//   ball:  T(q) = translate(anchor) rotate(q) translate(-anchor)
//   free:  X_WL itself is given; it has no parent but the world
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tenon/engine/math/transform.h"
#include "tenon/scene/document/document.h"
#include "tenon/scene/model/report.h"

namespace tenon::scene::model {

enum class DofKind { kHinge, kSlide, kBall, kFree };

struct Dof {
  std::string name;
  DofKind kind = DofKind::kHinge;
  Vec3 axis{0, 0, 1};  // unit, link frame
  Vec3 anchor;         // m, link frame
  JointLaw law;        // its coordinate is q
  double q = 0, rate = 0;
  double ref = 0;               // what the file calls q = 0
  Quat turn;                    // of a ball
  Pose pose;                    // of a free link, in its parent's frame
  Vec3 velocity;                // m/s, of the origin of a free link, in its parent's axes
  Vec3 spin;                    // rad/s, of a ball or a free link, in its own axes
  std::optional<double> swing;  // rad, of a ball
  double effort = 0;            // N or N m: what a motor may do; 0: not said
  bool follows = false;         // another joint, by a gear: it needs no motor of its own
  Place place;
};

struct Inertial {
  double mass = 0;  // kg
  Vec3 com;         // m, link frame
  Mat3 inertia{};   // kg m^2, about com, link axes
};

struct Link {
  std::string name;
  int parent = -1;  // index of one before it; -1: the world
  Pose X_PL;
  std::vector<Dof> dofs;
  std::string fixed_name;  // of the joint that holds a link without freedoms
  std::optional<Inertial> inertial;
  std::vector<Part> parts;
  bool kinematic = false;  // moved by others: stands where it is
  bool gravity = true;
  Place place;
};

struct Tree {
  std::vector<Link> links;   // parents before children
  bool static_base = false;  // a link with mass on the world, without freedoms: static, else a body
                             // that a rigid joint holds, so that its mass stays in the scene
};

// Where a link is and how it moves, in the axes of the model.
struct Moving {
  Pose X_WL;
  Vec3 v, w;  // m/s of the link frame's origin, rad/s
};
struct Placed : Moving {
  std::vector<Moving> between;  // the same after each of its freedoms
};
// By equation (1), for the q and the rates of the freedoms.
std::vector<Placed> place(const Tree& tree);
// The same for q = 0, without rates.
std::vector<Placed> place_at_zero(const Tree& tree);

// Whether a link stands still: it hangs on the world without a freedom in between and weighs
// nothing, or the base is static.
std::vector<bool> find_immovable(const Tree& tree);

// Makes the links without mass and without freedoms parts of their parents, or with `all` every
// link without freedoms that has a parent. Tells which.
void merge_fixed(Tree& tree, bool all, Report& report);

// The rotation that takes x to the unit vector u by the shortest way.
Quat x_to(const Vec3& u);

}  // namespace tenon::scene::model
