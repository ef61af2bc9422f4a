#include "tenon/scene/gltf/colliders.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/geometry/hull.h"
#include "tenon/engine/geometry/mesh.h"
#include "tenon/engine/math/elementary.h"
#include "tenon/scene/gltf/import_gltf.h"
#include "tenon/scene/mesh/mesh_repair.h"
#include "tenon/scene/model/angles.h"
#include "tenon/scene/model/mesh_part.h"

namespace tenon::scene::gltf {
namespace {

// Points of a round solid about y: rings of a radius at a height.
struct Ring {
  double radius, height;
};
HullShape make_rings(const std::vector<Ring>& rings, const Vec3& scale) {
  constexpr int kAround = 24;
  HullShape hull;
  for (const Ring& ring : rings) {
    const int count = ring.radius > 0 ? kAround : 1;
    for (int i = 0; i < count; ++i) {
      const double a = 2 * kPi * i / kAround;
      hull.points.push_back(
          cwise_mul(scale, {ring.radius * cos(a), ring.height, ring.radius * sin(a)}));
    }
  }
  return hull;
}

// Two balls and what lies between them.
HullShape make_capsule_hull(double bottom, double top, double height, const Vec3& scale) {
  constexpr int kRings = 12;
  std::vector<Ring> rings;
  for (const double side : {-1.0, 1.0}) {
    const double r = side < 0 ? bottom : top;
    for (int i = 0; i <= kRings; ++i) {
      const double a = kPi * i / kRings - kPi / 2;
      rings.push_back({i == 0 || i == kRings ? 0 : r * cos(a), 0.5 * side * height + r * sin(a)});
    }
  }
  return make_rings(rings, scale);
}

std::optional<Shape> read_implicit(Source& source, const Node& node, const Json& shape) {
  const Json* type = shape.find("type");
  const std::string kind = type && type->is_string() ? type->string : "";
  source.unused.others("shapes", shape, {"type", "sphere", "box", "cylinder", "capsule", "plane"});
  static const Json kNothing = Json::object();
  const Json* found = shape.find(kind);
  const Json& p = found ? *found : kNothing;
  const Vec3 s = cwise_abs(node.scale);
  if (kind == "box") return BoxShape{cwise_mul(s, read_vec3(p, "size", {1, 1, 1}))};
  if (kind == "sphere") {
    const double radius = read_number(p, "radius", 0.5);
    if (is_uniform(s)) return SphereShape{s.x * radius};
    source.report.notes.push_back(node.name + ": a stretched ball is a hull of points");
    return make_capsule_hull(radius, radius, 0, s);
  }
  if (kind == "cylinder" || kind == "capsule") {
    const bool capsule = kind == "capsule";
    const double height = read_number(p, "height", 0.5);
    const double bottom = read_number(p, "radiusBottom", 0.25);
    const double top = read_number(p, "radiusTop", 0.25);
    const bool round = bottom == top && s.x == s.z && (!capsule || s.x == s.y);
    if (round && capsule) return CapsuleShape{s.x * bottom, s.y * height};
    if (round) return CylinderShape{s.x * bottom, s.y * height};
    source.report.notes.push_back(node.name + ": a " + kind +
                                  " of two radii, or stretched, is a hull of points");
    if (capsule) return make_capsule_hull(bottom, top, height, s);
    return make_rings({{bottom, -0.5 * height}, {top, 0.5 * height}}, s);
  }
  if (kind == "plane") {
    if (p.find("sizeX") || p.find("sizeZ"))
      source.unused.add("shapes plane sizeX, sizeZ", p, "planes have no end here");
    return PlaneShape{};
  }
  source.warn(shape, "a shape that is not known is left out", kind,
              "sphere, box, cylinder, capsule or plane");
  return std::nullopt;
}

// In the frame of the node, as large as it is.
std::optional<MeshData> read_triangles(Source& source, const Node& node, const Json& of,
                                       GltfChildren children) {
  Result<MeshData> mesh = source.meshes.of_node(of, children);
  if (!mesh) {
    source.warn(of, node.name + ": its mesh is left out: " + mesh.error().message,
                mesh.error().value, mesh.error().accepted);
    return std::nullopt;
  }
  for (Vec3& v : mesh->vertices) v = cwise_mul(node.scale, v);
  if (node.scale.x * node.scale.y * node.scale.z < 0)
    for (auto& t : mesh->triangles) std::swap(t[1], t[2]);
  join_equal_vertices(*mesh);
  drop_triangles(*mesh);
  if (mesh->triangles.empty()) return std::nullopt;
  return std::move(*mesh);
}

std::optional<Shape> read_mesh(Source& source, const Node& node, const Json& of, bool convex) {
  std::optional<MeshData> data = read_triangles(source, node, of, GltfChildren::kWith);
  if (!data) return std::nullopt;
  const Result<Mesh> mesh = make_mesh(data->vertices, data->triangles, {.use = MeshUse::kPicture});
  const bool good = mesh && (mesh->geometry->closed || node.mover < 0);
  if (good && !convex) {
    MeshShape shape;
    shape.vertices = std::move(data->vertices);
    shape.triangles = std::move(data->triangles);
    return shape;
  }
  constexpr size_t kFewPoints = 256;
  HullShape hull = data->vertices.size() <= kFewPoints ? HullShape{data->vertices}
                                                       : model::make_hull_of(data->vertices);
  if (const Result<Hull> solid = make_hull(hull.points); !solid) {
    source.warn(of, node.name + ": its mesh is left out: " + solid.error().message,
                solid.error().value, solid.error().accepted);
    return std::nullopt;
  }
  if (!convex)
    source.report.notes.push_back(node.name + ": not closed, its convex hull touches instead");
  return hull;
}

}  // namespace

std::optional<Shape> read_shape(Source& source, const Node& node, const Json& collider) {
  const Json* geometry = collider.find("geometry");
  const Json& of = geometry ? *geometry : collider;  // earlier drafts had it in the collider itself
  if (geometry) source.unused.others("geometry", *geometry, {"shape", "node", "convexHull"});
  if (node.sheared)
    source.warn(of, node.name + ": turned within something stretched, which no shape can follow");
  if (of.find("shape")) {
    const Json* shape =
        find_listed(source.file.root, kShapes, "shapes", read_index(of, "shape", size_t{1} << 30));
    if (shape) return read_implicit(source, node, *shape);
    source.warn(of, node.name + ": its shape is not there");
    return std::nullopt;
  }
  const int at = read_index(of, "node", source.nodes.size());
  if (at >= 0)
    return read_mesh(source, node, *source.nodes[static_cast<size_t>(at)].json,
                     read_flag(of, "convexHull"));
  source.warn(of, node.name + ": a collider without a shape is left out", {}, "shape or node");
  return std::nullopt;
}

namespace {

// Of linear light to sRGB.
double to_srgb(double x) {
  x = std::clamp(x, 0.0, 1.0);
  return x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
}

std::optional<Color> read_color(const Json& root, const Json& node) {
  const auto entry = [&](const char* list, int index) -> const Json* {
    const Json* all = root.find(list);
    return all && index >= 0 && static_cast<size_t>(index) < all->items.size()
               ? &all->items[static_cast<size_t>(index)]
               : nullptr;
  };
  const Json* mesh = entry("meshes", read_index(node, "mesh", size_t{1} << 30));
  const Json* parts = mesh ? mesh->find("primitives") : nullptr;
  if (!parts || parts->items.empty()) return std::nullopt;
  const Json* material =
      entry("materials", read_index(parts->items[0], "material", size_t{1} << 30));
  const Json* look = material ? material->find("pbrMetallicRoughness") : nullptr;
  double c[4];
  if (!look || !read_numbers(look->find("baseColorFactor"), c, 4)) return std::nullopt;
  // so that a colour that was written comes back
  const auto channel = [](double x) { return model::rounded(to_srgb(x), 6); };
  return Color{channel(c[0]), channel(c[1]), channel(c[2])};
}

}  // namespace

std::optional<Part> read_picture(Source& source, const Node& node) {
  if (!node.json->find("mesh")) return std::nullopt;
  const Json* extras = node.json->find("extras");
  if (extras && extras->find(kPicture)) return std::nullopt;
  std::optional<MeshData> data = read_triangles(source, node, *node.json, GltfChildren::kWithout);
  if (!data) return std::nullopt;
  MeshShape shape;
  shape.vertices = std::move(data->vertices);
  shape.triangles = std::move(data->triangles);
  Part part;
  part.shape = std::move(shape);
  part.role = PartRole::kVisual;
  part.position = node.X_MN.p;
  part.orientation = node.X_MN.q;
  part.color = read_color(source.file.root, *node.json);
  return part;
}

}  // namespace tenon::scene::gltf
