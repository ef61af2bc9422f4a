#include "tenon/scene/gltf/export_gltf.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "tenon/scene/build/body_parts.h"
#include "tenon/scene/build/joint_parts.h"
#include "tenon/scene/gltf/glb_writer.h"
#include "tenon/scene/gltf/import_gltf.h"
#include "tenon/scene/gltf/joints.h"

namespace tenon::scene::gltf {
namespace {

Json list_of(const Vec3& v) {
  Json list = Json::array();
  for (int k = 0; k < 3; ++k) list.push(v[k]);
  return list;
}

Json make_node(const std::string& name, const Pose& X) {
  Json node = Json::object();
  node.set("name", name);
  if (!(X.p == Vec3{})) node.set("translation", list_of(X.p));
  if (!(X.q == Quat{})) node.set("rotation", Json::array({X.q.x, X.q.y, X.q.z, X.q.w}));
  return node;
}

class Writer {
 public:
  Writer(const Document& flat, const FileReader& read)
      : flat_(flat), glb_(read), meshes_({.read = read, .use = MeshUse::kPicture}) {}

  Result<GltfBytes> run() {
    if (flat_.bodies.empty())
      return Error{.message = "there are no bodies", .file = flat_.source.name};
    list_surfaces();
    for (const Body& body : flat_.bodies)
      if (Status s = add_body(body); !s) return s.error();
    for (const Joint& joint : flat_.joints) add_joint(joint);
    name_losses();
    choose_combines();
    out_.bytes = glb_.finish(make_root());
    return std::move(out_);
  }

 private:
  void warn(const Place& place, std::string message, std::string value) {
    out_.warnings.push_back(
        model::error_at(flat_.source.name, place, std::move(message), std::move(value)));
  }
  int put(Json node) {
    nodes_.push(std::move(node));
    return static_cast<int>(nodes_.items.size()) - 1;
  }
  Json& physics_of(int node) {
    Json& json = nodes_.items[static_cast<size_t>(node)];
    if (!json.find("extensions")) json.set("extensions", Json::object());
    Json& extensions = *json.find("extensions");
    if (!extensions.find(kPhysics)) extensions.set(kPhysics, Json::object());
    return *extensions.find(kPhysics);
  }
  void add_child(int node, int child) {
    Json& json = nodes_.items[static_cast<size_t>(node)];
    if (!json.find("children")) json.set("children", Json::array());
    json.find("children")->push(child);
  }

  void list_surfaces();
  Status add_body(const Body& body);
  Status add_motion(const Body& body, int node);
  Status add_part(const Body& body, const Part& part, int node);
  int add_shape(const PartShape& shape);
  int add_surface(const std::string& name);
  int add_filter(const Body& body);
  void add_joint(const Joint& joint);
  int add_end(const std::string& body, const std::string& name, const Pose& X);
  void name_losses();
  void choose_combines();
  Json make_root();

