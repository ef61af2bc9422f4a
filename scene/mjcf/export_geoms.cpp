#include "tenon/scene/mjcf/export_geoms.h"

#include <cmath>

#include "tenon/scene/mjcf/exact_numbers.h"
#include "tenon/scene/model/import.h"
#include "tenon/scene/model/to_document.h"

namespace tenon::scene::mjcf {
namespace {

const Quat kUpright = normalized(Quat{1, 1, 0, 0});  // as geoms.cpp has it
constexpr size_t kMostInline = 5000;  // triangles that are written into the model itself

bool is_known_to_mujoco(const std::string& file) {
  const auto ends = [&](const char* ending) { return file.ends_with(ending); };
  return ends(".stl") || ends(".obj") || ends(".STL") || ends(".OBJ");
}

// The file is what is meant: nothing is to be turned, moved or converted.
bool is_plain(const MeshShape& mesh) {
  return !mesh.file.empty() && is_known_to_mujoco(mesh.file) && mesh.units == LengthUnit::kMetre &&
         mesh.up == UpAxis::kY && mesh.origin == MeshOrigin::kFile;
}

std::string stem_of(const std::string& file) {
  const size_t slash = file.find_last_of('/');
  const std::string name = slash == std::string::npos ? file : file.substr(slash + 1);
  return name.substr(0, name.rfind('.'));
}

std::string to_obj(const MeshData& data) {
  std::string text;
  for (const Vec3& v : data.vertices) text += "v " + words(v) + "\n";
  for (const auto& t : data.triangles) {
    text += "f";
    for (const int i : t) text += " " + std::to_string(i + 1);
    text += "\n";
  }
  return text;
}

std::string list(const std::vector<Vec3>& points) {
  std::string text;
  for (const Vec3& p : points) text += (text.empty() ? "" : "  ") + words(p);
  return text;
}

std::string list(const std::vector<std::array<int, 3>>& triangles) {
  std::string text;
  for (const auto& t : triangles) {
    text += (text.empty() ? "" : "  ") + std::to_string(t[0]) + " " + std::to_string(t[1]) + " " +
            std::to_string(t[2]);
  }
  return text;
}

}  // namespace

std::string Geoms::add_hull(const HullShape& hull) {
  // a mesh with corners only is their hull
  const std::string name = model::make_name("hull", names_);
  assets_.push_back(Tag("mesh").add("name", name).add("vertex", list(hull.points)));
  return name;
}

std::string Geoms::add_file(const MeshShape& mesh) {
  const Result<MeshData> data = resolve_mesh(mesh, e_.options.read);
  if (!data) {
    if (!error_) error_ = data.error();
    return {};
  }
  const std::string name =
      model::make_name(mesh.file.empty() ? "mesh" : stem_of(mesh.file), names_);
  const std::string file = e_.options.mesh_folder + name + ".obj";
  e_.out.meshes.push_back({file, to_obj(*data)});
  assets_.push_back(Tag("mesh").add("name", name).add("file", file));
  return name;
}

std::string Geoms::add_mesh(const MeshShape& mesh) {
  for (const auto& [known, name] : meshes_) {
    if (known == mesh) return name;
  }
  std::string name;
  const bool inside = mesh.file.empty() && !mesh.form && mesh.repair.empty() &&
                      mesh.triangles.size() <= kMostInline && mesh.units == LengthUnit::kMetre &&
                      mesh.up == UpAxis::kY && mesh.origin == MeshOrigin::kFile;
  if (inside || is_plain(mesh)) {
    name = model::make_name(inside ? "mesh" : stem_of(mesh.file), names_);
    Tag tag("mesh");
    tag.add("name", name);
    if (inside) {
      tag.add("vertex", list(mesh.vertices)).add("face", list(mesh.triangles));
    } else {
      tag.add("file", mesh.file);
    }
    if (!(mesh.scale == Vec3{1, 1, 1})) tag.add("scale", mesh.scale);
    assets_.push_back(tag);
  } else {
    name = add_file(mesh);
  }
  meshes_.emplace_back(mesh, name);
  return name;
}

void Geoms::add_touch(const Body& body, const std::string& material, Tag& geom) const {
  const auto mask = filters_.masks.find(&body);
  if (material.empty() || mask == filters_.masks.end()) {
    geom.add("contype", "0").add("conaffinity", "0");
    return;
  }
  geom.add("class", material);
  if (mask->second == OutMask{}) return;
  geom.add("contype", std::to_string(mask->second.type));
  geom.add("conaffinity", std::to_string(mask->second.affinity));
}

void Geoms::add_color(const Body& body, const Part& part, Tag& geom) const {
  std::optional<Color> color = part.color ? part.color : body.color;
  if (!color) {
    const Material* m = find_material(e_.flat, material_of(body, part));
    if (m != nullptr && !(m->look.color == Color{})) color = m->look.color;
  }
  const bool hidden = part.role == PartRole::kContact;
  double alpha = hidden ? 0 : 1;
  if (!hidden && body.transparency) alpha = std::max(1 - *body.transparency, 0.05);
  if (!color && alpha == 1) return;
  const Color c = color.value_or(Color{});
  geom.add("rgba", words(Vec3{c.r, c.g, c.b}) + " " + format_number(alpha));
}

std::optional<Tag> Geoms::make_part(const Body& body, const Part& part) {
  Tag geom("geom");
  bool along_y = false;
  if (const auto* s = std::get_if<SphereShape>(&part.shape)) {
    geom.add("type", "sphere").add("size", s->radius);
  } else if (const auto* b = std::get_if<BoxShape>(&part.shape)) {
    geom.add("type", "box").add("size", 0.5 * b->size);
  } else if (const auto* c = std::get_if<CylinderShape>(&part.shape)) {
    along_y = true;
    geom.add("type", "cylinder")
        .add("size", format_number(c->radius) + " " + format_number(0.5 * c->height));
  } else if (const auto* k = std::get_if<CapsuleShape>(&part.shape); k && k->length > 0) {
    along_y = true;
    geom.add("type", "capsule")
        .add("size", format_number(k->radius) + " " + format_number(0.5 * k->length));
  } else if (k) {
    geom.add("type", "sphere").add("size", k->radius);
  } else if (const auto* hull = std::get_if<HullShape>(&part.shape)) {
    geom.add("type", "mesh").add("mesh", add_hull(*hull));
  } else if (const auto* mesh = std::get_if<MeshShape>(&part.shape)) {
    geom.add("type", "mesh").add("mesh", add_mesh(*mesh));
    if (touches(body, part) && !told_hulls_) {
      told_hulls_ = true;
      e_.warn(part.place,
              "MuJoCo takes the convex hull of meshes that touch; Tenon reads them as "
              "they are",
              body.name);
    }
  } else {
    return std::nullopt;
  }
  Quat q = along_y ? part.orientation * conjugate(kUpright) : part.orientation;
  const auto reads = [&](const Quat& c) {
    return normalized(along_y ? normalized(c) * kUpright : normalized(c)) == part.orientation;
  };
  if (!find_quat(reads, q)) ++e_.out.inexact;
  geom.unless_zero("pos", part.position).unless_unit("quat", q);
  add_touch(body, touches(body, part) ? material_of(body, part) : "", geom);
  add_color(body, part, geom);
  return geom;
}

std::vector<Tag> Geoms::make(const Body& body) {
  std::vector<Tag> tags;
  for (const Part& part : parts_of(body)) {
    if (std::holds_alternative<PointMassShape>(part.shape)) continue;
    if (std::optional<Tag> tag = make_part(body, part)) tags.push_back(std::move(*tag));
  }
  return tags;
}

Tag Geoms::make_plane(const Body& body) {
  const auto& plane = std::get<PlaneShape>(body.shape);
  const Vec3 n = rotate(body.orientation, normalized(plane.normal));
  const Vec3 z = model::from_scene(n);
  Quat q = z.z < -1 + 1e-12 ? Quat{0, 1, 0, 0} : normalized(Quat{1 + z.z, -z.y, z.x, 0});
  const auto reads = [&](const Quat& c) {
    return model::to_scene(rotate(normalized(c), Vec3{0, 0, 1})) == n;
  };
  find_quat(reads, q);  // directions along an axis are set right by the reader
  Tag geom("geom");
  geom.add("name", body.name).add("type", "plane").add("size", "0 0 1");
  geom.unless_zero("pos", model::from_scene(body.position + plane.offset * n))
      .unless_unit("quat", q);
  add_touch(body, body.material, geom);
  add_color(body, Part{}, geom);
  if (body.motion == Motion::kKinematic && (!body.keyframes.empty() || body.turn))
    e_.warn(body.place, "a plane that moves stands still in MuJoCo: NOT HONOURED", body.name);
  return geom;
}

}  // namespace tenon::scene::mjcf
