// One joint of the sweep: pre-stabilization, velocity post-stabilization, limits.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tenon/tests/unit/solve_articulated/sweep_fixture.h"

namespace tenon::test {
namespace {

using nlohmann::json;

Vec3 to_vec(const json& a) { return {a[0], a[1], a[2]}; }
Quat to_unit(const json& a) { return normalized(Quat{a[0], a[1], a[2], a[3]}); }

json load_reference() {
  std::ifstream file(std::string(TENON_REFERENCE_DIR) + "/E1_prestabilization_single_solve.json");
  EXPECT_TRUE(file);
  return json::parse(file);
}
Rig make_pair(const json& c, JointKind kind) {
  Rig rig;
  for (const char* name : {"parent", "child"}) {
    const json& b = c[name];
    const uint32_t slot =
        rig.add_body(b["m"], Mat3::diagonal(to_vec(b["I"])), to_vec(b["x"]), to_unit(b["q"]));
    rig.set_velocity(slot, to_vec(b["v"]), to_vec(b["w"]));
  }
  rig.add_joint(
      make_joint(kind, 0, 1, to_vec(c["joint_point_parent"]), to_vec(c["joint_point_child"])));
  return rig;
}
SweepSettings exact() {
  SweepSettings settings;
  settings.tolerance = 1e-15;  // below round-off, which then decides
  return settings;
}
double relative(const Vec3& a, const Vec3& reference) {
  return norm(a - reference) / norm(reference);
}

TEST(SweepReference, LinearImpulsesAreThoseOfTheReference) {
  for (const json& c : load_reference()) {
    Rig rig = make_pair(c, JointKind::kPoint);
    rig.prepare();
    const double h = c["dt"];
    const SweepSolve solve = solve_joint_position(rig.work, 0, h, 1, exact());
    EXPECT_NEAR(solve.before, c["residual_without_impulse"], 1e-12);  // printed digits
    EXPECT_LE(solve.iterations, 8);
    const Vec3 j = to_vec(c["linear_impulse_j_on_parent"]);
    EXPECT_LT(relative(-rig.work.joints[0].impulse, j), 1e-10);
    const auto& after_p = c["parent_v_w_after"];
    const auto& after_c = c["child_v_w_after"];
    EXPECT_LT(relative(rig.work.bodies[0].v, to_vec(after_p[0])), 1e-11);
    EXPECT_LT(relative(rig.work.bodies[0].w, to_vec(after_p[1])), 1e-11);
    EXPECT_LT(relative(rig.work.bodies[1].v, to_vec(after_c[0])), 1e-11);
    EXPECT_LT(relative(rig.work.bodies[1].w, to_vec(after_c[1])), 1e-11);
    // the bodies move as they were predicted to
    integrate(rig.work, h);
    EXPECT_LT(calc_joint_error(rig.work, 0).gap, 1e-13);
    const SweepBody& p = rig.work.bodies[0];
    const Vec3 point = p.x + rotate(p.q, to_vec(c["joint_point_parent"]));
    EXPECT_LT(norm(point - to_vec(c["joint_point_after_step"])), 1e-12);
  }
}

TEST(SweepReference, AngularImpulsesAreThoseOfTheReference) {
  for (const json& c : load_reference()) {
    Rig rig = make_pair(c, JointKind::kSixAxis);
    rig.joints[0].pairs[0].AC_B = to_matrix(to_unit(c["orientation"]["child_joint_quaternion"]));
    rig.prepare();
    const double h = c["dt"];
    const Vec3 v = rig.work.bodies[0].v, L = rig.work.bodies[0].L;
    const SweepSolve solve = solve_joint_position(rig.work, 0, h, 1, exact());
    EXPECT_LE(solve.iterations, 8);
    const Vec3 j_tau = to_vec(c["orientation"]["angular_impulse_jtau_on_parent"]);
    EXPECT_LT(relative(rig.work.bodies[0].L - L, j_tau), 1e-10);
    EXPECT_EQ(rig.work.bodies[0].v, v);
    integrate(rig.work, h);
    EXPECT_LT(calc_joint_error(rig.work, 0).angle, 1e-13);
  }
}

// Two tumbling bodies whose joint is far from fitting.
Rig make_tumbling_pair(JointKind kind, uint64_t seed) {
  Rng rng(seed);
  Rig rig;
  for (int i = 0; i < 2; ++i) {
    const Quat q = exp_map(random_vec(rng, 0.1));
    const double mass = rng.uniform(0.5, 3), x = i + rng.uniform(-0.1, 0.1);
    const uint32_t slot = rig.add_body(mass, box_inertia(1, {1, 0.6, 0.4}), {x, 0, 0}, q);
    set_random_velocity(rig, slot, rng, 2, 3);
  }
  JointModel joint = make_joint(kind, 0, 1, {0.5, 0.1, 0}, {-0.5, 0, 0.1});
  joint.pairs[0].AP_B = to_matrix(exp_map({0, 0, 0.3}));
  joint.pairs[0].AC_B = to_matrix(exp_map({0, 0, 0.3}));
  rig.add_joint(joint);
  return rig;
}

constexpr JointKind kKinds[] = {JointKind::kPoint, JointKind::kHinge, JointKind::kSlider,
                                JointKind::kRigid, JointKind::kSixAxis};

TEST(SweepJoint, NewtonConvergesQuadraticallyForEveryKind) {
  for (const JointKind kind : kKinds) {
    for (uint64_t seed = 1; seed <= 20; ++seed) {
      std::vector<double> errors;
      for (int iterations = 0; iterations <= 4; ++iterations) {
        Rig rig = make_tumbling_pair(kind, seed);
        rig.prepare();
        SweepSettings settings = exact();
        settings.newton_iterations = iterations;
        const SweepSolve solve = solve_joint_position(rig.work, 0, 0.05, 1, settings);
        errors.push_back(solve.after);
      }
      EXPECT_GT(errors[0], 0.01);
      for (size_t i = 1; i < errors.size(); ++i) {
        // the constant is the curvature of the motion: 1 / (0.3 m), the size of the bodies
        const double bound = 5 * errors[i - 1] * errors[i - 1] + 1e-14;
        EXPECT_LE(errors[i], bound) << static_cast<int>(kind) << " seed " << seed << " step " << i;
      }
    }
  }
}

TEST(SweepJoint, BodiesArriveWhereTheyWerePredictedAtHighSpeed) {
  for (const JointKind kind : kKinds) {
    Rig rig = make_tumbling_pair(kind, 7);
    rig.set_velocity(0, {1, 2, 3}, {5, 6, 5});  // 9 rad/s
    rig.prepare();
    const SweepSolve solve = solve_joint_position(rig.work, 0, 1.0 / 24, 1, exact());
    EXPECT_EQ(solve.status, SweepSolve::Status::kSolved);
    integrate(rig.work, 1.0 / 24);
    const SweepError error = calc_joint_error(rig.work, 0);
    EXPECT_LT(error.gap, 1e-13);
    EXPECT_LT(error.angle, 1e-13);
  }
}

// A rod of 1 m, hinged at one end and hit at the other: free, it would turn at 3 rad/s; the hinge
// lets it turn at 1.5. Solving for the free axis as well would keep the 3.
TEST(SweepJoint, DoesNotDriveTheFreeAxisOfAHinge) {
  for (const JointUnknowns unknowns :
       {JointUnknowns::kTogether, JointUnknowns::kLinearThenAngular}) {
    Rig rig;
    rig.add_body(1, Mat3::diagonal({1.0 / 12, 1e-3, 1.0 / 12}), {0, 0.5, 0});
    rig.set_velocity(0, {0, 0, 0.5}, {3, 0, 0});
    rig.add_joint(make_joint(JointKind::kHinge, kWorldBody, 0, {}, {0, -0.5, 0}));
    rig.prepare();
    SweepSettings settings = exact();
    settings.unknowns = unknowns;
    const SweepSolve solve = solve_joint_position(rig.work, 0, 0.01, 1, settings);
    EXPECT_LT(solve.after, 1e-13);
    // the chord of the arc is shorter than the arc: (h w)^2 / 24 of it
    EXPECT_NEAR(rig.work.bodies[0].w.x, 1.5, 2e-4);
    EXPECT_NEAR(rig.work.bodies[0].w.y, 0, 1e-14);
    // the velocity stage alone gives it exactly
    Rig again = rig;
    again.prepare();
    SweepCounts counts;
    sweep_velocities(again.work, 0.01, 1, counts);
    EXPECT_NEAR(again.work.bodies[0].w.x, 1.5, 1e-14);
  }
}

TEST(SweepJoint, EpsilonSpendsThatPartOfTheImpulse) {
  const auto solve_with = [&](double epsilon, Vec3& impulse) {
    Rig rig = make_tumbling_pair(JointKind::kPoint, 3);
    rig.prepare();
    const SweepSolve solve = solve_joint_position(rig.work, 0, 0.01, epsilon, exact());
    impulse = rig.work.joints[0].impulse;
    return solve;
  };
  Vec3 tenth, impulse;
  solve_with(0.1, tenth);
  for (const double epsilon : {0.2, 0.5, 0.9}) {
    const SweepSolve solve = solve_with(epsilon, impulse);
    EXPECT_LT(relative(impulse, 10 * epsilon * tenth), 1e-12);
    EXPECT_EQ(solve.iterations, 1);
    EXPECT_LT(solve.after, solve.before);
    EXPECT_GT(solve.after, 1e-3);
  }
  EXPECT_LT(solve_with(1, impulse).after, 1e-14);
}

TEST(SweepJoint, TrustBoundsTheImpulse) {
  Rig rig = make_tumbling_pair(JointKind::kPoint, 3);
  rig.prepare();
  SweepSettings settings = exact();
  settings.trust = 0.5;
  const SweepSolve solve = solve_joint_position(rig.work, 0, 0.01, 1, settings);
  EXPECT_EQ(solve.status, SweepSolve::Status::kUnfinished);
  EXPECT_NEAR(solve.after / solve.before, 0.5, 0.1);  // curvature of the motion
}

// Bodies that turn by more than a radian in the step: plain Newton from zero overshoots.
TEST(SweepJoint, LineSearchNeverMakesTheErrorLarger) {
  int worse_without = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    for (const LineSearch search :
         {LineSearch::kNone, LineSearch::kFallback, LineSearch::kAlways}) {
      Rig rig = make_tumbling_pair(kKinds[seed % 5], seed);
      Rng rng(seed);
      for (uint32_t i = 0; i < 2; ++i) {
        set_random_velocity(rig, i, rng, 40, 60);
      }
      rig.prepare();
      SweepSettings settings = exact();
      settings.line_search = search;
      const SweepSolve solve = solve_joint_position(rig.work, 0, 0.05, 1, settings);
      ASSERT_NE(solve.status, SweepSolve::Status::kNotFinite);
      if (search == LineSearch::kNone) {
        worse_without += solve.after > solve.before;
      } else {
        EXPECT_LE(solve.after, solve.before);
      }
    }
  }
  EXPECT_GT(worse_without, 0);  // otherwise this test says nothing
}

TEST(SweepJoint, GoldenSectionFindsTheSameImpulse) {
  for (const JointKind kind : kKinds) {
    Vec3 L[2];
    for (const LineSearch search : {LineSearch::kFallback, LineSearch::kAlways}) {
      Rig rig = make_tumbling_pair(kind, 11);
      rig.prepare();
      SweepSettings settings = exact();
      settings.line_search = search;
      settings.newton_iterations = 50;
      solve_joint_position(rig.work, 0, 0.02, 1, settings);
      L[search == LineSearch::kAlways] = rig.work.bodies[0].L;
    }
    // golden section stops 5e-7 short of a full Newton step, every time
    EXPECT_LT(norm(L[0] - L[1]), 1e-10 * norm(L[0]));
  }
}

TEST(SweepVelocity, TakesAwayHeldRelativeVelocityAndNothingElse) {
  for (const JointKind kind : kKinds) {
    Rig rig = make_tumbling_pair(kind, 5);
    rig.prepare();
    SweepCounts counts;
    const SweepBody before_p = rig.work.bodies[0], before_c = rig.work.bodies[1];
    sweep_velocities(rig.work, 0.01, 1, counts);
    const SweepBody &p = rig.work.bodies[0], &c = rig.work.bodies[1];
    const SweepJoint& joint = rig.work.joints[0];
    const Quat q_WP = p.q * joint.q_BP;
    // the point where impulses act
    const JointPair& pair = joint.model->pairs[0];
    const Vec3 aP = p.x + rotate(p.q, pair.rP_B) + rotate(q_WP, joint.nearest.p);
    const Vec3 s = 0.5 * (aP + c.x + rotate(c.q, pair.rC_B));
    const Vec3 u = c.v + cross(c.w, s - c.x) - p.v - cross(p.w, s - p.x);
    const Vec3 w = c.w - p.w;
    for (int k = 0; k < joint.held.count; ++k) {
      const SweepRow& row = joint.held.row[static_cast<size_t>(k)];
      EXPECT_NEAR(dot(rotate(q_WP, row.f), u) + dot(rotate(q_WP, row.t), w), 0, 1e-13);
    }
    if (kind == JointKind::kHinge) {
      // no couple about the free axis
      const Vec3 couple = rig.work.joints[0].angular_impulse;
      const Vec3 origin = c.x + rotate(c.q, pair.rC_B);
      const Vec3 about_s = couple - cross(s - origin, rig.work.joints[0].impulse);
      EXPECT_NEAR(dot(about_s, rotate(q_WP, kAxes[0])), 0, 1e-13);
    }
    // a projection in the kinetic metric can only lose energy
    const auto energy = [&](const SweepBody& b, uint32_t i) {
      return 0.5 * rig.masses[i].mass * norm2(b.v) + 0.5 * dot(b.w, b.L);
    };
    EXPECT_LE(energy(p, 0) + energy(c, 1), energy(before_p, 0) + energy(before_c, 1));
  }
}

Rig make_limited_rod(double w) {
  Rig rig;
  rig.add_body(1, Mat3::diagonal({1.0 / 12, 1e-3, 1.0 / 12}), {0, 0.5, 0});
  rig.set_velocity(0, {0, 0, 0.5 * w}, {w, 0, 0});
  JointModel joint = make_joint(JointKind::kHinge, kWorldBody, 0, {}, {0, -0.5, 0});
  joint.axes[3].max = 0.1;
  joint.axes[3].min = -0.1;
  rig.add_joint(joint);
  return rig;
}

TEST(SweepLimit, StopsAHingeAndLetsItGo) {
  Rig rig = make_limited_rod(1);
  double angle = 0;
  for (int i = 0; i < 40; ++i) {
    const SweepResult result = rig.step(0.01, {});
    angle = hinge_angle(rig.states[0].q_WB);
    EXPECT_LT(angle, 0.1 + 1e-12);
    EXPECT_LT(result.gap, 1e-12);
  }
  EXPECT_NEAR(angle, 0.1, 1e-12);
  EXPECT_NEAR(rig.states[0].w_WB.x, 0, 1e-12);
  // pushed back, it leaves at once and at full speed
  rig.set_velocity(0, -0.5 * cross(Vec3{1, 0, 0}, rotate(rig.states[0].q_WB, kAxes[1])),
                   {-1, 0, 0});
  rig.step(0.01, {});
  EXPECT_NEAR(rig.states[0].w_WB.x, -1, 1e-4);  // chord against arc
  EXPECT_NEAR(hinge_angle(rig.states[0].q_WB), 0.09, 1e-5);
}

TEST(SweepLimit, HoldsVelocitiesOneWayOnly) {
  for (const double w : {1.0, -1.0}) {
    Rig rig = make_limited_rod(w);
    const Quat q = from_axis_angle(kAxes[0], 0.1);
    rig.states[0].q_WB = q;
    rig.states[0].x_WC = 0.5 * rotate(q, kAxes[1]);
    rig.set_velocity(0, cross(Vec3{w, 0, 0}, rig.states[0].x_WC), {w, 0, 0});
    rig.prepare();
    SweepCounts counts;
    sweep_velocities(rig.work, 0.01, 3, counts);
    EXPECT_NEAR(rig.work.bodies[0].w.x, w > 0 ? 0 : w, 1e-13);
  }
}

TEST(SweepLimit, StopsASlider) {
  Rig rig;
  rig.add_body(2, box_inertia(2, {1, 1, 1}), {0, 0, 0});
  rig.set_velocity(0, {3, 0, 0}, {});
  JointModel joint = make_joint(JointKind::kSlider, kWorldBody, 0, {}, {});
  joint.axes[0].max = 0.25;
  rig.add_joint(joint);
  for (int i = 0; i < 20; ++i) {
    rig.step(0.01, {});
    EXPECT_LE(rig.states[0].x_WC.x, 0.25 + 1e-12);
  }
  EXPECT_NEAR(rig.states[0].x_WC.x, 0.25, 1e-12);
  EXPECT_NEAR(rig.states[0].v_WC.x, 0, 1e-11);
}

}  // namespace
}  // namespace tenon::test
