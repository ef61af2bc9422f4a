// A flat document as text of a world file. Everything that cannot be said is named in a warning,
// once per entry.
#include "tenon/scene/aero/save_parts.h"
#include "tenon/scene/aero/world_file.h"
#include "tenon/scene/aero/world_words.h"
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

std::string name_remark(const std::string& name, const std::string& label) {
  return name == label ? "" : "  " + format_remark("name", name);
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
  lost(!d.tags.empty(), "tags");
  lost(!d.groups.empty(), "groups");
  lost(!d.rules.empty(), "rules");
  lost(!d.cameras.empty() || !d.lights.empty(), "cameras and lights");
  lost(!(d.world.wind == Vec3{}), "wind");
  lost(d.world.gravity_noise > 0, "share of random gravity");
  // every other setting that is not as it would be by itself
  Document others;
  others.world = d.world;
  const WorldSettings usual;
  others.world.gravity = usual.gravity;
  others.world.gravity_noise = usual.gravity_noise;
  others.world.wind = usual.wind;
  others.world.seed = usual.seed;
  others.world.step = usual.step;
  others.world.duration = usual.duration;
  const Json encoded = encode(others);
  const Json* world = encoded.find("world");
  if (world == nullptr || !world->is_object()) return;
  for (const JsonMember& setting : world->members)
    w.warn({}, "world files have no such setting; left out", "world." + setting.key);
}

// For Tenon; AERO skips comments.
std::string header_remarks(const Document& d) {
  std::string text;
  const WorldSettings usual;
  if (!d.title.empty()) text += format_remark("title", d.title) + "\n";
  if (!d.description.empty()) text += format_remark("description", d.description) + "\n";
  if (d.world.step != usual.step) text += format_remark("step", format_number(d.world.step)) + "\n";
  if (d.world.duration != usual.duration)
    text += format_remark("duration", format_number(d.world.duration)) + "\n";
  return text;
}

}  // namespace
}  // namespace aero

WorldText save_world(const Document& flat) {
  aero::Writer w{flat};
  aero::warn_about_scene(w);
  w.text = "# A world of AERO, written by Tenon\n" + aero::header_remarks(flat) + "Z\nt 0\ng " +
           aero::numbers(flat.world.gravity) + "\ns " + std::to_string(flat.world.seed) + "\n";
  aero::write_bodies(w);
  aero::write_links(w);
  aero::write_forces(w);
  w.text += "Q\n";
  return {std::move(w.text), std::move(w.warnings)};
}

}  // namespace tenon::scene
