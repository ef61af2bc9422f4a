// Black boxes as rows of Newton's method; see docs/theory/joints.md, section 5.
#include "tenon/engine/solve_articulated/detail/general_rows.h"

namespace tenon::direct {
namespace {

// Gradients are first taken near the frame where the function would put the predicted one. G is
// kept while the iterates stay this close to it (rad; lengths relative to the size): Newton's
// method still contracts a hundredfold then.
constexpr double kNear = 2e-3;
// F decides where the bodies go. Over a step gradients change by twice `half_turn`, and taking
// their mean for F has an error of the square of that; F is kept while it is off by less than this
// part of it, or hardly at all.
constexpr double kPartOfError = 0.1, kHardly = 1e-7;
// Gradients that differ less than this are the same.
constexpr double kSame = 1e-5;
// An edge that was let go is passed from here on (rad; lengths relative to the size).
constexpr double kPassed = 1e-9;

// How C moves against P over the step, at the mean point of application.
struct StepMotion {
  Vec3 delta, phi;
  double size2 = 1, inv_length2 = 0;  // m^2; of (delta / size, phi), zero where that hardly moves

  StepMotion(const PairFrames& x, const BodyWork& P, const BodyWork& C, double size)
      : delta(C.dx + cross(C.th, x.rC) - P.dx - cross(P.th, x.rP + x.d)),
        phi(C.th - P.th),
        size2(size * size) {
    const double length2 = norm2(delta) / size2 + norm2(phi);
    if (length2 > 1e-12) inv_length2 = 1 / length2;
  }
};

// Makes the gradient of a step exact, as scale_gradient does for angles. The increment of a black
// box is zero as a rule: the correction is along the motion, and made only where it is small.
void shift_gradient(RowWrench& w, double increment, const StepMotion& m) {
  const double miss = increment - dot(w.f, m.delta) - dot(w.t, m.phi);
  const double factor = miss * m.inv_length2;
  if (factor * miss > 0.01 * (m.size2 * norm2(w.f) + norm2(w.t))) return;
  w.f += (factor / m.size2) * m.delta;
  w.t += factor * m.phi;
}

Pose mean_pose(const Pose& a, const Pose& b) {
  const double s = dot(a.q, b.q) < 0 ? -1 : 1;
  return {0.5 * (a.p + b.p), normalized(Quat{a.q.w + s * b.q.w, a.q.x + s * b.q.x,
                                             a.q.y + s * b.q.y, a.q.z + s * b.q.z})};
}

double distance(const Pose& X, const Pose& Y, double size) {
  const Quat turn = X.q * conjugate(Y.q);
  return std::sqrt(norm2(X.p - Y.p) / (size * size) + 4 * norm2(turn.vec()));
}

double largest_difference(const BlackBoxWork& box, double size) {
  double most = 0;
  for (size_t k = 0; k < static_cast<size_t>(box.basis.count); ++k) {
    const RowWrench &a = box.G[k], &b = box.F[k];
    most = std::max({most, size * norm(a.f - b.f), norm(a.t - b.t)});
  }
  return most;
}

RowWrench to_wrench(const double* gradient, double size) {
  return {{gradient[0] / size, gradient[1] / size, gradient[2] / size},
          {gradient[3], gradient[4], gradient[5]}};
}

// Do the first three rows hold C's origin in P, and nothing else?
bool holds_point(const BlackBoxBasis& basis, std::span<const RowWrench> w, double size) {
  if (basis.count < 3) return false;
  double miss = 0;
  for (size_t k = 0; k < 3; ++k) {
    if (basis.one_sided[k]) return false;
    Vec3 axis;
    axis[static_cast<int>(k)] = 1;
    miss = std::max({miss, norm(size * w[k].f - axis), norm(w[k].t), std::fabs(basis.b[k][k] - 1)});
  }
  return miss < kSame;
}

// The rows that hold a point, turned to world axes: their forces then do not turn with P, which
// saves iterations.
void turn_to_world(const PairFrames& x, double* c) {
  const Vec3 turned = to_world(x, {c[0], c[1], c[2]});
  for (int k = 0; k < 3; ++k) c[k] = turned[k];
}

}  // namespace

void GeneralRows::look_at_begin(GeneralJoint& j, const JointState& state) {
  BlackBoxWork& box = boxes_[j.box];
  box.at_begin = look_at(*j.model->black_box, relative_pose(j.f0[0]), j.size);
  for (size_t k = 0; k < 6; ++k) box.wrench[k] = h_ * state.lambda[k];
}

double GeneralRows::begin_error_of(const BlackBoxWork& box) const {
  if (!box.at_begin.finite) return 0;
  const std::array<double, 6>& r = box.at_begin.r;
  return std::max(norm(Vec3{r[0], r[1], r[2]}), norm(Vec3{r[3], r[4], r[5]}));
}

// Directions that are held in this step, errors at its begin, and the impulses of the last one.
void GeneralRows::begin_black_box(GeneralJoint& j) {
  BlackBoxWork& box = boxes_[j.box];
  const BlackBox& function = *j.model->black_box;
  box.basis = find_basis_at(function, box.at_end, j.size);
  j.c0 = {};
  calc_values(function, box.basis, box.at_begin, j.size, j.c0.data());
  find_gradients_near(j, box.at_end.finite ? box.at_end.Y : box.at_end.X);
  const auto count = static_cast<size_t>(box.basis.count);
  for (size_t k = 0; k < count; ++k) box.G[k] = to_wrench(box.basis.gradient[k], j.size);
  box.G_at = box.F_for;
  const double half_step = 0.5 * distance(box.G_at, box.at_begin.X, j.size);
  box.half_turn = largest_difference(box, j.size);
  box.bend = half_step > 0 ? box.half_turn / half_step : 0;
  box.world_point = holds_point(box.basis, box.G, j.size) && holds_point(box.basis, box.F, j.size);
  j.flips = {};
  for (size_t k = 0; k < j.rows; ++k) {
    const bool held = k < count;
    j.row[k] = held ? LawRow{1, 0, 0} : LawRow{0, 1, 0};
    j.angular[k] = true;  // measured relative to the size by the basis itself
    j.p[k] = 0;
    for (size_t i = 0; i < 6 && held; ++i) {
      j.p[k] += box.basis.b[k][i] * (i < 3 ? box.wrench[i] * j.size : box.wrench[i]);
    }
  }
  if (!box.world_point) return;
  turn_to_world(j.f0[0], j.c0.data());
  turn_to_world(j.f1[0], j.p.data());
}

// F at the middle of a step that ends near X.
void GeneralRows::find_gradients_near(GeneralJoint& j, const Pose& X) {
  BlackBoxWork& box = boxes_[j.box];
  const BlackBox& function = *j.model->black_box;
  box.F_for = X;
  if (box.basis.count == 0) return;
  const Pose mean = mean_pose(box.at_begin.X, X);
  calc_gradients(function, box.basis, look_at(function, mean, j.size), j.size, box.F.data());
}

void GeneralRows::update_gradients(GeneralJoint& j) {
  BlackBoxWork& box = boxes_[j.box];
  const Pose& X = box.at_end.X;
  const double off = 0.5 * box.bend * distance(X, box.F_for, j.size);
  const double enough = std::max(kPartOfError * box.half_turn * box.half_turn, kHardly);
  const bool far = distance(X, box.G_at, j.size) > kNear;
  if (far || off > enough) find_gradients_near(j, X);
  if (!far) return;
  calc_gradients(*j.model->black_box, box.basis, box.at_end, j.size, box.G.data());
  box.G_at = X;
}

void GeneralRows::eval_black_box_rows(GeneralJoint& j, std::span<const BodyWork> bodies) {
  BlackBoxWork& box = boxes_[j.box];
  const BlackBox& function = *j.model->black_box;
  box.at_end = look_at(function, relative_pose(j.f1[0]), j.size);
  if (fresh_) begin_black_box(j);
  const auto count = static_cast<size_t>(box.basis.count);
  if (count == 0) return;
  if (!fresh_) update_gradients(j);
  calc_values(function, box.basis, box.at_end, j.size, j.c1.data());
  if (box.world_point) turn_to_world(j.f1[0], j.c1.data());

  const PairFrames &x1 = j.f1[0], &xm = j.fm[0];
  const StepMotion motion(xm, bodies[j.body[0]], bodies[j.body[1]], j.size);
  EntryRows &P = entry(j, 0), &C = entry(j, 1);
  for (size_t k = 0; k < count; ++k) {
    RowWrench end, mean;
    if (box.world_point && k < 3) {
      end.f[static_cast<int>(k)] = mean.f[static_cast<int>(k)] = 1 / j.size;
    } else {
      end = {to_world(x1, box.G[k].f), to_world(x1, box.G[k].t)};
      mean = {to_world(xm, box.F[k].f), to_world(xm, box.F[k].t)};
    }
    if (at_end_) {
      mean = end;
    } else {
      shift_gradient(mean, j.c1[k] - j.c0[k], motion);
    }
    add_wrench(&P.G[6 * k], &C.G[6 * k], x1, end);
    add_wrench(&P.F[6 * k], &C.F[6 * k], xm, mean);
  }
}

// Gradients of the velocity stage: at the last iterate, whose projection is known, unless G is that
// of a frame so near that it will do.
void GeneralRows::end_black_box(uint32_t joint) {
  GeneralJoint& j = joints_[joint];
  BlackBoxWork& box = boxes_[j.box];
  const PairFrames& x = j.f1[0];
  const bool same = box.bend * distance(box.at_end.X, box.G_at, j.size) < kSame;
  if (box.basis.count > 0 && !same) {
    calc_gradients(*j.model->black_box, box.basis, box.at_end, j.size, box.G.data());
  }
  for (size_t k = 0; k < static_cast<size_t>(box.basis.count); ++k) {
    if (j.row[k].a == 0) continue;
    RowWrench w{to_world(x, box.G[k].f), to_world(x, box.G[k].t)};
    if (box.world_point && k < 3) {
      w = {};
      w.f[static_cast<int>(k)] = 1 / j.size;
    }
    add_wrench(&entry(j, 0).G[6 * k], &entry(j, 1).G[6 * k], x, w);
    if (box.basis.one_sided[k]) add_edge_row(joint, k);
  }
}

// Impulses of rows as force and torque on the child in P's axes.
std::array<double, 6> GeneralRows::wrench_of(const GeneralJoint& j, std::array<double, 6> p) const {
  const BlackBoxWork& box = boxes_[j.box];
  if (box.world_point) {
    const Vec3 force{p[0], p[1], p[2]};
    for (size_t k = 0; k < 3; ++k) p[k] = dot(j.f1[0].P[k], force);
  }
  std::array<double, 6> wrench{};
  for (size_t k = 0; k < static_cast<size_t>(box.basis.count); ++k) {
    for (size_t l = 0; l < 6; ++l) wrench[l] += p[k] * box.basis.b[k][l] / (l < 3 ? j.size : 1);
  }
  return wrench;
}

// The edge of a region holds inwards only: rows that would pull let go, those that are passed again
// hold, and an edge that only the solution passes becomes a row.
int GeneralRows::update_edges(GeneralJoint& j) {
  BlackBoxWork& box = boxes_[j.box];
  const BlackBox& function = *j.model->black_box;
  int changes = 0;
  for (size_t k = 0; k < static_cast<size_t>(box.basis.count); ++k) {
    if (!box.basis.one_sided[k]) continue;
    const bool holds = j.row[k].a != 0;
    // one that comes and goes is held: that can only take energy
    if (holds ? !(j.p[k] > 0) || j.flips[k] >= 3 : !(j.c1[k] > kPassed)) continue;
    j.row[k] = holds ? LawRow{0, 1, 0} : LawRow{1, 0, 0};
    j.p[k] = 0;
    j.eps[k] = -1;
    ++j.flips[k];
    ++changes;
  }
  const auto next = static_cast<size_t>(box.basis.count);
  if (next >= j.rows || !tenon::add_edge_row(function, box.at_end, j.size, box.basis))
    return changes;
  j.row[next] = {1, 0, 0};
  j.p[next] = 0;
  j.eps[next] = -1;
  std::array<double, 6> c{};
  calc_values(function, box.basis, box.at_begin, j.size, c.data());
  j.c0[next] = c[next];
  find_gradients_near(j, box.at_end.X);
  calc_gradients(function, box.basis, box.at_end, j.size, box.G.data());
  box.G_at = box.at_end.X;
  return changes + 1;
}

}  // namespace tenon::direct
