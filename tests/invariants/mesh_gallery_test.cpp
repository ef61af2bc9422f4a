// Scenes of triangle meshes keep what they should: small versions of those of the gallery.
#include <cmath>

#include "tenon/benchmarks/meshes/linking.h"
#include "tenon/tests/effort.h"
#include "tenon/tests/invariants/gallery_kit.h"

namespace tenon::test {
namespace {

Curve circle(const Vec3& centre, const Vec3& u, const Vec3& v, int count = 24) {
  Curve curve;
  for (int i = 0; i < count; ++i) {
    const double a = 2 * kPi * i / count;
    curve.push_back(centre + std::cos(a) * u + std::sin(a) * v);
  }
  return curve;
}

TEST(Linking, CountsHowOftenCurvesPassThroughEachOther) {
  const Curve a = circle({}, {1, 0, 0}, {0, 1, 0});
  EXPECT_EQ(std::abs(calc_linking(a, circle({1.1, 0.05, 0.1}, {1, 0, 0}, {0, 0, 1}))), 1);
  EXPECT_EQ(calc_linking(a, circle({2.5, 0, 0}, {1, 0, 0}, {0, 0, 1})), 0);
  EXPECT_EQ(calc_linking(a, circle({0, 0, 0.2}, {2, 0, 0}, {0, 2, 0})), 0);
  // a coil that goes round the bar of the ring three times
  Curve coil;
  for (int i = 0; i < 120; ++i) {
    const double s = 2 * kPi * i / 120, r = 1 + 0.3 * std::cos(3 * s);
    coil.push_back({r * std::cos(s), r * std::sin(s), 0.3 * std::sin(3 * s)});
  }
  EXPECT_EQ(std::abs(calc_linking(coil, circle({}, {1, 0, 0}, {0, 1, 0}, 200))), 3);
  EXPECT_EQ(std::abs(calc_winding(circle({}, {1, 0, 0}, {0, 0, 1}), 0.5, 0)), 1);
  EXPECT_EQ(calc_winding(circle({}, {1, 0, 0}, {0, 0, 1}), 1.5, 0), 0);
}

std::vector<Curve> mail_rings(const scene::BuiltScene& s) {
  std::vector<Curve> rings;
  for (size_t i = 0; i < s.names.size(); ++i) {
    if (s.names[i].rfind("mail", 0) != 0) continue;
    const Pose X = s.world.pose(s.handles[i]);
    rings.push_back(circle(X.p, rotate(X.q, {0.04, 0, 0}), rotate(X.q, {0, 0.04, 0})));
  }
  return rings;
}

TEST(MeshGallery, ChainMailHangsByContactAlone) {
  scene::BuiltScene s =
      load_gallery("chainmail", {"parameters.n=4", "parameters.m_=4", "parameters.fine=0.6"});
  const std::vector<Link> before = find_links(mail_rings(s));
  EXPECT_EQ(before.size(), 3u * 7);  // between neighbouring rows of four
  for (int i = 0; i < effort(240, 20); ++i) s.world.step();
  EXPECT_EQ(find_links(mail_rings(s)), before);
  // it hangs: nothing fell to the floor, 1.35 m below
  for (const BodyHandle body : s.handles) {
    if (s.world.motion(body) == MotionKind::kDynamic) {
      EXPECT_GT(s.world.pose(body).p.y, 0.9);
    }
  }
  // a tenth of the wire
  EXPECT_LT(s.world.diagnostics().penetration_m, 7e-4);
}

TEST(MeshGallery, NutsInABowlFallAsleep) {
  // no place of what is wedged opens all overlaps: asked for again and again, it crept for ever
  scene::BuiltScene s = load_gallery("bowl-of-nuts", {});
  for (int i = 0; i < effort(720, 20); ++i) s.world.step();
  EXPECT_EQ(s.world.diagnostics().sleeping_bodies, effort(96u, 0u));
  // what may stay: a tenth of the fall in a step of 1/120 s
  EXPECT_LT(s.world.diagnostics().penetration_m, effort(0.1 * 9.81 / (120 * 120), 1.0));
}

TEST(MeshGallery, RingsThatLandOnRingsDoNotPassThroughEachOther) {
  // two layers of 25; the second one lands on the first at 7 m/s, 12 cm in a step
  scene::BuiltScene s = load_gallery("rings-nonconvex", {"parameters.n=50"});
  const std::vector<Link> before = find_links(ring_curves(s, "ring_"));
  double deepest = 0, open = 0;
  for (int i = 0; i < effort(70, 10); ++i) {
    s.world.step();
    deepest = std::max(deepest, s.world.diagnostics().penetration_m);
    open = std::max(open, s.world.diagnostics().joint_gap_rel);
  }
  EXPECT_EQ(find_links(ring_curves(s, "ring_")), before);
  // less than half of the bars, 28 mm: beyond, they would be pushed out on the other side
  EXPECT_LT(deepest, 0.028 / 2);
  EXPECT_LT(open, 1e-7);
}

// How far coordinates of joints are beyond their limits, rad or m.
double calc_beyond(const scene::BuiltScene& s) {
  double beyond = 0;
  for (const JointHandle joint : s.joint_handles) {
    const JointDef& def = s.world.joint_def(joint);
    const JointReading reading = s.world.read_joint(joint);
    for (size_t k = 0; k < def.axes.size(); ++k) {
      beyond = std::max({beyond, def.axes[k].min - reading.coordinate[k],
                         reading.coordinate[k] - def.axes[k].max});
    }
  }
  return beyond;
}

TEST(MeshGallery, SkeletonsKeepTheirJointsAndComeToRestByPlaceAsWell) {
  scene::BuiltScene s = load_gallery("skeletons", {"parameters.n=2", "parameters.fine=0.5"});
  double open = 0, beyond = 0;
  const auto run = [&](int steps) {
    for (int i = 0; i < steps; ++i) {
      s.world.step();
      open = std::max(open, s.world.diagnostics().joint_gap_rel);
      beyond = std::max(beyond, calc_beyond(s));
    }
  };
  run(effort(420, 20));  // all but the last of its eight seconds
  std::vector<Vec3> before;
  double mass = 0;
  for (const BodyHandle body : s.handles) {
    before.push_back(s.world.center_of_mass(body));
    mass += s.world.mass(body).mass;
  }
  run(effort(60, 1));
  double way = 0;
  for (size_t i = 0; i < before.size(); ++i) {
    way = std::max(way, norm(s.world.center_of_mass(s.handles[i]) - before[i]));
  }
  // in a second, in which the bones' velocities alone might say nothing; a hanging hand swings
  EXPECT_LT(way, effort(5e-3, 1.0));
  EXPECT_LT(s.world.diagnostics().penetration_m, effort(5e-4, 1.0));
  // all in all 14 mm/s: of dampers, which take seconds for what hangs
  EXPECT_LT(s.world.diagnostics().mechanics.kinetic_J / mass, effort(1e-4, 100.0));
  // the tolerance of joints, and what limits may be passed by, throughout
  EXPECT_LT(open, 1e-6);
  EXPECT_LT(beyond, 1e-5);
}

TEST(MeshGallery, TeethOfGearsTurnEachOtherByTheirRatio) {
  scene::BuiltScene s = load_gallery("gear-train", {});
  double deepest = 0;
  for (int i = 0; i < effort(480, 24); ++i) {
    s.world.step();
    deepest = std::max(deepest, s.world.diagnostics().penetration_m);
  }
  const auto turn = [&](const std::string& name) {
    const auto at =
        std::find(s.joint_names.begin(), s.joint_names.end(), name) - s.joint_names.begin();
    return s.world.read_joint(s.joint_handles.at(static_cast<size_t>(at)))
        .coordinate[static_cast<size_t>(JointAxis::kRx)];
  };
  const double first = turn("drive"), last = turn("brake");
  // a turn a second: the motor is strong enough whatever the teeth do, unless they jam
  EXPECT_NEAR(first, 2 * kPi * effort(480, 24) / 240, 0.01);
  EXPECT_LT(deepest, 2e-4);  // less than what teeth are cut back by
  // teeth lie back by at most their backlash, 0.3 mm at each of three meshes of 9 to 22 cm radius
  EXPECT_NEAR(last, -first * 18 / 45, 3 * 0.0003 / 0.09);
}

}  // namespace
}  // namespace tenon::test
