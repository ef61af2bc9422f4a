#include "tenon/scene/build/body_parts.h"

#include "tenon/engine/geometry/hull.h"
#include "tenon/engine/geometry/surface_area.h"
#include "tenon/scene/document/material.h"

namespace tenon::scene {
namespace {

// The shape frame of the engine's plane has its normal along y.
Pose plane_pose(const PlaneShape& plane) {
  const Vec3 n = normalized(plane.normal, {0, 1, 0});
  const Vec3 u = any_orthogonal(n);
  return {plane.offset * n, to_quat(Mat3::from_columns(u, n, cross(u, n)))};
}

struct MakeShape {
  using Made = Result<std::optional<tenon::Shape>>;
  MeshLibrary& meshes;

  Made operator()(const SphereShape& s) const { return some(tenon::Sphere{s.radius}); }
  Made operator()(const BoxShape& s) const { return some(tenon::Box{0.5 * s.size}); }
  Made operator()(const CylinderShape& s) const {
    return some(tenon::Cylinder{s.radius, 0.5 * s.height});
  }
  Made operator()(const CapsuleShape& s) const {
    return some(tenon::Capsule{s.radius, 0.5 * s.length});
  }
  Made operator()(const PlaneShape&) const { return some(tenon::Plane{}); }
  Made operator()(const HullShape& s) const {
    Result<Hull> hull = make_hull(s.points);
    if (!hull) return hull.error();
    return some(*hull);
  }
  Made operator()(const MeshShape& s) const {
    Result<Mesh> mesh = meshes.find(s);
    if (!mesh) return mesh.error();
    return some(*mesh);
  }
  Made operator()(const PointMassShape&) const { return none(); }
  Made operator()(const FixedPointShape&) const { return none(); }
  Made operator()(const CompoundShape&) const { return none(); }

  static Made some(tenon::Shape shape) { return std::optional<tenon::Shape>(std::move(shape)); }
  static Made none() { return std::optional<tenon::Shape>(); }
};

// mass of a part: its own mass, else its density, else the body's, else the material's
MassProperties part_mass(const Document& flat, const std::optional<tenon::Shape>& shape,
                         const std::string& material, std::optional<double> mass,
                         std::optional<double> density) {
  if (!shape) return point_mass(mass.value_or(0), {});
  if (!density) {
    const Material* m = find_material(flat, material);
    density = m != nullptr ? m->density : Material{}.density;
  }
  const MassProperties p = calc_mass_properties(*shape, *density);
  return mass && p.mass > 0 ? scaled_to_mass(p, *mass) : p;
}

Result<std::vector<BodyPart>> make_compound(const Document& flat, const Body& body,
                                            const CompoundShape& compound, MeshLibrary& meshes) {
  std::vector<BodyPart> parts;
  for (const Part& part : compound.parts) {
    auto shape = std::visit(MakeShape{meshes}, part.shape);
    if (!shape) return shape.error();
    const std::string material = part.material.empty() ? body.material : part.material;
    const Pose X_BP{part.position, part.orientation};
    const bool seen_only = part.role == PartRole::kVisual;
    MassProperties m;
    if (!seen_only) {
      m = part_mass(flat, *shape, material, part.mass, part.density ? part.density : body.density);
    }
    const double surface = *shape && !seen_only ? calc_surface_area(**shape) : 0;
    parts.push_back({*shape, X_BP, material, transformed(to_transform(X_BP), m), surface,
                     part.surface_velocity.value_or(body.surface_velocity),
                     part.sensor.value_or(body.sensor), part.role});
  }
  return parts;
}

}  // namespace

Result<std::vector<BodyPart>> make_parts(const Document& flat, const Body& body,
                                         MeshLibrary& meshes) {
  if (const auto* compound = std::get_if<CompoundShape>(&body.shape)) {
    return make_compound(flat, body, *compound, meshes);
  }
  auto shape = std::visit(MakeShape{meshes}, body.shape);
  if (!shape) return shape.error();
  const auto* plane = std::get_if<PlaneShape>(&body.shape);
  const Pose X_BP = plane != nullptr ? plane_pose(*plane) : Pose{};
  const bool point = std::holds_alternative<PointMassShape>(body.shape);
  const MassProperties m =
      part_mass(flat, *shape, body.material, point ? body.mass : std::nullopt, body.density);
  const double surface = *shape ? calc_surface_area(**shape) : 0;
  return std::vector<BodyPart>{
      {*shape, X_BP, body.material, m, surface, body.surface_velocity, body.sensor, {}}};
}

namespace {

// What moves freely is solid: why an open mesh is not, and where.
Status check_closed(const std::vector<BodyPart>& parts) {
  for (const BodyPart& part : parts) {
    const auto* mesh = part.shape ? std::get_if<Mesh>(&*part.shape) : nullptr;
    if (mesh == nullptr || mesh->geometry->closed || part.role == PartRole::kVisual) continue;
    const auto [from, to, count] = mesh->geometry->open_edge;
    if (count == 2)
      return Error{.message =
                       "the triangles of its mesh do not agree which side is outside, and it "
                       "cannot move freely",
                   .value = "both triangles at the edge from vertex " + std::to_string(from) +
                            " to " + std::to_string(to) + " run along it in the same direction",
                   .accepted =
                       "triangles that run counter-clockwise seen from outside (\"repair\": "
                       "[\"flip\"] turns them), or \"motion\": \"static\""};
    return Error{.message = "its mesh is not closed and cannot move freely",
                 .value = "the edge from vertex " + std::to_string(from) + " to " +
                          std::to_string(to) + " belongs to " + std::to_string(count) +
                          (count == 1 ? " triangle" : " triangles"),
                 .accepted =
                     "a closed mesh ('tenon mesh FILE' lists what is wrong with one), or "
                     "\"motion\": \"static\""};
  }
  return Ok{};
}

}  // namespace

Status check_mesh_files(const Body& body, MeshLibrary& meshes) {
  std::vector<BodyPart> found;
  const auto look = [&](const MeshShape* mesh, PartRole role) -> Status {
    if (mesh == nullptr || mesh->file.empty()) return Ok{};
    Result<Mesh> made = meshes.find(*mesh);
    if (!made) return made.error();
    BodyPart part;
    part.shape = *made;
    part.role = role;
    found.push_back(std::move(part));
    return Ok{};
  };
  if (const auto* compound = std::get_if<CompoundShape>(&body.shape)) {
    for (const Part& part : compound->parts) {
      if (Status s = look(std::get_if<MeshShape>(&part.shape), part.role); !s) return s;
    }
  } else if (Status s = look(std::get_if<MeshShape>(&body.shape), PartRole::kAll); !s) {
    return s;
  }
  return body.motion == Motion::kDynamic ? check_closed(found) : Status(Ok{});
}

Result<MassProperties> calc_body_mass(const Body& body, const std::vector<BodyPart>& parts) {
  if (Status closed = check_closed(parts); !closed) return closed.error();
  std::vector<MassProperties> pieces;
  for (const BodyPart& part : parts) pieces.push_back(part.mass);
  MassProperties total = combine(pieces);
  if (body.mass) {
    if (total.mass > 0) total = scaled_to_mass(total, *body.mass);
    total.mass = *body.mass;
  }
  if (body.inertia) total.inertia = *body.inertia;
  if (body.center_of_mass) total.com = *body.center_of_mass;
  if (!(total.mass > 0)) {
    return Error{.message = "a dynamic body needs a mass",
                 .accepted = "\"mass\", a density, or a shape with volume"};
  }
  return total;
}

}  // namespace tenon::scene
