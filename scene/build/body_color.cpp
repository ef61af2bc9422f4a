#include "tenon/scene/build/body_color.h"

#include <iterator>

#include "tenon/scene/formats/scene_text.h"

namespace tenon::scene {
namespace {

// Colours for what the scene gives none: grey for what stands, one of these for what moves.
constexpr Color kGround{0.60, 0.60, 0.58}, kFixed{0.68, 0.68, 0.66};
constexpr Color kColors[] = {{0.23, 0.49, 0.65}, {0.88, 0.48, 0.25}, {0.35, 0.64, 0.41},
                             {0.89, 0.70, 0.24}, {0.56, 0.42, 0.62}, {0.78, 0.31, 0.29},
                             {0.25, 0.65, 0.63}, {0.83, 0.53, 0.63}};

// Plastic comes in all colours, and so does a material that says nothing of its look.
bool has_color(const Document& flat, const std::string& material) {
  const Material* found = find_material(flat, material);
  if (found == nullptr || found == find_builtin_material(kDefaultMaterial)) return false;
  return found->look != Look{};
}

}  // namespace

Color find_shown_color(const Document& flat, const Body& body, const std::string& material,
                       bool is_plane, const Part* piece) {
  if (piece != nullptr && piece->color) return *piece->color;
  if (body.color) return *body.color;
  if (has_color(flat, material)) return find_material(flat, material)->look.color;
  if (is_plane) return kGround;
  if (body.motion == Motion::kStatic) return kFixed;
  return kColors[static_cast<size_t>(&body - flat.bodies.data()) % std::size(kColors)];
}

}  // namespace tenon::scene
