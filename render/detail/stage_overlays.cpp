#include "tenon/render/detail/stage_overlays.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tenon/engine/geometry/ray_cast.h"
#include "tenon/engine/geometry/support.h"
#include "tenon/render/detail/poses.h"
#include "tenon/scene/build/body_parts.h"

namespace tenon::render {
namespace {

constexpr double kOverlayGravity = 9.81;
// Points of trails: as many as frames, fewer where many bodies have one.
constexpr uint64_t kPathFrames = 6000, kPathPoses = 400000;

const Vec3 kVelocityColor{0.05, 0.55, 0.10}, kContactColor{0.95, 0.75, 0.05},
    kForceColor{0.85, 0.08, 0.05}, kJointForceColor{0.60, 0.10, 0.75},
    kJointColor{0.95, 0.35, 0.02};

StageLook flat_look(const Vec3& color) {
  StageLook look;
  look.color = color;
  look.glow = 1;
  return look;
}

StageSolid like(Role role, const std::string& name, const Vec3& color) {
  StageSolid solid;
  solid.role = role;
  solid.name = name;
  solid.look = flat_look(color);
  return solid;
}

void add_ball(StageSolid solid, const Vec3& p_W, double radius, Stage& stage) {
  solid.shape = Sphere{radius};
  solid.X_WS = {p_W, {}};
  stage.solids.push_back(std::move(solid));
}

// A shaft with a head of three shorter and shorter, thinner and thinner discs: a cone to the eye.
void add_arrow(const StageSolid& solid, const Vec3& from, const Vec3& arrow, double extent,
               Stage& stage) {
  const double full = norm(arrow);
  if (!(full > 1e-3 * extent) || !std::isfinite(full)) return;
  const double length = std::min(full, extent), r = 0.006 * extent;
  const Vec3 u = arrow / full, tip = from + length * u;
  const double head = std::min(0.05 * extent, 0.5 * length);
  draw_cylinder(solid, from, tip - head * u, r, stage.solids);
  constexpr int kDiscs = 6;
  for (int i = 0; i < kDiscs; ++i) {
    const double a = static_cast<double>(i) / kDiscs, b = static_cast<double>(i + 1) / kDiscs;
    draw_cylinder(solid, tip - (1 - a) * head * u, tip - (1 - b) * head * u,
                  2.6 * r * (1 - 0.5 * (a + b)), stage.solids);
  }
}

void add_axes(const std::string& name, const Pose& X_WF, double length, Stage& stage) {
  const Vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const Vec3& axis : axes)
    draw_cylinder(like(Role::kOverlay, name, 0.9 * axis), X_WF.p,
                  X_WF.p + rotate(X_WF.q, length * axis), 0.06 * length, stage.solids);
}

bool has_axis(scene::JointType type) {
  using scene::JointType;
  return type == JointType::kHinge || type == JointType::kTwist || type == JointType::kSlider ||
         type == JointType::kCylindrical || type == JointType::kScrew;
}

// The frame on a body in the world; nothing where the body is out of sight.
std::optional<Pose> place(uint32_t body, const Pose& X_BF, std::span<const RecordedBody> bodies) {
  if (body == kNoBody) return X_BF;
  if (body >= bodies.size() || !drawable(bodies[body].X_WB)) return std::nullopt;
  Pose X = bodies[body].X_WB * X_BF;
  X.q = normalized(X.q);
  return X;
}

void add_joint(const JointEnds& joint, const Pose& X_WP, Stage& stage) {
  StageSolid marker = like(Role::kJoint, joint.name, kJointColor);
  marker.look.glow = 0;
  marker.look.roughness = 0.35;
  if (!has_axis(joint.type)) return add_ball(marker, X_WP.p, joint.size, stage);
  const Vec3 half = rotate(X_WP.q, {1.6 * joint.size, 0, 0});
  draw_cylinder(marker, X_WP.p - half, X_WP.p + half, 0.6 * joint.size, stage.solids);
}

void draw_joints(const Show& show, const OverlayFacts& facts, const Mechanism& mechanism,
                 const RunRecord& run, const Instant& instant, Stage& stage) {
  for (const JointEnds& joint : mechanism.joints) {
    const auto found = std::find(run.joint_names.begin(), run.joint_names.end(), joint.name);
    const auto track = static_cast<size_t>(found - run.joint_names.begin());
    const bool known = track < instant.joints.size();
    if (known && (instant.joints[track].broken || !instant.joints[track].enabled)) continue;
    const auto X_WP = place(joint.parent, joint.X_BP, instant.bodies);
    const auto X_WC = place(joint.child, joint.X_BC, instant.bodies);
    if (!X_WP || !X_WC) continue;
    if (show.joints) add_joint(joint, *X_WP, stage);
    if (show.frames) {
      add_axes(joint.name, *X_WP, 3 * joint.size, stage);
      add_axes(joint.name, *X_WC, 2 * joint.size, stage);
    }
    if (show.forces && known)
      add_arrow(like(Role::kOverlay, joint.name, kJointForceColor), X_WC->p,
                (0.5 * facts.extent / facts.weight) * instant.joints[track].force, facts.extent,
                stage);
  }
}

Status draw_contacts(RecordingReader& reader, const Show& show, const OverlayFacts& facts,
                     const Instant& instant, Stage& stage) {
  const RunRecord& run = reader.run();
  if (!run.contact_track) {
    if (!show.contacts) return Ok{};  // forces of joints are there
    return Error{.message = "the recording has no contact points to show",
                 .file = reader.source().name(),
                 .accepted = "a run with 'tenon run ... --contacts'"};
  }
  const Result<std::vector<RecordedContact>> contacts =
      reader.read_contacts(instant.step, instant.step);
  if (!contacts) return contacts.error();
  for (const RecordedContact& contact : *contacts) {
    if (!is_finite(contact.point_W) || !contact.acts) continue;
    if (show.contacts)
      add_ball(like(Role::kOverlay, "contact", kContactColor), contact.point_W,
               0.008 * facts.extent, stage);
    if (show.forces && run.step_s > 0)
      add_arrow(like(Role::kOverlay, "contact", kForceColor), contact.point_W,
                (0.5 * facts.extent / facts.weight / run.step_s) * contact.impulse_W, facts.extent,
                stage);
  }
  return Ok{};
}

// How far it is from a point of a body to where the body ends along a unit vector, in its frame.
double way_out(const ModelBody& drawn, const Vec3& from_B, const Vec3& u_B) {
  double out = 0;
  for (const ModelPart& part : drawn.parts) {
    if (part.marker) continue;
    // the last point of the part on the ray is the first one from the other end
    const double far = norm(part.X_BP.p - from_B) + bounding_radius(part.shape);
    const Quat q = conjugate(part.X_BP.q);
    const Vec3 end = rotate(q, from_B + far * u_B - part.X_BP.p);
    if (const auto hit = ray_cast(part.shape, end, rotate(q, -u_B), far))
      out = std::max(out, far - hit->t);
  }
  return out;
}

// From where the mass centre's path leaves the body: inside of it short arrows would not be seen.
void add_velocity(const ModelBody& drawn, const RecordedBody& body, double scale, double extent,
                  Stage& stage) {
  const double speed = norm(body.v_WC);
  if (!(speed > 0) || !std::isfinite(speed)) return;
  const Vec3 u = body.v_WC / speed, u_B = rotate(conjugate(body.X_WB.q), u);
  const double out = way_out(drawn, drawn.p_BC, u_B);
  const Vec3 centre = body.X_WB.p + rotate(body.X_WB.q, drawn.p_BC);
  add_arrow(like(Role::kOverlay, drawn.name, kVelocityColor), centre + out * u, scale * body.v_WC,
            extent, stage);
}

void draw_bodies_overlays(const Show& show, const OverlayFacts& facts, const Model& model,
                          const Instant& instant, Stage& stage) {
  const double scale = 0.3 * facts.extent / std::sqrt(kOverlayGravity * facts.extent);
  for (size_t b = 0; b < model.bodies.size() && b < instant.bodies.size(); ++b) {
    const RecordedBody& body = instant.bodies[b];
    const ModelBody& drawn = model.bodies[b];
    if (!drawable(body.X_WB) || drawn.parts.empty()) continue;
    if (show.labels) {
      double up = 0;
      for (const ModelPart& part : drawn.parts)
        up = std::max(up,
                      (drawn.parts.size() == 1 ? 0 : norm(part.X_BP.p)) + size(part.shape) * 0.5);
      stage.labels.push_back({drawn.name, body.X_WB.p + Vec3{0, up, 0}});
    }
    if (!drawn.moves) continue;
    if (show.velocities) add_velocity(drawn, body, scale, facts.extent, stage);
    if (show.frames) add_axes(drawn.name, body.X_WB, 0.06 * facts.extent, stage);
  }
}

void draw_trails(const OverlayFacts& facts, const Model& model, const Instant& instant,
                 Stage& stage) {
  for (size_t b = 0; b < model.bodies.size() && b < instant.bodies.size(); ++b) {
    if (!model.bodies[b].moves || !drawable(instant.bodies[b].X_WB)) continue;
    StageTube tube;
    tube.role = Role::kOverlay;
    tube.body = static_cast<uint32_t>(b);
    tube.name = model.bodies[b].name;
    tube.radius = 0.003 * facts.extent;
    tube.look = flat_look({0.9, 0.45, 0.08});
    const Vec3 here = instant.bodies[b].X_WB.p;
    // what lies ahead is folded up in the body
    for (size_t k = 0; k < facts.paths.size(); ++k) {
      const bool past = facts.times[k] <= stage.time && b < facts.paths[k].size() &&
                        drawable({facts.paths[k][b], {}});
      tube.points_W.push_back(past ? facts.paths[k][b] : here);
    }
    tube.points_W.push_back(here);
    if (tube.points_W.size() > 1) stage.tubes.push_back(std::move(tube));
  }
}

double total_weight(const scene::Document& flat, const SceneRecord& record) {
  double mass = 0;
  scene::MeshLibrary meshes({.read = scene::read_from(record.files), .use = MeshUse::kPicture});
  for (const scene::Body& body : flat.bodies) {
    if (body.motion != scene::Motion::kDynamic) continue;
    const auto parts = scene::make_parts(flat, body, meshes);
    if (!parts) continue;
    const auto all = scene::calc_body_mass(body, *parts);
    if (all && std::isfinite(all->mass)) mass += all->mass;
  }
  return mass > 0 ? kOverlayGravity * mass : 1;
}

Status read_energy_range(RecordingReader& reader, OverlayFacts& facts) {
  const auto steps = reader.read_diagnostics(0, std::numeric_limits<uint64_t>::max());
  if (!steps) return steps.error();
  facts.lowest = steps->empty() ? 0 : std::numeric_limits<double>::infinity();
  for (const StepDiagnostics& step : *steps)
    if (std::isfinite(step.mechanics.potential_J))
      facts.lowest = std::min(facts.lowest, step.mechanics.potential_J);
  facts.largest = 1e-300;
  for (const StepDiagnostics& step : *steps) {
    const Mechanics& m = step.mechanics;
    const double sum = m.kinetic_J + m.elastic_J + m.potential_J - facts.lowest;
    if (std::isfinite(sum)) facts.largest = std::max(facts.largest, sum);
  }
  return Ok{};
}

}  // namespace

