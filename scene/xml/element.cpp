#include "tenon/scene/xml/element.h"

#include <algorithm>
#include <cmath>

#include "tenon/scene/formats/number_text.h"

namespace tenon::scene::xml {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// One number with a sign, which is all of `text`; its length is 0 where it is none. Scenes want a
// digit behind a point; "0." is usual in these files.
ParsedNumber parse_signed(std::string_view text) {
  const bool minus = text.starts_with('-'), sign = minus || text.starts_with('+');
  std::string digits(text.substr(sign ? 1 : 0));
  const size_t point = digits.find('.');
  const bool bare =
      point != std::string::npos && point > 0 &&
      (point + 1 == digits.size() || digits[point + 1] == 'e' || digits[point + 1] == 'E');
  if (bare) digits.insert(point + 1, "0");
  ParsedNumber n = parse_decimal(digits);
  if (n.length != digits.size()) n.length = 0;
  if (minus) n.value = -n.value;
  return n;
}

std::string describe_count(size_t least, size_t most) {
  if (least == most) return std::to_string(least) + (least == 1 ? " number" : " numbers");
  return std::to_string(least) + " to " + std::to_string(most) + " numbers";
}

}  // namespace

Attribute* Element::find(std::string_view name) {
  for (Attribute& a : attributes) {
    if (a.name != name) continue;
    a.used = true;
    return &a;
  }
  return nullptr;
}

std::string Element::text(std::string_view name, std::string_view otherwise) {
  const Attribute* a = find(name);
  return a != nullptr ? a->value : std::string(otherwise);
}

bool Element::has(std::string_view name) const {
  return std::any_of(attributes.begin(), attributes.end(),
                     [&](const Attribute& a) { return a.name == name; });
}

Element* Element::child(std::string_view tag_wanted) {
  for (Element& c : children) {
    if (c.tag != tag_wanted) continue;
    c.used = true;
    return &c;
  }
  return nullptr;
}

size_t count(const Element& element) {
  size_t sum = 1;
  for (const Element& c : element.children) sum += count(c);
  return sum;
}

Error error_at(const Element& element, std::string message, std::string value,
               std::string accepted) {
  return {.message = std::move(message),
          .file = element.file,
          .line = element.line,
          .value = std::move(value),
          .accepted = std::move(accepted)};
}

Error error_at(const Element& element, const Attribute& attribute, std::string message,
               std::string accepted) {
  Error e = error_at(element, "<" + element.tag + "> " + attribute.name + " " + std::move(message),
                     attribute.value.substr(0, 80), std::move(accepted));
  e.line = attribute.line;
  return e;
}

Result<std::vector<double>> read_numbers(const Element& element, const Attribute& attribute,
                                         size_t least, size_t most) {
  std::vector<double> numbers;
  std::string_view rest = attribute.value;
  while (true) {
    while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
    if (rest.empty()) break;
    size_t length = 0;
    while (length < rest.size() && !is_blank(rest[length])) ++length;
    const ParsedNumber n = parse_signed(rest.substr(0, length));
    if (n.length == 0 || n.overflow) {
      return error_at(element, attribute, "is no list of finite numbers",
                      describe_count(least, most) + ", separated by blanks");
    }
    numbers.push_back(n.value);
    if (numbers.size() > most) break;
    rest.remove_prefix(length);
  }
  if (numbers.size() < least || numbers.size() > most) {
    return error_at(element, attribute, "has the wrong number of values",
                    describe_count(least, most));
  }
  return numbers;
}

Result<double> read_number(const Element& element, const Attribute& attribute) {
  const auto numbers = read_numbers(element, attribute, 1, 1);
  if (!numbers) return numbers.error();
  return numbers->front();
}

Result<Vec3> read_vector(const Element& element, const Attribute& attribute) {
  const auto n = read_numbers(element, attribute, 3, 3);
  if (!n) return n.error();
  return Vec3{(*n)[0], (*n)[1], (*n)[2]};
}

Result<bool> read_switch(const Element& element, const Attribute& attribute) {
  if (attribute.value == "true" || attribute.value == "1") return true;
  if (attribute.value == "false" || attribute.value == "0") return false;
  return error_at(element, attribute, "is no switch", "true or false");
}

Result<double> number_or(Element& element, std::string_view name, double otherwise) {
  const Attribute* a = element.find(name);
  if (a == nullptr) return otherwise;
  return read_number(element, *a);
}

Result<Vec3> vector_or(Element& element, std::string_view name, const Vec3& otherwise) {
  const Attribute* a = element.find(name);
  if (a == nullptr) return otherwise;
  return read_vector(element, *a);
}

Result<std::string> need_text(Element& element, std::string_view name) {
  const Attribute* a = element.find(name);
  if (a != nullptr && !a->value.empty()) return a->value;
  return error_at(element, "<" + element.tag + "> has no " + std::string(name), "",
                  std::string(name) + "=\"...\"");
}

Result<double> need_number(Element& element, std::string_view name) {
  const Result<std::string> there = need_text(element, name);
  if (!there) return there.error();
  return read_number(element, *element.find(name));
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace tenon::scene::xml
