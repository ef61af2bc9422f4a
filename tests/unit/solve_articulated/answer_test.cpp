// How a mechanism answers to impulses: against the definition, and against what a step does.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tenon/engine/joints/compile.h"
#include "tenon/engine/solve_articulated/direct.h"

namespace tenon {
namespace {

constexpr double kStep = 1.0 / 60;

// Bodies and joints without a world.
struct Assembly {
  std::vector<BodyMass> masses;
  std::vector<JointModel> models;
  std::vector<JointState> states;
  std::vector<StepBody> bodies;
  std::vector<StepJoint> joints;
  Mechanism mechanism;
  DirectSolver solver;
};

// Rods of a kilogram between two points of the world, with a load on every one of them, sagging
// and swinging.
struct Line : Assembly {
  int rods;

  // hinges stand at a limit
  Line(int count, double load, JointKind kind = JointKind::kPoint) : rods(count) {
    const double l = 0.5, bend = 0.1;
    std::vector<Vec3> ends{{}};
    for (int i = 0; i < count; ++i) {
      const double lean = (i - 0.5 * (count - 1)) * bend;
      ends.push_back(ends.back() + l * Vec3{std::cos(lean), std::sin(lean), 0});
    }
    masses.resize(size_t(count), make_body_mass(1, {}, Mat3::diagonal({2e-3, 0.021, 0.022})));
    bodies.resize(size_t(count) + 1);
    for (size_t i = 0; i < size_t(count); ++i) {
      StepBody& b = bodies[i];
      b.mass = &masses[i];
      b.begin.x_WC = 0.5 * (ends[i] + ends[i + 1]);
      b.begin.q_WB = from_axis_angle({0, 0, 1}, (double(i) - 0.5 * (count - 1)) * bend);
      b.gravity = {0, -9.81, 0};
      b.force = b.gravity + Vec3{0, -load, 0};
    }
    for (size_t i = 0; i <= size_t(count); ++i) {
      JointDef def;
      def.kind = kind;
      if (kind == JointKind::kHinge) {
        // about z: the axis of a hinge is x of its frames
        def.X_BP.q = def.X_BC.q = from_axis_angle({0, 1, 0}, -0.5 * kPi);
        def.axes[size_t(JointAxis::kRx)].min = i > 0 && i < size_t(count) ? bend - 1e-4 : -1e-4;
        def.axes[size_t(JointAxis::kRx)].max = 1;
      }
      def.child = {uint32_t(i < size_t(count) ? i : i - 1), 0};
      CompileContext context;
      context.child = {
          .found = true, .dynamic = true, .slot = def.child.index, .com_B = {}, .X_WB = {}};
      def.X_BC.p = {i < size_t(count) ? -0.5 * l : 0.5 * l, 0, 0};
      if (i > 0 && i < size_t(count)) {
        def.parent = {uint32_t(i - 1), 0};
        def.X_BP.p = {0.5 * l, 0, 0};
        context.parent = {
            .found = true, .dynamic = true, .slot = def.parent.index, .com_B = {}, .X_WB = {}};
      } else {
        def.X_BP.p = ends[i];
      }
      const Result<JointModel> model = compile_joint(def, context);
      EXPECT_TRUE(model.ok());
      models.push_back(*model);
    }
    states.resize(models.size());
    std::vector<JointRef> refs;
    for (uint32_t i = 0; i < models.size(); ++i) {
      joints.push_back({&models[i], &states[i], l});
      refs.push_back({i, &models[i]});
    }
    mechanism = find_mechanisms(refs, std::vector<uint8_t>(size_t(count), 1))[0];
    bodies.resize(mechanism.body_slots.size());
    solver.reset(mechanism);
  }

