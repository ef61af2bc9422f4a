#include "tenon/scene/urdf/links.h"

#include <algorithm>

#include "tenon/scene/formats/number_text.h"
#include "tenon/scene/model/angles.h"
#include "tenon/scene/model/inertia.h"
#include "tenon/scene/model/mesh_part.h"

namespace tenon::scene::urdf {
namespace {

using model::Report;
using xml::Element;

// y, along which cylinders and capsules of scenes stand, to z, where URDF has them.
const Quat kCylinderAxis = normalized(Quat{1, 1, 0, 0});

Result<double> need_size(Element& e, std::string_view name) {
  const Result<double> n = xml::need_number(e, name);
  if (!n) return n.error();
  if (*n > 0) return *n;
  return xml::error_at(e, *e.find(name), "is not positive", "a length above 0");
}

Result<std::optional<PartShape>> read_mesh(Element& e, bool touches, const model::Files& files,
                                           Report& report) {
  const Result<std::string> named = xml::need_text(e, "filename");
  if (!named) return named.error();
  const Result<Vec3> scale = xml::vector_or(e, "scale", {1, 1, 1});
  if (!scale) return scale.error();
  const std::optional<std::string> path = model::find_file(files, e.file, *named);
  if (!path) {
    report.warnings.push_back(
        xml::error_at(e, "the mesh file is not there; the shape is left out", *named,
                      "a file beside the model, or a package:// in a folder above it"));
    return std::optional<PartShape>();
  }
  return model::make_mesh_shape({*path, *scale, touches}, files, e, report);
}

// <hull points> is ours: it stands beside a <geometry> that other programs take (export_urdf.cpp).
Result<HullShape> read_hull(Element& e) {
  if (const auto there = xml::need_text(e, "points"); !there) return there.error();
  const auto n = xml::read_numbers(e, *e.find("points"), 12, 30'000);
  if (!n) return n.error();
  HullShape hull;
  for (size_t i = 0; i + 2 < n->size(); i += 3) {
    hull.points.push_back({(*n)[i], (*n)[i + 1], (*n)[i + 2]});
  }
  return hull;
}

// The shape and how it stands in the frame of its origin.
struct Geometry {
  std::optional<PartShape> shape;
  Quat turn;
};
Result<Geometry> read_geometry(Element& owner, const model::Files& files, Report& report) {
  Element* geometry = owner.child("geometry");
  if (geometry == nullptr) return xml::error_at(owner, "<" + owner.tag + "> has no <geometry>");
  if (Element* e = owner.child("hull")) {
    for (Element& instead : geometry->children) {
      instead.used = true;
      instead.find("size");
    }
    auto hull = read_hull(*e);
    if (!hull) return hull.error();
    return Geometry{PartShape(std::move(*hull)), {}};
  }
  if (Element* e = geometry->child("sphere")) {
    const auto r = need_size(*e, "radius");
    if (!r) return r.error();
    return Geometry{SphereShape{*r}, {}};
  }
  if (Element* e = geometry->child("box")) {
    if (const auto there = xml::need_text(*e, "size"); !there) return there.error();
    const auto size = xml::vector_or(*e, "size", {});
    if (!size) return size.error();
    if (!(size->x > 0 && size->y > 0 && size->z > 0)) {
      return xml::error_at(*e, *e->find("size"), "is not positive", "three lengths above 0");
    }
    return Geometry{BoxShape{*size}, {}};
  }
  for (const char* tag : {"cylinder", "capsule"}) {
    Element* e = geometry->child(tag);
    if (e == nullptr) continue;
    const auto r = need_size(*e, "radius"), length = need_size(*e, "length");
    if (!r) return r.error();
    if (!length) return length.error();
    if (tag[1] == 'y') return Geometry{CylinderShape{*r, *length}, kCylinderAxis};
    return Geometry{CapsuleShape{*r, *length}, kCylinderAxis};
  }
  if (Element* e = geometry->child("mesh")) {
    auto shape = read_mesh(*e, owner.tag == "collision", files, report);
    if (!shape) return shape.error();
    return Geometry{std::move(*shape), {}};
  }
  report.warnings.push_back(
      xml::error_at(*geometry, "the shape is not known; left out",
                    geometry->children.empty() ? "nothing" : geometry->children.front().tag,
                    "box, sphere, cylinder, capsule or mesh"));
  return Geometry{};
}

Result<std::optional<Part>> read_part(Element& owner, PartRole role, const model::Files& files,
                                      Coloring& coloring, Report& report) {
  owner.used = true;
  owner.find("name");  // shapes need none here
  const Result<Pose> origin = read_origin(owner);
  if (!origin) return origin.error();
  Result<Geometry> geometry = read_geometry(owner, files, report);
  if (!geometry) return geometry.error();
  std::optional<Color> color;
  if (Element* material = owner.child("material"); material != nullptr) {
    auto read = read_material(*material, files, coloring, report);
    if (!read) return read.error();
    color = *read;
  }
  if (!geometry->shape) return std::optional<Part>();
  Part part;
  part.shape = std::move(*geometry->shape);
  part.role = role;
  part.position = origin->p;
  part.orientation = geometry->turn == Quat{} ? origin->q : normalized(origin->q * geometry->turn);
  part.color = color;
  part.place = {owner.line, 0};
  return std::optional<Part>(std::move(part));
}

Result<std::optional<model::Inertial>> read_inertial(Element& e) {
  const Result<Pose> origin = read_origin(e);
  if (!origin) return origin.error();
  Element* mass = e.child("mass");
  if (mass == nullptr) return xml::error_at(e, "<inertial> has no <mass>");
  const Result<double> m = xml::need_number(*mass, "value");
  if (!m) return m.error();
  if (*m < 0) {
    return xml::error_at(*mass, *mass->find("value"), "is below 0", "a mass in kg, 0 or more");
  }
  Mat3 I{};
  if (Element* inertia = e.child("inertia"); inertia != nullptr) {
    const char* names[3][3] = {{"ixx", "ixy", "ixz"}, {"ixy", "iyy", "iyz"}, {"ixz", "iyz", "izz"}};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        const Result<double> v = xml::number_or(*inertia, names[i][j], 0);
        if (!v) return v.error();
        I(i, j) = *v;
      }
    }
  }
  if (*m == 0) return std::optional<model::Inertial>();
  if (!(origin->q == Quat{})) {
    const Mat3 R = to_matrix(origin->q);
    I = R * I * transpose(R);
    I = 0.5 * (I + transpose(I));
  }
  return std::optional(model::Inertial{*m, origin->p, I});
}

bool same_form(const Part& a, const Part& b) {
  return a.shape == b.shape && a.position == b.position && a.orientation == b.orientation;
}

// What is seen and touches at the same place is one part.
std::vector<Part> join(std::vector<Part> seen, std::vector<Part> touching) {
  std::vector<bool> joined(touching.size(), false);
  for (Part& part : seen) {
    for (size_t i = 0; i < touching.size(); ++i) {
      if (joined[i] || !same_form(part, touching[i])) continue;
      part.role = PartRole::kAll;
      joined[i] = true;
      break;
    }
  }
  const bool none_seen = seen.empty();
  for (size_t i = 0; i < touching.size(); ++i) {
    if (joined[i]) continue;
    if (none_seen) touching[i].role = PartRole::kAll;
    seen.push_back(std::move(touching[i]));
  }
  return seen;
}

}  // namespace

