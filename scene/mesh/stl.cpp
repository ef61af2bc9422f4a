// STL, text and binary. A binary file may begin with the word "solid" as well. Texts may have words
// in capital letters, and blanks in place of any end of a line.
#include <algorithm>
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
  // a few bytes behind the last triangle are a matter of some programs
  const size_t rest = bytes.size() - kHead - kFacet * count;
  if (rest >= kFacet)
    mesh.remarks.push_back(std::to_string(rest) + " bytes behind the last triangle are not read: " +
                           "the head counts " + std::to_string(count) + " triangles, " +
                           std::to_string(count + rest / kFacet) + " would fit");
  return mesh;
}

// Whether a word is this one, in small or capital letters.
bool is_same(std::string_view word, std::string_view small) {
  return std::equal(word.begin(), word.end(), small.begin(), small.end(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

class TextReader {
 public:
  TextReader(std::string_view text, const std::string& name, const MeshFileOptions& options)
      : lines_(text), name_(name), options_(options) {}

  Result<MeshData> run() {
    std::string_view line;
    while (lines_.next(line)) {
      Word word = find_word(take_word(line));
      while (word != Word::kNone) {
        if (word == Word::kOther) return no_place();
        if (Status read = read_statement(word, line); !read) return read.error();
        // numbers of normals and what else stands there
        do word = find_word(take_word(line));
        while (word == Word::kOther);
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
  enum class Word {
    kSolid,
    kFacetBegin,
    kOuter,
    kVertex,
    kEndLoop,
    kEndFacet,
    kEndSolid,
    kOther,
    kNone
  };

  Word find_word(std::string_view word) {
    constexpr std::string_view words[] = {"solid",   "facet",    "outer",   "vertex",
                                          "endloop", "endfacet", "endsolid"};
    word_ = word;
    if (word.empty()) return Word::kNone;
    for (int i = 0; i < 7; ++i)
      if (is_same(word, words[i])) return static_cast<Word>(i);
    return Word::kOther;
  }

  Status read_statement(Word word, std::string_view& line) {
    if (word == Word::kVertex) return read_vertex(line);
    if (word == Word::kEndLoop) return close_loop();
    if (word == Word::kSolid || word == Word::kEndSolid) skip_name(line);
    return Ok{};
  }

  // Names may have any words, up to the end of the line or the first facet.
  static void skip_name(std::string_view& line) {
    while (!line.empty()) {
      const std::string_view here = line;
      const bool facet = is_same(take_word(line), "facet");
      std::string_view rest = line;
      if (!facet || !is_same(take_word(rest), "normal")) continue;
      line = here;
      return;
    }
  }

  Status read_vertex(std::string_view& line) {
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

  Error no_place() const {
    return error_in_line(name_, lines_.number(), "this word has no place in an STL file", word_,
                         "solid, facet, outer loop, vertex, endloop, endfacet, endsolid");
  }

  detail::Lines lines_;
  const std::string& name_;
  const MeshFileOptions& options_;
  MeshData mesh_;
  std::string_view word_;  // the last one that was looked at
  int corners_ = 0;
};

}  // namespace

Result<MeshData> parse_stl(std::string_view bytes, const std::string& name,
                           const MeshFileOptions& options) {
  // the head and the first triangles of a binary file are not without zeros
  const size_t mark = bytes.starts_with(detail::kByteOrderMark) ? detail::kByteOrderMark.size() : 0;
  const size_t begin = bytes.find_first_not_of(" \t\r\n", mark);
  const bool text = begin != std::string_view::npos && is_same(bytes.substr(begin, 5), "solid") &&
                    bytes.substr(0, 1024).find('\0') == std::string_view::npos;
  if (text) return TextReader(bytes, name, options).run();
  if (bytes.size() < kHead)
    return error_at_byte(name, bytes.size(), "the file ends within its head",
                         "an STL file: text that begins with 'solid', or at least 84 bytes");
  return parse_binary(bytes, name, options);
}

}  // namespace tenon::scene
