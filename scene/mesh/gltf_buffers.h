// The numbers of a glTF file: buffers, views and accessors.
#pragma once

#include <optional>
#include <vector>

#include "tenon/scene/document/json.h"
#include "tenon/scene/mesh/mesh_file.h"

namespace tenon::scene::detail {

class GltfBuffers {
 public:
  // `binary`: the BIN chunk of a .glb. All outlive it.
  GltfBuffers(const Json& root, std::string_view binary, const std::string& name,
              const FileReader& read)
      : root_(root), binary_(binary), name_(name), read_(read) {}

  // Fetches what the file names. Errors name the buffer.
  Status load();
  // The accessor of this number as points, or as whole numbers; the user is what names it.
  Result<std::vector<Vec3>> points(const Json* index, const Json& user) const;
  Result<std::vector<uint32_t>> indices(const Json* index, const Json& user) const;

  Error wrong(const Json& place, std::string message, std::string accepted = {},
              std::string value = {}) const;
  // An index, or none, that names nothing in the list `section`; `what` should be there.
  Error not_there(const Json* index, const Json& user, const char* section, std::string what) const;
  // Element `index` of the list `section` of the root; nullptr where there is none.
  const Json* find(const char* section, const Json* index) const;

 private:
  struct Span {
    std::string_view bytes;
    size_t count = 0, stride = 0;
    int component = 0;
  };
  // 0 where there is none.
  Result<size_t> offset(const Json& owner, const char* key) const;
  Result<std::string_view> find_view(const Json& accessor, const Json*& view) const;
  Result<Span> find_span(const Json& accessor, const char* type, size_t components) const;

  const Json& root_;
  std::string_view binary_;
  const std::string& name_;
  const FileReader& read_;
  std::vector<FileBytes> kept_;
  std::vector<std::string_view> buffers_;
};

// A whole number that is not negative; nothing otherwise.
std::optional<size_t> to_count(const Json* json);

}  // namespace tenon::scene::detail
