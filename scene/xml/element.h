// XML as plain data: elements with their attributes, and the file and line of each. Reading is done
// by tinyxml2, which stays inside parse.cpp. Chosen over pugixml because it knows the line of every
// attribute as well as of every element, and stops at a depth by itself; neither expands entities.
//
// Whoever reads an element marks what it has understood; what is left unmarked in the end is
// listed for the user (scene/model/report.h), so that nothing of a file is dropped in silence.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tenon/engine/base/result.h"
#include "tenon/engine/math/vec3.h"

namespace tenon::scene::xml {

struct Attribute {
  std::string name, value;
  int line = 0;
  bool used = false;
};

struct Element {
  std::string tag;
  std::string file;  // as the user named it
  int line = 0;
  std::vector<Attribute> attributes;
  std::vector<Element> children;
  bool used = false;  // its tag was understood; its attributes and children stand for themselves

  // The attribute, marked as understood; nullptr if there is none.
  Attribute* find(std::string_view name);
  std::string text(std::string_view name, std::string_view otherwise = "");
  bool has(std::string_view name) const;
  // The first child of that tag, marked as understood; nullptr if there is none.
  Element* child(std::string_view tag);
};

// What a file may be at most; memory stays below some 500 bytes for each element.
struct Limits {
  size_t elements = 1'000'000;
  size_t attributes = 4'000'000;
  int depth = 100;  // tinyxml2 goes no deeper
};

// The root element. Errors: what is no XML, with its line; entities (they are not expanded, so a
// file that needs them would lose something); more than one root; what goes beyond the limits.
Result<Element> parse(std::string_view text, const std::string& file, const Limits& limits = {});

// How many elements there are below and including this one.
size_t count(const Element& element);

// An error at an element, or at an attribute of it.
Error error_at(const Element& element, std::string message, std::string value = "",
               std::string accepted = "");
Error error_at(const Element& element, const Attribute& attribute, std::string message,
               std::string accepted);

// --- numbers in attributes: decimal, separated by blanks; all finite
// Exactly one number.
Result<double> read_number(const Element& element, const Attribute& attribute);
// From `least` to `most` numbers.
Result<std::vector<double>> read_numbers(const Element& element, const Attribute& attribute,
                                         size_t least, size_t most);
Result<Vec3> read_vector(const Element& element, const Attribute& attribute);
Result<bool> read_switch(const Element& element, const Attribute& attribute);  // true, false

// The same of an attribute that may be missing.
Result<double> number_or(Element& element, std::string_view name, double otherwise);
Result<Vec3> vector_or(Element& element, std::string_view name, const Vec3& otherwise);
// The same of one that must be there.
Result<double> need_number(Element& element, std::string_view name);
Result<std::string> need_text(Element& element, std::string_view name);

// Text as it may stand in an attribute.
std::string escaped(std::string_view text);

}  // namespace tenon::scene::xml
