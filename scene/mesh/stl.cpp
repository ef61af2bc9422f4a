// STL, text and binary. A binary file may begin with the word "solid" as well.
#include <bit>
#include <cmath>
#include <cstring>

#include "tenon/scene/mesh/detail/text_lines.h"
#include "tenon/scene/mesh/mesh_file.h"

namespace tenon::scene {
namespace {

using detail::error_at_byte;
using detail::error_in_line;
using detail::take_word;

constexpr size_t kHead = 84, kFacet = 50;

uint32_t read_u32(std::string_view bytes, size_t at) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i)
    value |= static_cast<uint32_t>(static_cast<uint8_t>(bytes[at + i])) << (8 * i);
  return value;
}

Result<MeshData> parse_binary(std::string_view bytes, const std::string& name,
                              const MeshFileOptions& options) {
  const size_t count = read_u32(bytes, 80);
  if (count > options.max_triangles) return detail::too_many_triangles(name, options.max_triangles);
  if (bytes.size() < kHead + kFacet * count)
    return error_at_byte(
        name, bytes.size(),
        "the file ends before its last triangle; it was to have " + std::to_string(count),
        std::to_string(kHead + kFacet * count) + " bytes");
  MeshData mesh;
  mesh.vertices.reserve(3 * count);
  mesh.triangles.reserve(count);
  for (size_t t = 0; t < count; ++t) {
    const int first = static_cast<int>(mesh.vertices.size());
    for (size_t k = 0; k < 3; ++k) {
      const size_t at = kHead + kFacet * t + 12 * (k + 1);
      Vec3 v;
      for (size_t c = 0; c < 3; ++c)
        v[static_cast<int>(c)] =
            static_cast<double>(std::bit_cast<float>(read_u32(bytes, at + 4 * c)));
      if (!is_finite(v))
        return error_at_byte(name, at,
                             "triangle " + std::to_string(t) + " has a point that is not finite",
                             "finite coordinates");
      mesh.vertices.push_back(v);
    }
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  if (count == 0)
    return Error{.message = "the file has no triangles", .file = name, .accepted = "one or more"};
  return mesh;
}

class TextReader {
 public:
  TextReader(std::string_view text, const std::string& name, const MeshFileOptions& options)
      : lines_(text), name_(name), options_(options) {}

  Result<MeshData> run() {
    std::string_view line;
    while (lines_.next(line)) {
      const std::string_view word = take_word(line);
      if (word == "vertex") {
        if (Status read = read_vertex(line); !read) return read.error();
      } else if (word == "endloop") {
        if (Status closed = close_loop(); !closed) return closed.error();
      } else if (word != "facet" && word != "outer" && word != "endfacet" && word != "solid" &&
                 word != "endsolid" && !word.empty()) {
        return error_in_line(name_, lines_.number(), "this word has no place in an STL file", word,
                             "solid, facet, outer loop, vertex, endloop, endfacet, endsolid");
      }
    }
    if (corners_ > 0)
      return error_in_line(name_, lines_.number(), "the file ends within a triangle", "");
    if (mesh_.triangles.empty())
      return Error{
          .message = "the file has no triangles", .file = name_, .accepted = "one or more"};
    return std::move(mesh_);
  }

 private:
  Status read_vertex(std::string_view line) {
    const Result<Vec3> v = detail::take_vertex(line, name_, lines_.number(), "vertex X Y Z");
    if (!v) return v.error();
    mesh_.vertices.push_back(*v);
    ++corners_;
    return Ok{};
  }

  Status close_loop() {
    if (corners_ != 3)
      return error_in_line(name_, lines_.number(), "a loop needs three vertices",
                           std::to_string(corners_), "3");
    if (mesh_.triangles.size() >= options_.max_triangles)
      return detail::too_many_triangles(name_, options_.max_triangles);
    const int first = static_cast<int>(mesh_.vertices.size()) - 3;
    mesh_.triangles.push_back({first, first + 1, first + 2});
    corners_ = 0;
    return Ok{};
  }

  detail::Lines lines_;
  const std::string& name_;
  const MeshFileOptions& options_;
  MeshData mesh_;
  int corners_ = 0;
};

}  // namespace

Result<MeshData> parse_stl(std::string_view bytes, const std::string& name,
                           const MeshFileOptions& options) {
  // the head and the first triangles of a binary file are not without zeros
  const size_t begin = bytes.find_first_not_of(" \t\r\n");
  const bool text = begin != std::string_view::npos && bytes.substr(begin).starts_with("solid") &&
                    bytes.substr(0, 1024).find('\0') == std::string_view::npos;
  if (text) return TextReader(bytes, name, options).run();
  if (bytes.size() < kHead)
    return error_at_byte(name, bytes.size(), "the file ends within its head",
                         "an STL file: text that begins with 'solid', or at least 84 bytes");
  return parse_binary(bytes, name, options);
}

}  // namespace tenon::scene
