// Materials: what a body is made of, how it looks, and what happens where two materials touch.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tenon/scene/document/shape.h"

namespace tenon::scene {

struct Document;

// How a surface looks. Read by renderers only.
struct Look {
  Color color;
  std::string texture = "plain";  // a name the renderer knows: plain, wood, stone, brushed, ...
  double roughness = 0.5;         // 0 mirror smooth ... 1 matt
  double metallic = 0;            // 0 or 1, in between for rust and paint
  double transparency = 0;        // 0 opaque ... 1 clear
  double reflection = 0.05;       // share of light mirrored at normal incidence
  double refraction = 1.5;        // index of refraction, for transparent looks
  friend bool operator==(const Look&, const Look&) = default;
};

struct Material {
  std::string name;
  double density = 1000;          // kg/m^3
  double restitution = 0.5;       // 0 ... 1
  double static_friction = 0.5;   // mu, sticking
  double sliding_friction = 0.4;  // mu, sliding; at most static_friction
  double rolling_friction = 0;    // m: largest rolling-resistance torque per normal force
  double spinning_friction = 0;   // m: largest torque about the contact normal per normal force
  double stiffness = 1e6;         // N/m, elasticity c of penalty contacts
  double damping = 1e4;           // N s/m, damping d of penalty contacts
  Look look;
  Place place;
  friend bool operator==(const Material&, const Material&) = default;
};

// Values for one unordered pair of materials; a field left out falls back to the pair rule of
// engine/contact/material.h (the geometric mean).
struct MaterialPair {
  std::array<std::string, 2> materials;
  std::optional<double> restitution;
  std::optional<double> static_friction;
  std::optional<double> sliding_friction;
  std::optional<double> rolling_friction;
  std::optional<double> spinning_friction;
  std::optional<double> stiffness;
  std::optional<double> damping;
  Place place;
  friend bool operator==(const MaterialPair&, const MaterialPair&) = default;
};

// The material a body has that names none.
inline constexpr const char* kDefaultMaterial = "plastic";

// The built-in library, in the order of the reference: iron, aluminium, wood, rubber, glass, ice,
// stone, plastic.
const std::vector<Material>& builtin_materials();
const Material* find_builtin_material(std::string_view name);

// The scene's material of that name, else the built-in one, else nullptr.
const Material* find_material(const Document& document, std::string_view name);

}  // namespace tenon::scene
