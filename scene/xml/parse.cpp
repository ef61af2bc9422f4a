#include <tinyxml2.h>

#include <algorithm>
#include <cstring>

#include "tenon/scene/xml/element.h"

namespace tenon::scene::xml {
namespace {

int line_of(std::string_view text, size_t at) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<long>(at), '\n'));
}

// Before anything is built in memory: how much would there be?
Status check_size(std::string_view text, const std::string& file, const Limits& limits) {
  const auto elements = static_cast<size_t>(std::count(text.begin(), text.end(), '<'));
  const auto attributes = static_cast<size_t>(std::count(text.begin(), text.end(), '='));
  // an element has at most a begin and an end
  if (elements > 2 * limits.elements || attributes > limits.attributes) {
    return Error{
        .message = "the file has too many elements",
        .file = file,
        .value = std::to_string(elements) + " '<' and " + std::to_string(attributes) + " '='",
        .accepted = "at most " + std::to_string(limits.elements) + " elements and " +
                    std::to_string(limits.attributes) + " attributes"};
  }
  const size_t entity = text.find("<!ENTITY");
  if (entity != std::string_view::npos) {
    return Error{.message = "the file declares entities, which are not expanded",
                 .file = file,
                 .line = line_of(text, entity),
                 .accepted = "a file without a <!DOCTYPE ... [ ]> of its own"};
  }
  return Ok{};
}

// In words of people; the library's own texts name its enumerators.
const char* describe(tinyxml2::XMLError error) {
  switch (error) {
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
      return "an element does not end, or is closed by another name than it was opened";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return "an attribute is not written as name=\"value\"";
    case tinyxml2::XML_ERROR_PARSING_COMMENT:
      return "a comment does not end";
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT:
      return "the file is empty, or no text";
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED:
      return "elements are nested too deep";
    case tinyxml2::XML_ERROR_PARSING_ELEMENT:
      return "an element does not end";
    default:
      return "this is no XML, or ends too early";
  }
}

Status convert(const tinyxml2::XMLElement& from, const std::string& file, const Limits& limits,
               int depth, Element& to) {
  to.tag = from.Name();
  to.file = file;
  to.line = from.GetLineNum();
  if (depth > limits.depth) {
    return error_at(to, "elements are nested too deep", to.tag,
                    "at most " + std::to_string(limits.depth) + " levels");
  }
  for (const auto* a = from.FirstAttribute(); a != nullptr; a = a->Next()) {
    to.attributes.push_back({a->Name(), a->Value(), a->GetLineNum()});
  }
  for (const auto* c = from.FirstChildElement(); c != nullptr; c = c->NextSiblingElement()) {
    to.children.emplace_back();
    if (Status s = convert(*c, file, limits, depth + 1, to.children.back()); !s) return s;
  }
  return Ok{};
}

}  // namespace

Result<Element> parse(std::string_view text, const std::string& file, const Limits& limits) {
  if (Status s = check_size(text, file, limits); !s) return s.error();
  tinyxml2::XMLDocument document;
  const tinyxml2::XMLError error = document.Parse(text.data(), text.size());
  if (error != tinyxml2::XML_SUCCESS) {
    const bool deep = error == tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED;
    return Error{.message = describe(error),
                 .file = file,
                 .line = document.ErrorLineNum(),
                 .accepted = deep ? "at most " + std::to_string(limits.depth) + " levels" : ""};
  }
  const tinyxml2::XMLElement* root = document.RootElement();
  if (root == nullptr) {
    return Error{.message = "the file has no element", .file = file, .accepted = "<robot> ..."};
  }
  if (const tinyxml2::XMLElement* second = root->NextSiblingElement(); second != nullptr) {
    return Error{.message = "there is a second root element",
                 .file = file,
                 .line = second->GetLineNum(),
                 .value = second->Name(),
                 .accepted = "one"};
  }
  Element made;
  if (Status s = convert(*root, file, limits, 1, made); !s) return s.error();
  return made;
}

}  // namespace tenon::scene::xml
