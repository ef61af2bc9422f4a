#include "tenon/studio/session/references.h"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <utility>
#include <vector>

namespace tenon::studio {
namespace {

// Keys of a section that hold a name, or an object with a "body".
struct Use {
  const char* section;
  std::vector<const char*> keys;
};

const std::vector<Use>& uses_of(Named kind) {
  static const std::vector<Use> bodies{{"joints", {"parent", "child"}},
                                       {"connections", {"a", "b"}},
                                       {"forces", {"body", "toward"}},
                                       {"anchors", {"body"}},
                                       {"cameras", {"body"}}},
      joints{{"joints", {"first", "second"}}}, cameras{{"shots", {"camera"}}},
      prefabs{{"instances", {"prefab"}}}, materials{{"bodies", {"material"}}};
  switch (kind) {
    case Named::kBody:
      return bodies;
    case Named::kJoint:
      return joints;
    case Named::kCamera:
      return cameras;
    case Named::kPrefab:
      return prefabs;
    case Named::kMaterial:
      return materials;
  }
  return bodies;
}

using Visit = std::function<void(std::string&)>;

void visit_key(Json& entry, const char* key, const Visit& visit) {
  Json* value = entry.find(key);
  if (value != nullptr && value->is_object()) value = value->find("body");
  if (value != nullptr && value->is_string()) visit(value->string);
}

void visit_list(Json* list, const char* key, const Visit& visit) {
  for (size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
    Json& entry = list->items[i];
    if (entry.is_string()) visit(entry.string);
    visit_key(entry, key, visit);
  }
}

// Rules have anchors, and the assembly has bodies that stay and wants.
void visit_rules(Json& tree, const Visit& visit) {
  Json* rules = tree.find("rules");
  for (size_t i = 0; rules != nullptr && i < rules->items.size(); ++i) {
    Json& rule = rules->items[i];
    visit_list(rule.find("parents"), "body", visit);
    visit_list(rule.find("children"), "body", visit);
    visit_key(rule, "zone", visit);
  }
}

void visit_assembly(Json& tree, Named kind, const Visit& visit) {
  Json* assembly = tree.find("assembly");
  if (assembly == nullptr) return;
  if (kind == Named::kBody) {
    visit_list(assembly->find("locked"), "body", visit);
    visit_list(assembly->find("wants"), "body", visit);
  }
  Json* importance = assembly->find("importance");
  if (kind != Named::kJoint || importance == nullptr) return;
  for (scene::JsonMember& member : importance->members) visit(member.key);
}

// Parts of a compound have materials of their own, and pairs name two.
void visit_materials(Json& tree, const Visit& visit) {
  Json* bodies = tree.find("bodies");
  for (size_t i = 0; bodies != nullptr && i < bodies->items.size(); ++i) {
    Json* shape = bodies->items[i].find("shape");
    if (shape != nullptr) visit_list(shape->find("parts"), "material", visit);
  }
  Json* pairs = tree.find("pairs");
  for (size_t i = 0; pairs != nullptr && i < pairs->items.size(); ++i)
    visit_list(pairs->items[i].find("materials"), "", visit);
}

// What a block of entries uses: the scene, or a prefab or an array in it.
void visit_block(Json& block, Named kind, const Visit& visit) {
  for (const Use& use : uses_of(kind))
    for (const char* key : use.keys) visit_list(block.find(use.section), key, visit);
  if (kind == Named::kMaterial) visit_materials(block, visit);
  if (kind != Named::kPrefab && kind != Named::kMaterial) return;
  Json *prefabs = block.find("prefabs"), *arrays = block.find("arrays");
  for (size_t i = 0; prefabs != nullptr && i < prefabs->members.size(); ++i)
    visit_block(prefabs->members[i].value, kind, visit);
  for (size_t i = 0; arrays != nullptr && i < arrays->items.size(); ++i)
    visit_block(arrays->items[i], kind, visit);
}

bool uses_any(Json& entry, const std::vector<const char*>& keys, const IsGone& gone) {
  bool used = false;
  for (const char* key : keys)
    visit_key(entry, key, [&](std::string& name) { used = used || gone(name); });
  return used;
}

const std::string& entry_name(const Json& entry) {
  static const std::string none;
  const Json* name = entry.find("name");
  return name != nullptr && name->is_string() ? name->string : none;
}

std::set<std::string> remove_from(Json& tree, const Use& use, const IsGone& gone) {
  std::set<std::string> names;
  Json* list = tree.find(use.section);
  if (list == nullptr || !list->is_array()) return names;
  std::erase_if(list->items, [&](Json& entry) {
    const bool used = uses_any(entry, use.keys, gone);
    if (used) names.insert(entry_name(entry));
    return used;
  });
  return names;
}

void remove_from_list(Json* list, const IsGone& gone) {
  if (list == nullptr) return;
  std::erase_if(list->items, [&](Json& entry) {
    return entry.is_string() ? gone(entry.string) : uses_any(entry, {"body"}, gone);
  });
}

}  // namespace

bool is_inside(const std::string& name, const std::string& instance) {
  return name.size() > instance.size() + 1 && name[instance.size()] == '/' &&
         name.compare(0, instance.size(), instance) == 0;
}

void rename_uses(Json& tree, Named kind, const NewName& rename) {
  const Visit visit = [&](std::string& name) {
    if (std::optional<std::string> to = rename(name)) name = std::move(*to);
  };
  visit_block(tree, kind, visit);
  if (kind == Named::kBody) visit_rules(tree, visit);
  visit_assembly(tree, kind, visit);
}

void remove_users(Json& tree, Named kind, const IsGone& gone) {
  std::set<std::string> joints, cameras;
  for (const Use& use : uses_of(kind)) {
    std::set<std::string> removed = remove_from(tree, use, gone);
    if (std::string_view(use.section) == "joints")
      joints = std::move(removed);
    else if (std::string_view(use.section) == "cameras")
      cameras = std::move(removed);
  }
  if (kind == Named::kBody) {
    if (Json* assembly = tree.find("assembly"); assembly != nullptr) {
      remove_from_list(assembly->find("locked"), gone);
      remove_from_list(assembly->find("wants"), gone);
    }
    Json* rules = tree.find("rules");
    for (size_t i = 0; rules != nullptr && i < rules->items.size(); ++i)
      for (const char* side : {"parents", "children"})
        remove_from_list(rules->items[i].find(side), gone);
  }
  if (!joints.empty())
    remove_users(tree, Named::kJoint,
                 [&](const std::string& name) { return joints.contains(name); });
  if (!cameras.empty())
    remove_users(tree, Named::kCamera,
                 [&](const std::string& name) { return cameras.contains(name); });
}

}  // namespace tenon::studio
