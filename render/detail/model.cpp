#include "tenon/render/detail/model.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "tenon/engine/geometry/support.h"
#include "tenon/render/color.h"
#include "tenon/scene/build/body_color.h"
#include "tenon/scene/build/body_parts.h"
#include "tenon/scene/formats/scene_text.h"

namespace tenon::render {
namespace {

scene::Color find_color(const scene::Document& flat, const scene::Body& body,
                        const scene::BodyPart& part, const scene::Part* piece) {
  const bool is_plane = part.shape && kind(*part.shape) == ShapeKind::kPlane;
  return scene::find_shown_color(flat, body, part.material, is_plane, piece);
}

Surface make_surface(const scene::Document& flat, const scene::Body& body,
                     const scene::BodyPart& part, const scene::Part* piece) {
  const scene::Material* found = scene::find_material(flat, part.material);
  const scene::Look look = found != nullptr ? found->look : scene::Look{};
  Surface surface;
  surface.color = find_color(flat, body, part, piece);
  // clear glass would not be seen at all
  surface.opacity = std::clamp(1 - body.transparency.value_or(look.transparency), 0.35, 1.0);
  surface.roughness = body.roughness.value_or(look.roughness);
  return surface;
}

Pattern find_pattern(const std::string& texture) {
  for (const Pattern p : {Pattern::kWood, Pattern::kStone, Pattern::kBrushed, Pattern::kGlass,
                          Pattern::kIce, Pattern::kChecker})
    if (texture == name(p)) return p;
  return Pattern::kPlain;
}

StageLook make_look(const scene::Document& flat, const scene::Body& body,
                    const scene::BodyPart& part, const scene::Part* piece) {
  const scene::Material* found = scene::find_material(flat, part.material);
  const scene::Look from = found != nullptr ? found->look : scene::Look{};
  StageLook look;
  look.color = to_linear(find_color(flat, body, part, piece));
  look.pattern = find_pattern(from.texture);
  look.roughness = body.roughness.value_or(from.roughness);
  look.metallic = body.metallic.value_or(from.metallic);
  look.transparency = body.transparency.value_or(from.transparency);
  look.reflection = body.reflection.value_or(from.reflection);
  look.refraction = std::max(from.refraction, 1.0 + 1e-6);
  // grain that can be seen: a few rings or grains across the thinnest extent
  if (part.shape && kind(*part.shape) != ShapeKind::kPlane)
    look.pattern_size = 0.25 * size(*part.shape);
  return look;
}

Result<ModelBody> make_body(const scene::Document& flat, const scene::Body& body,
                            scene::MeshLibrary& meshes) {
  Result<std::vector<scene::BodyPart>> parts = scene::make_parts(flat, body, meshes);
  if (!parts) return parts.error();
  const auto* compound = std::get_if<scene::CompoundShape>(&body.shape);
  ModelBody made;
  made.name = body.name;
  made.moves = body.motion != scene::Motion::kStatic;
  if (body.motion == scene::Motion::kDynamic)
    if (const auto mass = scene::calc_body_mass(body, *parts); mass) made.p_BC = mass->com;
  for (size_t i = 0; i < parts->size(); ++i) {
    const scene::BodyPart& part = (*parts)[i];
    if (part.role == scene::PartRole::kContact) continue;
    const scene::Part* piece = compound != nullptr ? &compound->parts[i] : nullptr;
    ModelPart drawn;
    drawn.marker = !part.shape.has_value();
    drawn.shape = part.shape.value_or(Sphere{});
    drawn.X_BP = part.X_BP;
    drawn.surface = make_surface(flat, body, part, piece);
    drawn.look = make_look(flat, body, part, piece);
    (kind(drawn.shape) == ShapeKind::kPlane ? made.planes : made.parts).push_back(drawn);
  }
  return made;
}

}  // namespace

Result<scene::Document> load_document(const SceneRecord& record) {
  scene::LoadOptions options;
  options.overrides = record.overrides;
  scene::LoadResult loaded = scene::load_scene(record.text, record.name, options);
  if (!loaded.ok()) return loaded.errors.front();
  if (loaded.flat.title.empty())
    loaded.flat.title = record.title.empty() ? record.name : record.title;
  return std::move(loaded.flat);
}

Result<Model> make_model(const scene::Document& flat, const RunRecord& run,
                         const SceneRecord& record) {
  scene::MeshLibrary meshes({.read = scene::read_from(record.files), .use = MeshUse::kPicture});
  std::map<std::string_view, const scene::Body*> by_name;
  for (const scene::Body& body : flat.bodies) by_name.emplace(body.name, &body);
  Model model;
  for (const std::string& name : run.body_names) {
    const auto found = by_name.find(name);
    if (found == by_name.end()) {
      model.bodies.push_back({name, {}, {}, false, {}});
      continue;
    }
    Result<ModelBody> body = make_body(flat, *found->second, meshes);
    if (!body) return body.error();
    model.bodies.push_back(std::move(*body));
  }
  return model;
}

}  // namespace tenon::render
