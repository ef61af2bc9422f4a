// glTF 2.0 and its binary form [Khronos2021]: nodes, meshes and their triangles.
#include "tenon/scene/mesh/gltf_file.h"

#include <optional>

#include "tenon/engine/math/transform.h"
#include "tenon/scene/formats/json_text.h"
#include "tenon/scene/mesh/detail/text_lines.h"
#include "tenon/scene/mesh/gltf_buffers.h"

namespace tenon::scene {
namespace gltf_file {  // with a name: GltfMeshes::Impl has a part of it

using detail::error_at_byte;
using detail::GltfBuffers;

constexpr int kDeepest = 100;             // nodes within nodes
constexpr size_t kMostNodes = 1'000'000;  // visited in all: nodes may be named by several parents

// y = A x + b
struct Affine {
  Mat3 A = Mat3::identity();
  Vec3 b;
};
Affine operator*(const Affine& p, const Affine& q) { return {p.A * q.A, p.A * q.b + p.b}; }

bool read_numbers(const Json* list, double* out, size_t count) {
  if (!list || !list->is_array() || list->items.size() != count) return false;
  for (size_t i = 0; i < count; ++i) {
    if (!list->items[i].is_number()) return false;
    out[i] = list->items[i].number;
  }
  return true;
}

Affine read_place(const Json& node) {
  double m[16], t[3] = {0, 0, 0}, r[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
  if (read_numbers(node.find("matrix"), m, 16))
    return {Mat3::from_columns({m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}),
            {m[12], m[13], m[14]}};
  read_numbers(node.find("translation"), t, 3);
  read_numbers(node.find("rotation"), r, 4);
  read_numbers(node.find("scale"), s, 3);
  const Mat3 R = to_matrix(normalized(Quat{r[3], r[0], r[1], r[2]}));
  return {R * Mat3::diagonal({s[0], s[1], s[2]}), {t[0], t[1], t[2]}};
}

class GltfReader {
 public:
  GltfReader(const Json& root, std::string_view binary, const std::string& name,
             const MeshFileOptions& options)
      : root_(root), buffers_(root, binary, name, options.read), name_(name), options_(options) {}

  Result<MeshData> run() {
    if (Status known = check_extensions(); !known) return known.error();
    if (Status loaded = buffers_.load(); !loaded) return loaded.error();
    if (Status added = add_roots(); !added) return added.error();
    if (mesh_.triangles.empty())
      return Error{
          .message = "the file has no triangles", .file = name_, .accepted = "one or more"};
    return std::move(mesh_);
  }

  Status load() {
    if (Status known = check_extensions(); !known) return known;
    return buffers_.load();
  }

  // Precondition: loaded.
  Result<MeshData> of_node(const Json& node, GltfChildren children) {
    mesh_ = {};
    visited_ = 0;
    if (const Json* number = node.find("mesh")) {
      const Json* mesh = buffers_.find("meshes", number);
      if (!mesh) return buffers_.not_there(number, node, "meshes", "a mesh");
      if (Status added = add_mesh(*mesh, {}); !added) return added.error();
    }
    if (children == GltfChildren::kWith) {
      if (Status added = add_children(node.find("children"), {}, 0); !added) return added.error();
    }
    return std::move(mesh_);
  }

 private:
  Status check_extensions() const {
    const Json* list = root_.find("extensionsRequired");
    for (size_t i = 0; list && i < list->items.size(); ++i) {
      const std::string& name = list->items[i].string;
      if (name.find("compression") != std::string::npos || name == "KHR_mesh_quantization")
        return buffers_.wrong(list->items[i],
                              "the file needs the extension '" + name + "', which is not read",
                              "the mesh without compression");
    }
    return Ok{};
  }

  // The nodes of the scene; of all where there is none; the meshes where there is no node.
  Status add_roots() {
    const Json* scenes = root_.find("scenes");
    const Json first(0), *wanted = root_.find("scene");
    const Json* scene = buffers_.find("scenes", wanted ? wanted : &first);
    if (scenes && scene) return add_children(scene->find("nodes"), {}, 0);
    const Json* meshes = root_.find("meshes");
    for (size_t i = 0; meshes && i < meshes->items.size(); ++i)
      if (Status added = add_mesh(meshes->items[i], {}); !added) return added;
    return Ok{};
  }

  Status add_children(const Json* list, const Affine& X, int depth) {
    for (size_t i = 0; list && list->is_array() && i < list->items.size(); ++i) {
      const Json* node = buffers_.find("nodes", &list->items[i]);
      if (!node) return buffers_.not_there(&list->items[i], list->items[i], "nodes", "a node");
      if (depth >= kDeepest || ++visited_ > kMostNodes)
        return buffers_.wrong(*node, "nodes contain one another, or too many of them",
                              "up to " + std::to_string(kDeepest) + " within one another");
      const Affine here = X * read_place(*node);
      if (const Json* number = node->find("mesh")) {
        const Json* mesh = buffers_.find("meshes", number);
        if (!mesh) return buffers_.not_there(number, *node, "meshes", "a mesh");
        if (Status added = add_mesh(*mesh, here); !added) return added;
      }
      if (Status added = add_children(node->find("children"), here, depth + 1); !added)
        return added;
    }
    return Ok{};
  }

  Status add_mesh(const Json& mesh, const Affine& X) {
    const Json* list = mesh.find("primitives");
    for (size_t i = 0; list && i < list->items.size(); ++i)
      if (Status added = add_primitive(list->items[i], X); !added) return added;
    return Ok{};
  }

  Status add_primitive(const Json& primitive, const Affine& X) {
    const Json* mode_number = primitive.find("mode");
    const size_t mode = mode_number ? detail::to_count(mode_number).value_or(0) : 4;
    if (mode < 4 || mode > 6) return Ok{};  // points and lines
    const Json* attributes = primitive.find("attributes");
    const Json* positions = attributes ? attributes->find("POSITION") : nullptr;
    const Result<std::vector<Vec3>> points = buffers_.points(positions, primitive);
    if (!points) return points.error();
    std::vector<uint32_t> corners;
    if (const Json* number = primitive.find("indices")) {
      Result<std::vector<uint32_t>> read = buffers_.indices(number, primitive);
      if (!read) return read.error();
      corners = std::move(*read);
    } else {
      for (uint32_t k = 0; k < points->size(); ++k) corners.push_back(k);
    }
    for (const uint32_t c : corners)
      if (c >= points->size())
        return buffers_.wrong(primitive, "an index names a position that is not there",
                              "0 to " + std::to_string(points->size() - 1), std::to_string(c));
    return add_triangles(*points, corners, mode, X);
  }

  Status add_triangles(const std::vector<Vec3>& points, const std::vector<uint32_t>& corners,
                       size_t mode, const Affine& X) {
    const int base = static_cast<int>(mesh_.vertices.size());
    const size_t count = mode == 4            ? corners.size() / 3
                         : corners.size() < 3 ? 0
                                              : corners.size() - 2;
    if (mesh_.triangles.size() + count > options_.max_triangles ||
        mesh_.vertices.size() + points.size() > 3 * options_.max_triangles)
      return detail::too_many_triangles(name_, options_.max_triangles);
    for (const Vec3& p : points) mesh_.vertices.push_back(X.A * p + X.b);
    // a mirroring node turns triangles around
    const bool mirrored = dot(X.A.row(0), cross(X.A.row(1), X.A.row(2))) < 0;
    for (size_t t = 0; t < count; ++t) {
      const size_t at = mode == 4 ? 3 * t : t;
      size_t a = mode == 6 ? 0 : at, b = at + 1, c = at + 2;
      if (mirrored != (mode == 5 && t % 2 == 1)) std::swap(b, c);
      const auto vertex = [&](size_t i) { return base + static_cast<int>(corners[i]); };
      mesh_.triangles.push_back({vertex(a), vertex(b), vertex(c)});
    }
    return Ok{};
  }

  const Json& root_;
  GltfBuffers buffers_;
  const std::string& name_;
  const MeshFileOptions& options_;
  MeshData mesh_;
  size_t visited_ = 0;
};

using Chunks = detail::GltfChunks;

// The binary form: 12 bytes of head, then chunks of u32 length, u32 kind.
Result<Chunks> split(std::string_view bytes, const std::string& name) {
  const auto u32 = [&](size_t at) {
    uint32_t value = 0;
    for (size_t i = 0; i < 4; ++i)
      value |= static_cast<uint32_t>(static_cast<uint8_t>(bytes[at + i])) << (8 * i);
    return value;
  };
  if (bytes.size() < 20) return error_at_byte(name, bytes.size(), "the file ends within its head");
  if (u32(4) != 2)
    return error_at_byte(name, 4, "unknown version of glTF: " + std::to_string(u32(4)), "2");
  Chunks chunks;
  for (size_t at = 12; at + 8 <= bytes.size();) {
    const size_t length = u32(at), kind = u32(at + 4);
    if (length > bytes.size() - at - 8)
      return error_at_byte(name, bytes.size(), "the file ends within a chunk",
                           std::to_string(at + 8 + length) + " bytes");
    const std::string_view content = bytes.substr(at + 8, length);
    if (kind == 0x4e4f534a && chunks.json.empty()) chunks.json = content;
    if (kind == 0x004e4942 && chunks.binary.empty()) chunks.binary = content;
    at += 8 + length;
  }
  if (chunks.json.empty()) return error_at_byte(name, 12, "the file has no JSON chunk");
  return chunks;
}

// Version 1 has other lists under the same names.
Status check_version(const Json& root, const std::string& name) {
  const Json* asset = root.find("asset");
  for (const char* key : {"version", "minVersion"}) {
    const Json* version = asset ? asset->find(key) : nullptr;
    if (!version || (version->is_string() && version->string.starts_with("2."))) continue;
    return Error{.message = std::string("unknown version of glTF (asset.") + key + ")",
                 .file = name,
                 .line = version->place.line,
                 .column = version->place.column,
                 .value = format_short(*version),
                 .accepted = "\"2.0\""};
  }
  return Ok{};
}

}  // namespace gltf_file
using namespace gltf_file;

Result<GltfFile> open_gltf(std::string_view bytes, const std::string& name) {
  Chunks chunks{bytes, {}};
  if (bytes.starts_with("glTF")) {
    const Result<Chunks> parts = split(bytes, name);
    if (!parts) return parts.error();
    chunks = *parts;
  }
  JsonLimits limits;
  limits.max_bytes = size_t{1} << 30;  // buffers within the file are long texts
  ParsedJson parsed = parse_json(chunks.json, name, limits);
  if (!parsed.complete || !parsed.errors.empty())
    return parsed.errors.empty() ? Error{.message = "the file ends too early", .file = name}
                                 : parsed.errors.front();
  if (!parsed.root.is_object())
    return Error{.message = "this is no glTF file", .file = name, .accepted = "a JSON object"};
  if (Status known = check_version(parsed.root, name); !known) return known.error();
  return GltfFile{std::move(parsed.root), chunks.binary, name};
}

Result<MeshData> parse_gltf(std::string_view bytes, const std::string& name,
                            const MeshFileOptions& options) {
  const Result<GltfFile> file = open_gltf(bytes, name);
  if (!file) return file.error();
  return GltfReader(file->root, file->binary, name, options).run();
}

struct GltfMeshes::Impl {
  MeshFileOptions options;
  GltfReader reader;
  Impl(const GltfFile& file, const MeshFileOptions& o)
      : options(o), reader(file.root, file.binary, file.name, options) {}
};

GltfMeshes::GltfMeshes(const GltfFile& file, const MeshFileOptions& options)
    : impl_(std::make_unique<Impl>(file, options)) {}
GltfMeshes::~GltfMeshes() = default;
Status GltfMeshes::load() { return impl_->reader.load(); }
Result<MeshData> GltfMeshes::of_node(const Json& node, GltfChildren children) {
  return impl_->reader.of_node(node, children);
}

}  // namespace tenon::scene
