// From the meshes of a scene to those of the engine, each made once and shared by all bodies.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tenon/engine/base/hash_bytes.h"
#include "tenon/engine/geometry/mesh.h"
#include "tenon/scene/document/mesh_shape.h"
#include "tenon/scene/mesh/mesh_file.h"

namespace tenon::scene {

// A file that a scene needs besides its text.
struct SceneFile {
  std::string name;  // as the scene has it
  FileBytes bytes;
  friend bool operator==(const SceneFile& a, const SceneFile& b) {
    return a.name == b.name && (a.bytes == b.bytes || (a.bytes && b.bytes && *a.bytes == *b.bytes));
  }
};

// Meshes that were made before, with all that takes long to make. A key stands for the bytes that a
// mesh comes from, all that the scene says of it, and the versions of whatever makes it.
using MeshKey = WideHash;
class MeshStore {
 public:
  virtual ~MeshStore() = default;
  virtual std::shared_ptr<const MeshGeometry> find(const MeshKey& key, ThreadPool* pool) = 0;
  virtual void keep(const MeshKey& key, const MeshGeometry& mesh, ThreadPool* pool) = 0;
};

// A point of a file in metres is upright(up, metres(units) * scale * v).
double metres(LengthUnit unit);
// Turned so that the file's up axis becomes y.
Vec3 upright(UpAxis up, const Vec3& v);

// The one place where a mesh of a scene becomes triangles in metres: from its file or as written,
// mended where it asks for it, scaled, turned and moved. Errors name the file and the place in it.
Result<MeshData> resolve_mesh(const MeshShape& shape, const FileReader& read);

struct MeshLibraryOptions {
  FileReader read{};           // none: meshes cannot come from files
  MeshStore* store = nullptr;  // outlives the library; or none
  MeshUse use = MeshUse::kContact;
  int threads = 1;
};

class MeshLibrary {
 public:
  explicit MeshLibrary(MeshLibraryOptions options = {});
  ~MeshLibrary();
  MeshLibrary(const MeshLibrary&) = delete;
  MeshLibrary& operator=(const MeshLibrary&) = delete;

  // Equal shapes, and shapes with equal triangles, give the same geometry.
  Result<Mesh> find(const MeshShape& shape);

  // What was read from files so far, in the order of first use: what a recording has to keep.
  const std::vector<SceneFile>& files() const { return files_; }

 private:
  Result<Mesh> make(const MeshShape& shape, const std::string& name);
  Result<Mesh> resolve(const MeshShape& shape);
  // The key of a shape that is known before its triangles are; nothing where it is not.
  std::optional<MeshKey> find_key(const MeshShape& shape, const std::string& name);

  MeshLibraryOptions options_;
  FileReader read_;
  std::vector<SceneFile> files_;
  std::map<std::string, Mesh> by_shape_;
  std::map<std::pair<uint64_t, double>, Mesh> by_content_;
  std::unique_ptr<ThreadPool> pool_;
};

// Reads from a list, for recordings, which bring their files with them.
FileReader read_from(std::vector<SceneFile> files);

}  // namespace tenon::scene
