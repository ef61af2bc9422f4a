// Throws a spinning box and watches it fly. Built against the installed library; see README.md.
#include <tenon/tenon.h>

#include <cstdio>

int main() {
  tenon::Result<tenon::World> world = tenon::World::make({.step = 1.0 / 120});
  if (!world) {
    std::fprintf(stderr, "%s\n", format(world.error()).c_str());
    return 1;
  }
  tenon::BodyDef def;
  def.colliders = {{tenon::Box{.half = {0.1, 0.2, 0.3}}}};  // m; as dense as water
  def.X_WB.p = {0, 10, 0};                                  // m
  def.velocity = {3, 0, 0};                                 // m/s
  def.angular_velocity = {0, 5, 0.1};                       // rad/s
  tenon::Result<tenon::BodyHandle> box = world->create_body(def);
  if (!box) {
    std::fprintf(stderr, "%s\n", format(box.error()).c_str());
    return 1;
  }
  for (int frame = 0; frame <= 120; ++frame) {
    const tenon::Pose pose = world->pose(*box);
    if (frame % 30 == 0) {
      std::printf("t = %.2f s  x = %.3f m  y = %.3f m  qw = %.3f\n", world->time(), pose.p.x,
                  pose.p.y, pose.q.w);
    }
    world->step();
  }
}