Result<OverlayFacts> read_facts(RecordingReader& reader, const scene::Document& flat,
                                const Show& show, double extent, double from_s, double to_s) {
  OverlayFacts facts;
  facts.extent = extent;
  if (show.forces) {
    const Result<SceneRecord> record = reader.scene();
    if (!record) return record.error();
    facts.weight = total_weight(flat, *record);
  }
  if (show.energy)
    if (const Status read = read_energy_range(reader, facts); !read) return read.error();
  if (!show.trails) return facts;
  const Result<uint64_t> begin = reader.find_frame(from_s), end = reader.find_frame(to_s);
  if (!begin) return begin.error();
  if (!end) return end.error();
  const uint64_t bodies = std::max<uint64_t>(1, reader.run().body_names.size());
  const uint64_t most = std::clamp<uint64_t>(kPathPoses / bodies, 120, kPathFrames);
  const uint64_t count = std::min<uint64_t>(*end - *begin + 1, most);
  RecordedFrame frame;
  for (uint64_t k = 0; k < count; ++k) {
    const uint64_t index = *begin + (count > 1 ? (*end - *begin) * k / (count - 1) : 0);
    if (const Status read = reader.read_frame(index, frame); !read) return read.error();
    facts.times.push_back(frame.time);
    std::vector<Vec3> origins;
    for (const RecordedBody& body : frame.bodies) origins.push_back(body.X_WB.p);
    facts.paths.push_back(std::move(origins));
  }
  return facts;
}

Status draw_overlays(RecordingReader& reader, const Show& show, const OverlayFacts& facts,
                     const Mechanism& mechanism, const Model& model, const Instant& instant,
                     Stage& stage) {
  if (show.joints || show.frames || show.forces)
    draw_joints(show, facts, mechanism, reader.run(), instant, stage);
  if (show.contacts || show.forces)
    if (const Status drawn = draw_contacts(reader, show, facts, instant, stage); !drawn)
      return drawn;
  draw_bodies_overlays(show, facts, model, instant, stage);
  if (show.trails) draw_trails(facts, model, instant, stage);
  if (show.energy) {
    const auto steps = reader.read_diagnostics(instant.step, instant.step);
    if (!steps) return steps.error();
    StageEnergy energy;
    energy.scale = facts.largest;
    if (!steps->empty()) {
      const Mechanics& m = steps->front().mechanics;
      energy.kinetic = m.kinetic_J;
      energy.potential = m.potential_J - facts.lowest;
      energy.elastic = m.elastic_J;
    }
    stage.energy = energy;
  }
  return Ok{};
}

}  // namespace tenon::render
