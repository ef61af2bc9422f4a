// Mechanisms of the gallery in the method `force`: joints hold to round-off, energy is explained.
#include "tenon/tests/invariants/gallery_kit.h"

namespace tenon::test {
namespace {

TEST(ForceGallery, MechanismsRunAndHold) {
  for (const char* name : {"double-pendulum", "pendulum", "four-bars-40", "slider-crank", "bricard",
                           "gears", "joint-zoo"}) {
    scene::BuiltScene s = load_gallery(name, {"world.method=force"});
    const auto balance = [&] {
      const Mechanics m = s.world.calc_mechanics();
      return m.kinetic_J + m.potential_J - s.world.diagnostics().work_J;
    };
    const double start = balance();
    double gap = 0, angle = 0, kinetic = 1e-3, lost = 0;
    uint64_t steps = 0, minimum = 0, events = 0;
    while (s.world.time() < 2) {
      s.world.step();
      const StepDiagnostics& d = s.world.diagnostics();
      gap = std::max(gap, d.joint_gap_rel);
      angle = std::max(angle, d.joint_angle_rad);
      kinetic = std::max(kinetic, d.mechanics.kinetic_J);
      lost = std::max(lost, std::fabs(balance() - start));
      steps += d.integrator_steps;
      minimum += d.minimum_steps;
      events += d.joint_events;
    }
    std::printf(
        "[ figure   ] %-16s gap %.1e, angle %.1e, energy %.1e of %.3g J, %d steps, %d events, %d "
        "at the minimum\n",
        name, gap, angle, lost, kinetic, static_cast<int>(steps), static_cast<int>(events),
        static_cast<int>(minimum));
    EXPECT_LT(gap, 1e-11) << name;
    EXPECT_LT(angle, 1e-11) << name;
    // a thousand steps with an accuracy of 1e-6
    EXPECT_LT(lost, 1e-3 * kinetic) << name;
  }
}

}  // namespace
}  // namespace tenon::test
