// What acts on a scene and how it is seen, as a page draws it: forces, cameras, shots, lights.
#include "tenon/studio/session/json_list.h"
#include "tenon/studio/session/session.h"

namespace tenon::studio {
namespace {

using namespace tenon::scene;

Json write_force(const Force& f, const Json& tree) {
  Json out = Json::object();
  out.set("name", f.name).set("body", f.body.name);
  if (f.point) out.set("point", list(*f.point));
  out.set("frame", f.frame == scene::ForceFrame::kBody ? "body" : "world");
  out.set("force", list(f.force)).set("torque", list(f.torque));
  if (f.toward) {
    Json toward = Json::object().set("body", f.toward->body.name);
    if (f.toward->point) toward.set("point", list(*f.toward->point));
    out.set("toward", std::move(toward)).set("magnitude", f.magnitude);
  }
  out.set("from", begin_of(f));
  if (const std::optional<double> end = end_of(f)) out.set("until", *end);
  if (f.ramp) out.set("ramp", Json::array({f.ramp->from, f.ramp->to}));
  if (!f.curve.empty()) {
    Json keys = Json::array();
    for (const scene::ForceKey& key : f.curve) keys.push(Json::array({key.t, key.scale}));
    out.set("curve", std::move(keys));
  }
  return out.set("own", find_entry(tree, "forces", f.name) != nullptr);
}

Json write_camera(const Camera& c, const Json& tree) {
  static const char* const types[] = {"fixed", "orbit", "follow", "mounted", "path"};
  Json out = Json::object();
  out.set("name", c.name).set("auto", c.automatic).set("type", types[static_cast<int>(c.type)]);
  out.set("body", c.body.name).set("position", list(c.position)).set("look_at", list(c.look_at));
  out.set("up", list(c.up)).set("fov", c.fov).set("period", c.period).set("horizon", c.horizon);
  out.set("smoothing", c.smoothing);
  Json keys = Json::array();
  for (const CameraKey& key : c.keyframes) {
    Json one = Json::object().set("t", key.t);
    one.set("position", list(key.position.value_or(c.position)));
    one.set("look_at", list(key.look_at.value_or(c.look_at)));
    keys.push(one.set("fov", key.fov.value_or(c.fov)));
  }
  out.set("keyframes", std::move(keys));
  return out.set("own", find_entry(tree, "cameras", c.name) != nullptr);
}

Json write_light(const Light& light) {
  static const char* const types[] = {"sun", "point", "ambient"};
  Json out = Json::object();
  out.set("name", light.name).set("type", types[static_cast<int>(light.type)]);
  out.set("direction", list(light.direction)).set("position", list(light.position));
  return out.set("color", list(light.color)).set("intensity", light.intensity);
}

}  // namespace

void describe_view(const Take& take, Json& out) {
  const Document& flat = *take.flat;
  Json forces = Json::array(), cameras = Json::array(), shots = Json::array(),
       lights = Json::array();
  for (const Force& force : flat.forces) forces.push(write_force(force, *take.tree));
  for (const Camera& camera : flat.cameras) cameras.push(write_camera(camera, *take.tree));
  for (const Shot& shot : flat.shots)
    shots.push(Json::object().set("t", shot.t).set("camera", shot.camera.name));
  for (const Light& light : flat.lights) lights.push(write_light(light));
  out.set("forces", std::move(forces)).set("cameras", std::move(cameras));
  out.set("shots", std::move(shots)).set("lights", std::move(lights));
}

}  // namespace tenon::studio
