#include "tenon/render/detail/stage_links.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/math/elementary.h"
#include "tenon/scene/build/connection_parts.h"

namespace tenon::render {
namespace {

constexpr int kWindings = 10, kWindingPoints = 12;  // of a coil
constexpr int kRopePoints = 25;

StageLook metal_look(double grey) {
  StageLook look;
  look.color = {grey, grey, grey};
  look.metallic = 1;
  look.roughness = 0.3;
  return look;
}
StageLook rope_look() {
  StageLook look;
  look.color = {0.55, 0.42, 0.26};
  look.roughness = 0.9;
  look.reflection = 0.03;
  return look;
}

// The rotation that takes y to a unit vector.
Quat turn_y_to(const Vec3& u) {
  const Vec3 x = any_orthogonal(u);
  return to_quat(Mat3::from_columns(x, u, cross(x, u)));
}

// A helix about the axis with straight ends, which a spoke leads to: windings stretch, their number
// stays. A spiral out from the axis would bend more sharply than the wire is thick.
StageTube make_coil(const LinkEnds& link, const Vec3& from, const Vec3& to) {
  StageTube tube;
  tube.name = link.name;
  tube.radius = 0.16 * link.radius;
  tube.look = metal_look(0.55);
  const Vec3 d = to - from;
  const double length = norm(d);
  const Vec3 u = normalized(d, {0, 1, 0});
  const Vec3 x = any_orthogonal(u), z = cross(x, u);
  const double end = std::min(0.12 * length, 1.5 * link.radius);
  const double r = link.radius - tube.radius;
  tube.points_W = {from, from + end * u};
  const int count = kWindings * kWindingPoints;
  for (int i = 0; i <= count; ++i) {
    const double share = static_cast<double>(i) / count;
    const double angle = 2 * kPi * kWindings * share;
    tube.points_W.push_back(from + (end + share * (length - 2 * end)) * u +
                            r * (cos(angle) * x + sin(angle) * z));
  }
  tube.points_W.push_back(to - end * u);
  tube.points_W.push_back(to);
  return tube;
}

// Taut: a straight line. Slack: a parabola of that length for small sags, since
//   L = d (1 + 8/3 (s/d)^2)  =>  s = sqrt(3/8 (L - d) d)                                     (1)
// with no more sag than the rope has when its ends are together. It hangs where gravity pulls;
// where there is none it is drawn straight, for nothing says which way it bends.
StageTube make_rope(const LinkEnds& link, const Vec3& from, const Vec3& to) {
  StageTube tube;
  tube.name = link.name;
  tube.radius = link.radius;
  tube.look = rope_look();
  const double d = norm(to - from), slack = std::max(0.0, link.length - d);
  const double sag =
      std::min(std::sqrt(0.375 * slack * std::max(d, 0.3 * link.length)), 0.5 * link.length);
  for (int i = 0; i < kRopePoints; ++i) {
    const double s = static_cast<double>(i) / (kRopePoints - 1);
    tube.points_W.push_back(from + s * (to - from) + (4 * s * (1 - s) * sag) * link.down_W);
  }
  return tube;
}

void draw_damper(const LinkEnds& link, const Vec3& from, const Vec3& to, double radius,
                 Stage& stage) {
  const Vec3 u = normalized(to - from, {0, 1, 0});
  const double length = norm(to - from), case_length = std::min(0.55 * link.length, length);
  StageSolid like;
  like.role = Role::kLink;
  like.name = link.name;
  like.look = metal_look(0.18);
  draw_cylinder(like, from, from + case_length * u, radius, stage.solids);
  like.look = metal_look(0.8);
  draw_cylinder(like, from + 0.5 * case_length * u, to, 0.45 * radius, stage.solids);
}

class Finder {
 public:
  Finder(const scene::Document& flat, const RunRecord& run, double extent)
      : extent_(extent), down_W_(normalized(flat.world.gravity, Vec3{})) {
    for (const scene::Body& body : flat.bodies)
      ends_[body.name] = {kNoBody, {{}, {body.position, body.orientation}}};
    for (size_t i = 0; i < run.body_names.size(); ++i)
      if (const auto found = ends_.find(run.body_names[i]); found != ends_.end())
        found->second.body = static_cast<uint32_t>(i);
  }

