// A drop test of a material of the scene: what its numbers come to, in a world of its own.
#include <algorithm>

#include "tenon/scene/build/build.h"
#include "tenon/scene/formats/json_text.h"
#include "tenon/scene/formats/scene_text.h"
#include "tenon/studio/session/session.h"

namespace tenon::studio {
namespace {

constexpr double kRadius = 0.05, kHeight = 1;  // m: of the ball, and how far it falls
constexpr int kSteps = 720, kEvery = 4;        // three seconds of 1/240 s; heights of every 1/60 s

// A ball over a floor, with the materials, pairs and gravity of a scene.
Json trial_scene(const Json& tree, const std::string& material, const std::string& on) {
  Json trial = Json::object().set("tenon", 1);
  for (const char* section : {"parameters", "materials", "pairs"})
    if (const Json* value = tree.find(section)) trial.set(section, *value);
  Json world = Json::object().set("step", "1/240");
  const Json* own = tree.find("world");
  if (const Json* gravity = own != nullptr ? own->find("gravity") : nullptr)
    world.set("gravity", *gravity);
  const Json ball = Json::object().set("type", "sphere").set("radius", kRadius);
  Json bodies = Json::array();
  bodies.push(Json::object()
                  .set("name", "floor")
                  .set("shape", Json::object().set("type", "plane"))
                  .set("material", on));
  bodies.push(Json::object()
                  .set("name", "ball")
                  .set("shape", ball)
                  .set("material", material)
                  .set("position", Json::array({0, kRadius + kHeight, 0})));
  return trial.set("world", std::move(world)).set("bodies", std::move(bodies));
}

}  // namespace

Result<Json> Session::do_drop_test(const Json& message) {
  const Result<std::string> material = read_text(message, "material"),
                            on = read_text(message, "on");
  if (!material) return material.error();
  if (!on) return on.error();
  if (Status s = timeline_.ensure_scene(active_); !s && !timeline_.take(active_).tree)
    return s.error();
  const Json& tree = *timeline_.take(timeline_.owner(active_, shown_step())).tree;
  const scene::LoadResult loaded =
      scene::load_scene(scene::format_json(trial_scene(tree, *material, *on)), "drop test");
  if (!loaded.ok()) return loaded.errors.front();
  scene::BuildResult built = scene::build(loaded.flat, {.threads = 1});
  if (!built.ok()) return built.errors.front();
  World& world = built.scene.front().world;
  const BodyHandle ball = built.scene.front().handles.back();
  Json heights = Json::array();
  double bounce = 0;
  bool hit = false;
  for (int step = 0; step <= kSteps; ++step) {
    const double height = world.pose(ball).p.y - kRadius;
    if (step % kEvery == 0) heights.push(height);
    hit = hit || world.velocity(ball).y > 0;
    if (hit) bounce = std::max(bounce, height);
    world.step();
  }
  return Json::object()
      .set("interval", static_cast<double>(kEvery) / 240)
      .set("heights", std::move(heights))
      .set("fall", kHeight)
      .set("bounce", bounce);
}

}  // namespace tenon::studio
