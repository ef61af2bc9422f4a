#include "tenon/engine/joints/vibration.h"

#include <cmath>

#include "tenon/engine/math/elementary.h"

namespace tenon {
namespace {

// a^T M^-1 b of the wrenches of two rows.
double calc_answer(const RowWrench& a, const RowWrench& b, const PairFrames& x,
                   const std::array<BodyAnswer, 2>& bodies) {
  const auto torque = [](const RowWrench& w, const Vec3& lever) { return cross(lever, w.f) + w.t; };
  const double shift = (bodies[0].inv_mass + bodies[1].inv_mass) * dot(a.f, b.f);
  const Vec3 lever = x.rP + x.d;
  return shift + dot(torque(a, lever), bodies[0].inv_I * torque(b, lever)) +
         dot(torque(a, x.rC), bodies[1].inv_I * torque(b, x.rC));
}

// The largest inverse mass of three slides alike.
double calc_largest(const PairFrames& x, const std::array<BodyAnswer, 2>& bodies) {
  Mat3 answer{};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      answer(i, j) = calc_answer({x.P[static_cast<size_t>(i)], {}},
                                 {x.P[static_cast<size_t>(j)], {}}, x, bodies);
    }
  }
  return calc_symmetric_eigen(answer).values.z;
}

bool same_in_all_directions(const JointModel& model) {
  for (const int k : {1, 2}) {
    const JointAxisDef &a = model.axes[0], &b = model.axes[static_cast<size_t>(k)];
    if (a.stiffness != b.stiffness || a.damping != b.damping) return false;
  }
  return model.kind == JointKind::kSixAxis && model.axes[0].has_law();
}

}  // namespace

Vibration calc_vibration(const JointModel& model, const PairFrames& x,
                         const std::array<BodyAnswer, 2>& bodies) {
  Vibration found;
  double highest = -1;  // stiffness, or for dampers damping, per mass
  for (size_t k = model.has_point ? 3 : 0; k < model.row_count; ++k) {
    const RowSpec& row = model.rows[k];
    if (row.axis == kHeldRow || row.form == RowForm::kBlackBox) continue;
    const JointAxisDef law = resist_turning(model.axes[row.axis], count_per_turning2(row, x));
    if (!(law.stiffness > 0) && !(law.damping > 0)) continue;
    RowWrench w, w2;
    eval_row(row, x, x, w, w2);
    if (model.pair_count == 1) w = {w.f + w2.f, w.t + w2.t};
    double answer = calc_answer(w, w, x, bodies);
    if (row.axis < 3 && same_in_all_directions(model)) answer = calc_largest(x, bodies);
    const bool spring = law.stiffness > 0;
    const double speed = answer * (spring ? law.stiffness : law.damping);
    if (!(answer > 0) || (found.has_spring && !spring)) continue;
    if (found.has_spring == spring && !(speed > highest)) continue;
    highest = speed;
    found.has_spring = spring;
    found.has_damper = law.damping > 0;
    found.mass = 1 / answer;
    found.frequency_hz = spring ? std::sqrt(speed) / (2 * kPi) : 0;
    found.damping_ratio =
        spring ? 0.5 * law.damping / std::sqrt(law.stiffness * found.mass) : kInfinity;
  }
  return found;
}

}  // namespace tenon
