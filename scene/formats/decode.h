// JSON tree -> structs: a visitor over the descriptions in fields.h.
#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "tenon/scene/formats/did_you_mean.h"
#include "tenon/scene/formats/fields.h"
#include "tenon/scene/formats/json_text.h"
#include "tenon/scene/formats/reader.h"

namespace tenon::scene {

// Where a message about a member points: to it or, if it is missing, to its object.
inline const Json& at(const Json& json, const char* key) {
  const Json* member = json.find(key);
  return member ? *member : json;
}

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <class T>
inline constexpr bool kIsVariant = false;
template <class... T>
inline constexpr bool kIsVariant<std::variant<T...>> = true;
// What the alternatives are, for messages and for the schema.
template <class T>
inline constexpr const char* kAlternatives = "shape";
template <>
inline constexpr const char* kAlternatives<PartShape> = "part_shape";
template <>
inline constexpr const char* kAlternatives<BlackBoxShape> = "black_box";
template <class T>
concept Described = requires { Named<T>::name; };
template <class T>
inline constexpr bool kIsWordList = false;
template <class E>
  requires std::is_enum_v<E>
inline constexpr bool kIsWordList<std::vector<E>> = true;
template <class T>
inline constexpr bool kIsStructList = false;
template <Described T>
inline constexpr bool kIsStructList<std::vector<T>> = true;

template <class T>
bool read_object(Reader& r, const Json& json, T& out);
template <class T>
bool read_value(Reader& r, const Json& json, T& out, const Spec& spec, const char* name);

// Checks of names and of fields that exclude each other: true whatever else is wrong with the
// object.
template <class T>
void check_references(Reader&, const Json&, const T&) {}
void check_references(Reader& r, const Json& json, const Body& body);
void check_references(Reader& r, const Json& json, const Part& part);
void check_references(Reader& r, const Json& json, const Joint& joint);
void check_references(Reader& r, const Json& json, const JointFrame& frame);
void check_references(Reader& r, const Json& json, const Connection& connection);
void check_references(Reader& r, const Json& json, const Rule& rule);
void check_references(Reader& r, const Json& json, const RuleAnchor& anchor);
void check_references(Reader& r, const Json& json, const Anchor& anchor);

// Checks that one field alone cannot see; run once all fields are read without a mistake. `json`
// gives the places.
template <class T>
void finish(Reader&, const Json&, T&) {}
void finish(Reader& r, const Json& json, WorldSettings& world);
void finish(Reader& r, const Json& json, Body& body);
void finish(Reader& r, const Json& json, Part& part);
void finish(Reader& r, const Json& json, HullShape& hull);
void finish(Reader& r, const Json& json, MeshShape& mesh);
void finish(Reader& r, const Json& json, Group& group);
void finish(Reader& r, const Json& json, MaterialPair& pair);
void finish(Reader& r, const Json& json, Material& material);
void finish(Reader& r, const Json& json, Camera& camera);
// Whether the bodies of cameras and the cameras of shots are there.
void check_cameras(Reader& r, const Document& document, const Document& flat);
void finish(Reader& r, const Json& json, Joint& joint);
void finish(Reader& r, const Json& json, JointFrame& frame);
void finish(Reader& r, const Json& json, JointMotor& motor);
void finish(Reader& r, const Json& json, Connection& connection);
void finish(Reader& r, const Json& json, Force& force);
void finish(Reader& r, const Json& json, Rule& rule);
void finish(Reader& r, const Json& json, RuleAnchor& anchor);
void finish(Reader& r, const Json& json, Anchor& anchor);
void finish(Reader& r, const Json& json, Want& want);

// Entries of objects whose keys are names.
void read_named(Reader& r, const Json& json, std::vector<Parameter>& out);
void read_named(Reader& r, const Json& json, std::vector<Material>& out);
void read_named(Reader& r, const Json& json, std::vector<Group>& out);
void read_named(Reader& r, const Json& json, std::vector<Prefab>& out);
void read_named(Reader& r, const Json& json, std::vector<Importance>& out);

// Values that stay trees: only their outer form is checked here.
void check_raw(Reader& r, const Json& json, RawKind kind, const char* name);

// The axes that an option of a joint speaks of: those that are the keys of `json`, or with a bare
// value the only freedom, or all of them (Spec::is_for_all). Empty after a mistake.
struct AxisValue {
  JointAxis axis;
  const Json* value;
};
std::vector<AxisValue> find_axes(Reader& r, const Json& json, const Joint& joint, const Spec& spec,
                                 const char* name);

class ObjectReader {
 public:
  ObjectReader(Reader& r, const Json& json, const char* what)
      : r_(r), json_(json), what_(what), used_(json.members.size(), false) {}

  template <class T>
  void field(const char* name, T& member, const Spec& spec, const char*) {
    const Json* value = take(name, spec);
    if (value && !read_value(r_, *value, member, spec, name)) failed_ = true;
  }
  template <class M>
  void per_axis(const char* name, Joint& joint, M JointLaw::* member, const Spec& spec,
                const char*) {
    const Json* value = take(name, spec);
    if (!value) return;
    const std::vector<AxisValue> found = find_axes(r_, *value, joint, spec, name);
    if (found.empty()) failed_ = true;
    const bool before = r_.turning;
    for (const AxisValue& f : found) {
      r_.turning = is_turning(f.axis);
      M& target = joint.laws[static_cast<size_t>(f.axis)].*member;
      if (!read_value(r_, *f.value, target, spec, name)) failed_ = true;
    }
    r_.turning = before;
  }
  template <class T>
  void named(const char* name, std::vector<T>& member, const char*) {
    const Json* value = take(name, {});
    if (value && check_object(*value, name)) read_named(r_, *value, member);
  }
  template <class Entry>
  void tree(const char* name, std::vector<Json>& member, const char*) {
    if (const Json* value = take_list(name)) member = value->items;
  }
  template <class Entry>
  void tree(const char* name, const Json*& member, const char*) {
    member = take_list(name);
  }
  void raw(const char* name, const Json*& member, RawKind kind, const Spec& spec, const char*) {
    member = take(name, spec);
    if (member) check_raw(r_, *member, kind, name);
  }
  void version(const char*);