  void step() {
    const DirectResult r = solver.step(bodies, joints, kStep, {});
    EXPECT_EQ(r.status, StepStatus::kConverged);
  }
  void advance(int steps) {
    for (int i = 0; i < steps; ++i) {
      step();
      for (StepBody& b : bodies) b.begin = b.end;
    }
  }
};

// A hub with eight rods around it, more than are eliminated with their body; it hangs on the world.
struct Star : Assembly {
  Star() {
    constexpr uint32_t kRods = 8;
    const double radius = 0.3, l = 0.5;
    masses.resize(kRods + 1, make_body_mass(1, {}, Mat3::diagonal({2e-3, 0.021, 0.022})));
    masses[0] = make_body_mass(3, {}, Mat3::diagonal({0.1, 0.2, 0.25}));
    bodies.resize(kRods + 1);
    for (uint32_t i = 0; i <= kRods; ++i) bodies[i].mass = &masses[i];
    for (uint32_t i = 1; i <= kRods; ++i) {
      const double angle = 2 * kPi * i / kRods;
      const Vec3 outwards{std::cos(angle), std::sin(angle), 0};
      bodies[i].begin.x_WC = (radius + 0.5 * l) * outwards;
      bodies[i].begin.q_WB = from_axis_angle({0, 0, 1}, angle);
      add(0, radius * outwards, i, {-0.5 * l, 0, 0});
    }
    add(kNone, {0, 0, 0.2}, 0, {0, 0, 0.2});
    states.resize(models.size());
    std::vector<JointRef> refs;
    for (uint32_t i = 0; i < models.size(); ++i) {
      joints.push_back({&models[i], &states[i], l});
      refs.push_back({i, &models[i]});
    }
    mechanism = find_mechanisms(refs, std::vector<uint8_t>(kRods + 1, 1))[0];
    bodies.resize(mechanism.body_slots.size());
    solver.reset(mechanism);
  }

