#include "tenon/scene/document/material.h"

#include "tenon/scene/document/document.h"

namespace tenon::scene {
namespace {

struct Surface {
  Color color;
  const char* texture;
  double roughness, metallic, transparency, reflection, refraction;
};

Material make(const char* name, double density, double restitution, Vec3 friction,
              const Surface& s) {
  Material m;
  m.name = name;
  m.density = density;
  m.restitution = restitution;
  m.static_friction = friction.x;
  m.sliding_friction = friction.y;
  m.rolling_friction = friction.z;
  // the contact disc of a hard body is about as wide as its rolling lever arm
  m.spinning_friction = friction.z;
  m.look = {s.color,        s.texture,    s.roughness, s.metallic,
            s.transparency, s.reflection, s.refraction};
  return m;
}

// Handbook-range densities, restitutions and friction of a material against itself; rolling lever
// arms are those of hard wheels on the same material. Stiffness and damping are Material's own
// defaults: 1e6 N/m lets 10 kg sink 0.1 mm, and 1e4 N s/m is critical damping at 25 kg, in the
// middle between 1 and 600 kg, over which tests let spheres of all of them settle: the lightest
// creep back in a hundredth of a second, the heaviest are still after a third of a second. With
// critical damping at 10 kg (6e3) 600 kg take twice as long.
std::vector<Material> make_library() {
  std::vector<Material> library;
  library.push_back(make("iron", 7870, 0.80, {0.70, 0.50, 5e-5},
                         {{0.53, 0.54, 0.56}, "brushed", 0.35, 1, 0, 0.55, 2.5}));
  library.push_back(make("aluminium", 2700, 0.70, {0.60, 0.45, 5e-5},
                         {{0.81, 0.82, 0.84}, "brushed", 0.25, 1, 0, 0.75, 1.4}));
  library.push_back(make("wood", 700, 0.50, {0.45, 0.30, 5e-4},
                         {{0.63, 0.43, 0.25}, "wood", 0.70, 0, 0, 0.04, 1.5}));
  library.push_back(make("rubber", 1100, 0.85, {1.00, 0.80, 1e-3},
                         {{0.12, 0.12, 0.13}, "plain", 0.90, 0, 0, 0.03, 1.5}));
  library.push_back(make("glass", 2500, 0.75, {0.60, 0.40, 2e-5},
                         {{0.86, 0.94, 0.93}, "glass", 0.02, 0, 0.9, 0.08, 1.52}));
  library.push_back(make("ice", 917, 0.30, {0.05, 0.02, 2e-5},
                         {{0.80, 0.90, 0.97}, "ice", 0.15, 0, 0.5, 0.05, 1.31}));
  library.push_back(make("stone", 2600, 0.50, {0.70, 0.60, 5e-4},
                         {{0.55, 0.53, 0.50}, "stone", 0.85, 0, 0, 0.03, 1.5}));
  library.push_back(make("plastic", 1050, 0.60, {0.40, 0.30, 2e-4},
                         {{0.85, 0.22, 0.18}, "plain", 0.40, 0, 0, 0.05, 1.5}));
  return library;
}

}  // namespace

const std::vector<Material>& builtin_materials() {
  static const std::vector<Material> library = make_library();
  return library;
}

const Material* find_builtin_material(std::string_view name) {
  for (const Material& material : builtin_materials()) {
    if (material.name == name) return &material;
  }
  return nullptr;
}

const Material* find_material(const Document& document, std::string_view name) {
  for (const Material& material : document.materials) {
    if (material.name == name) return &material;
  }
  return find_builtin_material(name);
}

}  // namespace tenon::scene
