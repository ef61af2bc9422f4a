#include "tenon/scene/mjcf/export_mjcf.h"

#include <cmath>

#include "tenon/scene/mjcf/export_geoms.h"
#include "tenon/scene/mjcf/export_sections.h"
#include "tenon/scene/mjcf/world.h"
#include "tenon/scene/model/import.h"

namespace tenon::scene::mjcf {
namespace {

using model::DofKind;

// A range without an end: no joint gets there. The reader takes it as open.
std::string range_text(const JointLimits& limits) {
  return format_number(limits.min.value_or(-kOpenRange)) + " " +
         format_number(limits.max.value_or(kOpenRange));
}

class Writer {
 public:
  explicit Writer(Export& e)
      : e_(e), surfaces_(e), filters_(find_filters(e)), geoms_(e, filters_) {}
  Status write();

 private:
  Tag make_joint(size_t link, size_t d) const;
  void write_body(size_t link, Lines& lines);
  void write_bodies(Lines& lines);
  void write_inertial(const OutLink& out, Lines& lines) const;
  void write_settings(Lines& lines) const;
  void write_contact(Lines& lines) const;
  void write_tendons(Lines& lines) const;
  void write_assets(Lines& lines) const { lines.section("asset", geoms_.assets()); }

  Export& e_;
  Surfaces surfaces_;
  Filters filters_;
  Geoms geoms_;
  Sections sections_;
};

Tag Writer::make_joint(size_t link, size_t d) const {
  const OutLink& out = e_.plan.links[link];
  const model::Dof& dof = out.link.dofs[d];
  Tag tag("joint");
  tag.add("name", dof.name);
  if (dof.kind == DofKind::kSlide) tag.add("type", "slide");
  if (dof.kind == DofKind::kBall) tag.add("type", "ball");
  tag.unless_zero("pos", dof.anchor);
  if (dof.kind != DofKind::kBall) tag.add("axis", dof.axis);
  tag.unless_zero("ref", dof.ref);
  if (dof.kind == DofKind::kBall) {
    if (dof.swing) tag.add("limited", "true").add("range", "0 " + format_number(*dof.swing));
  } else if (dof.law.limits) {
    tag.add("limited", "true").add("range", range_text(*dof.law.limits));
  }
  const JointSpring spring = dof.law.spring.value_or(JointSpring{});
  tag.unless_zero("stiffness", spring.stiffness);
  if (spring.stiffness > 0 && dof.kind != DofKind::kBall) tag.unless_zero("springref", spring.rest);
  tag.unless_zero("damping", spring.damping + calc_servo_damping(e_, link, d));
  tag.unless_zero("frictionloss", dof.law.friction);
  return tag;
}

void Writer::write_inertial(const OutLink& out, Lines& lines) const {
  if (!out.link.inertial) return;
  const model::Inertial& m = *out.link.inertial;
  const Mat3& I = m.inertia;
  Tag tag("inertial");
  tag.add("pos", m.com).add("mass", m.mass);
  const bool diagonal = I.r0.y == 0 && I.r0.z == 0 && I.r1.z == 0;
  if (diagonal) {
    tag.add("diaginertia", Vec3{I.r0.x, I.r1.y, I.r2.z});
  } else {
    tag.add("fullinertia",
            words(Vec3{I.r0.x, I.r1.y, I.r2.z}) + " " + words(Vec3{I.r0.y, I.r0.z, I.r1.z}));
  }
  lines.add(tag);
}

void Writer::write_body(size_t link, Lines& lines) {
  const OutLink& out = e_.plan.links[link];
  Tag body("body");
  body.add("name", out.link.name);
  body.unless_zero("pos", out.link.X_PL.p).unless_unit("quat", out.link.X_PL.q);
  if (out.link.kinematic) body.add("mocap", "true");
  if (!out.link.gravity) body.add("gravcomp", "1");
  lines.open(body);
  write_inertial(out, lines);
  if (out.free) lines.add(Tag("freejoint"));
  for (size_t d = 0; d < out.link.dofs.size(); ++d) lines.add(make_joint(link, d));
  for (const Tag& geom : geoms_.make(*out.body)) lines.add(geom);
  const int index = static_cast<int>(link);
  for (const Tag& site : sections_.sites[index]) lines.add(site);
  for (const Tag& camera : sections_.cameras[index]) lines.add(camera);
}

void Writer::write_bodies(Lines& lines) {
  lines.open(Tag("worldbody"));
  for (const Body* plane : e_.plan.planes) lines.add(geoms_.make_plane(*plane));
  for (const Tag& site : sections_.sites[-1]) lines.add(site);
  for (const Tag& camera : sections_.cameras[-1]) lines.add(camera);
  const size_t floor = lines.depth();
  std::vector<size_t> depth;  // of each link
  for (size_t i = 0; i < e_.plan.links.size(); ++i) {
    const int parent = e_.plan.links[i].parent;
    depth.push_back(parent < 0 ? 0 : depth[static_cast<size_t>(parent)] + 1);
    while (lines.depth() > floor + depth[i]) lines.close();
    write_body(i, lines);
  }
  while (lines.depth() >= floor) lines.close();
}

void Writer::write_settings(Lines& lines) const {
  lines.add(Tag("compiler").add("angle", "radian"));
  const WorldSettings& w = e_.flat.world;
  Tag option("option");
  option.add("timestep", w.step).add("gravity", model::from_scene(w.gravity));
  option.unless_zero("wind", model::from_scene(w.wind));
  lines.add(option);
}

void Writer::write_contact(Lines& lines) const {
  std::vector<Tag> excludes;
  for (const auto& [a, b] : filters_.excludes)
    excludes.push_back(Tag("exclude").add("body1", a).add("body2", b));
  lines.section("contact", excludes);
}

void Writer::write_tendons(Lines& lines) const {
  if (sections_.tendons.empty()) return;
  lines.open(Tag("tendon"));
  for (const Sections::Tendon& tendon : sections_.tendons) {
    lines.open(tendon.tag);
    lines.add(Tag("site").add("site", tendon.a));
    lines.add(Tag("site").add("site", tendon.b));
    lines.close();
  }
  lines.close();
}

Status Writer::write() {
  add_loops(e_, sections_);
  add_motors(e_, sections_);
  add_views(e_, sections_);
  Lines bodies, lines;
  const Tag root = Tag("mujoco").add("model", e_.flat.title);
  bodies.open(root);
  write_bodies(bodies);
  const std::string opened = root.text() + ">\n";
  lines.open(root);
  write_settings(lines);
  surfaces_.write(lines);
  write_assets(lines);
  std::string text = lines.take() + bodies.take().substr(opened.size());
  write_contact(lines);
  lines.section("equality", sections_.equalities);
  write_tendons(lines);
  lines.section("actuator", sections_.actuators);
  if (const std::optional<Tag> key = make_key(e_, sections_)) lines.section("keyframe", {*key});
  lines.close();
  e_.out.text = text + lines.take();
  tell_losses(e_);
  if (geoms_.error()) return *geoms_.error();
  return Ok{};
}

}  // namespace

Result<MjcfText> export_mjcf(const Document& flat, const MjcfExportOptions& options) {
  MjcfText out;
  Export e(flat, options, out);
  plan_tree(e);
  if (e.plan.links.empty() && e.plan.planes.empty()) {
    return Error{.message = "there is no body that a model could be made of",
                 .file = flat.source.name,
                 .accepted = "bodies"};
  }
  plan_links(e);
  if (Status s = Writer(e).write(); !s) return s.error();
  return out;
}

}  // namespace tenon::scene::mjcf
