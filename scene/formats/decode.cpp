#include "tenon/scene/formats/decode.h"

namespace tenon::scene {

const Json* ObjectReader::take(const char* name, const Spec& spec) {
  known_.push_back(name);
  for (size_t i = 0; i < json_.members.size(); ++i) {
    if (json_.members[i].key != name) continue;
    used_[i] = true;
    return &json_.members[i].value;
  }
  if (spec.is_required) {
    failed_ = true;
    r_.error(json_.place, std::string("the ") + what_ + " has no '" + name + "'",
             format_short(json_), std::string("\"") + name + "\": ...");
  }
  return nullptr;
}

const Json* ObjectReader::take_list(const char* name) {
  const Json* value = take(name, {});
  if (!value || r_.read_list(*value, 0, name, "objects")) return value;
  failed_ = true;
  return nullptr;
}

bool ObjectReader::check_object(const Json& value, const char* name) {
  if (value.is_object()) return true;
  failed_ = true;
  r_.error(value, std::string(name) + " must be an object whose keys are names", "{\"name\": ...}");
  return false;
}

void ObjectReader::version(const char*) {
  const Json* value = take("tenon", {});
  take("$schema", {});  // for editors; says nothing about the scene
  const std::string accepted = "\"tenon\": " + std::to_string(kFormatVersion);
  if (!value) {
    r_.error(json_.place, "the scene has no format version", "", accepted);
  } else if (!value->is_number() || value->number != kFormatVersion) {
    r_.error(*value, "unknown format version", accepted);
  }
}

bool ObjectReader::done() {
  for (size_t i = 0; i < json_.members.size(); ++i) {
    if (used_[i]) continue;
    failed_ = true;
    const std::vector<std::string> known(known_.begin(), known_.end());
    const JsonMember& member = json_.members[i];
    std::string accepted;
    for (const std::string& name : known) accepted += (accepted.empty() ? "" : ", ") + name;
    r_.error(member.place,
             "unknown key '" + member.key + "' in a " + what_ + did_you_mean(member.key, known),
             format_short(member.value), accepted);
  }
  return !failed_;
}

void check_raw(Reader& r, const Json& json, RawKind kind, const char* name) {
  if (kind == RawKind::kExpression) {
    if (json.is_string() || json.is_number() || json.is_bool()) return;
    r.error(json, std::string(name) + " must be a condition", "an expression in quotes");
    return;
  }
  if (json.is_object()) return;
  r.error(json, std::string(name) + " must be an object whose keys are names",
          kind == RawKind::kIndexMap ? "{\"i\": 15}" : "{\"name\": value}");
}

// --- sections whose keys are names --------------------------------------------------------------

namespace {

// Names stand in paths ("crate/lid") and lists; control characters have no business there.
bool usable_name(Reader& r, const JsonMember& member, const char* what) {
  if (!member.key.empty()) return true;
  r.error(member.place, with_article(what) + " needs a name", "\"\"", "text");
  return false;
}

}  // namespace

void read_named(Reader& r, const Json& json, std::vector<Parameter>& out) {
  for (const JsonMember& member : json.members) {
    const std::string reason = reason_against_name(member.key);
    if (!reason.empty()) {
      r.error(member.place, "parameter name '" + member.key + "' " + reason, "",
              "another name, such as 'p_" + member.key + "'");
      continue;
    }
    if (!member.value.is_number() && !member.value.is_string()) {
      r.error(member.value, "a parameter must be a number", "a number or an expression in quotes");
      continue;
    }
    out.push_back({member.key, member.value, member.place});
  }
}

void read_named(Reader& r, const Json& json, std::vector<Material>& out) {
  for (const JsonMember& member : json.members) {
    if (!usable_name(r, member, "material")) continue;
    // a built-in material of that name gives the values that are left out
    const Material* builtin = find_builtin_material(member.key);
    Material material = builtin ? *builtin : Material{};
    material.name = member.key;
    read_object(r, member.value, material);
    material.place = member.place;
    out.push_back(std::move(material));
    if (!builtin) r.materials.push_back(member.key);
  }
}

void read_named(Reader& r, const Json& json, std::vector<Group>& out) {
  for (const JsonMember& member : json.members) {
    if (usable_name(r, member, "group")) r.groups.push_back(member.key);
  }
  for (const JsonMember& member : json.members) {
    if (member.key.empty()) continue;
    Group group;
    group.name = member.key;
    read_object(r, member.value, group);
    group.place = member.place;
    out.push_back(std::move(group));
  }
}

void read_named(Reader& r, const Json& json, std::vector<Prefab>& out) {
  for (const JsonMember& member : json.members) {
    if (!usable_name(r, member, "prefab")) continue;
    if (!member.value.is_object()) {
      r.error(member.value, "a prefab must be an object", "{\"bodies\": [...]}");
      continue;
    }
    out.push_back({member.key, member.value, member.place});
  }
}

}  // namespace tenon::scene
