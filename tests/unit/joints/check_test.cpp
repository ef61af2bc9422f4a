// Refusals: every mistake gets an error that says what would be accepted, and nothing crashes.
#include <limits>
#include <string>

#include "tenon/engine/joints/black_boxes/black_boxes.h"
#include "tenon/tests/unit/joints/joint_test_help.h"

namespace tenon {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::string refusal(const JointDef& def, const CompileContext& context = two_dynamic_bodies()) {
  const Result<JointModel> m = compile_joint(def, context);
  return m.ok() ? "accepted" : format(m.error());
}
// The refusal of a joint after a change.
template <class Change>
std::string refusal_of(JointKind kind, Change change) {
  JointDef def = make_def(kind);
  change(def);
  return refusal(def);
}
bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
#define EXPECT_REFUSAL(text, part) EXPECT_PRED2(has, text, part)

TEST(JointErrors, NameMissingAndUnfitBodies) {
  EXPECT_REFUSAL(refusal_of(JointKind::kPoint, [](JointDef& d) { d.child = {}; }), "child");
  EXPECT_REFUSAL(refusal_of(JointKind::kPoint, [](JointDef& d) { d.child = d.parent; }), "itself");
  CompileContext c = two_dynamic_bodies();
  c.parent.found = false;
  EXPECT_REFUSAL(refusal(make_def(JointKind::kPoint), c), "parent body");
  c = two_dynamic_bodies();
  c.child.found = false;
  EXPECT_REFUSAL(refusal(make_def(JointKind::kPoint), c), "child body");
  c = two_dynamic_bodies();
  c.parent.dynamic = c.child.dynamic = false;
  EXPECT_REFUSAL(refusal(make_def(JointKind::kPoint), c), "dynamic");
  c = two_dynamic_bodies();
  c.child.dynamic = false;
  JointDef to_world = make_def(JointKind::kPoint);
  to_world.parent = {};
  EXPECT_REFUSAL(refusal(to_world, c), "dynamic");
  c = two_dynamic_bodies();
  c.child.dynamic = false;  // the parent still moves
  EXPECT_EQ(refusal(make_def(JointKind::kPoint), c), "accepted");
}

TEST(JointErrors, NameFramesThatAreNone) {
  EXPECT_REFUSAL(refusal_of(JointKind::kHinge, [](JointDef& d) { d.X_BP.q = {0, 0, 0, 0}; }),
                 "frame P");
  EXPECT_REFUSAL(refusal_of(JointKind::kHinge, [](JointDef& d) { d.X_BC.p.y = kNan; }), "frame C");
  EXPECT_REFUSAL(refusal_of(JointKind::kHinge, [](JointDef& d) { d.X_BC.p.y = 1e12; }), "1e+09 m");
}

TEST(JointErrors, NameAxesThatAreNotFree) {
  const std::string text = refusal_of(JointKind::kHinge, [](JointDef& d) { d.axes[4].max = 1; });
  EXPECT_REFUSAL(text, "axis ry");
  EXPECT_REFUSAL(text, "accepted: rx");
  EXPECT_REFUSAL(refusal_of(JointKind::kRigid,
                            [](JointDef& d) { d.axes[0].motor.kind = Motor::Kind::kForce; }),
                 "no axis");
  EXPECT_REFUSAL(refusal_of(JointKind::kSlider2, [](JointDef& d) { d.axes[2].friction = 1; }),
                 "accepted: x, y");
  EXPECT_REFUSAL(refusal_of(JointKind::kSixAxis,
                            [](JointDef& d) {
                              d.locked[1] = true;
                              d.axes[1].stiffness = 1;
                            }),
                 "accepted: x, z, rx, ry, rz");
}

TEST(JointErrors, NameLimitsAndForcesThatMakeNoSense) {
  const auto hinge = [](auto change) {
    return refusal_of(JointKind::kHinge, [&](JointDef& d) { change(d.axes[3]); });
  };
  EXPECT_REFUSAL(hinge([](JointAxisDef& a) { a.min = 2, a.max = 1; }), "2 ... 1");
  EXPECT_REFUSAL(hinge([](JointAxisDef& a) { a.min = kNan; }), "min");
  EXPECT_REFUSAL(hinge([](JointAxisDef& a) { a.min = kInfinity; }), "min");
  EXPECT_REFUSAL(hinge([](JointAxisDef& a) { a.friction = -1; }), "friction");
  EXPECT_REFUSAL(hinge([](JointAxisDef& a) { a.friction = kInfinity; }), "friction");
  EXPECT_REFUSAL(hinge([](JointAxisDef& a) { a.stiffness = -1; }), "stiffness");
  EXPECT_REFUSAL(hinge([](JointAxisDef& a) { a.damping = kNan; }), "damping");
  EXPECT_REFUSAL(hinge([](JointAxisDef& a) { a.rest = kNan; }), "rest");
  EXPECT_REFUSAL(hinge([](JointAxisDef& a) { a.restitution = 1.5; }), "restitution");
  EXPECT_REFUSAL(hinge([](JointAxisDef& a) { a.motor.target = kInfinity; }), "target");
  EXPECT_REFUSAL(hinge([](JointAxisDef& a) { a.motor.max_force = 0; }), "max_force");
  EXPECT_REFUSAL(hinge([](JointAxisDef& a) { a.motor.max_force = kNan; }), "max_force");
  EXPECT_REFUSAL(hinge([](JointAxisDef& a) { a.motor.frequency_hz = 0; }), "frequency_hz");
  EXPECT_REFUSAL(hinge([](JointAxisDef& a) { a.motor.damping_ratio = -1; }), "damping_ratio");
  EXPECT_REFUSAL(hinge([](JointAxisDef& a) { a.motor.kind = Motor::Kind(9); }), "motor");
  EXPECT_EQ(hinge([](JointAxisDef& a) { a.min = a.max = 1; }), "accepted");
  EXPECT_EQ(hinge([](JointAxisDef& a) { a.min = -20, a.max = 20; }), "accepted");  // turns
  EXPECT_REFUSAL(refusal_of(JointKind::kPoint, [](JointDef& d) { d.axes[4].max = 2; }), "pi/2");
}

TEST(JointErrors, NameConesThatAreNone) {
  const auto cone = [](JointKind kind, double swing) {
    return refusal_of(kind, [&](JointDef& d) { d.swing_max = swing; });
  };
  EXPECT_REFUSAL(cone(JointKind::kPoint, 0), "0.001");
  EXPECT_REFUSAL(cone(JointKind::kPoint, kPi), "0.001");
  EXPECT_REFUSAL(cone(JointKind::kPoint, kNan), "swing_max");
  EXPECT_REFUSAL(cone(JointKind::kHinge, 1), "ball in tube");
  EXPECT_EQ(cone(JointKind::kPointOnPlane, 1), "accepted");
  EXPECT_REFUSAL(refusal_of(JointKind::kPoint,
                            [](JointDef& d) {
                              d.swing_max = 1;
                              for (size_t k = 3; k < 6; ++k) d.axes[k].friction = 1;
                            }),
                 "too many");
}

TEST(JointErrors, NameLengthsPitchesAndBreakingLoads) {
  EXPECT_REFUSAL(refusal_of(JointKind::kDistance, [](JointDef& d) { d.length = -1; }), "length");
  EXPECT_REFUSAL(refusal_of(JointKind::kDistance, [](JointDef&) {}), "same place");
  EXPECT_REFUSAL(refusal_of(JointKind::kDistance,
                            [](JointDef& d) {
                              d.length = 1;
                              d.axes[0].max = 2;
                            }),
                 "either a length");
  EXPECT_REFUSAL(refusal_of(JointKind::kDistance, [](JointDef& d) { d.axes[0].max = 0; }),
                 "positive");
  EXPECT_REFUSAL(refusal_of(JointKind::kScrew, [](JointDef& d) { d.pitch = kNan; }), "pitch");
  EXPECT_REFUSAL(refusal_of(JointKind::kScrew,
                            [](JointDef& d) {
                              d.axes[0].max = 1;
                              d.axes[3].friction = 1;
                            }),
                 "one freedom");
  EXPECT_REFUSAL(refusal_of(JointKind::kPoint, [](JointDef& d) { d.break_force = 0; }),
                 "break_force");
  EXPECT_REFUSAL(refusal_of(JointKind::kPoint, [](JointDef& d) { d.break_torque = kNan; }),
                 "break_torque");
  EXPECT_REFUSAL(refusal_of(JointKind::kPoint, [](JointDef& d) { d.break_time = 0; }),
                 "break_time");
  EXPECT_REFUSAL(refusal(make_def(JointKind(200))), "200");
}

TEST(JointErrors, NameGearsThatCannotMesh) {
  const JointModel hinge = *compile_joint(make_def(JointKind::kHinge), two_dynamic_bodies());
  JointDef gear;
  gear.kind = JointKind::kGear;
  gear.first = {0, 0};
  gear.second = {1, 0};
  CompileContext context;
  context.first = context.second = {&hinge, {}, true};
  EXPECT_EQ(refusal(gear, context), "accepted");

  JointDef bad = gear;
  bad.second = {};
  EXPECT_REFUSAL(refusal(bad, context), "two joints");
  bad = gear;
  bad.second = gear.first;
  EXPECT_REFUSAL(refusal(bad, context), "itself");
  for (const double ratio : {0.0, kNan, kInfinity}) {
    bad = gear;
    bad.ratio = ratio;
    EXPECT_REFUSAL(refusal(bad, context), "ratio");
  }
  bad = gear;
  bad.second_axis = JointAxis::kX;
  EXPECT_REFUSAL(refusal(bad, context), "accepted: rx");
  bad = gear;
  bad.axes[3].friction = 1;
  EXPECT_REFUSAL(refusal(bad, context), "not free");
  bad = gear;
  bad.first_axis = JointAxis(9);
  EXPECT_REFUSAL(refusal(bad, context), "axis");

  CompileContext missing = context;
  missing.second.model = nullptr;
  EXPECT_REFUSAL(refusal(gear, missing), "second joint");
  const JointModel gear_model = *compile_joint(gear, context);
  CompileContext nested = context;
  nested.first.model = &gear_model;
  EXPECT_REFUSAL(refusal(gear, nested), "gear itself");
  CompileContext still = context;
  still.first.dynamic = still.second.dynamic = false;
  EXPECT_REFUSAL(refusal(gear, still), "moved by forces");
}

TEST(JointErrors, NameBlackBoxesWithoutAFunction) {
  EXPECT_REFUSAL(refusal(make_def(JointKind::kBlackBox)), "function");
  JointDef def = make_def(JointKind::kBlackBox);
  def.black_box = std::make_shared<BlackBox>(nullptr);
  EXPECT_REFUSAL(refusal(def), "function");
  def.black_box = std::make_shared<BlackBox>([](const Pose& X) { return X; }, 7);
  EXPECT_REFUSAL(refusal(def), "1 to 6");
  def.black_box = *make_reach_cone({});
  def.axes[3].friction = 1;
  EXPECT_REFUSAL(refusal(def), "not free");
}

}  // namespace
}  // namespace tenon
