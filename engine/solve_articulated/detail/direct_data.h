// Working data of the direct solver: what its files share.
#pragma once

#include <vector>

#include "tenon/engine/joints/axis_law.h"
#include "tenon/engine/solve_articulated/block_answer.h"
#include "tenon/engine/solve_articulated/direct.h"

namespace tenon::direct {

// A body over one (sub)step; equations (1) to (4) of docs/theory/joints.md. Long chains are bound
// by memory: what joints read at every iteration stands together at the front.
struct BodyWork {
  // iterate
  Vec3 x1;                    // mass centre at the end of the step
  Mat3 S = Mat3::identity();  // rotation over the step: the Cayley matrix of th
  Vec3 gl, ga;                // momentum residuals of (3) and (4)
  // Newton step
  Vec3 ul, ua;  // residuals as displacements: inv_ml gl, inv_N ga
  Vec3 jl, ja;  // impulses that the step adds; zero between steps
  Vec3 du, dth;
  Vec3 dx, th;        // displacement of the mass centre, Cayley vector of the rotation (world axes)
  double inv_ml = 0;  // inverse of the derivative of (3) by dx
  Mat3 inv_N{};
  // begin of the step
  Vec3 x0, v0, w0, L0;
  Vec3 v1, w1;  // velocities at the end of the step as they are expected
  Mat3 I0;
  double mass = 0, drag = 0, alpha = 0.5;
  Vec3 force, torque;
  bool moves = false, turns = false;  // a point mass moves and does not turn
  Vec3 L1;                            // spin at the end of the step
  Mat3 N{};  // derivative of (4) by the end rotation; geometric stiffness is added by joints
  Mat3 R0, inv_I0;
};

// The rotation of a Cayley vector, R = E + k ([th] + [th]^2 / 2), k = 1 / (1 + |th|^2 / 4).
inline Mat3 cayley_matrix(const Vec3& th) {
  const double k = 1 / (1 + 0.25 * norm2(th));
  const double c = 1 - 0.5 * k * norm2(th);
  Mat3 S = 0.5 * k * outer(th, th) + k * skew(th);
  S.r0.x += c;
  S.r1.y += c;
  S.r2.z += c;
  return S;
}
// The change of the Cayley vector that adds the small world rotation dphi at its end.
inline Vec3 cayley_change(const Vec3& th, const Vec3& dphi) {
  return dphi - 0.5 * cross(th, dphi) + 0.25 * dot(th, dphi) * th;
}
// Cayley vector of a rotation: 2 tan(angle / 2) about its axis; at most 2 tan(1.45) long, half a
// turn has none.
Vec3 cayley_of(const Vec3& rotation);

// [a][b] = b a^T - (a . b) E, scaled and added.
inline void add_skew_product(Mat3& M, double s, const Vec3& a, const Vec3& b) {
  const double ab = s * dot(a, b);
  M.r0 += (s * b.x) * a;
  M.r1 += (s * b.y) * a;
  M.r2 += (s * b.z) * a;
  M.r0.x -= ab;
  M.r1.y -= ab;
  M.r2.z -= ab;
}

// Inverse inertias in world axes where the bodies end; zero for what does not turn.
void calc_end_inertia(std::span<const StepBody> bodies, std::span<const BodyWork> work,
                      std::vector<Mat3>& inv_I);

struct Account {
  double work_J = 0;
  Vec3 impulse, angular_impulse;

