#include "tenon/scene/mjcf/settings.h"

#include <algorithm>
#include <cctype>

namespace tenon::scene::mjcf {
namespace {

using xml::Element;

Status set_switch(Element& e, const char* name, bool& out) {
  xml::Attribute* a = e.find(name);
  if (a == nullptr) return Ok{};
  const auto value = xml::read_switch(e, *a);
  if (!value) return value.error();
  out = *value;
  return Ok{};
}

Status set_number(Element& e, const char* name, double& out) {
  const auto value = xml::number_or(e, name, out);
  if (!value) return value.error();
  if (*value < 0) return xml::error_at(e, *e.find(name), "is below 0", "a number from 0 on");
  out = *value;
  return Ok{};
}

Status refuse_unless(Element& e, const char* name, std::initializer_list<const char*> words) {
  const xml::Attribute* a = e.find(name);
  if (a == nullptr) return Ok{};
  std::string all;
  for (const char* word : words) {
    if (a->value == word) return Ok{};
    all += (all.empty() ? "" : ", ") + std::string(word);
  }
  return xml::error_at(e, *a, "is not known", all);
}

Status read_compiler(Element& e, Settings& s) {
  e.used = true;
  if (Status st = refuse_unless(e, "angle", {"degree", "radian"}); !st) return st;
  if (Status st = refuse_unless(e, "coordinate", {"local"}); !st) return st;
  if (Status st = refuse_unless(e, "inertiafromgeom", {"auto", "true", "false"}); !st) return st;
  if (e.has("angle")) s.angle = e.text("angle") == "radian" ? 1 : kPi / 180;
  if (const xml::Attribute* seq = e.find("eulerseq"); seq != nullptr) {
    const bool good =
        seq->value.size() == 3 && seq->value.find_first_not_of("xyzXYZ") == std::string::npos;
    if (!good) return xml::error_at(e, *seq, "is no sequence", "three of x y z X Y Z");
    s.eulerseq = seq->value;
  }
  const std::string from = e.text("inertiafromgeom");
  if (from == "true") s.inertia_from_geom = Settings::FromGeom::kYes;
  if (from == "false") s.inertia_from_geom = Settings::FromGeom::kNo;
  if (from == "auto") s.inertia_from_geom = Settings::FromGeom::kAuto;
  if (e.has("assetdir")) s.mesh_folder = s.texture_folder = e.text("assetdir");
  if (e.has("meshdir")) s.mesh_folder = e.text("meshdir");
  if (e.has("texturedir")) s.texture_folder = e.text("texturedir");
  if (xml::Attribute* range = e.find("inertiagrouprange"); range != nullptr) {
    const auto numbers = xml::read_numbers(e, *range, 2, 2);
    if (!numbers) return numbers.error();
    if ((*numbers)[0] > (*numbers)[1])
      return xml::error_at(e, *range, "runs backwards", "the first group, then the last one");
    s.inertia_groups = Settings::Groups{(*numbers)[0], (*numbers)[1]};
  }
  if (Status st = set_switch(e, "fitaabb", s.fit_boxes); !st) return st;
  if (Status st = set_switch(e, "autolimits", s.autolimits); !st) return st;
  if (Status st = set_switch(e, "balanceinertia", s.balance_inertia); !st) return st;
  if (Status st = set_number(e, "boundmass", s.bound_mass); !st) return st;
  if (Status st = set_number(e, "boundinertia", s.bound_inertia); !st) return st;
  if (e.text("settotalmass").starts_with('-')) return Ok{};  // MuJoCo's way to say no
  return set_number(e, "settotalmass", s.total_mass);
}

Status read_flag(Element& e, Settings& s, model::Report& report) {
  e.used = true;
  const auto off = [&](const char* name) { return e.text(name) == "disable"; };
  if (off("contact")) s.contacts = false;
  if (off("gravity")) s.gravity_on = false;
  if (off("limit")) s.limits = false;
  if (off("actuation")) s.actuation = false;
  if (off("constraint")) {
    s.contacts = s.limits = false;
    report.notes.emplace_back(
        "constraints are off in the file: contacts and limits are left out, loops are kept");
  }
  return Ok{};
}

Status read_option(Element& e, Settings& s, model::Report& report) {
  e.used = true;
  const auto gravity = xml::vector_or(e, "gravity", s.gravity),
             wind = xml::vector_or(e, "wind", s.wind);
  if (!gravity) return gravity.error();
  if (!wind) return wind.error();
  s.gravity = *gravity;
  s.wind = *wind;
  if (e.has("timestep")) {
    const auto h = xml::number_or(e, "timestep", 0);
    if (!h) return h.error();
    if (!(*h >= 1e-9 && *h <= 10)) {
      return xml::error_at(e, *e.find("timestep"), "is out of range", "1e-9 to 10 s");
    }
    s.timestep = *h;
  }
  for (Element& c : e.children) {
    if (c.tag != "flag") continue;
    if (Status st = read_flag(c, s, report); !st) return st;
  }
  return Ok{};
}

}  // namespace

Result<Settings> read_settings(Element& root, model::Report& report) {
  Settings s;
  for (Element& e : root.children) {
    if (e.tag == "compiler") {
      if (Status st = read_compiler(e, s); !st) return st.error();
    }
    if (e.tag == "option") {
      if (Status st = read_option(e, s, report); !st) return st.error();
    }
  }
  if (!s.gravity_on) s.gravity = {};
  return s;
}

Quat from_euler(const Settings& settings, const Vec3& angles) {
  Quat q;
  for (int i = 0; i < 3; ++i) {
    const char c = settings.eulerseq[static_cast<size_t>(i)];
    const double half = 0.5 * settings.angle * angles[i];
    Quat turn{cos(half), 0, 0, 0};
    const int lower = std::tolower(static_cast<unsigned char>(c));
    (lower == 'x' ? turn.x : lower == 'y' ? turn.y : turn.z) = sin(half);
    q = c == lower ? q * turn : turn * q;
  }
  return normalized(q);
}

}  // namespace tenon::scene::mjcf
