#include "tenon/scene/mesh/mesh_library.h"

#include <algorithm>
#include <bit>
#include <span>

#include "tenon/engine/geometry/mesh_bytes.h"
#include "tenon/scene/formats/form_fields.h"
#include "tenon/scene/forms/forms.h"
#include "tenon/scene/mesh/mesh_repair.h"

namespace tenon::scene {

double metres(LengthUnit unit) {
  switch (unit) {
    case LengthUnit::kMetre:
      return 1;
    case LengthUnit::kCentimetre:
      return 0.01;
    case LengthUnit::kMillimetre:
      return 0.001;
    case LengthUnit::kInch:
      return 0.0254;
    case LengthUnit::kFoot:
      return 0.3048;
  }
  return 1;
}

Vec3 upright(UpAxis up, const Vec3& v) {
  switch (up) {
    case UpAxis::kY:
      break;
    case UpAxis::kZ:
      return {v.x, v.z, -v.y};
    case UpAxis::kX:
      return {-v.y, v.x, v.z};
  }
  return v;
}

namespace {

double longest_side(const MeshData& mesh) {
  if (mesh.vertices.empty()) return 0;
  Aabb box{mesh.vertices[0], mesh.vertices[0]};
  for (const Vec3& v : mesh.vertices) box = {cwise_min(box.lo, v), cwise_max(box.hi, v)};
  return max_component(box.hi - box.lo);
}

void place(const MeshShape& shape, MeshData& mesh) {
  const double unit = metres(shape.units);
  for (Vec3& v : mesh.vertices) v = upright(shape.up, unit * cwise_mul(shape.scale, v));
  // a mirror image has its outside inside
  if (shape.scale.x * shape.scale.y * shape.scale.z < 0)
    for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
}

void repair(const MeshShape& shape, MeshData& mesh) {
  const auto wants = [&](MeshRepair repair) {
    return std::find(shape.repair.begin(), shape.repair.end(), repair) != shape.repair.end();
  };
  if (wants(MeshRepair::kWeld))
    weld_vertices(mesh, shape.weld_distance.value_or(1e-6 * longest_side(mesh)));
  if (wants(MeshRepair::kDrop)) drop_triangles(mesh);
  if (wants(MeshRepair::kFlip)) flip_triangles(mesh);
}

// Each edge once in each direction.
bool is_closed(const MeshData& mesh) {
  std::vector<uint64_t> up, down;
  for (const auto& t : mesh.triangles) {
    for (size_t k = 0; k < 3; ++k) {
      const auto a = static_cast<uint64_t>(t[k]), b = static_cast<uint64_t>(t[(k + 1) % 3]);
      (a < b ? up : down).push_back(std::min(a, b) << 32 | std::max(a, b));
    }
  }
  std::sort(up.begin(), up.end());
  std::sort(down.begin(), down.end());
  return up == down && std::adjacent_find(up.begin(), up.end()) == up.end();
}

// The place in a file as part of the message: the scene's own place comes in front of it.
Error told(const Error& error) {
  Error out{.message = error.message, .value = error.value, .accepted = error.accepted};
  if (error.file.empty()) return out;
  out.message = "mesh file '" + error.file + "'";
  if (error.line > 0) out.message += ", line " + std::to_string(error.line);
  out.message += ": " + error.message;
  return out;
}

void append(std::string& key, double value) {
  const auto bits = std::bit_cast<uint64_t>(value);
  for (int i = 0; i < 8; ++i) key += static_cast<char>(bits >> (8 * i) & 0xff);
}

// Every number and word of a form, by the description of its fields.
struct FormKey {
  std::string& key;

