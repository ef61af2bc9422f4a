#include "tenon/scene/build/build.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "tenon/engine/base/parallel.h"
#include "tenon/scene/build/assembly_parts.h"
#include "tenon/scene/build/body_parts.h"
#include "tenon/scene/build/connection_parts.h"
#include "tenon/scene/build/force_method_parts.h"
#include "tenon/scene/build/force_parts.h"
#include "tenon/scene/build/joint_parts.h"
#include "tenon/scene/build/problems.h"
#include "tenon/scene/build/sweep_parts.h"
#include "tenon/scene/document/material.h"

namespace tenon::scene {
namespace {

struct Builder {
  const Document& flat;
  World& world;
  Problems &errors, &warnings;
  std::map<std::string, MaterialId> materials;
  // bodies with the same groups and rules share a collision class
  std::vector<const Body*> class_of;
  MeshLibrary& meshes;

  void fail(Error error, const Place& place, const std::string& who, const char* what = "body") {
    errors.add(std::move(error), place, who, what);
  }
  void warn(Error error, const Place& place, const std::string& who, const char* what) {
    warnings.add(std::move(error), place, who, what);
  }
};

// Errors of joints speak of "the parent body" and "the child body": which ones those are.
Error name_bodies(Error error, const Joint& joint) {
  const auto add_name = [&](const std::string& role, const std::string& body) {
    const size_t at = error.message.find(role);
    if (at != std::string::npos) error.message.insert(at + role.size(), " \"" + body + "\"");
  };
  add_name("the parent body", joint.parent.name);
  add_name("the child body", joint.child.name);
  return error;
}

SurfaceMaterial to_surface(const Material& m) {
  return {m.restitution,       m.static_friction, m.sliding_friction, m.rolling_friction,
          m.spinning_friction, m.stiffness,       m.damping};
}

MaterialId material_id(Builder& b, const std::string& name, const Body& body) {
  if (const auto known = b.materials.find(name); known != b.materials.end()) return known->second;
  const Material* material = find_material(b.flat, name);
  if (material == nullptr) {
    b.fail({.message = "unknown material", .value = name}, body.place, body.name);
    return 0;
  }
  Result<MaterialId> id = b.world.add_material(to_surface(*material));
  if (!id) {
    b.fail(id.error(), material->place, body.name);
    return 0;
  }
  b.materials[name] = *id;
  return *id;
}

void add_pairs(Builder& b) {
  for (const MaterialPair& pair : b.flat.pairs) {
    const auto first = b.materials.find(pair.materials[0]);
    const auto second = b.materials.find(pair.materials[1]);
    if (first == b.materials.end() || second == b.materials.end()) continue;  // nobody wears it
    const Status status = b.world.set_material_pair(
        first->second, second->second,
        {pair.restitution, pair.static_friction, pair.sliding_friction, pair.rolling_friction,
         pair.spinning_friction, pair.stiffness, pair.damping});
    if (!status) b.fail(status.error(), pair.place, "");
  }
}

bool same_rules(const Body& a, const Body& b) {
  return a.groups == b.groups && a.collides_with == b.collides_with && a.ignores == b.ignores;
}

// The class of a body; a new one is checked against all others.
Result<CollisionClass> find_class(Builder& b, const Body& body) {
  for (size_t i = 0; i < b.class_of.size(); ++i) {
    if (same_rules(*b.class_of[i], body)) return static_cast<CollisionClass>(i);
  }
  if (!b.class_of.empty()) {
    if (Result<CollisionClass> added = b.world.add_collision_class(); !added) return added;
  }
  const auto made = static_cast<CollisionClass>(b.class_of.size());
  b.class_of.push_back(&body);
  Body probe_a = body;
  probe_a.collision = true;
  for (size_t i = 0; i < b.class_of.size(); ++i) {
    Body probe_b = *b.class_of[i];
    probe_b.collision = true;
    const Status set = b.world.set_may_touch(static_cast<CollisionClass>(i), made,
                                             may_collide(b.flat, probe_a, probe_b));
    if (!set) return set.error();
  }
  return made;
}

KinematicMotion make_script(const Body& body) {
  KinematicMotion script;
  script.start = {body.position, body.orientation};
  if (!body.keyframes.empty()) {
    script.kind = KinematicMotion::Kind::kKeyframes;
    script.interpolation = static_cast<KinematicMotion::Interpolation>(body.interpolation);
    script.repeat = static_cast<KinematicMotion::Repeat>(body.repeat);
    for (const Keyframe& key : body.keyframes) {
      script.keys.push_back({key.t,
                             {key.position.value_or(body.position),
                              normalized(key.orientation.value_or(body.orientation))}});
    }
  } else if (body.turn) {
    script.kind = KinematicMotion::Kind::kTurn;
    script.point = body.turn->about;
    script.axis = normalized(body.turn->axis);
    script.rate = body.turn->rate;
  } else {
    script.velocity = body.velocity;
    script.angular_velocity = body.angular_velocity;
  }
  return script;
}

double drag_of(const Body& body, const std::vector<BodyPart>& parts) {
  if (!body.air) return 0;
  double surface = 0;
  for (const BodyPart& part : parts) surface += part.surface;
  return body.air->c_w * body.air->area.value_or(0.25 * surface);
}

Result<BodyDef> make_def(Builder& b, const Body& body) {
  BodyDef def;
  def.motion = static_cast<MotionKind>(body.motion);
  def.X_WB = {body.position, body.orientation};
  def.gravity = body.gravity;
  def.collision = body.collision;
  def.one_way = body.one_way.value_or(Vec3{});
  Result<std::vector<BodyPart>> parts = make_parts(b.flat, body, b.meshes);
  if (!parts) return parts.error();
  for (const BodyPart& part : *parts) {
    if (!part.shape || part.role == PartRole::kVisual) continue;
    def.colliders.push_back({.shape = *part.shape,
                             .X_BS = part.X_BP,
                             .material = material_id(b, part.material, body),
                             .surface_velocity = part.surface_velocity,
                             .sensor = part.sensor});
  }
  if (def.motion == MotionKind::kDynamic) {
    def.velocity = body.velocity;
    def.angular_velocity = body.angular_velocity;
  }
  if (def.motion == MotionKind::kDynamic || body.release) {
    Result<MassProperties> mass = calc_body_mass(body, *parts);
    if (!mass) return mass.error();
    def.mass = *mass;
    def.drag = drag_of(body, *parts);
  }
  if (def.motion == MotionKind::kKinematic) {
    def.script = make_script(body);
    def.release = body.release;
  }
  Result<CollisionClass> collision_class = find_class(b, body);
  if (!collision_class) return collision_class.error();
  def.collision_class = *collision_class;
  return def;
}

// Where the bodies of a scene are, by name.
using Ends = std::map<std::string, JointEnd>;

// `who`: the joint or connection that names the body.
template <class T>
bool find_end(Builder& b, const Ends& ends, const T& who, const Reference& reference, JointEnd& out,
              const char* what) {
  if (reference.name == kWorldName) return true;
  const auto found = ends.find(reference.name);
  if (found != ends.end()) {
    out = found->second;
    return true;
  }
  b.fail({.message = "unknown body", .value = reference.name}, who.place, who.name, what);
  return false;
}

void add_connections(Builder& b, const Ends& ends, BuiltScene& scene) {
  for (const Connection& c : b.flat.connections) {
    JointEnd end_a, end_b;
    if (!find_end(b, ends, c, c.a, end_a, "connection")) continue;
    if (!find_end(b, ends, c, c.b, end_b, "connection")) continue;
    const Result<JointHandle> handle =
        scene.world.create_connection(make_connection_def(c, end_a, end_b));
    if (!handle) {
      b.fail(handle.error(), c.place, c.name, "connection");
      continue;
    }
    scene.joint_names.push_back(c.name);
    scene.joint_types.push_back(name(c.type));
    scene.joint_handles.push_back(*handle);
  }
}

// Only where something asks for them.
Ends find_ends(const Builder& b, const BuiltScene& scene) {
  Ends ends;
  const bool needed = !b.flat.joints.empty() || !b.flat.connections.empty() ||
                      !b.flat.rules.empty() || !b.flat.forces.empty();
  for (size_t i = 0; i < scene.names.size() && needed; ++i) {
    ends[scene.names[i]] = {scene.handles[i], scene.world.pose(scene.handles[i])};
  }
  return ends;
}

void add_forces(Builder& b, const Ends& ends, BuiltScene& scene) {
  for (const Force& force : b.flat.forces) {
    const Result<TimedForceDef> def = make_force_def(force, ends);
    if (!def) {
      b.fail(def.error(), force.place, force.name, "force");
      continue;
    }
    const Result<ForceHandle> handle = scene.world.add_force(*def);
    if (!handle) {
      b.fail(handle.error(), force.place, force.name, "force");
      continue;
    }
    scene.force_names.push_back(force.name);
    scene.force_handles.push_back(*handle);
  }
}

// Limits that the joint does not keep as the scene has it: the first step moves bodies there.
void warn_of_limits(Builder& b, const Joint& joint, const JointDef& def, const JointReading& now) {
  constexpr double kRoundOff = 1e-6;  // m, rad: numbers in scenes have six digits at times
  for (size_t k = 0; k < def.axes.size(); ++k) {
    const double x = now.coordinate[k], min = def.axes[k].min, max = def.axes[k].max;
    const bool free = (now.free_axes >> k & 1) != 0, below = x < min - kRoundOff;
    if (!free || !(below || x > max + kRoundOff)) continue;
    const bool turns = k >= 3;
    const auto told = [&](double value) {
      char text[48];
      std::snprintf(text, sizeof text, "%.6g %s", turns ? value * 180 / kPi : value,
                    turns ? "deg" : "m");
      return std::string(text);
    };
    b.warn({.message = std::string("it starts outside its limits: the coordinate ") +
                       tenon::name(static_cast<tenon::JointAxis>(k)) + " is " +
                       (below ? "below `min`" : "above `max`"),
            .value = told(x),
            .accepted = below ? told(min) + " or more" : told(max) + " or less"},
           joint.place, joint.name, "joint");
  }
}

void add_joints(Builder& b, const Ends& ends, BuiltScene& scene) {
  std::map<std::string, JointHandle> made;
  for (const Joint& joint : b.flat.joints) {
    JointEnd parent, child;
    const bool gear = joint.type == JointType::kGear;
    if (!gear && !find_end(b, ends, joint, joint.parent, parent, "joint")) continue;
    if (!gear && !find_end(b, ends, joint, joint.child, child, "joint")) continue;
    const Result<JointDef> def = make_joint_def(joint, parent, child, made);
    if (!def) {
      b.fail(def.error(), joint.place, joint.name, "joint");
      continue;
    }
    const Result<JointHandle> handle = scene.world.create_joint(*def);
    if (!handle) {
      b.fail(name_bodies(handle.error(), joint), joint.place, joint.name, "joint");
      continue;
    }
    made[joint.name] = *handle;
    if (def->enabled) warn_of_limits(b, joint, *def, scene.world.read_joint(*handle));
    scene.joint_names.push_back(joint.name);
    scene.joint_types.push_back(tenon::name(def->kind));
    scene.joint_handles.push_back(*handle);
  }
  add_connections(b, ends, scene);
  for (const Rule& rule : b.flat.rules) {
    const Result<JointRuleDef> def = make_rule_def(rule, ends);
    if (!def) {
      b.fail(def.error(), rule.place, rule.name, "rule");
      continue;
    }
    const Result<uint32_t> index = scene.world.add_rule(*def);
    if (!index) b.fail(index.error(), rule.place, rule.name, "rule");
    if (index) scene.rule_names.push_back(rule.name);
  }
}

void assemble_scene(Builder& b, BuiltScene& scene) {
  const Assembly& assembly = b.flat.assembly;
  Result<AssemblyDef> def = make_assembly_def(assembly, scene);
  if (!def) return b.fail(def.error(), assembly.place, "");
  Result<AssemblyReport> report = scene.world.assemble(*def);
  if (!report) return b.fail(report.error(), assembly.place, "");
  scene.assembled = std::move(*report);
}

tenon::WorldSettings make_settings(const Document& flat, const BuildOptions& options) {
  tenon::WorldSettings settings;
  settings.gravity = flat.world.gravity;
  settings.gravity_noise = {flat.world.gravity_noise, flat.world.seed};
  settings.wind = flat.world.wind;
  settings.step = flat.world.step;
  if (flat.world.method == Method::kForce) settings.method = tenon::Method::kForce;
  if (flat.world.method == Method::kDisplacement) settings.method = tenon::Method::kDisplacement;
  if (flat.world.displacement) {
    const DisplacementMethod& d = *flat.world.displacement;
    settings.displacement = {static_cast<displacement::Projection>(d.projection),
                             static_cast<displacement::Solver>(d.solver), d.geometric, d.inner};
  }
  if (flat.world.force) settings.force = make_force_settings(*flat.world.force);
  settings.tolerance = flat.world.tolerance;
  settings.joint_solver = static_cast<tenon::JointSolver>(flat.world.joint_solver);
  settings.integration = static_cast<tenon::Integration>(flat.world.integration);
  settings.sweeps = flat.world.sweeps;
  if (flat.world.sweep) settings.faithful = make_sweep_settings(*flat.world.sweep);
  settings.sleeping = flat.world.sleeping;
  settings.budget_ms = 1000 * flat.world.budget;
  settings.threads = options.threads > 0 ? options.threads : flat.world.threads;
  if (settings.threads <= 0) settings.threads = hardware_threads();
  settings.clock = options.clock;
  return settings;
}

}  // namespace

BuildResult build(const Document& flat, const BuildOptions& options) {
  BuildResult result;
  Result<World> world = World::make(make_settings(flat, options));
  if (!world) {
    result.errors.push_back(world.error());
    return result;
  }
  BuiltScene scene{std::move(*world), {}, {}, {}, {}, {}, {}, {}, {}, {}};
  MeshLibrary own_meshes;
  Problems errors(flat.source.name), warnings(flat.source.name);
  Builder builder{
      flat, scene.world, errors, warnings, {}, {}, options.meshes ? *options.meshes : own_meshes};
  for (const Body& body : flat.bodies) {
    Result<BodyDef> def = make_def(builder, body);
    if (!def) {
      builder.fail(def.error(), body.place, body.name);
      continue;
    }
    Result<BodyHandle> handle = scene.world.create_body(*def);
    if (!handle) {
      builder.fail(handle.error(), body.place, body.name);
      continue;
    }
    scene.names.push_back(body.name);
    scene.handles.push_back(*handle);
  }
  add_pairs(builder);
  // a joint to a body that could not be made would only repeat the complaint
  if (errors.empty()) {
    const Ends ends = find_ends(builder, scene);
    add_joints(builder, ends, scene);
    add_forces(builder, ends, scene);
  }
  const bool assembles = options.assemble && flat.assembly.automatic;
  if (errors.empty() && assembles) assemble_scene(builder, scene);
  if (errors.empty()) result.scene.push_back(std::move(scene));
  result.errors = errors.take();
  result.warnings = warnings.take();
  return result;
}

std::vector<Error> find_mesh_mistakes(const Document& flat, MeshLibrary& meshes) {
  Problems errors(flat.source.name);
  for (const Body& body : flat.bodies) {
    if (const Status s = check_mesh_files(body, meshes); !s)
      errors.add(s.error(), body.place, body.name, "body");
  }
  return errors.take();
}

}  // namespace tenon::scene
