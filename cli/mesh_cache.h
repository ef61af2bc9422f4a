// Meshes as the engine has them, kept on disk from one run to the next.
//
// Where: $TENON_CACHE, else $XDG_CACHE_HOME/tenon, else $HOME/.cache/tenon; TENON_CACHE=off keeps
// nothing. A file is named by what the mesh comes from and by the versions of what makes it, so
// that it never goes stale; one that is damaged is not used and written again. Above kCacheBytes
// the files that were not used for the longest time go.
#pragma once

#include "tenon/scene/mesh/mesh_library.h"

namespace tenon::cli {

inline constexpr uint64_t kCacheBytes = uint64_t{1} << 30;

class MeshCache final : public scene::MeshStore {
 public:
  // An empty folder keeps nothing.
  explicit MeshCache(std::string folder, uint64_t most_bytes = kCacheBytes)
      : folder_(std::move(folder)), most_bytes_(most_bytes) {}

  std::shared_ptr<const MeshGeometry> find(const scene::MeshKey& key, ThreadPool* pool) override;
  // Where it cannot be written, nothing is kept and nothing is said: it is only a cache.
  void keep(const scene::MeshKey& key, const MeshGeometry& mesh, ThreadPool* pool) override;

 private:
  std::string path_of(const scene::MeshKey& key) const;
  void make_room() const;

  std::string folder_;
  uint64_t most_bytes_;
};

// The one of this program.
MeshCache& mesh_cache();

}  // namespace tenon::cli
