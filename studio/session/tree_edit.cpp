#include "tenon/studio/session/tree_edit.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "tenon/scene/formats/did_you_mean.h"
#include "tenon/scene/formats/json_text.h"
#include "tenon/studio/session/expand_edit.h"
#include "tenon/studio/session/references.h"

namespace tenon::studio {
namespace {

const std::string& name_of(const Json& entry) {
  static const std::string none;
  const Json* name = entry.find("name");
  return name != nullptr && name->is_string() ? name->string : none;
}

Error refuse(const std::string& place, std::string message, const Json& value,
             std::string accepted = "") {
  return {.message = std::move(message),
          .file = place,
          .value = scene::format_short(value),
          .accepted = std::move(accepted)};
}

// The place of an entry in a list, or its size.
size_t find_index(const Json& list, const Json& step) {
  if (step.is_number()) {
    const bool whole = step.number >= 0 && step.number == std::floor(step.number);
    return whole && step.number < 1e9 ? static_cast<size_t>(step.number) : list.items.size();
  }
  size_t i = 0;
  while (i < list.items.size() && name_of(list.items[i]) != step.string) ++i;
  return i;
}

std::string names_in(const Json& list) {
  std::string text;
  size_t told = 0;
  for (const Json& entry : list.items) {
    if (name_of(entry).empty()) continue;
    if (told++ == 12) return text + ", ...";
    text += (text.empty() ? "" : ", ") + name_of(entry);
  }
  return text.empty() ? "nothing: the list is empty" : text;
}

// The parent of the last step of a path. Objects on the way are made where they are missing.
Result<Json*> find_parent(Json& root, const Json& path, const std::string& place) {
  Json* at = &root;
  for (size_t i = 0; i + 1 < path.items.size(); ++i) {
    const Json& step = path.items[i];
    if (at->is_array()) {
      const size_t index = find_index(*at, step);
      if (index >= at->items.size())
        return refuse(place, "there is no such entry", step, names_in(*at));
      at = &at->items[index];
      continue;
    }
    if (!at->is_object() || !step.is_string())
      return refuse(place, "the path leads into a plain value", step);
    Json* next = at->find(step.string);
    if (next == nullptr) {
      at->set(step.string, Json::object());
      next = at->find(step.string);
    }
    at = next;
  }
  return at;
}

Status set_value(Json& root, const Json& path, const Json& value, const std::string& place) {
  Result<Json*> parent = find_parent(root, path, place);
  if (!parent) return parent.error();
  const Json& last = path.items.back();
  Json& at = **parent;
  if (at.is_array()) {
    const size_t index = find_index(at, last);
    if (index >= at.items.size())
      return refuse(place, "there is no such entry", last, names_in(at));
    at.items[index] = value;
    return Ok{};
  }
  if (!at.is_object() || !last.is_string())
    return refuse(place, "the path leads into a plain value", last);
  if (value.is_null()) {
    std::erase_if(at.members, [&](const scene::JsonMember& m) { return m.key == last.string; });
  } else {
    at.set(last.string, value);
  }
  return Ok{};
}

Status add_value(Json& root, const Json& path, const Json& value, const std::string& place) {
  Result<Json*> parent = find_parent(root, path, place);
  if (!parent) return parent.error();
  const Json& last = path.items.back();
  if (!(*parent)->is_object() || !last.is_string())
    return refuse(place, "only lists of an object can be added to", last);
  Json* list = (*parent)->find(last.string);
  if (list == nullptr) {
    (*parent)->set(last.string, Json::array());
    list = (*parent)->find(last.string);
  }
  if (!list->is_array())
    return refuse(place, "this is no list", last, "a section such as bodies or joints");
  list->push(value);
  return Ok{};
}

// What cannot be without an entry goes with it.
void remove_dependents(Json& root, const std::string& section, const std::string& name) {
  const IsGone same = [&](const std::string& other) { return other == name; };
  if (section == "bodies") remove_users(root, Named::kBody, same);
  if (section == "joints") remove_users(root, Named::kJoint, same);
  if (section == "cameras") remove_users(root, Named::kCamera, same);
  if (section != "instances") return;
  const IsGone inside = [&](const std::string& other) { return is_inside(other, name); };
  remove_users(root, Named::kBody, inside);
  remove_users(root, Named::kJoint, inside);
}

// `users`: whether what names the entry stays, because others take its name.
Status remove_value(Json& root, const Json& path, bool users, const std::string& place) {
  Result<Json*> parent = find_parent(root, path, place);
  if (!parent) return parent.error();
  const Json& last = path.items.back();
  Json& at = **parent;
  if (!at.is_array()) return set_value(root, path, Json(), place);
  const size_t index = find_index(at, last);
  if (index >= at.items.size()) return refuse(place, "there is no such entry", last, names_in(at));
  const std::string name = name_of(at.items[index]);
  at.items.erase(at.items.begin() + static_cast<std::ptrdiff_t>(index));
  if (!users && path.items.size() == 2 && path.items[0].is_string() && !name.empty())
    remove_dependents(root, path.items[0].string, name);
  return Ok{};
}

// Entries of sections that are lists have a name in them, others are called by their key.
Status rename_in_section(Json& root, const Json& path, const std::string& to,
                         const std::string& place) {
  Json* section = root.find(path.items[0].string);
  if (section == nullptr) return refuse(place, "there is no such section", path.items[0]);
  if (section->is_object()) {
    for (scene::JsonMember& member : section->members) {
      if (member.key == to) return refuse(place, "the name is already taken", Json(to));
    }
    for (scene::JsonMember& member : section->members) {
      if (member.key != path.items[1].string) continue;
      member.key = to;
      return Ok{};
    }
    return refuse(place, "there is no such entry", path.items[1]);
  }
  const size_t index = find_index(*section, path.items[1]);
  if (index >= section->items.size())
    return refuse(place, "there is no such entry", path.items[1], names_in(*section));
  section->items[index].set("name", to);
  return Ok{};
}

// `entry`: whether there is an entry to rename; else only where it is used.
Status rename_entry(Json& root, const Json& path, const Json& to, bool entry,
                    const std::string& place) {
  if (path.items.size() != 2 || !path.items[0].is_string() || !path.items[1].is_string())
    return refuse(place, "only entries of sections have names", path, "[\"bodies\", \"ball\"]");
  if (!to.is_string() || to.string.empty())
    return refuse(place, "a name is a text that is not empty", to, "\"ball 2\"");
  if (entry) {
    if (Status s = rename_in_section(root, path, to.string, place); !s) return s;
  }
  const std::string from = path.items[1].string, &section = path.items[0].string;
  const NewName same = [&](const std::string& name) {
    return name == from ? std::optional<std::string>(to.string) : std::nullopt;
  };
  if (section == "bodies") rename_uses(root, Named::kBody, same);
  if (section == "joints" || section == "connections") rename_uses(root, Named::kJoint, same);
  if (section == "cameras") rename_uses(root, Named::kCamera, same);
  if (section == "prefabs") rename_uses(root, Named::kPrefab, same);
  if (section == "materials") rename_uses(root, Named::kMaterial, same);
  if (section != "instances") return Ok{};
  const NewName inside = [&](const std::string& name) {
    return is_inside(name, from) ? std::optional<std::string>(to.string + name.substr(from.size()))
                                 : std::nullopt;
  };
  rename_uses(root, Named::kBody, inside);
  rename_uses(root, Named::kJoint, inside);
  return Ok{};
}

Status apply_one(Json& root, const Json& operation, const std::string& place) {
  const Json* op = operation.find("op");
  const Json* path = operation.find("path");
  const Json* value = operation.find("value");
  const std::vector<std::string> known{"set", "add", "remove", "rename", "replace", "expand"};
  if (op == nullptr || !op->is_string() ||
      std::find(known.begin(), known.end(), op->string) == known.end())
    return refuse(place, "unknown operation", op != nullptr ? *op : operation,
                  "set, add, remove, rename, replace, expand");
  if (op->string == "replace") {
    if (value == nullptr || !value->is_object())
      return refuse(place, "a scene must be an object", value != nullptr ? *value : Json());
    root = *value;
    return Ok{};
  }
  if (op->string == "expand") {
    const Json* instance = operation.find("instance");
    Result<Json> made = instance != nullptr && instance->is_string()
                            ? expand_instance(root, instance->string)
                            : expand_scene(root);
    if (!made) return made.error();
    root = std::move(*made);
    return Ok{};
  }
  if (path == nullptr || !path->is_array() || path->items.empty())
    return refuse(place, "a path is a list that is not empty", path != nullptr ? *path : Json(),
                  "[\"bodies\", \"ball\", \"mass\"]");
  for (const Json& step : path->items) {
    if (!step.is_string() && !step.is_number())
      return refuse(place, "steps of a path are names and indices", step);
  }
  if (op->string == "remove") {
    const Json* users = operation.find("users");
    const bool stay = users != nullptr && users->is_string() && users->string == "stay";
    return remove_value(root, *path, stay, place);
  }
  if (op->string == "rename") {
    const Json* to = operation.find("to");
    const Json* entry = operation.find("entry");
    const bool uses_only = entry != nullptr && entry->is_bool() && !entry->boolean;
    return rename_entry(root, *path, to != nullptr ? *to : Json(), !uses_only, place);
  }
  if (value == nullptr) return refuse(place, "a value is missing", operation);
  return op->string == "add" ? add_value(root, *path, *value, place)
                             : set_value(root, *path, *value, place);
}

}  // namespace

Result<Json> apply_operations(const Json& tree, const Json& operations) {
  if (!operations.is_array())
    return refuse("ops", "operations are a list", operations, "[{\"op\": \"set\", ...}]");
  Json root = tree;
  for (size_t i = 0; i < operations.items.size(); ++i) {
    const std::string place = "ops[" + std::to_string(i) + "]";
    if (Status s = apply_one(root, operations.items[i], place); !s) return s.error();
  }
  return root;
}

const Json* find_path(const Json& tree, const Json& path) {
  const Json* at = &tree;
  for (const Json& step : path.items) {
    if (at->is_array()) {
      const size_t index = find_index(*at, step);
      if (index >= at->items.size()) return nullptr;
      at = &at->items[index];
    } else {
      at = step.is_string() ? at->find(step.string) : nullptr;
    }
    if (at == nullptr) return nullptr;
  }
  return at;
}

const Json* find_entry(const Json& tree, const char* section, const std::string& name) {
  const Json* list = tree.find(section);
  if (list == nullptr || !list->is_array()) return nullptr;
  const size_t index = find_index(*list, Json(name));
  return index < list->items.size() ? &list->items[index] : nullptr;
}

}  // namespace tenon::studio
