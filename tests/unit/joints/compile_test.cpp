// What each kind of joint becomes: its rows, their rank, and where its coordinates begin.
#include <string>
#include <vector>

#include "tenon/engine/joints/black_boxes/black_boxes.h"
#include "tenon/tests/unit/joints/joint_test_help.h"

namespace tenon {
namespace {

JointModel compile(const JointDef& def, const CompileContext& context = two_dynamic_bodies()) {
  Result<JointModel> m = compile_joint(def, context);
  EXPECT_TRUE(m.ok()) << (m.ok() ? "" : format(m.error()));
  return m.ok() ? *m : JointModel{};
}

PairFrames frames_of(const Pose& X_PC) {
  return make_frames({}, {}, Mat3::identity(), X_PC.p, to_matrix(X_PC.q));
}

// Number of independent rows at a frame, from their gradients in six coordinates.
int find_rank(const JointModel& m, const PairFrames& x) {
  std::vector<std::array<double, 6>> rows;
  if (m.has_point)
    for (size_t k = 0; k < 3; ++k) {
      rows.emplace_back();
      rows.back()[k] = 1;
    }
  for (int k = m.has_point ? 3 : 0; k < m.row_count; ++k) {
    RowWrench w, w2;
    eval_row(m.rows[static_cast<size_t>(k)], x, x, w, w2);
    rows.push_back({w.f.x + w2.f.x, w.f.y + w2.f.y, w.f.z + w2.f.z, w.t.x + w2.t.x, w.t.y + w2.t.y,
                    w.t.z + w2.t.z});
  }
  int rank = 0;
  for (size_t column = 0; column < 6; ++column) {
    size_t best = static_cast<size_t>(rank);
    for (size_t i = best; i < rows.size(); ++i)
      if (std::fabs(rows[i][column]) > std::fabs(rows[best][column])) best = i;
    if (best >= rows.size() || std::fabs(rows[best][column]) < 1e-9) continue;
    std::swap(rows[static_cast<size_t>(rank)], rows[best]);
    const auto pivot = rows[static_cast<size_t>(rank++)];
    for (size_t i = static_cast<size_t>(rank); i < rows.size(); ++i) {
      const double f = rows[i][column] / pivot[column];
      for (size_t k = 0; k < 6; ++k) rows[i][k] -= f * pivot[k];
    }
  }
  return rank;
}

struct KindCase {
  JointKind kind;
  int held;
  const char* free;
};
const std::vector<KindCase> kKinds = {{JointKind::kPoint, 3, "rx ry rz "},
                                      {JointKind::kHinge, 5, "rx "},
                                      {JointKind::kTwist, 5, "rx "},
                                      {JointKind::kRigid, 6, ""},
                                      {JointKind::kSlider, 5, "x "},
                                      {JointKind::kSlider2, 4, "x y "},
                                      {JointKind::kSlider3, 3, "x y z "},
                                      {JointKind::kPlanarTwist, 3, "y z rx "},
                                      {JointKind::kCylindrical, 4, "x rx "},
                                      {JointKind::kUniversal, 4, "rx ry "},
                                      {JointKind::kBallInTube, 2, "x rx ry rz "},
                                      {JointKind::kPointOnPlane, 1, "y z rx ry rz "},
                                      {JointKind::kScrew, 5, "x rx "}};

TEST(CompiledJoints, HoldWhatTheirKindSaysAndLeaveTheRestFree) {
  for (const KindCase& k : kKinds) {
    JointDef def = make_def(k.kind);
    def.pitch = 0.1;
    const JointModel m = compile(def);
    EXPECT_EQ(m.row_count, k.held) << name(k.kind);
    EXPECT_EQ(find_rank(m, frames_of({})), k.held) << name(k.kind);
    std::string free;
    for (int a = 0; a < kJointAxisCount; ++a)
      if (m.is_free(static_cast<JointAxis>(a))) free += std::string(name(JointAxis(a))) + " ";
    EXPECT_EQ(free, k.free) << name(k.kind);
  }
}

TEST(CompiledJoints, RowsAreZeroAndIndependentAlongTheirFreedoms) {
  // moved along every freedom, from the closed form of the pose
  Rng rng(30);
  for (const KindCase& k : kKinds) {
    JointDef def = make_def(k.kind);
    def.pitch = 0.1;
    const JointModel m = compile(def);
    for (int n = 0; n < 30; ++n) {
      Pose X;
      for (int a = 0; a < 3; ++a)
        if (m.is_free(static_cast<JointAxis>(a))) X.p[a] = rng.uniform(-1, 1);
      const double rx = rng.uniform(-3, 3), ry = rng.uniform(-1, 1), rz = rng.uniform(-1, 1);
      if (k.kind == JointKind::kUniversal) {
        X.q = from_axis_angle({1, 0, 0}, rx) * from_axis_angle({0, 1, 0}, ry);
      } else {
        const Vec3 swing{0, m.is_free(JointAxis::kRy) ? ry : 0, m.is_free(JointAxis::kRz) ? rz : 0};
        X.q = exp_map(swing) * from_axis_angle({1, 0, 0}, m.is_free(JointAxis::kRx) ? rx : 0);
      }
      if (k.kind == JointKind::kScrew) X.p.x = 0.1 * rx / (2 * kPi);
      const PairFrames x = frames_of(X);
      EXPECT_EQ(find_rank(m, x), k.held) << name(k.kind);
      for (int r = 0; r < m.row_count; ++r) {
        RowWrench w, w2;
        const double c =
            m.scalar_row(r) ? eval_row(m.rows[static_cast<size_t>(r)], x, x, w, w2) : x.d[r];
        EXPECT_NEAR(c, 0, 1e-15) << name(k.kind) << " row " << r;
      }
    }
  }
}

TEST(CompiledJoints, SixAxisHoldsWhatIsLocked) {
  for (int mask = 0; mask < 64; ++mask) {
    JointDef def = make_def(JointKind::kSixAxis);
    int count = 0;
    for (int k = 0; k < 6; ++k) {
      def.locked[static_cast<size_t>(k)] = (mask >> k & 1) != 0;
      count += mask >> k & 1;
      if ((mask >> k & 1) == 0) def.axes[static_cast<size_t>(k)].damping = 1;
    }
    const JointModel m = compile(def);
    EXPECT_EQ(m.row_count, 6) << mask;  // held rows and laws fill up the six
    EXPECT_EQ(find_rank(m, frames_of({})), 6) << mask;
    EXPECT_EQ(m.free_axes, 63 ^ mask);
    EXPECT_EQ(m.has_point, (mask & 7) == 7);
    int held = 0;
    for (int k = 0; k < m.row_count; ++k)
      if (!m.scalar_row(k) || m.rows[static_cast<size_t>(k)].axis == kHeldRow) ++held;
    EXPECT_EQ(held, count);
  }
}

TEST(CompiledJoints, ASixAxisHingeTurnsFullyAboutAnyAxis) {
  for (const int axis : {3, 4, 5}) {
    JointDef def = make_def(JointKind::kSixAxis);
    def.locked = {true, true, true, true, true, true};
    def.locked[static_cast<size_t>(axis)] = false;
    const JointModel m = compile(def);
    for (double a = -3.1; a < 3.12; a += 0.2) {
      Vec3 v;
      v[axis - 3] = a;
      const PairFrames x = frames_of({{}, exp_map(v)});
      RowWrench w, w2;
      EXPECT_NEAR(eval_row(coordinate_form(m, JointAxis(axis)), x, x, w, w2), a, 1e-13);
      for (size_t k = 3; k < 5; ++k) EXPECT_NEAR(eval_row(m.rows[k], x, x, w, w2), 0, 1e-15);
    }
  }
}

TEST(CompiledJoints, HaveOneRowForEachFreedomThatIsActedOn) {
  JointDef def = make_def(JointKind::kCylindrical);
  EXPECT_EQ(compile(def).row_count, 4);
  def.axes[0].max = 1;
  def.axes[3].motor.kind = Motor::Kind::kVelocity;
  const JointModel m = compile(def);
  ASSERT_EQ(m.row_count, 6);
  EXPECT_EQ(m.rows[4].form, RowForm::kSlide);
  EXPECT_EQ(m.rows[4].axis, 0);
  EXPECT_EQ(m.rows[5].form, RowForm::kTwist);
  EXPECT_EQ(m.rows[5].axis, 3);
  EXPECT_EQ(m.axes[0].max, 1);
}

TEST(CompiledJoints, TheConeIsInRadiansAtItsEdge) {
  for (const double swing_max : {0.1, 1.0, 2.5}) {
    JointDef def = make_def(JointKind::kPoint);
    def.swing_max = swing_max;
    const JointModel m = compile(def);
    ASSERT_EQ(m.row_count, 4);
    EXPECT_EQ(m.rows[3].axis, kSwingAxis);
    const JointAxisDef& law = m.axes[kSwingAxis];
    EXPECT_EQ(law.max, kInfinity);
    RowWrench w, w2;
    const auto c = [&](double swing) {
      const PairFrames x = frames_of({{}, exp_map({0, 0.6 * swing, 0.8 * swing})});
      return eval_row(m.rows[3], x, x, w, w2);
    };
    EXPECT_NEAR(c(swing_max), law.min, 1e-14);
    EXPECT_GT(c(swing_max - 1e-3), law.min);
    EXPECT_NEAR((c(swing_max + 1e-6) - c(swing_max - 1e-6)) / 2e-6, -1, 1e-6);
  }
}

TEST(CompiledJoints, RodsKeepTheirLengthOrTheOneTheyStartWith) {
  JointDef def = make_def(JointKind::kDistance);
  CompileContext context = two_dynamic_bodies();
  context.child.X_WB.p = {3, 0, 4};
  EXPECT_EQ(compile(def, context).rows[0].value, 5);
  def.length = 2;
  EXPECT_EQ(compile(def, context).rows[0].value, 2);
  EXPECT_EQ(compile(def, context).rows[0].axis, kHeldRow);
  def.length = 0;
  def.axes[0].max = 7;  // a rope
  const JointModel rope = compile(def, context);
  ASSERT_EQ(rope.row_count, 1);
  EXPECT_EQ(rope.rows[0].axis, 0);
  EXPECT_EQ(rope.rows[0].form, RowForm::kDistance);
}

TEST(CompiledJoints, FramesAreTakenFromTheMassCentres) {
  JointDef def = make_def(JointKind::kPoint);
  def.X_BP = {{1, 2, 3}, {2, 0, 0, 0}};  // quaternions are normalised
  def.X_BC = {{4, 5, 6}, {0, 0, -3, 0}};
  CompileContext context = two_dynamic_bodies();
  context.parent.com_B = {0.5, 0, 0};
  context.child.com_B = {0, 0, 1};
  context.parent.slot = 7;
  context.child.slot = 3;
  const JointPair p = compile(def, context).pairs[0];
  EXPECT_EQ(p.parent, 7u);
  EXPECT_EQ(p.child, 3u);
  EXPECT_EQ(p.rP_B, (Vec3{0.5, 2, 3}));
  EXPECT_EQ(p.rC_B, (Vec3{4, 5, 5}));
  EXPECT_EQ(p.AP_B, Mat3::identity());
  EXPECT_EQ(p.AC_B, Mat3::diagonal({-1, 1, -1}));
  // the world itself
  def.parent = {};
  const JointPair world = compile(def, context).pairs[0];
  EXPECT_EQ(world.parent, kWorldBody);
  EXPECT_EQ(world.rP_B, (Vec3{1, 2, 3}));
}

TEST(CompiledJoints, GearsCoupleTheCoordinatesOfTwoJoints) {
  const JointModel hinge = compile(make_def(JointKind::kHinge));
  JointDef slider_def = make_def(JointKind::kSlider);
  CompileContext bodies = two_dynamic_bodies();
  bodies.parent.slot = 5;
  bodies.child.slot = 6;
  const JointModel slider = compile(slider_def, bodies);

  JointDef gear;
  gear.kind = JointKind::kGear;
  gear.first = {0, 0};
  gear.second = {1, 0};
  gear.first_axis = JointAxis::kX;
  gear.ratio = -0.25;
  CompileContext context;
  context.first = {&slider, frames_of({{0.3, 0, 0}, {}}), true};
  context.second = {&hinge, frames_of({{}, exp_map({1.2, 0, 0})}), true};
  const JointModel m = compile(gear, context);
  EXPECT_EQ(m.pair_count, 2);
  ASSERT_EQ(m.row_count, 1);
  EXPECT_EQ(m.pairs[0].child, 6u);
  EXPECT_EQ(m.pairs[1].child, 1u);
  RowWrench w, w2;
  EXPECT_NEAR(eval_row(m.rows[0], context.first.frames, context.second.frames, w, w2), 0, 1e-16);
  // the rack moves on by r = 0.25 m for each radian
  const PairFrames moved = frames_of({{0.3 + 0.25 * 0.1, 0, 0}, {}});
  const PairFrames turned = frames_of({{}, exp_map({1.3, 0, 0})});
  EXPECT_NEAR(eval_row(m.rows[0], moved, turned, w, w2), 0, 1e-15);
  const JointState state = make_joint_state(m, context.first.frames, context.second.frames);
  EXPECT_NEAR(state.coordinate[kGearFirst], 0.3, 1e-15);
  EXPECT_NEAR(state.coordinate[kGearSecond], 1.2, 1e-15);
}

TEST(CompiledJoints, BlackBoxesHaveRoomForWhatTheyMayHold) {
  JointDef def = make_def(JointKind::kBlackBox);
  def.black_box = *make_torus_magnet({});
  EXPECT_EQ(compile(def).row_count, 3);
  def.black_box = *make_reach_cone({});
  const JointModel m = compile(def);
  EXPECT_EQ(m.row_count, 6);
  for (size_t k = 0; k < 6; ++k) {
    EXPECT_EQ(m.rows[k].form, RowForm::kBlackBox);
    EXPECT_EQ(m.rows[k].i, k);
  }
}

TEST(StartOfAJoint, IsOnTheTurnThatItsLimitsAllow) {
  struct Turn {
    double min, max, angle, start;
  };
  const double t = 2 * kPi;
  for (const Turn& turn : {Turn{1.5, 4.7, -3.0, t - 3.0}, Turn{-kInfinity, kInfinity, -3.0, -3.0},
                           Turn{t, 2 * t, 0.5, t + 0.5}, Turn{-3 * t, -2 * t, 0.5, 0.5 - 3 * t},
                           // no turn fits: the one that breaks the limits least
                           Turn{3.0, 3.1, -3.0, t - 3.0}, Turn{1.0, 1.1, 0.9, 0.9},
                           Turn{4.0, 4.1, -1.5, t - 1.5}, Turn{-kInfinity, -4, 1, 1 - t}}) {
    JointDef def = make_def(JointKind::kHinge);
    def.axes[3].min = turn.min;
    def.axes[3].max = turn.max;
    def.axes[3].friction = 1;
    const PairFrames x = frames_of({{}, exp_map({turn.angle, 0, 0})});
    const JointState state = make_joint_state(compile(def), x, x);
    EXPECT_NEAR(state.coordinate[5], turn.start, 1e-12) << turn.min << " " << turn.max;
  }
}

}  // namespace
}  // namespace tenon
