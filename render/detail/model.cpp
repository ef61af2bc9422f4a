#include "tenon/render/detail/model.h"

#include <algorithm>
#include <map>

#include "tenon/scene/build/body_parts.h"

namespace tenon::render {
namespace {

Surface make_surface(const scene::Document& flat, const scene::Body& body,
                     const std::string& material, const scene::Part* part) {
  const scene::Material* found = scene::find_material(flat, material);
  const scene::Look look = found != nullptr ? found->look : scene::Look{};
  Surface surface;
  surface.color = body.color.value_or(look.color);
  if (part != nullptr && part->color) surface.color = *part->color;
  // clear glass would not be seen at all
  surface.opacity = std::clamp(1 - body.transparency.value_or(look.transparency), 0.35, 1.0);
  surface.roughness = body.roughness.value_or(look.roughness);
  return surface;
}

Result<ModelBody> make_body(const scene::Document& flat, const scene::Body& body) {
  Result<std::vector<scene::BodyPart>> parts = scene::make_parts(flat, body);
  if (!parts) return parts.error();
  const auto* compound = std::get_if<scene::CompoundShape>(&body.shape);
  ModelBody made;
  made.name = body.name;
  for (size_t i = 0; i < parts->size(); ++i) {
    const scene::BodyPart& part = (*parts)[i];
    const scene::Part* piece = compound != nullptr ? &compound->parts[i] : nullptr;
    ModelPart drawn;
    drawn.marker = !part.shape.has_value();
    drawn.shape = part.shape.value_or(Sphere{});
    drawn.X_BP = part.X_BP;
    drawn.surface = make_surface(flat, body, part.material, piece);
    (kind(drawn.shape) == ShapeKind::kPlane ? made.planes : made.parts).push_back(drawn);
  }
  return made;
}

}  // namespace

Result<Model> make_model(const scene::Document& flat, const RunRecord& run) {
  std::map<std::string_view, const scene::Body*> by_name;
  for (const scene::Body& body : flat.bodies) by_name.emplace(body.name, &body);
  Model model;
  for (const std::string& name : run.body_names) {
    const auto found = by_name.find(name);
    if (found == by_name.end()) {
      model.bodies.push_back({name, {}, {}});
      continue;
    }
    Result<ModelBody> body = make_body(flat, *found->second);
    if (!body) return body.error();
    model.bodies.push_back(std::move(*body));
  }
  return model;
}

}  // namespace tenon::render
