#include "tenon/scene/urdf/import_urdf.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "tenon/scene/formats/number_text.h"
#include "tenon/scene/model/mesh_part.h"
#include "tenon/scene/model/to_document.h"

namespace tenon::scene::urdf {
namespace {

using model::Dof;
using model::Imported;
using model::Tree;

const model::Reasons& reasons() {
  static const model::Reasons all{
      {"<transmission>", "how a motor is geared to its joint; effort limits hold at the joint"},
      {"<gazebo>", "settings of another simulator"},
      {"<sensor>", "Tenon records all bodies and joints"},
      {"<safety_controller>", "for the software of a robot"},
      {"<calibration>", "for the software of a robot"},
      {"<texture>", "textures are not drawn"},
      {"<verbose>", "has no meaning"},
      {"<limit> velocity", "motors are bounded by effort, not by speed"},
      {"<limit> lower", "a continuous joint has no limits"},
      {"<limit> upper", "a continuous joint has no limits"},
      {"<robot> version", "there is one version"},
      {"<robot> xmlns:xacro", "the name of a namespace"},
      {"<link> type", "has no meaning"},
  };
  return all;
}

using DofsByName = std::map<std::string, Dof*>;

DofsByName list_dofs(Tree& tree) {
  DofsByName dofs;
  for (model::Link& link : tree.links) {
    for (Dof& dof : link.dofs) dofs.emplace(dof.name, &dof);
  }
  return dofs;
}

// q of a joint as factor * q of another one + offset.
struct Law {
  double factor = 1, offset = 0;
};

std::string text_of(const Mimic& m) {
  std::string text = m.joint + " = " + format_number(m.multiplier) + " " + m.of;
  if (m.offset != 0) text += (m.offset > 0 ? " + " : " - ") + format_number(std::abs(m.offset));
  return text;
}

// Joints that follow one another in a circle can move only where the way round gives back what it
// began with.
Status check_circles(const std::vector<Mimic>& mimics, const std::string& file) {
  std::map<std::string, size_t> by_joint;
  for (size_t i = 0; i < mimics.size(); ++i) by_joint.emplace(mimics[i].joint, i);
  std::vector<size_t> way_of(mimics.size(), mimics.size());
  for (size_t i = 0; i < mimics.size(); ++i) {
    std::vector<size_t> way;
    auto next = by_joint.find(mimics[i].joint);
    while (next != by_joint.end() && way_of[next->second] == mimics.size()) {
      way_of[next->second] = i;
      way.push_back(next->second);
      next = by_joint.find(mimics[next->second].of);
    }
    if (next == by_joint.end() || way_of[next->second] != i) continue;
    Law round;
    std::string words;
    for (auto at = std::find(way.begin(), way.end(), next->second); at != way.end(); ++at) {
      const Mimic& m = mimics[*at];
      round = {round.factor * m.multiplier, round.offset + round.factor * m.offset};
      if (words.size() < 200) words += (words.empty() ? "" : ", ") + text_of(m);
    }
    const bool same = std::abs(round.factor - 1) <= 1e-9 && std::abs(round.offset) <= 1e-9;
    if (same) continue;
    const Mimic& first = mimics[next->second];
    return Error{
        .message = "joints mimic one another in a circle that contradicts itself: " + words,
        .file = file,
        .line = first.place.line,
        .value = text_of({first.joint, first.joint, round.factor, round.offset, {}}),
        .accepted = "multipliers whose product is 1 with offsets that cancel, or no circle"};
  }
  return Ok{};
}

// Joints that others follow, before those that follow: a few rounds settle any chain of mimics.
Status place_mimics(Robot& robot, const std::string& file) {
  const DofsByName dofs = list_dofs(robot.tree);
  const auto find = [&](const std::string& name) -> Dof* {
    const auto found = dofs.find(name);
    return found == dofs.end() ? nullptr : found->second;
  };
  for (const Mimic& m : robot.mimics) {
    Dof *own = find(m.joint), *other = find(m.of);
    if (own != nullptr) own->follows = true;
    const auto single = [](const Dof* d) {
      return d != nullptr &&
             (d->kind == model::DofKind::kHinge || d->kind == model::DofKind::kSlide);
    };
    if (single(own) && single(other) && own != other && m.multiplier != 0) continue;
    return Error{.message = "joint '" + m.joint + "' cannot mimic '" + m.of + "'",
                 .file = file,
                 .line = m.place.line,
                 .accepted = "two different joints with one freedom each, a multiplier but 0"};
  }
  if (Status s = check_circles(robot.mimics, file); !s) return s;
  bool settled = false;
  for (size_t round = 0; round < robot.mimics.size() && !settled; ++round) {
    settled = true;
    for (const Mimic& m : robot.mimics) {
      double& q = find(m.joint)->q;
      const double wanted = m.multiplier * find(m.of)->q + m.offset;
      settled = settled && q == wanted;
      q = wanted;
    }
  }
  return Ok{};
}

void add_mimics(const Robot& robot, model::MadeLinks& made, Document& document) {
  const auto axis_of = [&](const std::string& name) {
    for (size_t i = 0; i < robot.tree.links.size(); ++i) {
      for (size_t d = 0; d < robot.tree.links[i].dofs.size(); ++d) {
        if (robot.tree.links[i].dofs[d].name == name) return made.axes[i][d];
      }
    }
    return model::DofAxis{};
  };
  for (const Mimic& m : robot.mimics) {
    Joint gear = model::make_gear(model::make_name(m.joint + "_mimic", made.names),
                                  axis_of(m.joint), axis_of(m.of), m.multiplier);
    gear.place = m.place;
    document.joints.push_back(std::move(gear));
  }
}

// The root: free, held, or standing still because it weighs nothing.
Status set_base(const model::ImportOptions& options, const std::string& file, Tree& tree) {
  model::Link& root = tree.links.front();
  if (options.base == model::ImportOptions::Base::kFixed) {
    root.fixed_name = root.name + "_to_world";
    return Ok{};
  }
  if (!root.inertial) {
    return Error{.message = "the base '" + root.name + "' has no mass and cannot be free",
                 .file = file,
                 .line = root.place.line,
                 .accepted = "a mass, or a base that is fixed"};
  }
  Dof free;
  free.kind = model::DofKind::kFree;
  root.dofs = {free};
  return Ok{};
}

// All links are one group, which passes through itself, or only those that overlap are kept apart.
void set_collisions(const model::ImportOptions& options, const FileReader& meshes,
                    Document& document) {
  if (options.self_collision) return model::keep_overlaps_apart(meshes, document);
  Group group;
  group.name = "robot";
  group.ignores = {"robot"};
  document.groups.push_back(std::move(group));
  for (Body& body : document.bodies) body.groups = {"robot"};
}

}  // namespace

bool is_urdf_file(std::string_view path) { return path.ends_with(".urdf"); }

Result<Imported> import_urdf(std::string_view text, const std::string& file,
                             const model::Files& files, const model::ImportOptions& options) {
  Result<xml::Element> root = xml::parse(text, file);
  if (!root) return root.error();
  Imported out;
  out.report.format = "URDF";
  Result<Robot> robot = read_robot(*root, files, out.report);
  if (!robot) return robot.error();
  out.report.name = robot->name;
  model::merge_fixed(robot->tree, options.merge_fixed, out.report);
  if (Status s = set_base(options, file, robot->tree); !s) return s.error();
  if (Status s = model::set_start(options, file, robot->tree, out.report); !s) return s.error();
  if (Status s = place_mimics(*robot, file); !s) return s.error();
  if (Status s = model::hold_joints(options, file, robot->tree); !s) return s.error();
  Document& d = out.document;
  d.title = robot->name.empty() ? "Robot" : robot->name;
  d.tags = {"urdf"};
  d.materials.push_back(model::make_link_material());
  auto made = model::add_links(robot->tree, {}, file, d, out.report);
  if (!made) return made.error();
  for (Body& body : d.bodies) body.material = model::kLinkMaterial;
  add_mimics(*robot, *made, d);
  set_collisions(options, model::mesh_reader(files, file), d);
  if (options.floor) model::add_floor(model::mesh_reader(files, file), d, out.report);
  model::list_ignored(*root, reasons(), out.report);
  if (Status s = model::finish_document(out, file); !s) return s.error();
  return out;
}

}  // namespace tenon::scene::urdf
