// A flat document as text of a world file. Everything that cannot be said is named in a warning,
// once per entry.
#include <algorithm>

#include "tenon/scene/aero/save_parts.h"
#include "tenon/scene/aero/world_file.h"
#include "tenon/scene/formats/number_text.h"

namespace tenon::scene {
namespace aero {

std::string numbers(const Vec3& v) {
  return format_number(v.x) + " " + format_number(v.y) + " " + format_number(v.z);
}
std::string numbers(const Quat& q) { return format_number(q.w) + " " + numbers(q.vec()); }

void Writer::warn(Place place, std::string message, std::string value) {
  warnings.push_back({.message = std::move(message),
                      .file = document.source.name,
                      .line = place.line,
                      .column = place.column,
                      .value = std::move(value)});
}

const WrittenBody* Writer::find(const Reference& reference, const Vec3& point_W) {
  if (reference.name == kWorldName) {
    // a nail stands for the world
    const WrittenBody nail{next_number++, {point_W, {}}, {}, false};
    text += "K" + std::to_string(nail.number) + " nail\np " + numbers(point_W) + "\n";
    return &nails.emplace_back(nail);
  }
  const auto found = bodies.find(reference.name);
  return found == bodies.end() ? nullptr : &found->second;
}

Vec3 Writer::point_of(const WrittenBody& body, const Vec3& point_B) {
  return point_B - body.center;
}

namespace {

void warn_about_scene(Writer& w) {
  const Document& d = w.document;
  const auto lost = [&](bool said, const char* what) {
    if (said) w.warn({}, std::string("world files have no ") + what + "; left out", "");
  };
  lost(!d.materials.empty() || !d.pairs.empty(), "materials of their own");
  lost(!d.rules.empty(), "rules");
  lost(!d.cameras.empty() || !d.lights.empty(), "cameras and lights");
  lost(!(d.world.wind == Vec3{}), "wind");
  lost(d.world.gravity_noise > 0, "share of random gravity");
}

}  // namespace
}  // namespace aero

WorldText save_world(const Document& flat) {
  aero::Writer w{flat};
  aero::warn_about_scene(w);
  w.text = "# " + std::string(flat.title.empty() ? "A world of AERO" : "") +
           std::string(flat.title.begin(), std::find(flat.title.begin(), flat.title.end(), '\n')) +
           ", written by Tenon\nZ\nt 0\ng " + aero::numbers(flat.world.gravity) + "\ns " +
           std::to_string(flat.world.seed) + "\n";
  aero::write_bodies(w);
  aero::write_links(w);
  aero::write_forces(w);
  w.text += "Q\n";
  return {std::move(w.text), std::move(w.warnings)};
}

}  // namespace tenon::scene
