// A carriage on a ring-shaped rail: a joint that the engine does not have, written as one function.
#include <tenon/tenon.h>

#include <cmath>
#include <cstdio>

namespace {

constexpr double kRadius = 0.5;  // m

// The nearest frame on the rail: the ring lies in the plane of y and z of the parent's frame, and
// the carriage keeps its own y axis pointing away from the middle.
tenon::Pose nearest_on_rail(const tenon::Pose& X) {
  const double angle = tenon::atan2(X.p.z, X.p.y);
  return {{0, kRadius * tenon::cos(angle), kRadius * tenon::sin(angle)},
          tenon::from_axis_angle({1, 0, 0}, angle)};
}

// Optional: how that frame follows the given one. The angle changes by along . dp / distance.
tenon::FrameDerivative follow_on_rail(const tenon::Pose& X, const tenon::Pose& Y) {
  const double distance = std::sqrt(X.p.y * X.p.y + X.p.z * X.p.z);
  const tenon::Vec3 along{0, -Y.p.z / kRadius, Y.p.y / kRadius}, axis{1, 0, 0};
  tenon::FrameDerivative D;
  D.pp = (kRadius / distance) * outer(along, along);
  D.rp = (1 / distance) * outer(axis, along);
  return D;
}

int fail(const tenon::Error& error) {
  std::fprintf(stderr, "%s\n", format(error).c_str());
  return 1;
}

}  // namespace

int main() {
  tenon::Result<tenon::World> world = tenon::World::make({.step = 1.0 / 120});
  if (!world) return fail(world.error());
  tenon::BodyDef carriage;
  carriage.colliders = {{tenon::Box{.half = {0.05, 0.05, 0.1}}, {}, {}}};  // m
  carriage.X_WB.p = {0, kRadius, 0};                                       // on top of the ring
  carriage.velocity = {0, 0, 1};                                           // and pushed off it
  carriage.angular_velocity = {1 / kRadius, 0, 0};
  tenon::Result<tenon::BodyHandle> body = world->create_body(carriage);
  if (!body) return fail(body.error());

  tenon::JointDef rail;
  rail.kind = tenon::JointKind::kBlackBox;
  rail.child = *body;  // no parent: the world
  // five freedoms of six are taken away, everywhere
  rail.black_box = std::make_shared<tenon::BlackBox>(nearest_on_rail, 5, follow_on_rail);
  tenon::Result<tenon::JointHandle> joint = world->create_joint(rail);
  if (!joint) return fail(joint.error());

  double worst = 0;
  for (int frame = 0; frame <= 240; ++frame) {
    const tenon::JointReading now = world->read_joint(*joint);
    worst = std::fmax(worst, now.gap_m);
    if (frame % 60 == 0) {
      const tenon::Mechanics m = world->calc_mechanics();
      std::printf("t = %.1f s  height = %6.3f m  force = %6.2f N  energy = %.4f J\n", world->time(),
                  world->pose(*body).p.y, norm(now.force), m.kinetic_J + m.potential_J);
    }
    world->step();
  }
  std::printf("never further from the rail than %.0e m\n", worst);
  return worst < 1e-6 ? 0 : 1;
}
