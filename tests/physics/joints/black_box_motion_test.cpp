// Bodies that black boxes join move as exactly as those of built-in joints: held to the tolerance,
// without gaining energy, at second order, with the derivative and without, and in few calls.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "tenon/engine/joints/black_boxes/black_boxes.h"
#include "tenon/tests/physics/joints/mechanism_kit.h"

namespace tenon::test {
namespace {

using Function = std::shared_ptr<const BlackBox>;

Function without_derivative(const Function& box) {
  return std::make_shared<BlackBox>([box](const Pose& X) { return box->project(X); }, box->held());
}
Function with_derivative(const Function& box, BlackBox::Derivative derivative) {
  return std::make_shared<BlackBox>([box](const Pose& X) { return box->project(X); }, box->held(),
                                    std::move(derivative));
}

Pose project_hinge(const Pose& X) { return {{}, normalized(Quat{X.q.w, X.q.x, 0, 0})}; }
FrameDerivative derive_hinge(const Pose& X, const Pose&) {
  const Quat& q = X.q;
  const double n2 = q.w * q.w + q.x * q.x;
  FrameDerivative D;
  D.rr.r0 = {1, (q.w * q.z + q.x * q.y) / n2, (q.x * q.z - q.w * q.y) / n2};
  return D;
}
Function make_hinge() { return std::make_shared<BlackBox>(project_hinge, 5, derive_hinge); }

struct Case {
  std::string name;
  Function box;
  Pose near;  // the joint starts at the nearest allowed frame
};
std::vector<Case> cases() {
  const SpiralCam cam{.start_radius = 0.1, .pitch = 0.15, .turns = 3};
  const Pose beside{{0.1, 0.2, 0.1}, {}};
  return {{"cam", *make_spiral_cam(cam), beside},
          {"ellipsoid", *make_ellipsoid_magnet({}), beside},
          {"torus", *make_torus_magnet({}), beside},
          {"cone", *make_reach_cone({.about_y = 1, .about_z = 0.6}), {}},
          {"hinge", make_hinge(), {}}};
}

// Links of 0.3 m and 1 kg, each on the end of the last; the first joint's x axis is tilted, so that
// every row carries something. Without a box the joints are the engine's own hinges.
std::vector<BodyHandle> add_links(World& world, const Function& box, const Pose& near, int links) {
  std::vector<BodyHandle> bodies;
  Pose X_WP{{}, from_axis_angle({1, 0, 0}, -0.25 * kPi) * axis_along_z()};
  const Pose X_BC{{-0.15, 0, 0}, axis_along_z()};
  for (int i = 0; i < links; ++i) {
    BodyDef def = make_body(1, {0.001, 0.0075, 0.0075});
    def.X_WB = X_WP * (box ? box->project(near) : Pose{}) * inverse(X_BC);
    JointDef joint;
    joint.kind = box ? JointKind::kBlackBox : JointKind::kHinge;
    joint.black_box = box;
    if (!bodies.empty()) joint.parent = bodies.back();
    joint.X_BP = bodies.empty() ? X_WP : inverse(world.pose(bodies.back())) * X_WP;
    joint.X_BC = X_BC;
    bodies.push_back(add_body(world, def));
    joint.child = bodies.back();
    add_joint(world, joint);
    X_WP = def.X_WB * Pose{{0.15, 0, 0}, axis_along_z()};
  }
  return bodies;
}

// The cone meets its edge again and again, the pins of the cams the ends of their slots.
TEST(BlackBoxMotion, HoldsLikeBuiltInJointsAndGainsNothing) {
  for (const Case& c : cases()) {
    for (const int links : {1, 3}) {
      for (const double step : {1.0 / 60, 1.0 / 120, 1.0 / 240}) {
        World world = make_world(step);
        add_links(world, c.box, c.near, links);
        const EnergyRun r = run(world, 2);
        const std::string title = c.name + ", " + std::to_string(links) + " links, 1/" +
                                  std::to_string(static_cast<int>(1 / step + 0.5));
        report(title + ": relative gap", r.gap_rel, "1e-6");
        report(title + ": angle", r.angle_rad, "1e-6");
        report(title + ": largest gain in a step, rel.", r.gain, "1e-6");
        EXPECT_TRUE(r.finite) << title;
        EXPECT_LE(r.gap_rel, 1e-6) << title;
        EXPECT_LE(r.angle_rad, 1e-6) << title;
        // errors within the tolerance times the forces in the joints are all that may be gained
        EXPECT_LE(r.gain, 1e-6) << title;
        EXPECT_EQ(r.unconverged, 0u) << title;
      }
    }
  }
}

double difference(const World& a, const World& b) {
  double most = 0;
  for (const BodyHandle body : a.bodies()) {
    most = std::max(most, norm(a.pose(body).p - b.pose(body).p));
    most = std::max(most, angle_between(a.pose(body).q, b.pose(body).q));
  }
  return most;
}

bool same_bits(const World& a, const World& b) {
  for (const BodyHandle body : a.bodies()) {
    if (a.pose(body) != b.pose(body) || a.velocity(body) != b.velocity(body) ||
        a.angular_momentum(body) != b.angular_momentum(body)) {
      return false;
    }
  }
  return true;
}

TEST(BlackBoxMotion, IsTheSameWithAndWithoutTheDerivative) {
  for (const Case& c : cases()) {
    World a = make_world(1.0 / 120), b = make_world(1.0 / 120);
    add_links(a, c.box, c.near, 2);
    add_links(b, without_derivative(c.box), c.near, 2);
    step_to(a, 0.5);
    step_to(b, 0.5);
    EXPECT_FALSE(same_bits(a, b)) << c.name;  // the derivative is used
    report(c.name + ": with and without derivative, m or rad", difference(a, b), "1e-6");
    EXPECT_LE(difference(a, b), 1e-6) << c.name;
  }
}

TEST(BlackBoxMotion, OfAHingeIsThatOfTheBuiltInHinge) {
  double last = 0;
  for (const double step : {1.0 / 120, 1.0 / 240}) {
    World a = make_world(step), b = make_world(step);
    add_links(a, make_hinge(), {}, 3);
    add_links(b, nullptr, {}, 3);
    step_to(a, 0.5);
    step_to(b, 0.5);
    const double now = difference(a, b);
    report("hinge as a box against the built-in one, m or rad", now, "1e-3, second order");
    EXPECT_LE(now, 1e-3);
    // both are of second order, and their rows differ by that much
    if (last > 1e-7) {
      EXPECT_LE(now, 0.35 * last);
    }
    last = now;
  }
}

TEST(BlackBoxMotion, IsOfSecondOrder) {
  const Case torus = cases()[2], ellipsoid = cases()[1];
  for (const Case& c : {torus, ellipsoid}) {
    const auto end = [&](double step) {
      World world = make_world(step);
      const BodyHandle body = add_links(world, c.box, c.near, 1).back();
      step_to(world, 0.25);
      return world.center_of_mass(body);
    };
    const Vec3 exact = end(1.0 / 7680);
    const double coarse = norm(end(1.0 / 120) - exact), fine = norm(end(1.0 / 240) - exact);
    report(c.name + ": error at 1/120 by that at 1/240", coarse / fine, "4");
    EXPECT_GT(coarse / fine, 3) << c.name;
  }
}

TEST(BlackBoxMotion, KeepsMomentum) {
  for (const Case& c : cases()) {
    World world = make_world(1.0 / 120, {.gravity = {}});
    BodyDef a = make_body(1, {0.01, 0.02, 0.03}), b = make_body(2, {0.02, 0.03, 0.02});
    a.angular_velocity = {1, 2, -1};
    JointDef joint;
    joint.kind = JointKind::kBlackBox;
    joint.black_box = c.box;
    joint.parent = add_body(world, a);
    joint.X_BP = {{0.1, 0, 0}, {}};
    joint.X_BC = {{-0.2, 0, 0}, {}};
    b.X_WB = joint.X_BP * c.box->project(c.near) * inverse(joint.X_BC);
    b.velocity = {0.1, 0, 0.3};
    joint.child = add_body(world, b);
    add_joint(world, joint);
    const Mechanics before = world.calc_mechanics();
    const EnergyRun r = run(world, 2);
    const Mechanics after = world.calc_mechanics();
    const double angular = norm(after.angular_momentum - before.angular_momentum);
    report(c.name + ": change of angular momentum, kg m^2/s", angular, "1e-9");
    // round-off of 240 steps; levers are those of Newton's last iterate, 1e-8 of a size off
    EXPECT_LE(norm(after.linear_momentum - before.linear_momentum), 1e-13) << c.name;
    EXPECT_LE(angular, 1e-9) << c.name;
    EXPECT_LE(std::max(r.gap_rel, r.angle_rad), 1e-6) << c.name;
  }
}

TEST(BlackBoxMotion, GoesOnFromASnapshotWithTheSameBits) {
  for (const Case& c : cases()) {
    World world = make_world(1.0 / 120), other = make_world(1.0 / 120);
    add_links(world, c.box, c.near, 3);
    step_to(world, 0.4);
    const Snapshot middle = world.snapshot();
    step_to(world, 0.8);
    other.restore(middle);  // nothing that another world's solver remembers may matter
    step_to(other, 0.8);
    EXPECT_TRUE(same_bits(world, other)) << c.name;
  }
}

TEST(BlackBoxDerivatives, ThatAreNotNumbersAreReplacedByDifferences) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Case& c : cases()) {
    World a = make_world(1.0 / 120), b = make_world(1.0 / 120);
    const Function broken = with_derivative(c.box, [nan](const Pose&, const Pose&) {
      FrameDerivative D;
      D.rr(1, 2) = nan;
      return D;
    });
    add_links(a, broken, c.near, 2);
    add_links(b, without_derivative(c.box), c.near, 2);
    step_to(a, 0.3);
    step_to(b, 0.3);
    EXPECT_TRUE(all_finite(a)) << c.name;
    EXPECT_TRUE(same_bits(a, b)) << c.name;
  }
}

