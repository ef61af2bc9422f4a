#include "tenon/scene/gltf/glb_writer.h"

#include <bit>

#include "tenon/engine/geometry/hull.h"
#include "tenon/engine/geometry/shape.h"
#include "tenon/engine/math/elementary.h"
#include "tenon/scene/formats/json_text.h"
#include "tenon/scene/formats/number_text.h"
#include "tenon/scene/gltf/export_nodes.h"
#include "tenon/scene/mesh/mesh_library.h"

namespace tenon::scene::gltf {
namespace {

void append(std::string& bytes, uint32_t word) {
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(word >> (8 * i) & 0xff);
}

// Circles about y.
void add_ring(double radius, double height, std::vector<Vec3>& points) {
  constexpr int kAround = 24;
  const int count = radius > 1e-9 ? kAround : 1;
  for (int i = 0; i < count; ++i) {
    const double a = 2 * kPi * i / kAround;
    points.push_back({radius * cos(a), height, radius * sin(a)});
  }
}

std::vector<Vec3> points_of(const PartShape& shape) {
  std::vector<Vec3> points;
  if (const auto* box = std::get_if<BoxShape>(&shape)) {
    for (int i = 0; i < 8; ++i)
      points.push_back(
          0.5 * cwise_mul(box->size, {i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0}));
  }
  const auto add_ball = [&](double radius, double length) {
    constexpr int kRings = 12;
    for (int i = 0; i <= kRings; ++i) {
      const double a = kPi * i / kRings - kPi / 2;
      const double r = i == 0 || i == kRings ? 0 : radius * cos(a);
      if (2 * i <= kRings) add_ring(r, radius * sin(a) - 0.5 * length, points);
      if (2 * i >= kRings) add_ring(r, radius * sin(a) + 0.5 * length, points);
    }
  };
  if (const auto* ball = std::get_if<SphereShape>(&shape)) add_ball(ball->radius, 0);
  if (const auto* capsule = std::get_if<CapsuleShape>(&shape))
    add_ball(capsule->radius, capsule->length);
  if (const auto* cylinder = std::get_if<CylinderShape>(&shape)) {
    add_ring(cylinder->radius, -0.5 * cylinder->height, points);
    add_ring(cylinder->radius, 0.5 * cylinder->height, points);
  }
  if (const auto* hull = std::get_if<HullShape>(&shape)) points = hull->points;
  return points;
}

Result<MeshData> triangles_of(const PartShape& shape, const FileReader& read) {
  if (const auto* mesh = std::get_if<MeshShape>(&shape)) return resolve_mesh(*mesh, read);
  const std::vector<Vec3> points = points_of(shape);
  if (points.empty()) return MeshData{};
  const Result<Hull> hull = make_hull(points);
  if (!hull) return hull.error();
  const HullGeometry& g = *hull->geometry;
  MeshData data{g.vertices, {}};
  const auto vertex = [&](int i) { return g.face_vertices[static_cast<size_t>(i)]; };
  for (const HullGeometry::Face& face : g.faces)
    for (int i = 1; i + 1 < face.count; ++i)
      data.triangles.push_back(
          {vertex(face.first), vertex(face.first + i), vertex(face.first + i + 1)});
  return data;
}

double to_linear(double x) { return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4); }

std::string key_of(const PartShape& shape, const Color& color) {
  std::string key = std::to_string(shape.index());
  const auto add = [&](double x) { key += ' ' + format_number(x); };
  for (const double x : {color.r, color.g, color.b}) add(x);
  for (const Vec3& p : points_of(shape))
    for (int k = 0; k < 3; ++k) add(p[k]);
  return key;
}

}  // namespace

int GlbWriter::add_color(const Color& color) {
  const std::string key =
      format_number(color.r) + ' ' + format_number(color.g) + ' ' + format_number(color.b);
  const auto [at, is_new] = colors_.emplace(key, static_cast<int>(materials_.items.size()));
  if (!is_new) return at->second;
  Json factor = list_of({to_linear(color.r), to_linear(color.g), to_linear(color.b)});
  factor.push(1);
  Json look = Json::object(), material = Json::object();
  look.set("baseColorFactor", std::move(factor)).set("metallicFactor", 0);
  material.set("pbrMetallicRoughness", std::move(look));
  materials_.push(std::move(material));
  return at->second;
}

