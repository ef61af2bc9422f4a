// What cameras and shots must fulfil beyond their fields.
#include <algorithm>
#include <cmath>

#include "tenon/scene/formats/decode.h"
#include "tenon/scene/formats/did_you_mean.h"

namespace tenon::scene {
namespace {

void check_sight(Reader& r, const Json& json, const Camera& c) {
  const Vec3 view = c.look_at - c.position;
  if (!(norm(view) > 1e-9)) {
    r.error(at(json, "look_at"), "the camera looks at its own position", "another point");
  } else if (!(norm(cross(normalized(view), normalized(c.up))) > 1e-9)) {
    r.error(at(json, json.find("up") ? "up" : "look_at"), "the camera looks along its 'up'",
            "another direction for 'up'");
  }
}

// Keys that belong to other types do nothing: they are mistakes.
void check_keys(Reader& r, const Json& json, const Camera& c) {
  const bool fixed = c.type == CameraType::kFixed, orbit = c.type == CameraType::kOrbit,
             follow = c.type == CameraType::kFollow, mounted = c.type == CameraType::kMounted,
             path = c.type == CameraType::kPath;
  const struct {
    const char* key;
    bool good;
    const char* types;
  } keys[] = {{"body", fixed || orbit || follow || mounted, "fixed, orbit, follow or mounted"},
              {"period", orbit, "orbit"},
              {"horizon", mounted, "mounted"},
              {"smoothing", c.body.name.empty() ? mounted || follow : !path,
               "follow or mounted, or with a body"},
              {"keyframes", path, "path"}};
  for (const auto& entry : keys)
    if (json.find(entry.key) && !entry.good)
      r.error(at(json, entry.key),
              std::string("'") + entry.key + "' does not belong to a camera of this type",
              std::string("a camera of type ") + entry.types);
}

void check_keyframes(Reader& r, const Json& json, const Camera& c) {
  const Json& list = at(json, "keyframes");
  if (c.keyframes.empty()) {
    r.error(list, "a path needs keyframes", "at least one keyframe");
    return;
  }
  for (size_t i = 0; i < c.keyframes.size(); ++i) {
    const CameraKey& key = c.keyframes[i];
    if (i > 0 && !(key.t > c.keyframes[i - 1].t))
      r.error(key.place, "keyframes of the camera are not in order of time", "",
              "times that increase");
    if (!(norm(key.look_at.value_or(c.look_at) - key.position.value_or(c.position)) > 1e-9))
      r.error(key.place, "the camera looks at its own position", "", "another point");
  }
}

}  // namespace

void finish(Reader& r, const Json& json, Camera& c) {
  if (c.automatic) return;
  check_keys(r, json, c);
  const bool needs_body = c.type == CameraType::kFollow || c.type == CameraType::kMounted;
  if (needs_body && c.body.name.empty())
    r.error(at(json, "type"), "the camera needs a body", "\"body\": the name of one");
  if (c.type == CameraType::kOrbit && !(std::fabs(c.period) > 1e-6))
    r.error(at(json, "period"), "the camera cannot go around in no time", "a time, not 0");
  if (c.type == CameraType::kPath) return check_keyframes(r, json, c);
  // one that looks at a body needs no point
  if (c.body.name.empty() || c.type == CameraType::kMounted) check_sight(r, json, c);
}

void check_cameras(Reader& r, const Document& document, const Document& flat) {
  std::vector<std::string> cameras, bodies;
  for (const Camera& camera : document.cameras) cameras.push_back(camera.name);
  cameras.emplace_back("auto");
  for (const Body& body : flat.bodies) bodies.push_back(body.name);
  const auto known = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const Camera& camera : document.cameras) {
    const std::string& name = camera.body.name;
    if (name.empty() || camera.automatic || known(bodies, name)) continue;
    r.error(camera.body.place,
            "the camera '" + camera.name + "' needs a body that is not there" +
                did_you_mean(name, bodies),
            name, "the name of a body");
  }
  for (size_t i = 0; i < document.shots.size(); ++i) {
    const Shot& shot = document.shots[i];
    if (i > 0 && !(shot.t > document.shots[i - 1].t))
      r.error(shot.place, "shots are not in order of time", "", "times that increase");
    if (!known(cameras, shot.camera.name))
      r.error(shot.camera.place,
              "there is no camera of this name" + did_you_mean(shot.camera.name, cameras),
              shot.camera.name, "a camera of the scene, or auto");
  }
}

}  // namespace tenon::scene
