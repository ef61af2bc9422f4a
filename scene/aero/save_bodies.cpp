// Bodies of a document as K records.
#include <algorithm>
#include <cmath>
#include <set>

#include "tenon/engine/math/elementary.h"
#include "tenon/scene/aero/save_parts.h"
#include "tenon/scene/aero/volume.h"
#include "tenon/scene/aero/world_words.h"
#include "tenon/scene/formats/number_text.h"

namespace tenon::scene::aero {
namespace {

std::string color_text(const Color& c) {
  const auto part = [](double x) {
    return format_number(std::floor(65535 * std::clamp(x, 0.0, 1.0) + 0.5));
  };
  return part(c.r) + " " + part(c.g) + " " + part(c.b);
}

std::string geometry_text(const PartShape& shape) {
  if (const auto* s = std::get_if<SphereShape>(&shape)) return "sphere " + format_number(s->radius);
  if (const auto* b = std::get_if<BoxShape>(&shape)) return "box " + numbers(b->size);
  if (const auto* c = std::get_if<CylinderShape>(&shape)) {
    return "cylinder " + format_number(c->radius) + " " + format_number(c->height);
  }
  return {};
}

// The plane of a world file has its normal along y.
Pose plane_pose(const Body& body, const PlaneShape& plane) {
  const Vec3 n = normalized(plane.normal, {0, 1, 0});
  const Quat tilt =
      n == Vec3{0, 1, 0}
          ? Quat{}
          : to_quat(Mat3::from_columns(any_orthogonal(n), n, cross(any_orthogonal(n), n)));
  return {body.position + rotate(body.orientation, plane.offset * n), body.orientation * tilt};
}

// A capsule is a cylinder with two spheres; they overlap, so it keeps the mass and not the inertia.
CompoundShape capsule_parts(const CapsuleShape& c, const std::string& material, double mass) {
  CompoundShape compound;
  const double volume = calc_volume(PartShape{c});
  const auto add = [&](PartShape shape, double y, double share) {
    Part part;
    part.shape = std::move(shape);
    part.material = material;
    part.position = {0, y, 0};
    part.mass = mass * share;
    compound.parts.push_back(std::move(part));
  };
  const double caps = 4.0 / 3 * kPi * c.radius * c.radius * c.radius / volume;
  if (c.length > 0) add(CylinderShape{c.radius, c.length}, 0, 1 - caps);
  add(SphereShape{c.radius}, 0.5 * c.length, 0.5 * caps);
  add(SphereShape{c.radius}, -0.5 * c.length, 0.5 * caps);
  return compound;
}

class BodyWriter {
 public:
  BodyWriter(Writer& w, const Body& body, int number) : w_(w), body_(body), number_(number) {}
  void write();

 private:
  Writer& w_;
  const Body& body_;
  int number_;
  bool warned_materials_ = false;

