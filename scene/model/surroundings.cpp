// Who touches whom, and what a model stands on.
#include <algorithm>
#include <limits>

#include "tenon/engine/collision/narrow/separation.h"
#include "tenon/engine/geometry/bounds.h"
#include "tenon/scene/build/body_parts.h"
#include "tenon/scene/model/to_document.h"

namespace tenon::scene::model {
namespace {

Body* find(Document& document, const std::string& name) {
  for (Body& body : document.bodies) {
    if (body.name == name) return &body;
  }
  return nullptr;
}

void give_group(Document& document, Body& body) {
  if (std::find(body.groups.begin(), body.groups.end(), body.name) != body.groups.end()) return;
  body.groups.push_back(body.name);
  Group group;
  group.name = body.name;
  document.groups.push_back(std::move(group));
}

struct PlacedShape {
  tenon::Shape shape;
  Transform X_WS;
  Aabb box;
};

std::vector<PlacedShape> touching_shapes(const Document& document, const Body& body,
                                         MeshLibrary& meshes) {
  std::vector<PlacedShape> placed;
  const auto parts = make_parts(document, body, meshes);
  if (!parts || !body.collision) return placed;
  for (const BodyPart& part : *parts) {
    if (!part.shape || part.role == PartRole::kVisual) continue;
    const Transform X = to_transform(Pose{body.position, body.orientation} * part.X_BP);
    placed.push_back({*part.shape, X, calc_bounds(*part.shape, X)});
  }
  return placed;
}

bool overlap(const std::vector<PlacedShape>& a, const std::vector<PlacedShape>& b) {
  for (const PlacedShape& p : a) {
    for (const PlacedShape& q : b) {
      if (!overlaps(p.box, q.box)) continue;
      const bool mesh = kind(p.shape) == ShapeKind::kMesh || kind(q.shape) == ShapeKind::kMesh;
      if (mesh || find_separation(p.shape, p.X_WS, q.shape, q.X_WS).distance < 0) return true;
    }
  }
  return false;
}

double lowest_of(const Document& document, const Body& body, MeshLibrary& meshes) {
  double lowest = std::numeric_limits<double>::infinity();
  const auto parts = make_parts(document, body, meshes);
  if (!parts) return lowest;
  const Pose X_WB{body.position, body.orientation};
  for (const BodyPart& part : *parts) {
    if (!part.shape || part.role == PartRole::kVisual) continue;
    if (kind(*part.shape) == ShapeKind::kPlane) continue;
    lowest = std::min(lowest, calc_bounds(*part.shape, to_transform(X_WB * part.X_BP)).lo.y);
  }
  return lowest;
}

}  // namespace

void keep_apart(const std::vector<std::pair<std::string, std::string>>& pairs, Document& document) {
  for (const auto& [a, b] : pairs) {
    Body *body_a = find(document, a), *body_b = find(document, b);
    if (body_a == nullptr || body_b == nullptr || body_a == body_b) continue;
    give_group(document, *body_a);
    std::vector<std::string>& ignores = body_b->ignores;
    if (std::find(ignores.begin(), ignores.end(), a) == ignores.end()) ignores.push_back(a);
  }
}

void keep_overlaps_apart(const FileReader& meshes, Document& document) {
  MeshLibrary library({.read = meshes, .use = MeshUse::kPicture});
  std::vector<std::vector<PlacedShape>> shapes;
  for (const Body& body : document.bodies) {
    shapes.push_back(touching_shapes(document, body, library));
  }
  std::vector<std::pair<std::string, std::string>> apart;
  for (size_t i = 0; i < shapes.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (!overlap(shapes[i], shapes[j])) continue;
      apart.emplace_back(document.bodies[j].name, document.bodies[i].name);
    }
  }
  keep_apart(apart, document);
}

void add_floor(const FileReader& meshes, Document& document, Report& report) {
  for (const Body& body : document.bodies) {
    const auto* plane = std::get_if<PlaneShape>(&body.shape);
    if (plane == nullptr || !body.collision) continue;
    // below 45 degrees it is one to stand on
    if (rotate(body.orientation, normalized(plane->normal, {0, 1, 0})).y < 0.7) continue;
    report.notes.push_back("no floor was added: the model has one, '" + body.name + "'");
    return;
  }
  MeshLibrary library({.read = meshes, .use = MeshUse::kPicture});
  double lowest = std::numeric_limits<double>::infinity();
  for (const Body& body : document.bodies)
    lowest = std::min(lowest, lowest_of(document, body, library));
  Body floor;
  std::set<std::string> taken{kWorldName};
  for (const Body& body : document.bodies) taken.insert(body.name);
  floor.name = make_name("floor", taken);
  floor.shape = PlaneShape{{0, 1, 0}, lowest < 1e9 ? lowest : 0};
  floor.motion = Motion::kStatic;
  floor.material = "stone";
  document.bodies.push_back(std::move(floor));
}

}  // namespace tenon::scene::model
