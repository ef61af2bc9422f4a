#include "tenon/scene/mjcf/import_mjcf.h"

#include "tenon/scene/mjcf/expand.h"
#include "tenon/scene/mjcf/reasons.h"
#include "tenon/scene/mjcf/sections.h"
#include "tenon/scene/model/mesh_part.h"

namespace tenon::scene::mjcf {
namespace {

using model::Imported;

// Loops that are open where the model starts are closed before the first step.
void assemble_if_open(const model::ImportOptions& options, const model::Report& report,
                      Document& document) {
  const bool moved = !options.keyframe.empty() || !options.start.empty();
  document.assembly.automatic = moved && report.loops > 0;
}

void describe(const World& w, const std::string& name, Document& d) {
  d.title = name.empty() ? "MuJoCo model" : name;
  d.tags = {"mjcf"};
  d.world.gravity = model::to_scene(w.settings.gravity) + Vec3{};
  d.world.wind = model::to_scene(w.settings.wind) + Vec3{};
  if (w.settings.timestep) d.world.step = *w.settings.timestep;
}

Status make_scene(xml::Element& root, const model::ImportOptions& options, World& w,
                  Imported& out) {
  Document& d = out.document;
  add_materials(w, d);
  if (Status s = model::hold_joints(options, w.file, w.tree); !s) return s;
  add_planes(w, d);
  auto made = model::add_links(w.tree, {}, w.file, d, out.report);
  if (!made) return made.error();
  add_equalities(root, w, *made, d);
  add_tendons(root, w, *made, d);
  add_filters(root, w, *made, d);
  add_cameras(w, *made, d);
  if (w.error) return *w.error;
  if (options.floor) model::add_floor(model::mesh_reader(*w.files, w.file), d, out.report);
  assemble_if_open(options, out.report, d);
  return Ok{};
}

}  // namespace

bool is_mjcf_file(std::string_view path) {
  return path.ends_with(".xml") || path.ends_with(".mjcf");
}

Result<Imported> import_mjcf(std::string_view text, const std::string& file,
                             const model::Files& files, const model::ImportOptions& options) {
  Result<xml::Element> root = load_with_includes(text, file, files);
  if (!root) return root.error();
  root->used = true;
  if (root->tag != "mujoco") {
    return xml::error_at(*root, "this is no MJCF", "<" + root->tag + ">", "<mujoco>");
  }
  Imported out;
  out.report.format = "MJCF";
  out.report.name = root->text("model");
  World w;
  w.files = &files;
  w.report = &out.report;
  w.file = file;
  w.tree.static_base = true;
  const Result<Settings> settings = read_settings(*root, out.report);
  if (!settings) return settings.error();
  w.settings = *settings;
  if (Status s = expand_replicates(w.settings, *root); !s) return s.error();
  if (Status s = w.defaults.read(*root); !s) return s.error();
  read_assets(*root, w);
  read_bodies(*root, w);
  if (w.error) return *w.error;
  const KeyState key = read_keyframe(*root, options.keyframe, w);
  read_actuators(*root, key.ctrl, w);
  if (w.error) return *w.error;
  if (Status s = model::set_start(options, file, w.tree, out.report); !s) return s.error();
  describe(w, out.report.name, out.document);
  if (Status s = make_scene(*root, options, w, out); !s) return s.error();
  model::list_ignored(*root, reasons(), out.report);
  if (Status s = model::finish_document(out, file); !s) return s.error();
  return out;
}

}  // namespace tenon::scene::mjcf
