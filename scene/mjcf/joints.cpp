// Joints, masses and materials of MJCF.
#include <algorithm>
#include <cmath>

#include "tenon/scene/formats/number_text.h"
#include "tenon/scene/mjcf/world.h"
#include "tenon/scene/model/inertia.h"
#include "tenon/scene/model/mesh_part.h"

namespace tenon::scene::mjcf {
namespace {

using model::Dof;
using model::DofKind;

constexpr size_t kMostNumbers = 10'000'000;  // of a list; the file has at most 64 MiB

// Whether limits hold: said, or by autolimits where there is a range.
bool is_limited(Source& s, const Settings& settings) {
  const std::string limited = s.text("limited", "auto");
  if (!settings.limits || limited == "false") return false;
  return limited == "true" || (settings.autolimits && s.has("range"));
}

DofKind kind_of(Source& s, const std::string& type) {
  if (type == "hinge") return DofKind::kHinge;
  if (type == "slide") return DofKind::kSlide;
  if (type == "ball") return DofKind::kBall;
  if (type == "free") return DofKind::kFree;
  s.fail("a joint of this type is not known", type, "free, ball, slide or hinge");
  return DofKind::kHinge;
}

// Numbers of hinges are angles. Our coordinate is zero where the model stands: qpos - ref.
void read_law(Source& s, const World& w, Dof& dof) {
  const double unit = dof.kind == DofKind::kSlide ? 1 : w.settings.angle;
  const double ref = unit * s.number("ref", 0);
  dof.ref = ref;
  const double rest = unit * s.number("springref", 0) - ref;
  const double stiffness =
      s.numbers("stiffness", 1, 8).empty() ? 0 : s.numbers("stiffness", 1, 8)[0];
  const double damping = s.numbers("damping", 1, 8).empty() ? 0 : s.numbers("damping", 1, 8)[0];
  if (stiffness < 0 || damping < 0) s.fail("stiffness and damping are 0 or more");
  dof.law.friction = s.positive("frictionloss", 0);
  if (stiffness > 0 || damping > 0) {
    const bool turns = dof.kind == DofKind::kBall;
    dof.law.spring = JointSpring{stiffness, damping, turns ? 0 : rest};
  }
  const std::vector<double> range = s.numbers("range", 2, 2);
  if (!is_limited(s, w.settings) || range.empty()) return;
  if (dof.kind == DofKind::kBall) {
    dof.swing = std::clamp(unit * range[1], 0.0011, 3.14);
    return;
  }
  if (range[0] > range[1]) s.fail("range runs backwards", s.text("range"), "lower, then upper");
  dof.law.limits = JointLimits{};
  if (range[0] > -kOpenRange) dof.law.limits->min = unit * range[0] - ref;
  if (range[1] < kOpenRange) dof.law.limits->max = unit * range[1] - ref;
}

// A mesh that is written out in the model.
void read_points(Source& s, MeshAsset& mesh) {
  const std::vector<double> xyz = s.numbers("vertex", 12, kMostNumbers),
                            corners = s.numbers("face", 3, kMostNumbers);
  if (xyz.size() % 3 != 0) s.fail("vertices have three numbers each", std::to_string(xyz.size()));
  if (corners.size() % 3 != 0) {
    s.fail("faces have three corners each", std::to_string(corners.size()));
  }
  for (size_t i = 0; i + 2 < xyz.size(); i += 3) {
    mesh.vertices.push_back({xyz[i], xyz[i + 1], xyz[i + 2]});
  }
  const auto count = static_cast<double>(mesh.vertices.size());
  for (size_t i = 0; i + 2 < corners.size(); i += 3) {
    std::array<int, 3> t{};
    for (size_t k = 0; k < 3; ++k) {
      const double c = corners[i + k];
      const bool good = c >= 0 && c < count && c == std::floor(c);
      if (!good) {
        s.fail("a face names a vertex that is not there", format_number(c),
               "whole numbers below " + std::to_string(mesh.vertices.size()));
        return;
      }
      t[k] = static_cast<int>(c);
    }
    mesh.triangles.push_back(t);
  }
}

// Largest of each principal moment and the bound.
void bound_inertia(double bound, model::Inertial& m) {
  SymmetricEigen e = calc_symmetric_eigen(m.inertia);
  const Vec3 raised{std::max(e.values.x, bound), std::max(e.values.y, bound),
                    std::max(e.values.z, bound)};
  if (raised == e.values) return;
  const Mat3 I = e.vectors * Mat3::diagonal(raised) * transpose(e.vectors);
  m.inertia = 0.5 * (I + transpose(I));
}

}  // namespace

std::vector<Dof> read_joint(xml::Element& e, const std::string& childclass, const Pose& X_LF,
                            World& w) {
  if (e.tag == "freejoint") {
    e.used = true;
    Dof dof;
    dof.name = e.text("name");
    dof.kind = DofKind::kFree;
    dof.place = {e.line, 0};
    return {dof};
  }
  Source s = w.defaults.source(e, childclass, w.error);
  Dof dof;
  dof.name = e.text("name");
  dof.place = {e.line, 0};
  dof.kind = kind_of(s, s.text("type", "hinge"));
  const Vec3 axis = s.vector("axis", {0, 0, 1});
  if (!(norm(axis) > 0)) s.fail("the axis has no direction", "0 0 0", "any vector but zero");
  dof.axis = rotate(X_LF.q, normalized(axis, {0, 0, 1}));
  dof.anchor = X_LF.p + rotate(X_LF.q, s.vector("pos", {}));
  read_law(s, w, dof);
  if (dof.kind == DofKind::kBall) dof.axis = {1, 0, 0};
  return {dof};
}

std::optional<model::Inertial> read_inertial(xml::Element& e, World& w) {
  Source s = w.defaults.source(e, "", w.error);
  model::Inertial m;
  m.mass = s.positive("mass", 0);
  const Pose X = s.pose(w.settings);
  m.com = X.p;
  const auto diagonal = s.numbers("diaginertia", 3, 3), full = s.numbers("fullinertia", 6, 6);
  if (!diagonal.empty()) m.inertia = Mat3::diagonal({diagonal[0], diagonal[1], diagonal[2]});
  if (!full.empty()) {
    m.inertia = {
        {full[0], full[3], full[4]}, {full[3], full[1], full[5]}, {full[4], full[5], full[2]}};
  }
  const Mat3 R = to_matrix(X.q);
  m.inertia = R * m.inertia * transpose(R);
  m.inertia = 0.5 * (m.inertia + transpose(m.inertia));
  if (!(m.mass > 0)) return std::nullopt;
  return m;
}

void finish_masses(World& w) {
  double total = 0;
  const std::vector<bool> still = model::find_immovable(w.tree);
  for (size_t i = 0; i < w.tree.links.size(); ++i) {
    model::Link& link = w.tree.links[i];
    if (w.settings.bound_mass > 0 && !link.inertial && !still[i]) {
      link.inertial = model::Inertial{w.settings.bound_mass, {}, {}};
    }
    if (!link.inertial || still[i]) continue;
    model::Inertial& m = *link.inertial;
    m.mass = std::max(m.mass, w.settings.bound_mass);
    if (w.settings.bound_inertia > 0) bound_inertia(w.settings.bound_inertia, m);
    Error where{.file = w.file, .line = link.place.line};
    const Status mended = model::mend_inertia(link.parts, link.name, where,
                                              model::mesh_reader(*w.files, w.file), m, *w.report);
    if (!mended && !w.error) w.error = mended.error();
    total += m.mass;
  }
  if (!(w.settings.total_mass > 0) || !(total > 0)) return;
  const double factor = w.settings.total_mass / total;
  for (size_t i = 0; i < w.tree.links.size(); ++i) {
    if (!w.tree.links[i].inertial || still[i]) continue;
    w.tree.links[i].inertial->mass *= factor;
    w.tree.links[i].inertial->inertia = factor * w.tree.links[i].inertial->inertia;
  }
}

void read_assets(xml::Element& root, World& w) {
  for (xml::Element& assets : root.children) {
    if (assets.tag != "asset") continue;
    assets.used = true;
    for (xml::Element& e : assets.children) {
      if (e.tag == "material") {
        Source s = w.defaults.source(e, "", w.error);
        const auto rgba = s.numbers("rgba", 4, 4);
        if (!rgba.empty()) w.materials[e.text("name")] = {rgba[0], rgba[1], rgba[2]};
        e.find("name");
      }
      if (e.tag == "texture" && e.has("file") &&
          !model::find_file(*w.files, w.file, e.text("file"), w.settings.texture_folder)) {
        w.report->warnings.push_back(
            xml::error_at(e, "the texture file is not there", e.text("file"),
                          "a file beside the model, or in its texturedir"));
      }
      if (e.tag == "mesh") {
        Source s = w.defaults.source(e, "", w.error);
        MeshAsset mesh;
        mesh.file = s.text("file");
        mesh.scale = s.vector("scale", {1, 1, 1});
        mesh.reference.p = s.vector("refpos", {});
        if (const auto q = s.numbers("refquat", 4, 4); !q.empty()) {
          mesh.reference.q = normalized(Quat{q[0], q[1], q[2], q[3]});
          if (!(norm(Vec3{q[1], q[2], q[3]}) + std::abs(q[0]) > 0))
            s.fail("refquat has no direction", "0 0 0 0", "four numbers, not all zero");
        }
        // solid is what all meshes are here
        if (const auto* kind = e.find("inertia"); kind != nullptr && kind->value != "exact")
          e.find("inertia")->used = false;
        mesh.element = &e;
        read_points(s, mesh);
        std::string name = e.text("name");
        if (name.empty()) {
          name = mesh.file.substr(mesh.file.find_last_of('/') + 1);
          name = name.substr(0, name.rfind('.'));
        }
        w.meshes[name] = std::move(mesh);
      }
    }
  }
}

}  // namespace tenon::scene::mjcf
