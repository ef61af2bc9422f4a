#include "tenon/scene/formats/encode.h"

#include <cmath>

#include "tenon/scene/formats/scene_text.h"

namespace tenon::scene {
namespace {

// "#rrggbb" where that is the exact value.
std::string hex_color(const Color& color) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text = "#";
  for (double c : {color.r, color.g, color.b}) {
    if (!(c >= 0 && c <= 1)) return "";
    const int k = static_cast<int>(std::floor(c * 255 + 0.5));
    if (k / 255.0 != c) return "";
    text += {kDigits[k / 16], kDigits[k % 16]};
  }
  return text;
}

}  // namespace

Json encode_value(double value, const Spec&) { return Json(value); }
Json encode_value(uint64_t value, const Spec&) { return Json(static_cast<double>(value)); }
Json encode_value(int value, const Spec&) { return Json(value); }
Json encode_value(bool value, const Spec&) { return Json(value); }
Json encode_value(const std::string& value, const Spec&) { return Json(value); }
Json encode_value(const Vec3& v, const Spec& spec) {
  if (spec.is_scale && v.x == v.y && v.y == v.z) return v.x;
  return Json::array({v.x, v.y, v.z});
}
Json encode_value(const Quat& q, const Spec&) { return Json::array({q.w, q.x, q.y, q.z}); }

Json encode_value(const Mat3& m, const Spec&) {
  const bool diagonal = m.r0.y == 0 && m.r0.z == 0 && m.r1.z == 0;
  const bool symmetric = m.r0.y == m.r1.x && m.r0.z == m.r2.x && m.r1.z == m.r2.y;
  if (!symmetric) {
    return Json::array({encode_value(m.r0, {}), encode_value(m.r1, {}), encode_value(m.r2, {})});
  }
  Json list = Json::array({m.r0.x, m.r1.y, m.r2.z});
  if (!diagonal) list.push(m.r0.y).push(m.r0.z).push(m.r1.z);
  return list;
}

Json encode_value(const Color& color, const Spec&) {
  const std::string hex = hex_color(color);
  return hex.empty() ? Json::array({color.r, color.g, color.b}) : Json(hex);
}

Json encode_value(const std::vector<std::string>& value, const Spec& spec) {
  if (spec.is_one_or_many && value.size() == 1) return Json(value[0]);
  Json list = Json::array();
  for (const std::string& text : value) list.push(text);
  return list;
}

Json encode_value(const std::array<std::string, 2>& value, const Spec&) {
  return Json::array({value[0], value[1]});
}

Json encode_value(const std::vector<Vec3>& value, const Spec&) {
  Json list = Json::array();
  for (const Vec3& point : value) list.push(encode_value(point, {}));
  return list;
}

Json encode_value(const std::vector<std::array<int, 3>>& value, const Spec&) {
  Json list = Json::array();
  for (const auto& t : value) list.push(Json::array({t[0], t[1], t[2]}));
  return list;
}

// A reference that is not there is an empty name.
Json encode_value(const Reference& value, const Spec&) {
  return value.name.empty() ? Json() : Json(value.name);
}

Json encode_value(const std::vector<Reference>& value, const Spec& spec) {
  std::vector<std::string> names;
  for (const Reference& reference : value) names.push_back(reference.name);
  return encode_value(names, spec);
}

Json encode_value(const JointLimits& value, const Spec&) {
  return Json::array(
      {value.min ? Json(*value.min) : Json(), value.max ? Json(*value.max) : Json()});
}

// --- entries of sections whose keys are names ---------------------------------------------------

Json encode_entry(const Parameter& entry) { return entry.value; }
Json encode_entry(const Group& entry) { return encode_object(entry, default_object<Group>()); }
Json encode_entry(const Prefab& entry) { return entry.definition; }
Json encode_entry(const Importance& entry) { return Json(entry.weight); }

// An override of a built-in material holds only what differs from that.
Json encode_entry(const Material& entry) {
  const Material* builtin = find_builtin_material(entry.name);
  if (!builtin) return encode_object(entry, default_object<Material>());
  ObjectWriter all(nullptr);
  describe(all, *builtin);
  Json object = encode_object(entry, all.object);
  // the look is one value to the writer; inside it, too, only the differences count
  if (Json* look = object.find("look")) {
    ObjectWriter standard(nullptr);
    describe(standard, builtin->look);
    *look = encode_object(entry.look, standard.object);
  }
  return object;
}

Json encode(const Document& document) {
  return encode_object(document, default_object<Document>());
}

std::string save_scene(const Document& document) { return format_json(encode(document)); }

}  // namespace tenon::scene
