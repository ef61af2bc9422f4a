#include "tenon/scene/gltf/export_surfaces.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

namespace tenon::scene::gltf {
namespace {

// Friction or bounce where two materials meet: what a pair says, else the geometric mean.
double value_of(const Document& flat, const std::string& a, const std::string& b, bool friction) {
  for (const MaterialPair& pair : flat.pairs) {
    const auto& [m, n] = pair.materials;
    if ((m != a || n != b) && (m != b || n != a)) continue;
    const std::optional<double>& said = friction ? pair.static_friction : pair.restitution;
    if (said) return *said;
  }
  const Material *m = find_material(flat, a), *n = find_material(flat, b);
  const Material plain;
  const Material &x = m ? *m : plain, &y = n ? *n : plain;
  return friction ? std::sqrt(x.static_friction * y.static_friction)
                  : std::sqrt(x.restitution * y.restitution);
}

}  // namespace

SurfaceList::SurfaceList(Exporting& e) : e_(e) {
  std::set<std::string> used;
  for (const Body& body : e_.flat.bodies) {
    const auto* compound = std::get_if<CompoundShape>(&body.shape);
    const bool touches = !std::holds_alternative<PointMassShape>(body.shape) &&
                         !std::holds_alternative<FixedPointShape>(body.shape);
    if (compound == nullptr && touches && !body.sensor) used.insert(body.material);
    for (size_t i = 0; compound != nullptr && i < compound->parts.size(); ++i) {
      const Part& part = compound->parts[i];
      if (part.role == PartRole::kVisual || part.sensor.value_or(body.sensor) ||
          std::holds_alternative<PointMassShape>(part.shape))
        continue;
      used.insert(part.material.empty() ? body.material : part.material);
    }
  }
  for (const Material& m : e_.flat.materials)
    if (used.count(m.name) > 0) add(m.name);
}

int SurfaceList::add(const std::string& name) {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found != names_.end()) return static_cast<int>(found - names_.begin());
  const Material* m = find_material(e_.flat, name);
  const Material plain;
  if (m == nullptr) m = &plain;
  Json json = Json::object();
  json.set("name", name).set("staticFriction", m->static_friction);
  json.set("dynamicFriction", m->sliding_friction).set("restitution", m->restitution);
  if (m->rolling_friction > 0 || m->spinning_friction > 0)
    e_.warn(m->place, "glTF has no rolling and spinning friction; left out", name);
  surfaces_.push(std::move(json));
  names_.push_back(name);
  return static_cast<int>(names_.size()) - 1;
}

// glTF averages two materials unless they say otherwise; scenes take the geometric mean, or what a
// pair says.
void SurfaceList::choose_combines() {
  const std::pair<const char*, std::function<double(double, double)>> modes[] = {
      {"average", [](double x, double y) { return 0.5 * (x + y); }},
      {"minimum", [](double x, double y) { return std::min(x, y); }},
      {"maximum", [](double x, double y) { return std::max(x, y); }},
      {"multiply", [](double x, double y) { return x * y; }}};
  for (const bool friction : {true, false}) {
    const char *key = friction ? "frictionCombine" : "restitutionCombine",
               *single = friction ? "staticFriction" : "restitution";
    const char* found = nullptr;
    for (const auto& [name, combine] : modes) {
      bool fits = true;
      for (size_t i = 0; i < names_.size() && fits; ++i)
        for (size_t j = i; j < names_.size() && fits; ++j)
          fits = std::fabs(combine(surfaces_.items[i].find(single)->number,
                                   surfaces_.items[j].find(single)->number) -
                           value_of(e_.flat, names_[i], names_[j], friction)) < 1e-9;
      if (fits && !found) found = name;
    }
    if (!found)
      e_.warn({}, std::string("two materials touch otherwise in glTF, which averages ") + single,
              key);
    else if (found != modes[0].first)
      for (Json& surface : surfaces_.items) surface.set(key, found);
  }
}

}  // namespace tenon::scene::gltf
