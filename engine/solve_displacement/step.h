// The displacement method: a step of bodies, joints and contacts without velocities as unknowns
// [Faure1998, sec. 4.2]. Theory and figures: docs/theory/displacement.md.
//
// Stoermer's step, in displacements dq = h v of the last step:
//   dq += M^-1 f h^2,   q += dq,   q += correction,   dq += correction                       (1)
// The correction closes joints, keeps bodies apart and obeys bounds, by forces J^T x:
//   kPredicted   J where the bodies are predicted to be, as the paper has it: loses energy and
//                angular momentum at first order
//   kConserving  J where they were at the begin of the step (SHAKE): momentum to round-off, energy
//                bounded
// Velocities are those of the middle of the step, dq / h; steps may differ in length.
#pragma once

#include "tenon/engine/bodies/body.h"
#include "tenon/engine/solve_displacement/assemble.h"
#include "tenon/engine/solve_displacement/bounded.h"
#include "tenon/engine/solve_displacement/row_factor.h"
#include "tenon/engine/solve_displacement/settings.h"

namespace tenon::displacement {

struct StepBody {
  const BodyMass* mass = nullptr;  // nullptr: does not move by itself
  BodyState begin, end;            // end is given for bodies that do not move by themselves
  Vec3 force, torque;              // over the step, without joints and contacts
};

// A point at which two bodies may touch.
struct StepContact {
  uint32_t body[2] = {0, 0};  // a, b
  Vec3 n;                     // unit, from a to b, at the begin
  Vec3 r[2];                  // from the mass centres to the surfaces, at the begin
  double gap = 0;             // m, at the begin
  double static_friction = 0, sliding_friction = 0, restitution = 0;
  double rolling = 0, spinning = 0;  // m
  double guess = 0;                  // N s, of `normal`
  Vec3 drift;                        // m/s: what runs over the surfaces, a's less b's
  // out, N s on b
  double normal = 0;
  Vec3 rub;
  Vec3 couple;  // N m s
};

struct StepResult {
  int geometric = 0, inner = 0;
  Solver solver = Solver::kDirect;
  double error = 0;           // of joints: gap by size, or angle
  double overlap = 0;         // m, deepest that is left by the linearised contacts
  double work_J = 0;          // of springs, motors and friction of joints, and of what scripts move
  double contact_work_J = 0;  // of contacts
  bool fell_back = false;     // from the conserving projection to the other one
  bool finite = true;
};

class Stepper {
 public:
  // Joint states: coordinates are advanced, `lambda` is where the next step begins, wrenches are
  // told by `wrench`.
  StepResult step(std::span<StepBody> bodies, std::span<const Joint> joints,
                  std::span<StepContact> contacts, double h, const Settings& settings,
                  double tolerance, const Effort& time);
  // What forces do in the next steps, 0.5 or 1: Stoermer's first step takes half of it, velocities
  // are then those of the middle of steps. Forces of bodies are the caller's to halve.
  void set_force_share(double share) { force_share_ = share; }
  // Force and couple on the child of a joint at C's origin, means of the last step, world axes, and
  // the coordinates of its rows at the end.
  struct Reaction {
    Vec3 force, torque;
  };
  const std::vector<Reaction>& reactions() const { return reactions_; }
  const RowMaker::Turns& turns() const { return maker_.turns(); }
  // Forces of the first six rows of each joint, for the next step to begin with.
  const std::vector<std::array<double, kMaxRows>>& guesses() const { return guesses_; }

 private:
  struct Extra {  // of a row
    double soft = 0, low = -kInfinity, high = kInfinity, b = 0;
    double begin = 0, rate = 0;  // of laws: the coordinate at the begin of the step, and its rate
    double mobility = 0;         // 1/kg or 1/(kg m^2), of the coordinate
  };
  std::vector<Body> bodies_;
  Configuration begin_, at_;
  std::vector<int> substeps_;
  RowMaker maker_;
  RowSet rows_, now_;
  Operator op_;
  Operator now_op_;
  Bounded bounded_;
  Biconjugate biconjugate_;
  RowFactor factor_;
  std::vector<Extra> extra_;
  std::vector<double> force_, change_, b_, low_, high_, soft_;
  std::vector<Six> motion_;  // velocities: linear, and angular momentum
  std::vector<Six> step_, wrench_;
  std::vector<Six> speed_;      // at the begin
  std::vector<Vec3> tangents_;  // of contacts: t1
  std::vector<Reaction> reactions_;
  std::vector<std::array<double, kMaxRows>> guesses_;
  size_t joint_rows_ = 0;
  double h_ = 0;
  double force_share_ = 1;
  bool conserved_ = true, untouched_ = true;

  void begin_step(std::span<StepBody> bodies, std::span<const Joint> joints);
  void add_contact_rows(std::span<const StepContact> contacts, const Configuration& at,
                        RowSet& out);
  void make_rows(std::span<const StepContact> contacts, const Configuration& at);
  void begin_rows(std::span<const StepBody> bodies, std::span<const StepContact> contacts);
  void read_laws(std::span<const StepBody> bodies);
  void update_wanted(std::span<const StepBody> bodies, std::span<const StepContact> contacts);
  void apply_guesses(std::span<const Joint> joints);
  void place(std::span<const StepBody> bodies);
  bool look(std::span<const StepBody> bodies, std::span<const StepContact> contacts,
            StepResult& result);
  bool is_bounded() const;
  bool has_laws() const;
  void factor_rows(const RowSet& rows);
  int solve_linear(const Settings& settings, const Effort& time, bool bounded, StepResult& result);
  void step_conserving(std::span<StepBody> bodies, std::span<const StepContact> contacts,
                       const Settings& settings, double tolerance, const Effort& time,
                       StepResult& result);
  void step_predicted(std::span<StepBody> bodies, std::span<const StepContact> contacts,
                      const Settings& settings, double tolerance, const Effort& time,
                      StepResult& result);
  void bounce(std::span<StepBody> bodies, std::span<StepContact> contacts, const Settings& settings,
              StepResult& result);
  void store(std::span<const Joint> joints, std::span<StepContact> contacts, StepResult& result);
  double find_bounce_share(std::span<const StepBody> bodies) const;
  void book_driven(std::span<const StepBody> bodies, StepResult& result);
  Vec3 slip_way(const StepContact& c) const;
  Vec3 turn_way(uint32_t body) const;
  double contact_way(const StepContact& c, uint8_t part, const Vec3& t1) const;
};

}  // namespace tenon::displacement
