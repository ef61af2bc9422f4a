#include "tenon/benchmarks/meshes/speeds.h"

#include <algorithm>

namespace tenon {

SpeedMeter::SpeedMeter(const scene::BuiltScene& scene) : before_(find_places(scene)) {}

std::vector<SpeedMeter::Place> SpeedMeter::find_places(const scene::BuiltScene& scene) {
  std::vector<Place> all;
  for (const BodyHandle body : scene.handles) {
    all.push_back({scene.world.center_of_mass(body), scene.world.pose(body).q});
  }
  return all;
}

Speeds SpeedMeter::after_step(const scene::BuiltScene& scene) {
  const World& world = scene.world;
  const std::vector<Place> now = find_places(scene);
  Speeds most;
  for (size_t i = 0; i < now.size(); ++i) {
    const BodyHandle body = scene.handles[i];
    if (world.motion(body) != MotionKind::kDynamic) continue;
    const double size = world.mass(body).size, step = world.settings().step;
    const double speed = norm(world.velocity(body)) + size * norm(world.angular_velocity(body));
    const Vec3 turn = log_map(now[i].q * conjugate(before_[i].q));
    const double way = norm(now[i].center - before_[i].center) + size * norm(turn);
    most.state = std::max(most.state, speed);
    most.places = std::max(most.places, way / step);
  }
  before_ = now;
  return most;
}

}  // namespace tenon
