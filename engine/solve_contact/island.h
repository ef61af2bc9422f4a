// Bodies that touch one another, directly or through others, and the three solves of a step that
// concern them: collisions, contacts, overlaps. Equations, order and reasons: docs/theory/contacts.md;
// numbers in brackets refer to that page.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tenon/engine/bodies/body.h"

namespace tenon {

// Joints that hold bodies of an island, as contacts see them.
class JointedBodies {
 public:
  virtual ~JointedBodies() = default;
  // Velocities of all moving bodies -> the nearest ones, in kinetic energy, that the joints allow.
  // `rates`: bodies that are moved from outside move; otherwise everything that is not in `motion`
  // stands still.
  virtual void project(std::span<Motion> motion, bool rates) = 0;
};

inline constexpr uint32_t kNoGroup = 0xffffffffu;

struct IslandBody {
  double inv_mass = 0;  // zero for what contacts do not move
  Mat3 inv_I{};         // world axes
  Vec3 a, alpha;        // what forces alone would do: accelerations
  double mass = 0;
  uint32_t slot = 0;
  uint32_t group = kNoGroup;
  uint32_t place = 0;   // of its six columns in the group's answer, where it has one
};

// A point of a contact patch.
struct IslandPoint {
  Vec3 rA, rB;       // the point, from the mass centres
  double gap = 0;    // m, signed, at the begin of the step
  Vec3 p;            // impulse on B of the running solve: along normal, first, second tangent
  Vec3 hit;          // that of the collision phase
  double late = 0;   // s into the step at which it was hit
  double least = 0;  // m/s or m: the least normal rate that the running solve asks for
  // symmetric answer of the relative velocity to p: nn, nt1, nt2, t1t1, t1t2, t2t2
  std::array<double, 6> K{};
};

// Points that share a normal.
struct IslandPatch {
  uint32_t a = 0, b = 0;  // bodies of the island
  uint32_t first = 0, count = 0;
  uint32_t contact = 0;  // where it comes from
  Vec3 n, t1, t2;        // from a to b
  double restitution = 0, static_friction = 0, sliding_friction = 0;
  double rolling = 0, spinning = 0;  // m
  Vec3 drift;                        // velocity of b's surface along itself, relative to a's
  Vec3 couple;                       // N m s on b: about n, t1, t2
  std::array<double, 3> inv_couple{};
};

struct IslandGroup {
  JointedBodies* joints = nullptr;
  uint32_t first = 0, count = 0;  // bodies [first, first + count) of the island
  // By local index of the mechanism: which body of the island.
  std::vector<uint32_t> order;
  // Answer of the first `columns` bodies to impulses on them with all joints held, 6 columns each
  // of 6 * columns numbers; empty: contacts see bodies as if they were free, and joints take their
  // turn after every sweep.
  uint32_t columns = 0;
  std::vector<double> answer;
};

struct IslandSettings {
  double h = 0;
  double gravity = 0;       // m/s^2, for scale
  double tolerance = 1e-6;  // of size
  int max_sweeps = 60;
};

struct IslandResult {
  int sweeps = 0;
  double residual = 0;  // m/s: what the last sweep still changed
};

class Island {
 public:
  std::vector<IslandBody> bodies;
  std::vector<Motion> motion;  // of the bodies; velocities, or displacements while overlaps go
  std::vector<IslandPatch> patches;
  std::vector<IslandPoint> points;
  std::vector<IslandGroup> groups;

  void clear();
  // After everything has been filled in: answers of groups and points.
  void prepare();

  // Collisions: motion holds velocities at the begin of the step. Returns whether anything was hit;
  // then `hit` and `late` of the points are set. Of groups only the bodies in contact are right
  // afterwards.
  bool collide(const IslandSettings& settings);
  // Contacts: motion holds the velocities that forces alone would leave at the end of the step;
  // p of the points a first guess. Changes both.
  IslandResult resist(const IslandSettings& settings);
  // Overlaps: motion is zero and becomes displacements that take away what `gap` (given by the
  // caller, where the bodies are now) is less than zero.
  IslandResult separate(const IslandSettings& settings);

  // The wrench of impulses on a body, from all points: `part` picks the impulse of a point.
  template <class Part>
  void add_wrenches(std::span<Wrench> wrenches, const Part& part) const {
    for (const IslandPatch& c : patches) {
      for (uint32_t i = c.first; i < c.first + c.count; ++i) {
        const Vec3 q = part(points[i]);
        const Vec3 P = q.x * c.n + q.y * c.t1 + q.z * c.t2;
        wrenches[c.a].force -= P;
        wrenches[c.a].torque -= cross(points[i].rA, P);
        wrenches[c.b].force += P;
        wrenches[c.b].torque += cross(points[i].rB, P);
      }
    }
  }

 private:
  Motion answer_of(uint32_t row, uint32_t column, const Vec3& f, const Vec3& t) const;
  void push(uint32_t body, const Vec3& f, const Vec3& t);
  void push_pair(const IslandPatch& c, const IslandPoint& x, const Vec3& dp);
  Vec3 rate_of(const IslandPatch& c, const IslandPoint& x) const;
  Vec3 point_answer(const IslandPatch& c, const IslandPoint& x, const Vec3& d) const;
  double resist_point(const IslandPatch& c, IslandPoint& x);
  double resist_couple(IslandPatch& c);
  double push_normal(const IslandPatch& c, IslandPoint& x);
  bool closes(const IslandPatch& c, double h) const;
  void collide_patch(IslandPatch& c, const IslandSettings& settings);
  void project_groups(bool rates);
  void project_group(const IslandGroup& g, bool rates);
  void make_answer(IslandGroup& g);

  std::vector<Motion> local_;
  std::vector<uint32_t> hit_order_;
};

}  // namespace tenon
