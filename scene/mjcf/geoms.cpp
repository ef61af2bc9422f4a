// Geoms: shapes, masses, and how they touch.
#include <algorithm>
#include <array>
#include <cmath>

#include "tenon/engine/geometry/mass_properties.h"
#include "tenon/scene/mesh/mesh_library.h"
#include "tenon/scene/mjcf/ellipsoid.h"
#include "tenon/scene/mjcf/world.h"
#include "tenon/scene/model/inertia.h"
#include "tenon/scene/model/mesh_part.h"

namespace tenon::scene::mjcf {
namespace {

// y, along which cylinders and capsules of scenes stand, to z, where MJCF has them.
const Quat kYToZ = normalized(Quat{1, 1, 0, 0});
constexpr double kWater = 1000;  // kg/m^3, MuJoCo's density of geoms

// Bounce of MuJoCo's soft contacts. They are springs with a damping ratio z; a contact that ends
// after half a swing leaves with the share exp(-pi z / sqrt(1 - z^2)) of its speed.
double restitution_of(const std::vector<double>& solref) {
  if (solref.size() < 2) return 0;  // critically damped, the default
  double ratio = solref[1];
  // both negative: stiffness and damping themselves
  if (solref[0] <= 0) ratio = -solref[1] / (2 * std::sqrt(std::max(-solref[0], 1e-300)));
  if (!(ratio < 1)) return 0;
  ratio = std::max(ratio, 0.0);
  return std::clamp(exp(-kPi * ratio / std::sqrt(1 - ratio * ratio)), 0.0, 1.0);
}

Touch read_touch(Source& s, const World& w) {
  Touch touch;
  touch.contype = static_cast<uint32_t>(s.positive("contype", 1));
  touch.conaffinity = static_cast<uint32_t>(s.positive("conaffinity", 1));
  touch.condim = static_cast<int>(s.positive("condim", 3));
  const std::vector<double> friction = s.numbers("friction", 1, 3);
  for (size_t i = 0; i < friction.size(); ++i) touch.friction[i] = std::max(friction[i], 0.0);
  touch.restitution = restitution_of(s.numbers("solref", 1, 2));
  if (!w.settings.contacts) touch.contype = touch.conaffinity = 0;
  return touch;
}

std::optional<Color> read_color(Source& s, const World& w, double& alpha) {
  std::optional<Color> color;
  alpha = 1;
  const auto material = w.materials.find(s.text("material"));
  if (material != w.materials.end()) color = material->second;
  if (const auto rgba = s.numbers("rgba", 4, 4); !rgba.empty()) {
    const auto share = [](double x) { return std::clamp(x, 0.0, 1.0); };
    color = Color{share(rgba[0]), share(rgba[1]), share(rgba[2])};
    alpha = rgba[3];
  }
  return color;
}

// Sizes by the type; `half` is the half length along z of what has one.
std::vector<double> read_sizes(Source& s, const std::string& type, size_t needed, Pose& X_FG) {
  std::vector<double> size = s.numbers("size", 1, 3);
  const std::vector<double> ends = s.numbers("fromto", 6, 6);
  if (!ends.empty()) {
    const Vec3 from{ends[0], ends[1], ends[2]}, to{ends[3], ends[4], ends[5]};
    const double half = 0.5 * norm(from - to);
    if (!(half > 1e-12)) s.fail("the two ends of fromto are the same", "", "two points");
    // z runs from the second point to the first
    const Vec3 z = normalized(from - to, {0, 0, 1});
    const Vec3 c = cross(Vec3{0, 0, 1}, z);
    X_FG.p = 0.5 * (from + to);
    X_FG.q = z.z < -1 + 1e-12 ? Quat{0, 1, 0, 0} : normalized(Quat{1 + z.z, c.x, c.y, c.z});
    if (!size.empty()) {
      const bool three = type == "box" || type == "ellipsoid";
      size =
          three ? std::vector<double>{size[0], size[0], half} : std::vector<double>{size[0], half};
    }
  }
  if (size.size() < needed) {
    s.fail("a geom of type '" + type + "' has too few sizes", std::to_string(size.size()),
           std::to_string(needed) + " numbers");
    size.resize(needed, 1);
  }
  for (size_t i = 0; i < needed; ++i) {
    if (size[i] > 0) continue;
    s.fail("a size of the geom is not positive", s.text("size"), "lengths above 0");
    size[i] = 1;
  }
  return size;
}

struct Form {
  std::optional<PartShape> shape;
  Quat turn;                            // of the shape in the frame of the geom
  std::optional<model::Inertial> unit;  // exact, for a density of 1, where the shape is not
  Vec3 shift{};                         // m, of the shape in the frame of the geom
};

// The mesh and where its reference puts it. Rotation and unlike scales do not commute: then the
// points themselves are moved.
Form place_mesh(model::MeshUseOf use, const MeshAsset& mesh, xml::Element& place, World& w) {
  Form form;
  const Vec3& s = mesh.scale;
  const bool turned = !(mesh.reference.q == Quat{}), even = s.x == s.y && s.y == s.z;
  if (turned && !even && !use.path.empty()) {
    MeshShape whole;
    whole.file = use.path;
    Result<MeshData> data = resolve_mesh(whole, model::mesh_reader(*w.files, w.file));
    if (!data) {
      w.report->warnings.push_back(
          xml::error_at(place, "the mesh is left out: " + data.error().message, use.path));
      return {};
    }
    use.path.clear();
    use.vertices = std::move(data->vertices);
    use.triangles = std::move(data->triangles);
  }
  if (!use.path.empty()) {
    form.turn = conjugate(mesh.reference.q);
    form.shift = -cwise_mul(s, rotate(form.turn, mesh.reference.p));
  } else if (turned || !(mesh.reference.p == Vec3{})) {
    for (Vec3& v : use.vertices) v = rotate(conjugate(mesh.reference.q), v - mesh.reference.p);
  }
  form.shape = model::make_mesh_shape(use, *w.files, place, *w.report);
  return form;
}

Form make_mesh_form(Source& s, bool touches, World& w) {
  const std::string name = s.text("mesh");
  const auto asset = w.meshes.find(name);
  if (asset == w.meshes.end()) {
    s.fail("there is no mesh of this name", name, "the name of a <mesh> in <asset>");
    return {};
  }
  const MeshAsset& mesh = asset->second;
  if (!mesh.vertices.empty() && mesh.file.empty()) {
    return place_mesh({{}, mesh.scale, touches, mesh.vertices, mesh.triangles}, mesh, *mesh.element,
                      w);
  }
  const auto path = model::find_file(*w.files, w.file, asset->second.file, w.settings.mesh_folder);
  if (!path) {
    w.report->warnings.push_back(xml::error_at(
        *asset->second.element, "the mesh file is not there; geoms of it are left out",
        asset->second.file, "a file beside the model, or in its meshdir"));
    return {};
  }
  // named relative to the model, whichever file the element stands in
  xml::Element place = *asset->second.element;
  place.file = w.file;
  return place_mesh({*path, mesh.scale, touches, {}, {}}, mesh, place, w);
}

// A primitive for a mesh: with the frame and the half sides of the box that has the mesh's inertia,
// whose longest side is along z.
Form fit_mesh(Source& s, const std::string& type, Pose& X_FG, World& w) {
  if (w.settings.fit_boxes)
    s.fail("geoms are not fitted to the bounds of a mesh here", type,
           "fitaabb=\"false\", or the sizes of the geom");
  Form mesh = make_mesh_form(s, false, w);
  if (!mesh.shape) return {};
  Part part;
  part.shape = std::move(*mesh.shape);
  part.position = mesh.shift;
  part.orientation = mesh.turn;
  const auto unit = model::calc_inertial({part}, model::mesh_reader(*w.files, w.file));
  if (!unit || !(unit->mass > 0)) {
    w.report->warnings.push_back(xml::error_at(s.element(),
                                               "no geom can be fitted to this mesh; left out",
                                               s.text("mesh"), "a closed mesh"));
    return {};
  }
  const SymmetricEigen e = calc_symmetric_eigen(unit->inertia);
  // the largest moment first, which is about the shortest side
  std::array<int, 3> order{0, 1, 2};
  std::sort(order.begin(), order.end(), [&](int i, int j) {
    return e.values[i] != e.values[j] ? e.values[i] > e.values[j] : i < j;
  });
  const Vec3 x = e.vectors.column(order[0]), y = e.vectors.column(order[1]);
  const Vec3 I{e.values[order[0]], e.values[order[1]], e.values[order[2]]};
  const auto half = [&](double own, double sum) {
    return 0.5 * std::sqrt(std::max(6 * (sum - 2 * own) / unit->mass, 0.0));
  };
  const double sum = I.x + I.y + I.z, fit = s.positive("fitscale", 1);
  const Vec3 h = fit * Vec3{half(I.x, sum), half(I.y, sum), half(I.z, sum)};
  X_FG = X_FG * Pose{unit->com, normalized(to_quat(Mat3::from_columns(x, y, cross(x, y))))};
  s.find("size");  // MuJoCo does not look at it either
  if (type == "sphere") return {SphereShape{(h.x + h.y + h.z) / 3}, {}, {}};
  if (type == "box") return {BoxShape{2 * h}, {}, {}};
  if (type == "ellipsoid") return {make_ellipsoid_hull(h), {}, calc_ellipsoid(h)};
  const double r = 0.5 * (h.x + h.y);
  if (type == "cylinder") return {CylinderShape{r, 2 * h.z}, kYToZ, {}};
  return {CapsuleShape{r, 2 * std::max(h.z - 0.5 * r, 1e-6 * r)}, kYToZ, {}};
}

Form make_form(Source& s, const std::string& type, bool touches, Pose& X_FG, World& w) {
  const bool primitive = type == "sphere" || type == "box" || type == "capsule" ||
                         type == "cylinder" || type == "ellipsoid";
  if (primitive && s.has("mesh")) return fit_mesh(s, type, X_FG, w);
  if (type == "sphere") return {SphereShape{read_sizes(s, type, 1, X_FG)[0]}, {}, {}};
  if (type == "mesh") return make_mesh_form(s, touches, w);
  if (type == "box") {
    const auto h = read_sizes(s, type, 3, X_FG);
    return {BoxShape{{2 * h[0], 2 * h[1], 2 * h[2]}}, {}, {}};
  }
  if (type == "capsule" || type == "cylinder") {
    const auto h = read_sizes(s, type, 2, X_FG);
    if (type == "capsule") return {CapsuleShape{h[0], 2 * h[1]}, kYToZ, {}};
    return {CylinderShape{h[0], 2 * h[1]}, kYToZ, {}};
  }
  if (type == "ellipsoid") {
    const auto h = read_sizes(s, type, 3, X_FG);
    const Vec3 half{h[0], h[1], h[2]};
    return {make_ellipsoid_hull(half), {}, calc_ellipsoid(half)};
  }
  w.report->warnings.push_back(
      xml::error_at(s.element(), "a geom of this type is not known; left out", type,
                    "plane, sphere, capsule, ellipsoid, cylinder, box or mesh"));
  return {};
}

// Mass as the geom says it, in the frame of the link.
std::optional<model::Inertial> weigh(Source& s, const Form& form, const Part& part,
                                     const FileReader& meshes) {
  const bool given = s.has("mass");
  const double mass = s.positive("mass", 0), density = s.positive("density", kWater);
  Part piece = part;
  piece.mass.reset();
  auto unit = form.unit;
  if (!unit) {
    const auto calculated = model::calc_inertial({piece}, meshes);
    if (!calculated) return std::nullopt;
    unit = *calculated;
  } else {
    const MassProperties turned = transformed(to_transform({part.position, part.orientation}),
                                              {unit->mass, unit->com, unit->inertia});
    unit = model::Inertial{turned.mass, turned.com, turned.inertia};
  }
  if (!(unit->mass > 0)) return std::nullopt;
  const double factor = given ? mass / unit->mass : density;
  if (!(factor > 0)) return std::nullopt;
  return model::Inertial{factor * unit->mass, unit->com, factor * unit->inertia};
}

}  // namespace

GeomRead read_geom(xml::Element& e, const std::string& childclass, const Pose& X_LF, World& w) {
  Source s = w.defaults.source(e, childclass, w.error);
  GeomRead out;
  out.name = s.text("name");
  out.touch = read_touch(s, w);
  const std::string type = s.text("type", s.has("mesh") ? "mesh" : "sphere");
  Pose X_FG = s.pose(w.settings);
  double alpha = 1;
  const std::optional<Color> color = read_color(s, w, alpha);
  if (type == "plane") {
    s.find("size");  // how far it is drawn
    out.plane = true;
    out.X_LG = X_LF * X_FG;
    out.part.emplace();
    out.part->color = color;
    return out;
  }
  const bool touches = (out.touch.contype | out.touch.conaffinity) != 0;
  Form form = make_form(s, type, touches, X_FG, w);
  if (!form.shape) return out;
  out.X_LG = X_LF * X_FG;
  Part part;
  part.shape = std::move(*form.shape);
  part.position = out.X_LG.p + rotate(out.X_LG.q, form.shift);
  part.orientation = normalized(out.X_LG.q * form.turn);
  part.color = color;
  part.place = {e.line, 0};
  out.inertial = weigh(s, form, part, model::mesh_reader(*w.files, w.file));
  // of groups that do not count
  if (w.settings.inertia_groups) {
    const double group = s.number("group", 0);
    const auto& [first, last] = *w.settings.inertia_groups;
    if (group < first || group > last) out.inertial.reset();
  }
  part.role = !touches ? PartRole::kVisual : alpha <= 0 ? PartRole::kContact : PartRole::kAll;
  // neither to be seen nor to be felt: it only weighs
  if (touches || alpha > 0) out.part = std::move(part);
  return out;
}

}  // namespace tenon::scene::mjcf
