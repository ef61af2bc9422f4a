// What each kind of joint becomes: its rows, their rank, and where its coordinates begin.
#include "tenon/tests/unit/joints/joint_test_help.h"

namespace tenon {
namespace {

TEST(CompiledJoints, AllKindsCompile) {
  for (int k = 0; k < kJointKindCount; ++k) {
    const JointDef def = make_def(static_cast<JointKind>(k));
    if (def.kind == JointKind::kGear || def.kind == JointKind::kBlackBox ||
        def.kind == JointKind::kDistance)
      continue;
    const Result<JointModel> m = compile_joint(def, two_dynamic_bodies());
    ASSERT_TRUE(m.ok()) << format(m.error());
  }
}

}  // namespace
}  // namespace tenon
