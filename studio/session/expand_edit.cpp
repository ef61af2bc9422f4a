#include "tenon/studio/session/expand_edit.h"

#include <array>
#include <set>

#include "tenon/scene/formats/json_text.h"
#include "tenon/scene/formats/scene_text.h"
#include "tenon/studio/session/references.h"
#include "tenon/studio/session/tree_edit.h"

namespace tenon::studio {
namespace {

constexpr std::array<const char*, 5> kSections{"bodies", "joints", "connections", "forces",
                                               "rules"};

std::string text_at(const Json& entry, const char* key) {
  const Json* value = entry.find(key);
  return value != nullptr && value->is_string() ? value->string : "";
}

// The scene with every array and prefab written out.
Result<Json> flatten(const Json& tree) {
  scene::LoadResult loaded = scene::load_scene(scene::format_json(tree), "scene");
  if (!loaded.ok()) return loaded.errors.front();
  return scene::encode(loaded.flat);
}

// Every name that an entry of the flat scene has.
std::set<std::string> all_names(const Json& flat) {
  std::set<std::string> names;
  for (const char* section : kSections) {
    const Json* entries = flat.find(section);
    for (size_t i = 0; entries != nullptr && i < entries->items.size(); ++i)
      names.insert(text_at(entries->items[i], "name"));
  }
  return names;
}

// Anchors of an instance that hang on a rule of elsewhere have no entry to go to.
bool has_foreign_anchors(const Json& tree, const std::string& prefab) {
  const Json* prefabs = tree.find("prefabs");
  const Json* definition = prefabs != nullptr ? prefabs->find(prefab) : nullptr;
  const Json* anchors = definition != nullptr ? definition->find("anchors") : nullptr;
  return anchors != nullptr && !anchors->items.empty();
}

// Calls `use` with the section and the entry for all that an instance stands for.
template <class Use>
void for_parts(const Json& flat, const Json& tree, const std::string& instance, const Use& use) {
  for (const char* section : kSections) {
    const Json* entries = flat.find(section);
    for (size_t i = 0; entries != nullptr && i < entries->items.size(); ++i) {
      const std::string name = text_at(entries->items[i], "name");
      if (is_inside(name, instance) && find_entry(tree, section, name) == nullptr)
        use(section, entries->items[i], name);
    }
  }
}

Json operation(const char* op, Json path) {
  return Json::object().set("op", op).set("path", std::move(path));
}

}  // namespace

Result<Json> expand_scene(const Json& tree) {
  Result<Json> flat = flatten(tree);
  if (!flat) return flat.error();
  Json out = std::move(*flat);
  for (const char* section : {"parameters", "world", "materials", "pairs", "groups", "cameras",
                              "shots", "lights", "title", "description", "tags"})
    if (const Json* written = tree.find(section)) out.set(section, *written);
  for (const char* section : {"bodies", "joints", "connections", "forces"}) {
    Json* entries = out.find(section);
    if (entries == nullptr || !entries->is_array()) continue;
    for (Json& entry : entries->items)
      if (const Json* written = find_entry(tree, section, text_at(entry, "name"))) entry = *written;
  }
  return out;
}

Result<Json> expand_instance(const Json& tree, const std::string& instance) {
  const Json* entry = find_entry(tree, "instances", instance);
  if (entry == nullptr)
    return Error{.message = "there is no such instance",
                 .file = "instance",
                 .value = scene::quote(instance),
                 .accepted = "the name of an entry of instances"};
  if (has_foreign_anchors(tree, text_at(*entry, "prefab")))
    return Error{.message = "the prefab has anchors, which only instances can have",
                 .file = "instance",
                 .value = instance,
                 .accepted = "all of the scene: expand without an instance"};
  Result<Json> flat = flatten(tree);
  if (!flat) return flat.error();
  Json ops = Json::array();
  ops.push(operation("remove", Json::array({"instances", instance})).set("users", "stay"));
  for_parts(*flat, tree, instance, [&](const char* section, const Json& part, const std::string&) {
    ops.push(operation("add", Json::array({section})).set("value", part));
  });
  const Json* assembly = flat->find("assembly");
  const Json* wants = assembly != nullptr ? assembly->find("wants") : nullptr;
  for (size_t i = 0; wants != nullptr && i < wants->items.size(); ++i) {
    if (!is_inside(text_at(wants->items[i], "body"), instance)) continue;
    ops.push(operation("add", Json::array({"assembly", "wants"})).set("value", wants->items[i]));
  }
  return apply_operations(tree, ops);
}

Result<Json> plain_names(const Json& tree, const std::string& instance) {
  Result<Json> flat = flatten(tree);
  if (!flat) return flat.error();
  std::set<std::string> taken = all_names(*flat);
  Json renames = Json::array();
  for_parts(*flat, tree, instance, [&](const char* section, const Json&, const std::string& name) {
    const std::string plain = name.substr(instance.size() + 1);
    if (!taken.insert(plain).second) return;
    renames.push(operation("rename", Json::array({section, name})).set("to", plain));
  });
  return renames;
}

}  // namespace tenon::studio
