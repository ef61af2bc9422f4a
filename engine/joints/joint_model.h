// A joint as the solvers see it: a list of scalar rows, each a function c of the relative pose of
// two frames and a wrench that is its gradient. All kinds of joints, limits and motors are made of
// the few forms below, so a solver knows rows and no joints.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "tenon/engine/joints/joint_def.h"

namespace tenon {

inline constexpr int kMaxRows = 6;
inline constexpr uint32_t kWorldBody = 0xffffffffu;  // the parent that never moves
inline constexpr uint8_t kHeldRow = 0xff;            // RowSpec::axis of rows that always hold
inline constexpr uint8_t kUpperLimitPart = 0x80;     // of JointState::segment
inline constexpr uint8_t kSwingAxis = 6;             // RowSpec::axis of the cone's row
// A gear has one row and two angles, which wrap at different times: JointState::coordinate keeps
// them, unwrapped, at these places behind the row's own. RowSpec::value is the third: it changes
// when a gear that was out of action meshes again.
inline constexpr size_t kGearFirst = 1, kGearSecond = 2, kGearValue = 3;

// Frames P and C as attached to their bodies: from the mass centre, in body axes. The world has
// its mass centre at the origin.
struct JointPair {
  uint32_t parent = kWorldBody, child = kWorldBody;       // body slots
  Vec3 rP_B, rC_B;                                        // origins
  Mat3 AP_B = Mat3::identity(), AC_B = Mat3::identity();  // columns: the axes
};

// Both frames at one moment, world axes.
struct PairFrames {
  Vec3 rP, rC;               // origins from the mass centres
  Vec3 d;                    // C's origin from P's
  std::array<Vec3, 3> P, C;  // axes
};

enum class RowForm : uint8_t {
  kSlide,       // P_i . d: position along a parent axis
  kDot,         // P_i . C_j: zero keeps two axes at right angles
  kTwist,       // rx: twist about x, of the decomposition into swing and twist
  kTilt,        // ry, rz (i = 1, 2): asin(-P_z . C_x), asin(P_y . C_x)
  kTurnParent,  // angle of a child axis about P_i: of C_y for i = 0 (rx of a universal joint), of
                // C_x for i = 1, 2 (ry, rz where a six-axis joint locks the other or both others)
  kTurnChild,   // ry of a universal joint: angle about C_y
  kDistance,    // |d|
  kBlackBox,    // i-th held direction of a user's function
};
// c is a product of two linear functions of the poses: its gradient at the mean of two poses is an
// exact discrete gradient.
constexpr bool is_bilinear(RowForm f) { return f == RowForm::kSlide || f == RowForm::kDot; }
// c is an angle that counts turns.
constexpr bool is_unwrapped(RowForm f) {
  return f == RowForm::kTwist || f == RowForm::kTurnParent || f == RowForm::kTurnChild;
}

// c(row) = scale * form(pair 0) + ratio * second_form(pair 1 or the same pair) - value
struct RowSpec {
  RowForm form = RowForm::kSlide;
  uint8_t i = 0, j = 0;
  uint8_t axis = kHeldRow;  // JointAxis or kSwingAxis of a row with a law; kHeldRow: c = 0 always
  double scale = 1;
  double value = 0;
  // coupled rows (gear, rack, screw): ratio != 0
  double ratio = 0;
  RowForm second_form = RowForm::kTwist;
  uint8_t second_i = 0;
};

// Compiled from a JointDef (compile_joint in engine/joints/compile.h); constant between edits.
struct JointModel {
  JointKind kind = JointKind::kPoint;
  uint8_t pair_count = 1;  // 2: the second pair is that of a gear's second joint
  uint8_t row_count = 0;   // of rows in use, the point rows included
  // Rows 0, 1, 2 are C's origin minus P's in world axes; `rows` then counts on from 3.
  bool has_point = false;
  std::array<RowSpec, kMaxRows> rows{};
  std::array<JointPair, 2> pairs{};
  // By RowSpec::axis: what acts along each freedom, in units of that row's c; the last one,
  // kSwingAxis, is the cone.
  std::array<JointAxisDef, kJointAxisCount + 1> axes{};
  uint8_t free_axes = 0;  // bit k: JointAxis k is a freedom with a coordinate (coordinate_form)
  std::shared_ptr<const BlackBox> black_box;
  bool scalar_row(int k) const { return !has_point || k >= 3; }
  bool is_free(JointAxis axis) const { return (free_axes >> static_cast<int>(axis) & 1) != 0; }
};

// The gradient of a row: force f and couple t on the child, at C's origin; the opposite wrench at
// the same point acts on the parent. Momentum is conserved by construction.
//   dc = f . (dx_C + dphi_C x rC) + t . dphi_C - f . (dx_P + dphi_P x (rP + d)) - t . dphi_P
struct RowWrench {
  Vec3 f, t;
};

// The forms that are not bilinear (rows.cpp).
double eval_curved_form(RowForm form, int i, const PairFrames& x, RowWrench& w);
void eval_curved_gradient(RowForm form, int i, const PairFrames& x, RowWrench& w);

// c of one form (without scale, value and ratio) and its gradient. Frames need not be orthonormal:
// at the mean of two poses this gives the gradient of a bilinear form's increment. Angles are in
// (-pi, pi]. Finite for finite frames, also where an angle is undefined. Not for kBlackBox.
inline double eval_form(RowForm form, int i, int j, const PairFrames& x, RowWrench& w) {
  const Vec3& p = x.P[static_cast<size_t>(i)];
  if (form == RowForm::kSlide) {
    w = {p, {}};
    return dot(p, x.d);
  }
  if (form == RowForm::kDot) {
    const Vec3& c = x.C[static_cast<size_t>(j)];
    w = {{}, cross(c, p)};
    return dot(p, c);
  }
  return eval_curved_form(form, i, x, w);
}

// The gradient alone.
inline void eval_gradient(RowForm form, int i, int j, const PairFrames& x, RowWrench& w) {
  if (is_bilinear(form)) {
    eval_form(form, i, j, x, w);
  } else {
    eval_curved_gradient(form, i, x, w);
  }
}

// Angles that count turns change |t| >= 1 times as fast as the bodies turn about their gradient t:
// twists without bound where the swing is pi, angles of crossing axes where these fall together.
// Dampers and friction act on the turning, not on the count of it, so that their torques are no
// larger than d |w| and the friction: with t' = t/|t|,
//   -d (t'.w) t' = -(d / |t|^2) c' t,      friction t' = (friction / |t|) t (8)
// Returns |t|^2 of a row that is not coupled; exactly one where the two are the same, infinite
// within 0.002 rad of the fold, where t means nothing: nothing is resisted there.
double count_per_turning2(const RowSpec& row, const PairFrames& x);
inline JointAxisDef resist_turning(const JointAxisDef& axis, double count2) {
  JointAxisDef law = axis;
  law.damping /= count2;
  law.friction /= std::sqrt(count2);
  return law;
}

// c of a whole row, angles wrapped, with the gradients of both terms: `w` with respect to the pair
// `x`, `w2` with respect to `x2`, the pair of the second term (the same as x unless the joint has
// two pairs); w2 is zero where the row is not coupled.
double eval_row(const RowSpec& row, const PairFrames& x, const PairFrames& x2, RowWrench& w,
                RowWrench& w2);

// The value of an angle, given up to full turns, that is nearest to `near`.
double unwrap(double angle, double near);

// The form of the coordinate along a freedom of the joint. Precondition: model.is_free(axis).
RowSpec coordinate_form(const JointModel& model, JointAxis axis);

// Is the axis a freedom whose coordinate counts full turns?
inline bool counts_turns(const JointModel& model, JointAxis axis) {
  return model.is_free(axis) && is_unwrapped(coordinate_form(model, axis).form);
}

// The world frames of a pair at given body poses (position of the mass centre, rotation matrix).
inline PairFrames make_frames(const JointPair& pair, const Vec3& xP, const Mat3& RP, const Vec3& xC,
                              const Mat3& RC) {
  PairFrames f;
  f.rP = RP * pair.rP_B;
  f.rC = RC * pair.rC_B;
  f.d = xC + f.rC - xP - f.rP;
  const Mat3 P = RP * pair.AP_B, C = RC * pair.AC_B;
  for (int k = 0; k < 3; ++k) {
    f.P[static_cast<size_t>(k)] = P.column(k);
    f.C[static_cast<size_t>(k)] = C.column(k);
  }
  return f;
}

// What a joint carries from step to step; part of every snapshot.
struct JointState {
  // N, N m: mean force of each row over the last step, what stops and corrects velocities included.
  // Black boxes: force and torque on the child in P's axes.
  std::array<double, kMaxRows> force{};
  // The smooth part of the last (sub)step's forces alone: where the next search begins.
  std::array<double, kMaxRows> lambda{};
  // c of each row, angles unwrapped; of a gear also its two angles and its sum (kGearFirst ...)
  std::array<double, kMaxRows> coordinate{};
  // rx, ry, rz with all their turns, where they are freedoms that count them (counts_turns)
  std::array<double, 3> angle{};
  // Part of each row's law (axis_law.h) at the end; kUpperLimitPart added where it is the upper
  // limit: parts are counted from below, and there may be fewer of them in the next step.
  std::array<uint8_t, kMaxRows> segment{};
  double load_force = 0, load_torque = 0;  // running means for breaking
  bool enabled = true;
  bool broken = false;
  bool apart = false;  // a gear that is out of action, since it or one of its joints is
};

}  // namespace tenon