TEST(BlackBoxDerivatives, ThatAreWrongAreRefusedByName) {
  World world = make_world(1.0 / 120);
  const BodyHandle body = add_body(world, make_body(1, {0.01, 0.01, 0.01}));
  JointDef joint;
  joint.kind = JointKind::kBlackBox;
  joint.child = body;
  joint.black_box = with_derivative(make_hinge(), [](const Pose&, const Pose&) {
    FrameDerivative D;
    D.rr(0, 0) = 1;
    D.rp(0, 1) = 0.2;  // the angle does not follow y
    return D;
  });
  const Result<JointHandle> made = world.create_joint(joint);
  ASSERT_FALSE(made.ok());
  EXPECT_NE(made.error().message.find("change of rx of the nearest frame with y"),
            std::string::npos)
      << made.error().message;
  EXPECT_EQ(world.joint_count(), 0u);
}

// A user's own iteration that stops at 1e-10 m.
TEST(BlackBoxMotion, BearsFunctionsThatAreNotExact) {
  const Function exact = *make_torus_magnet({});
  const auto rough = std::make_shared<BlackBox>(
      [exact](const Pose& X) {
        Pose Y = exact->project(X);
        Y.p.x += 1e-10 * sin(1e7 * X.p.x + 3e6 * X.p.y);
        return Y;
      },
      3);
  World world = make_world(1.0 / 120);
  add_links(world, rough, {{0.1, 0.2, 0.1}, {}}, 2);
  const EnergyRun r = run(world, 2);
  EXPECT_TRUE(r.finite);
  EXPECT_LE(std::max(r.gap_rel, r.angle_rad), 1e-6);
  EXPECT_LE(r.gain, 1e-6);
}

// What a step costs is the calls of the user's function.
TEST(BlackBoxMotion, NeedsFewCalls) {
  for (const bool derivative : {false, true}) {
    int calls = 0, derivatives = 0;
    const auto project = [&calls](const Pose& X) {
      ++calls;
      return project_hinge(X);
    };
    const auto derive = [&derivatives](const Pose& X, const Pose& Y) {
      ++derivatives;
      return derive_hinge(X, Y);
    };
    const Function box = derivative ? std::make_shared<BlackBox>(project, 5, derive)
                                    : std::make_shared<BlackBox>(project, 5);
    World world = make_world(1.0 / 120);
    add_links(world, box, {}, 1);
    calls = derivatives = 0;
    step_to(world, 1);
    report(derivative ? "calls per step, with derivative" : "calls per step, function only",
           calls / 120.0, derivative ? "8" : "20");
    EXPECT_LE(calls, (derivative ? 8 : 20) * 120);
    EXPECT_LE(derivatives, 3 * 120);
  }
}

}  // namespace
}  // namespace tenon::test
