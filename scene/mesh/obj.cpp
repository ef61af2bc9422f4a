// Wavefront OBJ: of its lines v and f; faces may be polygons, with indices from 1 or, negative,
// from the end. Normals, textures, groups, materials and smoothing say nothing about the shape;
// lines and points have no area; free-form surfaces are refused.
#include "tenon/scene/mesh/detail/polygon.h"
#include "tenon/scene/mesh/detail/text_lines.h"
#include "tenon/scene/mesh/mesh_file.h"

namespace tenon::scene {
namespace {

using detail::error_in_line;
using detail::take_word;

constexpr int kMostCorners = 10'000;  // of a face

class ObjReader {
 public:
  ObjReader(std::string_view text, const std::string& name, const MeshFileOptions& options)
      : lines_(text), name_(name), options_(options) {}

  Result<MeshData> run() {
    std::string_view line;
    while (lines_.next(line)) {
      // a backslash at the end of a line continues it
      std::string joined;
      while (line.ends_with('\\') && joined.size() < (1u << 20)) {
        joined += line.substr(0, line.size() - 1);
        if (!lines_.next(line)) line = {};
        if (!line.ends_with('\\')) joined += line;
      }
      if (Status read = read_line(joined.empty() ? line : std::string_view(joined)); !read)
        return read.error();
    }
    if (mesh_.triangles.empty())
      return Error{.message = "the file has no faces", .file = name_, .accepted = "lines with 'f'"};
    crossed_.tell(mesh_);
    return std::move(mesh_);
  }

 private:
  Status read_line(std::string_view line) {
    const std::string_view word = take_word(line);
    if (word == "v") return read_vertex(line);
    if (word == "f") return read_face(line);
    for (const char* curved : {"curv", "curv2", "surf", "cstype"})
      if (word == curved)
        return error_in_line(name_, lines_.number(), "curved surfaces are not read", word,
                             "a file of triangles or polygons");
    return Ok{};
  }

  Status read_vertex(std::string_view line) {
    const Result<Vec3> v = detail::take_vertex(line, name_, lines_.number(), "v X Y Z");
    if (!v) return v.error();
    mesh_.vertices.push_back(*v);
    return Ok{};
  }

  Status read_face(std::string_view line) {
    int first = -1, last = -1, corners = 0;
    const size_t fan = mesh_.triangles.size();
    for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
      if (word.starts_with('#')) break;
      const Result<int> at = find_vertex(word.substr(0, word.find('/')));
      if (!at) return at.error();
      if (++corners > kMostCorners)
        return error_in_line(name_, lines_.number(), "a face has too many corners", "",
                             "up to " + std::to_string(kMostCorners));
      if (corners == 1) first = *at;
      if (corners >= 3) {
        if (mesh_.triangles.size() >= options_.max_triangles)
          return detail::too_many_triangles(name_, options_.max_triangles);
        mesh_.triangles.push_back({first, last, *at});
      }
      last = *at;
    }
    if (corners < 3)
      return error_in_line(name_, lines_.number(), "a face needs three corners or more",
                           std::to_string(corners), "f A B C");
    if (detail::cut_polygon(mesh_, fan, mesh_.triangles.size() - fan) ==
        detail::PolygonCut::kCrossed)
      crossed_.add("line " + std::to_string(lines_.number()));
    return Ok{};
  }

  Result<int> find_vertex(std::string_view word) const {
    const auto count = static_cast<long long>(mesh_.vertices.size());
    const std::optional<long long> number = detail::to_integer(word);
    const long long at = number ? (*number < 0 ? count + *number : *number - 1) : -1;
    if (number && at >= 0 && at < count) return static_cast<int>(at);
    return error_in_line(
        name_, lines_.number(), "a face names a vertex that is not there", word,
        count == 0 ? "vertices ahead of the face"
                   : "1 to " + std::to_string(count) + ", or -1 to -" + std::to_string(count));
  }

  detail::Lines lines_;
  const std::string& name_;
  const MeshFileOptions& options_;
  MeshData mesh_;
  detail::CrossedPolygons crossed_;
};

}  // namespace

Result<MeshData> parse_obj(std::string_view text, const std::string& name,
                           const MeshFileOptions& options) {
  return ObjReader(text, name, options).run();
}

}  // namespace tenon::scene