  static constexpr uint32_t kNone = 0xffffffffu;
  void add(uint32_t parent, const Vec3& at_parent, uint32_t child, const Vec3& at_child) {
    JointDef def;
    def.kind = JointKind::kPoint;
    def.child = {child, 0};
    def.X_BC.p = at_child;
    def.X_BP.p = at_parent;
    CompileContext context;
    context.child = {.found = true, .dynamic = true, .slot = child, .com_B = {}, .X_WB = {}};
    if (parent != kNone) {
      def.parent = {parent, 0};
      context.parent = {.found = true, .dynamic = true, .slot = parent, .com_B = {}, .X_WB = {}};
    }
    const Result<JointModel> model = compile_joint(def, context);
    EXPECT_TRUE(model.ok());
    models.push_back(*model);
  }
};

// Wrenches and rates of an answer's columns: six for each body, then those of bounded rows.
template <typename Visit>
void each_wrench(const Assembly& scene, const std::vector<uint32_t>& which, const Visit& visit) {
  for (const uint32_t b : which) {
    for (int k = 0; k < 6; ++k) {
      Motion unit;
      (k < 3 ? unit.v : unit.w)[k % 3] = 1;
      visit({{b, unit}});
    }
  }
  for (const BoundedRow& r : scene.solver.bounded_rows()) {
    std::vector<std::pair<uint32_t, Motion>> wrench;
    for (int e = 0; e < 2; ++e) {
      if (r.body[e] < scene.mechanism.moving) wrench.push_back({r.body[e], {r.f[e], r.t[e]}});
    }
    visit(wrench);
  }
}

// M^-1 with the velocities that joints forbid taken out: pushing and projecting must say the same.
void expect_pushes_projected(Assembly& scene, const std::vector<uint32_t>& which) {
  scene.solver.begin_answer(scene.bodies, scene.joints, kStep, {});
  std::vector<double> answer;
  scene.solver.calc_answer(which, answer);
  const size_t n = 6 * which.size() + scene.solver.bounded_rows().size();
  ASSERT_EQ(answer.size(), n * n);
  size_t column = 0;
  using Wrench6 = std::vector<std::pair<uint32_t, Motion>>;
  each_wrench(scene, which, [&](const Wrench6& push) {
    std::vector<Motion> u(scene.bodies.size());
    for (const auto& [b, wrench] : push) {
      const Mat3 R = to_matrix(scene.bodies[b].begin.q_WB);
      u[b].v += scene.masses[b].inv_mass * wrench.v;
      u[b].w += R * (scene.masses[b].inv_I_B * (transpose(R) * wrench.w));
    }
    scene.solver.project(u);
    size_t i = 0;
    each_wrench(scene, which, [&](const Wrench6& seen) {
      double rate = 0;
      for (const auto& [b, wrench] : seen) rate += dot(wrench.v, u[b].v) + dot(wrench.w, u[b].w);
      // inverse inertias are up to 500: relative rounding errors and the joints' compliance
      EXPECT_NEAR(answer[column * n + i], rate, 1e-6);
      EXPECT_EQ(answer[column * n + i], answer[i * n + column]);
      ++i;
    });
    ++column;
  });
}

TEST(Answer, IsThePushProjected) {
  Line line(5, 0);
  expect_pushes_projected(line, {0, 2, 3});
  expect_pushes_projected(line, {4, 1, 0, 3, 2});
}

// Limits that are near are numbers of it, between bodies that are not asked for as well.
TEST(Answer, OfLimitsIsThePushProjected) {
  Line line(5, 0, JointKind::kHinge);
  line.solver.begin_answer(line.bodies, line.joints, kStep, {});
  ASSERT_EQ(line.solver.bounded_rows().size(), 5u);  // the last leans another way
  expect_pushes_projected(line, {0, 2, 3});
  expect_pushes_projected(line, {4});
}

TEST(Answer, OfHubsIsThePushProjected) {
  Star star;
  ASSERT_EQ(star.mechanism.hubs.size(), 1u);
  expect_pushes_projected(star, {0, 1, 3, 5});
  expect_pushes_projected(star, {2, 8, 4, 1});
  expect_pushes_projected(star, {3, 0});
}

// A rod that turns about its end at the origin.
struct Spoke : Assembly {
  explicit Spoke(double length, double w, const JointDef& def) {
    masses = {make_body_mass(1, {}, Mat3::diagonal({2e-3, 0.021, 0.022}))};
    bodies.resize(2);
    bodies[0].mass = &masses[0];
    bodies[0].begin.x_WC = {0.5 * length, 0, 0};
    bodies[0].begin.v_WC = {0, 0.5 * length * w, 0};
    bodies[0].begin.w_WB = {0, 0, w};
    CompileContext context;
    context.child = {.found = true, .dynamic = true, .slot = 0, .com_B = {}, .X_WB = {}};
    const Result<JointModel> model = compile_joint(def, context);
    EXPECT_TRUE(model.ok());
    models = {*model};
    states.resize(1);
    joints = {{&models[0], &states[0], length}};
    const std::vector<JointRef> refs{{0, &models[0]}};
    mechanism = find_mechanisms(refs, std::vector<uint8_t>(1, 1))[0];
    solver.reset(mechanism);
  }
};

// Its mass centre is pulled to the axis by w^2 l/2, whether the hinge has a law or none; what turns
// by more than half a radian is not foreseen.
TEST(Bend, PullsWhatTurnsToItsAxis) {
  const double length = 0.5;
  for (const bool limited : {false, true}) {
    JointDef def;
    def.kind = JointKind::kHinge;
    def.X_BP.q = def.X_BC.q = from_axis_angle({0, 1, 0}, -0.5 * kPi);
    def.X_BC.p = {-0.5 * length, 0, 0};
    def.child = {0, 0};
    if (limited) def.axes[size_t(JointAxis::kRx)].max = 3;
    for (const double w : {0.5, -2.0, 6.0}) {
      Spoke spoke(length, w, def);
      std::vector<Motion> bend(spoke.bodies.size());
      spoke.solver.begin_answer(spoke.bodies, spoke.joints, kStep, {}, Bends::kForeseen);
      ASSERT_TRUE(spoke.solver.calc_bend(bend));
      const double pull = kStep * w * w * 0.5 * length;
      const Vec3 off = bend[0].v - Vec3{-pull, 0, 0};
      // straight ways differ from the circle by a part (w h)^2, and joints hold by their compliance
      EXPECT_LT(norm(off), (kStep * std::fabs(w) + 1e-6) * pull) << w;
      EXPECT_LT(norm(bend[0].w), kStep * std::fabs(w) * pull / length) << w;
    }
    Spoke fast(length, 0.6 / kStep, def);
    std::vector<Motion> bend(fast.bodies.size());
    fast.solver.begin_answer(fast.bodies, fast.joints, kStep, {}, Bends::kForeseen);
    EXPECT_FALSE(fast.solver.calc_bend(bend));
    fast.solver.begin_answer(fast.bodies, fast.joints, kStep, {});
    EXPECT_FALSE(fast.solver.calc_bend(bend));
  }
}

// Under a load that makes it taut, the derivative of the step itself: by differences of steps.
TEST(StepAnswer, IsTwiceTheDerivativeOfWhereTheStepLeads) {
  for (const double load : {0.0, 300.0, 3000.0}) {
    Line line(6, load);
    line.advance(20);
    line.step();
    const std::vector<uint32_t> which{1, 2, 4};
    std::vector<double> answer;
    ASSERT_TRUE(line.solver.calc_step_answer(which, answer));
    const size_t n = 6 * which.size();
    double largest = 0, worst = 0;
    const std::vector<JointState> states = line.states;
    const auto end_after = [&](uint32_t body, bool turns, int axis, double size) {
      Vec3& push = turns ? line.bodies[body].torque : line.bodies[body].force;
      push[axis] += size / kStep;
      line.states = states;
      line.step();
      push[axis] -= size / kStep;
      std::vector<BodyState> ends;
      for (const StepBody& b : line.bodies) ends.push_back(b.end);
      return ends;
    };
    for (size_t column = 0; column < n; ++column) {
      const double size = 1e-4;
      const auto plus = end_after(which[column / 6], column % 6 >= 3, int(column % 3), size);
      const auto minus = end_after(which[column / 6], column % 6 >= 3, int(column % 3), -size);
      for (size_t i = 0; i < n; ++i) {
        const BodyState &a = minus[which[i / 6]], &b = plus[which[i / 6]];
        const Vec3 change = i % 6 < 3 ? b.x_WC - a.x_WC : log_map(b.q_WB * conjugate(a.q_WB));
        const double slope = change[int(i % 3)] / (2 * size) * 2 / kStep;
        largest = std::max(largest, std::fabs(slope));
        worst = std::max(worst, std::fabs(slope - answer[column * n + i]));
      }
    }
    // the symmetric part of a matrix that is not quite symmetric: levers at the middle and the end
    EXPECT_LT(worst, 0.1 * largest) << load;
  }
}

// Tension makes a line stiff, and the answer small: inertia alone would promise far more.
TEST(StepAnswer, ShrinksUnderTension) {
  double last = 1e9;
  for (const double load : {0.0, 100.0, 1000.0, 10000.0}) {
    Line line(6, load);
    line.advance(30);
    line.solver.begin_answer(line.bodies, line.joints, kStep, {});
    std::vector<double> of_inertia, answer;
    const std::vector<uint32_t> which{2};
    line.solver.calc_answer(which, of_inertia);
    line.step();
    ASSERT_TRUE(line.solver.calc_step_answer(which, answer));
    const double ratio = answer[7] / of_inertia[7];  // up and down
    EXPECT_LT(ratio, last) << load;
    last = ratio;
  }
  EXPECT_LT(last, 0.05);
}

}  // namespace
}  // namespace tenon
