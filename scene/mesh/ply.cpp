// PLY, text and binary in both byte orders [Turk1994]: x, y, z of the element `vertex`, and the
// list `vertex_indices` (or `vertex_index`) of the element `face`. Other elements and properties
// are passed over.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "tenon/scene/formats/number_text.h"
#include "tenon/scene/mesh/detail/polygon.h"
#include "tenon/scene/mesh/detail/text_lines.h"
#include "tenon/scene/mesh/mesh_file.h"

namespace tenon::scene {
namespace {

using detail::error_at_byte;
using detail::error_in_line;
using detail::take_word;

enum class Type { kI8, kU8, kI16, kU16, kI32, kU32, kF32, kF64, kNone };

Type find_type(std::string_view word) {
  struct Name {
    const char* old_name;
    const char* new_name;
  };
  constexpr Name names[] = {{"char", "int8"},     {"uchar", "uint8"},   {"short", "int16"},
                            {"ushort", "uint16"}, {"int", "int32"},     {"uint", "uint32"},
                            {"float", "float32"}, {"double", "float64"}};
  for (int i = 0; i < 8; ++i)
    if (word == names[i].old_name || word == names[i].new_name) return static_cast<Type>(i);
  return Type::kNone;
}
constexpr double kMostInList = 1e9;  // beyond any face, and safe to count with
constexpr size_t kSizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
size_t size_of(Type type) { return kSizes[static_cast<size_t>(type)]; }

struct Property {
  std::string name;
  Type type = Type::kNone;
  Type count = Type::kNone;  // of lists
};
struct Element {
  std::string name;
  size_t count = 0;
  std::vector<Property> properties;
};
enum class Encoding { kText, kLittle, kBig };

struct Header {
  Encoding encoding = Encoding::kText;
  std::vector<Element> elements;
};

class HeaderReader {
 public:
  HeaderReader(detail::Lines& lines, const std::string& name) : lines_(lines), name_(name) {}

  Result<Header> run() {
    std::string_view line;
    if (!lines_.next(line) || take_word(line) != "ply")
      return error_in_line(name_, 1, "this is no PLY file", "", "'ply' in the first line");
    while (lines_.next(line)) {
      const std::string_view word = take_word(line);
      if (word == "end_header") {
        if (!has_format_) return wrong("the head names no format", "", "format ascii 1.0");
        return std::move(header_);
      }
      Status read = Ok{};
      if (word == "format") read = read_format(line);
      if (word == "element") read = read_element(line);
      if (word == "property") read = read_property(line);
      if (!read) return read.error();
    }
    return wrong("the file ends within its head", "", "a line 'end_header'");
  }

 private:
  Error wrong(std::string message, std::string_view value, std::string accepted) const {
    return error_in_line(name_, lines_.number(), std::move(message), value, std::move(accepted));
  }
  Status read_format(std::string_view line) {
    const std::string_view word = take_word(line);
    has_format_ = true;
    header_.encoding = word == "binary_little_endian" ? Encoding::kLittle
                       : word == "binary_big_endian"  ? Encoding::kBig
                                                      : Encoding::kText;
    if (header_.encoding == Encoding::kText && word != "ascii")
      return wrong("unknown format", word, "ascii, binary_little_endian, binary_big_endian");
    return Ok{};
  }
  Status read_element(std::string_view line) {
    const std::string_view word = take_word(line), number = take_word(line);
    const auto count = detail::to_integer(number);
    if (word.empty() || !count || *count < 0)
      return wrong("an element needs a name and a count", number, "element vertex 100");
    if (header_.elements.size() >= 100) return wrong("too many elements", "", "up to 100");
    header_.elements.push_back({std::string(word), static_cast<size_t>(*count), {}});
    return Ok{};
  }
  Status read_property(std::string_view line) {
    Property property;
    std::string_view word = take_word(line);
    if (header_.elements.empty()) return wrong("a property stands before any element", word, "");
    if (word == "list") {
      const std::string_view counted = take_word(line);
      property.count = find_type(counted);
      if (property.count == Type::kNone || property.count >= Type::kF32)
        return wrong("a list needs a whole number as count", counted, "uchar, int, ...");
      word = take_word(line);
    }
    property.type = find_type(word);
    if (property.type == Type::kNone)
      return wrong("unknown type", word, "char, uchar, short, ushort, int, uint, float, double");
    property.name = take_word(line);
    if (header_.elements.back().properties.size() >= 1000)
      return wrong("too many properties", "", "up to 1000");
    header_.elements.back().properties.push_back(std::move(property));
    return Ok{};
  }

