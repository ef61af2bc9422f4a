// Edits in mid-run. The scene says how things are and where they begin; where they are now is the
// world's. So moving a body at a later time leaves the scene as it is.
#include <algorithm>
#include <array>

#include "tenon/scene/formats/json_text.h"
#include "tenon/scene/formats/scene_text.h"
#include "tenon/studio/session/references.h"
#include "tenon/studio/session/timeline.h"

namespace tenon::studio {
namespace {

constexpr std::array<const char*, 4> kMotion{"position", "orientation", "velocity",
                                             "angular_velocity"};

bool is_motion(const Json& operation, const Cast& cast) {
  const Json* op = operation.find("op");
  const Json* path = operation.find("path");
  if (op == nullptr || op->string != "set" || path == nullptr || path->items.size() != 3)
    return false;
  const std::vector<Json>& p = path->items;
  return p[0].string == "bodies" && p[2].is_string() &&
         std::find(kMotion.begin(), kMotion.end(), p[2].string) != kMotion.end() &&
         std::find(cast.names.begin(), cast.names.end(), p[1].string) != cast.names.end();
}

}  // namespace

Result<scene::Body> read_motion(const Json& tree, const std::string& key, const Json& value,
                                const std::string& place) {
  Json probe = Json::object();
  probe.set("tenon", 1);
  if (const Json* parameters = tree.find("parameters"); parameters != nullptr)
    probe.set("parameters", *parameters);
  Json body = Json::object();
  body.set("name", "body")
      .set("shape", Json::object().set("type", "sphere").set("radius", 1))
      .set(key, value);
  probe.set("bodies", Json::array({body}));
  scene::LoadResult loaded = scene::load_scene(scene::format_json(probe), place);
  if (!loaded.ok()) {
    Error error = loaded.errors.front();
    error.line = error.column = 0;  // of a text that nobody wrote
    return error;
  }
  return loaded.flat.bodies.front();
}

namespace {

Status move_body(World& world, BodyHandle body, const std::string& key, const scene::Body& to) {
  if (key == "velocity") return world.set_velocity(body, to.velocity);
  if (key == "angular_velocity") return world.set_angular_velocity(body, to.angular_velocity);
  Pose X = world.pose(body);
  if (key == "position") X.p = to.position;
  if (key == "orientation") X.q = to.orientation;
  return world.set_pose(body, X);
}

// Names in the older scene of what was renamed by the operations.
std::string old_name(const Json& operations, const std::string& name, bool body) {
  std::string now = name;
  for (auto op = operations.items.rbegin(); op != operations.items.rend(); ++op) {
    const Json *kind = op->find("op"), *path = op->find("path"), *to = op->find("to");
    if (kind == nullptr || kind->string != "rename" || path == nullptr || to == nullptr) continue;
    if (path->items.size() != 2) continue;
    const std::string &section = path->items[0].string, &from = path->items[1].string;
    if (section == "instances") {
      if (is_inside(now, to->string)) now = from + now.substr(to->string.size());
    } else if ((section == "bodies") == body && to->string == now) {
      now = from;
    }
  }
  return now;
}

template <class Handle>
void match(const std::vector<std::string>& names_there, const std::vector<Handle>& there,
           const std::vector<std::string>& names_here, const std::vector<Handle>& here,
           const Json& operations, bool bodies, std::vector<std::pair<Handle, Handle>>& out) {
  std::map<std::string, Handle> known;
  for (size_t i = 0; i < there.size(); ++i) known[names_there[i]] = there[i];
  for (size_t i = 0; i < here.size(); ++i) {
    const auto found = known.find(old_name(operations, names_here[i], bodies));
    if (found != known.end()) out.push_back({found->second, here[i]});
  }
}

}  // namespace

SplitOperations split_operations(const Json& operations, const Cast& cast) {
  SplitOperations split;
  for (const Json& operation : operations.items)
    (is_motion(operation, cast) ? split.motion : split.scene).push(operation);
  return split;
}

Status apply_motion(World& world, const Cast& cast, const Json& tree, const Json& operations) {
  for (const Json& operation : operations.items) {
    const std::vector<Json>& path = operation.find("path")->items;
    const Json* value = operation.find("value");
    const std::string place = "bodies." + path[1].string + "." + path[2].string;
    const size_t i = static_cast<size_t>(
        std::find(cast.names.begin(), cast.names.end(), path[1].string) - cast.names.begin());
    if (i >= cast.handles.size())
      return Error{.message = "there is no such body", .file = place, .value = path[1].string};
    Result<scene::Body> to =
        read_motion(tree, path[2].string, value != nullptr ? *value : Json(), place);
    if (!to) return to.error();
    Status moved = move_body(world, cast.handles[i], path[2].string, *to);
    if (!moved) {
      Error error = moved.error();
      error.file = place;
      return error;
    }
  }
  return Ok{};
}

CarryOver match_casts(const Cast& there, const Cast& here, const Json& operations) {
  CarryOver pairs;
  match(there.names, there.handles, here.names, here.handles, operations, true, pairs.bodies);
  match(there.joint_names, there.joint_handles, here.joint_names, here.joint_handles, operations,
        false, pairs.joints);
  return pairs;
}

}  // namespace tenon::studio
