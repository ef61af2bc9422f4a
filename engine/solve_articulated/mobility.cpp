// Freedoms are coordinates less independent rows: the rank of the Jacobian J of all held rows, each
// of length 1, by a QR factorisation of J^T whose columns stay in the order of the joints. A column
// that the ones before it span is set aside; its coefficients name the joints of its circuit.
//
// A rank at one position can lie: where rows are dependent by chance, J loses rank there only, and
// the count of freedoms is too high. Where all rows are independent this cannot be (implicit
// function theorem). Otherwise the mechanism is moved a little along directions that J allows and
// closed again:
//   freedoms nearby = min(fewest freedoms at such places, dimension of the motions found)   (1)
// The first term sees crossing branches of motion (a straight four-bar linkage), the second motions
// that exist to first order only (a point between two taut strings).
#include "tenon/engine/solve_articulated/mobility.h"

#include <Eigen/OrderingMethods>
#include <Eigen/QR>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseQR>
#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "tenon/engine/base/rng.h"
#include "tenon/engine/solve_articulated/detail/close_loops.h"

namespace tenon {
namespace mobility {
namespace {

using Matrix = Eigen::SparseMatrix<double>;
using Qr = Eigen::SparseQR<Matrix, Eigen::NaturalOrdering<int>>;
using Vector = Eigen::VectorXd;

// Distance of a row of length 1 from the span of those before it. Positions are closed to 1e-13,
// and a loop of n joints weakens what it says by about 1 / n^2.
constexpr double kRankTolerance = 1e-8;
constexpr double kLargestRankTolerance = 1e-4;
constexpr double kSurePivot = 1e-9;    // far above the round-off of a square
constexpr double kProbe = 0.04;        // rad and lengths: near, yet far above all tolerances
constexpr double kStayed = 0.02;       // of a probe: less is no motion
constexpr double kCoefficient = 1e-6;  // of a row in a circuit
constexpr int kMaxProbes = 16;
constexpr double kRetries[] = {0.1, 0.3, 1.0, 2.0};  // rad and lengths, for finding another way

// J at one position, factorised.
struct Rank {
  uint32_t rank = 0;
  std::vector<int> order;  // columns of J^T: independent ones first
  Matrix transposed;       // J^T with columns of length 1
  Qr qr;
};

// J^T with columns of length 1.
Matrix make_transposed(const HeldRows& held, const std::vector<HeldRow>& rows) {
  std::vector<Eigen::Triplet<double>> entries;
  for (size_t r = 0; r < rows.size(); ++r) {
    for (size_t e = 0; e < rows[r].entries; ++e) {
      const uint32_t b = rows[r].body[e];
      if (b >= held.mechanism().moving) continue;
      const uint32_t first = held.column(b), count = held.column(b + 1) - first;
      for (uint32_t k = 0; k < count; ++k) {
        const double g = rows[r].gradient[e][k];
        if (g != 0) entries.emplace_back(static_cast<int>(first + k), static_cast<int>(r), g);
      }
    }
  }
  Matrix transposed(static_cast<int>(held.coordinates()), static_cast<int>(rows.size()));
  transposed.setFromTriplets(entries.begin(), entries.end());
  transposed.makeCompressed();
  for (int column = 0; column < transposed.cols(); ++column) {
    const double length = transposed.col(column).norm();
    if (length > 1e-9) transposed.col(column) *= 1 / length;
  }
  return transposed;
}

// Whether all rows are certainly independent: pivots of J J^T are squared distances of rows from
// the span of others. A hundred times faster for nets than what names dependent rows.
bool is_independent(const HeldRows& held, const std::vector<HeldRow>& rows) {
  if (rows.empty()) return true;
  if (rows.size() > held.coordinates()) return false;
  const Matrix transposed = make_transposed(held, rows);
  const Eigen::SimplicialLDLT<Matrix> factor(Matrix(transposed.transpose() * transposed));
  return factor.info() == Eigen::Success && factor.vectorD().minCoeff() > kSurePivot;
}

bool factorise(const HeldRows& held, const std::vector<HeldRow>& rows, double tolerance,
               Rank& out) {
  out.transposed = make_transposed(held, rows);
  out.qr.setPivotThreshold(tolerance);
  out.qr.compute(out.transposed);
  if (out.qr.info() != Eigen::Success) return false;
  out.rank = static_cast<uint32_t>(out.qr.rank());
  const auto& order = out.qr.colsPermutation().indices();
  out.order.assign(order.data(), order.data() + order.size());
  return true;
}

// A vector's part that no row notices.
Vector free_part(const Rank& r, const Vector& v) {
  Vector y = r.qr.matrixQ().transpose() * v;
  y.head(static_cast<int>(r.rank)).setZero();
  return r.qr.matrixQ() * y;
}

class Analysis {
 public:
  Analysis(const Mechanism& mechanism, std::span<const MobilityBody> bodies,
           std::span<const MobilityJoint> joints, double tolerance)
      : mechanism_(mechanism),
        joints_(joints),
        tolerance_(tolerance),
        held_(mechanism, bodies, joints),
        rng_(0x6d6f62696c697479ull) {}

