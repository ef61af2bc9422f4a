// Putting a mechanism together: the nearest configuration in which its joints fit, from wherever
// its bodies are [Faure1998, sec. 3.4]; with wishes on top, inverse kinematics [sec. 4.1].
//
// Every geometric iteration linearises all rows, solves for displacements and moves the bodies,
// rotations truncated at 0.8 rad. Inner systems are solved by conjugate gradients, a fixed number
// of iterations each, or directly. Where no configuration fits, the answer is the nearest miss in
// the sense of least squares. The answer is always finite.
#pragma once

#include "tenon/engine/base/rng.h"
#include "tenon/engine/solve_displacement/body_factor.h"
#include "tenon/engine/solve_displacement/joint_rows.h"
#include "tenon/engine/solve_displacement/krylov.h"
#include "tenon/engine/solve_displacement/settings.h"

namespace tenon::displacement {

// What a solve may cost.
struct Effort {
  Solver solver = Solver::kAuto;
  int geometric = 200;      // iterations at most, >= 0
  int inner = 0;            // conjugate-gradient iterations in each; 0: as many as it takes
  double precision = 1e-9;  // of the joints' sizes, and rad
  // Of kDirect: how shy the first step is (mu of body_factor.h). Less: nearer to what is linear.
  double damping = 1e-4;
  bool scaling = true;  // block Jacobi, of kConjugateGradients
  bool escape = true;   // look for a way out where the iteration stalls, of kDirect
  double (*clock)() = nullptr;
  double deadline = 0;  // s, of the clock
};

inline bool is_late(const Effort& e) { return e.clock != nullptr && e.clock() > e.deadline; }

enum class Outcome : uint8_t {
  kAssembled,  // all joints fit to the precision
  kConflict,   // nothing near fits better: joints contradict each other or do not reach
  kStopped,    // iterations or time ran out before either was certain
};
const char* name(Outcome outcome);

struct AssemblyResult {
  Outcome outcome = Outcome::kStopped;
  Solver solver = Solver::kDirect;  // the one used
  int geometric = 0, inner = 0;     // iterations
  double start = 0, error = 0;      // largest gap by size or angle, at the begin and at the end
  // A stall was left by turning bodies at random: another branch than the nearest is possible.
  bool escaped = false;
  std::vector<double> history;  // error after each geometric iteration, from the begin on
};

class Assembler {
 public:
  // Keeps the spans. Bodies and joints of one connected mechanism, or of several; `limits`: whether
  // limits of joints are obeyed.
  void reset(std::span<const Body> bodies, std::span<const Joint> joints,
             std::span<const Want> wants, bool limits);
  AssemblyResult solve(Configuration& at, const Effort& effort);
  // By how much each joint is open at the configuration of the last solve.
  void measure(std::span<Gap> gaps) const { maker_.measure(rows_, gaps); }
  const RowMaker::Turns& turns() const { return maker_.turns(); }
  // Distance (m, angles times size) of each want there.
  void measure_wants(std::span<double> misses) const;

 private:
  std::span<const Body> bodies_;
  RowMaker maker_;
  RowSet rows_;
  Operator op_;
  JointScaling scaling_;
  LeastSquares least_squares_;
  Biconjugate biconjugate_;
  BodyFactor factor_;
  size_t factor_rows_ = 0;  // how many rows there were when its graph was last looked at
  std::vector<uint8_t> use_;
  std::vector<uint8_t> pushing_;  // by joint and part: a limit that held in the last iteration
  std::vector<double> nu_, wanted_;
  bool joints_only_ = false;  // wants are left out
  bool fitted_ = false;       // joints can be brought to fit: their multipliers stay bounded
  std::vector<Six> step_;

  void solve_iterative(Configuration& at, const Effort& effort, AssemblyResult& result);
  void solve_direct(Configuration& at, const Effort& effort, AssemblyResult& result);
  void follow_wants(Configuration& at, const Effort& effort, AssemblyResult& result);
  void leave_saddle(Configuration& at, const Effort& effort, AssemblyResult& result);
  bool descend(Configuration& at, const Effort& effort, AssemblyResult& result);
  bool escape(Configuration& at, const Effort& effort, AssemblyResult& result);
  void choose_rows();
  void find_pushing();
  double merit() const;
  double want_merit() const;
  Configuration jolt(const Configuration& at, double size, Rng& rng);
};

}  // namespace tenon::displacement