  double density_of(const std::string& material) const;
  std::string material_text(const std::string& name);
  std::string first_line();
  void warn_about_body();
  void write_parts(const CompoundShape& compound, const Vec3& center);
  void write_state(const Pose& X, std::optional<double> mass);
};

double BodyWriter::density_of(const std::string& material) const {
  const Material* m = find_material(w_.document, material);
  return body_.density.value_or(m != nullptr ? m->density : 1000);
}

std::string BodyWriter::material_text(const std::string& name) {
  if (find_builtin_material(name) != nullptr && lower(name) == name) return name;
  if (!warned_materials_) {
    w_.warn(body_.place,
            "AERO does not know the material; written as " + std::string(kDefaultMaterial), name);
  }
  warned_materials_ = true;
  return kDefaultMaterial;
}

void BodyWriter::warn_about_body() {
  const auto lost = [&](bool said, const char* what) {
    if (said)
      w_.warn(body_.place, std::string("world files have no ") + what + "; left out", body_.name);
  };
  if (body_.motion == Motion::kKinematic) {
    w_.warn(body_.place, "world files have no kinematic bodies; written as immovable", body_.name);
  }
  lost(body_.inertia.has_value(), "inertia");
  lost(body_.center_of_mass.has_value(), "center_of_mass");
  lost(body_.air.has_value(), "air resistance");
  lost(body_.metallic.has_value(), "share of metal");
  lost(body_.sensor, "sensors");
  lost(body_.one_way.has_value(), "one-way bodies");
  lost(!(body_.surface_velocity == Vec3{}), "running surfaces");
  lost(!body_.groups.empty() || !body_.ignores.empty() || body_.collides_with, "groups");
}

void BodyWriter::write_state(const Pose& X, std::optional<double> mass) {
  std::string& t = w_.text;
  const bool moves = body_.motion == Motion::kDynamic;
  if (mass && moves) t += "m " + format_number(*mass) + "\n";
  t += "p " + numbers(X.p) + "\n";
  if (!(X.q == Quat{})) t += "q " + numbers(X.q) + "\n";
  if (moves && !(body_.velocity == Vec3{})) t += "v " + numbers(body_.velocity) + "\n";
  if (moves && !(body_.angular_velocity == Vec3{})) {
    t += "w " + numbers(body_.angular_velocity) + "\n";
  }
  if (body_.color) t += "c " + color_text(*body_.color) + "\n";
  if (body_.transparency || body_.reflection || body_.roughness) {
    const Material* m = find_material(w_.document, body_.material);
    const Look look = m != nullptr ? m->look : Look{};
    t += "n " +
         numbers(Vec3{body_.transparency.value_or(look.transparency),
                      body_.reflection.value_or(look.reflection),
                      body_.roughness.value_or(look.roughness)}) +
         "\n";
  }
  const bool unbound = std::holds_alternative<PlaneShape>(body_.shape) ||
                       std::holds_alternative<FixedPointShape>(body_.shape);
  std::string flags;
  if (!body_.gravity) flags += "g";
  if (!moves && !unbound) flags += "m";
  if (!body_.collision) flags += "k";
  if (!flags.empty()) t += "b -" + flags + "\n";
}

void BodyWriter::write_parts(const CompoundShape& compound, const Vec3& center) {
  std::string& t = w_.text;
  for (const Part& part : compound.parts) {
    if (part.sensor.value_or(false) || !(part.surface_velocity.value_or(Vec3{}) == Vec3{})) {
      w_.warn(body_.place, "world files have no sensors or running surfaces of parts; left out",
              body_.name);
    }
    if (part.role != PartRole::kAll) {
      w_.warn(body_.place, "world files have no parts that are only seen, or not seen; left out",
              body_.name);
      if (part.role == PartRole::kVisual) continue;
    }
    const std::string geometry = geometry_text(part.shape);
    const bool capsule = std::holds_alternative<CapsuleShape>(part.shape);
    if (geometry.empty()) {
      w_.warn(body_.place,
              std::string("a part that AERO does not know (") +
                  (capsule ? "capsule" : "hull or point mass") + "); left out",
              body_.name);
      continue;
    }
    const std::string own = part.material.empty() ? "" : " " + material_text(part.material);
    t += "E " + geometry + own + "\n";
    const bool strange = !part.material.empty() && find_builtin_material(part.material) == nullptr;
    if (part.mass || part.density || body_.density || strange) {
      t += "m " + format_number(calc_part_mass(w_.document, body_, part)) + "\n";
    }
    t += "p " + numbers(part.position - center) + "\n";
    if (!(part.orientation == Quat{})) t += "q " + numbers(part.orientation) + "\n";
    if (part.color) t += "c " + color_text(*part.color) + "\n";
  }
  t += "X\n";
}

void BodyWriter::write() {
  warn_about_body();
  std::string& t = w_.text;
  const auto begin = [&](const std::string& what) {
    const std::string label = body_name(number_);
    t += "\n" + label + " " + what + name_remark(body_.name, label) + "\n";
  };
  WrittenBody written{
      number_, {body_.position, body_.orientation}, {}, body_.motion == Motion::kDynamic};
  const std::string material = material_text(body_.material);
  if (std::holds_alternative<HullShape>(body_.shape)) {
    w_.warn(body_.place, "AERO has no hulls; the body is left out", body_.name);
    return;
  }
  if (std::holds_alternative<MeshShape>(body_.shape)) {
    w_.warn(body_.place, "AERO has no meshes; the body is left out", body_.name);
    return;
  }
  if (const auto* plane = std::get_if<PlaneShape>(&body_.shape)) {
    begin("plane " + material);
    write_state(plane_pose(body_, *plane), {});
  } else if (std::holds_alternative<FixedPointShape>(body_.shape)) {
    begin("nail " + material);
    write_state(written.X_WB, {});
  } else if (std::holds_alternative<PointMassShape>(body_.shape)) {
    begin("mpoint " + material);
    write_state(written.X_WB, body_.mass);
  } else if (const auto* compound = std::get_if<CompoundShape>(&body_.shape)) {
    Vec3 center = calc_center(w_.document, body_, *compound);
    double size = 0;
    for (const Part& part : compound->parts) size = std::max(size, norm(part.position));
    if (norm(center) <= 1e-12 * size) center = {};
    written.center = center;
    begin("composed " + material);
    const Vec3 p =
        center == Vec3{} ? body_.position : body_.position + rotate(body_.orientation, center);
    write_state({p, body_.orientation}, body_.mass);
    write_parts(*compound, center);
  } else if (const auto* capsule = std::get_if<CapsuleShape>(&body_.shape)) {
    w_.warn(body_.place, "AERO has no capsules; written as a cylinder and two spheres", body_.name);
    const double volume = calc_volume(PartShape{*capsule});
    const double mass = body_.mass.value_or(density_of(body_.material) * volume);
    begin("composed " + material);
    write_state(written.X_WB, {});
    write_parts(capsule_parts(*capsule, body_.material, mass), {});
  } else {
    PartShape shape;
    if (const auto* s = std::get_if<SphereShape>(&body_.shape)) shape = *s;
    if (const auto* s = std::get_if<BoxShape>(&body_.shape)) shape = *s;
    if (const auto* s = std::get_if<CylinderShape>(&body_.shape)) shape = *s;
    std::optional<double> mass = body_.mass;
    // what AERO would not get from the material's name is written down
    const Material* own = find_builtin_material(material);
    const double density = density_of(body_.material);
    if (!mass && (own == nullptr || own->density != density)) mass = density * calc_volume(shape);
    begin(geometry_text(shape) + " " + material);
    write_state(written.X_WB, mass);
  }
  w_.bodies[body_.name] = written;
}

// K3 keeps its number if all bodies are called so; else they are counted.
std::vector<int> choose_numbers(const std::vector<Body>& bodies) {
  std::vector<int> found;
  std::set<int> taken;
  for (const Body& b : bodies) {
    const std::optional<int> number = parse_label(b.name, 'K');
    const bool kept = number && taken.insert(*number).second && body_name(*number) == b.name;
    if (kept) found.push_back(*number);
  }
  if (found.size() == bodies.size()) return found;
  for (size_t i = 0; i < bodies.size(); ++i) {
    if (i >= found.size()) found.push_back(0);
    found[i] = static_cast<int>(i + 1);
  }
  return found;
}

}  // namespace

void write_bodies(Writer& w) {
  const std::vector<Body>& bodies = w.document.bodies;
  const std::vector<int> chosen = choose_numbers(bodies);
  for (size_t i = 0; i < bodies.size(); ++i) {
    BodyWriter(w, bodies[i], chosen[i]).write();
    w.next_number = std::max(w.next_number, chosen[i] + 1);
  }
}

}  // namespace tenon::scene::aero
