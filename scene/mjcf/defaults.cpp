#include "tenon/scene/mjcf/defaults.h"

#include <cmath>

namespace tenon::scene::mjcf {
namespace {

constexpr const char* kMain = "main";  // the class of the outermost <default>

// z along v, by the shortest way.
Quat z_to(const Vec3& v) {
  const Vec3 u = normalized(v, {0, 0, 1});
  if (u.z < -1 + 1e-12) return {0, 1, 0, 0};
  const Vec3 c = cross(Vec3{0, 0, 1}, u);
  return normalized(Quat{1 + u.z, c.x, c.y, c.z});
}

}  // namespace

xml::Attribute* Source::find(std::string_view name, xml::Element** where) {
  xml::Attribute* first = nullptr;
  for (xml::Element* e : chain_) {
    xml::Attribute* a = e->find(name);
    if (a == nullptr || first != nullptr) continue;
    first = a;
    if (where != nullptr) *where = e;
  }
  return first;
}

bool Source::has(std::string_view name) { return find(name) != nullptr; }

std::string Source::text(std::string_view name, std::string_view otherwise) {
  const xml::Attribute* a = find(name);
  return a != nullptr ? a->value : std::string(otherwise);
}

std::vector<double> Source::numbers(std::string_view name, size_t least, size_t most) {
  xml::Element* where = nullptr;
  const xml::Attribute* a = find(name, &where);
  if (a == nullptr) return {};
  auto read = xml::read_numbers(*where, *a, least, most);
  if (read) return *read;
  if (!*error_) *error_ = read.error();
  return {};
}

double Source::number(std::string_view name, double otherwise) {
  const std::vector<double> n = numbers(name, 1, 1);
  return n.empty() ? otherwise : n[0];
}

double Source::positive(std::string_view name, double otherwise) {
  const double n = number(name, otherwise);
  if (n >= 0) return n;
  xml::Element* where = nullptr;
  const xml::Attribute* a = find(name, &where);
  if (a != nullptr && !*error_) {
    *error_ = xml::error_at(*where, *a, "is below 0", "a number from 0 on");
  }
  return otherwise;
}

Vec3 Source::vector(std::string_view name, const Vec3& otherwise) {
  const std::vector<double> n = numbers(name, 3, 3);
  return n.empty() ? otherwise : Vec3{n[0], n[1], n[2]};
}

bool Source::on(std::string_view name, bool otherwise) {
  const std::string value = text(name);
  if (value == "true") return true;
  if (value == "false") return false;
  return otherwise;
}

void Source::fail(std::string message, std::string value, std::string accepted) {
  if (*error_) return;
  *error_ = xml::error_at(element(), std::move(message), std::move(value), std::move(accepted));
}

Quat Source::orientation(const Settings& s) {
  const auto axis = [&](const Vec3& v, const char* name) {
    if (norm(v) > 0) return normalized(v);
    fail(std::string(name) + " has no direction", "0 0 0", "any vector but zero");
    return Vec3{0, 0, 1};
  };
  if (const auto q = numbers("quat", 4, 4); !q.empty()) {
    const Quat quat{q[0], q[1], q[2], q[3]};
    if (!(norm(quat) > 0)) fail("quat is zero", "0 0 0 0", "w x y z, not all zero");
    return normalized(quat);
  }
  if (const auto a = numbers("axisangle", 4, 4); !a.empty()) {
    return from_axis_angle(axis({a[0], a[1], a[2]}, "axisangle"), s.angle * a[3]);
  }
  if (has("euler")) return from_euler(s, vector("euler", {}));
  if (const auto a = numbers("xyaxes", 6, 6); !a.empty()) {
    const Vec3 x = axis({a[0], a[1], a[2]}, "xyaxes");
    const Vec3 given{a[3], a[4], a[5]};
    const Vec3 y = axis(given - dot(given, x) * x, "xyaxes");
    return to_quat(Mat3::from_columns(x, y, cross(x, y)));
  }
  if (has("zaxis")) return z_to(axis(vector("zaxis", {0, 0, 1}), "zaxis"));
  return {};
}

Pose Source::pose(const Settings& settings) { return {vector("pos", {}), orientation(settings)}; }

Status Defaults::read(xml::Element& root) {
  for (xml::Element& e : root.children) {
    if (e.tag != "default") continue;
    if (Status s = read_class(e, ""); !s) return s;
  }
  return Ok{};
}

Status Defaults::read_class(xml::Element& e, const std::string& parent) {
  e.used = true;
  const std::string name = e.text("class", parent.empty() ? kMain : "");
  if (name.empty()) {
    return xml::error_at(e, "a <default> inside another has no class", "", "class=\"...\"");
  }
  // several outermost sections are one class
  const bool again = !parent.empty() && classes_.count(name) > 0;
  if (again) return xml::error_at(e, "two default classes have the same name", name);
  Class& made = classes_[name];
  made.parent = name == kMain ? "" : parent.empty() ? kMain : parent;
  for (xml::Element& c : e.children) {
    if (c.tag == "default") {
      if (Status s = read_class(c, name); !s) return s;
    } else {
      classes_[name].elements.push_back(&c);
    }
  }
  return Ok{};
}

Source Defaults::source(xml::Element& element, const std::string& childclass,
                        std::optional<Error>& error, std::string_view tag) {
  element.used = true;
  const std::string wanted = element.text("class", childclass.empty() ? kMain : childclass);
  std::vector<xml::Element*> chain{&element};
  const std::string_view behind = tag.empty() ? std::string_view(element.tag) : tag;
  auto at = classes_.find(wanted);
  if (at == classes_.end() && wanted != kMain && !error) {
    std::string all;
    for (const auto& [name, unused] : classes_) all += (all.empty() ? "" : ", ") + name;
    error = xml::error_at(element, "there is no default class of this name", wanted, all);
  }
  while (at != classes_.end()) {
    for (xml::Element* e : at->second.elements) {
      if (e->tag != behind) continue;
      e->used = true;
      chain.push_back(e);
    }
    at = at->second.parent.empty() ? classes_.end() : classes_.find(at->second.parent);
  }
  return {std::move(chain), error};
}

}  // namespace tenon::scene::mjcf
