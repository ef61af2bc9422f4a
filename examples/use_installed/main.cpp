// A rod on a hinge, let go from the horizontal. Built against the installed library; see README.md.
#include <tenon/tenon.h>

#include <cstdio>

int fail(const tenon::Error& error) {
  std::fprintf(stderr, "%s\n", format(error).c_str());
  return 1;
}

int main() {
  tenon::Result<tenon::World> world = tenon::World::make({.step = 1.0 / 120});
  if (!world) return fail(world.error());
  tenon::BodyDef rod;
  rod.colliders = {{tenon::Box{.half = {0.5, 0.02, 0.02}}}};  // m; as dense as water
  rod.X_WB.p = {0.5, 0, 0};                                   // its left end at the origin
  tenon::Result<tenon::BodyHandle> body = world->create_body(rod);
  if (!body) return fail(body.error());

  tenon::JointDef hinge;
  hinge.kind = tenon::JointKind::kHinge;
  hinge.child = *body;  // no parent: the world
  const tenon::Quat along_z = tenon::from_axis_angle({0, 1, 0}, -tenon::kPi / 2);
  hinge.X_BP = {{0, 0, 0}, along_z};  // a hinge turns about the x axis of its frames
  hinge.X_BC = {{-0.5, 0, 0}, along_z};
  tenon::Result<tenon::JointHandle> joint = world->create_joint(hinge);
  if (!joint) return fail(joint.error());

  for (int frame = 0; frame <= 240; ++frame) {
    const tenon::JointReading now = world->read_joint(*joint);
    if (frame % 60 == 0) {
      std::printf("t = %.1f s  angle = %6.3f rad  force = %5.2f N  gap = %.0e m\n", world->time(),
                  now.coordinate[3], norm(now.force), now.gap_m);
    }
    world->step();
  }
}
