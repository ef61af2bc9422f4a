// Default classes of MJCF, and attributes as they are after them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tenon/scene/mjcf/settings.h"
#include "tenon/scene/xml/element.h"

namespace tenon::scene::mjcf {

// An element together with the defaults that stand behind it, nearest first. The first mistake of
// any attribute is kept; values that could not be read are the given ones.
class Source {
 public:
  Source(std::vector<xml::Element*> chain, std::optional<Error>& error)
      : chain_(std::move(chain)), error_(&error) {}

  xml::Element& element() { return *chain_.front(); }
  // Where the attribute is said, marked as understood in all of the chain; nullptr: nowhere.
  xml::Attribute* find(std::string_view name, xml::Element** where = nullptr);
  bool has(std::string_view name);
  std::string text(std::string_view name, std::string_view otherwise = "");
  double number(std::string_view name, double otherwise);
  double positive(std::string_view name, double otherwise);  // 0 or above
  Vec3 vector(std::string_view name, const Vec3& otherwise);
  // As many numbers as there are, from `least` to `most`; nothing if it is not said.
  std::vector<double> numbers(std::string_view name, size_t least, size_t most);
  bool on(std::string_view name, bool otherwise);
  // pos, and one of quat, axisangle, euler, xyaxes, zaxis.
  Pose pose(const Settings& settings);
  Quat orientation(const Settings& settings);
  void fail(std::string message, std::string value = "", std::string accepted = "");

 private:
  std::vector<xml::Element*> chain_;
  std::optional<Error>* error_;
};

class Defaults {
 public:
  // All <default> sections of the root. Error: a class without a name, or named twice.
  Status read(xml::Element& root);

  // The element with the defaults of its class, else of `childclass`, else of the whole model, for
  // `tag` (that of the element by default). Marks the element as understood.
  Source source(xml::Element& element, const std::string& childclass, std::optional<Error>& error,
                std::string_view tag = "");

 private:
  struct Class {
    std::string parent;
    std::vector<xml::Element*> elements;
  };
  Status read_class(xml::Element& e, const std::string& parent);
  std::map<std::string, Class> classes_;
};

}  // namespace tenon::scene::mjcf