  detail::Lines& lines_;
  const std::string& name_;
  Header header_;
  bool has_format_ = false;
};

// Values one after another, of either encoding.
class Values {
 public:
  Values(const Header& header, const detail::Lines& lines, std::string_view whole,
         const std::string& name)
      : encoding_(header.encoding),
        lines_(lines),
        whole_(whole),
        rest_(lines.rest()),
        name_(name) {}

  Result<double> next(Type type) {
    if (encoding_ == Encoding::kText) return next_word();
    const size_t size = size_of(type);
    if (rest_.size() < size) return ended();
    uint64_t bits = 0;
    for (size_t i = 0; i < size; ++i) {
      const auto byte = static_cast<uint64_t>(static_cast<uint8_t>(rest_[i]));
      bits |= byte << 8 * (encoding_ == Encoding::kLittle ? i : size - 1 - i);
    }
    rest_.remove_prefix(size);
    return to_value(type, bits);
  }

  // Whether so many values of at least a byte each can be there at all.
  bool has_room(size_t count) const {
    return count <=
           (encoding_ == Encoding::kText ? lines_.rest().size() + line_.size() + 1 : rest_.size());
  }
  Error ended() const { return wrong("the file ends before its last element"); }
  // `value`: what is there instead. In binary files its place is the byte behind it.
  Error wrong(std::string message, const std::string& value = {}, std::string accepted = {}) const {
    if (encoding_ == Encoding::kText)
      return error_in_line(name_, lines_.number(), std::move(message), value, std::move(accepted));
    if (!value.empty()) message += ": " + value;
    return error_at_byte(name_, whole_.size() - rest_.size(), std::move(message),
                         std::move(accepted));
  }

 private:
  static double to_value(Type type, uint64_t bits) {
    switch (type) {
      case Type::kI8:
        return static_cast<int8_t>(bits);
      case Type::kI16:
        return static_cast<int16_t>(bits);
      case Type::kI32:
        return static_cast<int32_t>(bits);
      case Type::kF32:
        return static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits)));
      case Type::kF64:
        return std::bit_cast<double>(bits);
      default:
        return static_cast<double>(bits);
    }
  }
  Result<double> next_word() {
    std::string_view word = take_word(line_);
    while (word.empty()) {
      if (!lines_.next(line_)) return ended();
      word = take_word(line_);
    }
    const std::optional<double> number = detail::to_number(word);
    if (!number)
      return error_in_line(name_, lines_.number(), "a finite number is needed here", word);
    return *number;
  }

  Encoding encoding_;
  detail::Lines lines_;
  std::string_view whole_, rest_, line_;
  const std::string& name_;
};

class PlyReader {
 public:
  PlyReader(Values& values, const std::string& name, const MeshFileOptions& options)
      : values_(values), name_(name), options_(options) {}

  Result<MeshData> run(const Header& header) {
    for (const Element& element : header.elements) {
      if (!element.properties.empty() && !values_.has_room(element.count)) return values_.ended();
      for (size_t i = 0; i < element.count && !element.properties.empty(); ++i)
        if (Status read = read_row(element); !read) return read.error();
    }
    for (const auto& t : mesh_.triangles)
      for (const int v : t)
        if (v < 0 || static_cast<size_t>(v) >= mesh_.vertices.size())
          return Error{.message = "a face names a vertex that is not there",
                       .file = name_,
                       .value = std::to_string(v),
                       .accepted = "0 to " + std::to_string(mesh_.vertices.size()) + " less one"};
    for (const Fan& fan : later_)
      if (Status cut = cut_fan(fan); !cut) return cut.error();
    if (mesh_.triangles.empty())
      return Error{.message = "the file has no faces", .file = name_, .accepted = "one or more"};
    crossed_.tell(mesh_);
    return std::move(mesh_);
  }

