// What a scene is made of many times: prefabs and their instances, materials and their pairs.
#include <algorithm>
#include <array>
#include <set>

#include "tenon/engine/contact/material.h"
#include "tenon/scene/formats/json_text.h"
#include "tenon/scene/formats/scene_text.h"
#include "tenon/studio/session/references.h"
#include "tenon/studio/session/session.h"

namespace tenon::studio {
namespace {

constexpr std::array<const char*, 5> kSections{"bodies", "joints", "connections", "forces",
                                               "rules"};

Json list(const Vec3& v) { return Json::array({v.x, v.y, v.z}); }
Json list(const Quat& q) { return Json::array({q.w, q.x, q.y, q.z}); }

Json operation(const char* op, Json path) {
  return Json::object().set("op", op).set("path", std::move(path));
}

std::string text_of(const Json& entry, const char* key) {
  const Json* value = entry.find(key);
  return value != nullptr && value->is_string() ? value->string : "";
}

// Every name that an entry of the flat scene has.
std::set<std::string> all_names(const Json& flat) {
  std::set<std::string> names;
  for (const char* section : kSections) {
    const Json* entries = flat.find(section);
    for (size_t i = 0; entries != nullptr && i < entries->items.size(); ++i)
      names.insert(text_of(entries->items[i], "name"));
  }
  return names;
}

// What an instance stands for, as entries of the scene. They lose the name of the instance where
// the rest of it is free.
Json break_up_operations(const Json& flat, const Json& tree, const std::string& instance) {
  std::set<std::string> taken = all_names(flat);
  Json ops = Json::array(), renames = Json::array();
  for (const char* section : kSections) {
    const Json* entries = flat.find(section);
    for (size_t i = 0; entries != nullptr && i < entries->items.size(); ++i) {
      const std::string name = text_of(entries->items[i], "name");
      if (!is_inside(name, instance) || find_entry(tree, section, name) != nullptr) continue;
      ops.push(operation("add", Json::array({section})).set("value", entries->items[i]));
      const std::string plain = name.substr(instance.size() + 1);
      if (!taken.insert(plain).second) continue;
      renames.push(operation("rename", Json::array({section, name})).set("to", plain));
    }
  }
  const Json* assembly = flat.find("assembly");
  const Json* wants = assembly != nullptr ? assembly->find("wants") : nullptr;
  for (size_t i = 0; wants != nullptr && i < wants->items.size(); ++i) {
    if (!is_inside(text_of(wants->items[i], "body"), instance)) continue;
    ops.push(operation("add", Json::array({"assembly", "wants"})).set("value", wants->items[i]));
  }
  for (Json& rename : renames.items) ops.push(std::move(rename));
  return ops;
}

// Anchors of an instance that hang on a rule of elsewhere have no entry to go to.
bool has_foreign_anchors(const Json& tree, const std::string& prefab) {
  const Json* prefabs = tree.find("prefabs");
  const Json* definition = prefabs != nullptr ? prefabs->find(prefab) : nullptr;
  const Json* anchors = definition != nullptr ? definition->find("anchors") : nullptr;
  return anchors != nullptr && !anchors->items.empty();
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

// The scene without arrays and prefabs. What was written for itself stays as it was written, with
// its units and expressions; the rest is what it came to.
Json expanded(const Json& flat, const Json& tree) {
  Json out = flat;
  for (const char* section : {"parameters", "world", "materials", "pairs", "groups", "cameras",
                              "shots", "lights", "title", "description", "tags"})
    if (const Json* written = tree.find(section)) out.set(section, *written);
  for (const char* section : {"bodies", "joints", "connections", "forces"}) {
    Json* entries = out.find(section);
    if (entries == nullptr || !entries->is_array()) continue;
    for (Json& entry : entries->items)
      if (const Json* written = find_entry(tree, section, text_of(entry, "name"))) entry = *written;
  }
  return out;
}

}  // namespace

// Arrays and prefabs become the bodies they stand for, so that single ones can be edited; with the
// name of an instance, that one alone. `ops` are what it is done for: one edit with them.
Result<Json> Session::do_expand(const Json& message) {
  if (Status s = timeline_.ensure_scene(active_); !s) return s.error();
  const int shown = timeline_.owner(active_, shown_step());
  const Json flat = scene::encode(*timeline_.take(shown).flat);
  const Json& tree = *timeline_.take(shown).tree;
  const Json *instance = message.find("instance"), *more = message.find("ops");
  Json ops = Json::array();
  if (instance == nullptr) {
    ops.push(Json::object().set("op", "replace").set("value", expanded(flat, tree)));
    if (more != nullptr && more->is_array())
      for (const Json& one : more->items) ops.push(one);
    const std::string label = text_of(message, "label");
    return do_edit(Json::object()
                       .set("ops", std::move(ops))
                       .set("label", label.empty() ? "Expand arrays" : label));
  }
  const Json* entry = find_entry(tree, "instances", instance->string);
  if (!instance->is_string() || entry == nullptr)
    return Error{.message = "there is no such instance",
                 .file = "instance",
                 .value = scene::format_short(*instance),
                 .accepted = "the name of an entry of instances"};
  if (has_foreign_anchors(tree, text_of(*entry, "prefab")))
    return Error{.message = "the prefab has anchors, which only instances can have",
                 .file = "instance",
                 .value = instance->string,
                 .accepted = "all of the scene: expand without an instance"};
  const Json parts = break_up_operations(flat, tree, instance->string);
  Json path = Json::array({"instances", instance->string});
  ops.push(operation("remove", std::move(path)).set("users", "stay"));
  for (const Json& one : parts.items) ops.push(one);
  return do_edit(
      Json::object().set("ops", std::move(ops)).set("label", "Break up " + instance->string));
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
