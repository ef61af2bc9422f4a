#include "tenon/engine/bodies/free_rotation.h"

#include <gtest/gtest.h>

namespace tenon {
namespace {

double angle_between(const Quat& a, const Quat& b) { return norm(log_map(a * conjugate(b))); }

const Quat kStart = exp_map({0.3, -1.1, 0.7});
const Vec3 kL{0.4, -0.9, 0.6};

TEST(FreeRotation, OfABodyOfRevolutionIsTheClosedForm) {
  // turns about L at |L|/I and about the axis at (1/I_axis - 1/I) L_axis, at the same time
  const double I = 0.5, I_axis = 0.02, h = 0.8;
  const BodyMass rod = make_body_mass(1, {}, Mat3::diagonal({I_axis, I, I}));
  ASSERT_TRUE(turns_exactly(rod));
  const double L_axis = rotate(conjugate(kStart), kL).x;
  const Quat exact =
      exp_map((h / I) * kL) * kStart * exp_map({h * (1 / I_axis - 1 / I) * L_axis, 0, 0});
  // 20 radians turned: round-off
  EXPECT_LT(angle_between(turn_freely(kStart, rod, kL, h, kExactTurn), exact), 1e-13);
  EXPECT_LT(angle_between(turn_freely(kStart, rod, kL, h, 3), exact), 1e-13);
}

TEST(FreeRotation, OfAnyBodyIsOfFourthOrder) {
  const BodyMass box = make_body_mass(1, {}, Mat3::diagonal({0.1, 0.25, 0.3}));
  EXPECT_FALSE(turns_exactly(box));
  const Quat exact = turn_freely(kStart, box, kL, 1, 512);
  const double coarse = angle_between(turn_freely(kStart, box, kL, 1, 8), exact);
  const double fine = angle_between(turn_freely(kStart, box, kL, 1, 16), exact);
  EXPECT_NEAR(std::log2(coarse / fine), 4, 0.2);
  const int enough = count_turn_substeps(kStart, box, kL, 1);
  EXPECT_LT(angle_between(turn_freely(kStart, box, kL, 1, enough), exact), 1e-6);
}

TEST(FreeRotation, CanBeTurnedBack) {
  const BodyMass box = make_body_mass(1, {}, Mat3::diagonal({0.1, 0.25, 0.3}));
  for (const int substeps : {kExactTurn, 1, 4}) {
    const Quat there = turn_freely(kStart, box, kL, 0.7, substeps);
    EXPECT_LT(angle_between(turn_freely(there, box, kL, -0.7, substeps), kStart), 1e-14);
  }
}

TEST(FreeRotation, LeavesPointMassesAndBodiesAtRestAlone) {
  const BodyMass point = make_body_mass(1, {}, {});
  EXPECT_EQ(turn_freely(kStart, point, kL, 1, 2), kStart);
  const BodyMass box = make_body_mass(1, {}, Mat3::diagonal({0.1, 0.25, 0.3}));
  EXPECT_EQ(turn_freely(kStart, box, {}, 1, 2), kStart);
  EXPECT_EQ(count_turn_substeps(kStart, box, {}, 1), 1);
}

}  // namespace
}  // namespace tenon
