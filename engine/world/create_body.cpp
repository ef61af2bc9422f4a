#include "tenon/engine/world/create_body.h"

#include <algorithm>
#include <string>

#include "tenon/engine/geometry/bounds.h"
#include "tenon/engine/geometry/mesh_thickness.h"
#include "tenon/engine/geometry/support.h"

namespace tenon {
namespace {

// Contacts are reported from a gap of this fraction of the smaller shape's size on. Small enough to
// cost nothing, large enough that a resting patch keeps all its points.
constexpr double kMarginOfSize = 0.01;
constexpr double kLargestMass = 1e30;    // kg; the energy of anything moving stays finite
constexpr double kLargestMargin = 0.02;  // m; a mountain does not need a metre of margin

Error with_place(const Error& error, const std::string& place) {
  Error e = error;
  e.message = place + ": " + e.message;
  return e;
}

bool is_ever_dynamic(const BodyDef& def) {
  return def.motion == MotionKind::kDynamic || def.release.has_value();
}

// An open surface has no mass and no inside that it could be pushed out of.
Status check_solid(const BodyDef& def, const ColliderDef& c, const std::string& place) {
  const auto* mesh = std::get_if<Mesh>(&c.shape);
  if (mesh == nullptr || mesh->geometry->closed || !is_ever_dynamic(def)) return Ok{};
  const auto [from, to, count] = mesh->geometry->open_edge;
  if (count == 2)
    return Error{.message = place + ": the triangles of the mesh do not agree which side is " +
                            "outside, and it cannot move freely",
                 .value = "both triangles at the edge from vertex " + std::to_string(from) +
                          " to " + std::to_string(to) + " run along it in the same direction",
                 .accepted =
                     "triangles that all run counter-clockwise seen from outside; or a body that "
                     "is static, or kinematic and not released"};
  return Error{.message = place + ": the mesh is not closed and cannot move freely",
               .value = "the edge from vertex " + std::to_string(from) + " to " +
                        std::to_string(to) + " belongs to " + std::to_string(count) +
                        (count == 1 ? " triangle" : " triangles"),
               .accepted =
                   "a closed mesh, each edge used once in each direction; or a body that "
                   "is static, or kinematic and not released"};
}

Status check_colliders(const WorldData& data, const BodyDef& def) {
  if (def.collision_class >= data.classes.size()) {
    return Error{.message = "unknown collision class",
                 .value = std::to_string(def.collision_class)};
  }
  for (size_t i = 0; i < def.colliders.size(); ++i) {
    const ColliderDef& c = def.colliders[i];
    const std::string place = "collider " + std::to_string(i);
    if (Status s = check(c.shape); !s) return with_place(s.error(), place);
    if (!is_finite(c.X_BS) || !(norm(c.X_BS.q) > 0) ||
        max_component(cwise_abs(c.X_BS.p)) > kWorldRadius) {
      return Error{.message = place + ": its pose in the body is not finite, too far, or has no " +
                              "direction"};
    }
    if (c.material >= data.materials.size()) {
      return Error{.message = place + ": unknown material", .value = std::to_string(c.material)};
    }
    if (!is_finite(c.surface_velocity) ||
        max_component(cwise_abs(c.surface_velocity)) > kLargestSpeed) {
      return Error{.message = place + ": its surface velocity is not finite or too fast",
                   .accepted = "up to 1e9 m/s"};
    }
    if (is_ever_dynamic(def) && kind(c.shape) == ShapeKind::kPlane) {
      return Error{.message = place + ": a plane is infinite and cannot move freely",
                   .accepted = "static bodies, and kinematic ones that are not released"};
    }
    if (Status s = check_solid(def, c, place); !s) return s;
  }
  return Ok{};
}

Result<MassProperties> find_mass(const BodyDef& def) {
  MassProperties m;
  if (def.mass) {
    m = *def.mass;
  } else {
    std::vector<MassProperties> parts;
    for (const ColliderDef& c : def.colliders) {
      if (!(c.density > 0) || !std::isfinite(c.density)) {
        return Error{.message = "density must be positive", .value = std::to_string(c.density)};
      }
      const Pose X_BS{c.X_BS.p, normalized(c.X_BS.q)};
      parts.push_back(transformed(to_transform(X_BS), calc_mass_properties(c.shape, c.density)));
    }
    m = combine(parts);
  }
  // a point mass: no inertia at all, hence no rotation either
  if (m.inertia == Mat3{} && m.mass > 0 && std::isfinite(m.mass) && is_finite(m.com)) return m;
  if (Status s = check(m); !s) return with_place(s.error(), "mass properties");
  return m;
}

Result<BodyMass> find_body_mass(const BodyDef& def) {
  if (!is_ever_dynamic(def)) return BodyMass{};
  const Result<MassProperties> m = find_mass(def);
  if (!m) return m.error();
  const BodyMass body = make_body_mass(m->mass, m->com, m->inertia);
  if (!std::isfinite(body.inv_mass) || !is_finite(body.inv_I_B) || m->mass > kLargestMass ||
      max_component(body.moments) > kLargestMass) {
    return Error{.message = "mass or inertia is too small or too large to compute with",
                 .value = std::to_string(m->mass) + " kg",
                 .accepted = "up to 1e30 kg and 1e30 kg m^2"};
  }
  return body;
}

Status check_motion(const BodyDef& def) {
  if (!is_finite(def.X_WB) || !is_finite(def.velocity) || !is_finite(def.angular_velocity)) {
    return Error{.message = "the start pose or velocity of a body is not finite"};
  }
  if (normalized(def.X_WB.q) == Quat{} && !(norm(def.X_WB.q) > 0)) {
    return Error{.message = "the orientation of a body is a quaternion of length zero",
                 .accepted = "any other quaternion; (1, 0, 0, 0) does not turn"};
  }
  if (!(def.drag >= 0) || !std::isfinite(def.drag)) {
    return Error{.message = "air resistance must be finite and not negative",
                 .value = std::to_string(def.drag)};
  }
  if (!is_finite(def.one_way)) {
    return Error{.message = "the front of a one-way body is not finite"};
  }
  if (def.release && (def.motion != MotionKind::kKinematic || !std::isfinite(*def.release))) {
    return Error{.message = "only kinematic bodies are released, at a finite time",
                 .value = std::to_string(*def.release) + " s",
                 .accepted = "a time in seconds, of a kinematic body"};
  }
  if (def.motion == MotionKind::kKinematic) return check(def.script);
  return Ok{};
}

// `time` is now, for scripts.
BodyState make_state(const BodyDef& def, const BodyMass& body, double time) {
  BodyState s;
  const Pose X_WB = def.motion == MotionKind::kKinematic ? pose_at(def.script, time) : def.X_WB;
  s.q_WB = normalized(X_WB.q);
  s.x_WC = X_WB.p + rotate(s.q_WB, body.com_B);
  if (def.motion == MotionKind::kKinematic) {
    const ScriptVelocity velocity = velocity_at(def.script, time);
    s.v_WC = velocity.v_WB;
    s.w_WB = velocity.w_WB;
  }
  if (def.motion != MotionKind::kDynamic) return s;
  s.v_WC = def.velocity;
  s.L_W = angular_momentum(s.q_WB, body.I_B, def.angular_velocity);
  s.w_WB = angular_velocity(s.q_WB, body.inv_I_B, s.L_W);
  return s;
}

// Found once for all colliders that share a mesh.
double find_wall(const WorldData& data, const Shape& shape) {
  const auto* mesh = std::get_if<Mesh>(&shape);
  if (mesh == nullptr || mesh->geometry->convex != nullptr) return size(shape);
  for (const Collider& c : data.colliders) {
    const auto* other = std::get_if<Mesh>(&c.shape);
    if (other != nullptr && other->geometry == mesh->geometry && c.wall > 0) return c.wall;
  }
  return calc_thickness(*mesh->geometry);
}

void add_colliders(WorldData& data, const BodyDef& def, uint32_t slot) {
  for (const ColliderDef& c : def.colliders) {
    const uint32_t id = data.collider_slots.create().index;
    if (id >= data.colliders.size()) data.colliders.resize(id + 1);
    const Pose X_BS{c.X_BS.p, normalized(c.X_BS.q)};
    Transform X_CS = to_transform(X_BS);
    X_CS.p -= data.mass[slot].com_B;
    const double margin = 0.5 * std::min(kMarginOfSize * size(c.shape), kLargestMargin);
    const double wall = find_wall(data, c.shape);
    Collider& made = data.colliders[id] = {};
    made.body = slot;
    made.shape = c.shape;
    made.X_CS = X_CS;
    made.material = c.material;
    made.margin = margin;
    made.size = size(c.shape);
    made.wall = wall;
    made.surface_velocity = c.surface_velocity;
    made.sensor = c.sensor;
    made.p_BS = X_BS.p;
    data.info[slot].colliders.push_back(id);
  }
}

}  // namespace

void update_proxies(WorldData& data, uint32_t slot) {
  for (const uint32_t id : data.info[slot].colliders) {
    const Collider& c = data.colliders[id];
    const Transform X_WS = collider_transform(data.state[slot], c);
    data.broad_phase.move(id, inflate(calc_bounds(c.shape, X_WS), c.margin));
  }
}

Result<BodyHandle> create_body(WorldData& data, const BodyDef& def) {
  if (Status s = check_motion(def); !s) return s.error();
  if (Status s = check_colliders(data, def); !s) return s.error();
  const Result<BodyMass> body = find_body_mass(def);
  if (!body) return body.error();
  if (def.release && body->inv_I_B == Mat3{} && !(body->com_B == Vec3{})) {
    return Error{.message = "a point mass that is released must be at the origin of its body",
                 .accepted = "its centre of mass at the body's origin"};
  }
  // a scripted body has no mass of its own until it is released
  const BodyMass mass = def.release ? BodyMass{} : *body;
  const BodyState state = make_state(def, mass, current_time(data));
  if (!within_limits(state)) return beyond_limits();

  const BodyHandle handle = data.body_slots.create();
  const uint32_t slot = handle.index;
  if (slot >= data.info.size()) {
    data.info.resize(slot + 1);
    data.mass.resize(slot + 1);
    data.state.resize(slot + 1);
    data.frozen.resize(slot + 1);
    data.still.resize(slot + 1);
    data.applied.resize(slot + 1);
    data.acceleration.resize(slot + 1);
  }
  data.info[slot] = {def.motion,
                     def.gravity,
                     def.collision,
                     def.collision_class,
                     def.drag,
                     def.script,
                     {},
                     normalized(def.one_way, {}),
                     def.release,
                     def.release ? *body : BodyMass{},
                     false};
  data.mass[slot] = mass;
  data.state[slot] = state;
  data.frozen[slot] = 0;
  data.still[slot] = 0;
  data.applied[slot] = {};
  data.acceleration[slot] = {};
  add_colliders(data, def, slot);
  for (const uint32_t id : data.info[slot].colliders) {
    const Collider& c = data.colliders[id];
    const Transform X_WS = collider_transform(state, c);
    data.broad_phase.insert(
        id, inflate(calc_bounds(c.shape, X_WS), c.margin),
        def.motion == MotionKind::kStatic ? ProxyMotion::kStatic : ProxyMotion::kMoving);
  }
  return handle;
}

void remove_body(WorldData& data, BodyHandle body) {
  const uint32_t slot = body.index;
  for (const uint32_t id : data.info[slot].colliders) {
    data.broad_phase.remove(id);
    data.collider_slots.remove(data.collider_slots.at(id));
    data.colliders[id] = {};
  }
  data.info[slot] = {};
  data.mass[slot] = {};
  data.state[slot] = {};
  data.applied[slot] = {};
  data.acceleration[slot] = {};
  data.frozen[slot] = 0;
  data.still[slot] = 0;
  data.body_slots.remove(body);
  const auto gone = [slot](const auto& c) { return c.body_a == slot || c.body_b == slot; };
  std::erase_if(data.contacts, gone);
  std::erase_if(data.touches, gone);
  std::erase_if(data.pushes, gone);
  std::erase_if(data.ended, gone);
  std::erase_if(data.separated,
                [slot](uint64_t pair) { return pair >> 32 == slot || (pair & ~0u) == slot; });
}

}  // namespace tenon