  void run(MechanismReport& report);

 private:
  bool is_closed(const std::vector<HeldRow>& rows, std::vector<JointGap>& open) const;
  Closed close(MechanismReport& report);
  Vector random_direction(const Rank& rank);
  void probe(const Closed& here, const Rank& now, MechanismReport& report, Rank& generic,
             std::vector<HeldRow>& generic_rows);
  bool singular_beside(const Closed& here, const Rank& now);
  void name_redundant(const Rank& rank, const std::vector<HeldRow>& rows, MechanismReport& report);
  void find_idle(const std::vector<HeldRow>& rows, MechanismReport& report) const;

  const Mechanism& mechanism_;
  std::span<const MobilityJoint> joints_;
  double tolerance_, rank_tolerance_ = kRankTolerance;
  HeldRows held_;
  Rng rng_;
};

bool Analysis::is_closed(const std::vector<HeldRow>& rows, std::vector<JointGap>& open) const {
  const std::vector<JointGap> gaps = held_.gaps(rows);
  open.clear();
  for (size_t j = 0; j < gaps.size(); ++j) {
    if (gaps[j].gap_m > tolerance_ * joints_[j].size || gaps[j].angle_rad > tolerance_)
      open.push_back(gaps[j]);
  }
  return open.empty();
}

// Where all joints are closed as well as they can be. The first try moves bodies least; others,
// from random places around, may find a way past a position where the first one got stuck.
Closed Analysis::close(MechanismReport& report) {
  const Configuration start = held_.start();
  HeldRows first = held_;
  const bool closed = is_closed(first.eval(start), report.open);
  HeldRows rows = held_;
  Closed best = close_loops(rows, start);
  bool found = is_closed(best.rows, report.conflicts);
  HeldRows best_rows = rows;
  for (const double size : kRetries) {
    if (found) break;
    std::vector<double> step(held_.coordinates());
    for (double& s : step) s = rng_.uniform(-size, size);
    rows = held_;
    const Closed next = close_loops(rows, held_.moved(start, step));
    std::vector<JointGap> open;
    // equally bad ones would only be farther away
    if (!(next.residual < 0.999 * best.residual)) continue;
    best = next;
    best_rows = rows;
    found = is_closed(best.rows, report.conflicts);
  }
  held_ = best_rows;
  report.closure = closed ? Closure::kClosed : Closure::kClosable;
  if (!found) report.closure = Closure::kContradiction;
  for (uint32_t b = 0; b < mechanism_.moving; ++b)
    report.moved_m = std::max(report.moved_m, norm(best.at.x_WC[b] - start.x_WC[b]));
  return best;
}

// Of size kProbe, in the null space of J; zero where that is empty.
Vector Analysis::random_direction(const Rank& rank) {
  Vector v(static_cast<int>(held_.coordinates()));
  for (double& x : v) x = rng_.uniform(-1, 1);
  v = free_part(rank, v);
  const double largest = v.size() > 0 ? v.cwiseAbs().maxCoeff() : 0;
  return largest > 1e-9 ? Vector(v * (kProbe / largest)) : Vector(0 * v);
}

std::span<const double> span_of(const Vector& v) {
  return {v.data(), static_cast<size_t>(v.size())};
}

void Analysis::probe(const Closed& here, const Rank& now, MechanismReport& report, Rank& generic,
                     std::vector<HeldRow>& generic_rows) {
  const int wanted = std::min(static_cast<int>(report.freedoms) + 2, kMaxProbes);
  const auto n = static_cast<int>(held_.coordinates());
  Eigen::MatrixXd motions(n, wanted);
  int tried = 0;
  uint32_t best = now.rank;
  for (int i = 0; i < wanted; ++i) {
    const Vector direction = random_direction(now);
    HeldRows rows = held_;
    const Closed there = close_loops(rows, held_.moved(here.at, span_of(direction)));
    // positions that do not close as well as this one lie on no motion
    if (there.residual > std::max(1e-10, 2 * here.residual)) continue;
    Vector motion(n);
    for (uint32_t b = 0; b < mechanism_.moving; ++b) {
      const auto first = static_cast<int>(held_.column(b));
      const Vec3 dx = (there.at.x_WC[b] - here.at.x_WC[b]) / held_.length();
      const Vec3 turn = log_map(there.at.q_WB[b] * conjugate(here.at.q_WB[b]));
      for (int k = 0; k < 3; ++k) {
        motion[first + k] = dx[k];
        if (held_.column(b + 1) - held_.column(b) == 6) motion[first + 3 + k] = turn[k];
      }
    }
    motions.col(tried++) = motion;
    if (motion.norm() < kStayed * direction.norm()) continue;
    auto rank = std::make_unique<Rank>();
    if (!factorise(held_, there.rows, rank_tolerance_, *rank) || rank->rank <= best) continue;
    best = rank->rank;
    generic_rows = there.rows;
    factorise(held_, there.rows, rank_tolerance_, generic);
  }
  report.freedoms_nearby = report.coordinates - best;
  // how many of the motions are independent; as many as were tried says nothing about the rest
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> span(motions.leftCols(tried));
  span.setThreshold(0.0);
  uint32_t dimension = 0;
  for (int k = 0; k < std::min(n, tried); ++k)
    dimension += std::fabs(span.matrixQR()(k, k)) > kStayed * kProbe ? 1u : 0u;
  if (static_cast<int>(dimension) < tried || tried == 0)
    report.freedoms_nearby = std::min(report.freedoms_nearby, dimension);
}

// Whether rows that are dependent here become independent a little further along what J allows: the
// limit of reach, where a linkage is stretched. Contradicting joints stay dependent.
bool Analysis::singular_beside(const Closed& here, const Rank& now) {
  for (int i = 0; i < 4; ++i) {
    HeldRows rows = held_;
    const Vector direction = random_direction(now);
    Rank there;
    if (!factorise(held_, rows.eval(held_.moved(here.at, span_of(direction))), rank_tolerance_,
                   there))
      continue;
    if (there.rank > now.rank) return true;
  }
  return false;
}

void Analysis::name_redundant(const Rank& rank, const std::vector<HeldRow>& rows,
                              MechanismReport& report) {
  const auto independent = static_cast<int>(rank.rank);
  std::vector<uint32_t> redundant_rows(joints_.size(), 0), held_rows(joints_.size(), 0);
  std::vector<std::set<uint32_t>> circuits(joints_.size());
  for (const HeldRow& row : rows) ++held_rows[row.joint];
  const Matrix R = rank.qr.matrixR().topLeftCorner(independent, independent);
  for (size_t i = rank.rank; i < rank.order.size(); ++i) {
    const int column = rank.order[i];
    const uint32_t joint = rows[static_cast<size_t>(column)].joint;
    ++redundant_rows[joint];
    circuits[joint].insert(mechanism_.joints[joint].slot);
    const Vector y = rank.qr.matrixQ().transpose() * Vector(rank.transposed.col(column));
    const Vector weights = R.triangularView<Eigen::Upper>().solve(Vector(y.head(independent)));
    for (int k = 0; k < independent; ++k) {
      if (!(std::fabs(weights[k]) > kCoefficient)) continue;
      const auto row = static_cast<size_t>(rank.order[static_cast<size_t>(k)]);
      circuits[joint].insert(mechanism_.joints[rows[row].joint].slot);
    }
  }
  for (size_t j = 0; j < joints_.size(); ++j) {
    if (redundant_rows[j] == 0) continue;
    report.redundant.push_back({mechanism_.joints[j].slot,
                                redundant_rows[j],
                                held_rows[j],
                                {circuits[j].begin(), circuits[j].end()}});
  }
}

// Bodies whose own six columns have no full rank: they can move with all others at rest. With one
// joint that is a pendulum; with more it is an idle turn.
void Analysis::find_idle(const std::vector<HeldRow>& rows, MechanismReport& report) const {
  std::vector<std::vector<size_t>> rows_of(mechanism_.moving);
  std::vector<std::set<uint32_t>> joints_of(mechanism_.moving);
  for (size_t r = 0; r < rows.size(); ++r) {
    for (size_t e = 0; e < rows[r].entries; ++e) {
      const uint32_t b = rows[r].body[e];
      if (b >= mechanism_.moving) continue;
      if (rows_of[b].empty() || rows_of[b].back() != r) rows_of[b].push_back(r);
      joints_of[b].insert(rows[r].joint);
    }
  }
  for (uint32_t b = 0; b < mechanism_.moving; ++b) {
    const auto width = static_cast<int>(held_.column(b + 1) - held_.column(b));
    if (joints_of[b].size() < 2 || width < 6) continue;
    Eigen::MatrixXd own = Eigen::MatrixXd::Zero(static_cast<int>(rows_of[b].size()), width);
    for (size_t i = 0; i < rows_of[b].size(); ++i) {
      const HeldRow& row = rows[rows_of[b][i]];
      for (size_t e = 0; e < row.entries; ++e) {
        if (row.body[e] != b) continue;
        for (int k = 0; k < width; ++k)
          own(static_cast<int>(i), k) += row.gradient[e][static_cast<size_t>(k)];
      }
    }
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(own);
    qr.setThreshold(std::max(rank_tolerance_, 1e-7));
    if (qr.rank() < width) report.idle.push_back(mechanism_.body_slots[b]);
  }
}

void Analysis::run(MechanismReport& report) {
  report.coordinates = held_.coordinates();
  const Closed here = close(report);
  report.rows = static_cast<uint32_t>(here.rows.size());
  // what does not close to more digits has no more digits of rank
  const double worst = here.residual;
  rank_tolerance_ = std::clamp(10 * worst, kRankTolerance, kLargestRankTolerance);
  if (report.closure != Closure::kContradiction && is_independent(held_, here.rows)) {
    report.analysed = true;
    report.freedoms = report.freedoms_nearby = report.coordinates - report.rows;
    find_idle(here.rows, report);
    return;
  }
  Rank now, generic;
  if (!factorise(held_, here.rows, rank_tolerance_, now)) return;
  report.analysed = true;
  report.freedoms = report.freedoms_nearby = report.coordinates - now.rank;
  std::vector<HeldRow> generic_rows;
  const bool dependent = now.rank < report.rows;
  if (report.closure == Closure::kContradiction) {
    if (singular_beside(here, now)) report.closure = Closure::kOutOfReach;
  } else if (dependent && report.freedoms > 0) {
    probe(here, now, report, generic, generic_rows);
  }
  if (dependent) {
    const bool moved = generic.rank > now.rank;
    name_redundant(moved ? generic : now, moved ? generic_rows : here.rows, report);
  }
  find_idle(here.rows, report);
}

bool is_usable(std::span<const MobilityBody> bodies) {
  return std::all_of(bodies.begin(), bodies.end(),
                     [](const MobilityBody& b) { return is_finite(b.x_WC) && is_finite(b.q_WB); });
}

}  // namespace
}  // namespace mobility

const char* name(Closure closure) {
  switch (closure) {
    case Closure::kClosed:
      return "closed";
    case Closure::kClosable:
      return "closable";
    case Closure::kContradiction:
      return "contradiction";
    case Closure::kOutOfReach:
      return "out_of_reach";
  }
  return "?";
}

MechanismReport calc_mobility(const Mechanism& mechanism, std::span<const MobilityBody> bodies,
                              std::span<const MobilityJoint> joints, double tolerance) {
  MechanismReport report;
  report.bodies.assign(mechanism.body_slots.begin(),
                       mechanism.body_slots.begin() + mechanism.moving);
  uint32_t rows = 0;
  for (const MechanismJoint& joint : mechanism.joints) {
    report.joints.push_back(joint.slot);
    rows += joint.rows;
  }
  if (rows > kMaxMobilityRows || !mobility::is_usable(bodies)) return report;
  mobility::Analysis(mechanism, bodies, joints, tolerance).run(report);
  return report;
}

}  // namespace tenon
