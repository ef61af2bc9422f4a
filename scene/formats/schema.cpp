// The JSON Schema of the format: a visitor over the descriptions in fields.h.
#include <cmath>

#include "tenon/scene/formats/color_names.h"
#include "tenon/scene/formats/encode.h"
#include "tenon/scene/formats/scene_text.h"

namespace tenon::scene {
namespace {

Json typed(const char* type) { return Json::object().set("type", type); }
Json ref(const std::string& name) { return Json::object().set("$ref", "#/definitions/" + name); }
Json any_of(std::vector<Json> list) {
  return Json::object().set("anyOf", Json::array(std::move(list)));
}
Json list_of(Json items, int min_items, int max_items = -1) {
  Json schema = typed("array");
  schema.set("items", std::move(items));
  if (min_items > 0) schema.set("minItems", min_items);
  if (max_items >= 0) schema.set("maxItems", max_items);
  return schema;
}

Json number_schema(const Spec& spec) {
  Json bare = typed(spec.integer ? "integer" : "number");
  if (std::isfinite(spec.min)) bare.set(spec.above_min ? "exclusiveMinimum" : "minimum", spec.min);
  if (std::isfinite(spec.max)) bare.set("maximum", spec.max);
  return any_of({std::move(bare), ref("expression")});
}

std::string unit_words(const Spec& spec) {
  if (spec.dimension.none()) return "";
  std::string unit = format_unit(spec.dimension);
  if (spec.is_per_axis) unit += " or " + format_unit(turned(spec.dimension));
  return " (" + unit + ")";
}

class SchemaMaker {
 public:
  std::string run();

  template <class T>
  Json schema_of(const T& member, const Spec& spec);
  template <class T>
  Json define(const std::string& name);

  Json definitions = Json::object();

 private:
  void define_basics();
};

// Collects the properties of one object.
class PropertyMaker {
 public:
  explicit PropertyMaker(SchemaMaker& maker, const Json& defaults)
      : maker_(maker), defaults_(defaults) {}

  template <class T>
  void field(const char* name, const T& member, const Spec& spec, const char* text) {
    Json schema = maker_.schema_of(member, spec);
    const std::string words = text;
    schema.set("description", words + unit_words(spec));
    const Json* standard = spec.is_required ? nullptr : defaults_.find(name);
    const bool telling = standard && !standard->is_object() &&
                         !(standard->is_array() && standard->items.empty()) &&
                         !(standard->is_string() && standard->string.empty());
    if (telling) schema.set("default", *standard);
    add(name, std::move(schema), spec.is_required);
  }
  // a value, or one for each of the named axes
  template <class M>
  void per_axis(const char* name, const Joint&, M JointLaw::*, const Spec& spec, const char* text) {
    const Json value = maker_.schema_of(M{}, spec);
    Json axes = Json::object();
    for (const char* axis : Words<JointAxis>::list) axes.set(axis, value);
    Json keyed = typed("object").set("properties", std::move(axes));
    keyed.set("additionalProperties", false).set("minProperties", 1);
    Json schema = any_of({value, std::move(keyed)});
    add(name, schema.set("description", text + unit_words(spec)), false);
  }
  template <class T>
  void named(const char* name, const std::vector<T>&, const char* text) {
    Json schema = typed("object");
    if constexpr (std::is_same_v<T, Parameter>) {
      schema.set("additionalProperties", number_schema({}));
    } else if constexpr (std::is_same_v<T, Importance>) {
      schema.set("additionalProperties", number_schema(spec::weight()));
    } else if constexpr (std::is_same_v<T, Prefab>) {
      schema.set("additionalProperties", maker_.define<PrefabEntry>(Named<PrefabEntry>::name));
    } else {
      schema.set("additionalProperties", maker_.define<T>(Named<T>::name));
    }
    add(name, schema.set("description", text), false);
  }
  template <class Entry, class Member>
  void tree(const char* name, const Member&, const char* text) {
    Json schema = list_of(maker_.define<Entry>(Named<Entry>::name), 0);
    add(name, schema.set("description", text), false);
  }
  void raw(const char* name, const Json* const&, RawKind kind, const Spec& spec, const char* text) {
    Json value = number_schema({});
    if (kind == RawKind::kExpression) {
      value = any_of({typed("boolean"), typed("number"), ref("expression")});
    } else if (kind == RawKind::kIndexMap) {
      value = any_of({number_schema(Spec{}.whole().from(0)),
                      maker_.define<RangeEntry>(Named<RangeEntry>::name),
                      list_of(number_schema({}), 0)});
    }
    if (kind != RawKind::kExpression) {
      value = typed("object").set("additionalProperties", std::move(value));
    }
    add(name, value.set("description", text), spec.is_required);
  }
  void version(const char* text) {
    add("tenon", Json::object().set("const", kFormatVersion).set("description", text), true);
    add("$schema", typed("string"), false);
  }
  void add(const char* name, Json schema, bool required) {
    properties_.set(name, std::move(schema));
    if (required) required_.push(name);
  }
  Json object(const char* text) {
    Json schema = typed("object");
    schema.set("description", text).set("properties", std::move(properties_));
    if (!required_.items.empty()) schema.set("required", std::move(required_));
    return schema.set("additionalProperties", false);
  }