  const Document& flat_;
  GltfBytes out_;
  GlbWriter glb_;
  MeshLibrary meshes_;
  Json nodes_ = Json::array(), roots_ = Json::array(), shapes_ = Json::array(),
       filters_ = Json::array(), surfaces_ = Json::array(), joints_ = Json::array();
  std::vector<std::string> surface_names_;
  std::map<std::string, int> bodies_;
};

int Writer::add_shape(const PartShape& shape) {
  Json p = Json::object(), out = Json::object();
  std::string type;
  if (const auto* s = std::get_if<SphereShape>(&shape)) {
    type = "sphere";
    p.set("radius", s->radius);
  } else if (const auto* b = std::get_if<BoxShape>(&shape)) {
    type = "box";
    p.set("size", list_of(b->size));
  } else if (const auto* c = std::get_if<CylinderShape>(&shape)) {
    type = "cylinder";
    p.set("height", c->height).set("radiusBottom", c->radius).set("radiusTop", c->radius);
  } else if (const auto* k = std::get_if<CapsuleShape>(&shape); k && k->length > 0) {
    type = "capsule";
    p.set("height", k->length).set("radiusBottom", k->radius).set("radiusTop", k->radius);
  } else if (k) {
    type = "sphere";
    p.set("radius", k->radius);
  } else {
    return -1;
  }
  out.set("type", type).set(type, std::move(p));
  for (size_t i = 0; i < shapes_.items.size(); ++i)
    if (shapes_.items[i] == out) return static_cast<int>(i);
  shapes_.push(std::move(out));
  return static_cast<int>(shapes_.items.size()) - 1;
}

// In the order of the scene, however bodies stand: what comes back has the same.
void Writer::list_surfaces() {
  std::set<std::string> used;
  for (const Body& body : flat_.bodies) {
    const auto* compound = std::get_if<CompoundShape>(&body.shape);
    const bool touches = !std::holds_alternative<PointMassShape>(body.shape) &&
                         !std::holds_alternative<FixedPointShape>(body.shape);
    if (compound == nullptr && touches && !body.sensor) used.insert(body.material);
    for (size_t i = 0; compound != nullptr && i < compound->parts.size(); ++i) {
      const Part& part = compound->parts[i];
      if (part.role == PartRole::kVisual || part.sensor.value_or(body.sensor) ||
          std::holds_alternative<PointMassShape>(part.shape))
        continue;
      used.insert(part.material.empty() ? body.material : part.material);
    }
  }
  for (const Material& m : flat_.materials)
    if (used.count(m.name) > 0) add_surface(m.name);
}

int Writer::add_surface(const std::string& name) {
  const auto found = std::find(surface_names_.begin(), surface_names_.end(), name);
  if (found != surface_names_.end()) return static_cast<int>(found - surface_names_.begin());
  const Material* m = find_material(flat_, name);
  const Material plain;
  if (m == nullptr) m = &plain;
  Json json = Json::object();
  json.set("name", name).set("staticFriction", m->static_friction);
  json.set("dynamicFriction", m->sliding_friction).set("restitution", m->restitution);
  if (m->rolling_friction > 0 || m->spinning_friction > 0)
    warn(m->place, "glTF has no rolling and spinning friction; left out", name);
  surfaces_.push(std::move(json));
  surface_names_.push_back(name);
  return static_cast<int>(surface_names_.size()) - 1;
}

int Writer::add_filter(const Body& body) {
  std::vector<std::string> ignores = body.ignores;
  std::optional<std::vector<std::string>> with = body.collides_with;
  for (const Group& group : flat_.groups) {
    if (std::find(body.groups.begin(), body.groups.end(), group.name) == body.groups.end())
      continue;
    for (const std::string& name : group.ignores)
      if (std::find(ignores.begin(), ignores.end(), name) == ignores.end()) ignores.push_back(name);
    if (!group.collides_with) continue;
    if (with)
      warn(body.place, "glTF has one list of what a body collides with; all of both", body.name);
    if (!with) with.emplace();
    with->insert(with->end(), group.collides_with->begin(), group.collides_with->end());
  }
  if (!body.collision) with.emplace();
  if (body.groups.empty() && ignores.empty() && !with) return -1;
  const auto words = [](const std::vector<std::string>& list) {
    Json json = Json::array();
    for (const std::string& word : list) json.push(word);
    return json;
  };
  Json filter = Json::object();
  if (!body.groups.empty()) filter.set("collisionSystems", words(body.groups));
  if (!ignores.empty()) filter.set("notCollideWithSystems", words(ignores));
  if (with) filter.set("collideWithSystems", words(*with));
  for (size_t i = 0; i < filters_.items.size(); ++i)
    if (filters_.items[i] == filter) return static_cast<int>(i);
  filters_.push(std::move(filter));
  return static_cast<int>(filters_.items.size()) - 1;
}

// The collider and its picture; where both are the same, on the node of the body itself.
Status Writer::add_part(const Body& body, const Part& part, int node) {
  const Material* material =
      find_material(flat_, part.material.empty() ? body.material : part.material);
  Color color = material ? material->look.color : Color{};
  if (body.color) color = *body.color;
  if (part.color) color = *part.color;
  const bool needs_mesh = std::holds_alternative<MeshShape>(part.shape) ||
                          std::holds_alternative<HullShape>(part.shape);
  int mesh = -1;
  if (part.role != PartRole::kContact || needs_mesh) {
    Result<int> made = glb_.add_mesh(part.shape, color);
    if (!made) return made.error();
    mesh = *made;
  }
  if (mesh >= 0) nodes_.items[static_cast<size_t>(node)].set("mesh", mesh);
  if (part.role == PartRole::kVisual || std::holds_alternative<PointMassShape>(part.shape))
    return Ok{};
  if (mesh >= 0) {
    Json extras = Json::object();
    extras.set(kPicture, true);
    nodes_.items[static_cast<size_t>(node)].set("extras", std::move(extras));
  }
  Json geometry = Json::object(), collider = Json::object();
  const int shape = add_shape(part.shape);
  if (shape >= 0) geometry.set("shape", shape);
  if (shape < 0) geometry.set("node", node);
  if (std::holds_alternative<HullShape>(part.shape)) geometry.set("convexHull", true);
  collider.set("geometry", std::move(geometry));
  const bool sensor = part.sensor.value_or(body.sensor);
  if (!sensor)
    collider.set("physicsMaterial",
                 add_surface(part.material.empty() ? body.material : part.material));
  if (const int filter = add_filter(body); filter >= 0) collider.set("collisionFilter", filter);
  physics_of(node).set(sensor ? "trigger" : "collider", std::move(collider));
  return Ok{};
}

Status Writer::add_motion(const Body& body, int node) {
  Json motion = Json::object();
  if (body.motion == Motion::kKinematic) {
    motion.set("isKinematic", true);
  } else {
    const Result<std::vector<BodyPart>> parts = make_parts(flat_, body, meshes_);
    if (!parts) return parts.error();
    const Result<MassProperties> mass = calc_body_mass(body, *parts);
    if (!mass) return mass.error();
    motion.set("mass", mass->mass);
    const Mat3& I = mass->inertia;
    if (I.r0.y == 0 && I.r0.z == 0 && I.r1.z == 0 && I.r0.x > 0) {
      motion.set("inertiaDiagonal", list_of({I.r0.x, I.r1.y, I.r2.z}));
    } else if (I.r0.x > 0) {
      const SymmetricEigen eigen = calc_symmetric_eigen(I);
      const Quat q = to_quat(eigen.vectors);
      motion.set("inertiaDiagonal", list_of(eigen.values));
      motion.set("inertiaOrientation", Json::array({q.x, q.y, q.z, q.w}));
    }
    motion.set("centerOfMass", list_of(mass->com));
  }
  const Quat back = conjugate(body.orientation);
  if (!(body.velocity == Vec3{}))
    motion.set("linearVelocity", list_of(rotate(back, body.velocity)));
  if (!(body.angular_velocity == Vec3{}))
    motion.set("angularVelocity", list_of(rotate(back, body.angular_velocity)));
  if (!body.gravity) motion.set("gravityFactor", 0);
  physics_of(node).set("motion", std::move(motion));
  if (!body.keyframes.empty() || body.turn || body.release)
    warn(body.place, "glTF bodies have no key frames, turns and releases; left out", body.name);
  if (body.one_way || !(body.surface_velocity == Vec3{}) || body.air)
    warn(body.place, "glTF has no running surfaces, one-way bodies and air; left out", body.name);
  return Ok{};
}

Status Writer::add_body(const Body& body) {
  const int node = put(make_node(body.name, {body.position, body.orientation}));
  bodies_[body.name] = node;
  roots_.push(node);
  if (body.motion != Motion::kStatic)
    if (Status s = add_motion(body, node); !s) return s;
  if (const auto* plane = std::get_if<PlaneShape>(&body.shape)) {
    const bool plain = plane->offset == 0 && plane->normal == Vec3{0, 1, 0};
    const Result<std::vector<BodyPart>> parts = make_parts(flat_, body, meshes_);
    if (!parts) return parts.error();
    const int at = plain ? node : put(make_node(body.name + " plane", parts->front().X_BP));
    if (!plain) add_child(node, at);
    Json shape = Json::object(), geometry = Json::object(), collider = Json::object();
    shape.set("type", "plane").set("plane", Json::object());
    shapes_.push(std::move(shape));
    geometry.set("shape", static_cast<int>(shapes_.items.size()) - 1);
    collider.set("geometry", std::move(geometry))
        .set("physicsMaterial", add_surface(body.material));
    if (const int filter = add_filter(body); filter >= 0) collider.set("collisionFilter", filter);
    physics_of(at).set("collider", std::move(collider));
    return Ok{};
  }
  std::vector<Part> parts;
  if (const auto* compound = std::get_if<CompoundShape>(&body.shape)) parts = compound->parts;
  std::visit(
      [&](const auto& shape) {
        if constexpr (std::is_constructible_v<PartShape, decltype(shape)>) {
          Part part;
          part.shape = shape;
          parts.push_back(std::move(part));
        }
      },
      body.shape);
  const bool alone =
      parts.size() == 1 && parts[0].position == Vec3{} && parts[0].orientation == Quat{};
  for (size_t i = 0; i < parts.size(); ++i) {
    int at = node;
    if (!alone) {
      at = put(make_node(body.name + " part " + std::to_string(i + 1),
                         {parts[i].position, parts[i].orientation}));
      add_child(node, at);
    }
    if (Status s = add_part(body, parts[i], at); !s) return s;
  }
  return Ok{};
}

int Writer::add_end(const std::string& body, const std::string& name, const Pose& X) {
  const int node = put(make_node(name, X));
  const auto found = bodies_.find(body);
  if (found == bodies_.end()) roots_.push(node);
  if (found != bodies_.end()) add_child(found->second, node);
  return node;
}

void Writer::add_joint(const Joint& joint) {
  if (!can_write(joint) || !joint.enabled)
    return warn(joint.place, "glTF has no joint like this one; left out", joint.name);
  const auto end_of = [&](const std::string& name) {
    const Body* body = find_body(flat_, name);
    return body ? JointEnd{{}, {body->position, body->orientation}} : JointEnd{};
  };
  const JointFrames frames =
      calc_frames(joint, end_of(joint.parent.name), end_of(joint.child.name));
  const int parent = add_end(joint.parent.name, joint.name, frames.X_BP);
  const int child = add_end(joint.child.name, joint.name + " end", frames.X_BC);
  joints_.push(write_joint(joint, flat_.source.name, out_.warnings));
  Json json = Json::object();
  json.set("connectedNode", child).set("joint", static_cast<int>(joints_.items.size()) - 1);
  if (joint.bodies_collide) json.set("enableCollision", true);
  physics_of(parent).set("joint", std::move(json));
}

void Writer::name_losses() {
  if (!(flat_.world.gravity == WorldSettings{}.gravity))
    warn({}, "glTF has no gravity of its own: others take 9.81 m/s^2 downwards", "world.gravity");
  for (const Connection& c : flat_.connections)
    warn(c.place, "glTF has no springs and ropes between points; left out", c.name);
  for (const Force& f : flat_.forces) warn(f.place, "glTF has no forces; left out", f.name);
  for (const Rule& r : flat_.rules) warn(r.place, "glTF has no rules; left out", r.name);
}

// glTF averages two materials unless they say otherwise; scenes take the geometric mean, or what a
// pair says.
void Writer::choose_combines() {
  const auto value = [&](const std::string& a, const std::string& b, bool friction) {
    for (const MaterialPair& pair : flat_.pairs) {
      const auto& [m, n] = pair.materials;
      if ((m != a || n != b) && (m != b || n != a)) continue;
      const std::optional<double>& said = friction ? pair.static_friction : pair.restitution;
      if (said) return *said;
    }
    const Material *m = find_material(flat_, a), *n = find_material(flat_, b);
    const Material plain;
    const Material &x = m ? *m : plain, &y = n ? *n : plain;
    return friction ? std::sqrt(x.static_friction * y.static_friction)
                    : std::sqrt(x.restitution * y.restitution);
  };
  const std::pair<const char*, std::function<double(double, double)>> modes[] = {
      {"average", [](double x, double y) { return 0.5 * (x + y); }},
      {"minimum", [](double x, double y) { return std::min(x, y); }},
      {"maximum", [](double x, double y) { return std::max(x, y); }},
      {"multiply", [](double x, double y) { return x * y; }}};
  for (const bool friction : {true, false}) {
    const char *key = friction ? "frictionCombine" : "restitutionCombine",
               *single = friction ? "staticFriction" : "restitution";
    const char* found = nullptr;
    for (const auto& [name, combine] : modes) {
      bool fits = true;
      for (size_t i = 0; i < surface_names_.size() && fits; ++i)
        for (size_t j = i; j < surface_names_.size() && fits; ++j)
          fits = std::fabs(combine(surfaces_.items[i].find(single)->number,
                                   surfaces_.items[j].find(single)->number) -
                           value(surface_names_[i], surface_names_[j], friction)) < 1e-9;
      if (fits && !found) found = name;
    }
    if (!found)
      warn({}, std::string("two materials touch otherwise in glTF, which averages ") + single, key);
    else if (found != modes[0].first)
      for (Json& surface : surfaces_.items) surface.set(key, found);
  }
}

Json Writer::make_root() {
  Json asset = Json::object(), scene = Json::object(), root = Json::object();
  asset.set("version", "2.0").set("generator", "Tenon");
  scene.set("name", flat_.title).set("nodes", roots_);
  Json used = Json::array(), extensions = Json::object(), physics = Json::object();
  used.push(kPhysics).push(kShapes);
  if (!surfaces_.items.empty()) physics.set("physicsMaterials", surfaces_);
  if (!joints_.items.empty()) physics.set("physicsJoints", joints_);
  if (!filters_.items.empty()) physics.set("collisionFilters", filters_);
  Json shapes = Json::object();
  shapes.set("shapes", shapes_);
  extensions.set(kPhysics, std::move(physics));
  if (!shapes_.items.empty()) extensions.set(kShapes, std::move(shapes));
  root.set("asset", std::move(asset)).set("extensionsUsed", std::move(used));
  root.set("extensions", std::move(extensions)).set("scene", 0);
  root.set("scenes", Json::array({std::move(scene)})).set("nodes", nodes_);
  return root;
}

}  // namespace

Result<GltfBytes> export_gltf(const Document& flat, const FileReader& read) {
  return Writer(flat, read).run();
}

}  // namespace tenon::scene::gltf
