#include "tenon/scene/aero/volume.h"

#include "tenon/engine/math/elementary.h"

namespace tenon::scene::aero {

double calc_volume(const PartShape& shape) {
  if (const auto* s = std::get_if<SphereShape>(&shape)) {
    return 4.0 / 3 * kPi * s->radius * s->radius * s->radius;
  }
  if (const auto* b = std::get_if<BoxShape>(&shape)) return b->size.x * b->size.y * b->size.z;
  if (const auto* c = std::get_if<CylinderShape>(&shape)) {
    return kPi * c->radius * c->radius * c->height;
  }
  if (const auto* c = std::get_if<CapsuleShape>(&shape)) {
    return kPi * c->radius * c->radius * (c->length + 4.0 / 3 * c->radius);
  }
  return 0;
}

double calc_part_mass(const Document& document, const Body& body, const Part& part) {
  if (part.role == PartRole::kVisual) return 0;
  if (part.mass) return *part.mass;
  const std::string& name = part.material.empty() ? body.material : part.material;
  const Material* material = find_material(document, name);
  const double own = material != nullptr ? material->density : 1000;
  return part.density.value_or(body.density.value_or(own)) * calc_volume(part.shape);
}

Vec3 calc_center(const Document& document, const Body& body, const CompoundShape& compound) {
  Vec3 sum;
  double mass = 0;
  for (const Part& part : compound.parts) {
    const double m = calc_part_mass(document, body, part);
    sum += m * part.position;
    mass += m;
  }
  return mass > 0 ? sum / mass : Vec3{};
}

}  // namespace tenon::scene::aero
