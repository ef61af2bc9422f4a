#include "tenon/scene/model/import_mesh.h"

#include <optional>
#include <string>
#include <vector>

#include "tenon/engine/geometry/mesh.h"
#include "tenon/scene/formats/number_text.h"
#include "tenon/scene/mesh/mesh_library.h"
#include "tenon/scene/model/mesh_part.h"

namespace tenon::scene::model {
namespace {

constexpr double kStrange = 100;  // m: what is larger is rather in other units

std::string stem_of(const std::string& file) {
  const std::string name = file.substr(file.find_last_of('/') + 1);
  return name.substr(0, name.rfind('.'));
}

// The mildest repair that makes a solid of it.
struct FoundSolid {
  MeshShape shape;
  Mesh mesh;
  const char* repaired = nullptr;  // what was done, for people
  std::vector<std::string> remarks{};
};

Result<FoundSolid> find_solid(const std::string& file, const FileReader& read) {
  using enum MeshRepair;
  const std::pair<std::vector<MeshRepair>, const char*> ways[] = {
      {{}, nullptr},
      {{kWeld, kDrop}, "corners that coincide were joined, triangles without area left out"},
      {{kWeld, kDrop, kFlip}, "triangles were turned to face outwards"}};
  std::optional<FoundSolid> open;
  std::optional<Error> error;
  for (const auto& [repair, words] : ways) {
    FoundSolid found;
    found.shape.file = file.substr(file.find_last_of('/') + 1);
    found.shape.repair = repair;
    found.repaired = words;
    Result<MeshData> data = resolve_mesh(found.shape, read);
    if (!data) return data.error();
    found.remarks = data->remarks;
    Result<Mesh> mesh = make_mesh(std::move(data->vertices), std::move(data->triangles),
                                  {.use = MeshUse::kPicture});
    if (!mesh && !error) error = mesh.error();
    if (!mesh) continue;
    found.mesh = *mesh;
    if (mesh->geometry->closed) return found;
    if (!open) open = std::move(found);
  }
  if (open) return std::move(*open);
  error->file = file;
  return *error;
}

}  // namespace

Result<Imported> import_mesh(const std::string& file, const Files& files) {
  Result<FoundSolid> found = find_solid(file, mesh_reader(files, file));
  if (!found) return found.error();
  const MeshGeometry& mesh = *found->mesh.geometry;
  Imported out;
  Report& r = out.report;
  r.format = "mesh";
  r.name = stem_of(file);
  out.document.title = r.name;
  out.document.tags = {"mesh"};
  const Vec3 extent = mesh.bounds.hi - mesh.bounds.lo;
  Body body;
  body.name = r.name.empty() || r.name == kWorldName || r.name == "floor" ? "body" : r.name;
  body.shape = std::move(found->shape);
  if (mesh.closed) {
    if (const Material* m = find_material(out.document, body.material); m != nullptr)
      r.mass_kg = m->density * mesh.volume;
    // by half its height above the floor
    body.position.y = 0.5 * extent.y - mesh.bounds.lo.y;
    Body floor;
    floor.name = "floor";
    floor.motion = Motion::kStatic;
    floor.shape = PlaneShape{};
    floor.material = "stone";
    out.document.bodies.push_back(std::move(floor));
  } else {
    body.motion = Motion::kStatic;
    r.notes.push_back("the surface is not closed and stands still: 'tenon mesh " + file +
                      "' says where");
  }
  out.document.bodies.push_back(std::move(body));
  for (std::string& remark : found->remarks) r.notes.push_back(std::move(remark));
  if (found->repaired != nullptr) r.notes.emplace_back(found->repaired);
  if (max_component(extent) > kStrange) {
    r.notes.push_back("it is " + format_number(max_component(extent)) +
                      " m long: perhaps its lengths are in other units (\"units\": \"mm\")");
  }
  if (Status s = finish_document(out, file); !s) return s.error();
  return out;
}

}  // namespace tenon::scene::model
