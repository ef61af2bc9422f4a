// Direct solving: Levenberg and Marquardt's method on
//   1/2 |c(q) - nu|^2 + 1/2 |k(q)|^2,   c: joints, k: wants, both = -b of their rows            (1)
// with the mass matrix as its metric, so that heavy bodies move less. nu are the multipliers of an
// augmented Lagrangian [NocedalWright2006, sec. 17.3]: after each iteration nu -= c, and joints end
// at zero whatever wants pull. Wants are scaled down so far that this takes a few iterations.
// Joints are brought to fit by themselves first: where they cannot, nu would grow for ever and
// stays zero.
#include "tenon/engine/solve_displacement/assemble.h"

#include <algorithm>
#include <cmath>

namespace tenon::displacement {
namespace {

constexpr double kWantScale = 1e-2;  // of (1), beside joints of weight 1
// The same for conjugate gradients, which find strong rows first: few iterations are to notice
// wants, yet wants that cannot be met are not to open joints by more than a hundredth of what they
// miss.
constexpr double kIterativeScale = 0.1;
constexpr double kSmallestMu = 1e-9, kLargestMu = 1e6;
constexpr double kStill = 1e-7;    // of sizes and rad: wants have settled
constexpr double kStalled = 1e-3;  // relative fall of the error that still counts as progress
constexpr int kPatience = 8;       // iterations without progress
constexpr int kEscapes = 6;
constexpr int kSaddles = 2;   // tries to do better by wants that are missed
constexpr int kReserve = 10;  // this part of the iterations is kept back for joints, after wants
constexpr double kNearlyStill = 1e-3;
constexpr size_t kParts = 8;  // rows of a joint at most

bool is_violated(const Row& row) { return row.low == 0 ? row.b > 0 : row.b < 0; }

// The whole step shortened so that no body turns too far: it stays a direction of descent, which
// truncating single bodies does not.
void shorten_step(std::span<Six> step) {
  double turn = 0;
  for (const Six& s : step) turn = std::max(turn, norm(s.r));
  if (!(turn > kLargestTurn)) return;
  for (Six& s : step) s = {kLargestTurn / turn * s.x, kLargestTurn / turn * s.r};
}

double largest_move(std::span<const Six> step, std::span<const Body> bodies) {
  double most = 0;
  for (size_t b = 0; b < step.size(); ++b) {
    most = std::max({most, norm(step[b].x) / bodies[b].size, norm(step[b].r)});
  }
  return most;
}

}  // namespace

const char* name(Solver solver) {
  switch (solver) {
    case Solver::kAuto:
      return "auto";
    case Solver::kConjugateGradients:
      return "conjugate_gradients";
    case Solver::kBiconjugate:
      return "biconjugate";
    case Solver::kDirect:
      return "direct";
  }
  return "?";
}

const char* name(Outcome outcome) {
  switch (outcome) {
    case Outcome::kAssembled:
      return "assembled";
    case Outcome::kConflict:
      return "conflict";
    case Outcome::kStopped:
      return "stopped";
  }
  return "?";
}

void Assembler::reset(std::span<const Body> bodies, std::span<const Joint> joints,
                      std::span<const Want> wants, bool limits) {
  bodies_ = bodies;
  maker_.reset(bodies, joints, wants, limits);
  factor_rows_ = 0;
  pushing_.assign(kParts * joints.size(), 0);
  step_.assign(bodies.size(), {});
}

// Limits act where they are passed, or while they push.
void Assembler::choose_rows() {
  use_.assign(rows_.rows.size(), 1);
  for (size_t r = 0; r < use_.size(); ++r) {
    const Row& row = rows_.rows[r];
    if (row.kind == RowKind::kWant) use_[r] = !joints_only_;
    if (row.kind != RowKind::kLimit) continue;
    use_[r] = is_violated(row) || pushing_[kParts * row.owner + row.part] != 0;
  }
}

// After a step: what is left to do of a row is the force along it.
void Assembler::find_pushing() {
  for (size_t r = 0; r < rows_.rows.size(); ++r) {
    const Row& row = rows_.rows[r];
    if (row.kind != RowKind::kLimit) continue;
    double done = 0;
    for (const Entry& e : rows_.of(row)) done += dot({e.f, e.t}, step_[e.body]);
    const double force = wanted_[r] - done;
    const bool pushes = use_[r] != 0 && (row.low == 0 ? force > 0 : force < 0);
    pushing_[kParts * row.owner + row.part] = pushes;
    if (!pushes) nu_[r] = 0;
  }
}

double Assembler::merit() const {
  double sum = 0;
  for (size_t r = 0; r < rows_.rows.size(); ++r) {
    const Row& row = rows_.rows[r];
    if (row.kind == RowKind::kLimit && !is_violated(row) && nu_[r] == 0) continue;
    if (row.kind == RowKind::kWant && joints_only_) continue;
    const double x = row.b + (row.kind == RowKind::kWant ? 0 : nu_[r]);
    sum += x * x;
  }
  return sum;
}

double Assembler::want_merit() const {
  double sum = 0;
  for (const Row& row : rows_.rows) sum += row.kind == RowKind::kWant ? row.b * row.b : 0;
  return sum;
}

void Assembler::measure_wants(std::span<double> misses) const {
  std::fill(misses.begin(), misses.end(), 0.0);
  const std::span<const Want> wants = maker_.wants();
  for (const Row& row : rows_.rows) {
    if (row.kind != RowKind::kWant) continue;
    const double size = row.angular ? bodies_[wants[row.owner].body].size : 1;
    const double miss = row.b / row.unit * size;
    misses[row.owner] += miss * miss;
  }
  for (double& miss : misses) miss = std::sqrt(miss);
}

AssemblyResult Assembler::solve(Configuration& at, const Effort& effort) {
  AssemblyResult result;
  result.solver = effort.solver;
  if (result.solver == Solver::kAuto) {
    result.solver = effort.inner > 0 ? Solver::kConjugateGradients : Solver::kDirect;
  }
  const bool direct = result.solver == Solver::kDirect;
  maker_.make(at, direct ? kWantScale : kIterativeScale, rows_);
  result.start = result.error = maker_.worst(rows_);
  result.history.push_back(result.error);
  if (direct) {
    solve_direct(at, effort, result);
  } else {
    solve_iterative(at, effort, result);
  }
  return result;
}

void Assembler::solve_iterative(Configuration& at, const Effort& effort, AssemblyResult& result) {
  KrylovLimits limits;
  limits.clock = effort.clock;
  limits.deadline = effort.deadline;
  limits.precision = 1e-12;
  std::vector<double> force;
  nu_.assign(rows_.rows.size(), 0);
  // undamped steps of contradicting joints may swing: what was best counts
  double least = merit();
  Configuration best = at;
  RowMaker::Turns best_turns = maker_.turns();
  while (result.geometric < effort.geometric && !is_late(effort)) {
    const bool fits = result.error <= effort.precision;
    if (fits && (maker_.wants().empty() ||
                 (result.geometric > 0 && largest_move(step_, bodies_) < kStill))) {
      break;
    }
    choose_rows();
    const size_t n = rows_.rows.size();
    nu_.resize(n);
    limits.iterations = effort.inner > 0 ? effort.inner : static_cast<int>(n) + 10;
    op_.reset(bodies_, at, rows_, use_);
    if (result.solver == Solver::kBiconjugate) {
      force.resize(n);
      result.inner += biconjugate_.solve(op_, op_, limits, force, step_).iterations;
    } else {
      if (effort.scaling) scaling_.reset(op_);
      const JointScaling* scaling = effort.scaling ? &scaling_ : nullptr;
      result.inner += least_squares_.solve(op_, scaling, limits, step_).iterations;
    }
    wanted_.resize(n);
    for (size_t r = 0; r < n; ++r) wanted_[r] = rows_.rows[r].b;
    find_pushing();
    truncate_turns(step_);
    displace(step_, bodies_, at);
    ++result.geometric;
    maker_.make(at, kIterativeScale, rows_);
    result.error = maker_.worst(rows_);
    result.history.push_back(result.error);
    nu_.assign(rows_.rows.size(), 0);
    if (const double now = merit(); now <= least) {
      least = now;
      best = at;
      best_turns = maker_.turns();
    }
  }
  if (result.error > effort.precision && merit() > least) {
    at = best;
    maker_.set_turns(best_turns);
    maker_.make(at, kIterativeScale, rows_);
    result.error = maker_.worst(rows_);
  }
  result.outcome = result.error <= effort.precision ? Outcome::kAssembled : Outcome::kStopped;
}

void Assembler::solve_direct(Configuration& at, const Effort& effort, AssemblyResult& result) {
  joints_only_ = !maker_.wants().empty();
  bool settled = descend(at, effort, result);
  if (settled && effort.escape && result.error > effort.precision) {
    settled = escape(at, effort, result);
  }
  fitted_ = result.error <= effort.precision;
  if (joints_only_ && settled) follow_wants(at, effort, result);
  joints_only_ = false;
  if (result.error <= effort.precision) {
    result.outcome = Outcome::kAssembled;
  } else {
    result.outcome = settled ? Outcome::kConflict : Outcome::kStopped;
  }
}

// From where joints fit as well as they can. They do so at the end, whatever the wants are.
void Assembler::follow_wants(Configuration& at, const Effort& effort, AssemblyResult& result) {
  const Configuration before = at;
  const RowMaker::Turns turns = maker_.turns();
  Effort part = effort;
  part.geometric = effort.geometric - effort.geometric / kReserve;
  joints_only_ = false;
  const bool settled = descend(at, part, result);
  if (settled && fitted_ && effort.escape) leave_saddle(at, part, result);
  if (!fitted_ || result.error <= effort.precision) return;
  joints_only_ = true;
  // who has no time left takes what there is
  if (!descend(at, effort, result) || result.error <= effort.precision) return;
  at = before;
  maker_.set_turns(turns);
  maker_.make(at, kWantScale, rows_);
  result.error = maker_.worst(rows_);
}

// A stretched arm cannot bend towards a target on its line: what is wanted is missed at a saddle,
// too. Goes on from beside it, and stays where that does better.
void Assembler::leave_saddle(Configuration& at, const Effort& effort, AssemblyResult& result) {
  const double miss = want_merit(), error = result.error;
  if (!(miss > 1e-12)) return;
  const Configuration stalled = at;
  const RowMaker::Turns turns = maker_.turns();
  Rng rng(0x736164646c65ull);
  double size = 0.1;
  for (int attempt = 0; attempt < kSaddles; ++attempt, size *= 1.6) {
    Configuration trial = jolt(stalled, size, rng);
    maker_.make(trial, kWantScale, rows_);
    result.error = maker_.worst(rows_);
    descend(trial, effort, result);
    if (result.error <= std::max(error, effort.precision) && want_merit() < 0.9 * miss) {
      at = trial;
      result.escaped = true;
      return;
    }
    maker_.set_turns(turns);
  }
  maker_.make(at, kWantScale, rows_);
  result.error = error;
}

// Returns true where it ends by itself: fitted, or at a minimum.
bool Assembler::descend(Configuration& at, const Effort& effort, AssemblyResult& result) {
  const bool wants = !joints_only_ && !maker_.wants().empty();
  double mu = effort.damping, least = kInfinity;
  int idle = 0;
  nu_.assign(rows_.rows.size(), 0);
  RowSet trial_rows;
  bool moved_little = false;
  while (true) {
    const bool fits = result.error <= effort.precision;
    if (fits && (!wants || moved_little)) return true;
    if (idle >= kPatience || mu > kLargestMu) return true;
    if (result.geometric >= effort.geometric || is_late(effort)) return false;
    choose_rows();
    const size_t n = rows_.rows.size();
    if (nu_.size() != n) nu_.assign(n, 0);
    if (factor_rows_ != n) {
      if (!factor_.fits(rows_, bodies_)) factor_.reset(bodies_, rows_);
      factor_rows_ = n;
    }
    factor_.assemble(bodies_, at, rows_, use_);
    wanted_.resize(n);
    for (size_t r = 0; r < n; ++r) {
      wanted_[r] = rows_.rows[r].b + (rows_.rows[r].kind == RowKind::kWant ? 0 : nu_[r]);
    }
    const double before = merit();
    bool better = false;
    while (!better && mu <= kLargestMu && !is_late(effort)) {
      if (factor_.solve(mu, wanted_, step_)) {
        shorten_step(step_);
        Configuration trial = at;
        displace(step_, bodies_, trial);
        const RowMaker::Turns turns = maker_.turns();
        maker_.make(trial, kWantScale, trial_rows);
        std::swap(rows_, trial_rows);
        const bool same = nu_.size() == rows_.rows.size();
        better = same ? merit() < before : maker_.worst(rows_) < result.error;
        std::swap(rows_, trial_rows);
        if (better) {
          at = std::move(trial);
        } else {
          maker_.set_turns(turns);
        }
      }
      mu = better ? std::max(kSmallestMu, 0.03 * mu) : std::max(20 * mu, kSmallestMu);
    }
    ++result.geometric;
    if (!better) continue;
    find_pushing();
    std::swap(rows_, trial_rows);
    const double error = maker_.worst(rows_);
    const double move = largest_move(step_, bodies_);
    moved_little = move < kStill;
    // multipliers only where joints can follow: those of contradicting rows would grow for ever
    const bool falls = error < 0.5 * result.error;
    const bool ready = fitted_ && (falls || error < 1e-3 || move < kNearlyStill);
    if (wants && ready && nu_.size() == rows_.rows.size()) {
      for (size_t r = 0; r < nu_.size(); ++r) {
        const Row& row = rows_.rows[r];
        const bool limit = row.kind == RowKind::kLimit;
        if (row.kind == RowKind::kWant || (limit && !pushing_[kParts * row.owner + row.part]))
          continue;
        nu_[r] += row.b;
      }
    }
    result.error = error;
    result.history.push_back(error);
    const double now = merit();
    idle = now < (1 - kStalled) * least || (wants && falls) ? 0 : idle + 1;
    least = std::min(least, now);
  }
}

// All bodies moved a little, at random.
Configuration Assembler::jolt(const Configuration& at, double size, Rng& rng) {
  Configuration out = at;
  for (size_t b = 0; b < out.size(); ++b) {
    const auto any = [&] {
      return Vec3{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
    };
    step_[b] = {size * bodies_[b].size * any(), size * any()};
  }
  displace(step_, bodies_, out);
  return out;
}

// A stall may be a saddle: a straight arm whose target lies on its line, bodies that point the
// wrong way. Turns all bodies a little, at random but always the same way, and goes down again.
bool Assembler::escape(Configuration& at, const Effort& effort, AssemblyResult& result) {
  const Configuration stalled = at;
  const double error = result.error;
  Rng rng(0x657363617065ull);
  double size = 0.1;
  for (int attempt = 0; attempt < kEscapes; ++attempt, size *= 1.6) {
    Configuration trial = jolt(stalled, size, rng);
    maker_.make(trial, kWantScale, rows_);
    result.error = maker_.worst(rows_);
    const bool settled = descend(trial, effort, result);
    if (result.error < 0.9 * error) {
      at = trial;
      result.escaped = true;
      return settled;
    }
    if (!settled) break;
  }
  at = stalled;
  maker_.make(at, kWantScale, rows_);
  result.error = maker_.worst(rows_);
  return true;
}

}  // namespace tenon::displacement