  void add(const scene::Connection& c, Mechanism& made) const {
    const Place* a = find(c.a.name);
    const Place* b = find(c.b.name);
    if (a == nullptr || b == nullptr) return;
    const ConnectionDef def = scene::make_connection_def(c, a->end, b->end);
    const Vec3 from = (a->end.X_WB * Pose{def.point_a, {}}).p;
    const Vec3 to = (b->end.X_WB * Pose{def.point_b, {}}).p;
    LinkEnds link{c.type, c.name, a->body, b->body, def.point_a, def.point_b, 0, 0, down_W_};
    link.length = std::max(def.length.value_or(norm(to - from)), 1e-6 * extent_);
    const bool thin =
        c.type == scene::ConnectionType::kRod || c.type == scene::ConnectionType::kRope;
    link.radius = std::clamp((thin ? 0.015 : 0.07) * link.length, 0.003 * extent_,
                             (thin ? 0.015 : 0.05) * extent_);
    if (c.type == scene::ConnectionType::kRigid || c.type == scene::ConnectionType::kBall) {
      const auto type = c.type == scene::ConnectionType::kBall ? scene::JointType::kPoint
                                                               : scene::JointType::kRigid;
      made.joints.push_back(
          {type, c.name, a->body, b->body, {def.point_a, {}}, {def.point_b, {}}, marker_size()});
      return;
    }
    made.links.push_back(std::move(link));
  }

  void add(const scene::Joint& j, Mechanism& made) const {
    if (j.type == scene::JointType::kGear) return;
    const Place* parent = find(j.parent.name);
    const Place* child = find(j.child.name);
    if (parent == nullptr || child == nullptr) return;
    const scene::JointFrames frames = scene::calc_frames(j, parent->end, child->end);
    // a distance that is held looks like a rod
    if (j.type == scene::JointType::kDistance)
      made.links.push_back({scene::ConnectionType::kRod, j.name, parent->body, child->body,
                            frames.X_BP.p, frames.X_BC.p, 1, 0.009 * extent_, down_W_});
    made.joints.push_back(
        {j.type, j.name, parent->body, child->body, frames.X_BP, frames.X_BC, marker_size()});
  }

 private:
  struct Place {
    uint32_t body = kNoBody;
    scene::JointEnd end;
  };
  double marker_size() const { return 0.02 * extent_; }
  const Place* find(const std::string& body) const {
    if (body == scene::kWorldName) return &world_;
    const auto found = ends_.find(body);
    return found == ends_.end() ? nullptr : &found->second;
  }

  double extent_;
  Vec3 down_W_;
  std::map<std::string, Place> ends_;
  Place world_;
};

}  // namespace

Mechanism find_mechanism(const scene::Document& flat, const RunRecord& run, double extent) {
  const Finder finder(flat, run, extent);
  Mechanism made;
  for (const scene::Connection& c : flat.connections) finder.add(c, made);
  for (const scene::Joint& j : flat.joints) finder.add(j, made);
  return made;
}

void draw_cylinder(const StageSolid& like, const Vec3& from_W, const Vec3& to_W, double radius,
                   std::vector<StageSolid>& solids) {
  const double length = norm(to_W - from_W);
  if (!(length > 0) || !std::isfinite(length)) return;
  StageSolid solid = like;
  solid.shape = Cylinder{radius, 0.5 * length};
  solid.X_WS = {0.5 * (from_W + to_W), turn_y_to((to_W - from_W) / length)};
  solids.push_back(std::move(solid));
}

void draw_link(const LinkEnds& link, const Vec3& from_W, const Vec3& to_W, Stage& stage) {
  using scene::ConnectionType;
  stage.links.push_back({link.type, link.name, link.a, link.b, from_W, to_W, link.radius});
  StageSolid rod;
  rod.role = Role::kLink;
  rod.name = link.name;
  rod.look = metal_look(0.5);
  switch (link.type) {
    case ConnectionType::kSpring:
      stage.tubes.push_back(make_coil(link, from_W, to_W));
      break;
    case ConnectionType::kDamper:
      draw_damper(link, from_W, to_W, 0.8 * link.radius, stage);
      break;
    case ConnectionType::kShockAbsorber:
      stage.tubes.push_back(make_coil(link, from_W, to_W));
      draw_damper(link, from_W, to_W, 0.5 * link.radius, stage);
      break;
    case ConnectionType::kRod:
      draw_cylinder(rod, from_W, to_W, link.radius, stage.solids);
      break;
    case ConnectionType::kRope:
      stage.tubes.push_back(make_rope(link, from_W, to_W));
      break;
    case ConnectionType::kRigid:
    case ConnectionType::kBall:
      break;
  }
}

}  // namespace tenon::render
