// Structs -> JSON tree: a visitor over the descriptions in fields.h. A field whose value is that of
// a default-constructed struct is left out.
#pragma once

#include "tenon/scene/formats/decode.h"

namespace tenon::scene {

Json encode_value(double value, const Spec&);
Json encode_value(uint64_t value, const Spec&);
Json encode_value(int value, const Spec&);
Json encode_value(bool value, const Spec&);
Json encode_value(const std::string& value, const Spec&);
Json encode_value(const Vec3& value, const Spec&);
Json encode_value(const Quat& value, const Spec&);
Json encode_value(const Mat3& value, const Spec&);
Json encode_value(const Color& value, const Spec&);
Json encode_value(const std::vector<std::string>& value, const Spec&);
Json encode_value(const std::array<std::string, 2>& value, const Spec&);
Json encode_value(const std::vector<Vec3>& value, const Spec&);
Json encode_value(const std::vector<std::array<int, 3>>& value, const Spec&);
Json encode_value(const Reference& value, const Spec&);
Json encode_value(const std::vector<Reference>& value, const Spec&);
Json encode_value(const JointLimits& value, const Spec&);

Json encode_entry(const Parameter& entry);
Json encode_entry(const Material& entry);
Json encode_entry(const Group& entry);
Json encode_entry(const Prefab& entry);
Json encode_entry(const Importance& entry);

// Null for what is absent.
template <class T>
Json encode_any(const T& value, const Spec& spec);

class ObjectWriter {
 public:
  // `defaults` is the object of a default-constructed struct with nothing left out, or null to
  // leave nothing out.
  explicit ObjectWriter(const Json* defaults) : defaults_(defaults) {}

  template <class T>
  void field(const char* name, const T& member, const Spec& spec, const char*) {
    put(name, encode_any(member, spec), spec.is_required);
  }
  template <class M>
  void per_axis(const char* name, const Joint& joint, M JointLaw::* member, const Spec& spec,
                const char*) {
    Json axes = Json::object();
    for (size_t i = 0; i < joint.laws.size(); ++i) {
      const M& value = joint.laws[i].*member;
      if (value != M{}) axes.set(Words<JointAxis>::list[i], encode_any(value, spec));
    }
    if (axes.members.empty()) return;
    const std::optional<JointAxis> only = only_axis(joint);
    const bool bare = only && axes.members.size() == 1 &&
                      axes.members[0].key == Words<JointAxis>::list[static_cast<size_t>(*only)];
    put(name, bare ? Json(axes.members[0].value) : std::move(axes), true);
  }
  template <class T>
  void named(const char* name, const std::vector<T>& member, const char*) {
    Json section = Json::object();
    for (const T& entry : member) {
      section.members.push_back({entry.name, encode_entry(entry), entry.place});
    }
    if (!member.empty()) put(name, std::move(section), true);
  }
  template <class Entry>
  void tree(const char* name, const std::vector<Json>& member, const char*) {
    if (!member.empty()) put(name, Json::array(member), true);
  }
  template <class Entry>
  void tree(const char*, const Json* const&, const char*) {}
  void raw(const char*, const Json* const&, RawKind, const Spec&, const char*) {}
  void version(const char*) { put("tenon", Json(kFormatVersion), true); }

  Json object = Json::object();

 private:
  const Json* defaults_;

  void put(const char* name, Json value, bool always) {
    if (value.is_null()) return;
    const Json* standard = defaults_ ? defaults_->find(name) : nullptr;
    if (!always && standard && *standard == value) return;
    object.members.push_back({name, std::move(value), {}});
  }
};

// Every field of the default-constructed struct that is there at all.
template <class T>
const Json& default_object() {
  static const Json defaults = [] {
    const T standard{};
    ObjectWriter writer(nullptr);
    describe(writer, standard);
    return std::move(writer.object);
  }();
  return defaults;
}

template <class T>
Json encode_object(const T& value, const Json& defaults) {
  ObjectWriter writer(&defaults);
  describe(writer, value);
  if constexpr (requires { value.place; }) writer.object.place = value.place;
  return std::move(writer.object);
}

template <class T>
Json encode_any(const T& value, const Spec& spec) {
  if constexpr (kIsOptional<T>) {
    return value ? encode_any(*value, spec) : Json();
  } else if constexpr (std::is_enum_v<T>) {
    return Json(Words<T>::list[static_cast<size_t>(value)]);
  } else if constexpr (kIsWordList<T>) {
    Json list = Json::array();
    for (const auto word : value) list.push(encode_any(word, {}));
    return list;
  } else if constexpr (kIsVariant<T>) {
    return std::visit(
        [](const auto& shape) {
          using A = std::decay_t<decltype(shape)>;
          Json object = Json::object();
          object.set("type", Named<A>::name);
          Json fields = encode_object(shape, default_object<A>());
          for (JsonMember& member : fields.members) object.members.push_back(std::move(member));
          return object;
        },
        value);
  } else if constexpr (kIsStructList<T>) {
    Json list = Json::array();
    for (const auto& entry : value) list.push(encode_any(entry, {}));
    return list;
  } else if constexpr (Described<T>) {
    return encode_object(value, default_object<T>());
  } else {
    return encode_value(value, spec);
  }
}

}  // namespace tenon::scene