  // A key read elsewhere, such as the "type" of a shape.
  void skip(const char* name) { take(name, {}); }
  // Reports unknown keys; true when every field was read.
  bool done();

 private:
  Reader& r_;
  const Json& json_;
  const char* what_;
  std::vector<bool> used_;
  std::vector<const char*> known_;
  bool failed_ = false;

  const Json* take(const char* name, const Spec& spec);
  const Json* take_list(const char* name);
  bool check_object(const Json& value, const char* name);
};

// Where an entry stands: at its name if it has one, so that messages point at what they speak of.
inline Place place_of(const Json& json) {
  const Json* name = json.find("name");
  return name ? name->place : json.place;
}

template <class T>
bool read_object(Reader& r, const Json& json, T& out) {
  if (!json.is_object()) {
    r.error(
        json,
        with_article(Named<T>::name) + " must be an object, not " + with_article(name(json.kind)),
        "{...}");
    return false;
  }
  if constexpr (requires { out.place; }) out.place = place_of(json);
  ObjectReader visitor(r, json, Named<T>::name);
  describe(visitor, out);
  const bool good = visitor.done();
  check_references(r, json, out);
  if (good) finish(r, json, out);
  return good;
}

template <class E>
bool read_word(Reader& r, const Json& json, E& out, const char* name) {
  std::string word;
  if (!r.read(json, word, {}, name)) return false;
  std::vector<std::string> words;
  for (const char* candidate : Words<E>::list) {
    if (word == candidate) {
      out = static_cast<E>(words.size());
      return true;
    }
    words.push_back(candidate);
  }
  std::string accepted;
  for (const std::string& w : words) accepted += (accepted.empty() ? "" : ", ") + w;
  r.error(json, std::string("unknown ") + name + did_you_mean(word, words), accepted);
  return false;
}

template <class E>
bool read_words(Reader& r, const Json& json, std::vector<E>& out, const Spec& spec,
                const char* name) {
  if (!(spec.is_one_or_many && json.is_string()) && !r.read_list(json, 0, name, "words")) {
    return false;
  }
  std::vector<E> list(json.is_string() ? 1 : json.items.size());
  bool good = true;
  for (size_t i = 0; i < list.size(); ++i) {
    good &= read_word(r, json.is_string() ? json : json.items[i], list[i], name);
  }
  if (good) out = std::move(list);
  return good;
}

// The alternative whose name is the object's "type".
template <class... T>
bool read_variant(Reader& r, const Json& json, std::variant<T...>& out) {
  using Variant = std::variant<T...>;
  const std::string noun = std::is_same_v<Variant, BlackBoxShape> ? "black box" : "shape";
  const Json* type = json.find("type");
  std::string accepted;
  ((accepted += (accepted.empty() ? "" : ", ") + std::string(Named<T>::name)), ...);
  if (!type) {
    r.error(
        json,
        json.is_object() ? "the " + noun + " has no 'type'" : "a " + noun + " must be an object",
        "{\"type\": ...} with one of " + accepted);
    return false;
  }
  std::string word;
  if (!r.read(*type, word, {}, "type")) return false;
  bool found = false, good = false;
  auto attempt = [&]<class A>(A shape) {
    if (found || word != Named<A>::name) return;
    found = true;
    ObjectReader visitor(r, json, Named<A>::name);
    visitor.skip("type");
    describe(visitor, shape);
    good = visitor.done();
    if (good) finish(r, json, shape);
    if (good) out = std::move(shape);
  };
  (attempt(T{}), ...);
  if (!found) {
    const std::vector<std::string> words{Named<T>::name...};
    r.error(*type, "unknown " + noun + " '" + word + "'" + did_you_mean(word, words), accepted);
  }
  return good;
}

template <class T>
bool read_entries(Reader& r, const Json& json, std::vector<T>& out, const Spec& spec,
                  const char* name) {
  if (!r.read_list(json, 0, name, std::string(Named<T>::name) + " objects")) return false;
  if (json.items.size() < static_cast<size_t>(spec.min_items)) {
    r.error(json, std::string(name) + " has too few entries",
            "at least " + std::to_string(spec.min_items));
    return false;
  }
  bool good = true;
  out.clear();
  out.reserve(json.items.size());
  for (const Json& item : json.items) {
    if (r.full()) return false;
    // an entry with a mistake is kept as far as it was read: its name still counts
    T entry;
    if (!read_object(r, item, entry)) good = false;
    if (item.is_object()) out.push_back(std::move(entry));
  }
  return good;
}

template <class T>
bool read_value(Reader& r, const Json& json, T& out, const Spec& spec, const char* name) {
  if constexpr (kIsOptional<T>) {
    typename T::value_type value{};
    if (!read_value(r, json, value, spec, name)) return false;
    out = std::move(value);
    return true;
  } else if constexpr (std::is_enum_v<T>) {
    return read_word(r, json, out, name);
  } else if constexpr (kIsWordList<T>) {
    return read_words(r, json, out, spec, name);
  } else if constexpr (kIsVariant<T>) {
    return read_variant(r, json, out);
  } else if constexpr (kIsStructList<T>) {
    return read_entries(r, json, out, spec, name);
  } else if constexpr (Described<T>) {
    return read_object(r, json, out);
  } else {
    return r.read(json, out, spec, name);
  }
}

}  // namespace tenon::scene
