// Checks of whole objects: what one field alone cannot see.
#include <cmath>

#include "tenon/scene/formats/decode.h"

namespace tenon::scene {
namespace {

void require_groups(Reader& r, const Json& json, const char* key,
                    const std::vector<std::string>& words) {
  for (size_t i = 0; i < words.size(); ++i) {
    const Json& list = at(json, key);
    r.require_known(words[i], r.groups, list.is_array() ? list.items[i] : list, "group");
  }
}

void check_mass(Reader& r, const Json& json, const Body& b) {
  if (b.inertia && !b.mass) r.error(at(json, "inertia"), "inertia needs a mass", "\"mass\": ...");
  const bool immovable = b.motion != Motion::kDynamic && !b.release;
  if (immovable && (b.mass || b.density || b.inertia || b.center_of_mass)) {
    r.warn(b.place,
           "mass, density, inertia and center_of_mass mean nothing to a body that is not "
           "dynamic and not released",
           b.name);
  }
  const bool point = std::holds_alternative<PointMassShape>(b.shape);
  if (!point) return;
  if (!b.mass && !immovable) {
    r.error(at(json, "shape"), "a point mass has no volume, so it needs a mass",
            "\"mass\": \"1 kg\"");
  }
  if (b.inertia || b.density) {
    r.error(at(json, b.inertia ? "inertia" : "density"), "a point mass has only a mass",
            "\"mass\": \"1 kg\"");
  }
}

void check_kinematics(Reader& r, const Json& json, const Body& b) {
  const bool moves = b.velocity != Vec3{} || b.angular_velocity != Vec3{} ||
                     (b.angular_velocity_body && *b.angular_velocity_body != Vec3{});
  const char* first = b.velocity != Vec3{}           ? "velocity"
                      : b.angular_velocity != Vec3{} ? "angular_velocity"
                                                     : "angular_velocity_body";
  if (b.motion == Motion::kStatic && moves) {
    r.error(at(json, first), std::string("a static body has no ") + first,
            "\"motion\": \"kinematic\" or \"dynamic\"");
  }
  if (b.motion != Motion::kKinematic) {
    for (const char* key : {"keyframes", "turn", "interpolation", "repeat", "release"}) {
      if (!json.find(key)) continue;
      r.error(at(json, key), std::string(key) + " is only for kinematic bodies",
              "\"motion\": \"kinematic\"");
    }
    return;
  }
  const int ways = !b.keyframes.empty() + b.turn.has_value() + moves;
  if (ways > 1) {
    r.error(at(json, b.turn ? "turn" : "keyframes"),
            "the body is told to move in more than one way",
            "one of keyframes, turn, and velocity with angular_velocity");
  }
}

void check_keyframes(Reader& r, const Json& json, const Body& b) {
  const Json& list = at(json, "keyframes");
  for (size_t i = 1; i < b.keyframes.size(); ++i) {
    if (b.keyframes[i].t > b.keyframes[i - 1].t) continue;
    r.error(at(list.items[i], "t"), "keyframe times must increase",
            "a time after that of the keyframe before");
  }
  if (json.find("keyframes") && b.keyframes.empty()) {
    r.error(list, "keyframes is empty", "at least one keyframe");
  }
  if (b.keyframes.size() == 1 && b.repeat != Repeat::kHold) {
    r.error(at(json, "repeat"), "one keyframe cannot repeat", "hold, or a second keyframe");
  }
}

// What needs a surface, and what needs one that pushes.
void check_surface(Reader& r, const Json& json, bool has_surface, bool sensor) {
  for (const char* key : {"surface_velocity", "sensor", "one_way"}) {
    if (has_surface || !json.find(key)) continue;
    r.error(at(json, key), std::string("a point touches nothing, so it has no ") + key,
            "a shape with a surface");
  }
  for (const char* key : {"surface_velocity", "one_way"}) {
    if (!sensor || !has_surface || !json.find(key)) continue;
    r.error(at(json, key), std::string("a sensor pushes nothing, so it has no ") + key,
            std::string("one of sensor and ") + key);
  }
}

// Two keys of which an object may have one.
void exclude(Reader& r, const Json& json, const char* first, const char* second) {
  if (!json.find(first) || !json.find(second)) return;
  r.error(at(json, second), std::string("both ") + first + " and " + second + " are given",
          "one of the two");
}

}  // namespace

void check_references(Reader& r, const Json& json, const Body& b) {
  r.require_known(b.material, r.materials, at(json, "material"), "material");
  require_groups(r, json, "group", b.groups);
  require_groups(r, json, "ignores", b.ignores);
  if (b.collides_with) require_groups(r, json, "collides_with", *b.collides_with);
  exclude(r, json, "mass", "density");
  exclude(r, json, "angular_velocity", "angular_velocity_body");
}

void check_references(Reader& r, const Json& json, const Part& p) {
  if (!p.material.empty()) {
    r.require_known(p.material, r.materials, at(json, "material"), "material");
  }
  exclude(r, json, "mass", "density");
}

void finish(Reader& r, const Json& json, WorldSettings& w) {
  if (!w.sweep || w.joint_solver == JointSolver::kSweep) return;
  r.error(at(json, "sweep"), "only the joint solver 'sweep' has these options",
          "\"joint_solver\": \"sweep\"");
}

void finish(Reader& r, const Json& json, Body& b) {
  if (b.name.empty()) r.error(at(json, "name"), "a body needs a name", "text");
  if (b.name == kWorldName) {
    r.error(at(json, "name"), "'world' is what joints call the world itself", "another name");
  }
  // what is immovable by nature need not say so
  const bool unbound = std::holds_alternative<PlaneShape>(b.shape) ||
                       std::holds_alternative<FixedPointShape>(b.shape);
  if (unbound && !json.find("motion")) b.motion = Motion::kStatic;
  if (unbound && b.motion == Motion::kDynamic) {
    r.error(at(json, "motion"), "a plane or fixed point has no mass and cannot be dynamic",
            "static or kinematic");
  }
  const bool point = std::holds_alternative<PointMassShape>(b.shape) ||
                     std::holds_alternative<FixedPointShape>(b.shape);
  // parts of a compound may do otherwise than their body
  const bool compound = std::holds_alternative<CompoundShape>(b.shape);
  check_surface(r, json, !point, b.sensor && !compound);
  if (b.sensor && !b.collision) {
    r.warn(b.place, "a sensor without collision feels nothing", b.name);
  }
  if (unbound && b.release) {
    r.error(at(json, "release"), "a plane or fixed point has no mass and cannot be released",
            "another shape, or no release");
  }
  check_mass(r, json, b);
  check_kinematics(r, json, b);
  check_keyframes(r, json, b);
}

void finish(Reader& r, const Json& json, Part& p) {
  if (std::holds_alternative<PointMassShape>(p.shape) && !p.mass && p.role != PartRole::kVisual) {
    r.error(at(json, "shape"), "a point mass has no volume, so it needs a mass",
            "\"mass\": \"1 kg\"");
  }
  if (p.role == PartRole::kVisual && (p.mass || p.density)) {
    r.error(at(json, p.mass ? "mass" : "density"), "a part that is only seen weighs nothing",
            "another role, or neither mass nor density");
  }
  check_surface(r, json, !std::holds_alternative<PointMassShape>(p.shape), p.sensor == true);
}

// Whether the points span space: the largest distance, from it the largest triangle, from it the
// largest tetrahedron. Flat within 1e-6 of the size counts as flat.
void finish(Reader& r, const Json& json, HullShape& hull) {
  const Vec3 p0 = hull.points[0];
  Vec3 e1, n;
  for (const Vec3& p : hull.points) {
    if (norm2(p - p0) > norm2(e1)) e1 = p - p0;
  }
  for (const Vec3& p : hull.points) {
    const Vec3 c = cross(e1, p - p0);
    if (norm2(c) > norm2(n)) n = c;
  }
  const double size = norm(e1), width = norm(n) / (size > 0 ? size : 1);
  double height = 0;
  for (const Vec3& p : hull.points) {
    height = std::fmax(height, std::fabs(dot(normalized(n), p - p0)));
  }
  if (size >= 1e-6 && width > 1e-6 * size && height > 1e-6 * size) return;
  r.error(at(json, "points"), "the points of a hull must not lie in one plane",
          "points that enclose a volume");
}

// One source of triangles. What they enclose is looked at when they are read, by scene/mesh.
void finish(Reader& r, const Json& json, MeshShape& mesh) {
  const bool written = !mesh.vertices.empty() || !mesh.triangles.empty();
  if (mesh.file.empty() == !written) {
    r.error(json,
            written ? "a mesh has both a file and triangles"
                    : "a mesh has neither a file nor triangles",
            "\"file\", or \"vertices\" and \"triangles\"");
    return;
  }
  if (written && (mesh.vertices.empty() || mesh.triangles.empty())) {
    r.error(json, "a mesh has vertices or triangles, but not both",
            "\"vertices\" and \"triangles\"");
    return;
  }
  const Json& list = at(json, "triangles");
  const int count = static_cast<int>(mesh.vertices.size());
  for (size_t t = 0; t < mesh.triangles.size() && !r.full(); ++t) {
    for (const int v : mesh.triangles[t]) {
      if (v < count) continue;
      r.error(list.items[t], "a triangle names a vertex that is not there",
              "numbers from 0 to " + std::to_string(count - 1));
      break;
    }
  }
}

void finish(Reader& r, const Json& json, Group& g) {
  require_groups(r, json, "ignores", g.ignores);
  if (g.collides_with) require_groups(r, json, "collides_with", *g.collides_with);
}

void finish(Reader& r, const Json& json, MaterialPair& p) {
  const Json& list = at(json, "materials");
  for (size_t i = 0; i < 2; ++i) {
    r.require_known(p.materials[i], r.materials, list.items[i], "material");
  }
  if (p.static_friction && p.sliding_friction && *p.sliding_friction > *p.static_friction) {
    r.error(at(json, "sliding_friction"), "sliding friction is above static friction",
            "at most static_friction");
  }
}

void finish(Reader& r, const Json& json, Material& m) {
  if (m.sliding_friction > m.static_friction) {
    const bool own = json.find("sliding_friction");
    r.error(at(json, own ? "sliding_friction" : "static_friction"),
            "sliding friction is above static friction", "at most static_friction");
  }
}

}  // namespace tenon::scene
