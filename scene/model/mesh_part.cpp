#include "tenon/scene/model/mesh_part.h"

#include <cmath>
#include <set>

#include "tenon/engine/geometry/hull.h"
#include "tenon/engine/geometry/mesh.h"
#include "tenon/scene/mesh/mesh_library.h"

namespace tenon::scene::model {
namespace {

constexpr int kDirections = 200;  // in which the points of a hull are furthest out

std::string relative_to(const std::string& path, const std::string& folder) {
  return path.starts_with(folder) ? path.substr(folder.size()) : path;
}

}  // namespace

// The vertices that are furthest along directions spread evenly over the sphere (a spiral).
HullShape make_hull_of(const std::vector<Vec3>& vertices) {
  std::set<size_t> picked;
  for (int i = 0; i < kDirections; ++i) {
    const double z = 1 - (2.0 * i + 1) / kDirections, r = std::sqrt(1 - z * z);
    const double angle = kPi * (3 - std::sqrt(5.0)) * i;
    const Vec3 d{r * cos(angle), r * sin(angle), z};
    size_t best = 0;
    for (size_t v = 1; v < vertices.size(); ++v) {
      if (dot(vertices[v], d) > dot(vertices[best], d)) best = v;
    }
    picked.insert(best);
  }
  HullShape hull;
  for (const size_t v : picked) hull.points.push_back(vertices[v]);
  return hull;
}

FileReader mesh_reader(const Files& files, const std::string& model) {
  const std::string folder = folder_of(model);
  return [read = files.read, folder](const std::string& name) -> Result<FileBytes> {
    if (!read) return Error{.message = "there are no files here", .file = name};
    Result<std::string> bytes = read(name.starts_with('/') ? name : folder + name);
    if (!bytes) return bytes.error();
    return std::make_shared<const std::string>(std::move(*bytes));
  };
}

std::optional<PartShape> make_mesh_shape(const MeshUseOf& use, const Files& files,
                                         const xml::Element& element, Report& report) {
  MeshShape shape;
  if (!use.path.empty()) shape.file = relative_to(use.path, folder_of(element.file));
  shape.scale = use.scale;
  shape.vertices = use.vertices;
  shape.triangles = use.triangles;
  const std::string name = use.path.empty() ? "the mesh in the model" : use.path;
  const auto refuse = [&](const Error& why) {
    report.warnings.push_back(
        xml::error_at(element, "the mesh is left out: " + why.message, name, why.accepted));
    return std::nullopt;
  };
  if (use.path.empty() && use.triangles.empty()) {
    HullShape hull{use.vertices};
    for (Vec3& p : hull.points) p = cwise_mul(p, use.scale);
    if (const Result<Hull> solid = make_hull(hull.points); !solid) return refuse(solid.error());
    return PartShape(std::move(hull));
  }
  const FileReader read = mesh_reader(files, element.file);
  Result<MeshData> data = resolve_mesh(shape, read);
  if (!data) return refuse(data.error());
  for (const std::string& remark : data->remarks) report.notes.push_back(name + ": " + remark);
  Result<Mesh> mesh = make_mesh(data->vertices, data->triangles, {.use = MeshUse::kPicture});
  // files such as STL have each corner once for every triangle
  const auto is_good = [&] { return mesh && (!use.touches || mesh->geometry->closed); };
  if (!is_good()) {
    shape.repair = {MeshRepair::kWeld, MeshRepair::kDrop};
    const Result<MeshData> welded = resolve_mesh(shape, read);
    if (welded) mesh = make_mesh(welded->vertices, welded->triangles, {.use = MeshUse::kPicture});
  }
  if (is_good()) return PartShape(std::move(shape));
  if (!use.touches) return refuse(mesh.error());
  HullShape hull = make_hull_of(data->vertices);
  if (const Result<Hull> solid = make_hull(hull.points); !solid) return refuse(solid.error());
  report.notes.push_back(name + ": not closed" + (mesh ? "" : " the right way out") +
                         ", its convex hull touches instead (" +
                         std::to_string(hull.points.size()) + " points)");
  return PartShape(std::move(hull));
}

}  // namespace tenon::scene::model
