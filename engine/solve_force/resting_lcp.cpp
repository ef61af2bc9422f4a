#include "tenon/engine/solve_force/resting_lcp.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tenon/engine/math/dense_lu.h"

namespace tenon {
namespace {

constexpr double kSoftness = 1e-8;  // of the diagonal: above round-off of the solves, below notice
// The same for Lemke's algorithm. Points that bodies do not need make tableaus whose small pivots
// drown in round-off now and then: another way through the same problem, a little softer, does not
// lose its way at the same place.
struct LemkeTry {
  double softness, zero, spread;
};
constexpr LemkeTry kLemkeTries[] = {
    {1e-8, 1e-11, 0}, {1e-6, 1e-10, 0.5}, {1e-6, 1e-10, 2}, {1e-5, 1e-10, 1}, {1e-4, 1e-10, 3}};
constexpr int kSharpenings = 3;  // rounds that take the softness out again
constexpr double kSlack = 1e-9;  // of forces and accelerations: what an inequality may be missed by
constexpr double kNoAnswerAtAll = 1e-12;  // of the largest answer: round-off of joints
constexpr size_t kModerate = 160;         // unknowns of Lemke's algorithm
constexpr int kMostSweeps = 3000, kFewSweeps = 600;
constexpr double kNearlySettled = 1e-2;  // for large problems
constexpr double kNonsense = 1e30;
constexpr double kSettled = 1e-7;  // of the accelerations: what the last sweep may have changed
constexpr int kMostGuesses = 24;
constexpr int kMostBreaks = 16;   // rounds in which points lose their hold one after another
constexpr double kTurned = 1e-9;  // 1 - cosine: friction is along the sliding
constexpr size_t kDirections = 8;
constexpr double kHalfRoot = 0.70710678118654752440;
constexpr double kDirection[kDirections][2] = {
    {1, 0},  {kHalfRoot, kHalfRoot},   {0, 1},  {-kHalfRoot, kHalfRoot},
    {-1, 0}, {-kHalfRoot, -kHalfRoot}, {0, -1}, {kHalfRoot, -kHalfRoot}};

// Takes the softness out of a solution, with the variables that are positive in it.
void sharpen(std::span<const double> M, std::span<const double> soft, std::span<const double> q,
             std::vector<double>& z) {
  const size_t n = q.size();
  std::vector<size_t> in;
  for (size_t i = 0; i < n; ++i) {
    if (z[i] > 0) in.push_back(i);
  }
  const size_t m = in.size();
  std::vector<double> A(m * m), x(m), better = z;
  for (size_t i = 0; i < m; ++i) {
    for (size_t j = 0; j < m; ++j) A[i * m + j] = soft[in[i] * n + in[j]];
  }
  DenseLu lu;
  if (m == 0 || !lu.factor(A, m)) return;
  for (int round = 0; round < kSharpenings; ++round) {
    for (size_t i = 0; i < m; ++i) {
      x[i] = -q[in[i]];
      for (size_t j = 0; j < m; ++j) x[i] -= M[in[i] * n + in[j]] * better[in[j]];
    }
    lu.solve(x);
    for (size_t i = 0; i < m; ++i) better[in[i]] += x[i];
  }
  if (lcp_residual(M, q, better) <= lcp_residual(M, q, z)) {
    z = better;
    for (double& value : z) value = std::max(value, 0.0);
  }
}

// The problem in unknowns f_N of each point, and f_T along two directions of those that stick.
class RestingProblem {
 public:
  RestingProblem(std::span<RestingPoint> points, const ContactResponse& response)
      : points_(points), response_(response) {
    number_rows();
    fill_matrix();
  }

  RestingResult solve(std::vector<RestingMode>& modes, const RestingSettings& settings);
  // Points that static friction does not hold by the last solve: they slide from now on, along
  // their acceleration. Returns whether there are any; `broken`, by point.
  bool break_away(std::vector<uint8_t>& broken);

