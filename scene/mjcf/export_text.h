// XML as it is written: tags with their attributes, indented.
#pragma once

#include <string>
#include <vector>

#include "tenon/engine/math/quat.h"
#include "tenon/scene/formats/number_text.h"
#include "tenon/scene/xml/element.h"

namespace tenon::scene::mjcf {

// "x y z", without "-0"
inline std::string words(const Vec3& v) {
  return format_number(v.x + 0.0) + " " + format_number(v.y + 0.0) + " " + format_number(v.z + 0.0);
}
inline std::string words(const Quat& q) {
  return format_number(q.w + 0.0) + " " + words(Vec3{q.x, q.y, q.z});
}

class Tag {
 public:
  explicit Tag(const char* name) : name_(name), text_(std::string("<") + name) {}
  Tag& add(const char* name, const std::string& value) {
    text_ += std::string(" ") + name + "=\"" + xml::escaped(value) + "\"";
    return *this;
  }
  Tag& add(const char* name, const char* value) { return add(name, std::string(value)); }
  Tag& add(const char* name, double value) { return add(name, format_number(value + 0.0)); }
  Tag& add(const char* name, const Vec3& v) { return add(name, words(v)); }
  Tag& add(const char* name, const Quat& q) { return add(name, words(q)); }
  // Only where it is not what a reader takes without it.
  Tag& unless_zero(const char* name, const Vec3& v) { return v == Vec3{} ? *this : add(name, v); }
  Tag& unless_zero(const char* name, double x) { return x == 0 ? *this : add(name, x); }
  Tag& unless_unit(const char* name, const Quat& q) { return q == Quat{} ? *this : add(name, q); }

  const char* name() const { return name_; }
  const std::string& text() const { return text_; }

 private:
  const char* name_;
  std::string text_;
};

class Lines {
 public:
  void add(const Tag& tag) { text_ += indent() + tag.text() + "/>\n"; }
  void open(const Tag& tag) {
    text_ += indent() + tag.text() + ">\n";
    open_.push_back(tag.name());
  }
  void close() {
    const std::string name = open_.back();
    open_.pop_back();
    text_ += indent() + "</" + name + ">\n";
  }
  size_t depth() const { return open_.size(); }
  // A section with what was collected, if that is anything.
  void section(const char* name, const std::vector<Tag>& tags) {
    if (tags.empty()) return;
    open(Tag(name));
    for (const Tag& tag : tags) add(tag);
    close();
  }
  std::string take() { return std::move(text_); }

 private:
  std::string indent() const { return std::string(2 * open_.size(), ' '); }
  std::string text_;
  std::vector<std::string> open_;
};

}  // namespace tenon::scene::mjcf
