// Rows of joints and of wants at any configuration, however far apart the bodies are.
//
// What a joint holds is asked of as a displacement to the nearest frame that it allows: relative
// translation, and relative rotation as axis times angle [Faure1998, sec. 3.2]. Scalar functions
// such as the sine of an angle, which do for bodies that nearly fit, vanish where an axis points
// the wrong way and would leave it so. The directions are those held at the nearest allowed frame.
#pragma once

#include <array>
#include <span>

#include "tenon/engine/joints/joint_model.h"
#include "tenon/engine/solve_displacement/rows.h"

namespace tenon::displacement {

struct Joint {
  const JointModel* model = nullptr;
  const JointState* state = nullptr;  // counts the turns of its angles; nullptr: within +-pi
  std::array<uint32_t, 4> body{};     // parent and child of each pair, local indices
  double size = 1;                    // m
  double weight = 1;                  // > 0: importance of its errors against those of others
};

// Something that a body should do where the joints leave it room. Weights are relative: of two
// wants that contradict each other the one with twice the weight gives way a quarter as far.
struct Want {
  enum class Kind : uint8_t {
    kStay,    // near a pose: of mass centre and body axes
    kReach,   // a point of the body at a point of the world
    kOrient,  // body axes turned as `pose.q`
    kUpright  // a direction of the body along a direction of the world
  };
  Kind kind = Kind::kReach;
  uint32_t body = 0;
  Vec3 point_C;       // kReach: from the mass centre, body axes
  Vec3 target_W;      // kReach
  Pose pose;          // kStay, kOrient
  Vec3 axis_B;        // kUpright: unit, body axes
  Vec3 direction_W;   // kUpright: unit
  double weight = 1;  // > 0
};

// What is left of a joint's promise: as in JointDeviation, limits included.
struct Gap {
  double gap_m = 0, angle_rad = 0;
};

class RowMaker {
 public:
  // Keeps the spans. `limits`: whether joints have theirs; `laws`: whether there are rows for what
  // else acts along their freedoms.
  void reset(std::span<const Body> bodies, std::span<const Joint> joints,
             std::span<const Want> wants, bool limits, bool laws = false);
  // All rows there. Angles that count turns do so from the last call on: go in small steps.
  // Rows of wants come last, scaled by `want_scale`.
  void make(const Configuration& at, double want_scale, RowSet& out);
  // m and rad by which each joint is open, from its rows.
  void measure(const RowSet& rows, std::span<Gap> gaps) const;
  // The same as one number: largest gap relative to the joint's size, or angle.
  double worst(const RowSet& rows) const;
  std::span<const Joint> joints() const { return joints_; }
  // What it remembers of angles: a trial that is refused must leave no trace.
  using Turns = std::vector<std::array<double, kMaxRows>>;
  const Turns& turns() const { return turns_; }
  void set_turns(const Turns& turns) { turns_ = turns; }
  std::span<const Want> wants() const { return wants_; }

 private:
  std::span<const Body> bodies_;
  std::span<const Joint> joints_;
  std::span<const Want> wants_;
  bool limits_ = true, laws_ = false;
  std::vector<JointModel> bare_;  // the joints without limits
  Turns turns_;                   // c of each row at the last look
  double reach_ = 0;              // m: targets farther away pull no harder

  void add_joint(uint32_t index, const Configuration& at, RowSet& out);
  void add_frames(uint32_t index, const PairFrames& x, RowSet& out) const;
  void add_black_box(uint32_t index, const PairFrames& x, RowSet& out) const;
  void add_scalar(uint32_t index, size_t k, const PairFrames& x, const PairFrames& x2, RowSet& out);
  void add_want(uint32_t index, const Configuration& at, double scale, RowSet& out) const;
};

}  // namespace tenon::displacement