 private:
  struct Row {
    uint32_t point = 0;
    Vec3 direction;
  };

  void number_rows();
  void fill_matrix();
  void drop_held_rows();
  size_t rows_of(size_t point) const { return first_[point + 1] - first_[point]; }
  // A guess of what every point does, and the forces that go with it.
  struct Guess {
    std::vector<RestingMode> mode;
    std::vector<std::array<double, 2>> slip;  // unit, along the tangents, of kSlips
  };
  bool try_modes(std::span<const RestingMode> modes);
  bool solve_guess(const Guess& guess);
  size_t improve(Guess& guess, size_t most);
  bool is_zero_answer() const;
  size_t lemke_size() const;
  LcpResult try_lemke();
  double try_sweeps(int most);
  void store(std::span<const double> f, std::vector<RestingMode>& modes);
  double answer_at(size_t row, std::span<const double> f) const {
    double a = bias_[row];
    for (size_t j = 0; j < n_; ++j) a += G_[row * n_ + j] * f[j];
    return a;
  }

  std::span<RestingPoint> points_;
  const ContactResponse& response_;
  std::vector<Row> rows_;
  std::vector<size_t> first_;  // row of a point: its normal, then two tangents where it sticks
  size_t n_ = 0;
  std::vector<double> G_, bias_, f_;
  double scale_a_ = 0;  // largest |bias|
};

void RestingProblem::number_rows() {
  for (uint32_t k = 0; k < points_.size(); ++k) {
    const RestingPoint& p = points_[k];
    const Vec3& n = p.at.normal_W;
    first_.push_back(rows_.size());
    rows_.push_back({k, n});
    if (p.slip_W != Vec3{} || !(p.static_friction > 0)) continue;
    // along what friction has to hold, where that is more than round-off
    const Vec3 along = p.bias_W - dot(p.bias_W, n) * n;
    const bool tells = norm(along) > 1e-6 * norm(p.bias_W);
    const Vec3 t = tells ? normalized(along) : any_orthogonal(n);
    rows_.push_back({k, t});
    rows_.push_back({k, cross(n, t)});
  }
  n_ = rows_.size();
  first_.push_back(n_);
}

void RestingProblem::fill_matrix() {
  // which rows feel a body
  uint32_t bodies = 0;
  for (const RestingPoint& p : points_) {
    bodies = std::max({bodies, p.at.body_a + 1, p.at.body_b + 1});
  }
  std::vector<std::vector<uint32_t>> feels(bodies);
  for (uint32_t i = 0; i < n_; ++i) {
    const TouchingPoint& at = points_[rows_[i].point].at;
    feels[at.body_a].push_back(i);
    feels[at.body_b].push_back(i);
  }
  G_.assign(n_ * n_, 0);
  bias_.resize(n_);
  std::vector<AnsweringBody> answer;
  for (size_t j = 0; j < n_; ++j) {
    const RestingPoint& p = points_[rows_[j].point];
    bias_[j] = dot(rows_[j].direction, p.bias_W);
    scale_a_ = std::max(scale_a_, std::fabs(bias_[j]));
    Vec3 f = rows_[j].direction;
    const bool is_normal = j == first_[rows_[j].point];
    if (is_normal) f -= p.sliding_friction * p.slip_W;  // (2)
    LoadedBody loads[2];
    loads_at(p.at, f, loads);
    if (is_normal) {
      loads[0].load.torque -= p.torque_per_force;
      loads[1].load.torque += p.torque_per_force;
    }
    response_.respond(loads, answer);
    for (const AnsweringBody& x : answer) {
      if (x.body >= bodies) continue;
      for (const uint32_t i : feels[x.body]) {
        const TouchingPoint& at = points_[rows_[i].point].at;
        const double sign = at.body_b == x.body ? 1 : -1;
        const Vec3& r = at.body_b == x.body ? at.rB_W : at.rA_W;
        G_[i * n_ + j] += sign * dot(rows_[i].direction, x.change.v + cross(x.change.w, r));
      }
    }
  }
  drop_held_rows();
}

// Directions in which joints hold both bodies are left to the joints.
void RestingProblem::drop_held_rows() {
  double largest = 0;
  for (size_t i = 0; i < n_; ++i) largest = std::max(largest, std::fabs(G_[i * n_ + i]));
  for (size_t i = 0; i < n_; ++i) {
    if (std::fabs(G_[i * n_ + i]) > kNoAnswerAtAll * largest) continue;
    for (size_t j = 0; j < n_; ++j) G_[i * n_ + j] = G_[j * n_ + i] = 0;
    G_[i * n_ + i] = largest > 0 ? largest : 1;
    bias_[i] = 0;
  }
}

bool RestingProblem::is_zero_answer() const {
  for (size_t k = 0; k < points_.size(); ++k) {
    if (!(bias_[first_[k]] >= 0)) return false;
  }
  return true;
}

// Forces by a linear system: a_N = 0 of what is closed, a_T = 0 of what sticks, and friction of
// what slips along its direction.
bool RestingProblem::solve_guess(const Guess& guess) {
  struct Unknown {
    size_t row;
    double part[3];  // of the forces of this row and of the next two
  };
  std::vector<Unknown> in;
  for (size_t k = 0; k < points_.size(); ++k) {
    if (guess.mode[k] == RestingMode::kOpen) continue;
    const size_t i = first_[k];
    if (guess.mode[k] == RestingMode::kSlips && rows_of(k) == 3) {
      const double mu = points_[k].static_friction;
      in.push_back({i, {1, -mu * guess.slip[k][0], -mu * guess.slip[k][1]}});
    } else {
      for (size_t j = i; j < first_[k + 1]; ++j) in.push_back({j, {1, 0, 0}});
    }
  }
  f_.assign(n_, 0);
  const size_t m = in.size();
  if (m == 0) return true;
  std::vector<double> A(m * m), x(m);
  for (size_t i = 0; i < m; ++i) {
    const double* row = &G_[in[i].row * n_];
    for (size_t j = 0; j < m; ++j) {
      const Unknown& u = in[j];
      double a = row[u.row];
      if (u.part[1] != 0 || u.part[2] != 0) {
        a += u.part[1] * row[u.row + 1] + u.part[2] * row[u.row + 2];
      }
      A[i * m + j] = a;
    }
    A[i * m + i] += kSoftness * row[in[i].row];
  }
  DenseLu lu;
  if (!lu.factor(A, m)) return false;
  for (int round = 0; round <= kSharpenings; ++round) {
    for (size_t i = 0; i < m; ++i) x[i] = -answer_at(in[i].row, f_);
    lu.solve(x);
    for (size_t i = 0; i < m; ++i) {
      for (size_t c = 0; c < 3; ++c) {
        if (in[i].part[c] != 0) f_[in[i].row + c] += in[i].part[c] * x[i];
      }
    }
  }
  return std::all_of(f_.begin(), f_.end(), [](double v) { return std::isfinite(v); });
}

// Changes what disagrees with the forces, at most `most` points. Returns how many disagreed.
size_t RestingProblem::improve(Guess& guess, size_t most) {
  double scale_f = 0;
  for (const double x : f_) scale_f = std::max(scale_f, std::fabs(x));
  const double small_f = kSlack * scale_f, small_a = kSlack * scale_a_;
  size_t wrong = 0;
  for (size_t k = 0; k < points_.size(); ++k) {
    const size_t i = first_[k];
    RestingMode next = guess.mode[k];
    std::array<double, 2> slip = guess.slip[k];
    if (next == RestingMode::kOpen) {
      if (answer_at(i, f_) < -small_a) next = RestingMode::kClosed;
    } else if (f_[i] < -small_f) {
      next = RestingMode::kOpen;
    } else if (rows_of(k) == 3) {
      // velocities that a force of the cone's edge opposes
      double along[2] = {-f_[i + 1], -f_[i + 2]};
      if (next == RestingMode::kSlips) {
        along[0] = answer_at(i + 1, f_);
        along[1] = answer_at(i + 2, f_);
      }
      const double size = std::sqrt(along[0] * along[0] + along[1] * along[1]);
      if (next == RestingMode::kClosed) {
        if (size > points_[k].static_friction * std::max(f_[i], 0.0) + small_f) {
          next = RestingMode::kSlips;
          slip = {along[0] / size, along[1] / size};
        }
      } else if (f_[i] > small_f) {
        const double ahead = along[0] * slip[0] + along[1] * slip[1];
        if (ahead < -small_a) {
          next = RestingMode::kClosed;
        } else if (size > 1e3 * small_a && ahead < (1 - kTurned) * size) {
          slip = {along[0] / size, along[1] / size};
        }
      }
    }
    if (next == guess.mode[k] && slip == guess.slip[k]) continue;
    if (wrong++ >= most) continue;
    guess.mode[k] = next;
    guess.slip[k] = slip;
  }
  return wrong;
}

// Guesses, each from what is wrong with the one before: all at once, later one by one, so that two
// points do not go on changing places.
bool RestingProblem::try_modes(std::span<const RestingMode> modes) {
  Guess guess;
  guess.mode.assign(modes.begin(), modes.end());
  guess.slip.assign(points_.size(), {1, 0});
  for (int round = 0; round < kMostGuesses; ++round) {
    if (!solve_guess(guess)) return false;
    if (improve(guess, round < kMostGuesses / 2 ? points_.size() : 1) == 0) return true;
  }
  return false;
}

size_t RestingProblem::lemke_size() const {
  size_t n = 0;
  for (size_t k = 0; k < points_.size(); ++k) n += rows_of(k) == 1 ? 1 : kDirections + 2;
  return n;
}

LcpResult RestingProblem::try_lemke() {
  // where a point's unknowns begin: f_N, then b_1 .. b_8 and s where it sticks
  std::vector<size_t> first;
  size_t n = 0;
  for (size_t k = 0; k < points_.size(); ++k) {
    first.push_back(n);
    n += rows_of(k) == 1 ? 1 : kDirections + 2;
  }
  // each unknown as forces of two rows
  struct Parts {
    size_t row = 0;
    double part[2] = {0, 0};  // of this row and of the next
  };
  std::vector<Parts> parts(n);
  for (size_t k = 0; k < points_.size(); ++k) {
    parts[first[k]] = {first_[k], {1, 0}};
    if (rows_of(k) == 1) continue;
    for (size_t d = 0; d < kDirections; ++d) {
      parts[first[k] + 1 + d] = {first_[k] + 1, {kDirection[d][0], kDirection[d][1]}};
    }
  }
  std::vector<double> M(n * n, 0), q(n, 0), z;
  const auto next = [&](const Parts& p) { return p.part[1] != 0 ? p.row + 1 : p.row; };
  for (size_t i = 0; i < n; ++i) {
    const Parts& a = parts[i];
    q[i] = a.part[0] * bias_[a.row] + a.part[1] * bias_[next(a)];
    for (size_t j = 0; j < n; ++j) {
      const Parts& b = parts[j];
      M[i * n + j] =
          a.part[0] * (b.part[0] * G_[a.row * n_ + b.row] + b.part[1] * G_[a.row * n_ + next(b)]) +
          a.part[1] *
              (b.part[0] * G_[next(a) * n_ + b.row] + b.part[1] * G_[next(a) * n_ + next(b)]);
    }
  }
  for (size_t k = 0; k < points_.size(); ++k) {
    if (rows_of(k) == 1) continue;
    const size_t s = first[k] + 1 + kDirections;
    M[s * n + first[k]] = points_[k].static_friction;
    for (size_t d = 0; d < kDirections; ++d) {
      M[s * n + first[k] + 1 + d] = -1;
      M[(first[k] + 1 + d) * n + s] = 1;
    }
  }
  LcpResult result;
  for (const LemkeTry& t : kLemkeTries) {
    std::vector<double> soft = M;
    for (size_t i = 0; i < n; ++i) soft[i * n + i] *= 1 + t.softness;
    const int pivots = result.pivots;
    result = solve_lcp(soft, q, z, {.zero = t.zero, .spread = t.spread});
    result.pivots += pivots;
    if (result.status != LcpStatus::kSolved) continue;
    sharpen(M, soft, q, z);
    result.residual = lcp_residual(M, q, z);
    break;
  }
  f_.assign(n_, 0);
  for (size_t i = 0; i < n; ++i) {
    f_[parts[i].row] += parts[i].part[0] * z[i];
    if (parts[i].part[1] != 0) f_[parts[i].row + 1] += parts[i].part[1] * z[i];
  }
  return result;
}

// Point after point, each for itself, until nothing changes: what is left where round-off has led
// Lemke's algorithm astray. Does not converge where there is no answer. Returns what the last sweep
// changed, of the accelerations.
double RestingProblem::try_sweeps(int most_sweeps) {
  // from what the last guess said, as far as it is allowed; nothing where it said nonsense
  double size = 0;
  for (const double x : f_) size = std::max(size, std::isfinite(x) ? std::fabs(x) : kNonsense);
  if (size >= kNonsense) f_.assign(n_, 0);
  for (size_t k = 0; k < points_.size(); ++k) {
    const size_t i = first_[k];
    f_[i] = std::max(0.0, f_[i]);
    if (rows_of(k) == 1) continue;
    const double across = std::sqrt(f_[i + 1] * f_[i + 1] + f_[i + 2] * f_[i + 2]);
    const double bound = points_[k].static_friction * f_[i];
    if (!(across > bound)) continue;
    f_[i + 1] *= bound / across;
    f_[i + 2] *= bound / across;
  }
  double change = std::numeric_limits<double>::infinity();
  for (int sweep = 0; sweep < most_sweeps && change > kSettled; ++sweep) {
    double most = 0;
    for (size_t k = 0; k < points_.size(); ++k) {
      const size_t i = first_[k];
      const double K = G_[i * n_ + i];
      if (!(K > 0)) return std::numeric_limits<double>::infinity();
      const double f = std::max(0.0, f_[i] - answer_at(i, f_) / K);
      most = std::max(most, K * std::fabs(f - f_[i]));
      f_[i] = f;
      if (rows_of(k) == 1) continue;
      const double before[2] = {f_[i + 1], f_[i + 2]};
      for (size_t c = 1; c < 3; ++c) {
        f_[i + c] -= answer_at(i + c, f_) / G_[(i + c) * n_ + i + c];
      }
      const double across = std::sqrt(f_[i + 1] * f_[i + 1] + f_[i + 2] * f_[i + 2]);
      const double bound = points_[k].static_friction * f;
      for (size_t c = 1; c < 3; ++c) {
        if (across > bound) f_[i + c] *= bound / across;
        most = std::max(most, G_[(i + c) * n_ + i + c] * std::fabs(f_[i + c] - before[c - 1]));
      }
    }
    change = most / scale_a_;
    if (!std::isfinite(change)) return std::numeric_limits<double>::infinity();
  }
  return change;
}

void RestingProblem::store(std::span<const double> f, std::vector<RestingMode>& modes) {
  modes.assign(points_.size(), RestingMode::kOpen);
  for (size_t k = 0; k < points_.size(); ++k) {
    RestingPoint& p = points_[k];
    const size_t i = first_[k];
    p.normal = std::max(0.0, f[i]);
    const double across =
        rows_of(k) == 3 ? std::sqrt(f[i + 1] * f[i + 1] + f[i + 2] * f[i + 2]) : 0;
    const bool slips = rows_of(k) == 3 && across > (1 - 1e-6) * p.static_friction * p.normal;
    if (p.normal > 0) modes[k] = slips ? RestingMode::kSlips : RestingMode::kClosed;
    p.force_W = p.normal * (p.at.normal_W - p.sliding_friction * p.slip_W);
    if (rows_of(k) == 3 && p.normal > 0) {
      p.force_W += f[i + 1] * rows_[i + 1].direction + f[i + 2] * rows_[i + 2].direction;
    }
  }
}

RestingResult RestingProblem::solve(std::vector<RestingMode>& modes,
                                    const RestingSettings& settings) {
  RestingResult result;
  // forces of nothing are an answer where nothing approaches
  f_.assign(n_, 0);
  if (is_zero_answer()) {
    store(f_, modes);
    return result;
  }
  const bool known = modes.size() == points_.size();
  const std::vector<RestingMode> closed(points_.size(), RestingMode::kClosed);
  if (!settings.lemke_only && ((known && try_modes(modes)) || try_modes(closed))) {
    result.way = RestingWay::kGuess;
    store(f_, modes);
    return result;
  }
  // Lemke's algorithm takes seconds for hundreds of unknowns: only sweeps then, and what they reach
  const bool large = lemke_size() > kModerate && !settings.lemke_only;
  if (!large) {
    const LcpResult lcp = try_lemke();
    result = {RestingWay::kLemke, lcp.status, lcp.pivots, lcp.residual};
  }
  if (large || result.status != LcpStatus::kSolved) {
    const double left = try_sweeps(large ? kFewSweeps : kMostSweeps);
    if (left <= (large ? kNearlySettled : kSettled)) {
      result = {RestingWay::kSweeps, LcpStatus::kSolved, result.pivots, left};
    } else {
      if (large) result.status = LcpStatus::kGaveUp;
      f_.assign(n_, 0);
    }
  }
  store(f_, modes);
  return result;
}

bool RestingProblem::break_away(std::vector<uint8_t>& broken) {
  constexpr double kReally = 1e-6;  // of the accelerations: above what solves leave
  bool any = false;
  for (size_t k = 0; k < points_.size(); ++k) {
    RestingPoint& p = points_[k];
    if (rows_of(k) != 3 || !(p.sliding_friction < p.static_friction) || !(p.normal > 0)) continue;
    const size_t i = first_[k];
    const double bound = (1 - 1e-6) * p.static_friction * p.normal;
    const double held = f_[i + 1] * f_[i + 1] + f_[i + 2] * f_[i + 2];
    if (!(held > bound * bound)) continue;
    const double x = answer_at(i + 1, f_), y = answer_at(i + 2, f_);
    const double size = std::sqrt(x * x + y * y);
    if (!(size > kReally * scale_a_)) continue;
    p.slip_W = (x / size) * rows_[i + 1].direction + (y / size) * rows_[i + 2].direction;
    broken[k] = 1;
    any = true;
  }
  return any;
}

}  // namespace

RestingResult calc_resting_forces(std::span<RestingPoint> points, const ContactResponse& response,
                                  std::vector<RestingMode>& modes,
                                  const RestingSettings& settings) {
  if (points.empty()) {
    modes.clear();
    return {};
  }
  // Static friction that is not enough is none: what it does not hold slides at once, and what that
  // leaves to others may be too much for them, too. The polygon of Lemke's algorithm, weak between
  // its directions, does not tell such points.
  RestingResult result;
  std::vector<uint8_t> broken(points.size(), 0);
  for (int round = 0, pivots = 0;; ++round) {
    RestingProblem problem(points, response);
    result = problem.solve(modes, settings);
    result.pivots += pivots;
    pivots = result.pivots;
    const bool tells = result.way == RestingWay::kGuess ||
                       (result.way == RestingWay::kSweeps && result.residual <= kSettled);
    if (!tells || round == kMostBreaks || !problem.break_away(broken)) break;
  }
  for (size_t k = 0; k < points.size(); ++k) {
    if (broken[k] != 0 && points[k].normal > 0) modes[k] = RestingMode::kSlips;
  }
  return result;
}

}  // namespace tenon