Result<Pose> read_origin(Element& parent) {
  Element* e = parent.child("origin");
  if (e == nullptr) return Pose{};
  const auto xyz = xml::vector_or(*e, "xyz", {}), rpy = xml::vector_or(*e, "rpy", {});
  if (!xyz) return xyz.error();
  if (!rpy) return rpy.error();
  return Pose{*xyz, model::from_rpy(*rpy)};
}

Result<std::optional<Color>> read_material(Element& material, const model::Files& files,
                                           Coloring& coloring, Report& report) {
  material.used = true;
  const std::string name = material.text("name");
  if (Element* texture = material.child("texture"); texture != nullptr) {
    const std::string file = texture->text("filename");
    if (!model::find_file(files, texture->file, file)) {
      report.warnings.push_back(xml::error_at(*texture, "the texture file is not there", file,
                                              "a file beside the model"));
    } else {
      texture->used = false;  // listed: textures are not drawn
    }
  }
  Element* e = material.child("color");
  if (e == nullptr) {
    const auto known = coloring.materials.find(name);
    if (known != coloring.materials.end()) return known->second;
    if (material.children.empty()) {
      report.warnings.push_back(xml::error_at(material, "the material is not defined", name));
    }
    return std::optional<Color>();
  }
  if (const auto there = xml::need_text(*e, "rgba"); !there) return there.error();
  const auto rgba = xml::read_numbers(*e, *e->find("rgba"), 3, 4);
  if (!rgba) return rgba.error();
  const auto share = [](double x) { return std::clamp(x, 0.0, 1.0); };
  const Color color{share((*rgba)[0]), share((*rgba)[1]), share((*rgba)[2])};
  if (!name.empty()) coloring.materials[name] = color;
  return std::optional(color);
}

Result<model::Link> read_link(Element& e, const model::Files& files, Coloring& coloring,
                              Report& report) {
  e.used = true;
  const Result<std::string> name = xml::need_text(e, "name");
  if (!name) return name.error();
  model::Link link;
  link.name = *name;
  link.place = {e.line, 0};
  std::vector<Part> seen, touching;
  for (Element& c : e.children) {
    const bool visual = c.tag == "visual";
    if (!visual && c.tag != "collision") continue;
    auto part =
        read_part(c, visual ? PartRole::kVisual : PartRole::kContact, files, coloring, report);
    if (!part) return part.error();
    if (*part) (visual ? seen : touching).push_back(std::move(**part));
  }
  link.parts = join(std::move(seen), std::move(touching));
  Element* inertial = e.child("inertial");
  if (inertial == nullptr) return link;
  auto read = read_inertial(*inertial);
  if (!read) return read.error();
  link.inertial = *read;
  if (link.inertial) {
    const Error where = xml::error_at(*inertial, "");
    const Status mended = model::mend_inertia(
        link.parts, link.name, where, model::mesh_reader(files, e.file), *link.inertial, report);
    if (!mended) return mended.error();
  }
  return link;
}

}  // namespace tenon::scene::urdf
