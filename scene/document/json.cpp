#include "tenon/scene/document/json.h"

#include "tenon/engine/base/assert.h"

namespace tenon::scene {

Json::Json(bool value) : kind(Kind::kBool), boolean(value) {}
Json::Json(double value) : kind(Kind::kNumber), number(value) {}
Json::Json(std::string value) : kind(Kind::kString), string(std::move(value)) {}

Json Json::array() { return array(std::vector<Json>()); }

Json Json::array(std::vector<Json> items) {
  Json json;
  json.kind = Kind::kArray;
  json.items = std::move(items);
  return json;
}

Json Json::object() {
  Json json;
  json.kind = Kind::kObject;
  return json;
}

const Json* Json::find(std::string_view key) const {
  for (const JsonMember& member : members) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

Json* Json::find(std::string_view key) {
  for (JsonMember& member : members) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

Json& Json::set(std::string key, Json value) {
  TENON_DEMAND(is_object());
  if (Json* old = find(key)) {
    *old = std::move(value);
  } else {
    members.push_back({std::move(key), std::move(value), {}});
  }
  return *this;
}

Json& Json::push(Json value) {
  TENON_DEMAND(is_array());
  items.push_back(std::move(value));
  return *this;
}

bool operator==(const Json& a, const Json& b) {
  return a.kind == b.kind && a.boolean == b.boolean && a.number == b.number &&
         a.string == b.string && a.items == b.items && a.members == b.members;
}

const char* name(Json::Kind kind) {
  switch (kind) {
    case Json::Kind::kNull:
      return "null";
    case Json::Kind::kBool:
      return "true/false";
    case Json::Kind::kNumber:
      return "number";
    case Json::Kind::kString:
      return "string";
    case Json::Kind::kArray:
      return "list";
    case Json::Kind::kObject:
      return "object";
  }
  return "value";
}

std::string with_article(std::string_view noun) {
  if (noun == "null" || noun == "true/false" || noun.empty()) return std::string(noun);
  const bool vowel = std::string_view("aeiou").find(noun.front()) != std::string_view::npos;
  return (vowel ? "an " : "a ") + std::string(noun);
}

}  // namespace tenon::scene