 private:
  SchemaMaker& maker_;
  const Json& defaults_;
  Json properties_ = Json::object();
  Json required_ = Json::array();
};

template <class T>
Json SchemaMaker::define(const std::string& name) {
  if (!definitions.find(name)) {
    definitions.set(name, Json::object());  // so that a definition can refer to itself
    const T standard{};
    PropertyMaker maker(*this, default_object<T>());
    describe(maker, standard);
    definitions.set(name, maker.object(Named<T>::text));
  }
  return ref(name);
}

template <class... A>
Json define_alternatives(SchemaMaker& maker, const std::string& name, const std::variant<A...>&) {
  if (maker.definitions.find(name)) return ref(name);
  maker.definitions.set(name, Json::object());
  Json list = Json::array();
  auto add = [&]<class T>(const T& standard) {
    PropertyMaker properties(maker, default_object<T>());
    properties.add("type", Json::object().set("const", Named<T>::name), true);
    describe(properties, standard);
    list.push(properties.object(Named<T>::text));
  };
  (add(A{}), ...);
  maker.definitions.set(name, Json::object().set("anyOf", std::move(list)));
  return ref(name);
}

template <class T>
Json SchemaMaker::schema_of(const T& member, const Spec& spec) {
  if constexpr (kIsOptional<T>) {
    return schema_of(typename T::value_type{}, spec);
  } else if constexpr (std::is_enum_v<T>) {
    Json words = Json::array();
    for (const char* word : Words<T>::list) words.push(word);
    // in arrays and prefabs also a word that an expression chooses
    return any_of(
        {Json::object().set("enum", std::move(words)), typed("string").set("pattern", "[{]")});
  } else if constexpr (kIsWordList<T>) {
    const Json word = schema_of(typename T::value_type{}, {});
    return spec.is_one_or_many ? any_of({word, list_of(word, 0)}) : list_of(word, 0);
  } else if constexpr (kIsVariant<T>) {
    return define_alternatives(*this, kAlternatives<T>, member);
  } else if constexpr (kIsStructList<T>) {
    using Entry = typename T::value_type;
    return list_of(define<Entry>(Named<Entry>::name), spec.min_items);
  } else if constexpr (Described<T>) {
    return define<T>(Named<T>::name);
  } else if constexpr (std::is_same_v<T, bool>) {
    return any_of({typed("boolean"), ref("expression")});
  } else if constexpr (std::is_arithmetic_v<T>) {
    return number_schema(spec);
  } else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, Reference>) {
    return typed("string");
  } else if constexpr (std::is_same_v<T, JointLimits>) {
    return list_of(any_of({number_schema(spec), typed("null")}), 2, 2);
  } else if constexpr (std::is_same_v<T, Vec3>) {
    Json list = list_of(number_schema(spec), 3, 3);
    return spec.is_scale ? any_of({number_schema(spec), std::move(list)}) : list;
  } else if constexpr (std::is_same_v<T, Quat>) {
    return ref("orientation");
  } else if constexpr (std::is_same_v<T, Color>) {
    return ref("color");
  } else if constexpr (std::is_same_v<T, Mat3>) {
    return any_of({list_of(number_schema({}), 3, 3), list_of(number_schema({}), 6, 6),
                   list_of(list_of(number_schema({}), 3, 3), 3, 3)});
  } else if constexpr (std::is_same_v<T, std::vector<Vec3>>) {
    return list_of(list_of(number_schema(spec), 3, 3), spec.min_items);
  } else if constexpr (std::is_same_v<T, std::vector<std::array<int, 3>>>) {
    return list_of(list_of(number_schema(spec), 3, 3), spec.min_items);
  } else if constexpr (std::is_same_v<T, std::array<std::string, 2>>) {
    return list_of(typed("string"), 2, 2);
  } else {
    static_assert(std::is_same_v<T, std::vector<std::string>> ||
                  std::is_same_v<T, std::vector<Reference>>);
    Json list = list_of(typed("string"), spec.min_items);
    return spec.is_one_or_many ? any_of({typed("string"), std::move(list)}) : list;
  }
}

Json closed_object(std::vector<std::pair<const char*, Json>> properties) {
  Json fields = Json::object(), required = Json::array();
  for (auto& [name, schema] : properties) {
    fields.set(name, std::move(schema));
    required.push(name);
  }
  Json schema = typed("object");
  schema.set("properties", std::move(fields)).set("required", std::move(required));
  return schema.set("additionalProperties", false);
}

void SchemaMaker::define_basics() {
  definitions.set("expression", typed("string")
                                    .set("minLength", 1)
                                    .set("maxLength", static_cast<int>(kMaxExpressionBytes))
                                    .set("description",
                                         "a number with units or an expression: \"12 cm\", "
                                         "\"1/60\", \"2*pi*i/n\""));
  const Json three = list_of(number_schema({}), 3, 3);
  definitions.set("orientation",
                  any_of({list_of(number_schema({}), 4, 4),
                          closed_object({{"axis", three}, {"angle", number_schema({})}}),
                          closed_object({{"euler", three}}), closed_object({{"euler_deg", three}})})
                      .set("description",
                           "[w, x, y, z], axis and angle, or turns about the fixed axes x, y, z"));
  Json names = Json::array();
  for (const NamedColor& color : kNamedColors) names.push(color.name);
  definitions.set(
      "color",
      any_of({typed("string").set("pattern", "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$"),
              Json::object().set("enum", std::move(names)),
              list_of(number_schema(spec::share()), 3, 3), closed_object({{"hsv", three}})}));
}

std::string SchemaMaker::run() {
  define_basics();
  define<Document>(Named<Document>::name);
  Json root = Json::object();
  root.set("$schema", "http://json-schema.org/draft-07/schema#");
  root.set("title", "Tenon scene, version " + std::to_string(kFormatVersion));
  root.set("allOf", Json::array({ref(Named<Document>::name)}));
  root.set("definitions", std::move(definitions));
  return format_json(root);
}

}  // namespace

std::string scene_schema() { return SchemaMaker().run(); }

}  // namespace tenon::scene
