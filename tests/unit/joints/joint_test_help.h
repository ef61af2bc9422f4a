// Random relative frames, finite differences and ready-made contexts for tests of joints.
#pragma once

#include <gtest/gtest.h>

#include "tenon/engine/base/rng.h"
#include "tenon/engine/joints/compile.h"

namespace tenon {

inline Vec3 random_vector(Rng& rng, double size) {
  return {rng.uniform(-size, size), rng.uniform(-size, size), rng.uniform(-size, size)};
}

inline Pose random_pose(Rng& rng, double size, double angle = 2) {
  return {random_vector(rng, size), exp_map(random_vector(rng, angle))};
}

// Two bodies with mass centre positions and orientations, and the frames attached to them.
struct TwoBodies {
  JointPair pair;
  Pose parent, child;  // of the mass centres

  PairFrames frames() const {
    return make_frames(pair, parent.p, to_matrix(parent.q), child.p, to_matrix(child.q));
  }
  // Both bodies displaced: translation of the mass centre, rotation in world axes.
  TwoBodies moved(const Vec3& dx_P, const Vec3& dphi_P, const Vec3& dx_C,
                  const Vec3& dphi_C) const {
    TwoBodies b = *this;
    b.parent = {parent.p + dx_P, exp_map(dphi_P) * parent.q};
    b.child = {child.p + dx_C, exp_map(dphi_C) * child.q};
    return b;
  }
};

// Bodies at random places whose joint frames have the relative pose X_PC.
inline TwoBodies make_two_bodies(Rng& rng, const Pose& X_PC) {
  TwoBodies b;
  const Pose P = random_pose(rng, 1), C = random_pose(rng, 1);
  b.pair.parent = 0;
  b.pair.child = 1;
  b.pair.rP_B = P.p;
  b.pair.rC_B = C.p;
  b.pair.AP_B = to_matrix(P.q);
  b.pair.AC_B = to_matrix(C.q);
  b.parent = random_pose(rng, 1);
  b.child = b.parent * P * X_PC * inverse(C);
  return b;
}

// The change of c that the wrench promises (RowWrench in joint_model.h).
inline double promised_change(const RowWrench& w, const PairFrames& x, const Vec3& dx_P,
                              const Vec3& dphi_P, const Vec3& dx_C, const Vec3& dphi_C) {
  return dot(w.f, dx_C + cross(dphi_C, x.rC)) + dot(w.t, dphi_C) -
         dot(w.f, dx_P + cross(dphi_P, x.rP + x.d)) - dot(w.t, dphi_P);
}

// A context with two dynamic bodies at rest at the origin.
inline CompileContext two_dynamic_bodies() {
  CompileContext context;
  context.parent = {.found = true, .dynamic = true, .slot = 0, .com_B = {}, .X_WB = {}};
  context.child = {.found = true, .dynamic = true, .slot = 1, .com_B = {}, .X_WB = {}};
  return context;
}

inline JointDef make_def(JointKind kind) {
  JointDef def;
  def.kind = kind;
  def.parent = {0, 0};
  def.child = {1, 0};
  return def;
}

}  // namespace tenon
