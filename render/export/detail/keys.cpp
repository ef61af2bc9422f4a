#include "tenon/render/export/detail/keys.h"

#include <bit>
#include <initializer_list>

namespace tenon::exports {
namespace {

// The bytes of numbers, as a key of a map.
void append(std::string& key, std::initializer_list<double> values) {
  for (const double value : values) {
    const auto bits = std::bit_cast<uint64_t>(value + 0.0);  // -0 and 0 are the same
    for (int i = 0; i < 8; ++i) key += static_cast<char>(bits >> 8 * i & 0xff);
  }
}

}  // namespace

std::string key_of(const Shape& shape) {
  std::string key(1, static_cast<char>('0' + shape.index()));
  if (const auto* s = std::get_if<Sphere>(&shape)) append(key, {s->radius});
  if (const auto* s = std::get_if<Box>(&shape)) append(key, {s->half.x, s->half.y, s->half.z});
  if (const auto* s = std::get_if<Cylinder>(&shape)) append(key, {s->radius, s->half_height});
  if (const auto* s = std::get_if<Capsule>(&shape)) append(key, {s->radius, s->half_length});
  if (const auto* s = std::get_if<Hull>(&shape); s != nullptr && s->geometry)
    for (const Vec3& v : s->geometry->vertices) append(key, {v.x, v.y, v.z});
  if (const auto* s = std::get_if<Mesh>(&shape); s != nullptr && s->geometry) {
    key +=
        std::to_string(s->geometry->content) + " " + std::to_string(s->geometry->triangles.size());
  }
  return key;
}

std::string key_of(const render::StageLook& l) {
  std::string key;
  append(key, {l.color.x, l.color.y, l.color.z, static_cast<double>(l.pattern), l.pattern_size,
               l.roughness, l.metallic, l.transparency, l.reflection, l.refraction, l.glow});
  return key;
}

int grain_axis(const Shape& shape) {
  const auto* box = std::get_if<Box>(&shape);
  if (box == nullptr) return 1;
  const Vec3& h = box->half;
  return h.x >= h.y && h.x >= h.z ? 0 : h.y >= h.z ? 1 : 2;
}

}  // namespace tenon::exports