int GlbWriter::add_view(size_t begin, int target) {
  Json view = Json::object();
  view.set("buffer", 0).set("byteOffset", static_cast<double>(begin));
  view.set("byteLength", static_cast<double>(binary_.size() - begin)).set("target", target);
  views_.push(std::move(view));
  return static_cast<int>(views_.items.size()) - 1;
}

Json GlbWriter::add_positions(const std::vector<Vec3>& points) {
  const size_t begin = binary_.size();
  Vec3 low{1e300, 1e300, 1e300}, high = -low;
  for (const Vec3& p : points) {
    Vec3 rounded;
    for (int k = 0; k < 3; ++k) {
      const auto x = static_cast<float>(p[k]);
      rounded[k] = static_cast<double>(x);
      append(binary_, std::bit_cast<uint32_t>(x));
    }
    low = cwise_min(low, rounded);
    high = cwise_max(high, rounded);
  }
  Json accessor = Json::object();
  accessor.set("bufferView", add_view(begin, 34962)).set("componentType", 5126);
  accessor.set("count", static_cast<double>(points.size())).set("type", "VEC3");
  accessor.set("min", list_of(low)).set("max", list_of(high));
  return accessor;
}

Result<int> GlbWriter::add_mesh(const PartShape& shape, const Color& color) {
  const bool simple = !std::holds_alternative<MeshShape>(shape);
  const std::string key = simple ? key_of(shape, color) : "";
  if (const auto found = known_.find(key); simple && found != known_.end()) return found->second;
  const Result<MeshData> data = triangles_of(shape, read_);
  if (!data) return data.error();
  if (data->triangles.empty()) return -1;
  accessors_.push(add_positions(data->vertices));
  const int positions = static_cast<int>(accessors_.items.size()) - 1;
  const size_t begin = binary_.size();
  for (const auto& t : data->triangles)
    for (const int v : t) append(binary_, static_cast<uint32_t>(v));
  Json indices = Json::object();
  indices.set("bufferView", add_view(begin, 34963)).set("componentType", 5125);
  indices.set("count", static_cast<double>(3 * data->triangles.size())).set("type", "SCALAR");
  accessors_.push(std::move(indices));
  Json attributes = Json::object(), primitive = Json::object(), mesh = Json::object();
  attributes.set("POSITION", positions);
  primitive.set("attributes", std::move(attributes)).set("indices", positions + 1);
  primitive.set("material", add_color(color));
  mesh.set("primitives", Json::array({std::move(primitive)}));
  meshes_.push(std::move(mesh));
  const int number = static_cast<int>(meshes_.items.size()) - 1;
  if (simple) known_.emplace(key, number);
  return number;
}

std::string GlbWriter::finish(Json root) {
  while (binary_.size() % 4 != 0) binary_ += '\0';
  if (!meshes_.items.empty()) {
    Json buffer = Json::object();
    buffer.set("byteLength", static_cast<double>(binary_.size()));
    root.set("meshes", meshes_).set("accessors", accessors_).set("bufferViews", views_);
    root.set("materials", materials_).set("buffers", Json::array({std::move(buffer)}));
  }
  std::string text = format_compact(root);
  while (text.size() % 4 != 0) text += ' ';
  std::string bytes = "glTF";
  const size_t chunk = binary_.empty() ? 0 : 8 + binary_.size();
  append(bytes, 2);
  append(bytes, static_cast<uint32_t>(12 + 8 + text.size() + chunk));
  append(bytes, static_cast<uint32_t>(text.size()));
  append(bytes, 0x4e4f534a);
  bytes += text;
  if (binary_.empty()) return bytes;
  append(bytes, static_cast<uint32_t>(binary_.size()));
  append(bytes, 0x004e4942);
  return bytes + binary_;
}

}  // namespace tenon::scene::gltf
