// A spinning box falls for a second. Shows how to use the installed library; see README.md.
#include <tenon/tenon.h>

#include <cmath>
#include <cstdio>

int main() {
  tenon::Result<tenon::World> world = tenon::World::make({.step = 1.0 / 120});
  if (!world) {
    std::fprintf(stderr, "%s\n", tenon::format(world.error()).c_str());
    return 1;
  }

  tenon::BodyDef def;
  def.X_WB.p = {0, 10, 0};                                                  // m
  def.angular_velocity = {0, 5, 0.1};                                       // rad/s
  def.colliders.push_back({.shape = tenon::Box{.half = {0.1, 0.2, 0.3}}});  // density of water
  tenon::Result<tenon::BodyHandle> box = world->create_body(def);
  if (!box) {
    std::fprintf(stderr, "%s\n", tenon::format(box.error()).c_str());
    return 1;
  }

  const tenon::Vec3 spin = world->angular_momentum(*box);
  for (int i = 0; i < 120; ++i) world->step();

  const tenon::Vec3 p = world->pose(*box).p;
  std::printf("after %g s the box is at height %.6f m\n", world->time(), p.y);
  // free fall, and no torque: height 10 - g t^2 / 2, angular momentum as at the start
  const double fallen = 10 - 0.5 * 9.81 * world->time() * world->time();
  const double turned = tenon::norm(world->angular_momentum(*box) - spin) / tenon::norm(spin);
  return std::fabs(p.y - fallen) < 0.05 && turned < 1e-9 ? 0 : 1;
}