  // Books what a body has gained between two states, its potential energy included.
  void add_change(const BodyMass& mass, const Vec3& gravity, const BodyState& from,
                  const BodyState& to) {
    const Vec3 p0 = mass.mass * from.v_WC, p1 = mass.mass * to.v_WC;
    work_J += 0.5 * (dot(p1, to.v_WC) - dot(p0, from.v_WC)) - dot(gravity, to.x_WC - from.x_WC);
    work_J += 0.5 * (dot(to.w_WB, to.L_W) - dot(from.w_WB, from.L_W));
    impulse += p1 - p0;
    angular_impulse += cross(to.x_WC, p1) + to.L_W - cross(from.x_WC, p0) - from.L_W;
  }
};

// Where over the step impulses act: between begin and end, which conserves energy, or at the end,
// which always damps.
enum class Levers : uint8_t { kMean, kEnd };

// Of size, rad: a held row that stands open so far at the begin of a step was made so, and the work
// it does as it closes is booked. What the solver leaves open is not.
constexpr double kMadeOpen = 1e-5;

// Which rows take part in a projection of velocities: all that prescribe a rate at the end of a
// step, or those that hold always.
enum class Projection : uint8_t { kAll, kHeld };

// The joints of a mechanism as Newton's method sees them.
class Rows {
 public:
  virtual ~Rows() = default;
  // Frames at the begin of the (sub)step, first guess of the impulses from JointState.
  virtual void begin(std::span<const BodyWork> bodies, std::span<const StepJoint> joints, double h,
                     Levers levers) = 0;
  // The largest error of the held rows at the begin of the (sub)step, relative to the joints'
  // sizes.
  virtual double begin_error() const = 0;
  // How far the velocities at the begin of the (sub)step would open held rows within it, relative
  // to the joints' sizes.
  virtual double begin_rate_error(std::span<const BodyWork> bodies) const = 0;
  // Adds what the impulses of the last step say about tension: s^2 of (5) times 8 / h^2, per body.
  virtual void add_tension(std::span<const BodyWork> bodies, std::span<double> stiffness) const = 0;
  // Joint errors at the iterate; adds the impulses to gl, ga. Returns the largest error relative to
  // the joints' sizes.
  virtual double evaluate(std::span<BodyWork> bodies) = 0;
  // After Newton's method has ended: impulses act at points that both bodies share to the last bit.
  // On the way they act where joints would meet if the iterate solved all: levers that change with
  // joint errors would turn light bodies by what is about to vanish. Changes ga.
  virtual void settle(std::span<BodyWork> bodies) = 0;
  // After settle(): whether axes that joints hold parallel point against each other now, and did
  // not at the begin. Rows are zero there as well: it is the other root of their equations.
  virtual bool is_turned_over() const { return false; }
  // How much farther beyond a limit any freedom is than at the begin of the step; rad, of size.
  virtual double limit_growth() { return 0; }
  // The same as evaluate() where nothing moves in the step, for what project() and factor_end()
  // need: errors and frames. Momentum means nothing then.
  virtual void rest(std::span<BodyWork> bodies) { evaluate(bodies); }
  // The largest error at the iterate with what the compliance allows left in it: large where joints
  // cannot be met and only huge impulses balance.
  virtual double gap() const = 0;
  // The same for held rows alone.
  virtual double held_gap() const = 0;
  // How far the iterate is beyond limits.
  virtual double limit_excess() = 0;
  // Forces of all rows times the sizes of their joints, J: joint errors relative to size do so much
  // work.
  virtual double load_J() const = 0;
  // Adds the geometric stiffness at the iterate to N.
  virtual void add_stiffness(std::span<BodyWork> bodies) const = 0;
  // Matrix at the iterate (inv_ml, inv_N given). `compliance`: relative to the diagonal.
  virtual void assemble(std::span<const BodyWork> bodies, BlockLu& lu, double compliance) = 0;
  // Right-hand side of (9) or (7), then, after the solve, the impulses of the Newton step: added to
  // the bodies' jl, ja.
  virtual void make_rhs(std::span<const BodyWork> bodies, const BlockLu& lu,
                        std::span<double> x) = 0;
  virtual void add_step(std::span<BodyWork> bodies, const BlockLu& lu,
                        std::span<const double> x) = 0;
  // Moves the impulses by `part` of the step x.
  virtual void move(double part, const BlockLu& lu, std::span<const double> x) = 0;
  // At the iterate: do limits, motors and friction agree with their assumed parts? Changes those
  // that do not and returns how many. `early`: before convergence, when they may come and go.
  virtual int update_laws(bool early) = 0;
  // Velocity stage: projects v, w of the end states; `end` has moved bodies only. Leaves what
  // finish() needs.
  virtual void project(std::span<StepBody> bodies, std::span<const BodyWork> work, BlockLu& lu,
                       double compliance, Projection which, Account& account) = 0;
  // The matrix of the velocity stage for held rows where the bodies end, factored. project() leaves
  // such a matrix, too.
  virtual void factor_end(std::span<StepBody> bodies, std::span<const BodyWork> work, BlockLu& lu,
                          double compliance) = 0;
  // With that matrix: changes the velocities of moving bodies to the nearest ones that held rows
  // allow; bodies beyond are moved from outside.
  virtual void project_motion(std::span<const StepBody> bodies, std::span<const BodyWork> work,
                              BlockLu& lu, std::span<Motion> motion) = 0;
  // After that: the impulses of held rows that it took, by joint and row.
  virtual void read_impulses(const BlockLu& lu,
                             std::span<std::array<double, kMaxRows>> impulses) const = 0;
  // With that matrix: velocities of the given bodies (local indices), and then rates of all bounded
  // rows, per impulse on each of them, all joints held. A symmetric matrix; column 6 b + k belongs
  // to component k of the impulse (force, torque) on bodies[b].
  void calc_answer(std::span<const StepBody> bodies, std::span<const BodyWork> work, BlockLu& lu,
                   const Mechanism& mechanism, std::span<const uint32_t> which,
                   std::vector<double>& answer);
  // M^-1 G^T of row k of a joint's entry: velocities of its body per impulse of the row.
  virtual Motion row_answer(size_t joint, size_t entry, size_t k) const = 0;
  // After factor_end(): what limits and motors do along freedoms, with rates and impulses of a
  // step.
  virtual std::span<const BoundedRow> bounded_rows() const = 0;
  // With that matrix, after evaluate(): displacements that take the errors of held rows away, and
  // what is beyond limits, to first order.
  virtual void close_errors(std::span<const StepBody> bodies, std::span<const BodyWork> work,
                            BlockLu& lu, double compliance, std::span<Motion> motion) = 0;
  // After evaluate(): remembers by how much held rows are open beyond what they were at the begin.
  virtual void keep_openings(const BlockLu& lu) = 0;
  // With the matrix of factor_end(): the motion, least in kinetic energy, that opens held rows at
  // `part` times minus what was remembered.
  virtual void answer_openings(std::span<const BodyWork> work, BlockLu& lu, double part,
                               std::span<Motion> motion) = 0;
  // Before begin(): whether what the step does not resolve may be damped.
  virtual void set_adaptive(bool) {}
  // Writes lambda, coordinates and parts back; adds work and impulses of the smooth step.
  virtual void finish(std::span<const BodyWork> bodies, Account& account) = 0;
  // Adds the impulses of the (sub)step to JointState::force: those of the last projection and, if
  // it was a step, of the smooth step.
  virtual void add_impulses(bool smooth) = 0;

 private:
  void calc_body_answer(std::span<const StepBody> bodies, std::span<const BodyWork> work,
                        BlockLu& lu, const Mechanism& mechanism, std::span<const uint32_t> which,
                        double* answer);

  // of calc_answer
  std::vector<uint32_t> answer_index_, first_node_, answer_bodies_;
  std::vector<double> answer_work_;
};

// PinRows for mechanisms of which Mechanism::pins_only holds, GeneralRows for everything.
std::unique_ptr<Rows> make_pin_rows(const Mechanism& mechanism);
std::unique_ptr<Rows> make_general_rows(const Mechanism& mechanism);

}  // namespace tenon::direct
