// The binary part of a glTF file and the accessors that say what is where in it.
#pragma once

#include <span>
#include <string>

#include "tenon/engine/math/vec3.h"
#include "tenon/scene/document/json.h"

namespace tenon::exports {

enum class Target { kNone = 0, kVertices = 34962, kIndices = 34963 };

class GltfBuffer {
 public:
  // Floats, `width` per element (1, 2, 3, 4); the place of the accessor. `bounds`: with min and
  // max, which positions and key times need.
  enum class Bounds { kNone, kGiven };
  int add_floats(std::span<const float> values, int width, Target target, Bounds bounds);
  int add_indices(std::span<const uint32_t> values);
  // Bytes of a picture; the place of the buffer view.
  int add_bytes(const std::string& bytes);

  const std::string& bytes() const { return bytes_; }
  scene::Json take_views() { return std::move(views_); }
  scene::Json take_accessors() { return std::move(accessors_); }

 private:
  int add_view(size_t begin, Target target);
  int add_accessor(int view, int component, size_t count, const char* type);
  scene::Json& last() { return accessors_.items.back(); }

  std::string bytes_;
  scene::Json views_ = scene::Json::array(), accessors_ = scene::Json::array();
};

}  // namespace tenon::exports
