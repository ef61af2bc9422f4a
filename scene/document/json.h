// A JSON value as plain data, with the place in the text where it stood. The scene document keeps
// its prefabs, arrays and instances as such trees, because their values are expressions that only
// mean something once the indices are known. Reading and writing text: scene/formats/json_text.h.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tenon::scene {

// Where a value began in its file: 1-based, columns count characters; 0 = not from a file.
// Places never decide equality: a document is what it says, not how it is laid out.
struct Place {
  int line = 0;
  int column = 0;
  friend constexpr bool operator==(const Place&, const Place&) { return true; }
};

struct JsonMember;

struct Json {
  enum class Kind { kNull, kBool, kNumber, kString, kArray, kObject };

  Kind kind = Kind::kNull;
  bool boolean = false;
  double number = 0;                // always finite
  std::string string;               // UTF-8
  std::vector<Json> items;          // of an array
  std::vector<JsonMember> members;  // of an object, in file order, keys unique
  Place place;

  // All members that build or destroy `members` are defined below, where JsonMember is complete.
  Json();
  Json(const Json&);
  Json(Json&&) noexcept;
  Json& operator=(const Json&);
  Json& operator=(Json&&) noexcept;
  ~Json();
  Json(bool value);         // NOLINT(google-explicit-constructor)
  Json(double value);       // NOLINT(google-explicit-constructor)
  Json(int value);          // NOLINT
  Json(std::string value);  // NOLINT
  Json(const char* value);  // NOLINT
  static Json array();
  static Json array(std::vector<Json> items);
  static Json object();

  bool is_null() const { return kind == Kind::kNull; }
  bool is_bool() const { return kind == Kind::kBool; }
  bool is_number() const { return kind == Kind::kNumber; }
  bool is_string() const { return kind == Kind::kString; }
  bool is_array() const { return kind == Kind::kArray; }
  bool is_object() const { return kind == Kind::kObject; }

  // The member called `key`, or nullptr (also when this is no object).
  const Json* find(std::string_view key) const;
  Json* find(std::string_view key);
  // Sets (replaces or appends) a member and returns *this, so that calls can be chained.
  // Precondition: is_object().
  Json& set(std::string key, Json value);
  Json& push(Json value);  // Precondition: is_array().

  // Equal as data; places are not compared, the order of object members is.
  friend bool operator==(const Json& a, const Json& b);
};

struct JsonMember {
  std::string key;
  Json value;
  Place place;  // of the key
  friend bool operator==(const JsonMember& a, const JsonMember& b) = default;
};

inline Json::Json() = default;
inline Json::Json(const Json&) = default;
inline Json::Json(Json&&) noexcept = default;
inline Json& Json::operator=(const Json&) = default;
inline Json& Json::operator=(Json&&) noexcept = default;
inline Json::~Json() = default;
inline Json::Json(int value) : Json(static_cast<double>(value)) {}
inline Json::Json(const char* value) : Json(std::string(value)) {}

// "object", "number", ... for messages.
const char* name(Json::Kind kind);
// "a list", "an object", "null", ... for messages.
std::string with_article(std::string_view noun);

}  // namespace tenon::scene
