// What a scene is made of many times: prefabs and their instances, materials and their pairs.
#include <algorithm>

#include "tenon/engine/contact/material.h"
#include "tenon/scene/formats/json_text.h"
#include "tenon/scene/formats/scene_text.h"
#include "tenon/studio/session/expand_edit.h"
#include "tenon/studio/session/json_list.h"
#include "tenon/studio/session/session.h"

namespace tenon::studio {
namespace {

std::string text_of(const Json& entry, const char* key) {
  const Json* value = entry.find(key);
  return value != nullptr && value->is_string() ? value->string : "";
}

void put_values(Json& out, const SurfaceMaterial& m) {
  out.set("restitution", m.restitution).set("static_friction", m.static_friction);
  out.set("sliding_friction", m.sliding_friction).set("rolling_friction", m.rolling_friction);
  out.set("spinning_friction", m.spinning_friction).set("stiffness", m.stiffness);
  out.set("damping", m.damping);
}

SurfaceMaterial surface_of(const scene::Material& m) {
  return {m.restitution,       m.static_friction, m.sliding_friction, m.rolling_friction,
          m.spinning_friction, m.stiffness,       m.damping};
}

}  // namespace

// Arrays and prefabs become the bodies they stand for, so that single ones can be edited; with the
// name of an instance, that one alone. `ops` are what it is done for: one edit with them. What is
// kept is the operation, not what it came to: earlier changes may still be moved and taken out.
Result<Json> Session::do_expand(const Json& message) {
  if (Status s = timeline_.ensure_scene(active_); !s) return s.error();
  const Json& tree = *timeline_.take(timeline_.owner(active_, shown_step())).tree;
  const Json *instance = message.find("instance"), *more = message.find("ops");
  Json ops = Json::array(), one = Json::object().set("op", "expand");
  if (instance == nullptr) {
    ops.push(std::move(one));
    if (more != nullptr && more->is_array())
      for (const Json& other : more->items) ops.push(other);
    const std::string label = text_of(message, "label");
    return do_edit(Json::object()
                       .set("ops", std::move(ops))
                       .set("label", label.empty() ? "Expand arrays" : label));
  }
  const Result<std::string> name = read_text(message, "instance");
  if (!name) return name.error();
  Result<Json> renames = plain_names(tree, *name);
  if (!renames) return renames.error();
  ops.push(one.set("instance", *name));
  for (Json& rename : renames->items) ops.push(std::move(rename));
  return do_edit(Json::object().set("ops", std::move(ops)).set("label", "Break up " + *name));
}

// Every pair of materials with the values that a contact of the two has; `given`: those that an
// entry of the scene gives, the others are mixed.
Result<Json> Session::do_pairs(const Json&) {
  if (Status s = timeline_.ensure_scene(active_); !s && !timeline_.take(active_).flat)
    return s.error();
  const scene::Document& flat = *timeline_.take(timeline_.owner(active_, shown_step())).flat;
  std::vector<const scene::Material*> all;
  for (const scene::Material& m : scene::builtin_materials())
    all.push_back(scene::find_material(flat, m.name));
  for (const scene::Material& m : flat.materials)
    if (scene::find_builtin_material(m.name) == nullptr) all.push_back(&m);
  constexpr size_t kMost = 60;
  all.resize(std::min(all.size(), kMost));
  MaterialTable table;
  std::map<std::string, MaterialId> ids;
  for (const scene::Material* m : all) {
    const Result<MaterialId> id = table.add(surface_of(*m));
    if (!id) return id.error();
    ids[m->name] = *id;
  }
  std::map<std::pair<std::string, std::string>, const scene::MaterialPair*> given;
  for (const scene::MaterialPair& p : flat.pairs) {
    const auto a = ids.find(p.materials[0]), b = ids.find(p.materials[1]);
    if (a == ids.end() || b == ids.end()) continue;
    if (Status s =
            table.set_pair(a->second, b->second,
                           {p.restitution, p.static_friction, p.sliding_friction,
                            p.rolling_friction, p.spinning_friction, p.stiffness, p.damping});
        !s)
      return s.error();
    given[std::minmax(p.materials[0], p.materials[1])] = &p;
  }
  Json pairs = Json::array(), names = Json::array();
  for (size_t i = 0; i < all.size(); ++i) {
    names.push(all[i]->name);
    for (size_t k = i; k < all.size(); ++k) {
      Json one = Json::object();
      one.set("a", all[i]->name).set("b", all[k]->name);
      put_values(one, table.mix(ids[all[i]->name], ids[all[k]->name]));
      Json keys = Json::array();
      if (const auto found = given.find(std::minmax(all[i]->name, all[k]->name));
          found != given.end()) {
        const scene::MaterialPair& p = *found->second;
        if (p.restitution) keys.push("restitution");
        if (p.static_friction) keys.push("static_friction");
        if (p.sliding_friction) keys.push("sliding_friction");
        if (p.rolling_friction) keys.push("rolling_friction");
        if (p.spinning_friction) keys.push("spinning_friction");
        if (p.stiffness) keys.push("stiffness");
        if (p.damping) keys.push("damping");
      }
      pairs.push(one.set("given", std::move(keys)));
    }
  }
  return Json::object().set("materials", std::move(names)).set("pairs", std::move(pairs));
}

// Lengths as they may stand in the scene, with units and its parameters -> metres.
Result<Json> Session::do_place(const Json& message) {
  const Json* value = message.find("value");
  if (value == nullptr) {
    return Error{.message = "which place?", .file = "value", .accepted = "three lengths"};
  }
  const Take& take = timeline_.take(timeline_.owner(active_, shown_step()));
  const Result<scene::Body> read =
      read_motion(take.tree ? *take.tree : Json::object(), "position", *value, "value");
  if (!read) return read.error();
  return Json::object().set("value", list(read->position));
}

// Instances of the scene with their places, which may be written as expressions: read as bodies at
// those places.
void describe_instances(const Take& take, Json& out) {
  const Json* instances = take.tree ? take.tree->find("instances") : nullptr;
  Json told = Json::array();
  if (instances != nullptr && instances->is_array() && !instances->items.empty()) {
    Json probe = Json::object().set("tenon", 1), bodies = Json::array();
    if (const Json* parameters = take.tree->find("parameters"); parameters != nullptr)
      probe.set("parameters", *parameters);
    for (size_t i = 0; i < instances->items.size(); ++i) {
      Json body = Json::object().set("name", std::to_string(i));
      body.set("shape", Json::object().set("type", "fixed_point"));
      for (const char* key : {"position", "orientation"})
        if (const Json* value = instances->items[i].find(key)) body.set(key, *value);
      bodies.push(std::move(body));
    }
    probe.set("bodies", std::move(bodies));
    const scene::LoadResult loaded = scene::load_scene(scene::format_json(probe), "instances");
    for (size_t i = 0; loaded.ok() && i < loaded.flat.bodies.size(); ++i) {
      const scene::Body& at = loaded.flat.bodies[i];
      Json one = Json::object().set("name", text_of(instances->items[i], "name"));
      one.set("prefab", text_of(instances->items[i], "prefab"));
      told.push(one.set("position", list(at.position)).set("orientation", list(at.orientation)));
    }
  }
  out.set("instances", std::move(told));
}

}  // namespace tenon::studio
