// The joints of one mechanism as forces: constraint forces at the level of accelerations, laws
// along freedoms, projections of positions and velocities, answers to loads. Equations and sources:
// docs/theory/force.md; numbers in brackets refer to that page.
//
// All arrays are by body slot or joint slot of the world; only those of the mechanism are touched,
// so that mechanisms may be worked on side by side.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tenon/engine/mechanism/block_lu.h"
#include "tenon/engine/mechanism/mechanism.h"
#include "tenon/engine/solve_force/joint_rows.h"
#include "tenon/engine/solve_force/row_law.h"
#include "tenon/engine/solve_force/settings.h"

namespace tenon {

// What the joints of a mechanism are made of; constant between edits.
struct ForceJointSource {
  std::span<const JointModel> models;  // by joint slot
  std::span<const BodyMass> masses;    // by body slot
  std::span<const double> sizes;       // m, by joint slot: joint errors are measured against it
};

// Whether limits throw back by their restitution.
enum class Bouncing : uint8_t { kAllowed, kOver };

class MechanismForces {
 public:
  // Keeps what it needs of the mechanism; spans of `source` must outlive it.
  void reset(const Mechanism& mechanism, const ForceJointSource& source,
             const ForceSettings& settings);

  // Where and how fast everything is; `joints`: parts of laws, and turns counted `since` ago. Every
  // call below is about this placement.
  void place(std::span<const BodyState> state, std::span<const JointState> joints, double since);

  // Adds the forces of all joints to the loads on the bodies, gravity and gyroscopic terms and all
  // else being in them or added here. `known`: accelerations of bodies that scripts move.
  void add_joint_forces(std::span<const Acceleration> known, std::span<Wrench> load);
  // Afterwards: power that laws and moved bodies put in, W; force of each row.
  double power() const { return power_; }
  void store_forces(std::span<JointState> joints) const;

  // Changes of velocity by impulses (accelerations by forces) on the bodies, joints in the loop.
  void respond(std::span<const Wrench> load, std::span<Motion> change);

  // Velocities that joints allow, nearest in kinetic energy. Without effect for kBaumgarte, kSoft.
  void project_velocities(std::span<BodyState> state);
  // Positions and orientations that joints allow, nearest in the metric of mass; places anew.
  // Returns the largest error left, relative to size, rad.
  double project_positions(std::span<BodyState> state, std::span<const JointState> joints,
                           double since);
  // Turns of all joints where they have been placed.
  void count_turns(double since, std::span<JointState> joints) const;

  // Whether it hangs on a body that forces do not move.
  bool is_anchored() const { return bodies_.size() > moving_; }

  // -- laws that jump
  bool has_laws() const { return has_laws_; }
  // Parts to begin with.
  void begin_parts(std::span<JointState> joints) const;
  // Positive while every row is within its part; what becomes zero first is an event. `load` and
  // `known` as above, `load` is used up.
  double calc_margin(std::span<const Acceleration> known, std::span<Wrench> load);
  // After calc_margin() <= 0: rows whose margin is used up go to their next part; what hits a limit
  // is thrown back, with the others answering. Places anew. Returns the kinetic energy that went
  // in.
  double pass_events(std::span<BodyState> state, std::span<JointState> joints, double since,
                     Bouncing bouncing);
  // Where a run begins or goes on after an event: parts that agree with the forces. `load`: without
  // joints.
  void settle_parts(std::span<const BodyState> state, std::span<JointState> joints, double since,
                    std::span<const Acceleration> known, std::span<const Wrench> load);

 private:
  struct Joint {
    const JointModel* model = nullptr;
    uint32_t slot = 0;
    double size = 1;
    uint8_t entries = 2;
    uint32_t body[4] = {};  // local
    size_t rows = 0;        // in use
    ForceRow row[kMaxRows];
    RateLaw law[kMaxRows];
    uint8_t part[kMaxRows] = {};
    bool slack[kMaxRows] = {};
    double plain[kMaxRows] = {};  // force of the row that is no constraint
    double force[kMaxRows] = {};  // all of it
    double margin[kMaxRows] = {};
    // constraints, and what they ask for
    uint8_t active = 0;
    uint8_t index[kMaxRows] = {};        // rows
    double scale[kMaxRows] = {};         // makes the diagonal one
    double acceleration[kMaxRows] = {};  // wanted c''
    double rate[kMaxRows] = {};          // wanted c'
    double gap[kMaxRows] = {};           // c to be taken away; zero where only a rate is held
    RowEntry answer[kMaxRows][4] = {};   // M^-1 J^T
  };
  struct Body {
    uint32_t slot = 0;
    const BodyMass* mass = nullptr;  // of those that move
    RowBody at;
    Mat3 inv_I_W{};
    Vec3 L;
    bool turns = true;
  };
  struct Link {  // two entries at one moving body
    uint32_t joint_a, joint_b;
    uint8_t entry_a, entry_b;
    uint32_t block;
    bool a_is_row;
  };

  std::vector<Joint> joints_;
  std::vector<Body> bodies_;  // those that move first
  uint32_t moving_ = 0;
  ForceSettings settings_;
  BlockPattern pattern_;
  BlockLu lu_;
  std::vector<Link> links_;
  std::vector<double> rhs_, lambda_;
  std::vector<Motion> motion_;  // by local body
  double power_ = 0;
  bool has_laws_ = false, factored_ = false;

  enum class Ask : uint8_t { kAcceleration, kRate, kGap, kNothing };
  void place_bodies(std::span<const BodyState> state);
  void choose_rows(Joint& j);
  void activate(Joint& j, size_t k, double acceleration, double rate, double gap);
  void factor();
  double moving_part(const Joint& j, const ForceRow& row) const;
  // Changes motion_ by the answer to constraint forces, which are left in lambda_.
  double meet(Ask ask, std::span<const Acceleration> known);
  void find_accelerations(std::span<const Acceleration> known, std::span<Wrench> load);
  double row_acceleration(const Joint& j, size_t k, std::span<const Acceleration> known) const;
  double target(const Joint& j, size_t i, Ask ask, std::span<const Acceleration> known) const;
  double row_margin(const Joint& j, size_t k, std::span<const Acceleration> known) const;
  double part_margin(const Joint& j, size_t k, double held,
                     std::span<const Acceleration> known) const;
  uint8_t next_part(const Joint& j, size_t k, std::span<const Acceleration> known) const;
  double kinetic_energy(std::span<const BodyState> state) const;
  bool is_length(const Joint& j, size_t k) const;
  bool has_law(const Joint& j, size_t k) const;
  double shown_mass(const Joint& j, const ForceRow& row) const;
  uint8_t valid_part(const Joint& j, size_t k, uint8_t part) const;
};

}  // namespace tenon