  void field(const char*, const Edge& value, const Spec&, const char*) {
    append(key, value.value_or(0));
  }
  void field(const char*, const Vec3& value, const Spec&, const char*) {
    for (int k = 0; k < 3; ++k) append(key, value[k]);
  }
  void field(const char*, const std::string& value, const Spec&, const char*) {
    key += value + '|';
  }
  template <class T>
  void field(const char*, const T& value, const Spec&, const char*) {
    append(key, static_cast<double>(value));
  }
};

bool names_files(const std::string& bytes, const std::string& name) {
  const bool text = name.ends_with(".gltf") || name.ends_with(".GLTF");
  const bool binary = name.ends_with(".glb") || name.ends_with(".GLB");
  return text || (binary && bytes.find("\"uri\"") != std::string::npos);
}

std::string key_of(const MeshShape& s) {
  std::string key = s.file;
  key += '\0';
  for (const double x :
       {static_cast<double>(s.units), static_cast<double>(s.up), s.scale.x, s.scale.y, s.scale.z,
        static_cast<double>(s.origin), s.weld_distance.value_or(0), s.cell.value_or(0)})
    append(key, x);
  if (s.form) {
    key += static_cast<char>('A' + static_cast<int>(s.form->index()));
    FormKey visitor{key};
    std::visit([&](const auto& form) { describe(visitor, form); }, *s.form);
  }
  for (const MeshRepair r : s.repair) key += static_cast<char>('0' + static_cast<int>(r));
  key += '|';
  for (const Vec3& v : s.vertices)
    for (int k = 0; k < 3; ++k) append(key, v[k]);
  for (const auto& t : s.triangles) key.append(reinterpret_cast<const char*>(t.data()), sizeof t);
  return key;
}

}  // namespace

Result<MeshData> resolve_mesh(const MeshShape& shape, const FileReader& read) {
  MeshData mesh{shape.vertices, shape.triangles};
  if (shape.form) {
    Result<Surface> surface = make_surface(*shape.form);
    if (!surface) return surface.error();
    mesh = {std::move(surface->vertices), std::move(surface->triangles)};
  }
  if (!shape.file.empty()) {
    if (!read)
      return Error{.message = "mesh file '" + shape.file + "': files cannot be read here",
                   .accepted = "\"vertices\" and \"triangles\" in the scene itself"};
    const Result<FileBytes> bytes = read(shape.file);
    if (!bytes) return told(bytes.error());
    Result<MeshData> parsed = parse_mesh_file(**bytes, shape.file, {.read = read});
    if (!parsed) return told(parsed.error());
    mesh = std::move(*parsed);
    // files split vertices; two solids that share an edge stay as they are
    if (!is_closed(mesh)) join_equal_vertices(mesh);
  }
  place(shape, mesh);
  repair(shape, mesh);
  if (shape.origin == MeshOrigin::kFile) return mesh;
  const Result<Mesh> made = make_mesh(mesh.vertices, mesh.triangles, {.use = MeshUse::kPicture});
  if (!made) return made.error();
  if (!made->geometry->closed)
    return Error{.message = "an open mesh has no centre of mass to be its origin",
                 .accepted = "\"origin\": \"file\""};
  for (Vec3& v : mesh.vertices) v -= made->geometry->centroid;
  return mesh;
}

MeshLibrary::MeshLibrary(MeshLibraryOptions options) : options_(std::move(options)) {
  if (options_.threads > 1) pool_ = std::make_unique<ThreadPool>(options_.threads);
  if (!options_.read) return;
  // what is read is kept for the recording
  read_ = [this](const std::string& name) -> Result<FileBytes> {
    for (const SceneFile& file : files_)
      if (file.name == name) return file.bytes;
    Result<FileBytes> bytes = options_.read(name);
    if (bytes) files_.push_back({name, *bytes});
    return bytes;
  };
}
MeshLibrary::~MeshLibrary() = default;

Result<Mesh> MeshLibrary::find(const MeshShape& shape) {
  const std::string name = key_of(shape);
  if (const auto found = by_shape_.find(name); found != by_shape_.end()) return found->second;
  Result<Mesh> made = make(shape, name);
  if (made) by_shape_.emplace(name, *made);
  return made;
}

// Files that may name others have none: of those the triangles would have to be known.
std::optional<MeshKey> MeshLibrary::find_key(const MeshShape& shape, const std::string& name) {
  if (options_.store == nullptr || options_.use != MeshUse::kContact) return std::nullopt;
  std::string words = name;
  for (const int version : {kMeshVersion, kFieldVersion, kFormsVersion, kMeshFileVersion})
    append(words, static_cast<double>(version));
  if (!shape.file.empty()) {
    const Result<FileBytes> bytes = read_ ? read_(shape.file) : Error{};
    if (!bytes || names_files(**bytes, shape.file)) return std::nullopt;
    const WideHash hash = hash_bytes(std::as_bytes(std::span(**bytes)), pool_.get());
    append(words, std::bit_cast<double>(hash.a));
    append(words, std::bit_cast<double>(hash.b));
  }
  return hash_bytes(std::as_bytes(std::span(words)), pool_.get());
}

Result<Mesh> MeshLibrary::make(const MeshShape& shape, const std::string& name) {
  const std::optional<MeshKey> key = find_key(shape, name);
  if (!key) return resolve(shape);
  if (auto geometry = options_.store->find(*key, pool_.get())) {
    const Mesh mesh{std::move(geometry)};
    return by_content_.emplace(std::pair{mesh.geometry->content, shape.cell.value_or(0)}, mesh)
        .first->second;
  }
  Result<Mesh> made = resolve(shape);
  if (made) options_.store->keep(*key, *made->geometry, pool_.get());
  return made;
}

Result<Mesh> MeshLibrary::resolve(const MeshShape& shape) {
  Result<MeshData> data = resolve_mesh(shape, read_);
  if (!data) return data.error();
  const double cell = shape.cell.value_or(0);
  const uint64_t content = calc_mesh_content(data->vertices, data->triangles);
  const auto same = by_content_.find({content, cell});
  if (same != by_content_.end()) return same->second;
  Result<Mesh> made = make_mesh(std::move(data->vertices), std::move(data->triangles),
                                {.use = options_.use, .cell = cell, .pool = pool_.get()});
  if (!made) {
    Error error = made.error();
    if (!shape.file.empty()) error.message = "mesh file '" + shape.file + "': " + error.message;
    return error;
  }
  by_content_.emplace(std::pair{content, cell}, *made);
  return made;
}

FileReader read_from(std::vector<SceneFile> files) {
  return [files = std::move(files)](const std::string& name) -> Result<FileBytes> {
    for (const SceneFile& file : files)
      if (file.name == name) return file.bytes;
    return Error{.message = "the recording has no such file", .file = name};
  };
}

}  // namespace tenon::scene