 private:
  Status read_row(const Element& element) {
    const bool vertex = element.name == "vertex", face = element.name == "face";
    Vec3 v;
    int axes = 0;
    for (const Property& property : element.properties) {
      if (property.count != Type::kNone) {
        const bool corners =
            face && (property.name == "vertex_indices" || property.name == "vertex_index");
        if (Status read = read_list(property, corners); !read) return read;
        continue;
      }
      const Result<double> value = values_.next(property.type);
      if (!value) return value.error();
      const int axis = property.name == "x"   ? 0
                       : property.name == "y" ? 1
                       : property.name == "z" ? 2
                                              : -1;
      if (!vertex || axis < 0) continue;
      v[axis] = *value;
      axes |= 1 << axis;
    }
    if (!vertex) return Ok{};
    if (axes != 7)
      return values_.wrong("vertices have no x, y and z", missing(axes), "properties x, y and z");
    if (!is_finite(v)) return values_.wrong("a vertex is not finite");
    mesh_.vertices.push_back(v);
    return Ok{};
  }

  static std::string missing(int axes) {
    std::string words;
    for (int k = 0; k < 3; ++k)
      if ((axes >> k & 1) == 0)
        words += (words.empty() ? "no " : ", no ") + std::string(1, "xyz"[k]);
    return words;
  }

  // The fan of a polygon, which may be in the file ahead of its vertices.
  struct Fan {
    size_t first, count, face;
  };
  Status cut_fan(const Fan& fan) {
    const detail::PolygonCut cut = detail::cut_polygon(mesh_, fan.first, fan.count);
    if (cut == detail::PolygonCut::kTooMany)
      return Error{
          .message = "face " + std::to_string(fan.face) + " is not convex and has too many corners",
          .file = name_,
          .value = std::to_string(fan.count + 2),
          .accepted = "up to " + std::to_string(detail::kMostConcaveCorners)};
    if (cut == detail::PolygonCut::kCrossed) crossed_.add("face " + std::to_string(fan.face));
    return Ok{};
  }

  Status read_list(const Property& property, bool corners) {
    const Result<double> count = values_.next(property.count);
    if (!count) return count.error();
    if (!(*count >= 0 && *count <= kMostInList && *count == std::floor(*count)))
      return values_.wrong("the length of a list is none", format_number(*count), "0 to 1e9");
    const auto length = static_cast<size_t>(*count);
    if (!values_.has_room(length)) return values_.ended();
    if (corners && length < 3)
      return values_.wrong("a face needs three corners or more", std::to_string(length),
                           "lists of 3 vertices or more");
    int first = -1, last = -1, most = -1;
    const Fan fan{mesh_.triangles.size(), length - 2, faces_};
    faces_ += corners;
    for (size_t i = 0; i < length; ++i) {
      const Result<double> value = values_.next(property.type);
      if (!value) return value.error();
      if (!corners) continue;
      if (!(*value >= 0 && *value <= 2147483647.0))
        return values_.wrong("a face names a vertex that is not there", format_number(*value),
                             "0 or more");
      const int at = static_cast<int>(*value);
      most = std::max(most, at);
      if (i == 0) first = at;
      if (i >= 2) {
        if (mesh_.triangles.size() >= options_.max_triangles)
          return detail::too_many_triangles(name_, options_.max_triangles);
        mesh_.triangles.push_back({first, last, at});
      }
      last = at;
    }
    if (!corners || length == 3) return Ok{};
    if (static_cast<size_t>(most) < mesh_.vertices.size()) return cut_fan(fan);
    later_.push_back(fan);
    return Ok{};
  }

  Values& values_;
  const std::string& name_;
  const MeshFileOptions& options_;
  MeshData mesh_;
  detail::CrossedPolygons crossed_;
  std::vector<Fan> later_;
  size_t faces_ = 0;  // read, numbered from 0 as in other programs
};

}  // namespace

Result<MeshData> parse_ply(std::string_view bytes, const std::string& name,
                           const MeshFileOptions& options) {
  detail::Lines lines(bytes);
  Result<Header> header = HeaderReader(lines, name).run();
  if (!header) return header.error();
  Values values(*header, lines, bytes, name);
  return PlyReader(values, name, options).run(*header);
}

}  // namespace tenon::scene
